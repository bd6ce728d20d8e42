// Package settings is the screen of the settings, a page for each section, and its view model (model*.go, which do not use the toolkit). It is built
// from gui/kit and the form of gui/firstrun; its exported methods run on the UI thread, and none of them blocks.
package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/gui/firstrun"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Params are what the screen of the settings needs. Functions with a ctx block and are called on Workers, all others on the UI thread and return at
// once. Errors are shown beside the control, by their own sentence.
type Params struct {
	Workers *work.Workers // at least two
	Sheet   *kit.Sheet

	Settings func() config.Settings
	Origin   func(config.Key) config.Origin
	// Change makes a change and applies it. Changes are made one after another.
	Change func(ctx context.Context, do func(*config.Settings)) error

	// Service is the service in use, in its present state.
	Service func() ServiceNow
	firstrun.Actions
	Test      func(ctx context.Context) error // tests the service in use with the kept key
	RemoveKey func(ctx context.Context) error
	ReloadKey func(ctx context.Context) error // reads the key from the keychain again

	// ProxyPassword is the status of a proxy's password; SetProxyPassword keeps one, "" removes it.
	ProxyPassword    func(proxy string) keys.Status
	SetProxyPassword func(ctx context.Context, proxy, password string) error

	ShowFolders func() // shows the screen of the watched folders
	Desktop     func(ctx context.Context) DesktopReasons
	Storage     func(ctx context.Context) (Storage, error)
	Purge       func(ctx context.Context) (freed int64, err error)
	ShowInFiles func(path string)

	// Fingerprint is that of the key that seals bundles; ErrNoSigningKey where there is none yet. RotateKey replaces the key, and returns the new one's.
	Fingerprint func(ctx context.Context) (string, error)
	RotateKey   func(ctx context.Context) (string, error)

	Desk Desk

	About       About
	Updates     *Updates // nil where the system updates Assay
	Diagnostics func(ctx context.Context) (string, error)
	CrashReport func(ctx context.Context) (string, error) // its text, redacted
	Copy        func(text string)                         // to the clipboard
}

// Screen shows the settings, a section at a time. Each change holds at once.
type Screen struct {
	Params
	root     *fyne.Container
	main     *fyne.Container // the notice, and the page
	said     *kit.Notice
	list     *kit.SideList
	menu     *kit.Select // the list's place in a narrow window
	stack    *fyne.Container
	pages    []*page // by section; nil until it is first shown
	pending  []change
	changing bool
}

// change is a change of the person's that waits for earlier ones.
type change struct {
	do   func(*config.Settings)
	done func(err error)
}

// New builds the screen; its sections are built when they are shown.
func New(p Params) *Screen {
	s := &Screen{Params: p}
	names := SectionNames()
	s.pages = make([]*page, len(names))
	s.list = kit.NewSideList(names, func(i int) {
		s.menu.Select(i)
		s.shown(Section(i))
	})
	s.menu = kit.NewSelect(kit.Plain, names, func(i int) { s.list.Select(i) })
	s.menu.SetName(i18n.T("Settings"))
	s.stack = container.NewStack()
	s.said = kit.NewNotice(look.IconInfo, "", i18n.T("Dismiss"), func() { s.Say("") })
	said := container.New(layout.NewCustomPaddedLayout(kit.PageEdge, 0, kit.PageEdge, kit.PageEdge), s.said)
	said.Hide()
	menu := container.New(layout.NewCustomPaddedLayout(4*look.Space, 0, kit.PageEdge, kit.PageEdge), s.menu)
	s.main = container.New(kit.Column{Gap: 0, Grow: 2}, menu, said, s.stack)
	const edge = 4 * look.Space
	side := container.New(layout.NewCustomPaddedLayout(kit.PageEdge, edge, edge, 0), container.NewVBox(s.list))
	s.root = container.New(screenLayout{menu}, side, s.main)
	return s
}

// Show is called when the screen is shown: its section is built then.
func (s *Screen) Show() {
	if section := s.Section(); s.pages[section] == nil {
		s.shown(section)
	}
}

// Object is the screen's root.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Section is the section that is shown.
func (s *Screen) Section() Section {
	return Section(s.list.Selected())
}

// ShowSection shows a section.
func (s *Screen) ShowSection(section Section) { s.list.Select(int(section)) }

// shown shows a section's page.
func (s *Screen) shown(section Section) {
	if s.pages[section] == nil {
		s.pages[section] = s.newPage(section)
		s.stack.Add(s.pages[section].root)
	}
	for i, p := range s.pages {
		if p != nil {
			kit.SetVisible(p.root, i == int(section))
		}
	}
	s.pages[section].fill()
	if opened := s.pages[section].opened; opened != nil {
		opened()
	}
}

func (s *Screen) newPage(section Section) *page {
	p := newPage(s, SectionNames()[section])
	switch section {
	case SectionService:
		newServicePage(p)
	case SectionSending:
		fillSendingPage(p)
	case SectionAppearance:
		fillAppearancePage(p)
	case SectionDesktop:
		newDesktopPage(p)
	case SectionNetwork:
		newNetworkPage(p)
	case SectionStorage:
		newStoragePage(p)
	case SectionEvidence:
		newEvidencePage(p)
	case SectionDesk:
		newDeskPage(p)
	case SectionAbout:
		newAboutPage(p)
	}
	return p
}

// Refresh shows the present settings, service and key. What the person is changing stays as it is.
func (s *Screen) Refresh() {
	if s.changing || len(s.pending) > 0 {
		return // it is called again afterwards
	}
	for _, p := range s.pages {
		if p != nil {
			p.fill()
		}
	}
}

// DeskChanged reads again how it is at the desk, if that is the section in front.
func (s *Screen) DeskChanged() {
	if p := s.pages[s.Section()]; p != nil && s.Section() == SectionDesk {
		p.opened()
	}
}

// change makes a change after those before it; done gets the outcome.
func (s *Screen) change(do func(*config.Settings), done func(err error)) {
	s.pending = append(s.pending, change{do, done})
	s.next()
}

func (s *Screen) next() {
	if s.changing || len(s.pending) == 0 {
		return
	}
	c := s.pending[0]
	s.pending = s.pending[1:]
	s.changing = true
	s.Workers.Do(func(ctx context.Context) func() {
		err := s.Change(ctx, c.do)
		return func() {
			s.changing = false
			c.done(err)
			s.Refresh()
			s.next()
		}
	})
}

// Focus moves the focus to the list of sections.
func (s *Screen) Focus() {
	if s.root.Objects[0].Visible() {
		s.focus(s.list)
		return
	}
	s.focus(s.menu)
}

func (s *Screen) focus(o fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.root); c != nil {
		c.Focus(o)
	}
}

// Say shows a sentence above the sections, such as why a service could not be opened; "" shows none.
func (s *Screen) Say(sentence string) {
	s.said.SetText(sentence)
	kit.SetVisible(s.main.Objects[1], sentence != "")
	kit.RelayoutTwice(s.main)
}

// TypedKey handles a key without a character, and reports whether it means anything here.
func (s *Screen) TypedKey(e *fyne.KeyEvent) (taken bool) {
	if p := s.pages[s.Section()]; p != nil && p.typedKey != nil && p.typedKey(e) {
		return true
	}
	if e.Name == fyne.KeyEscape {
		s.Say("")
		s.Focus()
		return true
	}
	return false
}

// TypedRune handles a character, and reports whether it means anything here: none does.
func (s *Screen) TypedRune(rune) (taken bool) { return false }

// Shortcuts are the keys of the screen.
func (s *Screen) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: i18n.T("Up, down"), Does: i18n.T("Choose a section, or a value")},
		{Keys: i18n.T("Esc"), Does: i18n.T("Back to the list of sections")},
	}
}

// Close stops the work under way, except changes; outcomes are not shown any more.
func (s *Screen) Close() {
	for _, p := range s.pages {
		if p != nil {
			p.stop()
		}
	}
}

// screenLayout lays the list of sections at the left of their page, as wide as its words where the page has little room. Where the page would have too
// little, a menu above it takes the list's place.
type screenLayout struct{ menu fyne.CanvasObject }

const (
	listWidth float32 = 210
	pageRoom  float32 = 440
	pageLeast float32 = 360
	screenLow float32 = 260 // a window of 600 pixels at a text size of 200 %, with a line of the system's
)

// Layout implements fyne.Layout.
func (l screenLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left := max(min(listWidth, size.Width-pageRoom), objects[0].MinSize().Width)
	narrow := size.Width < left+pageLeast
	kit.SetVisible(objects[0], !narrow)
	kit.SetVisible(l.menu, narrow)
	if narrow {
		left = 0
	}
	kit.PlaceAt(objects[0], 0, 0, left, size.Height)
	kit.PlaceAt(objects[1], left, 0, max(0, size.Width-left), size.Height)
}

// MinSize implements fyne.Layout.
func (screenLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[1].MinSize().Width, screenLow)
}
