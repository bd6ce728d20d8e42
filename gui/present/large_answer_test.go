package present_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/present"
	"assay/gui/present/presenttest"
)

// manyModels is an answer with n models that apply and as many that do not; the last of those that apply flagged the file.
func manyModels(t *testing.T, n int, score string) *client.Result {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"mediaType":"IMAGE","overallStatus":"FAKE","heatmaps":{`)
	for i := range n {
		fmt.Fprintf(&b, `"f%d":"https://s.example/%d",`, i, i)
	}
	b.WriteString(`"x":""},"models":[`)
	for i := range n - 2 {
		fmt.Fprintf(&b, `{"name":"a%d","status":"AUTHENTIC","finalScore":%s},{"name":"n%d","status":"NOT_APPLICABLE"},{"name":"f%d","status":"FAKE"},`, i, score, i, i)
	}
	b.WriteString(`{"name":"flagged","status":"FAKE"},{"name":"x-ensemble","status":"FAKE"}]}`)
	return presenttest.Result(t, b.String())
}

func TestAnAnswerOfVeryManyModelsIsCut(t *testing.T) {
	const n = 10_000
	large := manyModels(t, n, "3")
	v := present.ViewerOf(submission.Submission{ID: "1", Result: large}, time.Now())
	t.Run("a hundred bars, the ensemble and what was flagged first, the rest counted", func(t *testing.T) {
		if len(v.Bars) != 100 || v.Bars[0].Name != "x-ensemble" || v.Bars[1].Name != "f0" || v.Bars[99].Name != "f98" {
			t.Errorf("%d bars: %+v", len(v.Bars), v.Bars[:2])
		}
		if want := "and 19,898 more models: all are in the data"; v.BelowBars != want {
			t.Errorf("it says %q, want %q", v.BelowBars, want)
		}
	})
	t.Run("of those that do not apply the first are named, the rest counted", func(t *testing.T) {
		if len(v.NotBars) != 101 || v.NotBars[100] != "and 9,898 more" {
			t.Errorf("%d: %q", len(v.NotBars), v.NotBars[max(0, len(v.NotBars)-1)])
		}
	})
	t.Run("as many heatmaps can be chosen", func(t *testing.T) {
		if len(v.Heatmaps) != 100 {
			t.Errorf("%d heatmaps", len(v.Heatmaps))
		}
	})
	t.Run("so are the changes from one answer to the next", func(t *testing.T) {
		h := present.HistoryOf([]present.AnsweredAt{{Result: large}, {Result: manyModels(t, n, "4")}}, nil, "", time.Now())
		changes := h.Answers[0].Changes
		if len(changes) != 101 || changes[100] != "and 9,898 more" {
			t.Errorf("%d changes, the last is %q", len(changes), changes[len(changes)-1])
		}
	})
	t.Run("of fewer there is nothing to say", func(t *testing.T) {
		if v := present.ViewerOf(submission.Submission{ID: "1", Result: manyModels(t, 30, "3")}, time.Now()); v.BelowBars != "" || len(v.Bars) != 58 || len(v.NotBars) != 28 {
			t.Errorf("%q, %d bars, %d apart", v.BelowBars, len(v.Bars), len(v.NotBars))
		}
	})
}

// TestPartsOfVeryManyDecisionsAreCountedInProportion compares times of one run, the best of each: eight times the parts may
// not take thirty times as long. Looked for among all parts, each decision would make that sixty-four times.
func TestPartsOfVeryManyDecisionsAreCountedInProportion(t *testing.T) {
	lane := func(n int) present.Lane {
		l := present.Lane{Part: "chunks", Spans: []present.Span{{Word: "No sign found"}}}
		for i := range n {
			l.Spans = append(l.Spans, present.Span{Word: fmt.Sprintf("d%d", i)})
		}
		return present.Lane{Part: l.Part, Spans: append(l.Spans, present.Span{Word: "Likely manipulated", Mark: verdict.MarkFake})}
	}
	const few, many = 500, 4000 // the processor is not taken away during most of the shorter, and some of the longer
	took := map[int]time.Duration{few: time.Hour, many: time.Hour}
	for round, began := 1, time.Now(); time.Since(began) < time.Minute; round++ { // others may have it most of the time
		for n := range took {
			l := lane(n)
			began := time.Now()
			if got, want := l.Counts(), fmt.Sprintf("%s parts: 1 , 1 , 1 , 1 , others", i18n.Count(len(l.Spans))); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
			took[n] = min(took[n], time.Since(began))
		}
		if round >= 20 && took[many] <= 30*took[few] {
			return
		}
	}
	t.Errorf("%d parts take %v, and %d %v", few, took[few], many, took[many])
}
