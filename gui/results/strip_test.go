package results

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/gui/guitest"
)

// small shows n results in a window of 900 × 600.
func small(t *testing.T, n int) *fixture {
	t.Helper()
	d := setupShape(t, n, ByWidth)
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
	t.Run("is shown unless the window is wide", func(t *testing.T) {
		d := small(t, 214)
		for _, size := range []fyne.Size{fyne.NewSize(828, 600), guitest.Usual} {
			d.Resize(size)
			d.settle()
			d.wantStrip(true)
			d.WantWords("1 of 214", "Likely manipulated")
			if at := d.viewed.root.Position().X; at != stripWidth+1 {
				t.Errorf("the viewer begins at %g", at)
			}
		}
		d.Resize(fyne.NewSize(2488, 1440)) // of 2560
		d.settle()
		d.wantStrip(false)
	})
	t.Run("has name and score in its tooltips, and a verdict that has changed", func(t *testing.T) {
		d := small(t, 214)
		tip := func() string { return visibleRows(d)[0].ToolTip() }
		assert.Equal(t, "000000 harbour-statement.jpg · 88", tip())
		changed := d.answers.row[ids(0)[0]]
		changed.Was = "Suspicious"
		d.answers.row[changed.ID] = changed
		d.Changed()
		d.settle()
		assert.Equal(t, "000000 harbour-statement.jpg · 88 · before: Suspicious", tip())
	})
	t.Run("T shows the other, which is kept", func(t *testing.T) {
		d := small(t, 214)
		d.Type("t")
		d.wantStrip(false)
		d.Resize(fyne.NewSize(2488, 1440))
		d.Type("t")
		d.settle()
		d.wantStrip(true)
		assert.Equal(t, []Shape{Wide, Strip}, d.shaped)
	})
	t.Run("the list lies over the viewer where it has no room, and that is not kept", func(t *testing.T) {
		d := setup(t, 214)
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
	for name, goBack := range map[string]func(d *fixture){
		"T":          func(d *fixture) { d.Type("t") },
		"Escape":     func(d *fixture) { d.Press(fyne.KeyEscape) },
		"its button": func(d *fixture) { d.TapTip("Show thumbnails only (T)") },
	} {
		t.Run("a search opens the list until one goes back by "+name, func(t *testing.T) {
			d := small(t, 214)
			d.Type("/")
			d.wantStrip(false)
			if d.Canvas().Focused() != fyne.Focusable(d.search()) {
				t.Fatal("the search has not the focus")
			}
			d.search().SetText("00012")
			d.settle()
			d.Press(fyne.KeyReturn)
			d.wantStrip(false)
			d.Press(fyne.KeyEscape) // clears the search
			d.settle()
			goBack(d)
			d.settle()
			d.wantStrip(true)
			if len(d.shaped) > 0 {
				t.Errorf("kept: %v", d.shaped)
			}
		})
	}
	t.Run("what is selected is counted, and a click leads to what can be done", func(t *testing.T) {
		d := small(t, 214)
		d.Type("xjx")
		d.Tap("2 selected")
		d.TapItem("Copy as text")
		d.Until("the selected ones are copied", func() bool { return strings.Count(d.copied, "\n") == 2 })
		d.wantStrip(true)
	})
	t.Run("with too many for that, a click leads to the list, which says so", func(t *testing.T) {
		d := small(t, 1000)
		d.SelectAll()
		d.Tap("1,000 selected")
		d.settle()
		d.wantStrip(false)
		d.WantWords(i18n.F("You can only export more than %s at a time. Narrow the list for other actions.", "500"))
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
