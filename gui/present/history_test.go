package present_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/custody"
	"assay/client/submission"
	"assay/gui/present"
	"assay/gui/present/presenttest"
)

func TestHistory(t *testing.T) {
	at := time.Date(2026, 11, 21, 14, 8, 0, 0, time.UTC)
	before := presenttest.Result(t, `{"overallStatus":"SUSPICIOUS","releaseVersion":"2.13.0","resultsSummary":{"metadata":{"finalScore":61}},"models":[
		{"name":"oak","status":"FAKE","normalizedPredictionNumber":70},{"name":"old","status":"AUTHENTIC","normalizedPredictionNumber":4}]}`)
	after := presenttest.Result(t, `{"overallStatus":"FAKE","releaseVersion":"2.14.0","resultsSummary":{"metadata":{"finalScore":88}},"models":[
		{"name":"oak","status":"FAKE","normalizedPredictionNumber":93},{"name":"new","status":"NOT_APPLICABLE","code":"not_applicable"}]}`)
	answers := []present.AnsweredAt{
		{At: at, Of: submission.Submission{ID: "b", RequestID: "r-b"}, Result: after},
		{At: at.Add(-time.Hour), Of: submission.Submission{ID: "a", RequestID: "r-a", Source: submission.Service}, Result: before},
	}
	t.Run("same file, new release: both are kept and compared", func(t *testing.T) {
		h := present.HistoryOf(answers, nil, "b", at)
		want := []string{"Verdict: Suspicious → Likely manipulated", "Ensemble: 61 → 88", "Release: 2.13.0 → 2.14.0",
			"oak: Likely manipulated 70 → Likely manipulated 93", "new: not among the models → not applicable",
			"old: No sign found 4 → not among the models"}
		assert.Equal(t, want, h.Answers[0].Changes)
		if len(h.Answers[1].Changes) != 0 || !strings.Contains(h.Answers[1].About, "by another device") {
			t.Errorf("the first: %+v", h.Answers[1])
		}
	})
	t.Run("R17 each names its release", func(t *testing.T) {
		h := present.HistoryOf(answers, nil, "b", at)
		if !strings.Contains(h.Answers[0].About, "release 2.14.0") || !strings.Contains(h.Answers[1].About, "release 2.13.0") {
			t.Errorf("%q and %q", h.Answers[0].About, h.Answers[1].About)
		}
	})
	t.Run("of the answers of one submission the newest is the one shown", func(t *testing.T) {
		both := []present.AnsweredAt{{At: at, Of: submission.Submission{ID: "b"}, Result: after}, {At: at, Of: submission.Submission{ID: "b"}, Result: before}}
		h := present.HistoryOf(both, nil, "b", at)
		if !h.Answers[0].Shown || h.Answers[1].Shown {
			t.Errorf("shown: %v, %v", h.Answers[0].Shown, h.Answers[1].Shown)
		}
	})
	t.Run("nothing changed is said", func(t *testing.T) {
		h := present.HistoryOf([]present.AnsweredAt{{Result: after}, {Result: after}}, nil, "", at)
		assert.Equal(t, []string{"The same verdict and scores as before."}, h.Answers[0].Changes)
	})
	t.Run("an absent score is said, and is no zero", func(t *testing.T) {
		h := present.HistoryOf([]present.AnsweredAt{{Result: presenttest.Result(t, `{"overallStatus":"FAKE"}`)}}, nil, "", at)
		if h.Answers[0].Score != "no score reported" {
			t.Errorf("%q", h.Answers[0].Score)
		}
	})
	t.Run("scores that round to the same are compared as sent", func(t *testing.T) {
		answer := func(score string) present.AnsweredAt {
			return present.AnsweredAt{Result: presenttest.Result(t, `{"overallStatus":"FAKE","resultsSummary":{"metadata":{"finalScore":`+score+`}},
				"models":[{"name":"oak","status":"FAKE","normalizedPredictionNumber":`+score+`}]}`)}
		}
		h := present.HistoryOf([]present.AnsweredAt{answer("87.4"), answer("87.1")}, nil, "", at)
		assert.Equal(t, []string{"Ensemble: 87.1 → 87.4", "oak: 87.1 → 87.4"}, h.Answers[0].Changes)
	})
	t.Run("an answer that can't be read stands there all the same", func(t *testing.T) {
		h := present.HistoryOf([]present.AnsweredAt{{Result: nil}, {Result: after}}, nil, "", at)
		if len(h.Answers) != 2 || h.Answers[0].Words != "Its answer can't be read" || h.Answers[0].Changes != nil {
			t.Errorf("%+v", h.Answers)
		}
	})
	entry := custody.Entry{Seq: 1, At: at, Submission: "b", Event: "answered", Facts: json.RawMessage(`{}`)}
	entry.Hash = entry.Sum()
	t.Run("the custody log is told with seconds and zone", func(t *testing.T) {
		h := present.HistoryOf(nil, []custody.Entry{entry}, "b", at)
		if h.Broken != "" || h.Log[0].Event != "Answered" || !strings.Contains(h.Log[0].When, "14:08:00") {
			t.Errorf("%+v", h)
		}
	})
	t.Run("an entry that was changed is said", func(t *testing.T) {
		changed := entry
		changed.Event = "sent"
		if h := present.HistoryOf(nil, []custody.Entry{changed}, "b", at); !strings.Contains(h.Broken, "Entry 1") {
			t.Errorf("%q", h.Broken)
		}
	})
}

func TestBarsTellAllTheirNumbers(t *testing.T) {
	v := present.ViewerOf(submission.Submission{Result: presenttest.Result(t, `{"mediaType":"VIDEO","models":["no model",
		{"name":"erie","status":"FAKE","predictionNumber":0.871,"normalizedPredictionNumber":93.2,"rollingAvgNumber":90.5,"finalScore":91,"data":{"decision":"ARTIFICIAL"}},
		{"name":"tahoe","status":"FAKE","predictionNumber":{"reason":"x"},"finalScore":80},
		{"name":"slim","status":"UNABLE_TO_EVALUATE","error":{"code":"model-error","message":"Too long."}}]}`)}, time.Now())
	t.Run("R10 rolling averages and final scores are told beside the normalised score", func(t *testing.T) {
		want := "models[1].normalizedPredictionNumber = 93.2\nmodels[1].rollingAvgNumber = 90.5 (rolling average)\n" +
			"models[1].finalScore = 91 (final score)\nmodels[1].predictionNumber = 0.871 (raw score, on its own scale)\n" +
			"Its decision, as sent: ARTIFICIAL"
		assert.Equal(t, want, v.Bars[0].Source())
	})
	t.Run("R9 a raw score that is no number is told as sent", func(t *testing.T) {
		want := "models[2].finalScore = 80\nmodels[2].predictionNumber = {\"reason\":\"x\"} (raw score, on its own scale)"
		assert.Equal(t, want, v.Bars[1].Source())
	})
	t.Run("R12 why a model failed is told", func(t *testing.T) {
		if got := v.Bars[2].Source(); got != "slim: failed\nThe service says: “Too long.”\nIts reason code: model-error" {
			t.Errorf("%q", got)
		}
	})
}
