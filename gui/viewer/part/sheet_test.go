package part

import (
	"context"
	"fmt"
	"image"
	"io/fs"
	"os"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client"
	"assay/client/media/film"
	"assay/gui/chart"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/viewer/clip"
)

// source serves a clip that was not sent.
type source struct{ path string }

func (s source) OpenOriginal(context.Context, string) (*os.File, error) { return os.Open(s.path) }
func (s source) OpenSound(context.Context, string) (*os.File, error)    { return os.Open(s.path) }
func (source) OpenThumbnail(context.Context, string) (*os.File, error)  { return nil, fs.ErrNotExist }
func (source) Aggregation(context.Context, string) (*client.AggregationData, error) {
	return nil, client.ErrNoArtifact
}

func (source) SoundAggregation(context.Context, string) (*client.AggregationData, error) {
	return nil, client.ErrNoArtifact
}
func (source) SoundOf(context.Context, string) (v present.Viewer, ok bool, err error) { return }

// frames are those of a silent clip of ten minutes.
type frames struct{ err error }

func (f frames) Probe(context.Context, string) (film.Info, error) {
	return film.Info{Duration: 10 * time.Minute, Width: 160, Height: 90, FrameRate: 25}, f.err
}

func (frames) Frame(context.Context, string, time.Duration, int) (*image.RGBA, error) {
	return image.NewRGBA(image.Rect(0, 0, 160, 90)), nil
}

func (frames) Play(ctx context.Context, _ string, _ time.Duration, _ int, _ func(time.Duration, *image.RGBA) error) error {
	<-ctx.Done()
	return ctx.Err()
}
func (frames) Forget() {}

type fixture struct {
	*Sheet
	*guitest.Frame
	frames *frames
	sent   []string
}

const mb = 1 << 20

func setup(t *testing.T, size fyne.Size) *fixture {
	t.Helper()
	f := &fixture{Frame: guitest.NewFrame(t, size), frames: &frames{}}
	f.Display(kit.NewText("", kit.TextStyle{}), nil)
	f.Canvas().SetOnTypedRune(func(r rune) { f.Frame.Sheet.TypedRune(r) })
	f.Sheet = New(Params{
		Sheet: f.Frame.Sheet, Workers: f.Workers,
		Clip: clip.Params{
			Workers: f.Workers, UI: f.Do, Source: source{guitest.File(t, "harbour.mp4", []byte("a clip"))}, Frames: f.frames, Output: &guitest.Output{},
			Modifier: func() fyne.KeyModifier { return 0 },
		},
		Asked: func(present.Preview) present.Preview { return present.PreviewPlain },
		Begins: func(_ context.Context, _ string, from time.Duration) (time.Duration, error) {
			return from.Truncate(4 * time.Second), nil
		},
		Send: func(id string, from, to time.Duration, without bool) {
			f.sent = append(f.sent, fmt.Sprint(id, " ", from, " ", to, " ", without))
		},
	})
	t.Cleanup(f.Close)
	return f
}

func (f *fixture) open() {
	f.T.Helper()
	f.Show(Clip{ID: "a", Name: "harbour.mp4", Size: 1000 * mb, Most: 250 * mb})
	f.UntilWords("of at most 250 MB")
}

// goTo seeks by a click on the strip.
func (f *fixture) goTo(seconds float64) {
	strip := guitest.InSight[*chart.Marks](f.Top())[0]
	strip.Tapped(&fyne.PointEvent{Position: fyne.NewPos(strip.Size().Width*float32(seconds/600), 5)})
}

func TestThePartIsChosen(t *testing.T) {
	t.Run("with the keys, at what is seen, and goes with its times", func(t *testing.T) {
		f := setup(t, fyne.NewSize(1280, 800))
		f.open()
		f.goTo(30)
		f.Type("i")
		f.goTo(90)
		f.Type("o")
		f.UntilWords("01:00.0 long, about 103.3 MB of at most 250 MB. To keep every frame as it is, the cut is made at 00:28.0")
		f.Tap("Send this part")
		if len(f.sent) != 1 || f.sent[0] != "a 30s 1m30s false" {
			t.Errorf("sent is %q", f.sent)
		}
		if f.Frame.Sheet.Open() {
			t.Error("the sheet is still open")
		}
	})
	t.Run("by typed times; those that are none are not sent", func(t *testing.T) {
		f := setup(t, fyne.NewSize(1280, 800))
		f.open()
		for _, c := range []struct{ from, to, says string }{
			{"1:00", "0:30", "The end must come after the beginning."},
			{"1:00", "99:00", "The clip ends at 10:00.0."},
			{"0", "10:00", "too large. The service takes up to 250 MB"},
			{"soon", "1:00", "Type a time such as 1:20."},
		} {
			f.fields[1].SetText(c.to)
			f.fields[0].SetText(c.from)
			f.UntilWords(c.says)
			if !f.Button("Send this part").Disabled() {
				t.Errorf("%q to %q can be sent", c.from, c.to)
			}
		}
		f.fields[0].SetText("1:00")
		f.fields[1].SetText("1:20.5")
		f.Tap("Send this part")
		if len(f.sent) != 1 || f.sent[0] != "a 1m0s 1m20.5s false" {
			t.Errorf("sent is %q", f.sent)
		}
	})
	t.Run("by dragging a mark", func(t *testing.T) {
		f := setup(t, fyne.NewSize(1280, 800))
		f.open()
		strip := guitest.InSight[*chart.Marks](f.Top())[0]
		at := func(seconds float64) fyne.PointEvent {
			return fyne.PointEvent{Position: fyne.NewPos(strip.Size().Width*float32(seconds/600), 5)}
		}
		strip.MouseDown(&desktop.MouseEvent{PointEvent: at(120)}) // where the proposed part ends
		strip.Dragged(&fyne.DragEvent{PointEvent: at(60)})
		strip.DragEnd()
		f.UntilWords("01:00.0 long, about 100 MB of at most 250 MB.")
	})
	t.Run("and nothing is sent where the person leaves", func(t *testing.T) {
		f := setup(t, fyne.NewSize(1280, 800))
		f.open()
		f.Press(fyne.KeyEscape)
		if f.Frame.Sheet.Open() || len(f.sent) > 0 || f.Open() != "" {
			t.Errorf("sent is %q", f.sent)
		}
	})
	t.Run("and nothing can be sent where the clip can't be read", func(t *testing.T) {
		f := setup(t, fyne.NewSize(1280, 800))
		f.frames.err = guitest.Sentence("This clip is damaged.")
		f.Show(Clip{ID: "a", Name: "harbour.mp4", Size: 1000 * mb, Most: 250 * mb})
		f.UntilWords("This clip is damaged.")
		if !f.Button("Send this part").Disabled() {
			t.Error("it can be sent")
		}
	})
	t.Run("in sight as a whole in the smallest window, also where it was larger before", func(t *testing.T) {
		f := setup(t, fyne.NewSize(1280, 800))
		f.open()
		f.Resize(guitest.Smallest)
		f.goTo(60)
		f.Until("its frame is seen", func() bool {
			return !guitest.Reads(f.Top(), "No picture of this clip") && !guitest.Reads(f.Top(), "Reading the clip")
		})
		f.Picture("part-smallest", guitest.Smallest)
		if b := f.Button("Send this part"); b == nil || b.Disabled() {
			t.Error("there is no button to send it")
		}
		top := func(o fyne.CanvasObject) float32 { return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y }
		if end, send := top(f.words)+f.words.Size().Height, top(f.Button("Send this part")); end > send {
			t.Errorf("how long the part is ends at %v, beyond the button at %v", end, send)
		}
	})
}
