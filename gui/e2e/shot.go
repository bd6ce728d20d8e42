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
	"os"
	"path/filepath"
	"time"
)

// blankBelow is the number of colours below which a picture of a window counts as blank: antialiased text alone has more.
const blankBelow = 24

// Shot is a picture of the screen or of one window.
type Shot struct {
	Pixels *image.RGBA
}

// Screen takes a picture of the whole screen, including pointer and window frames.
func (d *Desktop) Screen(ctx context.Context) (*Shot, error) { return d.take(ctx, "root") }

// Shot takes a picture of the window's inside.
func (w *Window) Shot(ctx context.Context) (*Shot, error) { return w.desktop.take(ctx, w.id) }

func (d *Desktop) take(ctx context.Context, window string) (*Shot, error) {
	encoded, err := d.Run(ctx, "import", "-silent", "-window", window, "-depth", "8", "-define", "png:compression-level=1", "png24:-")
	if err != nil {
		return nil, err
	}
	return decodeShot(bytes.NewReader(encoded))
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

// Settled takes pictures of the window, some 150 ms apart, until two in a row are the same, so that everything has been painted.
func (w *Window) Settled(ctx context.Context) (*Shot, error) { return w.SettledBut(ctx, 0) }

// SettledBut is Settled for a window in which a share, 0 to 1, keeps changing, such as the progress of uploads.
func (w *Window) SettledBut(ctx context.Context, share float64) (*Shot, error) {
	var last *Shot
	var taken time.Time
	err := Until(ctx, patience, "the window stops changing", func() (bool, error) {
		if last != nil && time.Since(taken) < 150*time.Millisecond {
			return false, nil
		}
		shot, err := w.Shot(ctx)
		if err != nil {
			return false, err
		}
		same := last != nil && shot.Changed(last) <= share
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
	if s.Pixels.Rect.Size() != other.Pixels.Rect.Size() {
		return 1
	}
	changed := 0
	for i := 0; i+3 < len(s.Pixels.Pix); i += 4 {
		if [3]uint8(s.Pixels.Pix[i:i+3]) != [3]uint8(other.Pixels.Pix[i:i+3]) {
			changed++
		}
	}
	return float64(changed) / float64(len(s.Pixels.Pix)/4)
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
