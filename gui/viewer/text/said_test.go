package text

import (
	"errors"
	"testing"

	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/gui/look"
	"assay/gui/wordstest"
)

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	page := `<p><mark title="TITLE">WORDS</mark> <mark>WORDS</mark> <a href="HTTPS">WORDS</a></p>`
	for name, from := range map[string]*result{
		"a page":  {page: []byte(page), text: textFile(t, "WORDS")},
		"a text":  {text: textFile(t, "WORDS")},
		"nothing": {pageErr: errors.New("REASON"), textErr: errors.New("REASON")},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, from, look.ModeLight, 560, 470)
			d.pane.Show(viewerOf("1"))
			wordstest.Check(t, d.pane.Object())
			d.until(func() bool {
				return d.pane.summary.Text() != i18n.T("Reading the text…") && (len(d.pane.prose.Blocks) == 0 || d.pane.sheet.lines != nil)
			})
			d.tapAll()
			wordstest.Check(t, d.pane.Object(), "WORDS", "TITLE", "REASON", "HTTPS")
			d.pane.toggleMarks()
			wordstest.Check(t, d.pane.Object(), "WORDS", "TITLE", "REASON", "HTTPS")
			for _, s := range d.pane.Shortcuts() {
				wordstest.CheckTexts(t, []string{s.Keys, s.Does})
			}
		})
	}
}
