package clip

import (
	"context"
	"image"
	"image/color"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/media/film"
	"assay/gui/guitest"
	"assay/gui/present"
	"assay/gui/viewer/recording"
)

// source serves one clip.
type source struct {
	original, thumbnail, sound string // paths; "" for none
	originalErr                error
	data, soundData            string // aggregation JSON; "" for none
	soundOf                    *present.Viewer
	soundOfErr                 error
}

func (s *source) OpenOriginal(context.Context, string) (*os.File, error) {
	if s.originalErr != nil {
		return nil, s.originalErr
	}
	return os.Open(s.original)
}

func (s *source) OpenThumbnail(context.Context, string) (*os.File, error) {
	if s.thumbnail == "" {
		return nil, fs.ErrNotExist
	}
	return os.Open(s.thumbnail)
}

func (s *source) Aggregation(context.Context, string) (*client.AggregationData, error) {
	return aggregation(s.data)
}

func (s *source) SoundAggregation(context.Context, string) (*client.AggregationData, error) {
	return aggregation(s.soundData)
}

func aggregation(text string) (*client.AggregationData, error) {
	if text == "" {
		return nil, client.ErrNoArtifact
	}
	return client.ReadAggregation([]byte(text))
}

func (s *source) SoundOf(context.Context, string) (present.Viewer, bool, error) {
	if s.soundOf == nil {
		return present.Viewer{}, false, s.soundOfErr
	}
	return *s.soundOf, true, nil
}

func (s *source) OpenSound(context.Context, string) (*os.File, error) {
	if s.sound == "" {
		return nil, fs.ErrNotExist
	}
	return os.Open(s.sound)
}

// frames are those of a clip whose red tells the second.
type frames struct {
	info film.Info
	err  error

	mu      sync.Mutex
	asked   []time.Duration
	given   int // up to how many were not cancelled
	holding chan struct{}
	playing atomic.Int32  // runs of Play
	begun   chan struct{} // a value for each that was begun
}

func (f *frames) Probe(context.Context, string) (film.Info, error) { return f.info, f.err }

func (f *frames) Frame(ctx context.Context, _ string, at time.Duration, _ int) (*image.RGBA, error) {
	f.mu.Lock()
	f.asked = append(f.asked, at)
	holding := f.holding
	f.mu.Unlock()
	f.begun <- struct{}{}
	if holding != nil {
		select {
		case <-holding:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	f.mu.Lock()
	f.given++
	f.mu.Unlock()
	return redPicture(uint8(10 * at.Seconds())), nil
}

// Play gives ten frames a second until it is stopped.
func (f *frames) Play(_ context.Context, _ string, from time.Duration, _ int, visit func(time.Duration, *image.RGBA) error) error {
	f.playing.Add(1)
	defer f.playing.Add(-1)
	for at := from; at < f.info.Duration; at += time.Second / 10 {
		if err := visit(at, redPicture(uint8(10*at.Seconds()))); err != nil {
			return err
		}
	}
	return nil
}

func (f *frames) Forget() {}

func (f *frames) times() []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]time.Duration(nil), f.asked...)
}

// forgetAsked begins the count of what is asked for again.
func (f *frames) forgetAsked() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked, f.given = nil, 0
	for len(f.begun) > 0 {
		<-f.begun
	}
}

// redPicture is a plain one in a shade of red, with a green corner.
func redPicture(red uint8) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 160, 90))
	for y := range 90 {
		for x := range 160 {
			img.Set(x, y, color.RGBA{R: red, G: uint8(x), B: uint8(y), A: 255})
		}
	}
	return img
}

// red is the shade of what is seen; -1 where nothing is.
func red(img image.Image) int {
	if img == nil {
		return -1
	}
	r, _, _, _ := img.At(img.Bounds().Dx()/2, img.Bounds().Dy()/2).RGBA()
	return int(r >> 8)
}

func thumbnailFile(t testing.TB) string {
	return guitest.File(t, "thumbnail.png", guitest.PNG(t, redPicture(250)))
}

// fixture is a pane in a window, whose UI thread is the test's goroutine.
type fixture struct {
	*guitest.Frame
	pane    *Pane
	source  *source
	frames  *frames
	output  *guitest.Output
	players []string
}

func setup(t *testing.T) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, fyne.NewSize(860, 470)), source: &source{}, frames: &frames{begun: make(chan struct{}, 1000)}, output: &guitest.Output{}}
	d.source.original = guitest.File(t, "clip.mp4", []byte("a clip"))
	d.frames.info = film.Info{Duration: 30 * time.Second, Width: 160, Height: 90, HasSound: true}
	d.pane = New(Params{
		Workers: d.Workers, UI: d.Do, Source: d.source, Frames: d.frames, Output: d.output,
		OpenInPlayer: func(id string) { d.players = append(d.players, id) },
		Modifier:     func() fyne.KeyModifier { return 0 },
	})
	d.Display(d.pane.Object(), nil)
	t.Cleanup(d.pane.Close)
	return d
}

func (d *fixture) show(id string) { d.pane.Show(present.Viewer{ID: id, Name: id}) }

// inside is the nth object of a type in what the sound's pane shows, hidden or not.
func inside[T fyne.CanvasObject](sound *recording.Pane, nth int) T {
	var found []T
	var walk func(fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if match, ok := o.(T); ok {
			found = append(found, match)
		}
		if c, ok := o.(*fyne.Container); ok {
			for _, child := range c.Objects {
				walk(child)
			}
		}
	}
	walk(sound.Controls())
	walk(sound.Tracks())
	return found[nth]
}
