package firstrun

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/work"
)

// Actions are the callbacks for a service that was filled in. Functions with a ctx block and are called on workers, all others on the UI thread and
// return at once. Errors are shown by their own sentence.
type Actions struct {
	// Check asks the service whether it is there and accepts the key: the draft's, or if that has none the kept one.
	Check func(ctx context.Context, d ServiceDraft) error
	// Keep puts the key into the keychain. If the keychain waits for the person, it calls waiting, on its own goroutine, and goes on waiting until
	// ctx ends.
	Keep func(ctx context.Context, d ServiceDraft, waiting func()) error
	// KeepForThisRun keeps the key in memory; it returns at once.
	KeepForThisRun func(d ServiceDraft)
	// Open sets the service up: settings, proxy's password, session. It returns at once, and done is called on the UI thread, unless the screen is
	// gone by then. The draft is zero for the sandbox.
	Open func(d ServiceDraft, sandbox bool, done func(error))
	// ChooseFile opens the system's dialog for a file; chosen is called on the UI thread.
	ChooseFile func(chosen func(path string))
}

// Form asks for a service's address and key, tests them, and sets the service up.
type Form struct {
	Actions
	workers  *work.Workers // at least two
	Setup    Setup
	Changed  func()                  // called after the form's height has changed
	cancel   func()                  // ends the work under way
	Reveal   func(fyne.CanvasObject) // scrolls to a message; nil: it is always visible
	saidLast string

	Root    *fyne.Container
	Address *kit.Field
	Key     *kit.SecretField
	network *networkForm // nil: it does not ask how the service is reached
	fixed   bool         // the address can't be changed

	notices map[SetupField]*kit.Notice
	general *fyne.Container // messages that are not about one field
	hint    *kit.Paragraph  // about the key; while it is asked, what keeping it for this run means
	foot    *fyne.Container
	test    *kit.Button
	use     *kit.Button
	back    *kit.Button
	again   *kit.Button
	forRun  *kit.Button
}

// messageRoom is the height that is kept free for messages, so that nothing moves when one comes or goes.
const messageRoom float32 = 14 * look.Space

// NewForm makes the form. use are the words on the button that sets the service up. With asksNetwork, a proxy and certificates can be given; then the
// caller places that button and the part about the network.
func NewForm(actions Actions, workers *work.Workers, setup Setup, fixed, use string, asksNetwork bool) *Form {
	f := &Form{Actions: actions, workers: workers, Setup: setup, Changed: func() {}, cancel: func() {}, fixed: fixed != ""}
	f.notices = map[SetupField]*kit.Notice{}
	for at := SetupNowhere; at <= SetupCertificates; at++ {
		f.notices[at] = kit.NewNotice(look.IconWarning, "", "", nil)
		f.notices[at].Hide()
	}
	f.Address = kit.NewField("https://api.example.org", nil)
	f.Address.SetText(setup.Draft.Address)
	f.Address.OnSubmitted = func(string) { f.focus(f.Key) }
	f.Key = kit.NewSecretField("", nil)
	f.Key.SetText(setup.Draft.Key)
	var hint fyne.CanvasObject
	if fixed != "" {
		hint = kit.NewLockedNote(fixed)
	}
	f.hint = kit.NewHint(hintOf(setup))
	f.Root = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		kit.NewLabelled(i18n.T("Address"), f.Address, hint, nil),
		kit.NewLabelled(i18n.T("Key"), f.Key, f.hint, nil))
	f.Key.OnSubmitted = func(string) { f.focus(f.use) }
	f.general = kit.NewGroup(f.notices[SetupNowhere], f.notices[SetupAddress], f.notices[SetupKey])
	f.test = kit.NewButton(kit.Plain, i18n.T("Test the connection"), nil, func() { f.Do(f.Setup.Test()) })
	f.use = kit.NewButton(kit.Primary, use, nil, func() { f.Do(f.Setup.Continue()) })
	f.back = kit.NewButton(kit.Plain, i18n.T("Back"), nil, func() { f.Do(f.Setup.Back()) })
	f.again = kit.NewButton(kit.Plain, i18n.T("Try again"), nil, func() { f.Do(f.Setup.TryAgain()) })
	f.forRun = kit.NewButton(kit.Primary, i18n.T("Keep it until I quit"), nil, func() { f.Do(f.Setup.KeepForThisRun()) })
	if asksNetwork {
		f.foot = container.New(&kit.Flow{Gap: 2 * look.Space, Line: 2 * look.Space}, f.test, f.back, f.again, f.forRun)
		f.network = newNetworkForm(f, setup.Draft.Network)
		f.Root.Add(f.foot)
		f.Root.Add(container.New(kit.AtLeast(messageRoom), f.general))
	} else {
		f.foot = container.New(&kit.ButtonRows{}, f.test, f.use, f.back, f.again, f.forRun)
		f.Root.Add(f.foot)
		f.Root.Add(f.general)
	}
	f.Address.OnChanged = func(string) { f.typed() }
	keyChanged := f.Key.OnChanged
	f.Key.OnChanged = func(text string) {
		keyChanged(text)
		f.typed()
	}
	f.Fill()
	return f
}

// hintOf is the hint for the field of the key.
func hintOf(setup Setup) string {
	if setup.NeedsKey {
		return i18n.T("It replaces the present key once the service accepts it.")
	}
	return i18n.T("The people who run the service give you the key. Assay keeps it in this computer's keychain. If a key is already there, leave this empty.")
}

// draft is what is filled in.
func (f *Form) draft() ServiceDraft {
	d := ServiceDraft{Address: f.Address.Text, Key: f.Key.Secret()}
	if f.network != nil {
		d.Network = f.network.draft()
	}
	return d
}

func (f *Form) typed() { f.Do(f.Setup.Typed(f.draft())) }

// Do sets the state after an event, does its action, and shows it.
func (f *Form) Do(next Setup, action SetupAction) {
	before := f.Setup
	asked := next.Asks() && !before.Asks()
	f.Setup = next
	if before.Draft = next.Draft; before == next && action == SetupNothing {
		return // only a letter was typed
	}
	d := next.Draft
	switch action {
	case SetupStop:
		f.Stop()
	case SetupCheck:
		f.Stop()
		f.cancel = f.workers.Do(func(ctx context.Context) func() {
			err := f.Check(ctx, d)
			return func() { f.Do(f.Setup.Tested(err)) }
		})
	case SetupKeep:
		f.Stop()
		waits := func() {
			f.workers.Do(func(context.Context) func() { return func() { f.Do(f.Setup.KeychainWaits()) } })
		}
		f.cancel = f.workers.Do(func(ctx context.Context) func() {
			err := f.Keep(ctx, d, waits)
			return func() { f.Do(f.Setup.WasKept(err)) }
		})
	case SetupKeepForThisRun:
		f.Stop()
		f.KeepForThisRun(d)
		f.open(d, false)
	case SetupOpen:
		f.Stop()
		f.open(d, false)
	case SetupOpenSandbox:
		f.Stop()
		f.open(ServiceDraft{}, true)
	}
	f.Fill()
	switch { // what had the focus is hidden; Enter must not keep the key for this run by mistake
	case asked && f.again.Visible():
		f.focus(f.again)
	case asked:
		f.focus(f.back)
	}
}

func (f *Form) open(d ServiceDraft, sandbox bool) {
	f.Open(d, sandbox, func(err error) { f.Do(f.Setup.Opened(err)) })
}

// Stop ends the work under way.
func (f *Form) Stop() {
	f.cancel()
	f.cancel = func() {}
}

// Fill shows the present state.
func (f *Form) Fill() {
	if f.foot == nil {
		return // it is being built
	}
	s := f.Setup
	shut := s.Busy() || s.Asks()
	kit.SetEnabled(f.Address, !shut && !f.fixed)
	kit.SetEnabled(f.Key, !shut)
	if f.network != nil {
		f.network.enable(!shut)
	}
	for at, notice := range f.notices {
		f.fillNotice(at, notice)
	}
	if f.hint.SetText(hintOf(s)); s.Asks() {
		f.hint.SetText(KeychainChoice())
	}
	kit.SetVisible(f.general, f.notices[SetupNowhere].Visible() || f.notices[SetupAddress].Visible() || f.notices[SetupKey].Visible())
	kit.SetVisible(f.test, !shut)
	kit.SetVisible(f.use, !s.Asks())
	kit.SetVisible(f.back, s.Asks())
	kit.SetVisible(f.again, s.Stage == SetupAsking)
	kit.SetVisible(f.forRun, s.Asks())
	kit.SetEnabled(f.use, !shut)
	kit.SetEnabled(f.test, s.Stage != SetupChecking)
	kit.Relayout(f.foot)
	f.Changed()
	f.revealSaid()
}

// revealSaid scrolls to a new message.
func (f *Form) revealSaid() {
	said := ""
	for _, notice := range f.notices {
		if !notice.Visible() {
			continue
		}
		said = notice.Title() + notice.Text()
		if said != f.saidLast && f.Reveal != nil {
			f.Reveal(notice)
		}
	}
	f.saidLast = said
}

// fillNotice shows the message for a field, or hides its notice.
func (f *Form) fillNotice(at SetupField, notice *kit.Notice) {
	s := f.Setup
	if f.network == nil && at > SetupKey {
		return
	}
	here := s.At
	if f.network == nil && here > SetupKey {
		here = SetupNowhere
	}
	title, text, action, do, icon := s.Title, s.Said, "", func() {}, look.IconWarning
	switch {
	case s.Stage == SetupChecking:
		title, text, icon = "", i18n.T("Testing the connection…"), look.IconHourglass
		action, do = i18n.T("Stop"), func() { f.Do(f.Setup.Stop()) }
	case s.Stage == SetupKeeping && !s.Waiting:
		title, text, icon = "", i18n.T("Saving the key in the keychain…"), look.IconHourglass
	case s.Stage == SetupKeeping:
		icon = look.IconLock
	case s.Stage == SetupOpening, s.Stage == SetupDone:
		title, text, icon = "", i18n.T("One moment…"), look.IconHourglass
	case s.Stage == SetupChecked:
		icon = look.IconCheck
	case s.Anyway:
		action, do = i18n.T("Set up anyway"), func() { f.Do(f.Setup.GoAnyway()) }
	}
	said := at == here && text != ""
	if said {
		notice.SetIcon(icon)
		notice.SetTitle(title)
		notice.SetText(text)
		notice.SetAction(action, do)
		if f.network != nil && at > SetupKey {
			f.network.unfold()
		}
	}
	kit.SetVisible(notice, said)
}

func (f *Form) focus(o fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f.Root); c != nil {
		c.Focus(o)
	}
}

// TypedKey handles Escape, which stops a test or goes back from the question about the keychain.
func (f *Form) TypedKey(e *fyne.KeyEvent) (taken bool) {
	if e.Name != fyne.KeyEscape {
		return false
	}
	switch {
	case f.Setup.Stage == SetupChecking:
		f.Do(f.Setup.Stop())
	case f.Setup.Asks():
		f.Do(f.Setup.Back())
	default:
		return false
	}
	return true
}
