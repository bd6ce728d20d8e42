package gui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/assert"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/screens"
)

// TestTheWindowCanBeAsSmallInEveryLanguage holds that no screen is wider than the smallest window, whatever the words and however large the text: nothing
// reaches beyond the window's right edge, where one would have to scroll sideways.
func TestTheWindowCanBeAsSmallInEveryLanguage(t *testing.T) {
	for _, language := range i18n.All() {
		t.Run(language.Code, func(t *testing.T) {
			assert.NoError(t, i18n.Use(language.Code, ""))
			t.Cleanup(func() { assert.NoError(t, i18n.Use("", "")) })
			d := setup(t)
			walk := func(with string) {
				for _, scale := range []float32{1, 1.5, 2} {
					d.window.Resize(times(guitest.Smallest, 1/scale))
					for screen := screens.Inbox; screen <= screens.Settings; screen++ {
						d.rail.Select(screen)
						if screen != screens.Results || scale < 2 { // beside the list the viewer still needs more
							wantNarrow(t, d, scale, screen, with)
						}
					}
				}
			}
			walk("empty")
			d.drop(absolutePicture(t, "spinner.gif"))
			d.Until("it is answered", func() bool { return len(d.listed()) == 1 })
			_, err := d.Store.AddCase(t.Context(), store.Case{Title: "Harbour statement"})
			assert.NoError(t, err)
			_, err = d.Folders.Add(t.Context(), folders.Settings{Path: t.TempDir(), Gate: submission.GateNever}, folders.OnlyNew, nil)
			assert.NoError(t, err)
			d.rail.Select(screens.Cases)
			d.reads("Harbour statement")
			d.showResults()
			d.Until("the result is shown", func() bool { return guitest.ButtonIn(d.viewer.Object(), "Add a note…") != nil })
			walk("filled")
		})
	}
}

func wantNarrow(t *testing.T, d *fixture, scale float32, screen int, with string) {
	t.Helper()
	width := d.window.Canvas().Size().Width
	if least := contentOf(d.window).MinSize(); least.Width > width {
		t.Errorf("%s, at %g, screen %d is %g wide at least, not %g", with, scale, screen, least.Width, width)
	}
	for _, o := range guitest.InSight[fyne.CanvasObject](d.window.Content()) {
		_, text := o.(*kit.Text)
		_, control := o.(fyne.Focusable)
		if end := fyne.CurrentApp().Driver().AbsolutePositionForObject(o).X + o.Size().Width; (text || control) && end > width+1 {
			t.Errorf("%s, at %g, on screen %d %T %q ends at %g of %g", with, scale, screen, o, guitest.Words(o), end, width)
		}
	}
}

// contentOf is what the window shows, without the scroll that it is in.
func contentOf(w fyne.Window) fyne.CanvasObject {
	scrolls := guitest.InSight[*container.Scroll](w.Content())
	return scrolls[0].Content
}
