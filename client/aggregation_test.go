package client_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/plain"
)

func aggregation(t testing.TB, text string) *client.AggregationData {
	t.Helper()
	a, err := client.ReadAggregation([]byte(text))
	assert.NoError(t, err)
	return a
}

const rotatedBox = `{"bbox":{"top_left":{"x":10,"y":0},"top_right":{"x":20,"y":10},"bottom_right":{"x":10,"y":20},"bottom_left":{"x":0,"y":10}},
	"conclusions":{"oak":{"decision":"ARTIFICIAL"},"elm":7}}`

func TestReadAggregation(t *testing.T) {
	t.Run("A8 boxes, rotated ones too, with each model's decision", func(t *testing.T) {
		a := aggregation(t, `{"image":{"width":640,"height":480},"bboxes":[`+rotatedBox+`]}`)
		want := []client.Box{{Corners: [4]client.Point{{X: 10, Y: 0}, {X: 20, Y: 10}, {X: 10, Y: 20}, {X: 0, Y: 10}}, Decisions: map[plain.Text]plain.Text{plain.From("oak"): plain.From("ARTIFICIAL")}}}
		if diff := cmp.Diff(want, a.Boxes); diff != "" || a.Width != 640 || a.Height != 480 {
			t.Errorf("%v × %v, %s", a.Width, a.Height, diff)
		}
	})
	t.Run("A8 chunks and scenes, in seconds, with scores as sent", func(t *testing.T) {
		a := aggregation(t, `{"chunks":[{"start":0,"end":3,"scores":{"slim":91.50,"deep":null},"decision":"ARTIFICIAL"}],"scenes":[{"startTime":1.5,"endTime":2,"score":4}],"languages":["English",3]}`)
		if len(a.Chunks) != 1 || a.Chunks[0].End != 3 || a.Chunks[0].Scores[plain.From("slim")].Sent() != "91.50" || a.Chunks[0].Decision.String() != "ARTIFICIAL" {
			t.Errorf("chunks %+v", a.Chunks)
		}
		if _, scored := a.Chunks[0].Scores[plain.From("deep")].Number(); scored {
			t.Error("an absent score became a number")
		}
		if len(a.Scenes) != 1 || a.Scenes[0].Start != 1.5 || a.Scenes[0].Score.Sent() != "4" {
			t.Errorf("scenes %+v", a.Scenes)
		}
		assert.Equal(t, []plain.Text{plain.From("English")}, a.Languages)
	})
	t.Run("A8 frames and tubes", func(t *testing.T) {
		a := aggregation(t, `{"frames":[{"time":0.5,"score":10},{"timestamp":1},{"score":3}],"tubes":[{"any":1},[2]]}`)
		if len(a.Frames) != 2 || a.Frames[0].Time != 0.5 || a.Frames[1].Time != 1 || len(a.Tubes) != 2 {
			t.Errorf("frames %+v, tubes %v", a.Frames, a.Tubes)
		}
	})
	t.Run("A8 every span and frame knows its place in the list as sent, so that its fields can be named, and what is left out is counted", func(t *testing.T) {
		a := aggregation(t, `{"chunks":[7,{"start":3,"end":2},{"start":0,"end":3}],"scenes":[null,{"start":1,"end":2}],
			"frames":[{"score":1},{"time":2,"scores":{"oak":4}}],"tubes":[{"box":1},{"start":1,"end":4,"decision":"ARTIFICIAL"}]}`)
		if len(a.Chunks) != 1 || a.Chunks[0].Index != 2 || len(a.Scenes) != 1 || a.Scenes[0].Index != 1 {
			t.Errorf("chunks %+v, scenes %+v", a.Chunks, a.Scenes)
		}
		if len(a.Frames) != 1 || a.Frames[0].Index != 1 || a.Frames[0].Scores[plain.From("oak")].Sent() != "4" {
			t.Errorf("frames %+v", a.Frames)
		}
		if len(a.Tubes) != 2 || a.Tubes[0].Segment != nil || a.Tubes[1].Segment == nil || a.Tubes[1].Segment.Index != 1 {
			t.Errorf("tubes %+v", a.Tubes)
		}
		assert.Equal(t, map[string]int{"chunks": 2, "scenes": 1, "frames": 1}, a.Unread)
	})
	t.Run("A8 conclusions, models and ensembles as object or list, in the order sent", func(t *testing.T) {
		a := aggregation(t, `{"conclusions":{"z":"one","a":{"decision":"x"}},"models":[{"name":"oak","score":1},5],"ensembles":{"e":1},"contextResult":{"k":1}}`)
		names := func(list []client.NamedJSON) (out []string) {
			for _, n := range list {
				out = append(out, n.Name.String())
			}
			return out
		}
		assert.Equal(t, [][]string{{"z", "a"}, {"oak", ""}, {"e"}}, [][]string{names(a.Conclusions), names(a.Models), names(a.Ensembles)})
		if string(a.Context) != `{"k":1}` {
			t.Errorf("context %s", a.Context)
		}
	})
	t.Run("A8 a part of another shape is skipped and spoils nothing, and all is kept", func(t *testing.T) {
		text := `{"bboxes":[3,{"bbox":"none"},{"bbox":{"top_left":{"x":"1","y":2}}},` + rotatedBox + `],"chunks":{"a":1},"scenes":[{"start":5,"end":2},{"start":1}],"frames":"many","tubes":7,"conclusions":null,"languages":"English","new":[{}]}`
		a := aggregation(t, text)
		if len(a.Boxes) != 1 || a.Chunks != nil || a.Scenes != nil || a.Frames != nil || a.Tubes != nil || a.Conclusions != nil || a.Languages != nil {
			t.Errorf("got %+v", a)
		}
		if string(a.Raw) != text {
			t.Error("it was not kept byte for byte")
		}
	})
	for _, text := range []string{``, `[]`, `null`, `"x"`, `{`} {
		t.Run("what is no object is said: "+text, func(t *testing.T) {
			_, err := client.ReadAggregation([]byte(text))
			wantKind(t, err, client.KindAnswer)
		})
	}
}

func FuzzAggregation(f *testing.F) {
	f.Add([]byte(`{"image":{"width":640,"height":480},"bboxes":[` + rotatedBox + `],"chunks":[{"start":0,"end":3,"scores":{"a":1}}],"frames":[{"time":1}],"tubes":[1],"conclusions":{"a":1},"languages":["x"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := client.ReadAggregation(data)
		if err != nil {
			return
		}
		for _, s := range append(a.Chunks, a.Scenes...) {
			if s.Start < 0 || s.End <= s.Start {
				t.Fatalf("a span of %v to %v", s.Start, s.End)
			}
		}
	})
}
