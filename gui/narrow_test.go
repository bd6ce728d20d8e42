package gui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/gui/guitest"
	"assay/gui/screens"
)

// TestTheWindowCanBeAsSmallInEveryLanguage holds that no screen is wider than the smallest window, whatever the words, nor the inbox than a window of
// 900 × 600 at a text size of 150 %.
func TestTheWindowCanBeAsSmallInEveryLanguage(t *testing.T) {
	for _, language := range i18n.All() {
		t.Run(language.Code, func(t *testing.T) {
			assert.NoError(t, i18n.Use(language.Code, ""))
			t.Cleanup(func() { assert.NoError(t, i18n.Use("", "")) })
			d := setup(t)
			d.drop(absolutePicture(t, "spinner.gif"))
			d.Until("it is answered", func() bool { return len(d.results.Rows()) == 1 })
			for screen := screens.Inbox; screen <= screens.Settings; screen++ {
				d.rail.Select(screen)
				if screen == screens.Results {
					d.Until("the result is shown", func() bool { return guitest.ButtonIn(d.viewer.Object(), "Add a note…") != nil })
				}
				if least := contentOf(d.window).MinSize(); least.Width > guitest.Smallest.Width {
					t.Errorf("with screen %d the window can't be narrower than %g", screen, least.Width)
				}
			}
			d.rail.Select(screens.Inbox)
			small := fyne.NewSize(600, 400)
			d.window.Resize(small)
			if least := contentOf(d.window).MinSize(); least.Width > small.Width {
				t.Errorf("with large text the inbox needs %g", least.Width)
			}
		})
	}
}

// contentOf is what the window shows, without the scroll that it is in.
func contentOf(w fyne.Window) fyne.CanvasObject {
	scrolls := guitest.InSight[*container.Scroll](w.Content())
	return scrolls[0].Content
}
