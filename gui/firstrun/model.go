package firstrun

import (
	"assay/client/i18n"
	"assay/client/keys"
	"assay/gui/present"
)

// SetupStage is a stage in setting up a service.
type SetupStage int

// The stages.
const (
	SetupChoosing SetupStage = iota // nothing is filled in
	SetupTyping
	SetupChecking // the service is being tested
	SetupChecked  // the test succeeded
	SetupRefused  // the service refused, or could not be reached
	SetupKeeping  // the key is being put into the keychain
	SetupAsking   // the keychain did not accept the key: the person is asked what to do
	SetupOpening
	SetupDone
)

// SetupField is where a mistake can be corrected.
type SetupField int

// The fields.
const (
	SetupNowhere SetupField = iota // in none: nothing that was filled in is wrong
	SetupAddress
	SetupKey
	SetupProxy
	SetupProxyLogin
	SetupCertificates
)

// SetupAction is what the caller has to do after an event.
type SetupAction int

// The actions. Each ends in an event: Tested, Kept, Opened.
const (
	SetupNothing        SetupAction = iota
	SetupCheck                      // test the service
	SetupStop                       // stop the test
	SetupKeep                       // put the key into the keychain
	SetupKeepForThisRun             // keep it in memory, then open
	SetupOpen
	SetupOpenSandbox
)

// Setup is the state of setting up a service: in the first run, and in Settings where another service is chosen. It is a value: each event returns
// the next state, and what the caller has to do. Nothing is sent before Test or Continue.
type Setup struct {
	Stage   SetupStage
	Draft   ServiceDraft // as it is filled in
	Title   string       // the outcome in a few words; "" for none
	Said    string       // the outcome in sentences
	At      SetupField   // where that can be corrected
	Anyway  bool         // it may be set up without a successful test
	Waiting bool         // the keychain waits for the person
	Sandbox bool         // the sandbox is being opened, or was
	// NeedsKey says that a key must be filled in, since one that may be kept already is to be replaced.
	NeedsKey bool

	going bool // Continue was chosen: it goes on after a successful test
}

// Busy reports whether work is under way, so that nothing can be filled in.
func (s Setup) Busy() bool {
	return s.Stage == SetupKeeping || s.Stage == SetupOpening || s.Stage == SetupDone
}

// Typed sets what is filled in. The outcome of an earlier test is dropped, and a test under way is stopped.
func (s Setup) Typed(d ServiceDraft) (Setup, SetupAction) {
	if s.Busy() || d == s.Draft {
		return s, SetupNothing
	}
	action := SetupNothing
	if s.Stage == SetupChecking {
		action = SetupStop
	}
	s = s.quiet()
	s.Draft, s.Stage = d, SetupTyping
	if d == (ServiceDraft{}) {
		s.Stage = SetupChoosing
	}
	return s, action
}

// quiet is s without messages.
func (s Setup) quiet() Setup {
	return Setup{Stage: s.Stage, Draft: s.Draft, NeedsKey: s.NeedsKey}
}

// Test tests whether the service is there and accepts the key.
func (s Setup) Test() (Setup, SetupAction) { return s.check(false) }

// Continue sets the service up, after a test unless there was one.
func (s Setup) Continue() (Setup, SetupAction) {
	if s.Stage == SetupChecked {
		return s.keep()
	}
	return s.check(true)
}

func (s Setup) check(going bool) (Setup, SetupAction) {
	switch s.Stage {
	case SetupChecking:
		s.going = s.going || going
		return s, SetupNothing
	case SetupChoosing, SetupTyping, SetupChecked, SetupRefused:
	default:
		return s, SetupNothing
	}
	s = s.quiet()
	if title, sentence, at := s.lacks(); sentence != "" {
		s.Stage, s.Title, s.Said, s.At = SetupRefused, title, sentence, at
		return s, SetupNothing
	}
	s.Stage, s.going = SetupChecking, going
	return s, SetupCheck
}

// lacks says what is wrong without asking the service.
func (s Setup) lacks() (title, sentence string, at SetupField) {
	if s.Draft.Service() == "" {
		return i18n.T("No address"), i18n.T("Fill in the service's address first. It looks like https://api.example.org."), SetupAddress
	}
	if s.Draft.Key == "" && s.NeedsKey {
		return i18n.T("No key"), i18n.T("Fill in the key that you were given for this service."), SetupKey
	}
	if s.Draft.Key != "" { // else one may be kept for this service
		if _, err := keys.Clean(s.Draft.Key); err != nil {
			return i18n.T("Not a key"), present.Problem(err), SetupKey
		}
	}
	if _, _, err := s.Draft.Network.Parts(); err != nil {
		return i18n.T("Not a proxy"), present.Problem(err), SetupProxy
	}
	return "", "", SetupNowhere
}

// Stop ends a test.
func (s Setup) Stop() (Setup, SetupAction) {
	if s.Stage != SetupChecking {
		return s, SetupNothing
	}
	s = s.quiet()
	s.Stage = SetupTyping
	return s, SetupStop
}

// Tested handles the outcome of SetupCheck.
func (s Setup) Tested(err error) (Setup, SetupAction) {
	if s.Stage != SetupChecking {
		return s, SetupNothing
	}
	going := s.going
	s = s.quiet()
	if err != nil {
		s.Stage = SetupRefused
		s.Title, s.At, s.Anyway = refusalOf(err)
		s.Said = saidInForm(err)
		if s.Draft.Key == "" {
			s.Anyway = false // it is not known whether one is kept
			if s.At == SetupKey {
				s.Title, s.Said = i18n.T("No key"), i18n.T("This computer has no key for this service. Fill in the one that you were given.")
			}
		}
		return s, SetupNothing
	}
	s.Stage = SetupChecked
	s.Title, s.Said = TestWords(nil)
	if going {
		return s.keep()
	}
	return s, SetupNothing
}

// GoAnyway sets the service up although it could not be tested.
func (s Setup) GoAnyway() (Setup, SetupAction) {
	if s.Stage != SetupRefused || !s.Anyway {
		return s, SetupNothing
	}
	return s.keep()
}

// keep puts the key into the keychain, if one was filled in.
func (s Setup) keep() (Setup, SetupAction) {
	s = s.quiet()
	if s.Draft.Key == "" {
		s.Stage = SetupOpening
		return s, SetupOpen
	}
	s.Stage = SetupKeeping
	return s, SetupKeep
}

// KeychainWaits handles that the keychain waits for the person to unlock it.
func (s Setup) KeychainWaits() (Setup, SetupAction) {
	if s.Stage == SetupKeeping {
		s.Waiting = true
		s.Title = i18n.T("Unlock the keychain")
		s.Said = i18n.T("The system asks for its password in a window, perhaps behind this one. Assay then goes on by itself.")
	}
	return s, SetupNothing
}

// WasKept handles the outcome of SetupKeep.
func (s Setup) WasKept(err error) (Setup, SetupAction) {
	if s.Stage != SetupKeeping {
		return s, SetupNothing
	}
	s = s.quiet()
	if err == nil {
		s.Stage = SetupOpening
		return s, SetupOpen
	}
	s.Stage, s.Title, s.Said = SetupAsking, keychainTitle(err), present.Problem(err)
	return s, SetupNothing
}

// Asks reports whether the person is asked what to do about the keychain, or may be, since it waits for them.
func (s Setup) Asks() bool { return s.Stage == SetupAsking || s.Stage == SetupKeeping && s.Waiting }

// KeepForThisRun has the key kept in memory only, and does not wait for the keychain any more.
func (s Setup) KeepForThisRun() (Setup, SetupAction) {
	if !s.Asks() {
		return s, SetupNothing
	}
	s = s.quiet()
	s.Stage = SetupOpening
	return s, SetupKeepForThisRun
}

// TryAgain puts the key into the keychain once more.
func (s Setup) TryAgain() (Setup, SetupAction) {
	if s.Stage != SetupAsking {
		return s, SetupNothing
	}
	return s.keep()
}

// Back goes back from the question to the form.
func (s Setup) Back() (Setup, SetupAction) {
	if !s.Asks() {
		return s, SetupNothing
	}
	s = s.quiet()
	s.Stage = SetupTyping
	return s, SetupNothing
}

// TrySandbox opens the sandbox. The outcome of a test under way is ignored.
func (s Setup) TrySandbox() (Setup, SetupAction) {
	if s.Busy() {
		return s, SetupNothing
	}
	s = s.quiet()
	s.Stage, s.Sandbox = SetupOpening, true
	return s, SetupOpenSandbox
}

// Opened handles the outcome of SetupOpen, SetupKeepForThisRun or SetupOpenSandbox.
func (s Setup) Opened(err error) (Setup, SetupAction) {
	if s.Stage != SetupOpening {
		return s, SetupNothing
	}
	sandbox := s.Sandbox
	s = s.quiet()
	s.Sandbox = sandbox
	if err != nil {
		s.Stage, s.Title, s.Said = SetupRefused, i18n.T("Assay could not be set up"), present.Problem(err)
		return s, SetupNothing
	}
	s.Stage = SetupDone
	return s, SetupNothing
}

// NotOpened handles that the person declined when asked: what is filled in stays.
func (s Setup) NotOpened() (Setup, SetupAction) {
	if s.Stage != SetupOpening {
		return s, SetupNothing
	}
	s = s.quiet()
	s.Stage = SetupTyping
	return s, SetupNothing
}
