package gui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/media/sound/soundtest"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/screens"
	"assay/gui/settings"
)

// unnamed collects what takes the focus and has no name that a screen reader could read: by its type, where it was seen first.
type unnamed map[string]string

// look adds those of what is in front.
func (u unnamed) look(where string, in fyne.CanvasObject) {
	guitest.Walk(in, func(o fyne.CanvasObject) bool {
		if _, takes := o.(fyne.Focusable); !takes {
			return true
		}
		name := ""
		if named, is := o.(fyne.Accessible); is {
			name = named.AccessibilityLabel()
		}
		if kind := fmt.Sprintf("%T", o); strings.TrimSpace(name) == "" && u[kind] == "" {
			u[kind] = fmt.Sprintf("%s, where it shows %.200q", where, guitest.Seen(o))
		}
		return true
	})
}

func (u unnamed) report(t *testing.T) {
	t.Helper()
	for kind, where := range u {
		t.Errorf("a %s has no name: %s", kind, where)
	}
}

// TestWhatTakesTheFocusHasAName walks every screen and sheet: whatever takes the keyboard focus has a name for screen readers.
func TestWhatTakesTheFocusHasAName(t *testing.T) {
	d, found := setup(t), unnamed{}
	front := func(where string) { found.look(where, d.top()) }
	// sheet opens one by a key, looks at it and closes it.
	sheet := func(where string, open func()) {
		t.Helper()
		open()
		d.Until(where+" is open", func() bool { return d.window.Canvas().Overlays().Top() != nil })
		front(where)
		d.closeAll()
	}
	key := func(r rune) func() { return func() { d.typedRune(r) } }
	for id, s := range screens.All {
		d.rail.Select(id)
		front("the empty " + string(s.Title))
	}

	folder := t.TempDir()
	text, voice := filepath.Join(folder, "statement.txt"), filepath.Join(folder, "voice.wav")
	assert.NoError(t, os.WriteFile(text, []byte(strings.Repeat("The harbour was closed on Sunday, and nobody was told. ", 30)), 0o600))
	assert.NoError(t, os.WriteFile(voice, soundtest.Mono(16_000, soundtest.Tone(16_000, 220, 3, 0.3)...), 0o600))
	files := []string{text, voice, absolutePicture(t, "generated.png"), absolutePicture(t, "mountains-spliced.jpg")}
	d.drop(files...)
	d.Until("all are answered", func() bool { return len(d.listed()) == len(files) })
	again := d.listed()[0].ID
	heldFile(t, d, "held")
	d.rail.Select(screens.Inbox)
	d.Until("the inbox has them", func() bool { return len(d.inbox.Rows()) > len(files) })
	front("the inbox")
	sheet("what is asked before sending", func() { d.act([]string{"held"}, present.Approve) })
	d.front().selectAll()
	front("the inbox with a selection")

	d.showResults()
	for range files {
		d.Until("a result is shown", func() bool {
			return guitest.ButtonIn(d.viewer.Object(), "Add a note…") != nil && guitest.Reads(d.viewer.Object(), "Agree")
		})
		where := "the viewer of " + d.viewer.Shown()
		front(where)
		for _, tabs := range guitest.InSight[*kit.Tabs](d.viewer.Object()) {
			for i := range tabs.Options() {
				tabs.Select(i)
				front(where + ", " + tabs.Options()[i])
			}
		}
		guitest.ButtonIn(d.viewer.Object(), "Add a note…").Tapped(nil)
		front(where + ", a note")
		d.window.Canvas().Unfocus()
		d.press("Other…")
		front(where + ", other judgements")
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		d.typedRune('j')
	}
	sheet("the keys", key('?'))
	sheet("a report", d.front().report)
	sheet("adding to a case", key('c'))
	d.front().selectAll()
	front("the results with a selection")
	d.scanAgain([]string{again})
	d.Until("it is answered again", func() bool { return len(d.listed()) == len(files)+1 })
	d.compare(d.listed()[0].ID, again)
	d.reads("Two answers for")
	front("the comparison")
	d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})

	_, err := d.Store.AddCase(t.Context(), store.Case{Title: "Harbour statement"})
	assert.NoError(t, err)
	d.rail.Select(screens.Cases)
	d.reads("Harbour statement")
	front("a case")
	for name, r := range map[string]rune{"a new case": 'n', "a question": 'q', "a conclusion": 'c', "looking elsewhere": 'l', "another title": 'e', "tags": 't'} {
		sheet(name, key(r))
	}
	d.rail.Select(screens.Folders)
	d.drop(folder)
	d.reads("Watch this folder")
	for _, choices := range guitest.InSight[*kit.Options](d.folders.Object()) {
		for i, words := range choices.Options() {
			choices.Select(i)
			front("a folder to watch, " + words)
		}
	}
	d.rail.Select(screens.Settings)
	for _, list := range guitest.InSight[*kit.SideList](d.window.Content()) {
		for i, section := range list.Options() {
			list.Select(i)
			if settings.Section(i) == settings.SectionDesk {
				d.reads("Join the desk")
			}
			front("the settings, " + section)
		}
	}
	found.report(t)
}

func TestWhatTakesTheFocusInTheFirstRunHasAName(t *testing.T) {
	f, found := setupShell(t, setupHost(t, 1), false, nil), unnamed{}
	found.look("the first run", f.window.Content())
	for _, b := range guitest.InSight[*kit.Button](f.window.Content()) {
		if strings.Contains(b.Label(), "network") {
			b.Tapped(nil)
		}
	}
	found.look("the first run, the network", f.window.Content())
	found.report(t)
}
