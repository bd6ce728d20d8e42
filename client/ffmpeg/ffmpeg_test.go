package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/media/mediatest"

	"github.com/google/go-cmp/cmp"
)

// The test binary stands in for ffmpeg where this variable names what it shall do.
const role = "FAKE_FFMPEG"

func init() {
	if as := os.Getenv(role); as != "" {
		os.Exit(play(as)) //nolint:forbidigo // this process plays another program
	}
}

func play(as string) int {
	switch as {
	case "tell": // its arguments and its environment
		if _, err := fmt.Fprint(os.Stdout, strings.Join(os.Args[1:], "\n"), "\n--\n", strings.Join(os.Environ(), "\n")); err != nil {
			return 3
		}
	case "fail":
		fmt.Fprintln(os.Stderr, "moov atom not found\nand more")
		return 1
	case "chatter":
		line := strings.Repeat("x", 1000)
		for range 1000 {
			fmt.Fprintln(os.Stderr, line)
		}
		return 1
	case "stand": // it tells the same progress again and again
		for {
			if _, err := fmt.Fprint(os.Stdout, "out_time_us=1000\ntotal_size=48\nprogress=continue\n"); err != nil {
				return 3
			}
			<-time.After(20 * time.Millisecond)
		}
	case "grow": // it gets on, slowly
		for at := range 20 {
			if _, err := fmt.Fprintf(os.Stdout, "out_time_us=%d\ntotal_size=%d\n", at, 100*at); err != nil {
				return 3
			}
			<-time.After(50 * time.Millisecond)
		}
	case "flood", "hang":
		for as == "flood" {
			if _, err := fmt.Fprintln(os.Stdout, strings.Repeat("x", 1000)); err != nil {
				return 3
			}
		}
		if _, err := fmt.Fprintln(os.Stdout, "begun"); err != nil {
			return 3
		}
		<-time.After(time.Hour)
	}
	return 0
}

func playing(t *testing.T, as string) Tool {
	t.Helper()
	program, err := os.Executable()
	assert.NoError(t, err)
	t.Setenv(role, as)
	return Tool{Program: program, Prober: program}
}

func TestTheFileIsNothingButAFile(t *testing.T) {
	for _, name := range []string{"clip.mp4", "-y.mp4", "http:host.mp4", "concat:a|b.mp4", "100%d $(x).mp4"} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			whole, err := filepath.Abs(name)
			assert.NoError(t, err)
			var told []byte
			err = playing(t, "tell").Run(t.Context(), Job{Path: name, Demuxer: "mov", Before: []string{"-ss", "1"}, After: []string{"-f", "null", "-"}}, func(out io.Reader) (err error) {
				told, err = io.ReadAll(out)
				return err
			})
			assert.NoError(t, err)
			arguments, _, _ := strings.Cut(string(told), "\n--\n")
			want := []string{
				"-hide_banner", "-nostdin", "-loglevel", "error", "-threads", "2", "-protocol_whitelist", "file,pipe",
				"-ss", "1", "-f", "mov", "-i", "file:" + whole, "-f", "null", "-",
			}
			if diff := cmp.Diff(want, strings.Split(arguments, "\n")); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheKeyStaysHere(t *testing.T) {
	t.Setenv("ASSAY_API_KEY", "secret-of-the-desk")
	t.Setenv("assay_server", "secret-of-the-desk")
	t.Setenv("UNRELATED", "kept")
	var told []byte
	assert.NoError(t, playing(t, "tell").Run(t.Context(), Job{Path: "clip"}, func(out io.Reader) (err error) {
		told, err = io.ReadAll(out)
		return err
	}))
	if strings.Contains(string(told), "secret-of-the-desk") || !strings.Contains(string(told), "UNRELATED=kept") {
		t.Errorf("its environment: %s", told)
	}
}

func TestRunning(t *testing.T) {
	all := func(out io.Reader) error { _, err := io.Copy(io.Discard, out); return err }
	t.Run("a failure comes in its first line", func(t *testing.T) {
		err := playing(t, "fail").Run(t.Context(), Job{Path: "clip"}, all)
		var failed *Failed
		if !errors.As(err, &failed) || failed.Words != "moov atom not found" || strings.Contains(err.Error(), "more") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("what it complains of is bounded", func(t *testing.T) {
		err := playing(t, "chatter").Run(t.Context(), Job{Path: "clip"}, all)
		if err == nil || len(err.Error()) > mostWords+200 {
			t.Errorf("an error of %d bytes", len(err.Error()))
		}
	})
	t.Run("who has had enough ends it", func(t *testing.T) {
		if err := playing(t, "flood").Run(t.Context(), Job{Path: "clip"}, func(out io.Reader) error {
			_, err := io.ReadFull(out, make([]byte, 5000))
			return err
		}); err != nil {
			t.Error(err)
		}
	})
	t.Run("what the reader says comes first", func(t *testing.T) {
		mine := errors.New("mine")
		if err := playing(t, "flood").Run(t.Context(), Job{Path: "clip"}, func(io.Reader) error { return mine }); !errors.Is(err, mine) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("the end of the context ends it", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		err := playing(t, "hang").Run(ctx, Job{Path: "clip"}, func(out io.Reader) error {
			_, err := io.ReadFull(out, make([]byte, 5))
			cancel() // it runs, and would never end
			return err
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("its time is limited", func(t *testing.T) {
		err := playing(t, "hang").Run(t.Context(), Job{Path: "clip", Longest: 200 * time.Millisecond}, all)
		var failed *Failed
		if !errors.As(err, &failed) || failed.TooLong != 200*time.Millisecond || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a program that cannot be started is an error", func(t *testing.T) {
		err := Tool{Program: filepath.Join(t.TempDir(), "ffmpeg")}.Run(t.Context(), Job{Path: "clip"}, all)
		var failed *Failed
		if !errors.As(err, &failed) {
			t.Errorf("error %v", err)
		}
	})
}

func TestWriting(t *testing.T) {
	const silence = 2 * time.Second // on a busy computer, a program may not get its turn for long
	write := func(t *testing.T, as string, most int64) error {
		t.Helper()
		return playing(t, as).Write(t.Context(), Job{Path: "clip", Silence: silence}, filepath.Join(t.TempDir(), "copy"), most)
	}
	for _, as := range []string{"hang", "stand"} {
		t.Run("it is stopped when it gets nowhere: "+as, func(t *testing.T) {
			err := write(t, as, 1<<20)
			var failed *Failed
			if !errors.As(err, &failed) || failed.TooLong != silence || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("one that gets on is left alone", func(t *testing.T) { assert.NoError(t, write(t, "grow", 1<<20)) })
	t.Run("it is stopped when what it writes is too large", func(t *testing.T) {
		if err := write(t, "grow", 500); !errors.Is(err, ErrTooLarge) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("the end of the context ends it", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		err := playing(t, "hang").Write(ctx, Job{Path: "clip"}, filepath.Join(t.TempDir(), "copy"), 1<<20)
		if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*Failed)) {
			t.Errorf("error %v", err)
		}
	})
}

func TestWithoutFFmpegTheErrorSaysSo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Find()
	var missing *Missing
	if !errors.As(err, &missing) || !IsMissing(err) || missing.Sentence() != "The program ffmpeg is not installed on this computer." {
		t.Errorf("error %v", err)
	}
	if _, err := (Tool{Program: "ffmpeg"}).Probe(t.Context(), "clip", ""); !IsMissing(err) {
		t.Errorf("error %v", err)
	}
}

func TestUnreadableSaysASentenceAndWhatTheDecoderSaid(t *testing.T) {
	u := &Unreadable{Words: "This clip is damaged."}
	if u.Error() != "This clip is damaged." || u.Sentence() != "This clip is damaged." || errors.Unwrap(u) != nil {
		t.Errorf("%q, %q", u, u.Sentence())
	}
	if u.Cause = os.ErrClosed; u.Error() != "This clip is damaged. (file already closed)" || !errors.Is(u, os.ErrClosed) || u.Sentence() != "This clip is damaged." {
		t.Errorf("%q, %q", u, u.Sentence())
	}
}

func TestHeadersAreRead(t *testing.T) {
	path := mediatest.Made(t, "-clip: 100%.mp4", "-f", "lavfi", "-i", "color=s=320x180:r=25:d=2", "-f", "lavfi", "-i", "sine=r=22050:d=2", "-c:a", "aac", "-pix_fmt", "yuv420p")
	tool, err := Find()
	assert.NoError(t, err)
	facts, err := tool.Probe(t.Context(), path, "mov")
	assert.NoError(t, err)
	if facts.Video == nil || facts.Sound == nil {
		t.Fatalf("%+v", facts)
	}
	v, s := *facts.Video, *facts.Sound
	if v != (Video{Codec: "h264", Width: 320, Height: 180, PixelAspect: 1, FrameRate: 25, Duration: 2 * time.Second}) || s.Codec != "aac" || s.Rate != 22050 || s.Channels != 1 {
		t.Errorf("%+v, %+v", v, s)
	}
	t.Run("and nothing else is fetched for them", func(t *testing.T) {
		list := filepath.Join(t.TempDir(), "list.m3u8")
		assert.NoError(t, os.WriteFile(list, []byte("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:9/x.ts\n#EXT-X-ENDLIST\n"), 0o600))
		_, err := tool.Probe(t.Context(), list, "")
		var failed *Failed
		if !errors.As(err, &failed) {
			t.Errorf("error %v", err)
		}
	})
}

func TestWhatHeadersClaimIsTakenForWhatItCanBe(t *testing.T) {
	for text, want := range map[string]time.Duration{"1.5": 1500 * time.Millisecond, "N/A": 0, "": 0, "-1": 0, "NaN": 0, "1e300": 0, "inf": 0} {
		if got := seconds(text); got != want {
			t.Errorf("a duration of %q is %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]float64{"25/1": 25, "4:3": 4.0 / 3, "0/0": 0, "1/0": 0, "x/y": 0, "7": 0, "-1/1": 0} {
		if got := ratio(text); got != want {
			t.Errorf("a ratio of %q is %v, want %v", text, got, want)
		}
	}
	turned := probed{Streams: []probedStream{{Kind: "video", Width: 2, Height: 1}}}
	for _, angle := range []struct{ ffprobe, want int }{{0, 0}, {-90, 90}, {90, 270}, {180, 180}, {-180, 180}, {270, 90}, {-450, 0}} {
		turned.Streams[0].SideData = slices.Grow(turned.Streams[0].SideData[:0], 1)[:1]
		turned.Streams[0].SideData[0].Rotation = float64(angle.ffprobe)
		if got := turned.facts().Video.Rotation; got != angle.want {
			t.Errorf("a rotation of %d is %d, want %d", angle.ffprobe, got, angle.want)
		}
	}
}
