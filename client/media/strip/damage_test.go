package strip

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

// talking are files that say something wherever their formats can, but for what stands behind their end.
func talking(t testing.TB) map[facts.Format][]byte {
	clip, _ := talkingClip(nil)
	cut := func(data []byte) []byte { return data[:len(data)-len(secret)] }
	jpeg := talkingJPEG(t, 6)
	return map[facts.Format][]byte{
		facts.JPEG: jpeg[:len(jpeg)-12-len(secret)], facts.PNG: cut(talkingPNG(t)), facts.GIF: cut(talkingGIF(t)),
		facts.WAV:       riff("WAVE", mediatest.WAVFormat, riffPart("LIST", "INFO"+riffPart("IART", secret)), riffPart("data", "sound")),
		facts.Ogg:       join(oggPage(2, 7, 0, false, "OpusHead\x01\x02\x38\x01\x80\xbb\x00\x00\x00\x00\x00"), oggPage(0, 7, 1, false, "OpusTags"+vorbisComments(secret, "ARTIST="+secret), "sound")),
		facts.QuickTime: clip,
	}
}

func TestDamage(t *testing.T) {
	for format, data := range talking(t) {
		t.Run("cut short, "+string(format), func(t *testing.T) {
			mustCopy(t, data, format) // whole, it can be copied
			for _, n := range []int{len(data) - 1, len(data) - 3, len(data) * 3 / 4, len(data) / 2, len(data) / 4, 30} {
				if _, _, err := copyOf(t, data[:n], format); asProblem(err) == nil {
					t.Errorf("%d of %d bytes: error %v", n, len(data), err)
				}
			}
		})
		t.Run("changed at random, it gives no copy or one that tells nothing, "+string(format), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same each time
			for range 80 {
				broken := bytes.Clone(data)
				for range 3 {
					broken[r.IntN(len(broken))] = byte(r.Uint32())
				}
				made, _, err := copyOf(t, broken, read(t, broken).Format)
				if err != nil && asProblem(err) == nil {
					t.Fatalf("error %v", err)
				}
				if left := facts.Identifying(read(t, made)); len(left) > 0 {
					t.Fatalf("the copy says %+v", left)
				}
			}
		})
	}
	t.Run("another format than was said", func(t *testing.T) { refused(t, plainPNG(t), facts.JPEG, ErrDamaged) })
}

func TestCan(t *testing.T) {
	for _, format := range []facts.Format{
		facts.JPEG, facts.PNG, facts.GIF, facts.WebP, facts.MP3, facts.WAV, facts.FLAC, facts.Ogg, facts.AAC, facts.M4A, facts.MP4, facts.QuickTime,
	} {
		if ok, why := Can(format); !ok || why != "" {
			t.Errorf("%s: %v %q", format, ok, why)
		}
	}
	for format, want := range map[facts.Format]string{
		facts.Text: "A text has no metadata that Assay could leave out.", facts.TIFF: "Assay can't take the metadata out of this kind of file.",
		"": "Assay can't take the metadata out of this kind of file.",
	} {
		if ok, why := Can(format); ok || why != want {
			t.Errorf("%s: %v %q", format, ok, why)
		}
	}
	t.Run("what can't be copied is not", func(t *testing.T) { refused(t, []byte("Only words."), facts.Text, ErrText) })
}

// failingAt is a disk that fails from an offset on.
type failingAt struct {
	io.ReaderAt
	from int64
}

func (f failingAt) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.from {
		return 0, io.ErrClosedPipe
	}
	return f.ReaderAt.ReadAt(p, at)
}

func TestWhatEndsACopyEarly(t *testing.T) {
	data := talkingJPEG(t, 1)
	file := func(t *testing.T, flags int) *os.File {
		to, err := os.OpenFile(filepath.Join(t.TempDir(), "copy"), flags|os.O_CREATE, 0o600)
		assert.NoError(t, err)
		t.Cleanup(func() { _ = to.Close() })
		return to
	}
	t.Run("the disk that is read", func(t *testing.T) {
		from := failingAt{bytes.NewReader(data), int64(len(data) - 100)}
		if _, err := Copy(t.Context(), from, int64(len(data)), facts.JPEG, file(t, os.O_RDWR)); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("the disk that is written", func(t *testing.T) {
		if _, err := Copy(t.Context(), bytes.NewReader(data), int64(len(data)), facts.JPEG, file(t, os.O_RDONLY)); err == nil || asProblem(err) != nil {
			t.Errorf("error %v", err)
		}
	})
	t.Run("when it is cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		to := file(t, os.O_RDWR)
		if _, err := Copy(ctx, bytes.NewReader(data), int64(len(data)), facts.JPEG, to); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if info, err := to.Stat(); err != nil || info.Size() != 0 {
			t.Errorf("%v %v", info, err)
		}
	})
}
