package sound

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/ffmpeg"
	"assay/client/media/container"
	"assay/client/media/mediatest"
	"assay/client/media/sound/soundtest"
)

// without is an opener on a computer without ffmpeg.
var without = Opener{FFmpeg: func() (ffmpeg.Tool, error) { return ffmpeg.Tool{}, &ffmpeg.Missing{Program: "ffmpeg"} }}

func TestBadInputIsSaidInASentence(t *testing.T) {
	half := func(b []byte) []byte { return b[:len(b)/2] }
	for name, data := range map[string][]byte{
		"empty":                nil,
		"one byte":             {0},
		"text":                 []byte("Not a recording at all, but long enough to look at, several lines of it."),
		"half a WAV header":    soundtest.Mono(8000, 0.5)[:30],
		"no samples":           soundtest.Mono(8000),
		"rate zero":            soundtest.Mono(0, 1, 1),
		"a rate beyond reason": soundtest.Mono(2_000_000_000, 1, 1),
		"no channels":          soundtest.WAV(container.WAVIntegers, 0, 8000, 16, 4, make([]byte, 4)),
		"65535 channels":       soundtest.WAV(container.WAVIntegers, 65535, 8000, 16, 4, make([]byte, 4)),
		"a chunk of 4 GB":      append([]byte("RIFF\xff\xff\xff\xffWAVEfmt \xff\xff\xff\xff"), make([]byte, 100)...),
		"a FLAC mark alone":    []byte("fLaC"),
		"FLAC without frames":  append([]byte("fLaC\x80\x00\x00\x22"), make([]byte, 34)...),
		"an Ogg mark alone":    []byte("OggS\x01vorbis"),
		"a tag alone":          append([]byte("ID3\x04\x00\x00\x00\x00\x00\x10"), make([]byte, 16)...),
		"a tag beyond the end": append([]byte("ID3\x04\x00\x00\x7f\x7f\x7f\x7f"), make([]byte, 16)...),
		"half an AAC":          half([]byte("\xff\xf1\x50\x80\x01\x3f\xfc\x00")),
		"an MP4 mark alone":    []byte("\x00\x00\x00\x18ftypM4A \x00\x00\x00\x00"),
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Open(t.Context(), mediatest.Saved(t, "recording.mp3", data))
			if err == nil {
				t.Fatal("opened", r.Close())
			}
			var said interface{ Sentence() string }
			if !errors.As(err, &said) || said.Sentence() == "" {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "gone.wav")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a folder", func(t *testing.T) {
		if _, err := Open(t.Context(), t.TempDir()); !isUnreadable(err) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("after the context has ended", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Open(ctx, mediatest.Saved(t, "r", soundtest.Mono(8000, 1))); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

func TestOddButSoundRecordingsAreRead(t *testing.T) {
	t.Run("one sample", func(t *testing.T) {
		r := opened(t, soundtest.Mono(8000, 0.5))
		p := peaksOf(t, r)
		columns := make([]Column, 1)
		p.Columns(columns, 0, r.Duration())
		if got := samplesOf(t, r, 0, 9); len(got) != 1 || !columns[0].Known || r.Duration() != 125*time.Microsecond {
			t.Errorf("%v, %+v, %v", got, columns, r.Duration())
		}
	})
	t.Run("numbers that are none", func(t *testing.T) {
		var data []byte
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0.5, 7} {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
		}
		got := samplesOf(t, opened(t, soundtest.WAV(container.WAVFloats, 1, 8000, 32, uint32(len(data)), data)), 0, 9)
		for i, want := range []float64{0, 1, -1, 0.5, 1} {
			if got[i][0] != want {
				t.Errorf("sample %d is %v, want %v", i, got[i][0], want)
			}
		}
	})
	t.Run("a WAV of which the end is missing", func(t *testing.T) {
		whole := soundtest.Mono(8000, soundtest.Tone(8000, 440, 2, 0.5)...)
		r := opened(t, whole[:44+16000])
		p, err := r.Peaks(t.Context(), nil)
		if r.Duration() != time.Second || !isUnreadable(err) || p.Known() != time.Second {
			t.Errorf("%v, %v known, %v", r.Duration(), p.Known(), err)
		}
	})
	for name, args := range map[string][]string{"a.flac": nil, "a.mp3": {"-b:a", "64k"}, "a.ogg": {"-c:a", "libvorbis"}, "a.aac": nil} {
		t.Run("half of "+name, func(t *testing.T) {
			whole := mediatest.Read(t, encoded(t, soundtest.Mono(22050, sweep(22050, 12)...), name, args...))
			r := opened(t, whole[:len(whole)/2])
			if got := r.Duration().Seconds(); got < 3 || got > 9 {
				t.Errorf("lasts %v s", got)
			}
			p, err := r.Peaks(t.Context(), nil)
			if p == nil || err != nil && !isUnreadable(err) || p.Known() < 3*time.Second {
				t.Errorf("%v known, %v", p.Known(), err)
			}
		})
	}
	t.Run("an MP3 behind a picture and with noise in the middle", func(t *testing.T) {
		whole := mediatest.Read(t, encoded(t, soundtest.Mono(22050, sweep(22050, 4)...), "a.mp3", "-id3v2_version", "0", "-write_xing", "0"))
		tag := append([]byte("ID3\x04\x00\x00\x00\x00\x20\x00"), bytes.Repeat([]byte{0xff, 0xfb}, 0x800)...)
		noise := bytes.Repeat([]byte("noise\xff"), 500)
		middle := len(whole) / 2
		r := opened(t, bytes.Join([][]byte{tag, whole[:middle], noise, whole[middle:]}, nil))
		if got := r.Duration().Seconds(); math.Abs(got-4) > 0.2 {
			t.Errorf("lasts %v s", got)
		}
		if got := samplesOf(t, r, 0, 5*22050); int64(len(got)) != r.source.frames() {
			t.Errorf("%d samples of %d", len(got), r.source.frames())
		}
	})
}

func TestWithoutFFmpeg(t *testing.T) {
	for name, data := range map[string][]byte{
		"MP4": []byte("\x00\x00\x00\x18ftypM4A \x00\x00\x00\x00"), "AAC": []byte("\xff\xf1\x50\x80\x01\x3f\xfc\x00"), "Ogg Opus": []byte("OggS\x00\x02..................OpusHead"),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := without.Open(t.Context(), mediatest.Saved(t, "a", data))
			var needs *NeedsFFmpeg
			if !errors.As(err, &needs) || needs.Format != name || needs.Sentence() != "Assay plays "+name+" recordings with ffmpeg, which is not installed on this computer." {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("the rest is read", func(t *testing.T) {
		r, err := without.Open(t.Context(), mediatest.Saved(t, "a", soundtest.Mono(8000, 0.5)))
		assert.NoError(t, err)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestWhatWasDecodedIsGoneAfterClose(t *testing.T) {
	path := encoded(t, soundtest.Mono(8000, soundtest.Tone(8000, 440, 30, 0.5)...), "a.m4a")
	o := Opener{Dir: t.TempDir()}
	r, err := o.Open(t.Context(), path)
	assert.NoError(t, err)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(o.Dir); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// FuzzOpen feeds any bytes: they are refused with a sentence, or read to their end without a panic.
func FuzzOpen(f *testing.F) {
	f.Add(soundtest.Mono(8000, 0.5, -0.5))
	f.Add(soundtest.WAV(container.WAVFloats, 6, 48000, 32, 48, make([]byte, 48)))
	f.Add([]byte("\x00\x00\x00\x18ftypM4A \x00\x00\x00\x00"))
	for _, seed := range []string{"tone.mp3", "tone.flac", "tone.ogg"} {
		data := mediatest.Read(f, filepath.Join("testdata", seed))
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &file{ReaderAt: bytes.NewReader(data), size: int64(len(data)), close: func() error { return nil }}
		r, err := without.openBytes(t.Context(), in)
		if err != nil {
			var said interface{ Sentence() string }
			if !errors.As(err, &said) {
				t.Fatalf("no sentence: %v", err)
			}
			return
		}
		if _, err := r.Peaks(t.Context(), nil); err != nil && !isUnreadable(err) {
			t.Fatal(err)
		}
	})
}

// What ffmpeg writes has no length, and may have no end either: who listens ends it.
func TestTheVisitorEndsWhatWouldNeverEnd(t *testing.T) {
	endless := io.MultiReader(bytes.NewReader(soundtest.WAV(container.WAVIntegers, 1, 4000, 8, math.MaxUint32, nil)), forever{})
	enough, heard := errors.New("enough"), 0
	_, err := wholeFromFFmpeg(t.Context(), struct{ io.Reader }{endless}, func(rate int, block [][2]float64) error {
		if heard += len(block); heard > 10*rate {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || heard < 40_000 {
		t.Errorf("error %v after %d samples", err, heard)
	}
}

// forever is silence without an end.
type forever struct{}

func (forever) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 128
	}
	return len(p), nil
}
