package gui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/screens"
)

// screen is one of screens.All, as built. A field that it does not need is nil.
type screen struct {
	object    fyne.CanvasObject
	typedRune func(r rune)
	typedKey  func(e *fyne.KeyEvent)
	groups    func(everywhere kit.ShortcutGroup) []kit.ShortcutGroup // for the list of keys
	selectAll func()                                                 // selects every row
	report    func()                                                 // makes a report of what is selected or shown
	remove    func()                                                 // removes what is selected, or what the cursor is at
	pause     func()                                                 // pauses that, or lets it go on
	retry     func()                                                 // tries that again
	shown     func()                                                 // called when it has come to the front
	say       func(sentence string)
}

// front is the screen that is in front.
func (a *app) front() screen { return a.screens[a.rail.Selected()] }

// show brings one screen to the front.
func (a *app) show(i screens.ID) {
	a.window.Canvas().Unfocus() // what is out of sight takes no keys
	if i != screens.Results {
		a.viewer.Leave()
		a.compared.Leave()
	}
	for n, s := range a.screens {
		kit.SetVisible(s.object, n == i)
	}
	a.cases.Look()
	a.showUpdate()
	kit.SetVisible(a.results.Object(), i == screens.Results && !a.comparing) // within its screen: it reads nothing while it is out of sight
	if shown := a.screens[i].shown; shown != nil {
		shown()
	}
}

// addShortcuts adds the keyboard shortcuts. Those of an app that has stopped do nothing, even if the canvas still has them.
func (a *app) addShortcuts() {
	c := a.window.Canvas()
	add := func(shortcut fyne.Shortcut, act func()) {
		c.AddShortcut(shortcut, func(fyne.Shortcut) {
			if !a.stopped && !a.sheet.Open() && !a.covered() {
				act()
			}
		})
	}
	withModifier := func(key fyne.KeyName, act func()) {
		add(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}, act)
	}
	for i, s := range screens.All {
		for _, key := range s.Keys {
			withModifier(key, func() { a.rail.Select(i) })
		}
	}
	withModifier(fyne.KeyN, a.addFolder)
	withModifier(fyne.KeyO, a.choose)
	add(&fyne.ShortcutSelectAll{}, func() {
		if selectAll := a.front().selectAll; selectAll != nil {
			selectAll()
		}
	})
	for key, does := range map[fyne.KeyName]func(s screen) func(){
		fyne.KeyE:         func(s screen) func() { return s.report },
		fyne.KeyDelete:    func(s screen) func() { return s.remove },
		fyne.KeyBackspace: func(s screen) func() { return s.remove },
		fyne.KeyP:         func(s screen) func() { return s.pause },
		fyne.KeyR:         func(s screen) func() { return s.retry },
	} {
		withModifier(key, func() {
			if act := does(a.front()); act != nil {
				act()
			}
		})
	}
	add(&fyne.ShortcutUndo{}, a.undo.Undo)
	add(&fyne.ShortcutPaste{}, a.paste)
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyEnter} {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) {
			if !a.stopped && a.sheet.Foremost() {
				a.review.sheet.SendCopy()
			}
		})
	}
	c.AddShortcut(&coverKey, func(fyne.Shortcut) { // whatever else is open
		if !a.stopped {
			a.cover.toggle()
		}
	})
	c.SetOnTypedRune(a.typedRune)
	c.SetOnTypedKey(a.typedKey)
	if d, ok := c.(desktop.Canvas); ok {
		d.SetOnKeyDown(func(*fyne.KeyEvent) {
			kit.KeyboardUsed()
			a.viewer.Woken()
		})
	}
}

func (a *app) typedRune(r rune) {
	switch {
	case a.stopped:
	case a.sheet.Foremost():
		a.sheet.TypedRune(r)
	case a.covered():
	case r == '?':
		a.showShortcuts()
	default:
		a.front().typedRune(r)
	}
}

func (a *app) typedKey(e *fyne.KeyEvent) {
	switch {
	case a.stopped:
	case a.cover.layer != nil: // a stray key uncovers nothing
	case a.sheet.Foremost():
		a.sheet.TypedKey(e)
	case a.covered():
		if e.Name == fyne.KeyEscape {
			dismissDialog(a.window)
		}
	default:
		a.front().typedKey(e)
	}
}

// covered reports whether something of the toolkit's is over the screens, such as a dialog for files. A key that nothing in it takes comes to the
// window, and is not meant for the screen below.
func (a *app) covered() bool { return a.window.Canvas().Overlays().Top() != nil }

// addFolder asks for a folder to watch.
func (a *app) addFolder() {
	a.rail.Select(screens.Folders)
	a.folders.Add()
}

// withOwn are a screen's own keys after those that work everywhere.
func withOwn(title string, own func() []present.Shortcut) func(kit.ShortcutGroup) []kit.ShortcutGroup {
	return func(everywhere kit.ShortcutGroup) []kit.ShortcutGroup {
		return []kit.ShortcutGroup{everywhere, {Title: title, Rows: own()}}
	}
}

// showShortcuts lists the keys that work on the screen in front.
func (a *app) showShortcuts() {
	keys := func(names ...string) string {
		for i := range names {
			names[i] = kit.Shortcut(names[i])
		}
		return strings.Join(names, ", ")
	}
	everywhere := kit.ShortcutGroup{Title: i18n.T("Everywhere"), Rows: []present.Shortcut{
		{Keys: keys("1", "2", "3", "4"), Does: i18n.T("Inbox, results, cases, folders")},
		{Keys: keys("5", ","), Does: i18n.T("Settings")},
		{Keys: keys("O"), Does: i18n.T("Choose a file")},
		{Keys: keys("V"), Does: i18n.T("Paste a picture, files or links")},
		{Keys: keys("N"), Does: i18n.T("Watch a folder")},
		{Keys: keys("Z"), Does: i18n.T("Undo, within five seconds")},
		{Keys: coverKeyName(), Does: i18n.T("Cover everything at once")},
		{Keys: "?", Does: i18n.T("These keys")},
		{Keys: i18n.T("Esc"), Does: i18n.T("Close what is open")},
	}}
	kit.ShowShortcuts(a.sheet, a.front().groups(everywhere))
}

// sayInFront shows a sentence on the screen in front, or in the inbox if that screen has no place for one.
func (a *app) sayInFront(sentence string) {
	if say := a.front().say; say != nil {
		say(sentence)
		return
	}
	a.inbox.Say(sentence)
}

// beside lays out two objects: the second at the right, with its own width and no gap.
type beside struct {
	rail   *kit.Rail
	window fyne.Window
}

// narrowBelow is the width of a window in which the rail shows its icons alone, such as one of 1280 pixels at a text size of 200 %.
const narrowBelow float32 = 720

// Layout implements fyne.Layout.
func (b beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	b.rail.SetNarrow(b.window.Canvas().Size().Width < narrowBelow) // not that of the content, which may be wider and scroll
	left := objects[0].MinSize().Width
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(left, size.Height))
	objects[1].Move(fyne.NewPos(left, 0))
	objects[1].Resize(fyne.NewSize(size.Width-left, size.Height))
}

// MinSize implements fyne.Layout.
func (beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(a.Width+b.Width, max(a.Height, b.Height))
}
