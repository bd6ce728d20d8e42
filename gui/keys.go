package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// addShortcuts makes everything reachable by keyboard.
func (a *app) addShortcuts() {
	c := a.window.Canvas()
	for key, act := range map[fyne.KeyName]func(){
		fyne.Key1: func() { a.rail.Select(inboxScreen) },
		fyne.Key2: func() { a.rail.Select(resultsScreen) },
		fyne.KeyO: a.choose,
	} {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) { act() })
	}
	c.AddShortcut(&fyne.ShortcutSelectAll{}, func(fyne.Shortcut) { a.selectAll() })
	c.SetOnTypedRune(a.typedRune)
	c.SetOnTypedKey(a.typedKey)
}

func (a *app) typedRune(r rune) {
	switch a.rail.Selected() {
	case inboxScreen:
		a.inbox.TypedRune(r)
		return
	case resultsScreen:
		if a.results.TypedRune(r) {
			return
		}
	}
	switch r {
	case 'o', 'O':
		a.viewer.ToggleOverlay()
	case '[':
		a.viewer.ChangeOpacity(-1)
	case ']':
		a.viewer.ChangeOpacity(1)
	}
}

func (a *app) typedKey(e *fyne.KeyEvent) {
	switch a.rail.Selected() {
	case inboxScreen:
		a.inbox.TypedKey(e)
	case resultsScreen:
		a.results.TypedKey(e)
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
