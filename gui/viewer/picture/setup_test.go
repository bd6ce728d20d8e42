package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	tooltip "github.com/dweymouth/fyne-tooltip"

	"assay/client"
	"assay/client/assert"
	"assay/client/plain"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// source holds what belongs to submissions, in memory.
type source struct {
	mu        sync.Mutex
	originals map[string]string // paths
	heatmaps  map[string][]byte // by model
	boxes     string            // the aggregation JSON, "" for none
	fails     map[string]error  // by call
	hold      map[string]chan struct{}
	asked     []string
	ended     int    // calls that were ended from outside while they were held
	nudge     func() // has the UI thread look again
}

func newSource() *source {
	return &source{originals: map[string]string{}, heatmaps: map[string][]byte{}, fails: map[string]error{}, hold: map[string]chan struct{}{}}
}

// change changes what it answers, while calls may be under way.
func (s *source) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

func (s *source) note(ctx context.Context, call string) error {
	s.mu.Lock()
	s.asked = append(s.asked, call)
	hold, err := s.hold[call], s.fails[call]
	s.mu.Unlock()
	s.nudge()
	if hold == nil {
		return err
	}
	select {
	case <-hold:
		return err
	case <-ctx.Done():
		s.mu.Lock()
		s.ended++
		s.mu.Unlock()
		s.nudge()
		return ctx.Err()
	}
}

func (s *source) OpenOriginal(ctx context.Context, id string) (*os.File, error) {
	if err := s.note(ctx, "original "+id); err != nil {
		return nil, err
	}
	s.mu.Lock()
	path, ok := s.originals[id]
	s.mu.Unlock()
	if !ok {
		return nil, fs.ErrNotExist
	}
	return os.Open(path)
}

func (s *source) OpenKept(ctx context.Context, id string) (*os.File, error) {
	if err := s.note(ctx, "kept "+id); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	path, ok := s.originals[id]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return os.Open(path)
}

func (s *source) Heatmap(ctx context.Context, id, model string) ([]byte, error) {
	if err := s.note(ctx, "heatmap "+id+" "+model); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heatmaps[model], nil
}

func (s *source) Aggregation(ctx context.Context, id string) (*client.AggregationData, error) {
	if err := s.note(ctx, "aggregation "+id); err != nil {
		return nil, err
	}
	s.mu.Lock()
	boxes := s.boxes
	s.mu.Unlock()
	if boxes == "" {
		return nil, fmt.Errorf("fetch: %w", client.ErrNoArtifact)
	}
	return client.ReadAggregation([]byte(boxes))
}

func (s *source) calls(of string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var calls []string
	for _, call := range s.asked {
		if strings.HasPrefix(call, of) {
			calls = append(calls, call)
		}
	}
	return calls
}

// fixture is a pane in a test window. The test's goroutine is the UI thread: closures run when it pumps.
type fixture struct {
	*Pane
	*source
	*guitest.UI
	t        *testing.T
	window   fyne.Window
	ticks    []func() // what the clock was asked to do
	saved    string   // the name that Save was given
	write    func(ctx context.Context, to io.Writer) error
	previews []present.Preview
}

func setup(t *testing.T, size fyne.Size) *fixture {
	t.Helper()
	guitest.App(t, look.ModeLight)
	b := &fixture{source: newSource(), t: t, UI: guitest.NewUI(t)}
	b.nudge = func() { b.Do(func() {}) }
	workers := b.Workers(2)
	b.Pane = New(Params{
		Workers: workers, Askers: workers, Source: b.source,
		Save: func(name string, write func(ctx context.Context, to io.Writer) error) { b.saved, b.write = name, write },
		OnPreview: func(p present.Preview) {
			b.previews = append(b.previews, p)
			b.SetPreview(p) // as the window does
		},
		After: func(d time.Duration, do func()) func() {
			if d < time.Second/2 && d != aheadAfter {
				t.Errorf("waits %v: that flashes", d)
			}
			stopped := false
			b.ticks = append(b.ticks, func() {
				if !stopped {
					do()
				}
			})
			return func() { stopped = true }
		},
	})
	b.window = test.NewTempWindow(t, nil)
	b.window.SetPadded(false)
	content := container.NewStack(kit.NewFill(look.ColorBackground), b.Object())
	b.window.SetContent(tooltip.AddWindowToolTipLayer(content, b.window.Canvas()))
	b.window.Resize(size.AddWidthHeight(1, 1))
	b.window.Resize(size)
	return b
}

// tick lets a second pass.
func (b *fixture) tick() {
	ticks := b.ticks
	b.ticks = nil
	for _, do := range ticks {
		do()
	}
}

// settle waits until nothing is awaited and every pixel is the one that is wanted.
func (b *fixture) settle() {
	b.t.Helper()
	b.Until("everything is drawn", func() bool {
		for _, under := range b.awaited {
			if under {
				return false
			}
		}
		if b.stage.rendering {
			return false
		}
		if b.stage.photo == nil {
			return true
		}
		return drawn(b.stage)
	})
}

// drawn reports whether every pixel of a stage is the one that is wanted.
func drawn(s *stage) bool {
	lower, upper, before := s.wanted()
	return lower.of != nil && lower == s.lower.drawn && (upper.of == nil || upper == s.upper.drawn) && (before.of == nil || before == s.before.drawn)
}

// layers are the images on screen: the photo, and the heatmap; nil where one is not shown.
func (b *fixture) layers() (photo, heatmap *canvas.Image) {
	if b.stage.lower.clip.Visible() {
		photo = b.stage.lower.image
	}
	if b.stage.upper.clip.Visible() {
		heatmap = b.stage.upper.image
	}
	return photo, heatmap
}

// picture keeps a picture as a submission's original.
func (b *fixture) picture(id string, data []byte) {
	path := guitest.File(b.t, id, data)
	b.change(func() { b.originals[id] = path })
}

// viewer is a picture's, with heatmaps of models.
func viewer(id string, models ...string) present.Viewer {
	v := present.Viewer{ID: id, Name: id + ".jpg", Medium: present.Picture}
	for _, model := range models {
		v.Heatmaps = append(v.Heatmaps, plain.From(model))
	}
	return v
}

// opened are the encoded pictures and heatmaps of open, by size: making them takes longer than all else.
var opened = map[image.Point][2][]byte{}

// open shows a picture with a heatmap of its size of one model, svc-oak-img.
func (b *fixture) open(size image.Point) {
	b.t.Helper()
	made, ok := opened[size]
	if !ok {
		made = [2][]byte{guitest.PNG(b.t, scene(size)), guitest.PNG(b.t, heatmapOf(size))}
		opened[size] = made
	}
	b.picture("one", made[0])
	b.change(func() { b.heatmaps["svc-oak-img"] = made[1] })
	b.Show(viewer("one", "svc-oak-img"))
	b.settle()
}

func (b *fixture) runes(text string) {
	for _, r := range text {
		b.TypedRune(r)
	}
	b.settle()
}

// chooseModel chooses the model whose heatmap is shown.
func (b *fixture) chooseModel(name string) { b.tools.chooseModel(plain.From(name)) }

func (b *fixture) notices() (shown []string) {
	for _, n := range []*kit.Notice{b.previewed, b.photoNotice, b.heatNotice, b.boxNotice} {
		if n.Visible() {
			shown = append(shown, n.Text())
		}
	}
	return shown
}

// bounds is where an image is on the stage, what its clip hides left out.
func (b *fixture) bounds(l *layer) (at fyne.Position, size fyne.Size) {
	at = l.clip.Position().Add(l.image.Position())
	return at, l.image.Size()
}

func jpegOf(t *testing.T, img image.Image) []byte {
	t.Helper()
	var data bytes.Buffer
	assert.NoError(t, jpeg.Encode(&data, img, &jpeg.Options{Quality: 92}))
	return data.Bytes()
}

// scene is a picture in which every pixel differs from its neighbours.
func scene(size image.Point) *image.NRGBA {
	img := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			img.SetNRGBA(x, y, color.NRGBA{uint8(x*255/size.X) &^ 1, uint8(y*255/size.Y) &^ 1, uint8((x+y)%2) * 255, 255})
		}
	}
	return img
}

// heatmapOf is a heatmap as services send it: grey with alpha, hot in the middle.
func heatmapOf(size image.Point) *image.NRGBA {
	img := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			dx, dy := float64(x)/float64(size.X)-0.5, float64(y)/float64(size.Y)-0.5
			heat := math.Exp(-12 * (dx*dx + dy*dy))
			img.SetNRGBA(x, y, color.NRGBA{uint8(255 * heat), uint8(255 * heat), uint8(255 * heat), uint8(220 * heat)})
		}
	}
	return img
}

// plainPicture is a picture of one colour.
func plainPicture(size image.Point, c color.Color) *image.NRGBA {
	img := image.NewNRGBA(image.Rectangle{Max: size})
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

// pixel is the colour of an image's pixel.
func pixel(img *canvas.Image, x, y int) color.RGBA { return img.Image.(*image.RGBA).RGBAAt(x, y) }
