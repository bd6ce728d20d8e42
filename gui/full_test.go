package gui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/screens"
)

// TestAPictureFillsTheWindow fills the window with a picture, and types every character and key there.
func TestAPictureFillsTheWindow(t *testing.T) {
	d := setup(t)
	d.drop(absolutePicture(t, "poster.png"), absolutePicture(t, "generated.png"))
	d.Until("both are answered", func() bool { return len(d.listed()) == 2 })
	d.showResults()
	open := func(name string) {
		t.Helper()
		d.Until(name+" fills the window", func() bool { return guitest.Reads(d.top(), name) && guitest.Reads(d.top(), "Leave") })
	}
	first, second := d.listed()[0].Name, d.listed()[1].Name
	d.Until("a result is shown", func() bool { return guitest.ButtonIn(d.viewer.Object(), "Add a note…") != nil })
	d.typedRune('k')
	d.typedRune('f')
	open(first)
	for _, hidden := range []string{"Inbox", "Settings", "Agree", "Models"} {
		if guitest.Reads(d.top(), hidden) {
			t.Errorf("%q is to be seen", hidden)
		}
	}

	before := len(d.Queue.All())
	for r := ' '; r <= '~'; r++ {
		d.typedRune(r)
		d.closeAll()
		if !d.viewer.Full() {
			d.typedRune('f')
		}
	}
	for _, key := range []fyne.KeyName{fyne.KeyDelete, fyne.KeyBackspace, fyne.KeySpace, fyne.KeyUp, fyne.KeyDown, fyne.KeyHome, fyne.KeyEnd, fyne.KeyReturn} {
		d.typedKey(&fyne.KeyEvent{Name: key})
		d.closeAll()
	}
	if d.undo.Offered() || len(d.Queue.All()) != before {
		t.Errorf("a bare key sent or removed something: %d submissions, of %d", len(d.Queue.All()), before)
	}

	d.typedRune('k')
	open(first)
	d.typedRune('j')
	open(second)
	d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	assert.True(t, guitest.Reads(d.top(), "Inbox") && !guitest.Reads(d.top(), "Leave"), "Esc does not go back")

	d.typedRune('f')
	d.cover.toggle()
	d.cover.toggle()
	assert.True(t, !d.viewer.Full(), "the cover key leaves the picture over the whole window")
	d.typedRune('f')
	d.rail.Select(screens.Inbox)
	assert.True(t, guitest.Reads(d.top(), "Inbox") && !d.viewer.Full(), "another screen does not come to the front")
}

func TestScanningAgainFromTheViewerCanBeTakenBack(t *testing.T) {
	d := setup(t)
	d.drop(absolutePicture(t, "poster.png"))
	d.Until("it is answered", func() bool { return len(d.listed()) == 1 })
	d.showResults()
	d.Until("it is shown", func() bool { return guitest.ButtonIn(d.viewer.Object(), "Scan again") != nil })
	test.Tap(guitest.ButtonIn(d.viewer.Object(), "Scan again"))
	d.reads("1 file will be scanned again")
	test.Tap(guitest.ButtonIn(d.undo.Object(), "Undo"))
	assert.True(t, !guitest.Reads(d.top(), "1 file will be scanned again") && len(d.Queue.All()) == 1, "it is sent: %d submissions", len(d.Queue.All()))
}
