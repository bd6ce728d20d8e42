package recording

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
)

// source serves results by their ID.
type source struct {
	sounds map[string]string // paths
	data   map[string]string // aggregation JSON
	fails  map[string]error  // of OpenSound
	hold   map[string]chan struct{}

	mu     sync.Mutex
	opened []*os.File
}

func (s *source) Aggregation(_ context.Context, id string) (*client.AggregationData, error) {
	text, ok := s.data[id]
	if !ok {
		return nil, client.ErrNoArtifact
	}
	return client.ReadAggregation([]byte(text))
}

func (s *source) OpenSound(ctx context.Context, id string) (*os.File, error) {
	if held, ok := s.hold[id]; ok {
		select {
		case <-held:
		case <-ctx.Done(): // the file is opened nevertheless, as by a slow disk
		}
	}
	if err := s.fails[id]; err != nil {
		return nil, err
	}
	file, err := os.Open(s.sounds[id])
	if err == nil {
		s.mu.Lock()
		s.opened = append(s.opened, file)
		s.mu.Unlock()
	}
	return file, err
}

// stillOpen is how many of the files that it returned are open.
func (s *source) stillOpen() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := 0
	for _, f := range s.opened {
		if _, err := f.Stat(); !errors.Is(err, os.ErrClosed) {
			open++
		}
	}
	return open
}

// fixture is a pane in a window, whose UI thread is the test's goroutine.
type fixture struct {
	*guitest.Frame
	pane    *Pane
	source  *source
	output  *guitest.Output
	shift   bool
	players []string // what was opened in the system's player
	moments []float64
}

func setup(t *testing.T) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, fyne.NewSize(860, 470)), output: &guitest.Output{}}
	d.source = &source{sounds: map[string]string{}, data: map[string]string{}, fails: map[string]error{}, hold: map[string]chan struct{}{}}
	d.pane = New(Params{
		Workers: d.Workers, UI: d.Do, Source: d.source, Output: d.output,
		OpenInPlayer: func(id string) { d.players = append(d.players, id) },
		OnMoment:     func(at float64) { d.moments = append(d.moments, at) },
		Modifier: func() fyne.KeyModifier {
			if d.shift {
				return fyne.KeyModifierShift
			}
			return 0
		},
	})
	d.Display(kit.NewCard(d.pane.Object()), nil)
	t.Cleanup(d.pane.Close)
	return d
}

// timeText is the moment and the length as they are shown.
func (d *fixture) timeText() string {
	return d.pane.header.moment.Text() + " " + d.pane.header.of.Text()
}

func (d *fixture) show(id string) {
	d.pane.Show(present.Viewer{ID: id, Name: id})
}
