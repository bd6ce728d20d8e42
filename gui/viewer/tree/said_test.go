package tree

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

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
	d := setup(t, look.ModeLight, fyne.NewSize(860, 440))
	said := func() {
		t.Helper()
		wordstest.Check(t, d.Object(), "KEY", "DEEP", "null", "Answer", "Details of the analysis", "The service sent no details of the analysis.", "Sound")
	}
	d.answer["a"] = `{"KEY": [1, 2], "DEEP": ` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `, "KEY": {"KEY": null}, "KEY": {}, "KEY": [`
	d.Show(present.Viewer{ID: "a"})
	said()
	d.pump("the document is read", func() bool { return d.open != nil })
	said()
	for _, query := range []string{"NOWHERE", "KEY", "DEEP"} {
		d.searchFor(query)
		wordstest.CheckTexts(t, []string{d.hits.Text()})
	}
	d.search.SetText("")
	d.focus()
	d.rows.choose(1)
	said()
	d.copyValue()
	d.pump("it is copied", func() bool { return d.clipboard() != "" })
	said()
	d.copyItsPath()
	said()
	d.Reveal("NOWHERE")
	d.pump("it is not there", func() bool { return d.notice.Visible() })
	wordstest.CheckTexts(t, []string{d.notice.Text(), copied("x", false)}, "NOWHERE")
	d.choice.Select(1)
	d.pump("there is none", func() bool { return d.shows("sent no details") })
	said()
	for _, s := range d.Shortcuts() {
		wordstest.CheckTexts(t, []string{s.Keys, s.Does})
	}
}
