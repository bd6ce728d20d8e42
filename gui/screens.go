package gui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
)

// addShortcuts makes everything reachable by keyboard. Those of an app that is left mean nothing, whatever the canvas still holds.
func (a *app) addShortcuts() {
	c := a.window.Canvas()
	add := func(shortcut fyne.Shortcut, act func()) {
		c.AddShortcut(shortcut, func(fyne.Shortcut) {
			if !a.stopped && !a.sheet.Open() && !a.covered() {
				act()
			}
		})
	}
	for key, act := range map[fyne.KeyName]func(){
		fyne.Key1:     func() { a.rail.Select(inboxScreen) },
		fyne.Key2:     func() { a.rail.Select(resultsScreen) },
		fyne.Key3:     func() { a.rail.Select(foldersScreen) },
		fyne.Key4:     func() { a.rail.Select(settingsScreen) },
		fyne.KeyComma: func() { a.rail.Select(settingsScreen) },
		fyne.KeyN:     a.addFolder,
		fyne.KeyO:     a.choose,
	} {
		add(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}, act)
	}
	add(&fyne.ShortcutSelectAll{}, a.selectAll)
	add(&fyne.ShortcutPaste{}, a.paste)
	c.SetOnTypedRune(a.typedRune)
	c.SetOnTypedKey(a.typedKey)
}

func (a *app) typedRune(r rune) {
	switch {
	case a.stopped:
	case a.sheet.Open():
		a.sheet.TypedRune(r)
	case a.covered():
	case r == '?':
		a.showShortcuts()
	case a.rail.Selected() == inboxScreen:
		a.inbox.TypedRune(r)
	case a.rail.Selected() == foldersScreen:
		a.folders.TypedRune(r)
	case a.rail.Selected() == settingsScreen:
		a.settings.TypedRune(r)
	case r >= '1' && r <= '9' && !a.results.Selecting():
		a.viewer.TypedRune(r)
	case !a.results.TypedRune(r):
		a.viewer.TypedRune(r)
	}
}

func (a *app) typedKey(e *fyne.KeyEvent) {
	switch {
	case a.stopped:
	case a.sheet.Open():
		a.sheet.TypedKey(e)
	case a.covered():
		if e.Name == fyne.KeyEscape {
			dismissDialog(a.window)
		}
	case a.rail.Selected() == inboxScreen:
		a.inbox.TypedKey(e)
	case a.rail.Selected() == foldersScreen:
		a.folders.TypedKey(e)
	case a.rail.Selected() == settingsScreen:
		a.settings.TypedKey(e)
	case !a.results.TypedKey(e):
		a.viewer.TypedKey(e)
	}
}

// covered reports whether something of the toolkit's lies over the screens, such as a dialog for files. What is typed while nothing in it
// has the keyboard comes to the window, and is not meant for what lies below.
func (a *app) covered() bool { return a.window.Canvas().Overlays().Top() != nil }

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
	keys := func(names ...string) string {
		for i := range names {
			names[i] = kit.Shortcut(names[i])
		}
		return strings.Join(names, ", ")
	}
	window := kit.ShortcutGroup{Title: i18n.T("Everywhere"), Rows: []present.Shortcut{
		{Keys: keys("1", "2", "3"), Does: i18n.T("Inbox, results, folders")},
		{Keys: keys("4", ","), Does: i18n.T("Settings")},
		{Keys: keys("O"), Does: i18n.T("Choose a file")},
		{Keys: keys("V"), Does: i18n.T("Paste a picture, files or links")},
		{Keys: keys("N"), Does: i18n.T("Watch a folder")},
		{Keys: "?", Does: i18n.T("These keys")},
		{Keys: i18n.T("Esc"), Does: i18n.T("Close what is open")},
	}}
	var groups []kit.ShortcutGroup
	switch a.rail.Selected() {
	case inboxScreen:
		groups = []kit.ShortcutGroup{window, {Title: i18n.T("Inbox"), Rows: a.inbox.Shortcuts()}}
	case foldersScreen:
		groups = []kit.ShortcutGroup{window, {Title: i18n.T("Folders"), Rows: a.folders.Shortcuts()}}
	case settingsScreen:
		groups = []kit.ShortcutGroup{window, {Title: i18n.T("Settings"), Rows: a.settings.Shortcuts()}}
	default:
		groups = []kit.ShortcutGroup{{Title: i18n.T("Viewer"), Rows: a.viewer.Shortcuts()}, window, {Title: i18n.T("List"), Rows: a.results.Shortcuts()}}
	}
	kit.ShowShortcuts(a.sheet, groups)
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
