package film

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/ffmpeg"
	"assay/client/media/mediatest"
)

// clip has ffmpeg make a clip of 320 × 180 pixels and 3 seconds, of which the first is red, the second green, the third blue.
func clip(t *testing.T, name string, args ...string) string {
	t.Helper()
	const film = "color=red:s=320x180:r=25:d=1[r];color=lime:s=320x180:r=25:d=1[g];color=blue:s=320x180:r=25:d=1[b];[r][g][b]concat=n=3"
	return mediatest.Made(t, name, append([]string{"-f", "lavfi", "-i", film}, args...)...)
}

func colour(t *testing.T, m *image.RGBA, x, y int) string {
	t.Helper()
	c := m.RGBAAt(x, y)
	switch {
	case c.A != 255:
		return "transparent"
	case c.R > 200 && c.G < 60 && c.B < 60:
		return "red"
	case c.G > 200 && c.R < 60 && c.B < 60:
		return "green"
	case c.B > 200 && c.R < 60 && c.G < 60:
		return "blue"
	}
	return "other"
}

func TestFramesOfAClip(t *testing.T) {
	path := clip(t, "100% odd: name.mp4", "-pix_fmt", "yuv420p")
	p := New(0)
	info, err := p.Probe(t.Context(), path)
	assert.NoError(t, err)
	if info != (Info{Duration: 3 * time.Second, Width: 320, Height: 180, FrameRate: 25, Codec: "h264"}) {
		t.Errorf("info %+v", info)
	}
	for at, want := range map[time.Duration]string{
		-time.Second: "red", 0: "red", 500 * time.Millisecond: "red", 1500 * time.Millisecond: "green", 2980 * time.Millisecond: "blue", 3 * time.Second: "blue", time.Hour: "blue",
	} {
		frame, err := p.Frame(t.Context(), path, at, 160)
		if err != nil {
			t.Fatalf("at %v: %v", at, err)
		}
		if frame.Rect != image.Rect(0, 0, 160, 90) || colour(t, frame, 80, 45) != want {
			t.Errorf("at %v: %v of %s, want %s", at, frame.Rect, colour(t, frame, 80, 45), want)
		}
	}
	t.Run("are never larger than the clip", func(t *testing.T) {
		frame, err := p.Frame(t.Context(), path, 0, 100000)
		if err != nil || frame.Rect != image.Rect(0, 0, 320, 180) {
			t.Errorf("%v, %v", frame, err)
		}
	})
	t.Run("are kept", func(t *testing.T) {
		first, err := p.Frame(t.Context(), path, time.Second/2, 160)
		assert.NoError(t, err)
		p.find = func() (ffmpeg.Tool, error) { return ffmpeg.Tool{}, errors.New("not needed") }
		if again, err := p.Frame(t.Context(), path, time.Second/2, 160); err != nil || again != first {
			t.Errorf("not the same frame: %v", err)
		}
		p.Forget()
		if _, err := p.Frame(t.Context(), path, time.Second/2, 160); err == nil {
			t.Error("a frame that was forgotten is there")
		}
	})
	t.Run("end with the context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := New(0).Frame(ctx, path, 0, 160); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

func TestARotatedClipIsUpright(t *testing.T) {
	plain := clip(t, "plain.mp4", "-pix_fmt", "yuv420p", "-vf", "drawbox=x=0:y=0:w=160:h=90:color=white:t=fill")
	turned := mediatest.Made(t, "turned.mov", "-i", plain, "-c", "copy", "-metadata:s:v:0", "rotate=90")
	p := New(0)
	info, err := p.Probe(t.Context(), turned)
	if err != nil || info.Width != 180 || info.Height != 320 {
		t.Fatalf("%+v, %v; want 180 × 320", info, err)
	}
	frame, err := p.Frame(t.Context(), turned, 0, 320)
	if err != nil || frame.Rect != image.Rect(0, 0, 180, 320) {
		t.Fatal(frame.Rect, err)
	}
	// ffmpeg writes "rotate=90" as a turn against the clock: the white corner at the upper left is at the lower left then.
	if colour(t, frame, 30, 300) != "other" || colour(t, frame, 30, 20) != "red" || colour(t, frame, 150, 300) != "red" {
		t.Errorf("lower left %s, upper left %s, lower right %s", colour(t, frame, 30, 300), colour(t, frame, 30, 20), colour(t, frame, 150, 300))
	}
}

func TestPixelsThatAreNotSquareAreMadeSo(t *testing.T) {
	path := clip(t, "wide.mp4", "-pix_fmt", "yuv420p", "-vf", "setsar=2")
	info, err := New(0).Probe(t.Context(), path)
	if err != nil || info.Width != 640 || info.Height != 180 {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestKeptFramesAreBounded(t *testing.T) {
	f := newFrames(1000)
	key := func(i int) frameKey { return frameKey{at: time.Duration(i)} }
	small := image.NewRGBA(image.Rect(0, 0, 10, 10)) // 400 bytes
	f.keep(key(1), small)
	f.keep(key(2), small)
	f.frame(key(1))
	f.keep(key(3), small)
	if f.frame(key(1)) == nil || f.frame(key(2)) != nil || f.frame(key(3)) == nil || f.bytes != 800 {
		t.Errorf("%d bytes, %d frames", f.bytes, len(f.by))
	}
	f.keep(key(4), image.NewRGBA(image.Rect(0, 0, 100, 100)))
	if f.frame(key(4)) != nil || f.bytes != 800 {
		t.Error("a frame that is too large by itself was kept")
	}
}

func TestWhatIsNoClip(t *testing.T) {
	write := func(name, text string) string { return mediatest.Saved(t, name, []byte(text)) }
	t.Run("without ffmpeg", func(t *testing.T) {
		path := write("clip.mp4", "\x00\x00\x00\x18ftypmp42")
		t.Setenv("PATH", t.TempDir())
		if _, err := New(0).Frame(t.Context(), path, 0, 100); !ffmpeg.IsMissing(err) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("missing", func(t *testing.T) {
		if _, err := New(0).Probe(t.Context(), filepath.Join(t.TempDir(), "gone")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
	})
	whole, err := os.ReadFile(clip(t, "whole.mp4"))
	assert.NoError(t, err)
	for name, path := range map[string]string{
		"empty": write("e.mp4", ""), "a folder": t.TempDir(), "text": write("t.mp4", "a text"), "half of one": write("h.mp4", string(whole[:len(whole)/2])),
		"a playlist":  write("p.mp4", "ffconcat version 1.0\nfile '/etc/passwd'\n"),
		"sound alone": mediatest.Made(t, "a.m4a", "-f", "lavfi", "-i", "sine=d=1"),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(0).Frame(t.Context(), path, 0, 100)
			var unreadable *ffmpeg.Unreadable
			if !errors.As(err, &unreadable) || unreadable.Sentence() == "" {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestAFrameCutShortIsAnError(t *testing.T) {
	frames := 0
	if err := readFrames(bytes.NewReader(make([]byte, 100)), make([]byte, 48), 9, func() { frames++ }); !errors.Is(err, io.ErrUnexpectedEOF) || frames != 2 {
		t.Errorf("%d frames, error %v", frames, err)
	}
}

func TestKeyFrames(t *testing.T) {
	tool, err := ffmpeg.Find()
	assert.NoError(t, err)
	keyFrames := func(path string, most int) (seen []string) {
		assert.NoError(t, KeyFrames(t.Context(), tool, path, image.Pt(64, 32), most, func(frame *image.RGBA) {
			seen = append(seen, colour(t, frame, 32, 16))
		}))
		return seen
	}
	path := clip(t, "a.mp4", "-pix_fmt", "yuv420p", "-force_key_frames", "0,1,2.5", "-x264-params", "keyint=infinite:scenecut=0")
	assert.Equal(t, []string{"red", "green", "blue"}, keyFrames(path, 10))
	assert.Equal(t, []string{"red", "green"}, keyFrames(path, 2))
	var unreadable *ffmpeg.Unreadable
	if err := KeyFrames(t.Context(), tool, mediatest.Saved(t, "a.mp4", []byte("kind of clip")), image.Pt(64, 32), 2, func(*image.RGBA) {}); !errors.As(err, &unreadable) {
		t.Errorf("of what is no clip: %v", err)
	}
}
