package gui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/events"
	"assay/client/feedback"
	"assay/client/folders"
	"assay/client/intake"
	"assay/client/pull"
	"assay/client/sandbox"
	"assay/client/session"
	"assay/client/store"
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/viewer/picture"
)

// evidence is a desk with a witness.
type evidence struct {
	*fixture
	*witness
	client *client.Client
	server *httptest.Server
	folder string        // of the person's own files
	here   movedClock    // this computer's clock
	later  chan struct{} // each lets the time pass that a judgement waits for
}

func newEvidence(t *testing.T) *evidence {
	t.Helper()
	e := &evidence{witness: &witness{files: map[string][]byte{}}, folder: t.TempDir(), later: make(chan struct{}, 100)}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	e.Sandbox, err = sandbox.New(sandbox.Options{Dir: t.TempDir(), Now: e.clock.now})
	must(err)
	e.server = httptest.NewServer(e.witness)
	e.client, err = client.New(client.Options{BaseURL: e.server.URL, Key: e.Key, Attempts: 1, Now: e.here.now})
	must(err)
	kept, err := store.Open(t.Context(), t.TempDir(), store.Options{})
	must(err)
	hub := new(events.Hub)
	queue, err := intake.Open(t.Context(), intake.Params{Service: e.client, Store: kept, PollMin: 5 * time.Millisecond, Now: e.here.now, Events: hub})
	must(err)
	sender, err := feedback.Open(t.Context(), feedback.Params{Store: kept, Client: e.client, Now: e.here.now,
		Events: hub,
		Wait: func(ctx context.Context, d time.Duration) error {
			select {
			case <-e.later:
				e.here.move(d)
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}})
	must(err)
	watched, err := folders.Open(t.Context(), folders.Params{Queue: queue, Store: kept, Now: e.here.now})
	must(err)
	e.fixture = &fixture{t: t, closure: make(chan func(), 1024)}
	application := themed(t)
	e.app = newApp(Params{
		Session: &session.Session{Queue: queue, Store: kept, Client: e.client, Pull: pull.New(pull.Params{Client: e.client, Store: kept, Account: e.client.Address(), Claimed: queue.Claims, OnUnfinished: queue.Adopt, Events: hub}), Feedback: sender, Events: hub, Folders: watched, Sandbox: true},
		App:     application, Config: settingsOf(t, hub), Keys: keysOf(t, hub), Events: hub, Now: e.here.now,
		OnUI: func(f func()) { e.closure <- f },
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}, newWindow(application), nil)
	e.feedbackBar.Tick = func(time.Duration, func()) func() { return func() {} } // the test moves the clock
	ctx, cancel := context.WithCancel(context.Background())
	var bridge sync.WaitGroup
	e.carry(ctx, &bridge)
	t.Cleanup(func() {
		cancel()
		bridge.Wait()
		e.stop()
		e.close(ctx)
		sender.Close()
		watched.Close()
		queue.Close()
		must(kept.Close())
		e.client.Close()
		e.server.Close()
		must(e.Close())
	})
	return e
}

// pump is the desk's, and tells what is on screen instead.
func (e *evidence) pump(what string, until func() bool) {
	e.t.Helper()
	limit := time.After(60 * time.Second)
	for !until() {
		select {
		case f := <-e.closure:
			f()
		case <-limit:
			e.t.Fatalf("it never came to this: %s; on screen: %q", what, texts(e.viewer.Object()))
		}
	}
}

// run is t.Run for a subtest that goes on at the same desk.
func (e *evidence) run(name string, of func(t *testing.T)) {
	whole := e.t
	defer func() { e.t = whole }()
	whole.Run(name, func(t *testing.T) {
		e.t = t
		of(t)
	})
}

// send has a file analysed.
func (e *evidence) send(name string, content []byte) (id, path string) {
	e.t.Helper()
	path = filepath.Join(e.folder, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		e.t.Fatal(err)
	}
	e.drop(path)
	e.pump(name+" is answered", func() bool {
		for _, row := range e.results.Rows() {
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
	e.t.Helper()
	e.act([]string{id}, present.Open)
	e.pump(name+" is shown", func() bool { return slices.Contains(texts(e.viewer.Object()), name) })
}

// open has a file analysed, and opens its result.
func (e *evidence) open(name string, content []byte) (id, path string) {
	e.t.Helper()
	id, path = e.send(name, content)
	e.look(id, name)
	return id, path
}

// see goes through what can be seen of an object.
func see(o fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	if o == nil || !o.Visible() {
		return
	}
	visit(o)
	switch o := o.(type) {
	case *fyne.Container:
		for _, each := range o.Objects {
			see(each, visit)
		}
	case fyne.Widget:
		for _, each := range test.WidgetRenderer(o).Objects() {
			see(each, visit)
		}
	}
}

// all are the objects of one kind that can be seen.
func all[T any](o fyne.CanvasObject) (found []T) {
	see(o, func(o fyne.CanvasObject) {
		if one, ok := o.(T); ok {
			found = append(found, one)
		}
	})
	return found
}

// texts are what can be read on an object; what wraps is there in whole, too.
func texts(o fyne.CanvasObject) (read []string) {
	see(o, func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *canvas.Text:
			read = append(read, o.Text)
		case interface{ Text() string }:
			read = append(read, o.Text())
		}
	})
	return read
}

// says reports whether a text can be read somewhere in the viewer.
func (e *evidence) says(text string) bool {
	return strings.Contains(strings.Join(texts(e.viewer.Object()), "\n"), text)
}

func (e *evidence) reads(text string) {
	e.t.Helper()
	e.pump(fmt.Sprintf("it says %q", text), func() bool { return e.says(text) })
}

// page opens a page about the result.
func (e *evidence) page(name string) {
	e.t.Helper()
	tabs := all[*kit.Tabs](e.viewer.Object())
	if len(tabs) != 1 || !slices.Contains(tabs[0].Options(), name) {
		e.t.Fatalf("%d rows of tabs, none %s", len(tabs), name)
	}
	tabs[0].Select(slices.Index(tabs[0].Options(), name))
}

// choose chooses one of the documents among the data.
func (e *evidence) choose(document string) {
	e.t.Helper()
	for _, s := range all[*kit.Segmented](e.viewer.Object()) {
		if i := slices.Index(s.Options(), document); i >= 0 {
			s.Select(i)
			return
		}
	}
	e.t.Fatalf("there is no %s", document)
}

// works goes through all that is not the medium: card, chart, and each page.
func (e *evidence) works(headline string, chartRows ...string) {
	e.t.Helper()
	e.reads(headline)
	e.page("Models")
	var rows []string
	for _, bars := range all[*chart.Bars](e.viewer.Object()) {
		for _, b := range bars.Bars() {
			rows = append(rows, strings.TrimSpace(b.Name+" "+b.ValueText+" "+b.Word))
		}
	}
	if diff := cmp.Diff(chartRows, rows); diff != "" {
		e.t.Errorf("the chart (-want +got):\n%s", diff)
	}
	for _, p := range []struct{ name, says string }{{"Details", "SHA-256"}, {"Data", "overallStatus"}, {"History", "Custody log"}, {"Models", "Models"}} {
		e.page(p.name)
		e.reads(p.says)
	}
}

// drawing is a picture that looks like no other.
func drawing(t *testing.T, size image.Point, name string) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rectangle{Max: size})
	sum := sha256.Sum256([]byte(name))
	for i := range img.Pix {
		img.Pix[i] = sum[i%len(sum)] | 3
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// photo waits for the pane of pictures and for the picture in it.
func (e *evidence) photo() *picture.Pane {
	e.t.Helper()
	e.pump("the picture is on screen", func() bool {
		pane, ok := e.viewer.Medium().(*picture.Pane)
		if !ok {
			return false
		}
		lower, _ := pane.Layers()
		return lower != nil
	})
	return e.viewer.Medium().(*picture.Pane)
}

func (e *evidence) heatmap() *picture.Pane {
	e.t.Helper()
	pane := e.photo()
	e.typedRune('o')
	e.pump("the heatmap is on screen", func() bool { _, upper := pane.Layers(); return upper != nil })
	return pane
}

// press taps what has these words on it.
func (e *evidence) press(label string) {
	e.t.Helper()
	type pressed interface {
		fyne.Tappable
		Label() string
	}
	e.pump(label+" can be pressed", func() bool {
		for _, b := range all[pressed](e.viewer.Object()) {
			if d, ok := b.(fyne.Disableable); b.Label() == label && (!ok || !d.Disabled()) {
				b.Tapped(nil)
				return true
			}
		}
		return false
	})
}

// stored is what the service has of judgements.
func (e *evidence) stored() []sandbox.Feedback {
	e.t.Helper()
	kept, err := e.Feedback()
	if err != nil {
		e.t.Fatal(err)
	}
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

var flaggedRows = []string{"svc-img-ensemble 88", "svc-elm-img 12", "svc-ash-img 55", "svc-oak-img 93"}

// aFakeOf opens a result of aFake with a heatmap, and with these details of the analysis.
func (e *evidence) aFakeOf(name string, aggregation []byte) (id string) {
	e.t.Helper()
	e.answers(aFake)
	e.serves("heat-oak.png", drawing(e.t, image.Pt(64, 48), "heat"))
	e.serves("aggregation.json", aggregation)
	id, _ = e.open(name, drawing(e.t, image.Pt(64, 48), name))
	return id
}
