package feedback

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/store"
	"assay/client/verdict"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// noon is when tests take place.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// desk is a source that keeps what it is told, and sends nothing.
type desk struct {
	mu      sync.Mutex
	judged  present.Judged
	deeds   []string
	now     time.Time
	failing error
}

func (d *desk) Judged(context.Context, string) (present.Judged, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	j := d.judged
	j.Judgements = append([]store.Feedback{}, j.Judgements...)
	return j, nil
}

func (d *desk) Give(_ context.Context, f client.Feedback) error {
	return d.deed(fmt.Sprintf("give %s %s %q", f.Category, f.Label, f.Comment), func() {
		d.judged.Judgements = append(d.judged.Judgements, store.Feedback{ID: "f1", Feedback: f, State: store.FeedbackWaiting, Given: d.now, Due: d.now.Add(5 * time.Second)})
	})
}

func (d *desk) Undo(_ context.Context, id string) error {
	return d.deed("undo "+id, func() { d.judged.Judgements = nil })
}

func (d *desk) Change(_ context.Context, id string, f client.Feedback) error {
	return d.deed(fmt.Sprintf("change %s %s %s %q", id, f.Category, f.Label, f.Comment), func() {
		d.judged.Judgements[0].Feedback, d.judged.Judgements[0].Due = f, d.now.Add(5*time.Second)
	})
}

func (d *desk) Hold(_ context.Context, id string) error {
	return d.deed("hold "+id, func() { d.judged.Judgements[0].Due = d.now.Add(10 * time.Minute) })
}

func (d *desk) Release(_ context.Context, id string) error {
	return d.deed("release "+id, func() { d.judged.Judgements[0].Due = d.now.Add(5 * time.Second) })
}

func (d *desk) Retry(_ context.Context, id string) error { return d.deed("retry "+id, func() {}) }

func (d *desk) deed(what string, do func()) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.deeds = append(d.deeds, what)
	if d.failing != nil {
		return d.failing
	}
	do()
	return nil
}

// last is the last deed, "" for none.
func (d *desk) last() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.deeds) == 0 {
		return ""
	}
	return d.deeds[len(d.deeds)-1]
}

// stands puts a judgement into a state.
func (d *desk) stands(state store.FeedbackState, problem string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.judged.Judgements = []store.Feedback{{ID: "f1", State: state, Problem: problem, Given: d.now, Due: d.now,
		Feedback: client.Feedback{RequestID: "r1", Category: client.Confirmation, Label: client.LabelManipulated}}}
}

// scene is a bar in a window, whose time and workers a test drives.
type scene struct {
	*Bar
	t      *testing.T
	desk   *desk
	window fyne.Window
	ui     chan func()
	ticks  func() // nil: nothing ticks
	said   int
}

func setup(t *testing.T, mode look.Mode, width float32) *scene {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(look.New(mode))
	s := &scene{t: t, desk: &desk{now: noon, judged: present.Judged{RequestID: "r1", Told: true}}, ui: make(chan func(), 100)}
	workers := work.New(1, func(do func()) { s.ui <- do })
	t.Cleanup(workers.Close)
	s.Bar = New(Params{
		Workers: workers, Source: s.desk, ScanAgain: func() {}, OnSaid: func() { s.said++ },
		Now: func() time.Time { return s.desk.now },
		Tick: func(_ time.Duration, do func()) func() {
			s.ticks = do
			return func() { s.ticks = nil }
		},
	})
	s.window = test.NewTempWindow(t, nil)
	s.window.SetPadded(false)
	s.window.SetContent(container.NewBorder(nil, s.Object(), nil, nil))
	s.window.Resize(fyne.NewSize(width, 300))
	return s
}

// pump runs what the workers hand over, until so many deeds and readings have ended.
func (s *scene) pump(n int) {
	s.t.Helper()
	for range n {
		select {
		case do := <-s.ui:
			do()
		case <-time.After(10 * time.Second):
			s.t.Fatal("nothing came")
		}
	}
}

// show shows a result of a status, and reads what was judged.
func (s *scene) show(status client.Status) {
	s.t.Helper()
	s.Show(present.Viewer{ID: "s1", Medium: present.Picture, Verdict: verdict.Verdict{Words: verdict.Say(status), Status: status}})
	s.pump(1)
}

// click does a deed, and waits until it is shown.
func (s *scene) click(tap func(*fyne.PointEvent)) {
	s.t.Helper()
	tap(nil)
	s.pump(2) // the deed, and the reading after it
}

func (s *scene) wantLast(deed string) {
	s.t.Helper()
	if got := s.desk.last(); got != deed {
		s.t.Errorf("it did %q, not %q", got, deed)
	}
}
