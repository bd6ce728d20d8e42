package kit_test

import (
	"testing"

	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

func TestChip(t *testing.T) {
	t.Run("acts on click, Enter and Space, and leaves it to its owner what is on", func(t *testing.T) {
		acted := 0
		c := kit.NewChip(look.MarkFake, "18", func() { acted++ })
		setup(t, c, 80, 26)
		test.Tap(c)
		typeKeys(c, fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace, fyne.KeyA)
		if acted != 4 || c.On() {
			t.Errorf("acted %d times, on: %v", acted, c.On())
		}
	})
	t.Run("shows its mark, and takes no room for none", func(t *testing.T) {
		with, without := kit.NewChip(look.MarkFake, "18", nil), kit.NewChip(look.MarkNone, "18", nil)
		setup(t, container.NewVBox(with, without), 80, 60)
		if len(guitest.InSight[*canvas.Raster](with)) != 1 || len(guitest.InSight[*canvas.Raster](without)) != 0 {
			t.Error("the marks are wrong")
		}
		if with.MinSize().Width <= without.MinSize().Width {
			t.Error("a mark takes no room")
		}
	})
	t.Run("is seen to be on, without growing", func(t *testing.T) {
		c := kit.NewChip(look.MarkNone, "All 214", nil)
		w := setup(t, container.NewPadded(c), 120, 40)
		before, size := w.Canvas().Capture(), c.MinSize()
		c.Set("All 214", true)
		if guitest.PixelsApart(before, w.Canvas().Capture()) < 50 || c.MinSize() != size {
			t.Errorf("from %v to %v", size, c.MinSize())
		}
	})
	t.Run("shows the focus", func(t *testing.T) {
		c := kit.NewChip(look.MarkNone, "All 214", nil)
		w := setup(t, container.NewPadded(c), 120, 40)
		before := w.Canvas().Capture()
		w.Canvas().Focus(c)
		if guitest.PixelsApart(before, w.Canvas().Capture()) < 50 {
			t.Error("focus is not to be seen")
		}
	})
	t.Run("is named by its tooltip", func(t *testing.T) {
		c := kit.NewChip(look.MarkFake, "18", nil)
		c.SetToolTip("Likely manipulated: 18")
		if got := c.AccessibilityLabel(); got != "Likely manipulated: 18" {
			t.Errorf("named %q", got)
		}
		c.Set("18", true)
		if got := c.AccessibilityLabel(); got != "Likely manipulated: 18, chosen" {
			t.Errorf("on, it is named %q", got)
		}
	})
}

func TestTag(t *testing.T) {
	tag := kit.NewTag(nil, "Send")
	setup(t, tag, 200, 34)
	narrow := tag.MinSize().Width
	tag.Set(look.IconLock, "Never leaves")
	if !hasText(tag, "Never leaves") || tag.MinSize().Width <= narrow {
		t.Errorf("%q, %v", guitest.Seen(tag), tag.MinSize())
	}
}
