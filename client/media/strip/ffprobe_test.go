package strip

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/media/mediatest"

	"github.com/google/go-cmp/cmp"
)

// stream is what ffprobe finds of one stream of pictures or sound once it has read all of its packets.
type stream struct {
	Kind        string         `json:"codec_type"`
	Codec       string         `json:"codec_name"`
	Profile     string         `json:"profile"`
	Packets     string         `json:"nb_read_packets"`
	Frames      string         `json:"nb_read_frames"`
	TimeBase    string         `json:"time_base"`
	Start       int            `json:"start_pts"`
	Length      int            `json:"duration_ts"`
	Rate        string         `json:"sample_rate"`
	Channels    int            `json:"channels"`
	Layout      string         `json:"channel_layout"`
	Width       int            `json:"width"`
	Height      int            `json:"height"`
	FrameRate   string         `json:"avg_frame_rate"`
	Disposition map[string]int `json:"disposition"`
}

// probe has ffprobe read a file: its streams of pictures and sound, and its tags by the stream that they belong to, "" for the file.
func probe(t *testing.T, path string) (streams []stream, tags map[string]map[string]string) {
	t.Helper()
	type tagged struct {
		stream
		Tags map[string]string `json:"tags"`
	}
	var found struct {
		Streams  []tagged `json:"streams"`
		Format   tagged   `json:"format"`
		Chapters []any    `json:"chapters"`
	}
	// #nosec G204 -- a test's own arguments
	said, err := exec.CommandContext(t.Context(), mediatest.Program(t, "ffprobe"), "-v", "error", "-count_packets", "-count_frames", "-show_format", "-show_streams", "-show_chapters",
		"-of", "json", "file:"+path).Output()
	if err == nil {
		err = json.Unmarshal(said, &found)
	}
	if err != nil {
		t.Fatalf("ffprobe %s: %v\n%s", filepath.Base(path), err, said)
	}
	tags = map[string]map[string]string{"": found.Format.Tags}
	for i, s := range found.Streams {
		tags[fmt.Sprint(i, " ", s.Codec)] = s.Tags
		if s.Kind == "video" || s.Kind == "audio" {
			streams = append(streams, s.stream)
		}
	}
	if len(found.Chapters) > 0 {
		tags["chapters"] = map[string]string{"chapters": fmt.Sprint(found.Chapters)}
	}
	return streams, tags
}

// technicalTags are the tags of ffprobe's that a copy may have, with the values that say nothing of a person.
var technicalTags = map[string]*regexp.Regexp{
	"major_brand": regexp.MustCompile(`^(isom|qt  |M4A )$`), "minor_version": regexp.MustCompile(`^512$`), "compatible_brands": regexp.MustCompile(`^(isom|iso2|avc1|mp41|qt  |M4A )+$`),
	"language": regexp.MustCompile(`^(und|eng)$`), "handler_name": regexp.MustCompile(`^$`), "vendor_id": regexp.MustCompile(`^\[0\]\[0\]\[0\]\[0\]$`),
	"encoder": regexp.MustCompile(`^(LAME|Lav[cf])[0-9.]+$`), // of an MP3: by it players tell how many samples to leave out at both ends
}

// TestWhatFFprobeFinds holds that in recordings and clips of many forms, another program finds the same streams, packets, pictures and
// samples in a copy as in the original, and no tag that tells anything.
func TestWhatFFprobeFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts ffmpeg many times")
	}
	r := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same each time
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	const variants = 2
	for name, arguments := range map[string]func(sound, picture []string) []string{
		"vorbis.ogg": func(sound, _ []string) []string {
			return slices.Concat(sound, []string{"-c:a", "libvorbis", "-page_duration", one("1000", "200000", "3000000")})
		},
		"opus.ogg": func(sound, _ []string) []string {
			return slices.Concat(sound, []string{"-c:a", "libopus", "-frame_duration", one("2.5", "20", "60"), "-page_duration", one("1000", "3000000")})
		},
		"flac.flac": func(sound, _ []string) []string {
			return slices.Concat(sound, []string{"-compression_level", one("0", "8"), "-sample_fmt", one("s16", "s32")})
		},
		"constant.mp3": func(sound, _ []string) []string {
			return slices.Concat(sound, []string{"-c:a", "libmp3lame", "-b:a", "64k", "-write_xing", one("0", "1")})
		},
		"variable.mp3": func(sound, _ []string) []string {
			return slices.Concat(sound, []string{"-c:a", "libmp3lame", "-q:a", "5"})
		},
		"wav.wav": func(sound, _ []string) []string {
			return slices.Concat(sound, []string{"-c:a", one("pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_f32le", "adpcm_ms", "pcm_alaw"), "-write_bext", "1"})
		},
		"adts.aac": func(sound, _ []string) []string { return slices.Concat(sound, []string{"-c:a", "aac", "-f", "adts"}) },
		"aac.m4a": func(sound, _ []string) []string {
			return slices.Concat(sound, []string{"-c:a", "aac", "-movflags", one("+faststart", "0")})
		},
		"alac.m4a": func(sound, _ []string) []string { return slices.Concat(sound, []string{"-c:a", "alac"}) },
		"clip.mp4": func(sound, picture []string) []string {
			return slices.Concat(picture, sound, []string{"-c:v", "libx264", "-bf", one("0", "2"), "-g", one("1", "5", "50"), "-c:a", "aac"})
		},
		"faststart.mp4": func(sound, picture []string) []string {
			return slices.Concat(picture, sound, []string{"-c:v", "libx264", "-bf", one("0", "2"), "-c:a", "aac", "-movflags", "+faststart"})
		},
		"edited.mp4": func(sound, picture []string) []string {
			return slices.Concat(picture, sound, []string{"-ss", "0.13", "-c:v", "libx264", "-c:a", "aac", "-use_editlist", "1"})
		},
		"clip.mov": func(sound, picture []string) []string {
			return slices.Concat(picture, sound, []string{"-c:v", one("libx264", "mjpeg"), "-c:a", one("aac", "pcm_s16le", "pcm_s24be"), "-movflags", one("+faststart", "use_metadata_tags")})
		},
	} {
		for n := range variants {
			sound := []string{"-f", "lavfi", "-i", fmt.Sprintf("aevalsrc=0.3*sin(700*t)+0.1*random(0):s=%s:d=%.3f", one("48000", "44100", "24000"), 0.3+r.Float64())}
			picture := []string{"-f", "lavfi", "-i", fmt.Sprintf("testsrc2=s=%s:r=%s:d=0.7", one("48x32", "64x96"), one("5", "30000/1001"))}
			made := append(arguments(sound, picture), "-ac", one("1", "2"))
			if slices.Contains(made, "libopus") {
				made = append(made, "-ar", "48000")
			}
			if slices.Contains(made, "libx264") || slices.Contains(made, "mjpeg") {
				made = append(made, "-pix_fmt", "yuvj420p")
			}
			t.Run(fmt.Sprint(n+1, " ", name), func(t *testing.T) {
				t.Parallel()
				sameToFFprobe(t, name, made)
			})
		}
	}
}

func sameToFFprobe(t *testing.T, name string, arguments []string) {
	folder := t.TempDir()
	original, copied := filepath.Join(folder, name), filepath.Join(folder, "copy "+name)
	for _, tag := range []string{"title", "artist", "album", "comment", "copyright", "description", "encoded_by", "publisher", "location", "lyrics", "mood"} {
		arguments = append(arguments, "-metadata", tag+"="+secret)
	}
	mediatest.FFmpeg(t, append(arguments, "-metadata", "creation_time=2026-05-01T10:20:30Z", "-metadata:s", "handler_name="+secret, "-metadata:s", "title="+secret, "-y", "file:"+original)...)
	data := mediatest.Read(t, original)
	made, _, err := copyOf(t, data, read(t, data).Format)
	if err != nil {
		t.Fatalf("no copy of %q: %v", arguments, err)
	}
	assert.NoError(t, os.WriteFile(copied, made, 0o600))
	before, told := probe(t, original)
	after, left := probe(t, copied)
	if !strings.Contains(fmt.Sprint(told), secret) && filepath.Ext(name) != ".aac" {
		t.Errorf("nothing was planted: %v", told)
	}
	if diff := cmp.Diff(before, after); diff != "" || len(before) == 0 {
		t.Errorf("%q: the streams of the copy are others: %s", arguments, diff)
	}
	for of, tags := range left {
		for tag, value := range tags {
			if form, technical := technicalTags[strings.ToLower(tag)]; !technical || !form.MatchString(value) || tag == "encoder" && filepath.Ext(name) != ".mp3" {
				t.Errorf("%q: %s says %s=%q", arguments, of, tag, value)
			}
		}
	}
	hash := func(path string) string {
		return mediatest.FFmpeg(t, "-i", "file:"+path, "-map", "0:v?", "-map", "0:a?", "-threads", "1", "-fps_mode", "passthrough", "-f", "streamhash", "-hash", "md5", "-")
	}
	if want, got := hash(original), hash(copied); want != got {
		t.Errorf("%q: it is decoded otherwise:\n%s\n%s", arguments, want, got)
	}
}
