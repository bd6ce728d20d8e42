package clip_test

import (
	"testing"

	"assay/client/i18n/i18ntest"
	"assay/gui/present"
	"assay/gui/wordstest"
)

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	sent := []string{"ARTIFICIAL", "SUSPICIOUS", "AUTHENTIC", "FAKE", "REASON", "chunks", "scenes", "frames", "tubes", "decision", "scores", "score", "REQUEST"}
	d := newDesk(t)
	d.source.thumbnail = thumbnailFile(t)
	d.source.sound = wavFile(t, 3)
	d.source.data = `{"scenes":[{"start":1,"end":4,"decision":"FAKE"}],"frames":[{"timestamp":2,"decision":"SUSPICIOUS"},{"decision":"FAKE"}]}`
	d.show("1")
	wordstest.Check(t, d.pane.Object(), sent...)
	d.until("all of it", func() bool {
		return d.pane.Sound().Length() > 0 && len(d.pane.Lanes().Lanes()) > 0 && d.pane.Caption() != "" && d.pane.Probed()
	})
	wordstest.Check(t, d.pane.Object(), sent...)
	thumbnail := d.pane.Caption()
	d.pane.Lanes().OnTapped(0, 0)
	d.until("a frame", func() bool { return d.pane.Caption() != thumbnail })
	for _, preview := range []present.Preview{present.PreviewGrey, present.PreviewBlurred} {
		d.pane.SetPreview(preview)
		wordstest.Check(t, d.pane.Object(), sent...)
	}
	for _, s := range d.pane.Shortcuts() {
		wordstest.CheckTexts(t, []string{s.Keys, s.Does})
	}
	d.frames.info.HasSound, d.frames.err = false, sentence("REASON")
	d.source.thumbnail, d.source.data = "", ""
	d.show("2")
	d.until("it is said", func() bool { return d.pane.Notice().Visible() })
	wordstest.Check(t, d.pane.Object(), sent...)
}
