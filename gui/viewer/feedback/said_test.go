package feedback

import (
	"errors"
	"testing"
	"time"

	"assay/client"
	"assay/client/i18n/i18ntest"
	"assay/client/store"
	"assay/gui/look"
	"assay/gui/wordstest"
)

// TestEverythingIsTranslated shows the bar in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	for name, prepare := range map[string]func(s *scene){
		"asks":    func(s *scene) { s.desk.judged.Told = false },
		"earlier": func(s *scene) { s.desk.stands(store.FeedbackSent, "") },
		"undo": func(s *scene) {
			s.desk.stands(store.FeedbackWaiting, "")
			s.desk.judged.Judgements[0].Due = noon.Add(4 * time.Second)
			s.desk.judged.Judgements[0].Comment = "REASON"
		},
		"waits":   func(s *scene) { s.desk.stands(store.FeedbackWaiting, "REASON") },
		"sending": func(s *scene) { s.desk.stands(store.FeedbackSending, "") },
		"refused": func(s *scene) { s.desk.stands(store.FeedbackRefused, "REASON") },
		"unknown": func(s *scene) { s.desk.stands(store.FeedbackUnknown, "REASON") },
	} {
		t.Run(name, func(t *testing.T) {
			for _, status := range []client.Status{client.Fake, client.Authentic, client.NotApplicable} {
				s := setup(t, look.ModeLight, 876)
				prepare(s)
				s.show(status)
				wordstest.Check(t, s.Object(), "REASON")
				if s.desk.judged.Judgements == nil && status == client.Fake {
					s.desk.failing = errors.New("REASON")
					s.agree.Tapped(nil)
					s.pump(2)
					wordstest.Check(t, s.Object(), "REASON")
				}
				for _, c := range s.Shortcuts() {
					wordstest.CheckTexts(t, []string{c.Keys, c.Does})
				}
			}
		})
	}
}
