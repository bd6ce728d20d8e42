package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/gui/part"
	"assay/gui/present"
	"assay/gui/screen"
)

// addShortcuts makes everything reachable by keyboard.
func (a *app) addShortcuts() {
	c := a.window.Canvas()
	for key, act := range map[fyne.KeyName]func(){
		fyne.Key1: func() { a.rail.Select(inboxScreen) },
		fyne.Key2: func() { a.rail.Select(resultsScreen) },
		fyne.Key3: func() { a.rail.Select(foldersScreen) },
		fyne.KeyN: a.addFolder,
		fyne.KeyO: a.choose,
	} {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) { act() })
	}
	c.AddShortcut(&fyne.ShortcutSelectAll{}, func(fyne.Shortcut) { a.selectAll() })
	c.SetOnTypedRune(a.typedRune)
	c.SetOnTypedKey(a.typedKey)
}

func (a *app) typedRune(r rune) {
	switch {
	case r == '?':
		a.showShortcuts()
	case a.sheet.Open():
	case a.rail.Selected() == inboxScreen:
		a.inbox.TypedRune(r)
	case a.rail.Selected() == foldersScreen:
		a.folders.TypedRune(r)
	case r >= '1' && r <= '9' && !a.results.Selecting():
		a.viewer.TypedRune(r)
	case !a.results.TypedRune(r):
		a.viewer.TypedRune(r)
	}
}

func (a *app) typedKey(e *fyne.KeyEvent) {
	switch {
	case a.sheet.Open():
		if e.Name == fyne.KeyEscape {
			a.sheet.Close()
		}
	case a.rail.Selected() == inboxScreen:
		a.inbox.TypedKey(e)
	case a.rail.Selected() == foldersScreen:
		a.folders.TypedKey(e)
	case !a.results.TypedKey(e):
		a.viewer.TypedKey(e)
	}
}

// viewerFirst has the viewer take the keys that play and seek, and that which closes what is open in it, before the list does.
func (a *app) viewerFirst(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyLeft, fyne.KeyRight, fyne.KeyEscape:
		return a.viewer.TypedKey(e)
	}
	return false
}

// addFolder asks for a folder to watch.
func (a *app) addFolder() {
	a.rail.Select(foldersScreen)
	a.folders.Add()
}

// showShortcuts lists the keys that stand for something in the screen in front.
func (a *app) showShortcuts() {
	window := screen.ShortcutGroup{Title: "Everywhere", Rows: []present.Shortcut{
		{Keys: part.Shortcut("1") + ", " + part.Shortcut("2") + ", " + part.Shortcut("3"), Does: "Inbox, results, folders"},
		{Keys: part.Shortcut("O"), Does: "Choose a file"},
		{Keys: part.Shortcut("N"), Does: "Watch a folder"},
		{Keys: "?", Does: "These keys"},
		{Keys: "Esc", Does: "Close what is open"},
	}}
	switch a.rail.Selected() {
	case inboxScreen:
		a.sheet.Show([]screen.ShortcutGroup{window, {Title: "Inbox", Rows: a.inbox.Shortcuts()}})
	case foldersScreen:
		a.sheet.Show([]screen.ShortcutGroup{window, {Title: "Folders", Rows: a.folders.Shortcuts()}})
	default:
		a.sheet.Show([]screen.ShortcutGroup{{Title: "Viewer", Rows: a.viewer.Shortcuts()}, window, {Title: "List", Rows: a.results.Shortcuts()}})
	}
}

// selectAll selects every row of the screen in front.
func (a *app) selectAll() {
	switch a.rail.Selected() {
	case inboxScreen:
		a.inbox.SelectAll()
	case resultsScreen:
		a.results.SelectAll()
	}
}
