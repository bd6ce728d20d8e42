package results

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/gui/guitest"
)

// small shows n results in a window of 900 × 600.
func small(t *testing.T, n int) *fixture {
	t.Helper()
	d := setup(t, n)
	d.Resize(fyne.NewSize(828, 600)) // beside the rail
	d.settle()
	return d
}

func (d *fixture) wantStrip(on bool) {
	d.T.Helper()
	named := strings.Contains(guitest.Words(d.list), chosenName(d))
	if rows := len(visibleRows(d)); rows == 0 || named == on {
		d.T.Errorf("of %d rows the chosen one has its name: %v", rows, named)
	}
}

// chosenName is the name of the result that is shown.
func chosenName(d *fixture) string { return d.chosenRow().Name }

func TestTheStrip(t *testing.T) {
	t.Run("is shown where the window is narrow", func(t *testing.T) {
		d := small(t, 214)
		d.wantStrip(true)
		d.WantWords("1 of 214", "Likely manipulated")
		if at := d.viewed.root.Position().X; at != stripWidth+1 {
			t.Errorf("the viewer begins at %g", at)
		}
		d.Resize(guitest.Usual)
		d.settle()
		d.wantStrip(false)
	})
	t.Run("has name and score in its tooltips", func(t *testing.T) {
		d := small(t, 214)
		if tip := visibleRows(d)[0].ToolTip(); tip != "000000 harbour-statement.jpg · 88" {
			t.Errorf("%q", tip)
		}
	})
	t.Run("T shows the other, which is kept", func(t *testing.T) {
		d := small(t, 214)
		d.Type("t")
		d.wantStrip(false)
		d.Resize(guitest.Usual)
		d.Type("t")
		d.settle()
		d.wantStrip(true)
		assert.Equal(t, []Shape{Wide, Strip}, d.shaped)
	})
	t.Run("the list lies over the viewer where it has no room, and that is not kept", func(t *testing.T) {
		d := setup(t, 214)
		d.SetShape(Wide)
		d.Resize(fyne.NewSize(588, 400)) // 1280 × 800 at 200 %, beside the rail
		d.settle()
		d.wantStrip(true)
		d.Type("t")
		d.settle()
		d.wantStrip(false)
		if at := d.viewed.root.Position().X; at != stripWidth+1 {
			t.Errorf("the viewer begins at %g", at)
		}
		if over := d.root.Objects; over[0] != d.viewed.Object() {
			t.Error("the viewer hides the list")
		}
		d.Type("t")
		d.settle()
		d.wantStrip(true)
		if over := d.root.Objects; over[0] == d.viewed.Object() {
			t.Error("Tab leads to the viewer first")
		}
		if len(d.shaped) > 0 {
			t.Errorf("kept: %v", d.shaped)
		}
	})
	t.Run("keys move through it, and the shown one stays in sight", func(t *testing.T) {
		d := small(t, 214)
		for range 20 {
			d.Type("j")
			d.settle()
		}
		d.WantWords("21 of 214")
		if !d.list.Shows(20) {
			t.Error("the shown one is out of sight")
		}
		d.Type("t")
		d.settle()
		if !d.list.Shows(20) || d.chosen != "id-000020" {
			t.Errorf("%s is shown, and out of sight in the list", d.chosen)
		}
		d.Type("t")
		d.settle()
		if !d.list.Shows(20) {
			t.Error("the shown one is out of sight in the strip")
		}
	})
	t.Run("a search opens the list until T", func(t *testing.T) {
		d := small(t, 214)
		d.Type("/")
		d.wantStrip(false)
		if d.Canvas().Focused() != fyne.Focusable(d.search()) {
			t.Fatal("the search has not the focus")
		}
		d.Type("00012")
		d.settle()
		d.Press(fyne.KeyEscape)
		d.Press(fyne.KeyEscape)
		d.settle()
		d.Type("t")
		d.settle()
		d.wantStrip(true)
	})
	t.Run("what is selected is counted, and a click leads to what can be done", func(t *testing.T) {
		d := small(t, 214)
		d.Type("x")
		d.Tap("1 selected")
		d.settle()
		d.wantStrip(false)
		d.TapIn(d.foot.root, "Copy as text")
		d.Until("the selected one is copied", func() bool { return d.copied != "" })
	})
	t.Run("an empty list says why in words", func(t *testing.T) {
		d := small(t, 0)
		d.WantWords("Nothing has been answered yet")
		d.answers.prepend(7)
		d.Changed()
		d.settle()
		d.wantStrip(true)
	})
}
