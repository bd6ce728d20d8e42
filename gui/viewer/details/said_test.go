package details_test

import (
	"errors"
	"testing"

	"assay/client/i18n/i18ntest"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/wordstest"
)

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	row := present.DetailRow{Label: "LABEL", Value: "VALUE", Copy: "VALUE", Identifying: true}
	d := present.Details{ID: "1", Problem: "REASON", Groups: []present.DetailGroup{{Heading: "HEADING", From: "FROM", State: present.CredentialsIntact, Text: "TEXT",
		Rows: []present.DetailRow{row, {Label: "LABEL", Value: hash, Hash: true}}}}}
	for _, width := range []float32{300, 800} {
		s := newStage(t, look.ModeLight, width, 600, d)
		s.pane.Show(present.Viewer{ID: "1"})
		wordstest.Check(t, s.pane.Object())
		(<-s.ui)()
		wordstest.Check(t, s.pane.Object(), "LABEL", "VALUE", "HEADING", "FROM", "TEXT", "REASON", "9f86d081 884c7d65 9a2feaa0 c55ad015 a3bf4f1b 2b0b822c d15d6c15 b0f00a08",
			"9f86d081", "884c7d65", "9a2feaa0", "c55ad015", "a3bf4f1b", "2b0b822c", "d15d6c15", "b0f00a08")
		s.source.err = errors.New("REASON")
		s.show("2")
		wordstest.Check(t, s.pane.Object(), "REASON")
		for _, s := range s.pane.Shortcuts() {
			wordstest.CheckTexts(t, []string{s.Keys, s.Does})
		}
	}
}
