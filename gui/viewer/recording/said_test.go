package recording_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/i18n/i18ntest"
	"assay/gui/wordstest"
)

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	sent := []string{"ARTIFICIAL", "SUSPICIOUS", "AUTHENTIC", "REASON", "chunks", "decision", "scores", "score", "svc-aud-ensemble", "svc-slim-aud", "REQUEST"}
	t.Run("a recording and its parts", func(t *testing.T) {
		d := played(t)
		wordstest.Check(t, d.pane.Object(), sent...)
		d.pane.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		d.pane.TypedRune('l')
		d.pane.TypedRune('m')
		d.pane.TypedRune('w')
		d.until("the waveform", func() bool { return d.known() > 0.99 })
		wordstest.Check(t, d.pane.Object(), sent...)
		for _, s := range d.pane.Shortcuts() {
			wordstest.CheckTexts(t, []string{s.Keys, s.Does})
		}
	})
	t.Run("neither", func(t *testing.T) {
		d := newDesk(t)
		d.source.fails["none"] = &client.Error{Kind: client.KindNetwork, Message: "REASON"}
		d.show("none")
		wordstest.Check(t, d.pane.Object(), sent...)
		d.until("it is said", func() bool { return d.pane.Notice().Visible() })
		wordstest.Check(t, d.pane.Object(), sent...)
	})
}
