package gui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/sandbox"
	"assay/gui/chart"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
)

// evidence is a window whose service's answers and files a test words, with clocks that it moves.
type evidence struct {
	*fixture
	*witness
	client *client.Client
	server *httptest.Server
	folder string        // of the person's own files
	here   movedClock    // this computer's clock
	later  chan struct{} // each lets the time pass that feedback waits for
}

func setupEvidence(t *testing.T) *evidence {
	t.Helper()
	e := &evidence{witness: &witness{files: map[string][]byte{}}, folder: t.TempDir(), later: make(chan struct{}, 100)}
	_, e.server = newSandbox(t, sandbox.Options{Now: e.clock.now}, func(box *sandbox.Sandbox) http.Handler {
		e.Sandbox = box
		return e.witness
	})
	t.Cleanup(func() { e.server.Close() }) // a test puts another one in its place
	e.client = newClient(t, client.Options{BaseURL: e.server.URL, Key: e.Key, Attempts: 1, Now: e.here.now})
	e.fixture = setupOn(t, e.client, sessionOptions{pollMin: 5 * time.Millisecond, now: e.here.now, wait: func(ctx context.Context, d time.Duration) error {
		select {
		case <-e.later:
			e.here.move(d)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}})
	e.feedbackBar.Tick = func(time.Duration, func()) func() { return func() {} } // the test moves the clock
	return e
}

// send has a file analysed.
func (e *evidence) send(name string, content []byte) (id, path string) {
	e.T.Helper()
	path = filepath.Join(e.folder, name)
	assert.NoError(e.T, os.WriteFile(path, content, 0o600))
	e.drop(path)
	e.Until(name+" is answered", func() bool {
		for _, row := range e.listed() {
			if row.Name == name {
				id = row.ID
			}
		}
		return id != ""
	})
	return id, path
}

// look opens a result.
func (e *evidence) look(id, name string) {
	e.T.Helper()
	e.act([]string{id}, present.Open)
	e.Until(name+" is shown", func() bool { return slices.Contains(guitest.Read(e.viewer.Object()), name) })
}

// open has a file analysed, and opens its result.
func (e *evidence) open(name string, content []byte) (id, path string) {
	e.T.Helper()
	id, path = e.send(name, content)
	e.look(id, name)
	return id, path
}

func (e *evidence) reads(text string) {
	e.T.Helper()
	e.Until(fmt.Sprintf("it says %q", text), func() bool { return guitest.Reads(e.viewer.Object(), text) })
}

// page opens a page about the result.
func (e *evidence) page(name string) {
	e.T.Helper()
	tabs := guitest.InSight[*kit.Tabs](e.viewer.Object())
	if len(tabs) != 1 || !slices.Contains(tabs[0].Options(), name) {
		e.T.Fatalf("%d rows of tabs, none %s", len(tabs), name)
	}
	tabs[0].Select(slices.Index(tabs[0].Options(), name))
}

// choose chooses one of the documents among the data.
func (e *evidence) choose(document string) {
	e.T.Helper()
	for _, s := range guitest.InSight[*kit.Segmented](e.viewer.Object()) {
		if i := slices.Index(s.Options(), document); i >= 0 {
			s.Select(i)
			return
		}
	}
	e.T.Fatalf("there is no %s", document)
}

// works goes through all that is not the medium: card, chart, and each page.
func (e *evidence) works(headline string, chartRows ...string) {
	e.T.Helper()
	e.reads(headline)
	e.page("Models")
	var rows []string
	for _, bars := range guitest.InSight[*chart.Bars](e.viewer.Object()) {
		rows = append(rows, guitest.BarRows(bars)...)
	}
	if diff := cmp.Diff(chartRows, rows); diff != "" {
		e.T.Errorf("the chart (-want +got):\n%s", diff)
	}
	for _, p := range []struct{ name, says string }{{"Details", "SHA-256"}, {"Data", "createdAt"}, {"History", "Custody log"}, {"Models", "Models"}} {
		e.page(p.name)
		e.reads(p.says)
	}
}

// drawing is a picture that looks like no other.
func drawing(t testing.TB, size image.Point, name string) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rectangle{Max: size})
	sum := sha256.Sum256([]byte(name))
	for i := range img.Pix {
		img.Pix[i] = sum[i%len(sum)] | 3
	}
	var out bytes.Buffer
	assert.NoError(t, png.Encode(&out, img))
	return out.Bytes()
}

// stored is what the service has of judgements.
func (e *evidence) stored() []sandbox.Feedback {
	e.T.Helper()
	kept, err := e.Feedback()
	assert.NoError(e.T, err)
	return kept
}

// aFake rewords an answer into that of a picture that two of three models flagged, one of which has a usable heatmap, with everything that a result can have.
func aFake(answer map[string]any, link func(string) any) {
	answer["mediaType"], answer["overallStatus"] = "IMAGE", "FAKE"
	answer["resultsSummary"] = map[string]any{"status": "FAKE", "metadata": map[string]any{"finalScore": 88.4}}
	answer["models"] = []any{
		map[string]any{"name": "svc-elm-img", "status": "AUTHENTIC", "normalizedPredictionNumber": 12.0},
		map[string]any{"name": "svc-ash-img", "status": "FAKE", "normalizedPredictionNumber": 55.0, "data": map[string]any{"decision": "AUTHENTIC"}},
		map[string]any{"name": "svc-img-ensemble", "status": "FAKE", "normalizedPredictionNumber": 88.4},
		map[string]any{"name": "svc-oak-img", "status": "FAKE", "normalizedPredictionNumber": 93.0, "data": map[string]any{"decision": "ARTIFICIAL"}},
	}
	answer["heatmaps"] = map[string]any{"svc-elm-img": link("heat-elm.png"), "svc-ash-img": link("heat-ash.png"), "svc-img-ensemble": link("heat-ensemble.png"),
		"svc-oak-img": link("heat-oak.png"), "svc-unknown-img": link("heat-unknown.png")}
	answer["modelMetadataUrl"], answer["explainabilityUrl"] = link("aggregation.json"), link("explanation.html")
	answer["aggregationResultUrl"] = "key/that/is/none/aggregation.json"
}

// The words and the chart of aFake.
const flagged = "Likely manipulated or AI-generated"

var flaggedRows = []string{"svc-img-ensemble: 88", "svc-elm-img: 12", "svc-ash-img: 55", "svc-oak-img: 93"}

// aFakeOf opens a result of aFake with a heatmap, and with these details of the analysis.
func (e *evidence) aFakeOf(name string, aggregation []byte) (id string) {
	e.T.Helper()
	e.answers(aFake)
	e.serves("heat-oak.png", drawing(e.T, image.Pt(64, 48), "heat"))
	e.serves("aggregation.json", aggregation)
	id, _ = e.open(name, drawing(e.T, image.Pt(64, 48), name))
	return id
}
