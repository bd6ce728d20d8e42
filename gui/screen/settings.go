package screen

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// SettingsParams are what the screen of the settings needs. What takes a ctx blocks and is called on Workers, all else on the UI
// thread and returns at once. Errors are shown in their own sentence, beside the control.
type SettingsParams struct {
	Workers *work.Workers // two at least
	Sheet   *kit.Sheet

	Settings func() present.Settings
	Origin   func(present.SettingKey) present.SettingOrigin
	// Change writes a change and carries it out. Changes are made one after another.
	Change func(ctx context.Context, do func(*present.Settings)) error

	// Service is what Assay works with, as it stands.
	Service func() present.ServiceNow
	ServiceDeeds
	Test      func(ctx context.Context) error // asks the present service with the kept key
	RemoveKey func(ctx context.Context) error
	ReloadKey func(ctx context.Context) error // asks the keychain for the key again

	// ProxyPassword says how it stands with the password of a proxy; SetProxyPassword keeps one, "" removes it.
	ProxyPassword    func(proxy string) present.KeyState
	SetProxyPassword func(ctx context.Context, proxy, password string) error

	ShowFolders func() // brings the watched folders to the front
	Desktop     func(ctx context.Context) present.DesktopReasons
	Storage     func(ctx context.Context) (present.Storage, error)
	Purge       func(ctx context.Context) (freed int64, err error)
	ShowInFiles func(path string)

	About       present.About
	Diagnostics func(ctx context.Context) (string, error)
	CrashReport func(ctx context.Context) (string, error) // its text, redacted
	Copy        func(text string)                         // to the clipboard
}

// Settings shows the settings, a section at a time. Each change applies at once.
type Settings struct {
	SettingsParams
	root     *fyne.Container
	main     *fyne.Container // what is said, and the page
	said     *kit.Notice
	list     *kit.SideList
	stack    *fyne.Container
	pages    []*settingsPage // by section; nil until it is shown first
	pending  []settingsChange
	changing bool
}

// settingsChange is a change that was made by hand and waits for its turn.
type settingsChange struct {
	do   func(*present.Settings)
	done func(err error)
}

// NewSettings builds the screen, without any section as yet.
func NewSettings(p SettingsParams) *Settings {
	s := &Settings{SettingsParams: p}
	names := present.SettingsSections()
	s.pages = make([]*settingsPage, len(names))
	s.list = kit.NewSideList(names, func(i int) { s.shown(present.SettingsSection(i)) })
	s.stack = container.NewStack()
	s.said = kit.NewNotice(look.IconInfo, "", i18n.T("Dismiss"), func() { s.Say("") })
	said := container.New(layout.NewCustomPaddedLayout(kit.PageEdge, 0, kit.PageEdge, kit.PageEdge), s.said)
	said.Hide()
	s.main = container.New(kit.Column{Gap: 0, Grow: 1}, said, s.stack)
	const edge = 4 * look.Space
	side := container.New(layout.NewCustomPaddedLayout(kit.PageEdge, edge, edge, 0), container.NewVBox(s.list))
	s.root = container.New(settingsLayout{}, side, s.main)
	return s
}

// Show is called when the screen comes into sight: its section is built then.
func (s *Settings) Show() {
	if section := s.Section(); s.pages[section] == nil {
		s.shown(section)
	}
}

// Object is the screen's root.
func (s *Settings) Object() fyne.CanvasObject { return s.root }

// Section is the one that is shown.
func (s *Settings) Section() present.SettingsSection {
	return present.SettingsSection(s.list.Selected())
}

// ShowSection shows a section.
func (s *Settings) ShowSection(section present.SettingsSection) { s.list.Select(int(section)) }

// shown brings a section's page to the front.
func (s *Settings) shown(section present.SettingsSection) {
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

func (s *Settings) newPage(section present.SettingsSection) *settingsPage {
	p := newSettingsPage(s)
	switch section {
	case present.SettingsService:
		newServicePage(p)
	case present.SettingsGates:
		fillGatesPage(p)
	case present.SettingsSending:
		fillSendingPage(p)
	case present.SettingsFolders:
		fillFoldersPage(p)
	case present.SettingsAppearance:
		fillAppearancePage(p)
	case present.SettingsNotifications:
		fillNotificationsPage(p)
	case present.SettingsDesktop:
		newDesktopPage(p)
	case present.SettingsNetwork:
		newNetworkPage(p)
	case present.SettingsStorage:
		newStoragePage(p)
	case present.SettingsAbout:
		newAboutPage(p)
	}
	return p
}

// Refresh shows the settings, the service and the key as they stand by now. What is being changed by hand stays as it is.
func (s *Settings) Refresh() {
	if s.changing || len(s.pending) > 0 {
		return // it is called again once that is done
	}
	for _, p := range s.pages {
		if p != nil {
			p.fill()
		}
	}
}

// change makes a change after those before it; done is told what came of it.
func (s *Settings) change(do func(*present.Settings), done func(err error)) {
	s.pending = append(s.pending, settingsChange{do, done})
	s.next()
}

func (s *Settings) next() {
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

// Focus gives the keyboard to the list of sections.
func (s *Settings) Focus() { s.focus(s.list) }

func (s *Settings) focus(o fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.root); c != nil {
		c.Focus(o)
	}
}

// Say shows a sentence above the sections, such as why a service could not be opened; "" shows none.
func (s *Settings) Say(sentence string) {
	s.said.SetText(sentence)
	kit.SetVisible(s.main.Objects[0], sentence != "")
	kit.RelayoutTwice(s.main)
}

// TypedKey does what a key without a character means here, and reports whether it means anything.
func (s *Settings) TypedKey(e *fyne.KeyEvent) (taken bool) {
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

// TypedRune does what a character means here, and reports whether it means anything: none does.
func (s *Settings) TypedRune(rune) (taken bool) { return false }

// Shortcuts are the keys of the screen.
func (s *Settings) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: i18n.T("Up, down"), Does: i18n.T("Choose a section, or a value")},
		{Keys: i18n.T("Esc"), Does: i18n.T("Back to the list of sections")},
	}
}

// Close stops what is under way, but for changes; its answers are not shown any more.
func (s *Settings) Close() {
	for _, p := range s.pages {
		if p != nil {
			p.stop()
		}
	}
}

// settingsLayout lays the list of sections at the left of their page.
type settingsLayout struct{}

const settingsListWidth float32 = 210

// Layout implements fyne.Layout.
func (settingsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left := max(settingsListWidth, objects[0].MinSize().Width)
	kit.PlaceAt(objects[0], 0, 0, left, size.Height)
	kit.PlaceAt(objects[1], left, 0, max(0, size.Width-left), size.Height)
}

// MinSize implements fyne.Layout.
func (settingsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(max(settingsListWidth, objects[0].MinSize().Width)+360, 300)
}
