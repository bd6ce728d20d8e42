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
	t.Run("settings and first run", func(t *testing.T) {
		data := []string{"https://api.example.org", "api.example.org", "http://proxy.example.org:3128", "http://name@proxy.example.org:3128",
			"/home/desk/.config/Assay/services/api.example.org-5f2c8e11/log", "/home/desk/.config/Assay/services/api.example.org-5f2c8e11", "/home/desk/.config/Assay",
			"Settings, and everything below", "Submissions, results and the custody log", "The log", "Português", "English", "Español", "Français", "Deutsch"}
		for name, scene := range settingsScenes() {
			switch name {
			case "desktop-none", "first-fixed", "service-locked", "network-refused", "sheet-licences": // most of what they show is the fixture's
				continue
			}
			t.Run(name, func(t *testing.T) {
				d := newSetupDesk(t, usual)
				scene(d)
				guitest.CheckTranslated(t, d.top(), append(data, "The key was not accepted.", "This computer has no network.", "The proxy wants a name and a password.", "a-key-of-some-length", "0.7.0 (3f2a1c9)")...)
			})
		}
	})
	t.Run("inbox", func(t *testing.T) {
		d := newInboxDesk(t, usual)
		guitest.CheckTranslated(t, d.empty)
		for _, f := range present.Filters() {
			d.nothing.say(f, "harbour")
			guitest.CheckTranslated(t, d.nothing.object, "harbour")
		}
		guitest.CheckTranslated(t, d.whole.object)
		guitest.CheckTranslated(t, d.filters.object)
		d.stands = intake.QueueStatus{Cause: intake.PausedAll}
		d.show(heldFiles(3)...)
		guitest.CheckTranslated(t, d.Object(), "IMG", "jpg", "Downloads", "harbour")
		guitest.CheckTextsTranslated(t, shortcutTexts(d.Shortcuts()))
	})
	t.Run("folders", func(t *testing.T) {
		d := newFoldersDesk(t, usual)
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
		d := newDesk(t, 0)
		guitest.CheckTranslated(t, d.Object())
		guitest.CheckTextsTranslated(t, shortcutTexts((&Results{}).Shortcuts()))
	})
}
