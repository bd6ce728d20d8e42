//go:build e2e && linux

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// blankBelow is the number of colours below which a picture of a window counts as blank: antialiased text alone has more.
const blankBelow = 24

// Shot is a picture of the screen or of one window.
type Shot struct {
	Pixels *image.RGBA
}

// Screen takes a picture of the whole screen, including window frames.
func (d *Desktop) Screen(ctx context.Context) (*Shot, error) { return d.take(ctx, 0) }

// Shot takes a picture of the window's inside, as far as it is on the screen, with what covers it.
func (w *Window) Shot(ctx context.Context) (*Shot, error) {
	id, err := strconv.ParseUint(w.id, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("screenshot: %w", err)
	}
	return w.desktop.take(ctx, xproto.Window(id))
}

// take asks the X server for the pixels of a window, 0 for all of the screen, at depth 24. A program like ImageMagick's import takes five times as
// long for each, and each test takes hundreds.
func (d *Desktop) take(ctx context.Context, window xproto.Window) (*Shot, error) {
	xgb.Logger = log.New(io.Discard, "", 0) // errors are returned
	x, err := xgb.NewConnDisplay(d.display)
	if err != nil {
		return nil, fmt.Errorf("screenshot: %w", err)
	}
	defer x.Close()
	limited, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	defer context.AfterFunc(limited, x.Close)()
	screen := xproto.Setup(x).DefaultScreen(x)
	whole := image.Rect(0, 0, int(screen.WidthInPixels), int(screen.HeightInPixels))
	area := whole
	if window != 0 {
		size, err := xproto.GetGeometry(x, xproto.Drawable(window)).Reply()
		if err != nil {
			return nil, fmt.Errorf("screenshot: %w", err)
		}
		at, err := xproto.TranslateCoordinates(x, window, screen.Root, 0, 0).Reply()
		if err != nil {
			return nil, fmt.Errorf("screenshot: %w", err)
		}
		area = image.Rect(0, 0, int(size.Width), int(size.Height)).Add(image.Pt(int(at.DstX), int(at.DstY))).Intersect(whole)
	}
	answer, err := xproto.GetImage(x, xproto.ImageFormatZPixmap, xproto.Drawable(screen.Root),
		int16(area.Min.X), int16(area.Min.Y), uint16(area.Dx()), uint16(area.Dy()), math.MaxUint32).Reply()
	if err != nil {
		return nil, fmt.Errorf("screenshot: %w", err)
	}
	shot := &Shot{Pixels: &image.RGBA{Pix: answer.Data, Stride: 4 * area.Dx(), Rect: image.Rectangle{Max: area.Size()}}}
	for p := shot.Pixels.Pix; len(p) >= 4; p = p[4:] {
		p[0], p[2], p[3] = p[2], p[0], math.MaxUint8 // blue comes first, and in the place of an opacity there is nothing
	}
	return shot, nil
}

func decodeShot(encoded io.Reader) (*Shot, error) {
	decoded, err := png.Decode(encoded)
	if err != nil {
		return nil, fmt.Errorf("screenshot: %w", err)
	}
	pixels := image.NewRGBA(decoded.Bounds())
	draw.Draw(pixels, pixels.Rect, decoded, decoded.Bounds().Min, draw.Src)
	return &Shot{Pixels: pixels}, nil
}

// Settled takes pictures of the window until two in a row are the same but for a blinking caret, so that everything has been painted.
func (w *Window) Settled(ctx context.Context) (*Shot, error) { return w.SettledBut(ctx, 0) }

// SettledBut is Settled for a window in which a share, 0 to 1, keeps changing, such as the progress of uploads.
func (w *Window) SettledBut(ctx context.Context, share float64) (*Shot, error) {
	const apart = 250 * time.Millisecond
	caret := image.Pt(6, 60) // at scale 2
	var last *Shot
	var taken time.Time
	err := Until(ctx, patience, "the window stops changing", func() (bool, error) {
		if last != nil && time.Since(taken) < apart {
			return false, nil
		}
		shot, err := w.Shot(ctx)
		if err != nil {
			return false, err
		}
		same := false
		if last != nil {
			changed, around := shot.changes(last)
			same = changed <= share || around.Dx() <= caret.X && around.Dy() <= caret.Y
		}
		last, taken = shot, time.Now()
		return same, nil
	})
	return last, err
}

// ChangedFrom waits until the window differs from an earlier picture and has come to rest, and returns the new picture.
func (w *Window) ChangedFrom(ctx context.Context, earlier *Shot) (*Shot, error) {
	var shot *Shot
	err := Until(ctx, patience, "the window changes", func() (bool, error) {
		var err error
		shot, err = w.Settled(ctx)
		return err == nil && shot.Changed(earlier) > 0, err
	})
	return shot, err
}

// Differs waits until at least a share, 0 to 1, of the window differs from an earlier picture, even if it does not come to rest.
func (w *Window) Differs(ctx context.Context, earlier *Shot, share float64) (*Shot, error) {
	var shot *Shot
	err := Until(ctx, patience, fmt.Sprintf("%.1f %% of the window change", 100*share), func() (bool, error) {
		var err error
		shot, err = w.Shot(ctx)
		return err == nil && shot.Changed(earlier) >= share, err
	})
	return shot, err
}

// Colours counts the different colours, up to a thousand.
func (s *Shot) Colours() int {
	seen := map[[3]uint8]struct{}{}
	for i := 0; i+3 < len(s.Pixels.Pix) && len(seen) < 1000; i += 4 {
		seen[[3]uint8(s.Pixels.Pix[i:i+3])] = struct{}{}
	}
	return len(seen)
}

// Blank reports whether nothing was painted: no window, or one without content.
func (s *Shot) Blank() bool { return s.Colours() < blankBelow }

// Changed is the share, 0 to 1, of the pixels that differ from another picture's; 1 if their sizes differ.
func (s *Shot) Changed(other *Shot) float64 {
	share, _ := s.changes(other)
	return share
}

// changes is Changed, and the rectangle around the pixels that differ.
func (s *Shot) changes(other *Shot) (share float64, around image.Rectangle) {
	if s.Pixels.Rect.Size() != other.Pixels.Rect.Size() {
		return 1, s.Pixels.Rect
	}
	width, height, changed := s.Pixels.Rect.Dx(), s.Pixels.Rect.Dy(), 0
	for y := range height {
		ours, theirs := s.Pixels.Pix[y*s.Pixels.Stride:], other.Pixels.Pix[y*other.Pixels.Stride:]
		if bytes.Equal(ours[:4*width], theirs[:4*width]) {
			continue
		}
		for x := range width {
			if [3]uint8(ours[4*x:]) != [3]uint8(theirs[4*x:]) {
				changed++
				around = around.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return float64(changed) / float64(width*height), around
}

// Brightness is the mean of all channels, 0 black to 255 white.
func (s *Shot) Brightness() float64 {
	sum := 0
	for i := 0; i+3 < len(s.Pixels.Pix); i += 4 {
		sum += int(s.Pixels.Pix[i]) + int(s.Pixels.Pix[i+1]) + int(s.Pixels.Pix[i+2])
	}
	return float64(sum) / float64(len(s.Pixels.Pix)/4*3)
}

// Keep saves the picture in the desktop's folder for screenshots as NAME.png. It fails if the picture is blank.
func (d *Desktop) Keep(shot *Shot, name string) error {
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, shot.Pixels); err != nil {
		return fmt.Errorf("screenshot %s: %w", name, err)
	}
	if err := os.WriteFile(filepath.Join(d.Shots, name+".png"), encoded.Bytes(), 0o600); err != nil {
		return fmt.Errorf("screenshot %s: %w", name, err)
	}
	if shot.Blank() {
		return fmt.Errorf("screenshot %s is blank: %d colours", name, shot.Colours())
	}
	return nil
}
