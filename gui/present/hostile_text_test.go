package present_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/plain/plaintest"
	"assay/client/submission"
	"assay/gui/inbox"
	"assay/gui/present"
	"assay/gui/results"
	"assay/gui/viewer/details"
	"assay/gui/viewer/picture"
)

// verbatim are fields that are opened, copied or asked for, and never shown themselves.
var verbatim = map[string]bool{"Copy": true, "Path": true, "Link": true, "Folder": true, "Request": true, "RequestID": true, "Status": true, "Sent": true}

// wantShown looks at every text of a view model, through whatever holds it. What has lines of its own is told by "\n" between them.
func wantShown(t *testing.T, at string, v reflect.Value) {
	t.Helper()
	if s, ok := v.Interface().(fmt.Stringer); ok && v.Kind() == reflect.Struct {
		plaintest.OneLine(t, s.String())
		return
	}
	switch v.Kind() {
	case reflect.String:
		t.Run(at, func(t *testing.T) { plaintest.OneLine(t, v.String()) })
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			wantShown(t, at, v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			wantShown(t, at, v.Index(i))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			wantShown(t, at, k)
			wantShown(t, at, v.MapIndex(k))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !verbatim[f.Name] {
				wantShown(t, at+"."+f.Name, v.Field(i))
			}
		}
	}
}

func TestNoTextFromOutsideIsShownAsItCame(t *testing.T) {
	now := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	for _, text := range plaintest.Hostile() {
		said, err := json.Marshal(text)
		assert.NoError(t, err)
		q := string(said)
		answer := func(status string) *client.Result {
			r := new(client.Result)
			assert.NoError(t, json.Unmarshal([]byte(`{"requestId":`+q+`,"originalFileName":`+q+`,"mediaType":"IMAGE","releaseVersion":`+q+`,"overallStatus":`+status+`,
				"resultsSummary":{"status":`+q+`,"error":{"code":`+q+`,"message":`+q+`},"metadata":{"languages":[`+q+`],"reasons":[{"code":`+q+`,"message":`+q+`}]}},
				"heatmaps":{`+q+`:"https://s.example/1"},
				"models":[{"name":`+q+`,"status":"FAKE","predictionNumber":`+q+`,"normalizedPredictionNumber":9},{"name":`+q+`,"status":`+q+`,"error":`+q+`,"data":{"decision":`+q+`}},
				{"name":"n","status":"NOT_APPLICABLE","code":`+q+`,"error":{"code":`+q+`,"message":`+q+`}}]}`), r))
			return r
		}
		aggregation, err := client.ReadAggregation([]byte(`{"bboxes":[{"bbox":{"top_left":{"x":1,"y":1},"top_right":{"x":2,"y":1},"bottom_right":{"x":2,"y":2},"bottom_left":{"x":1,"y":2}},
			"conclusions":{` + q + `:{"decision":` + q + `}}}],"chunks":[{"start":0,"end":1,"decision":` + q + `,"score":1,"scores":{` + q + `:2}}],
			"scenes":[{"start":0,"end":1,"decision":"ARTIFICIAL","scores":{` + q + `:2}}],"frames":[{"time":1,"decision":` + q + `,"scores":{` + q + `:3}}],"languages":[` + q + `]}`))
		assert.NoError(t, err)
		models := map[string]any{"boxes": picture.BoxesOf(aggregation), "timeline": present.TimelineOf(aggregation)}
		for _, lane := range present.TimelineOf(aggregation).Lanes {
			models["lane "+lane.Part] = lane.Counts()
			for _, span := range lane.Spans {
				plaintest.OneLine(t, span.Label())
				plaintest.Lines(t, span.Source())
			}
		}
		f, err := facts.Read(t.Context(), strings.NewReader("ID3"), 3, text)
		assert.NoError(t, err)
		for _, status := range []string{`"NOT_APPLICABLE"`, `"UNABLE_TO_EVALUATE"`, `"FAKE"`, `"ANALYZING"`, q} {
			s := submission.Submission{ID: "a", Name: "a.jpg", SendName: "b.jpg", Path: "/" + text, Folder: "/f/" + text, Source: submission.Watched, State: submission.Done, RequestID: text,
				Type: client.Image, Size: 9, SHA256: "5a", Result: answer(status), Answered: now, Accepted: now}
			v := present.ViewerOf(s, now)
			row := results.RowOf(s)
			models["viewer "+status], models["row "+status], models["inbox "+status] = v, row, inbox.RowOf(s)
			models["text "+status] = strings.TrimSuffix(results.CopiedText([]results.Row{row}, now, false), "\n")
			models["details "+status] = details.Of(s, f, nil, false)
			models["score "+status] = v.ScoreSource()
			for _, model := range v.Heatmaps {
				models["heatmap "+status] = present.HeatmapNote(model)
			}
			for _, bar := range v.Bars {
				plaintest.Lines(t, bar.Source())
			}
		}
		for name, model := range models {
			t.Run(fmt.Sprintf("%s: %.20q", name, text), func(t *testing.T) { wantShown(t, "", reflect.ValueOf(model)) })
		}
		t.Run(fmt.Sprintf("problem: %.20q", text), func(t *testing.T) { plaintest.OneLine(t, present.Problem(fmt.Errorf("%s", text))) })
	}
}
