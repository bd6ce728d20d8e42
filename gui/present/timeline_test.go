package present_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/verdict"
	"assay/gui/present"
)

func timelineOf(t *testing.T, text string) present.Timeline {
	t.Helper()
	a, err := client.ReadAggregation([]byte(text))
	assert.NoError(t, err)
	return present.TimelineOf(a)
}

// spansOf are the spans of a timeline's only lane.
func spansOf(t *testing.T, text string) []present.Span {
	t.Helper()
	timeline := timelineOf(t, text)
	if len(timeline.Lanes) != 1 {
		t.Fatalf("%d lanes", len(timeline.Lanes))
	}
	return timeline.Lanes[0].Spans
}

func TestTimelineShowsWhatWasReported(t *testing.T) {
	t.Run("A8 known parts are lanes, and what is of another shape is skipped and counted", func(t *testing.T) {
		timeline := timelineOf(t, `{"chunks":[{"start":0,"end":3,"decision":"ARTIFICIAL","score":91.5},7,{"start":4}],
			"scenes":{"not":"a list"},"frames":[{"time":2,"score":4},"none"],"tubes":[{"start":1,"end":5},{"box":[1]},{"box":[2]}]}`)
		var names []string
		for _, lane := range timeline.Lanes {
			names = append(names, lane.Name)
		}
		assert.Equal(t, []string{"Audio", "Frames", "Tubes"}, names)
		if want := "In the data, but without a time to show them at: 2 parts of the sound, 1 frame, 2 tubes."; timeline.Unplaced != want {
			t.Errorf("%q", timeline.Unplaced)
		}
		if timeline.End != 5 {
			t.Errorf("it ends at %v", timeline.End)
		}
	})
	t.Run("A8 nothing that is known is nothing", func(t *testing.T) {
		for _, text := range []string{`{}`, `{"chunks":7,"scenes":null,"frames":{},"tubes":"x"}`, `{"chunks":[]}`} {
			if timeline := timelineOf(t, text); len(timeline.Lanes) != 0 || timeline.Worst != nil || timeline.Unplaced != "" {
				t.Errorf("%s: %+v", text, timeline)
			}
		}
		if timeline := present.TimelineOf(nil); len(timeline.Lanes) != 0 {
			t.Error("out of nothing came lanes")
		}
	})
	t.Run("spans come by time, whatever their order, and may overlap", func(t *testing.T) {
		var at []float64
		for _, s := range spansOf(t, `{"chunks":[{"start":6,"end":9},{"start":0,"end":7},{"start":0,"end":3}]}`) {
			at = append(at, s.Start, s.End)
		}
		assert.Equal(t, []float64{0, 3, 0, 7, 6, 9}, at)
	})
	t.Run("a span without length is an instant, and what is no time is dropped", func(t *testing.T) {
		timeline := present.TimelineOf(&client.AggregationData{Chunks: []client.Segment{
			{Start: 4, End: 2}, {Start: math.NaN(), End: 2}, {Start: 1, End: math.Inf(1)}, {Start: -3, End: 1},
		}})
		spans := timeline.Lanes[0].Spans
		if len(spans) != 2 || spans[0].Start != 0 || spans[0].End != 1 || spans[1].Start != 4 || spans[1].End != 4 {
			t.Errorf("%+v", spans)
		}
	})
	t.Run("thousands of spans keep their fields", func(t *testing.T) {
		var entries []string
		for i := range 5000 {
			entries = append(entries, fmt.Sprintf(`{"start":%d,"end":%d,"score":%d}`, 3*(4999-i), 3*(4999-i)+3, i%100))
		}
		spans := spansOf(t, `{"chunks":[`+strings.Join(entries, ",")+`]}`)
		if len(spans) != 5000 || spans[0].Field != "chunks[4999]" || spans[0].Score.Field != "chunks[4999].score" {
			t.Errorf("%d spans, the first %+v", len(spans), spans[0])
		}
	})
}

func TestTimelineDecisionsAreSaidAsVerdictsAre(t *testing.T) {
	for decision, want := range map[string]struct {
		mark verdict.Mark
		word string
	}{
		"FAKE":           {verdict.MarkFake, verdict.Say(client.Fake).Short},
		"ARTIFICIAL":     {verdict.MarkFake, verdict.Say(client.Fake).Short},
		"artificial":     {verdict.MarkFake, verdict.Say(client.Fake).Short},
		"SUSPICIOUS":     {verdict.MarkSuspicious, verdict.Say(client.Suspicious).Short},
		"AUTHENTIC":      {verdict.MarkAuthentic, verdict.Say(client.Authentic).Short},
		"NOT_APPLICABLE": {verdict.MarkNotAssessable, verdict.Say(client.NotApplicable).Short},
		"LOUD-ish":       {verdict.MarkNone, "LOUD-ish"},
		"":               {verdict.MarkNone, "no decision reported"},
	} {
		t.Run("decision "+decision, func(t *testing.T) {
			s := spansOf(t, fmt.Sprintf(`{"scenes":[{"start":0,"end":1,"decision":%q}]}`, decision))[0]
			if s.Mark != want.mark || s.Word != want.word {
				t.Errorf("%q, %q", s.Mark, s.Word)
			}
		})
	}
}

func TestTimelineNumbers(t *testing.T) {
	t.Run("every number is in the JSON, at the field named, as sent", func(t *testing.T) {
		text := `{"chunks":[{"end":3,"start":0},{"start":3,"end":6,"score":0.50,"scores":{"oak":91.50,"a.b \"c\"":1e1}}]}`
		s := spansOf(t, text)[1]
		got := map[string]string{}
		for _, score := range s.Scores {
			got[score.Field] = score.Sent
			if !strings.Contains(text, score.Sent) {
				t.Errorf("%s was not sent", score.Sent)
			}
		}
		want := map[string]string{"chunks[1].score": "0.50", "chunks[1].scores.oak": "91.50", `chunks[1].scores["a.b \"c\""]`: "1e1"}
		assert.Equal(t, want, got)
	})
	t.Run("absent, null and what is no number are no score, and never zero", func(t *testing.T) {
		for _, score := range []string{``, `,"score":null`, `,"score":"91"`, `,"score":{"v":1}`, `,"scores":{"oak":null}`, `,"scores":[1]`} {
			s := spansOf(t, `{"chunks":[{"start":0,"end":1`+score+`}]}`)[0]
			if s.Score != nil || len(s.Scores) != 0 || !strings.Contains(s.Source(), verdict.NoScore) {
				t.Errorf("%s: %+v, %s", score, s.Score, s.Source())
			}
		}
		if s := spansOf(t, `{"chunks":[{"start":0,"end":1,"score":0}]}`)[0]; s.Score == nil || s.Score.Text != "0" {
			t.Errorf("a zero that was sent is %+v", s.Score)
		}
	})
	t.Run("the one shown is the part's own, else the ensemble's, else the only one; of several models none speaks for the others", func(t *testing.T) {
		for scores, want := range map[string]string{
			`"score":7,"scores":{"x-ensemble":8}`:     "chunks[0].score",
			`"scores":{"oak":9,"svc-aud-ensemble":8}`: "chunks[0].scores.svc-aud-ensemble",
			`"scores":{"oak":9}`:                      "chunks[0].scores.oak",
			`"scores":{"oak":9,"elm":3}`:              "",
			`"scores":{"an-ensemble":9,"ensemble":3}`: "",
		} {
			s := spansOf(t, `{"chunks":[{"start":0,"end":1,`+scores+`}]}`)[0]
			got := ""
			if s.Score != nil {
				got = s.Score.Field
			}
			if got != want {
				t.Errorf("%s: %q, want %q", scores, got, want)
			}
		}
	})
	t.Run("in one lane the numbers shown are of one name", func(t *testing.T) {
		spans := spansOf(t, `{"chunks":[{"start":0,"end":1,"scores":{"oak":9}},{"start":1,"end":2,"score":3}]}`)
		if spans[0].Score != nil || spans[1].Score == nil {
			t.Errorf("%+v, %+v", spans[0].Score, spans[1].Score)
		}
	})
	t.Run("rounded as every score is, never to an end, and raw ones not to a whole number", func(t *testing.T) {
		for sent, want := range map[string]string{
			"97": "97", "9.25": "9", "1.0": "1", "100.0": "100", "0.0": "0", "0.60": "0.6", "0.597": "0.6", "97.33333": "97", "0.5": "0.5", "0.97312": "0.97", "0.99812": ">0.99", "0.00021": "<0.01",
			"99.99": ">99.9", "1.0000": "1", "-3.25": "-3.25", "140.125": "140.125",
		} {
			if s := spansOf(t, `{"chunks":[{"start":0,"end":1,"score":`+sent+`}]}`)[0]; s.Score.Text != want || s.Score.Sent != sent {
				t.Errorf("%s: %q, want %q", sent, s.Score.Text, want)
			}
		}
	})
}

func TestTimelineWorst(t *testing.T) {
	for name, tt := range map[string]struct {
		json, field string
		at          float64
	}{
		"FAKE goes before SUSPICIOUS, whatever the numbers": {`"chunks":[{"start":0,"end":3,"decision":"SUSPICIOUS","score":99},{"start":3,"end":6,"decision":"FAKE","score":2}]`, "chunks[1]", 3},
		"among equals the highest":                          {`"chunks":[{"start":0,"end":3,"decision":"FAKE","score":9},{"start":3,"end":6,"decision":"ARTIFICIAL","score":80},{"start":6,"end":9,"decision":"FAKE","score":12}]`, "chunks[1]", 3},
		"of equal numbers the first":                        {`"chunks":[{"start":3,"end":6,"decision":"FAKE","score":9},{"start":0,"end":3,"decision":"FAKE","score":9}]`, "chunks[1]", 0},
		"a number goes before none":                         {`"chunks":[{"start":0,"end":3,"decision":"FAKE"},{"start":3,"end":6,"decision":"FAKE","score":0}]`, "chunks[1]", 3},
		"numbers of several models decide nothing":          {`"chunks":[{"start":0,"end":3,"decision":"FAKE","scores":{"a":1,"b":2}},{"start":3,"end":6,"decision":"FAKE","scores":{"a":9,"b":9}}]`, "chunks[0]", 0},
		"numbers of two lanes are not compared":             {`"scenes":[{"start":0,"end":3,"decision":"FAKE","score":0.5}],"frames":[{"time":7,"decision":"FAKE","score":90}]`, "scenes[0]", 0},
		"a graver one of a later lane is the worst":         {`"scenes":[{"start":0,"end":3,"decision":"SUSPICIOUS","score":90}],"frames":[{"time":7,"decision":"FAKE"}]`, "frames[0]", 7},
	} {
		t.Run(name, func(t *testing.T) {
			timeline := timelineOf(t, `{`+tt.json+`}`)
			w := timeline.Worst
			if w == nil {
				t.Fatal("none")
			}
			if got := timeline.Lanes[w.Lane].Spans[w.Span].Field; got != tt.field || w.At != tt.at {
				t.Errorf("%s at %v", got, w.At)
			}
			if !strings.Contains(w.Label, present.ClockTick(tt.at, 1)) || !strings.Contains(w.Why, timeline.Lanes[w.Lane].Spans[w.Span].Word) {
				t.Errorf("%q, %q", w.Label, w.Why)
			}
		})
	}
	t.Run("where nothing was flagged there is none, however high the numbers", func(t *testing.T) {
		if w := timelineOf(t, `{"chunks":[{"start":0,"end":3,"decision":"AUTHENTIC","score":99},{"start":3,"end":6,"score":98},{"start":6,"end":9,"decision":"ODD"}]}`).Worst; w != nil {
			t.Errorf("%+v", w)
		}
	})
	t.Run("it is named after what it is a part of", func(t *testing.T) {
		for json, want := range map[string]string{
			`"chunks":[{"start":66,"end":67,"decision":"FAKE"}]`: "Strongest part 01:06",
			`"scenes":[{"start":6,"end":7,"decision":"FAKE"}]`:   "Strongest scene 00:06",
			`"frames":[{"time":6.9,"decision":"FAKE"}]`:          "Strongest frame 00:06",
		} {
			if got := timelineOf(t, `{`+json+`}`).Worst.Label; got != want {
				t.Errorf("%q", got)
			}
		}
	})
}

func TestTimelineCountsAndEnds(t *testing.T) {
	t.Run("a lane counts what was reported, the gravest first", func(t *testing.T) {
		timeline := timelineOf(t, `{"chunks":[{"start":0,"end":1,"decision":"AUTHENTIC"},{"start":1,"end":2,"decision":"AUTHENTIC"},{"start":2,"end":3,"decision":"FAKE"},{"start":3,"end":4,"decision":"ODD"}]}`)
		if got, want := timeline.Lanes[0].Counts(), "4 parts: 1 likely manipulated, 2 no sign found, 1 ODD"; got != want {
			t.Errorf("%q", got)
		}
		var many []string
		for i := range 40 {
			many = append(many, fmt.Sprintf(`{"start":%d,"end":%d,"decision":"KIND%d"}`, i, i+1, i))
		}
		if got := timelineOf(t, `{"scenes":[`+strings.Join(many, ",")+`]}`).Lanes[0].Counts(); len(got) > 80 {
			t.Errorf("%q", got)
		}
	})
	t.Run("what was reported for after the file's end is said", func(t *testing.T) {
		timeline := timelineOf(t, `{"chunks":[{"start":0,"end":31},{"start":40,"end":43.25}]}`)
		if got, want := timeline.Beyond(30), "1 part was reported after the end of the file, which is at 00:30.0; the last ends at 00:43.2."; got != want {
			t.Errorf("%q", got)
		}
		if got := timeline.Beyond(0) + timeline.Beyond(60); got != "" {
			t.Errorf("%q", got)
		}
	})
	t.Run("moments", func(t *testing.T) {
		for seconds, want := range map[float64]string{
			0: "00:00.0 00:00", 9.2: "00:09.2 00:09", 59.999: "00:59.9 00:59", 60: "01:00.0 01:00", 3599.95: "59:59.9 59:59",
			3723.4: "1:02:03.4 1:02:03", -4: "00:00.0 00:00", 0.3: "00:00.3 00:00", 1e300: "277777:46:40.0 277777:46:40",
		} {
			if got := present.ClockTick(seconds, 0.5) + " " + present.ClockTick(seconds, 1); got != want {
				t.Errorf("%v: %q, want %q", seconds, got, want)
			}
		}
		if got := []string{present.ClockOf(9.2, 30), present.ClockOf(9.2, 7200), present.ClockOf(3723.4, 7200)}; !slices.Equal(got, []string{"00:09.2", "0:00:09.2", "1:02:03.4"}) {
			t.Errorf("%q", got)
		}
	})
}
