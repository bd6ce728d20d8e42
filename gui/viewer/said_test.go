package viewer

import (
	"testing"

	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
)

// TestEverythingIsTranslated shows the viewer in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	sent := []string{"fake.jpg", "half.jpg", "press.mp4", "rolling.mp4", "odd.bin", "everest-aud", "erie", "tahoe", "oak", "vid", "Suspicious: needs a human look",
		"r-fake.jpg", "models", "normalizedPredictionNumber", "finalScore", "rollingAvgNumber", "resultsSummary.metadata"}
	d := setup(t, files(t), wideSize)
	guitest.CheckTranslated(t, d.Object())
	for _, id := range []string{"fake.jpg", "half.jpg", "press.mp4", "rolling.mp4", "odd.bin"} {
		d.see(id)
		if id == "press.mp4" {
			d.pump("its sound is there", func() bool { return d.cards.side.card.Visible() })
		}
		d.cards.main.scale.OnTapped()
		guitest.CheckTranslated(t, d.Object(), sent...)
		d.pages.open(historyPage)
		d.pump("the history is there", func() bool { return len(d.pages.panels[historyPage].(*historyPanel).rows.Objects) > 0 })
		guitest.CheckTranslated(t, d.Object(), sent...)
		d.pages.open(modelsPage)
		if len(d.shown.Bars) > 0 {
			d.pages.models.main.choose(0)
			guitest.CheckTranslated(t, d.Object(), sent...)
		}
	}
	d.Show("nothing")
	d.pump("it is not there", func() bool { return d.unread.Visible() })
	d.window.Resize(narrowSize)
	guitest.CheckTranslated(t, d.Object(), sent...)
}
