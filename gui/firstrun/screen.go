// Package firstrun is the screen on which a service is set up for the first time, the form for a service's address and key, which the settings use
// too, and its view model (model*.go, which do not use the toolkit): setting up a service as a state machine without side effects.
package firstrun

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

// Params are what the screen of the first run needs.
type Params struct {
	Actions
	Workers *work.Workers // at least two
	Draft   ServiceDraft  // what is filled in at first: an address that IT has set, a proxy, or the draft of the screen before
	// Fixed says why the address can't be changed, "" where it can be.
	Fixed string
	// NoSandbox says why the sandbox can't be tried, "" where it can be.
	NoSandbox string
	// SetLanguage switches to another language; the screen is built again, with the Draft of this one.
	SetLanguage func(code string)
}

// Screen asks for a service, or offers the sandbox. Nothing is sent before the person asks for it.
type Screen struct {
	Params
	root    *fyne.Container
	column  *fyne.Container
	inner   *fyne.Container // inside the form's card
	form    *Form
	sandbox *kit.Button
	said    *kit.Notice
}

const width float32 = 600

// New builds the screen.
func New(p Params) *Screen {
	f := &Screen{Params: p}
	setup := Setup{Draft: p.Draft}
	if p.Draft != (ServiceDraft{}) {
		setup.Stage = SetupTyping
	}
	f.form = NewForm(p.Actions, p.Workers, setup, p.Fixed, i18n.T("Continue"), true)
	f.said = kit.NewNotice(look.IconInfo, "", "", nil)
	f.said.Hide()
	f.sandbox = kit.NewButton(kit.Plain, i18n.T("Try it in the sandbox"), look.IconPlay, func() { f.form.Do(f.form.Setup.TrySandbox()) })
	what, promise := SetupWords()
	form := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, kit.NewLockedNote(promise), f.form.Root)
	f.inner = form
	trial := kit.NewCard(f.newTrial())
	card := kit.NewCard(form)
	for _, c := range []*kit.Card{card, trial} {
		c.SetPadding(5 * look.Space)
	}
	f.column = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, f.newHead(),
		kit.NewParagraph(what, kit.TextStyle{Color: look.ColorMuted}), f.said, card, trial)
	f.root = kit.NewScroll(container.New(kit.MiddleColumn{Width: width, Middle: true}, f.column))
	f.form.Changed = f.layOut
	scroll := f.root.Objects[0].(*container.Scroll)
	f.form.Reveal = func(o fyne.CanvasObject) { kit.RevealIn(scroll, o) }
	kit.RevealWhenReached(f.column, f.form.Reveal)
	kit.RevealWhenReached(form, f.form.Reveal)
	kit.RevealWhenReached(f.sandbox, f.form.Reveal)
	f.fill()
	return f
}

// newHead is the title, with the language beside it.
func (f *Screen) newHead() fyne.CanvasObject {
	title := kit.NewParagraph(i18n.T("Set up Assay"), kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold})
	codes, names := present.Languages()
	language := kit.NewSelect(kit.Plain, names, nil)
	language.Select(slices.Index(codes, i18n.Language()))
	language.OnChanged = func(i int) { f.SetLanguage(codes[i]) }
	return container.NewBorder(nil, nil, nil, container.NewCenter(language), title)
}

// newTrial is the card that offers the sandbox.
func (f *Screen) newTrial() fyne.CanvasObject {
	words := container.New(kit.Column{Gap: look.Space, Grow: -1},
		kit.NewParagraph(i18n.T("No key yet?"), kit.TextStyle{Weight: look.WeightBold}),
		kit.NewHint(i18n.T("The sandbox is a service inside this computer. It shows how Assay works, with classic forensic signals: it is not a deepfake detector. Nothing leaves this computer.")))
	if f.NoSandbox != "" {
		words.Add(kit.NewLockedNote(f.NoSandbox))
	}
	return container.New(kit.BesideButton{}, words, f.sandbox)
}

// Object is the screen's root.
func (f *Screen) Object() fyne.CanvasObject { return f.root }

// Focus moves the focus to the first control.
func (f *Screen) Focus() {
	if f.form.Address.Disabled() {
		f.form.focus(f.form.Key)
		return
	}
	f.form.focus(f.form.Address)
}

// Draft is what is filled in, for a screen that is built again.
func (f *Screen) Draft() ServiceDraft { return f.form.draft() }

// Say shows a sentence above the form, such as how many files are accepted once Assay is set up; "" shows none.
func (f *Screen) Say(sentence string) {
	f.said.SetText(sentence)
	kit.SetVisible(f.said, sentence != "")
	f.layOut()
}

// TypedKey handles a key without a character, and reports whether it means anything here.
func (f *Screen) TypedKey(e *fyne.KeyEvent) (taken bool) { return f.form.TypedKey(e) }

// Close stops the work under way; outcomes are not shown any more.
func (f *Screen) Close() { f.form.Stop() }

func (f *Screen) fill() {
	kit.SetEnabled(f.sandbox, f.NoSandbox == "" && !f.form.Setup.Busy() && !f.form.Setup.Asks())
}

// layOut makes room for what was shown or hidden.
func (f *Screen) layOut() {
	f.fill()
	kit.RelayoutTwice(f.root, f.inner)
}
