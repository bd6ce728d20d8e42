package screen

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// FirstRunParams are what the screen of the first run needs.
type FirstRunParams struct {
	ServiceDeeds
	Workers *work.Workers        // two at least
	Draft   present.ServiceDraft // what is filled in at first: an address that IT has set, a proxy, what a screen before had
	// Fixed says why the address can't be changed, "" where it can be.
	Fixed string
	// NoSandbox says why the sandbox can't be tried, "" where it can be.
	NoSandbox string
	// SetLanguage speaks another language from now on; the screen is built anew for it, with the Draft of this one.
	SetLanguage func(code string)
}

// FirstRun asks for a service, or offers the sandbox. Nothing is sent before the person says so.
type FirstRun struct {
	FirstRunParams
	root    *fyne.Container
	column  *fyne.Container
	inner   *fyne.Container // of the form's card
	form    *serviceForm
	sandbox *kit.Button
	said    *kit.Notice
}

const firstRunWidth float32 = 600

// NewFirstRun builds the screen.
func NewFirstRun(p FirstRunParams) *FirstRun {
	f := &FirstRun{FirstRunParams: p}
	setup := present.Setup{Draft: p.Draft}
	if p.Draft != (present.ServiceDraft{}) {
		setup.Stage = present.SetupTyping
	}
	f.form = newServiceForm(p.ServiceDeeds, p.Workers, setup, p.Fixed, i18n.T("Continue"), true)
	f.said = kit.NewNotice(look.IconInfo, "", "", nil)
	f.said.Hide()
	f.sandbox = kit.NewButton(kit.Plain, i18n.T("Try it in the sandbox"), look.IconPlay, func() { f.form.do(f.form.setup.TrySandbox()) })
	what, promise := present.SetupWords()
	form := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, kit.NewLockedNote(promise), f.form.root)
	f.inner = form
	trial := kit.NewCard(f.newTrial())
	card := kit.NewCard(form)
	for _, c := range []*kit.Card{card, trial} {
		c.SetPadding(5 * look.Space)
	}
	f.column = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, f.newHead(),
		kit.NewParagraph(what, kit.TextStyle{Color: look.ColorMuted}), f.said, card, trial)
	f.root = kit.NewScroll(container.New(kit.MiddleColumn{Width: firstRunWidth, Middle: true}, f.column))
	f.form.changed = f.layOut
	scroll := f.root.Objects[0].(*container.Scroll)
	f.form.reveal = func(o fyne.CanvasObject) { kit.RevealIn(scroll, o) }
	kit.RevealWhenReached(f.column, f.form.reveal)
	kit.RevealWhenReached(form, f.form.reveal)
	kit.RevealWhenReached(f.sandbox, f.form.reveal)
	f.fill()
	return f
}

// newHead is the title, with the language beside it.
func (f *FirstRun) newHead() fyne.CanvasObject {
	title := kit.NewParagraph(i18n.T("Set up Assay"), kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold})
	codes, names := present.Languages()
	language := kit.NewSelect(kit.Plain, names, nil)
	language.Select(slices.Index(codes, i18n.Language()))
	language.OnChanged = func(i int) { f.SetLanguage(codes[i]) }
	return container.NewBorder(nil, nil, nil, container.NewCenter(language), title)
}

// newTrial offers the sandbox.
func (f *FirstRun) newTrial() fyne.CanvasObject {
	words := container.New(kit.Column{Gap: look.Space, Grow: -1},
		kit.NewParagraph(i18n.T("No key yet?"), kit.TextStyle{Weight: look.WeightBold}),
		kit.NewHint(i18n.T("The sandbox is a service inside this computer. It shows how Assay works, with classic forensic signals: it is not a deepfake detector. Nothing leaves this computer.")))
	if f.NoSandbox != "" {
		words.Add(kit.NewLockedNote(f.NoSandbox))
	}
	return container.New(kit.BesideButton{}, words, f.sandbox)
}

// Object is the screen's root.
func (f *FirstRun) Object() fyne.CanvasObject { return f.root }

// Focus gives the keyboard to the first control.
func (f *FirstRun) Focus() {
	if f.form.address.Disabled() {
		f.form.focus(f.form.key)
		return
	}
	f.form.focus(f.form.address)
}

// Draft is what is filled in by now, to be taken over by a screen that is built anew.
func (f *FirstRun) Draft() present.ServiceDraft { return f.form.draft() }

// Setup is how far the person has come.
func (f *FirstRun) Setup() present.Setup { return f.form.setup }

// Say shows a sentence above the form, such as what will be taken once Assay is set up; "" shows none.
func (f *FirstRun) Say(sentence string) {
	f.said.SetText(sentence)
	kit.SetVisible(f.said, sentence != "")
	f.layOut()
}

// TypedKey does what a key without a character means here, and reports whether it means anything.
func (f *FirstRun) TypedKey(e *fyne.KeyEvent) (taken bool) { return f.form.typedKey(e) }

// Close stops what is under way; its answers are not shown any more.
func (f *FirstRun) Close() { f.form.stop() }

func (f *FirstRun) fill() {
	kit.SetEnabled(f.sandbox, f.NoSandbox == "" && !f.form.setup.Busy() && !f.form.setup.Asks())
}

// layOut makes room for what was shown or hidden.
func (f *FirstRun) layOut() {
	f.fill()
	kit.RelayoutTwice(f.root, f.inner)
}
