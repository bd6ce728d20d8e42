package firstrun

import (
	"assay/client/i18n"
	"assay/client/keys"
	"assay/gui/present"
)

// SetupStage is how far a person has come on the way to a service.
type SetupStage int

// The stages.
const (
	SetupChoosing SetupStage = iota // nothing is filled in
	SetupTyping
	SetupChecking // the service is being asked
	SetupChecked  // and took the key
	SetupRefused  // and did not, or could not be reached
	SetupKeeping  // the key is on its way into the keychain
	SetupAsking   // the keychain did not take the key: the person is asked what to do
	SetupOpening
	SetupDone
)

// SetupField is where what went wrong can be put right.
type SetupField int

// The fields.
const (
	SetupNowhere SetupField = iota // nothing that was filled in is wrong
	SetupAddress
	SetupKey
	SetupProxy
	SetupProxyLogin
	SetupCertificates
)

// SetupAction is what is to be done after an event.
type SetupAction int

// The actions. Each ends in an event: Tested, Kept, Opened.
const (
	SetupNothing        SetupAction = iota
	SetupCheck                      // ask the service
	SetupStop                       // stop asking it
	SetupKeep                       // put the key into the keychain
	SetupKeepForThisRun             // keep it in memory, then open
	SetupOpen
	SetupOpenSandbox
)

// Setup is the way to a service: that of the first run, and of Settings where another service is chosen. It is a value: each
// event gives the next one, and what is to be done. Nothing is sent before Test or Continue.
type Setup struct {
	Stage   SetupStage
	Draft   ServiceDraft // as it is filled in
	Title   string       // what came of it, in a few words; "" for nothing to say
	Said    string       // and in sentences
	At      SetupField   // where that can be put right
	Anyway  bool         // it may be set up without a test that passed
	Waiting bool         // the keychain waits for the person
	Sandbox bool         // the sandbox is opened, or was
	// NeedsKey says that one must be filled in: one that may be kept already is to be replaced.
	NeedsKey bool

	going bool // Continue was chosen: it goes on once the test has passed
}

// Busy reports that something is under way, so that nothing can be filled in.
func (s Setup) Busy() bool {
	return s.Stage == SetupKeeping || s.Stage == SetupOpening || s.Stage == SetupDone
}

// Typed takes what is filled in. What a test said is no longer true then, and one that is under way is stopped.
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

// quiet is s with nothing said.
func (s Setup) quiet() Setup {
	return Setup{Stage: s.Stage, Draft: s.Draft, NeedsKey: s.NeedsKey}
}

// Test asks the service whether it is there and takes the key.
func (s Setup) Test() (Setup, SetupAction) { return s.check(false) }

// Continue sets the service up: it asks the service first, unless that was done.
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

// lacks says what can't be right without asking anybody.
func (s Setup) lacks() (title, sentence string, at SetupField) {
	if s.Draft.Service() == "" {
		return i18n.T("No address"), i18n.T("Fill in the service's address first: it looks like https://api.example.org."), SetupAddress
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

// Tested takes what came of SetupCheck.
func (s Setup) Tested(err error) (Setup, SetupAction) {
	if s.Stage != SetupChecking {
		return s, SetupNothing
	}
	going := s.going
	s = s.quiet()
	if err != nil {
		s.Stage = SetupRefused
		_, s.At, s.Anyway = refusalOf(err)
		s.Title, s.Said = TestWords(err)
		if s.Draft.Key == "" {
			s.Anyway = false // whether one is kept is not known
			if s.At == SetupKey {
				s.Title, s.Said = i18n.T("No key"), i18n.T("This computer keeps none for this service. Fill in the one that you were given.")
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

// GoAnyway sets the service up although it could not be asked.
func (s Setup) GoAnyway() (Setup, SetupAction) {
	if s.Stage != SetupRefused || !s.Anyway {
		return s, SetupNothing
	}
	return s.keep()
}

// keep puts the key into the keychain, where one was filled in.
func (s Setup) keep() (Setup, SetupAction) {
	s = s.quiet()
	if s.Draft.Key == "" {
		s.Stage = SetupOpening
		return s, SetupOpen
	}
	s.Stage = SetupKeeping
	return s, SetupKeep
}

// KeychainWaits takes it that the keychain waits for the person: it asks them to unlock it.
func (s Setup) KeychainWaits() (Setup, SetupAction) {
	if s.Stage == SetupKeeping {
		s.Waiting = true
		s.Title = i18n.T("The keychain waits for you")
		s.Said = i18n.T("Unlock it where the system asks for it: a window of the system's may lie behind this one. Assay goes on by itself then.")
	}
	return s, SetupNothing
}

// WasKept takes what came of SetupKeep.
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

// Asks reports that the person is asked what to do about the keychain, or may be: it waits for them.
func (s Setup) Asks() bool { return s.Stage == SetupAsking || s.Stage == SetupKeeping && s.Waiting }

// KeepForThisRun has the key kept in memory alone. The keychain is not waited for any more.
func (s Setup) KeepForThisRun() (Setup, SetupAction) {
	if !s.Asks() {
		return s, SetupNothing
	}
	s = s.quiet()
	s.Stage = SetupOpening
	return s, SetupKeepForThisRun
}

// TryAgain gives the key to the keychain once more.
func (s Setup) TryAgain() (Setup, SetupAction) {
	if s.Stage != SetupAsking {
		return s, SetupNothing
	}
	return s.keep()
}

// Back leaves the question, for what is filled in.
func (s Setup) Back() (Setup, SetupAction) {
	if !s.Asks() {
		return s, SetupNothing
	}
	s = s.quiet()
	s.Stage = SetupTyping
	return s, SetupNothing
}

// TrySandbox opens the sandbox. A test that is under way is of no use any more; its answer is not taken.
func (s Setup) TrySandbox() (Setup, SetupAction) {
	if s.Busy() {
		return s, SetupNothing
	}
	s = s.quiet()
	s.Stage, s.Sandbox = SetupOpening, true
	return s, SetupOpenSandbox
}

// Opened takes what came of SetupOpen, SetupKeepForThisRun or SetupOpenSandbox.
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

// NotOpened takes it that the person would rather not, when asked: what is filled in stays.
func (s Setup) NotOpened() (Setup, SetupAction) {
	if s.Stage != SetupOpening {
		return s, SetupNothing
	}
	s = s.quiet()
	s.Stage = SetupTyping
	return s, SetupNothing
}
