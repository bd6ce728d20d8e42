package gui

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/screens"
)

func TestTwoAnswersAreComparedOverTheResults(t *testing.T) {
	d := setup(t)
	d.drop(absolutePicture(t, "mountains-spliced.jpg"))
	d.Until("it is answered", func() bool { return len(d.listed()) == 1 })
	d.scanAgain([]string{d.listed()[0].ID})
	d.Until("it is answered again", func() bool { return len(d.listed()) == 2 })
	later, earlier := d.listed()[0].ID, d.listed()[1].ID
	reads := func(text string) {
		d.T.Helper()
		d.Until(text, func() bool { return guitest.Reads(d.window.Content(), text) })
	}
	compare := func() {
		d.compare(later, earlier)
		reads("Two answers for mountains-spliced.jpg")
	}
	d.rail.Select(screens.Folders)
	compare()
	reads("The answer is Likely manipulated both times; the file did not change. No model is new or scores differently.")
	assert.Equal(t, screens.Results, d.rail.Selected())
	assert.Equal(t, 0, len(guitest.InSight[*kit.SearchField](d.window.Content()))) // the list of results lies below

	d.Run("the window can still be as small as 900 by 600", func(t *testing.T) {
		if size := contentOf(d.window).MinSize(); size.Width > 900 || size.Height > 600 {
			t.Errorf("it asks for %v", size)
		}
	})
	d.Run("its keys are listed", func(*testing.T) {
		d.typedRune('?')
		d.Until("they are listed", func() bool { return guitest.Reads(d.top(), "Swipe, blink, side by side") })
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	})
	d.Run("Escape goes back to the screen before", func(t *testing.T) {
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		assert.Equal(t, screens.Folders, d.rail.Selected())
		d.showResults()
		assert.Equal(t, 1, len(guitest.InSight[*kit.SearchField](d.window.Content())))
	})
	d.Run("an answer is opened in the viewer", func(t *testing.T) {
		compare()
		d.press("Open the earlier answer")
		assert.Equal(t, earlier, d.viewer.Shown())
		assert.Equal(t, 1, len(guitest.InSight[*kit.SearchField](d.window.Content())))
	})
	d.Run("the history of an answer leads to it", func(*testing.T) {
		d.open(later)
		reads("Models")
		history := guitest.InSight[*kit.Tabs](d.viewer.Object())[0]
		history.Select(slices.Index(history.Options(), "History"))
		d.press("Compare")
		reads("Two answers for mountains-spliced.jpg")
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		assert.Equal(t, later, d.viewer.Shown())
	})
	d.Run("so does a key, from either of them", func(*testing.T) {
		for _, id := range []string{later, earlier} {
			d.open(id)
			reads("Models")
			d.typedRune('e')
			reads("Two answers for mountains-spliced.jpg")
			d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		}
	})
	d.Run("which says where there is but one answer", func(*testing.T) {
		d.drop(absolutePicture(t, "poster.png"))
		d.Until("it is answered", func() bool { return len(d.listed()) == 3 })
		d.open(d.listed()[0].ID)
		reads("Too little of the picture has texture")
		d.typedRune('e')
		reads("There is only one answer on this content, so there is nothing to compare. Scan it again to get another.")
	})
	d.Run("a result that is opened elsewhere is not hidden by a comparison", func(t *testing.T) {
		compare()
		d.rail.Select(screens.Inbox)
		d.open(later)
		assert.Equal(t, later, d.viewer.Shown())
		assert.Equal(t, 1, len(guitest.InSight[*kit.SearchField](d.window.Content())))
	})
	d.Run("a report is made on both", func(*testing.T) {
		compare()
		d.press("Report…")
		d.Until("the sheet is open", func() bool { return d.sheet.Open() })
	})
}
