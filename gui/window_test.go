package gui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/screens"
)

// TestTheLeastSizeOfTheWindowIsConstant holds what keeps a window that was just resized at its size: its content's least size stays, whatever is shown.
func TestTheLeastSizeOfTheWindowIsConstant(t *testing.T) {
	t.Setenv(scaleVariable, "")
	d := setup(t)
	least := d.window.Content().MinSize()
	assert.Equal(t, fyne.NewSize(leastWidth, leastHeight), least)
	d.drop(absolutePicture(t, "spinner.gif"), absolutePicture(t, "mountains.jpg"))
	d.Until("both are answered", func() bool { return len(d.listed()) == 2 })
	inner := map[fyne.Size]bool{}
	for screen := screens.Inbox; screen <= screens.Settings; screen++ {
		d.rail.Select(screen)
		inner[contentOf(d.window).MinSize()] = true
		assert.Equal(t, least, d.window.Content().MinSize())
	}
	if len(inner) < 2 {
		t.Error("all screens have one least size: this shows nothing")
	}
	t.Setenv(scaleVariable, "2")
	assert.Equal(t, fyne.NewSize(leastWidth/2, leastHeight/2), d.window.Content().MinSize())
}

// TestNothingIsOutOfReachInASmallWindow holds that a window of 900 × 600 pixels scrolls what it has no room for, at each text size.
func TestNothingIsOutOfReachInASmallWindow(t *testing.T) {
	t.Setenv(scaleVariable, "")
	d := setup(t)
	d.drop(absolutePicture(t, "mountains.jpg"))
	d.Until("it is answered", func() bool { return len(d.listed()) == 1 })
	for _, scale := range []float64{1, 1.5, 2} {
		setScale(scale)
		d.window.Resize(times(guitest.Smallest, 1/float32(scale)))
		for screen := screens.Inbox; screen <= screens.Settings; screen++ {
			d.rail.Select(screen)
			scroll := guitest.InSight[*container.Scroll](d.window.Content())[0]
			scroll.Refresh()
			least, has := scroll.Content.MinSize(), scroll.Content.Size()
			if has.Width < least.Width || has.Height < least.Height {
				t.Errorf("at %g, screen %d has %v and needs %v", scale, screen, has, least)
			}
			if seen := scroll.Size(); seen.Width > d.window.Canvas().Size().Width || seen.Height > d.window.Canvas().Size().Height {
				t.Errorf("at %g, screen %d is larger than the window: %v", scale, screen, seen)
			}
		}
	}
}

// TestTheWindowKeepsItsSizeWhereTheTextGrows tries the change of the text size on a canvas that scales as the toolkit's does.
func TestTheWindowKeepsItsSizeWhereTheTextGrows(t *testing.T) {
	t.Setenv(scaleVariable, "")
	f := setupShell(t, setupHost(t, 1), true, nil)
	f.window.Resize(fyne.NewSize(1280, 800))
	scaled, ok := f.window.Canvas().(interface{ SetScale(float32) })
	if !ok {
		t.Fatal("the canvas of tests has no scale")
	}
	sizes := map[fyne.Size]bool{}
	f.look.rescale(2, func() {
		sizes[f.window.Canvas().Size()] = true // before anything is drawn
		scaled.SetScale(2)
		f.App.Settings().SetTheme(look.New(look.ModeLight))
	})
	assert.Equal(t, map[fyne.Size]bool{fyne.NewSize(640, 400): true}, sizes)
	assert.Equal(t, fyne.NewSize(640, 400), f.window.Canvas().Size())
}
