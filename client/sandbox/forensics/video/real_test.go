package video

import (
	"bytes"
	"encoding/binary"
	"image"
	"math"
	"os"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/media/mediatest"
	"assay/client/sandbox/forensics"
)

// zoom makes eight seconds of a moving, textured scene with grain, without loss, from which other clips are made: to draw it takes longer than
// all that is done with it.
func zoom(t *testing.T) string {
	t.Helper()
	return mediatest.Made(t, "zoom.mp4", "-f", "lavfi", "-i",
		"mandelbrot=size=640x360:rate=25:start_scale=1.2,noise=alls=6:allf=t,trim=start=1:duration=8,setpts=PTS-STARTPTS",
		"-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0")
}

func TestRealClips(t *testing.T) {
	if testing.Short() {
		t.Skip("making the clips takes long")
	}
	whole := zoom(t)
	as := func(quality string, before ...string) []string {
		return append(before, "-pix_fmt", "yuv420p", "-c:v", "libx264", "-crf", quality)
	}
	for name, c := range map[string]struct {
		arguments []string
		want      forensics.Status
		scenes    int
		sign      string
	}{
		"one scene":         {as("20", "-i", whole), forensics.Authentic, 1, ""},
		"a strong recoding": {as("36", "-i", whole), forensics.Authentic, 1, ""},
		"two scenes": {as("20", "-t", "4", "-i", whole, "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=4",
			"-filter_complex", "[0][1]concat=n=2"), forensics.Authentic, 2, ""},
		"frozen for two seconds": {as("20", "-i", whole, "-vf", "loop=loop=50:size=1:start=75,setpts=N/25/TB"), forensics.Suspicious, 1, "frozen"},
		"three seconds twice":    {as("20", "-i", whole, "-vf", "loop=loop=1:size=75:start=50,setpts=N/25/TB"), forensics.Suspicious, -1, "repeated"},
		"a still":                {as("20", "-f", "lavfi", "-i", "color=c=teal:size=320x240:rate=25:duration=4"), forensics.NotApplicable, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := Analyse(t.Context(), mediatest.Made(t, "clip.mp4", c.arguments...), nil)
			assert.NoError(t, err)
			checkReport(t, report)
			m := report.Models[1]
			if report.Status != c.want || c.scenes >= 0 && len(report.Scenes) != c.scenes {
				t.Errorf("%s with %d scenes, want %s with %d: %v", report.Status, len(report.Scenes), c.want, c.scenes, m.Data)
			}
			for _, sign := range []string{"frozen", "repeated", "grain_jumps"} {
				if rows, _ := m.Data[sign].([]map[string]any); (len(rows) > 0) != (sign == c.sign) {
					t.Errorf("%s: %v", sign, rows)
				}
			}
			if report.Thumbnail == nil {
				t.Error("no thumbnail")
			}
		})
	}
}

func TestRealClipsUnderNamesThatLookLikeOptionsAndAddresses(t *testing.T) {
	clip := mediatest.Read(t, mediatest.Made(t, "clip.mov", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=3", "-pix_fmt", "yuv420p"))
	t.Chdir(t.TempDir())
	for _, name := range []string{"-i.mp4", "http:127.0.0.1.mov", "%03d.mp4"} {
		assert.NoError(t, os.WriteFile(name, clip, 0o600))
		report, err := Analyse(t.Context(), name, nil)
		if err != nil || len(report.Frames) != 12 {
			t.Errorf("%s: %+v, %v, want 12 frames", name, report, err)
		}
	}
}

func TestRealClipsAreShownUpright(t *testing.T) {
	plain := mediatest.Made(t, "plain.mp4", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=3", "-pix_fmt", "yuv420p")
	turned := mediatest.Made(t, "turned.mp4", "-i", plain, "-c", "copy", "-metadata:s:v:0", "rotate=90")
	report, err := Analyse(t.Context(), turned, nil)
	assert.NoError(t, err)
	if report.Width != 180 || report.Height != 320 || report.Thumbnail.Bounds() != image.Rect(0, 0, 180, 320) {
		t.Errorf("%d × %d, thumbnail %v, want 180 × 320", report.Width, report.Height, report.Thumbnail.Bounds())
	}
}

func TestRealSound(t *testing.T) {
	path := mediatest.Made(t, "clip.mp4", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=3",
		"-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=3", "-pix_fmt", "yuv420p", "-c:a", "aac")
	var b bytes.Buffer
	assert.NoError(t, Sound(t.Context(), path, &b))
	wav := b.Bytes()
	if len(wav) < 44 || string(wav[:4]) != "RIFF" || string(wav[36:40]) != "data" {
		t.Fatalf("%.44q is no plain WAV header", wav)
	}
	rate, size := binary.LittleEndian.Uint32(wav[24:]), binary.LittleEndian.Uint32(wav[40:])
	if rate != 44_100 || int(size) != len(wav)-44 || int(binary.LittleEndian.Uint32(wav[4:])) != len(wav)-8 {
		t.Errorf("rate %d, %d bytes said of %d", rate, size, len(wav)-44)
	}
	if seconds := float64(size) / 2 / float64(rate); math.Abs(seconds-3) > 0.1 {
		t.Errorf("%v s, want 3", seconds)
	}
}

func TestRealDamage(t *testing.T) {
	path := mediatest.Made(t, "clip.mp4", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=3", "-pix_fmt", "yuv420p")
	clip := mediatest.Read(t, path)
	at := bytes.Index(clip, []byte("mdat"))
	clear(clip[at+4 : at+4+len(clip)/2])
	report, err := Analyse(t.Context(), savedClip(t, clip), nil)
	assert.NoError(t, err)
	checkReport(t, report)
	// A playlist in a clip's clothes names no file to anyone.
	playlist := append(mp4Clip(), "\n#EXTM3U\nfile:///etc/hostname\n"...)
	report, err = Analyse(t.Context(), savedClip(t, playlist), nil)
	assert.NoError(t, err)
	if report.Status != forensics.Unable || !strings.Contains(report.Conclusions[framesName], "could not decode") {
		t.Errorf("%s: %v, want UNABLE_TO_EVALUATE", report.Status, report.Conclusions)
	}
}
