package video

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/ffmpeg"
	"assay/client/media/mediatest"
	"assay/client/sandbox/forensics"
)

// The test binary stands in for ffmpeg where fakeFFmpeg names what it shall do:
// so the arguments are seen on every system, whatever is installed.
const (
	fakeFFmpeg     = "FAKE_FFMPEG"           // "frames", "sound", "fail" or "hang"
	fakeFFmpegArgs = "FAKE_FFMPEG_ARGUMENTS" // a file that takes the arguments, a line each
)

func init() {
	if role := os.Getenv(fakeFFmpeg); role != "" {
		os.Exit(playFFmpeg(role)) //nolint:forbidigo // this process plays another program
	}
}

func playFFmpeg(role string) int {
	arguments := os.Args[1:]
	if err := os.WriteFile(os.Getenv(fakeFFmpegArgs), []byte(strings.Join(arguments, "\n")), 0o600); err != nil {
		return 3
	}
	switch role {
	case "frames":
		f := newFootage()
		f.shoot(0, 0, 20, 3, 1)
		if _, err := f.b.WriteTo(os.Stdout); err != nil {
			return 3
		}
	case "sound":
		if err := os.WriteFile(strings.TrimPrefix(arguments[len(arguments)-1], "file:"), []byte("RIFF of a wave"), 0o600); err != nil {
			return 3
		}
	case "hang":
		if _, err := fmt.Fprintln(os.Stdout, "begun"); err != nil {
			return 3
		}
		select {}
	case "fail":
		fmt.Fprintln(os.Stderr, "moov atom not found\nand more")
		return 1
	}
	return 0
}

// playing makes the test binary ffmpeg, and gives the file with its arguments.
func playing(t *testing.T, role string) (work analyser, arguments func() []string) {
	t.Helper()
	program, err := os.Executable()
	assert.NoError(t, err)
	record := filepath.Join(t.TempDir(), "arguments")
	t.Setenv(fakeFFmpeg, role)
	t.Setenv(fakeFFmpegArgs, record)
	return analyser{func() (string, error) { return program, nil }}, func() []string {
		t.Helper()
		lines := mediatest.Read(t, record)
		return strings.Split(string(lines), "\n")
	}
}

// smallClip is a clip whose frames have the footage's size.
func smallClip() []byte {
	data := mp4Clip()
	i := bytes.Index(data, []byte{2, 128, 1, 104}) // 640 × 360
	copy(data[i:], []byte{0, filmWidth, 0, filmHeight})
	return data
}

func TestFFmpegIsGivenFixedArgumentsAndAFile(t *testing.T) {
	for _, name := range []string{"clip.mp4", "-y.mp4", "http:host.mp4", "concat:a|b.mp4", "with space & $(x).mp4"} {
		t.Run(name, func(t *testing.T) {
			if filepath.Separator == '\\' && strings.ContainsAny(name, ":|") {
				name = "-y 2.mp4" // Windows has no such names
			}
			t.Chdir(t.TempDir())
			assert.NoError(t, os.WriteFile(name, smallClip(), 0o600))
			whole, err := filepath.Abs(name)
			assert.NoError(t, err)
			work, arguments := playing(t, "frames")
			report, err := work.analyse(t.Context(), name, nil)
			assert.NoError(t, err)
			want := []string{
				"-hide_banner", "-nostdin", "-loglevel", "error", "-threads", "2",
				"-protocol_whitelist", "file,pipe", "-max_pixels", "40000000", "-f", "mov", "-i", "file:" + whole,
				"-map", "0:V:0", "-an", "-sn", "-dn", "-vf", "fps=4.000000,scale=96:64:flags=area,format=rgb24",
				"-frames:v", "480", "-f", "rawvideo", "pipe:1",
			}
			if diff := cmp.Diff(want, arguments()); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
			checkReport(t, report)
			if report.Status != forensics.Authentic || len(report.Frames) != 20 || len(report.Scenes) != 1 || report.Thumbnail == nil {
				t.Errorf("%s, %d frames, %d scenes, thumbnail %T: %v", report.Status, len(report.Frames), len(report.Scenes), report.Thumbnail, report.Conclusions)
			}
		})
	}
}

func TestSoundComesAsAWaveFile(t *testing.T) {
	work, arguments := playing(t, "sound")
	var b bytes.Buffer
	assert.NoError(t, work.audio(t.Context(), savedClip(t, mp4Clip()), &b))
	if b.String() != "RIFF of a wave" {
		t.Errorf("wrote %q", b.String())
	}
	got := arguments()
	wav, isFile := strings.CutPrefix(got[len(got)-1], "file:")
	if !isFile || slices.Contains(got, "-ac") {
		t.Errorf("arguments %q, want a file at the end, and stereo left alone", got)
	}
	if _, err := os.Stat(filepath.Dir(wav)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary folder is still there: %v", err)
	}
}

func TestAClipThatFFmpegCannotDecodeIsUnevaluated(t *testing.T) {
	work, _ := playing(t, "fail")
	path := savedClip(t, mp4Clip())
	report, err := work.analyse(t.Context(), path, nil)
	assert.NoError(t, err)
	checkReport(t, report)
	m := report.Models[1]
	why, _ := m.Data["error"].(string)
	if report.Status != forensics.Unable || m.Code != "model-error" || !strings.Contains(why, "moov atom not found") || strings.Contains(why, "more") {
		t.Errorf("%s, %+v; want UNABLE_TO_EVALUATE and ffmpeg's first line", report.Status, m)
	}
	if err := work.audio(t.Context(), path, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "moov atom not found") {
		t.Errorf("sound: got %v, want ffmpeg's complaint", err)
	}
}

func TestAProgramThatCannotBeStartedLeavesTheClipUnevaluated(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "ffmpeg")
	work := analyser{func() (string, error) { return gone, nil }}
	report, err := work.analyse(t.Context(), savedClip(t, mp4Clip()), nil)
	if err != nil || report.Status != forensics.Unable {
		t.Errorf("got %+v, %v, want UNABLE_TO_EVALUATE", report, err)
	}
}

func TestAnEndedContextEndsFFmpeg(t *testing.T) {
	work, _ := playing(t, "hang")
	program, err := work.find()
	assert.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	err = ffmpeg.Tool{Program: program}.Run(ctx, ffmpeg.Job{Path: "clip.mp4", Demuxer: demuxer}, func(out io.Reader) error {
		_, err := out.Read(make([]byte, 5))
		cancel() // it runs, and would never end
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}
