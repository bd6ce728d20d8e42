package present_test

import (
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/inbox"
	"assay/gui/present"
	"assay/gui/present/presenttest"
	"assay/gui/results"
	"assay/gui/viewer/feedback"
)

// contradictory says AUTHENTIC, and by its summary and its ensemble FAKE at 99.
const contradictory = `{"mediaType":"IMAGE","overallStatus":"AUTHENTIC","resultsSummary":{"status":"FAKE"},"models":[
	{"name":"svc-img-ensemble","status":"FAKE","finalScore":99},{"name":"oak","status":"FAKE","finalScore":98,"data":{"decision":"AUTHENTIC"}}]}`

func TestAContradictionIsSaidOnEverySurface(t *testing.T) {
	const headline, said = "The service contradicts itself: needs a human look", "overall: AUTHENTIC; summary: FAKE; ensemble model svc-img-ensemble: FAKE, 99 of 100"
	s := submission.Submission{ID: "1", Name: "a.jpg", State: submission.Done, RequestID: "r", Result: presenttest.Result(t, contradictory)}
	v := present.ViewerOf(s, time.Now())
	t.Run("the card says it first, then what each part says", func(t *testing.T) {
		if v.Verdict.Headline != headline || v.Verdict.Mark != verdict.MarkSuspicious || v.Body[0] != said {
			t.Errorf("%q, %q, %q", v.Verdict.Headline, v.Verdict.Mark, v.Body)
		}
	})
	t.Run("a model's decision that is the opposite of its status is said at its row", func(t *testing.T) {
		const want = "contradicts itself: status FAKE, decision AUTHENTIC"
		if b := v.Bars[1]; b.Contradiction != want || b.Mark != verdict.MarkSuspicious || !strings.Contains(b.Source(), "oak: "+want) || v.BelowBars != "oak: "+want {
			t.Errorf("%+v: %q", b, b.Source())
		}
		if b := v.Bars[0]; b.Contradiction != "" || b.Mark != verdict.MarkFake {
			t.Errorf("%+v", b)
		}
	})
	t.Run("the row of the inbox", func(t *testing.T) {
		row := inbox.RowOf(s)
		if row.State != "Contradicts itself" || row.Mark != verdict.MarkSuspicious || row.Detail != said || row.Urgency != inbox.UrgencySuspicious {
			t.Errorf("%+v", row)
		}
	})
	t.Run("the row of the results", func(t *testing.T) {
		row := results.RowOf(s)
		if row.Words != "Contradicts itself" || row.Mark != verdict.MarkSuspicious || row.Line != headline+" ("+said+")" {
			t.Errorf("%+v", row)
		}
	})
	t.Run("there is nothing to agree with", func(t *testing.T) {
		f := feedback.Of(v, feedback.GivenFeedback{RequestID: "r"}, nil, time.Now())
		if f.Agree != nil || f.Disagree != nil || f.WhyNone != "" || !strings.HasPrefix(f.WhyNot, "The service contradicts itself") {
			t.Errorf("%+v", f)
		}
	})
	t.Run("the history says both, and what changed", func(t *testing.T) {
		now, other := time.Now(), presenttest.Result(t, `{"overallStatus":"AUTHENTIC","models":[{"name":"x-ensemble","status":"FAKE"}]}`)
		h := present.HistoryOf([]present.AnsweredAt{{At: now, Of: s, Result: s.Result}, {At: now, Of: s, Result: other}, {At: now, Of: s, Result: presenttest.Result(t, `{"overallStatus":"AUTHENTIC"}`)}}, nil, "1", now)
		if a := h.Answers[0]; a.Words != headline || a.Mark != verdict.MarkSuspicious || a.Score != said {
			t.Errorf("%+v", a)
		}
		for i, want := range []string{
			"Verdict: Contradicts itself (overall: AUTHENTIC; ensemble model x-ensemble: FAKE) → Contradicts itself (" + said + ")",
			"Verdict: No sign found → Contradicts itself (overall: AUTHENTIC; ensemble model x-ensemble: FAKE)",
		} {
			assert.Equal(t, want, h.Answers[i].Changes[0])
		}
	})
}
