package screen

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// ServiceDeeds are what is done with a service that was filled in. What takes a ctx blocks and is called on workers, all else on
// the UI thread. Errors are shown in their own sentence.
type ServiceDeeds struct {
	// Check asks the service whether it is there and takes the key. Where the draft has no key, it is the one that is kept.
	Check func(ctx context.Context, d present.ServiceDraft) error
	// Keep puts the key into the keychain. Where that waits for the person, it calls waiting, from its own goroutine, and goes on
	// waiting; ctx ends that.
	Keep func(ctx context.Context, d present.ServiceDraft, waiting func()) error
	// KeepForThisRun keeps the key in memory; it returns at once.
	KeepForThisRun func(d present.ServiceDraft)
	// Open sets the service up: settings, proxy's password, session. It returns at once, and done is called on the UI thread, unless
	// the screen is gone by then. The draft is zero for the sandbox.
	Open func(d present.ServiceDraft, sandbox bool, done func(error))
	// ChooseFile opens the system's dialog for a file, and hands over what was chosen there, on the UI thread.
	ChooseFile func(chosen func(path string))
}

// serviceForm asks for a service's address and key, tries them, and sets the service up.
type serviceForm struct {
	ServiceDeeds
	workers  *work.Workers // two at least
	setup    present.Setup
	changed  func()                  // is called after what is shown has come to need more room, or less
	cancel   func()                  // ends what is under way
	reveal   func(fyne.CanvasObject) // brings into sight what is said; nil: it always is
	saidLast string

	root    *fyne.Container
	address *kit.Field
	key     *kit.SecretField
	network *networkForm // nil: how the service is reached is not asked here
	fixed   bool         // the address can't be changed

	notices map[present.SetupField]*kit.Notice
	general *fyne.Container // what concerns no field
	choice  *kit.Paragraph  // what keeping the key for this run means
	foot    *fyne.Container
	test    *kit.Button
	use     *kit.Button
	back    *kit.Button
	again   *kit.Button
	forRun  *kit.Button
}

// newServiceForm makes the form. use are the words on the button that sets the service up; asksNetwork says that a proxy and
// certificates can be given here.
func newServiceForm(deeds ServiceDeeds, workers *work.Workers, setup present.Setup, fixed, use string, asksNetwork bool) *serviceForm {
	f := &serviceForm{ServiceDeeds: deeds, workers: workers, setup: setup, changed: func() {}, cancel: func() {}, fixed: fixed != ""}
	f.notices = map[present.SetupField]*kit.Notice{}
	for at := present.SetupNowhere; at <= present.SetupCertificates; at++ {
		f.notices[at] = kit.NewNotice(look.IconWarning, "", "", nil)
		f.notices[at].Hide()
	}
	f.address = kit.NewField("https://api.example.org", nil)
	f.address.SetText(setup.Draft.Address)
	f.address.OnSubmitted = func(string) { f.focus(f.key) }
	f.key = kit.NewSecretField("", nil)
	f.key.SetText(setup.Draft.Key)
	var hint fyne.CanvasObject
	if fixed != "" {
		hint = kit.NewLockedNote(fixed)
	}
	f.root = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		kit.NewGroup(kit.NewLabelled(i18n.T("Service address"), f.address, hint, nil), f.notices[present.SetupAddress]),
		kit.NewGroup(kit.NewLabelled(i18n.T("Key"), f.key, kit.NewHint(hintOf(setup)), nil),
			f.notices[present.SetupKey]))
	if asksNetwork {
		f.network = newNetworkForm(f, setup.Draft.Network)
		f.root.Add(f.network.root)
	}
	f.key.OnSubmitted = func(string) { f.focus(f.use) }
	f.choice = kit.NewHint(present.KeychainChoice())
	f.general = kit.NewGroup(f.notices[present.SetupNowhere], f.choice)
	f.root.Add(f.general)
	f.test = kit.NewButton(kit.Plain, i18n.T("Test the connection"), nil, func() { f.do(f.setup.Test()) })
	f.use = kit.NewButton(kit.Primary, use, nil, func() { f.do(f.setup.Continue()) })
	f.back = kit.NewButton(kit.Plain, i18n.T("Back"), nil, func() { f.do(f.setup.Back()) })
	f.again = kit.NewButton(kit.Plain, i18n.T("Try again"), nil, func() { f.do(f.setup.TryAgain()) })
	f.forRun = kit.NewButton(kit.Primary, i18n.T("Keep it for this run"), nil, func() { f.do(f.setup.KeepForThisRun()) })
	f.foot = container.New(&kit.ButtonRows{}, f.test, f.use, f.back, f.again, f.forRun)
	f.root.Add(f.foot)
	f.address.OnChanged = func(string) { f.typed() }
	keyChanged := f.key.OnChanged
	f.key.OnChanged = func(text string) {
		keyChanged(text)
		f.typed()
	}
	f.fill()
	return f
}

// hintOf says what there is to know of the key.
func hintOf(setup present.Setup) string {
	if setup.NeedsKey {
		return i18n.T("It takes the place of the one there is once the service has taken it.")
	}
	return i18n.T("You get it from whoever runs the service. It is kept in this computer's keychain: leave it empty where one is kept there already.")
}

// draft is what is filled in.
func (f *serviceForm) draft() present.ServiceDraft {
	d := present.ServiceDraft{Address: f.address.Text, Key: f.key.Secret()}
	if f.network != nil {
		d.Network = f.network.draft()
	}
	return d
}

func (f *serviceForm) typed() { f.do(f.setup.Typed(f.draft())) }

// do takes what an event has led to, does what is to be done, and shows it.
func (f *serviceForm) do(next present.Setup, deed present.SetupDeed) {
	before := f.setup
	asked := next.Asks() && !before.Asks()
	f.setup = next
	if before.Draft = next.Draft; before == next && deed == present.SetupNothing {
		return // a letter more was typed
	}
	d := next.Draft
	switch deed {
	case present.SetupStop:
		f.stop()
	case present.SetupCheck:
		f.stop()
		f.cancel = f.workers.Do(func(ctx context.Context) func() {
			err := f.Check(ctx, d)
			return func() { f.do(f.setup.Tested(err)) }
		})
	case present.SetupKeep:
		f.stop()
		waits := func() {
			f.workers.Do(func(context.Context) func() { return func() { f.do(f.setup.KeychainWaits()) } })
		}
		f.cancel = f.workers.Do(func(ctx context.Context) func() {
			err := f.Keep(ctx, d, waits)
			return func() { f.do(f.setup.WasKept(err)) }
		})
	case present.SetupKeepForThisRun:
		f.stop()
		f.KeepForThisRun(d)
		f.open(d, false)
	case present.SetupOpen:
		f.stop()
		f.open(d, false)
	case present.SetupOpenSandbox:
		f.stop()
		f.open(present.ServiceDraft{}, true)
	}
	f.fill()
	switch { // what had the keyboard is hidden; keeping the key for this run is nothing that Enter does by mistake
	case asked && f.again.Visible():
		f.focus(f.again)
	case asked:
		f.focus(f.back)
	}
}

func (f *serviceForm) open(d present.ServiceDraft, sandbox bool) {
	f.Open(d, sandbox, func(err error) { f.do(f.setup.Opened(err)) })
}

// stop ends what is under way.
func (f *serviceForm) stop() {
	f.cancel()
	f.cancel = func() {}
}

// fill shows what holds by now.
func (f *serviceForm) fill() {
	if f.foot == nil {
		return // it is being built
	}
	s := f.setup
	shut := s.Busy() || s.Asks()
	kit.SetEnabled(f.address, !shut && !f.fixed)
	kit.SetEnabled(f.key, !shut)
	if f.network != nil {
		f.network.enable(!shut)
	}
	for at, notice := range f.notices {
		f.fillNotice(at, notice)
	}
	kit.SetVisible(f.choice, s.Asks())
	kit.SetVisible(f.general, s.Asks() || f.notices[present.SetupNowhere].Visible())
	kit.SetVisible(f.test, !shut)
	kit.SetVisible(f.use, !s.Asks())
	kit.SetVisible(f.back, s.Asks())
	kit.SetVisible(f.again, s.Stage == present.SetupAsking)
	kit.SetVisible(f.forRun, s.Asks())
	kit.SetEnabled(f.use, !shut)
	kit.SetEnabled(f.test, s.Stage != present.SetupChecking)
	kit.Relayout(f.foot)
	f.changed()
	f.revealSaid()
}

// revealSaid brings into sight what was said anew.
func (f *serviceForm) revealSaid() {
	said := ""
	for _, notice := range f.notices {
		if !notice.Visible() {
			continue
		}
		said = notice.Title() + notice.Text()
		if said != f.saidLast && f.reveal != nil {
			f.reveal(notice)
		}
	}
	f.saidLast = said
}

// fillNotice shows what there is to say at a field, or takes the notice away.
func (f *serviceForm) fillNotice(at present.SetupField, notice *kit.Notice) {
	s := f.setup
	if f.network == nil && at > present.SetupKey {
		return
	}
	here := s.At
	if f.network == nil && here > present.SetupKey {
		here = present.SetupNowhere
	}
	title, text, action, do, icon := s.Title, s.Said, "", func() {}, look.IconWarning
	switch {
	case s.Stage == present.SetupChecking:
		title, text, icon = "", i18n.T("Asking the service…"), look.IconHourglass
		action, do = i18n.T("Stop"), func() { f.do(f.setup.Stop()) }
	case s.Stage == present.SetupKeeping && !s.Waiting:
		title, text, icon = "", i18n.T("Putting the key into the keychain…"), look.IconHourglass
	case s.Stage == present.SetupKeeping:
		icon = look.IconLock
	case s.Stage == present.SetupOpening, s.Stage == present.SetupDone:
		title, text, icon = "", i18n.T("One moment…"), look.IconHourglass
	case s.Stage == present.SetupChecked:
		icon = look.IconCheck
	case s.Anyway:
		action, do = i18n.T("Set up anyway"), func() { f.do(f.setup.GoAnyway()) }
	}
	said := at == here && text != ""
	if said {
		notice.SetIcon(icon)
		notice.SetTitle(title)
		notice.SetText(text)
		notice.SetAction(action, do)
		if f.network != nil && at > present.SetupKey {
			f.network.unfold()
		}
	}
	kit.SetVisible(notice, said)
}

func (f *serviceForm) focus(o fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f.root); c != nil {
		c.Focus(o)
	}
}

// typedKey takes Escape, which stops a test or leaves the question about the keychain.
func (f *serviceForm) typedKey(e *fyne.KeyEvent) (taken bool) {
	if e.Name != fyne.KeyEscape {
		return false
	}
	switch {
	case f.setup.Stage == present.SetupChecking:
		f.do(f.setup.Stop())
	case f.setup.Asks():
		f.do(f.setup.Back())
	default:
		return false
	}
	return true
}
