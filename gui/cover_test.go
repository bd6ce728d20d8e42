package gui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/present"
)

func TestTheCoverKeyHidesEverythingAtOnce(t *testing.T) {
	d := setup(t)
	shortcut := d.cover.toggle
	covered := func() bool { return guitest.Reads(d.top(), "Everything is covered") }
	heldFile(t, d, "one")
	d.act([]string{"one"}, present.Approve)
	t.Run("over a sheet, too, and in one colour up to the edges", func(t *testing.T) {
		shortcut()
		if !covered() || d.window.Canvas().Overlays().Top().Size() != d.window.Canvas().Size() {
			t.Fatalf("covered %v, %v of %v", covered(), d.window.Canvas().Overlays().Top().Size(), d.window.Canvas().Size())
		}
		painted := d.window.Canvas().Capture()
		corner, side := painted.At(1, 1), painted.Bounds().Max
		for _, at := range [][2]int{{side.X - 2, 1}, {1, side.Y - 2}, {side.X - 2, side.Y - 2}, {side.X / 2, 40}, {side.X / 4, side.Y / 2}} {
			assert.Equal(t, corner, painted.At(at[0], at[1]))
		}
	})
	t.Run("no other key uncovers it or reaches what lies below", func(t *testing.T) {
		d.typedRune('j')
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if !covered() || !d.sheet.Open() {
			t.Errorf("covered %v, sheet %v", covered(), d.sheet.Open())
		}
	})
	t.Run("the same key takes it away, and so does the button", func(t *testing.T) {
		shortcut()
		if covered() || !d.sheet.Foremost() {
			t.Error("it is still there")
		}
		shortcut()
		test.Tap(guitest.ButtonIn(d.top(), "Go on"))
		if covered() || !d.sheet.Foremost() {
			t.Error("it is still there after the button")
		}
	})
}
