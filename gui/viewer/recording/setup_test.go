package recording

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/media/sound/soundtest"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/player"
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
		case <-ctx.Done(): // what was asked for is handed over all the same, as a slow disk would
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

// stillOpen is how many files that it handed over are open.
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

// output is a loudspeaker that asks for frames when the test says so.
type output struct {
	err error

	mu      sync.Mutex
	opened  int
	playing bool
	fill    player.Fill
}

func (o *output) Rate() int { return 44100 }

func (o *output) Open(_ context.Context, fill player.Fill) (player.Voice, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return nil, o.err
	}
	o.opened++
	o.fill = fill
	return &voice{o}, nil
}

func (o *output) opens() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.opened
}

func (o *output) plays() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.playing
}

type voice struct{ o *output }

func (v *voice) set(playing bool) {
	v.o.mu.Lock()
	defer v.o.mu.Unlock()
	v.o.playing = playing
}

func (v *voice) Play()         { v.set(true) }
func (v *voice) Pause()        { v.set(false) }
func (v *voice) Discard()      {}
func (v *voice) Buffered() int { return 0 }
func (v *voice) Err() error    { return nil }
func (v *voice) Close() error  { v.set(false); return nil }

// wav writes a swelling tone of some seconds, at a rate, and returns its path.
func wav(t testing.TB, seconds float64, rate int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sound.wav")
	if err := os.WriteFile(path, soundtest.Mono(rate, soundtest.Swelling(rate, seconds)...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// fixture is a pane in a window, whose UI thread is the test's goroutine.
type fixture struct {
	*testing.T
	*guitest.UI
	pane    *Pane
	window  fyne.Window
	source  *source
	output  *output
	shift   bool
	players []string // what was opened in the system's player
	moments []float64
}

func setup(t *testing.T) *fixture {
	t.Helper()
	guitest.App(t, look.ModeLight)
	d := &fixture{T: t, output: &output{}, UI: guitest.NewUI(t)}
	d.source = &source{sounds: map[string]string{}, data: map[string]string{}, fails: map[string]error{}, hold: map[string]chan struct{}{}}
	workers := d.Workers(2)
	d.pane = New(Params{
		Workers: workers, UI: d.Do, Source: d.source, Output: d.output,
		OpenInPlayer: func(id string) { d.players = append(d.players, id) },
		OnMoment:     func(at float64) { d.moments = append(d.moments, at) },
		Modifier: func() fyne.KeyModifier {
			if d.shift {
				return fyne.KeyModifierShift
			}
			return 0
		},
	})
	d.window = guitest.Window(t, kit.NewCard(d.pane.Object()), fyne.NewSize(860, 470))
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

// sentence is an error that a person reads as it is.
type sentence string

func (s sentence) Error() string    { return string(s) }
func (s sentence) Sentence() string { return string(s) }
