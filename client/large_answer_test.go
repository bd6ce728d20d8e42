package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
)

// manyModels is an answer with n models, of which the last is the ensemble.
func manyModels(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"requestId":"r1","overallStatus":"FAKE","models":[`)
	for i := range n - 1 {
		fmt.Fprintf(&b, `{"name":"svc-%d-img","status":"AUTHENTIC","predictionNumber":0.5,"normalizedPredictionNumber":%d.5,"data":{"decision":"AUTHENTIC"}},`, i, i%100)
	}
	b.WriteString(`{"name":"svc-img-ensemble","status":"FAKE","finalScore":99}]}`)
	return []byte(b.String())
}

// TestALargeAnswerIsReadInProportion counts what is allocated, which no other program's load changes: four times the models must
// not take more than five times as much.
func TestALargeAnswerIsReadInProportion(t *testing.T) {
	for name, read := range map[string]func(data []byte) error{
		"decoded": func(data []byte) error { return json.Unmarshal(data, new(client.Result)) },
		"made shareable": func(data []byte) error {
			if client.Shareable(data) == nil {
				return errors.New("it is no JSON")
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			allocated := func(n int) uint64 {
				data := manyModels(n)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				assert.NoError(t, read(data))
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			few, many := allocated(500), allocated(2000)
			if many > 5*few {
				t.Errorf("500 models take %d bytes and 2000 %d", few, many)
			}
		})
	}
}

// TestAWalkThroughTheListForgetsWhatItHasShown holds a walk at its last page and looks at what it still keeps of the others.
func TestAWalkThroughTheListForgetsWhatItHasShown(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about sizes, and starts nothing that other tests do not")
	}
	const pages, size = 40, 1 << 20
	for name, entry := range map[string]string{
		"entries without an identifier": `{"filename":"%d%s"}`,
		"identifiers of a megabyte":     `{"requestId":"%d%s"}`,
	} {
		t.Run(name, func(t *testing.T) {
			filling := strings.Repeat("x", size)
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				number, err := strconv.Atoi(path.Base(r.URL.Path))
				if err != nil || number >= pages {
					answer(http.StatusOK, "[]")(w, r)
					return
				}
				_, _ = fmt.Fprintf(w, "["+entry+"]", number, filling)
			})
			inUse := func() uint64 {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			before, shown := inUse(), 0
			for _, err := range connect(t, s.URL).Results(t.Context(), client.ListQuery{}) {
				assert.NoError(t, err)
				if shown++; shown == pages {
					if after := inUse(); after > before+pages*size/2 {
						t.Errorf("the walk keeps %d bytes of %d pages of %d bytes", after-before, pages, size)
					}
				}
			}
			if shown != pages {
				t.Errorf("%d results of %d", shown, pages)
			}
		})
	}
}

func TestOfVeryManyHeatmapsAHundredAreUsable(t *testing.T) {
	var models, heatmaps []string
	for i := range 20_000 {
		models = append(models, fmt.Sprintf(`{"name":"m%d","status":"FAKE"}`, i))
		heatmaps = append(heatmaps, fmt.Sprintf(`"m%d":"https://s.example/%d"`, i, i))
	}
	r := new(client.Result)
	assert.NoError(t, json.Unmarshal([]byte(`{"mediaType":"IMAGE","models":[`+strings.Join(models, ",")+`],"heatmaps":{`+strings.Join(heatmaps, ",")+`}}`), r))
	usable := r.UsableHeatmaps()
	if len(usable) != client.MaxHeatmaps || usable[99].Model.Verbatim() != "m99" {
		t.Errorf("%d heatmaps", len(usable))
	}
	if client.HeatmapOf("m99")(r) == "" || client.HeatmapOf("m100")(r) != "" {
		t.Error("others are fetched than are usable")
	}
}
