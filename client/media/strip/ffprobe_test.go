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

// sample is one of the files that ffmpeg makes for TestWhatFFprobeFinds.
type sample struct {
	name             string
	arguments        []string // of ffmpeg's, for how it is written
	picture          string   // what ffmpeg makes its pictures of, "" for a recording
	sound            string
	original, copied string // paths
}

// TestWhatFFprobeFinds holds that in recordings and clips of many forms, another program finds the same streams, packets, pictures and
// samples in a copy as in the original, and no tag that tells anything.
func TestWhatFFprobeFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts ffprobe many times")
	}
	r := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same each time
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	const variants = 2
	folder := t.TempDir()
	var samples []*sample
	for name, arguments := range map[string]func() []string{
		"vorbis.ogg": func() []string {
			return []string{"-c:a", "libvorbis", "-page_duration", one("1000", "200000", "3000000")}
		},
		"opus.ogg": func() []string {
			return []string{"-c:a", "libopus", "-frame_duration", one("2.5", "20", "60"), "-page_duration", one("1000", "3000000"), "-ar", "48000"}
		},
		"flac.flac": func() []string {
			return []string{"-compression_level", one("0", "8"), "-sample_fmt", one("s16", "s32")}
		},
		"constant.mp3": func() []string {
			return []string{"-c:a", "libmp3lame", "-b:a", "64k", "-write_xing", one("0", "1")}
		},
		"variable.mp3": func() []string { return []string{"-c:a", "libmp3lame", "-q:a", "5"} },
		"wav.wav": func() []string {
			return []string{"-c:a", one("pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_f32le", "adpcm_ms", "pcm_alaw"), "-write_bext", "1"}
		},
		"adts.aac": func() []string { return []string{"-c:a", "aac", "-f", "adts"} },
		"aac.m4a":  func() []string { return []string{"-c:a", "aac", "-movflags", one("+faststart", "0")} },
		"alac.m4a": func() []string { return []string{"-c:a", "alac"} },
		"clip.mp4": func() []string {
			return []string{"-c:v", "libx264", "-bf", one("0", "2"), "-g", one("1", "5", "50"), "-c:a", "aac"}
		},
		"faststart.mp4": func() []string {
			return []string{"-c:v", "libx264", "-bf", one("0", "2"), "-c:a", "aac", "-movflags", "+faststart"}
		},
		"edited.mp4": func() []string {
			return []string{"-ss", "0.13", "-c:v", "libx264", "-c:a", "aac", "-use_editlist", "1"}
		},
		"clip.mov": func() []string {
			return []string{"-c:v", one("libx264", "mjpeg"), "-c:a", one("aac", "pcm_s16le", "pcm_s24be"), "-movflags", one("+faststart", "use_metadata_tags")}
		},
	} {
		for n := range variants {
			of := &sample{
				name: fmt.Sprint(n+1, " ", name), arguments: append(arguments(), "-ac", one("1", "2")), original: filepath.Join(folder, fmt.Sprint(n+1, " ", name)), copied: filepath.Join(folder, fmt.Sprint("copy ", n+1, " ", name)),
				sound: fmt.Sprintf("aevalsrc=0.3*sin(700*t)+0.1*random(0):s=%s:d=%.3f", one("48000", "44100", "24000"), 0.3+r.Float64()),
			}
			if slices.Contains(of.arguments, "-c:v") {
				of.picture = fmt.Sprintf("testsrc2=s=%s:r=%s:d=0.7", one("48x32", "64x96"), one("5", "30000/1001"))
				of.arguments = append(of.arguments, "-pix_fmt", "yuvj420p")
			}
			samples = append(samples, of)
		}
	}
	makeSamples(t, samples)
	for _, of := range samples {
		data := mediatest.Read(t, of.original)
		made, _, err := copyOf(t, data, read(t, data).Format)
		if err != nil {
			t.Fatalf("no copy of %s, %q: %v", of.name, of.arguments, err)
		}
		assert.NoError(t, os.WriteFile(of.copied, made, 0o600))
	}
	checkDecoded(t, samples)
	for _, of := range samples {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			sameToFFprobe(t, of)
		})
	}
}

// makeSamples has ffmpeg make them all in one process: it takes longer to start than it does for one of them.
func makeSamples(t *testing.T, samples []*sample) {
	t.Helper()
	var from, to []string
	inputs := 0
	add := func(source string) {
		from, to = append(from, "-f", "lavfi", "-i", source), append(to, "-map", fmt.Sprint(inputs))
		inputs++
	}
	for _, of := range samples {
		if of.picture != "" {
			add(of.picture)
		}
		add(of.sound)
		to = append(to, of.arguments...)
		for _, tag := range []string{"title", "artist", "album", "comment", "copyright", "description", "encoded_by", "publisher", "location", "lyrics", "mood"} {
			to = append(to, "-metadata", tag+"="+secret)
		}
		to = append(to, "-metadata", "creation_time=2026-05-01T10:20:30Z", "-metadata:s", "handler_name="+secret, "-metadata:s", "title="+secret, "file:"+of.original)
	}
	mediatest.FFmpeg(t, slices.Concat(from, to)...)
}

// checkDecoded holds that copies are decoded to the same as their originals. One process decodes them all, too.
func checkDecoded(t *testing.T, samples []*sample) {
	t.Helper()
	var from, to []string
	for i, of := range samples {
		for n, path := range []string{of.original, of.copied} {
			from = append(from, "-threads", "1", "-i", "file:"+path)
			to = append(to, "-map", fmt.Sprint(2*i+n, ":v?"), "-map", fmt.Sprint(2*i+n, ":a?"), "-threads", "1", "-fps_mode", "passthrough", "-f", "streamhash", "-hash", "md5", "file:"+path+".hash")
		}
	}
	mediatest.FFmpeg(t, slices.Concat(from, to)...)
	for _, of := range samples {
		if want, got := string(mediatest.Read(t, of.original+".hash")), string(mediatest.Read(t, of.copied+".hash")); want != got || want == "" {
			t.Errorf("%s, %q: it is decoded otherwise:\n%s\n%s", of.name, of.arguments, want, got)
		}
	}
}

func sameToFFprobe(t *testing.T, of *sample) {
	before, told := probe(t, of.original)
	after, left := probe(t, of.copied)
	if !strings.Contains(fmt.Sprint(told), secret) && filepath.Ext(of.name) != ".aac" {
		t.Errorf("nothing was planted: %v", told)
	}
	if diff := cmp.Diff(before, after); diff != "" || len(before) == 0 {
		t.Errorf("%q: the streams of the copy are others: %s", of.arguments, diff)
	}
	for stream, tags := range left {
		for tag, value := range tags {
			if form, technical := technicalTags[strings.ToLower(tag)]; !technical || !form.MatchString(value) || tag == "encoder" && filepath.Ext(of.name) != ".mp3" {
				t.Errorf("%q: %s says %s=%q", of.arguments, stream, tag, value)
			}
		}
	}
}
