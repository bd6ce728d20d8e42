package feedback

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client"
	"assay/client/i18n"
	"assay/client/store"
	"assay/client/verdict"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// noon is when tests take place.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// source keeps what is given in memory, and sends nothing.
type source struct {
	mu      sync.Mutex
	given   GivenFeedback
	actions []string
	now     time.Time
	failing error
}

func (s *source) Given(context.Context, string) (GivenFeedback, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.given
	j.All = append([]store.Feedback{}, j.All...)
	return j, nil
}

func (s *source) Give(_ context.Context, f client.Feedback) error {
	return s.act(fmt.Sprintf("give %s %s %q", f.Category, f.Label, f.Comment), func() {
		s.given.All = append(s.given.All, store.Feedback{ID: "f1", Feedback: f, State: store.FeedbackWaiting, Given: s.now, Due: s.now.Add(5 * time.Second)})
	})
}

func (s *source) Undo(_ context.Context, id string) error {
	return s.act("undo "+id, func() { s.given.All = nil })
}

func (s *source) Change(_ context.Context, id string, f client.Feedback) error {
	return s.act(fmt.Sprintf("change %s %s %s %q", id, f.Category, f.Label, f.Comment), func() {
		s.given.All[0].Feedback, s.given.All[0].Due = f, s.now.Add(5*time.Second)
	})
}

func (s *source) Hold(_ context.Context, id string) error {
	return s.act("hold "+id, func() { s.given.All[0].Due = s.now.Add(10 * time.Minute) })
}

func (s *source) Release(_ context.Context, id string) error {
	return s.act("release "+id, func() { s.given.All[0].Due = s.now.Add(5 * time.Second) })
}

func (s *source) Retry(_ context.Context, id string) error { return s.act("retry "+id, func() {}) }

func (s *source) act(what string, do func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.actions = append(s.actions, what)
	if s.failing != nil {
		return s.failing
	}
	do()
	return nil
}

// last is the last action, "" for none.
func (s *source) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.actions) == 0 {
		return ""
	}
	return s.actions[len(s.actions)-1]
}

// setState puts feedback into a state.
func (s *source) setState(state store.FeedbackState, problem string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.given.All = []store.Feedback{{ID: "f1", State: state, Problem: i18n.Verbatim(problem), Given: s.now, Due: s.now,
		Feedback: client.Feedback{RequestID: "r1", Category: client.Confirmation, Label: client.LabelManipulated}}}
}

// fixture is a bar in a window, whose time and workers a test drives.
type fixture struct {
	*Bar
	*guitest.Frame
	source *source
	ticks  func() // nil: nothing ticks
}

func setup(t *testing.T, mode look.Mode, width float32) *fixture {
	t.Helper()
	s := &fixture{Frame: guitest.NewFrame(t, fyne.NewSize(width, 300)), source: &source{now: noon, given: GivenFeedback{RequestID: "r1"}}}
	s.SetMode(mode)
	s.Bar = New(Params{
		Workers: s.UI.Workers(1), Source: s.source, ScanAgain: func() {},
		Now: func() time.Time { return s.source.now },
		Tick: func(_ time.Duration, do func()) func() {
			s.ticks = do
			return func() { s.ticks = nil }
		},
	})
	s.Display(container.NewBorder(nil, s.Object(), nil, nil), nil)
	return s
}

// pump runs what the workers hand over, until so many actions and readings have ended.
func (s *fixture) pump(n int) {
	s.T.Helper()
	for range n {
		s.Next()
	}
}

// show shows a result of a status, and reads what was given.
func (s *fixture) show(status client.Status) {
	s.T.Helper()
	s.Show(present.Viewer{ID: "s1", Path: "/incoming/bridge.jpg", Medium: present.Picture, Verdict: verdict.Verdict{Words: verdict.Say(status), Status: status}})
	s.pump(1)
}

// click taps a button, and waits until what it does is shown.
func (s *fixture) click(label string) {
	s.T.Helper()
	s.Tap(label)
	s.pump(2) // the action, and the reading after it
}

// chip is the one with this word that is in sight, nil for none.
func (s *fixture) chip(word string) *kit.Chip {
	for _, chip := range guitest.InSight[*kit.Chip](s.Top()) {
		if chip.Label() == word {
			return chip
		}
	}
	return nil
}

// wantFocus fails the test unless the button with this label has the keyboard; "" is nothing.
func (s *fixture) wantFocus(when, want string) {
	s.T.Helper()
	got := ""
	switch o := s.Canvas().Focused().(type) {
	case nil:
	case *kit.Button:
		got = o.Label()
	default:
		got = fmt.Sprintf("%T", o)
	}
	if got != want {
		s.T.Errorf("%s the keyboard is with %q, want %q", when, got, want)
	}
}

func (s *fixture) wantLast(action string) {
	s.T.Helper()
	if got := s.source.last(); got != action {
		s.T.Errorf("it did %q, not %q", got, action)
	}
}
