package screen

import (
	"testing"

	"assay/client/i18n/i18ntest"
	"assay/client/intake"
	"assay/gui/guitest"
	"assay/gui/present"
)

func shortcutTexts(all []present.Shortcut) (texts []string) {
	for _, s := range all {
		texts = append(texts, s.Does)
	}
	return texts
}

// TestEverythingIsTranslated shows the screens in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and starts no goroutine that matters")
	}
	i18ntest.Pseudo(t)
	t.Run("inbox", func(t *testing.T) {
		d := setupInbox(t, guitest.Smallest)
		guitest.CheckTranslated(t, d.empty)
		for _, f := range present.Filters() {
			d.nothing.say(f, "harbour")
			guitest.CheckTranslated(t, d.nothing.object, "harbour")
		}
		guitest.CheckTranslated(t, d.whole.object)
		guitest.CheckTranslated(t, d.filters.object)
		d.queue = intake.QueueStatus{Cause: intake.PausedAll}
		d.show(heldFiles(3)...)
		guitest.CheckTranslated(t, d.Object(), "IMG", "jpg", "Downloads", "harbour")
		guitest.CheckTextsTranslated(t, shortcutTexts(d.Shortcuts()))
	})
	t.Run("folders", func(t *testing.T) {
		d := setupFolders(t, guitest.Smallest)
		guitest.CheckTranslated(t, d.empty)
		guitest.CheckTextsTranslated(t, shortcutTexts(d.Shortcuts()))
		d.inside = manyFiles(2, 0)
		d.offered("/1")
		d.card.more.fold(false)
		d.card.more.move("/2")
		never := []string{"tmp", "temp", "partial", "part", "crdownload", "opdownload", "download", "thumbs.db", "desktop.ini"}
		guitest.CheckTranslated(t, d.card.root, never...)
	})
	t.Run("results", func(t *testing.T) {
		d := setupResultsOf(t, 0)
		guitest.CheckTranslated(t, d.Object())
		guitest.CheckTextsTranslated(t, shortcutTexts((&Results{}).Shortcuts()))
	})
}
