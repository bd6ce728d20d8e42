package compare_test

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/client"
	"assay/client/assert"
	"assay/client/submission"
	"assay/gui/compare"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/viewer/picture"
	"assay/gui/viewer/text"
)

var noon = time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)

const hash = "aa74f6fd0c1b2a3948576675849302918273645564738291a0b1c2d3e4067463"

// The answers of two releases on one picture.
const (
	earlierAnswer = `{"mediaType":"IMAGE","overallStatus":"SUSPICIOUS","releaseVersion":"2.14.0","resultsSummary":{"status":"SUSPICIOUS","metadata":{"finalScore":52.1}},
	"heatmaps":{"svc-oak-img":"https://x.example/oak.png"},"models":[
	{"name":"svc-img-ensemble","status":"SUSPICIOUS","finalScore":52.1},
	{"name":"svc-oak-img","status":"FAKE","normalizedPredictionNumber":61.2},
	{"name":"svc-cedar-img","status":"FAKE","normalizedPredictionNumber":58},
	{"name":"svc-elm-img","status":"SUSPICIOUS","normalizedPredictionNumber":44},
	{"name":"svc-pine-img","status":"AUTHENTIC","normalizedPredictionNumber":19},
	{"name":"svc-context-img","status":"UNABLE_TO_EVALUATE"},
	{"name":"svc-voice-aud","status":"NOT_APPLICABLE"}]}`
	laterAnswer = `{"mediaType":"IMAGE","overallStatus":"FAKE","releaseVersion":"2.15.1","resultsSummary":{"status":"FAKE","metadata":{"finalScore":88.35}},
	"heatmaps":{"svc-oak-img":"https://x.example/oak.png"},"models":[
	{"name":"svc-img-ensemble","status":"FAKE","finalScore":88.35},
	{"name":"svc-oak-img","status":"FAKE","normalizedPredictionNumber":93.5},
	{"name":"svc-cedar-img","status":"FAKE","normalizedPredictionNumber":81},
	{"name":"svc-elm-img","status":"FAKE","normalizedPredictionNumber":77},
	{"name":"svc-birch-img","status":"FAKE","normalizedPredictionNumber":72},
	{"name":"svc-pine-img","status":"AUTHENTIC","normalizedPredictionNumber":12},
	{"name":"svc-context-img","status":"UNABLE_TO_EVALUATE"},
	{"name":"svc-voice-aud","status":"NOT_APPLICABLE"}]}`
)

// answer is one on a content, so many days before noon.
func answer(t testing.TB, id, sha256 string, days int, raw string) compare.Answer {
	t.Helper()
	r := new(client.Result)
	assert.NoError(t, json.Unmarshal([]byte(raw), r))
	at := noon.AddDate(0, 0, -days)
	return compare.Answer{At: at, Of: submission.Submission{ID: id, Name: "harbour-statement.jpg", SHA256: sha256, State: submission.Done, Type: r.MediaType,
		RequestID: "request-" + id, Accepted: at, Answered: at, Result: r}}
}

// source has answers and what belongs to them, in memory.
type source struct {
	mu        sync.Mutex
	answers   map[string]compare.Answer
	originals map[string]string // paths
	parts     map[string]string // aggregation JSON
	pages     map[string]string // explainability pages
	heatmaps  map[string][]byte
	unseen    bool
	fails     error
	seen      []string
}

func (s *source) Compared(_ context.Context, first, second present.AnswerRef) (a, b compare.Answer, unseen bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answers[first.ID], s.answers[second.ID], s.unseen, s.fails
}

func (s *source) MarkSeen(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails == nil {
		s.seen, s.unseen = append(s.seen, id), false
	}
	return s.fails
}

func (s *source) Aggregation(_ context.Context, id string) (*client.AggregationData, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parts[id] == "" {
		return nil, fmt.Errorf("fetch: %w", client.ErrNoArtifact)
	}
	return client.ReadAggregation([]byte(s.parts[id]))
}

func (s *source) OpenOriginal(_ context.Context, id string) (*os.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return os.Open(s.originals[id])
}

func (s *source) OpenKept(ctx context.Context, id string) (*os.File, error) {
	return s.OpenOriginal(ctx, id)
}

func (s *source) Heatmap(_ context.Context, id, _ string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heatmaps[id], nil
}

func (s *source) Explanation(_ context.Context, id string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []byte(s.pages[id]), nil
}

// heatmap is one that is hottest at a share of the picture's width.
func heatmap(t testing.TB, at float64) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, 320, 213))
	for y := range 213 {
		for x := range 320 {
			dx, dy := float64(x)/320-at, float64(y)/213-0.5
			heat := math.Exp(-20 * (dx*dx + dy*dy))
			img.SetNRGBA(x, y, color.NRGBA{255, uint8(255 * heat), 80, uint8(220 * heat)})
		}
	}
	return guitest.PNG(t, img)
}

// fixture is the screen in a window.
type fixture struct {
	*guitest.Frame
	*source
	screen *compare.Screen
	calls  []string
}

func setup(t *testing.T, mode look.Mode, size fyne.Size) *fixture {
	t.Helper()
	photo, err := filepath.Abs(filepath.Join("..", "..", "testdata", "pictures", "mountains-spliced.jpg"))
	assert.NoError(t, err)
	f := &fixture{Frame: guitest.NewFrame(t, size), source: &source{answers: map[string]compare.Answer{}, originals: map[string]string{}, parts: map[string]string{}, pages: map[string]string{},
		heatmaps: map[string][]byte{"earlier": heatmap(t, 0.3), "later": heatmap(t, 0.6)}}}
	f.SetMode(mode)
	for _, id := range []string{"earlier", "later", "other"} {
		f.originals[id] = photo
	}
	f.answers["earlier"], f.answers["later"] = answer(t, "earlier", hash, 19, earlierAnswer), answer(t, "later", hash, 0, laterAnswer)
	f.answers["other"] = answer(t, "other", strings.Repeat("b", 64), 3, strings.ReplaceAll(earlierAnswer, "harbour", "pier"))
	workers := f.Workers
	params := picture.Params{Workers: workers, Askers: workers, Source: f.source, After: func(time.Duration, func()) func() { return func() {} },
		OnPreview: f.previewed}
	others := func(m present.Medium) compare.Pane {
		switch m {
		case present.Recording, present.Clip:
			return compare.NewParts(workers, f.source)
		case present.Text:
			return compare.NewTexts(text.Params{Workers: workers, Source: f.source})
		}
		return nil
	}
	f.screen = compare.New(compare.Params{
		Readers: workers, Source: f.source, Sandbox: true, Now: func() time.Time { return noon },
		Answers: func(m present.Medium) compare.Pane {
			if m == present.Picture {
				return picture.NewComparison(params)
			}
			return others(m)
		},
		Files: func(m present.Medium) compare.Pane {
			if m == present.Picture {
				return picture.NewPair(params)
			}
			return others(m)
		},
		Open:   func(id string) { f.calls = append(f.calls, "open "+id) },
		Report: func(ids []string) { f.calls = append(f.calls, "report "+strings.Join(ids, " ")) },
		Close:  func() { f.calls = append(f.calls, "close") },
	})
	f.Display(f.screen.Object(), func(e *fyne.KeyEvent) { f.screen.TypedKey(e) })
	return f
}

// previewed does as the window does.
func (f *fixture) previewed(p present.Preview) {
	f.screen.Uncover(p)
}

// compare shows two answers, and waits until they are there.
func (f *fixture) compare(first, second string) {
	f.T.Helper()
	f.screen.Show(present.AnswerRef{ID: first}, present.AnswerRef{ID: second})
	f.Until("both are shown", func() bool { return len(guitest.InSight[*kit.ScoreScale](f.Top())) == 2 })
}

// pictures waits until pictures are drawn, and nothing is awaited any more.
func (f *fixture) pictures(t *testing.T) {
	t.Helper()
	f.Until("pictures are drawn", func() bool {
		n := 0
		for _, each := range guitest.InSight[*canvas.Image](f.Top()) {
			if each.Image != nil && each.FillMode == canvas.ImageFillStretch {
				n++
			}
		}
		return n > 1 && !guitest.Reads(f.Top(), "Fetching the heatmap…") && !guitest.Reads(f.Top(), "Opening the picture…")
	})
}

func ref(id string) present.AnswerRef { return present.AnswerRef{ID: id} }
