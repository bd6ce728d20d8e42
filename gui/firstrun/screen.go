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

	// AsksFirst says whether files and links wait for the person, FixedGate why that can't be changed, "" where it can be. SetAsksFirst changes it.
	AsksFirst    bool
	FixedGate    string
	SetAsksFirst func(asks bool)

	// TextSizes are the words of the sizes, TextSize the index of the present one, -1 if it can't be changed. SetTextSize changes it.
	TextSizes   []string
	TextSize    int
	SetTextSize func(i int)
}

// Screen asks for a service, or offers the sandbox. Nothing is sent before the person asks for it.
type Screen struct {
	Params
	root    *fyne.Container
	inner   []*fyne.Container // inside cards
	form    *Form
	sandbox *kit.Button
	said    *kit.Notice
	asks    *kit.Check
	gate    *kit.Paragraph
	means   *kit.Paragraph
}

const width float32 = 896

// New builds the screen.
func New(p Params) *Screen {
	f := &Screen{Params: p}
	setup := Setup{Draft: p.Draft}
	if p.Draft != (ServiceDraft{}) {
		setup.Stage = SetupTyping
	}
	f.form = NewForm(p.Actions, p.Workers, setup, p.Fixed, i18n.T("Start"), true)
	f.said = kit.NewNotice(look.IconInfo, "", "", nil)
	f.said.Hide()
	f.sandbox = kit.NewButton(kit.Plain, i18n.T("Try it in the sandbox"), look.IconPlay, func() { f.form.Do(f.form.Setup.TrySandbox()) })
	what, promise := SetupWords()
	head := container.New(kit.Column{Gap: look.Space, Grow: -1},
		kit.NewParagraph(i18n.T("Welcome to Assay"), kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold}),
		kit.NewParagraph(what, kit.TextStyle{Color: look.ColorMuted}))
	service := f.newService(promise)
	trial := f.newTrial()
	f.inner = []*fyne.Container{service, trial, f.form.network.content}
	aside := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, padded(trial), f.said) // what is said lies where nothing is below it
	columns := container.New(columns{}, padded(service), aside)
	page := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, head, columns, f.newFooter(), f.form.network.card)
	f.root = kit.NewScroll(container.New(kit.MiddleColumn{Width: width}, page))
	f.form.Changed = f.layOut
	scroll := f.root.Objects[0].(*container.Scroll)
	f.form.Reveal = func(o fyne.CanvasObject) { kit.RevealIn(scroll, o) }
	kit.RevealWhenReached(page, f.form.Reveal)
	for _, inner := range f.inner {
		kit.RevealWhenReached(inner, f.form.Reveal)
	}
	f.fill()
	return f
}

func padded(content fyne.CanvasObject) *kit.Card {
	card := kit.NewCard(content)
	card.SetPadding(5 * look.Space)
	return card
}

// newService is the form, what happens to files, and the button that begins.
func (f *Screen) newService(promise string) *fyne.Container {
	f.gate, f.means = kit.NewParagraph("", kit.TextStyle{Weight: look.WeightBold}), kit.NewHint("")
	f.asks = kit.NewCheck(i18n.T("Ask me first"), func(asks bool) {
		f.AsksFirst = asks
		f.SetAsksFirst(asks)
		f.layOut()
	})
	f.asks.SetChecked(f.AsksFirst)
	kit.SetEnabled(f.asks, f.FixedGate == "")
	words := container.New(kit.AtLeast(gateRoom), container.New(kit.Column{Gap: look.Space, Grow: -1}, f.gate, f.means))
	column := container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		container.New(kit.Column{Gap: look.Space, Grow: -1},
			kit.NewParagraph(i18n.T("Connect to your service"), kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}), kit.NewHint(promise)),
		f.form.Root, kit.NewLine(), container.New(kit.BesideButton{}, words, f.asks))
	if f.FixedGate != "" {
		column.Add(kit.NewLockedNote(f.FixedGate))
	}
	column.Add(container.New(kit.AtLeast(look.ControlHeight),
		container.New(kit.BesideButton{}, kit.NewHint(i18n.T("You can change all of this later.")), f.form.use)))
	return column
}

// gateRoom is the height of the longer words about what is sent.
const gateRoom float32 = 14 * look.Space

// newFooter has what few people need: the network, the language, the text size.
func (f *Screen) newFooter() fyne.CanvasObject {
	codes, names := present.Languages()
	language := kit.NewSelect(kit.Bare, names, nil)
	language.Select(slices.Index(codes, i18n.Language()))
	language.OnChanged = func(i int) { f.SetLanguage(codes[i]) }
	ways := container.New(&kit.ButtonRows{Left: true}, container.NewHBox(f.form.network.fold), language)
	if f.TextSize >= 0 && len(f.TextSizes) > 0 {
		names := make([]string, len(f.TextSizes))
		for i, size := range f.TextSizes {
			names[i] = i18n.F("Text size: %s", size)
		}
		sizes := kit.NewSelect(kit.Bare, names, nil)
		sizes.Select(f.TextSize)
		sizes.OnChanged = func(i int) { f.SetTextSize(i) }
		ways.Add(sizes)
	}
	return ways
}

// newTrial offers the sandbox.
func (f *Screen) newTrial() *fyne.Container {
	words := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1},
		container.NewHBox(kit.NewRoundIcon(look.IconPlay, 40)),
		kit.NewParagraph(i18n.T("No service yet?"), kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}),
		kit.NewParagraph(i18n.T("Try everything with a small service inside Assay. You need no key, and nothing leaves this computer."), kit.TextStyle{}),
		container.New(&kit.Flow{}, f.sandbox), kit.NewLine(), kit.NewHint(i18n.T(present.SandboxNote)))
	if f.NoSandbox != "" {
		words.Add(kit.NewLockedNote(f.NoSandbox))
	}
	return words
}

// columns lays the form out beside the sandbox, or above it where there is no width for both.
type columns struct{}

const (
	columnGap   = 4 * look.Space
	asideWidth  = 300
	narrowWidth = 700
)

// Layout implements fyne.Layout.
func (columns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if size.Width < narrowWidth {
		high := kit.WrappedHeight(objects[0], size.Width)
		kit.PlaceAt(objects[0], 0, 0, size.Width, high)
		kit.PlaceAt(objects[1], 0, high+columnGap, size.Width, kit.WrappedHeight(objects[1], size.Width))
		return
	}
	left := size.Width - asideWidth - columnGap
	kit.PlaceAt(objects[0], 0, 0, left, kit.WrappedHeight(objects[0], left))
	kit.PlaceAt(objects[1], left+columnGap, 0, asideWidth, kit.WrappedHeight(objects[1], asideWidth))
}

// MinSize implements fyne.Layout. The height is that of the last layout's width.
func (columns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	high := max(a.Height, b.Height)
	if objects[1].Position().X == 0 {
		high = a.Height + columnGap + b.Height
	}
	return fyne.NewSize(max(a.Width, b.Width), high)
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

// Say shows a sentence beside the form, such as how many files are accepted once Assay is set up; "" shows none.
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
	title, means := GateWords(f.AsksFirst)
	f.gate.SetText(title)
	f.means.SetText(means)
}

// layOut makes room for what was shown or hidden.
func (f *Screen) layOut() {
	f.fill()
	kit.RelayoutTwice(f.root, f.inner...)
}
