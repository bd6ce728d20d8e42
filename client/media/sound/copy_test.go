package sound

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"assay/client/assert"
	mediafacts "assay/client/media/facts"
	"assay/client/media/mediatest"
	"assay/client/media/sound/soundtest"
	"assay/client/media/strip"
)

// A copy without metadata is what the service hears: it has every sample of the recording that the person hears.
func TestACopyWithoutMetadataHasEverySample(t *testing.T) {
	if testing.Short() {
		t.Skip("encodes many recordings")
	}
	r := rand.New(rand.NewPCG(7, 8)) //nolint:gosec // the same each time
	const told = "Jane Doe"
	var recordings []encoding
	for name, args := range map[string][]string{
		"pcm.wav":       {"-c:a", "pcm_s24le", "-write_bext", "1"},
		"float.wav":     {"-c:a", "pcm_f32le"},
		"stereo.flac":   {"-ac", "2", "-compression_level", "8"},
		"constant.mp3":  {"-b:a", "64k", "-write_id3v1", "1", "-write_apetag", "1"},
		"variable.mp3":  {"-q:a", "4", "-ac", "2"},
		"untagged.mp3":  {"-b:a", "96k", "-write_xing", "0"},
		"vorbis.ogg":    {"-c:a", "libvorbis", "-q:a", "3"},
		"big pages.ogg": {"-c:a", "libvorbis", "-ac", "2", "-page_duration", "3000000"},
		"opus.ogg":      {"-c:a", "libopus"},
	} {
		for n := range 2 {
			rate := []int{22050, 44100, 48000}[r.IntN(3)]
			if name == "opus.ogg" {
				rate = 48000
			}
			recordings = append(recordings, encoding{
				fmt.Sprint(n+1, " ", name), soundtest.Mono(rate, soundtest.Tone(rate, 440, 0.3+1.5*r.Float64(), 0.5)...),
				append([]string{"-metadata", "artist=" + told, "-metadata", "comment=" + told}, args...),
			})
		}
	}
	for name, path := range encodedAtOnce(t, recordings...) {
		t.Run(name, func(t *testing.T) {
			data := mediatest.Read(t, path)
			said, err := mediafacts.Read(t.Context(), bytes.NewReader(data), int64(len(data)), name)
			assert.NoError(t, err)
			to, err := os.Create(filepath.Join(t.TempDir(), name))
			assert.NoError(t, err)
			_, err = strip.Copy(t.Context(), bytes.NewReader(data), int64(len(data)), said.Format, to)
			if closeErr := to.Close(); err != nil || closeErr != nil {
				t.Fatalf("no copy: %v, %v", err, closeErr)
			}
			made := mediatest.Read(t, to.Name())
			if !bytes.Contains(data, []byte(told)) || bytes.Contains(made, []byte(told)) {
				t.Error("nothing was left out")
			}
			before, after := openedPath(t, path), openedPath(t, to.Name())
			const most = 4 * 48000
			want, got := samplesOf(t, before, 0, most), samplesOf(t, after, 0, most)
			if len(want) == 0 || len(want) != len(got) {
				t.Fatalf("of %d samples %d are left", len(want), len(got))
			}
			// Of a recording that ffmpeg converts, the length is known once it was read.
			if before.Duration() != after.Duration() || before.Rate() != after.Rate() || before.about.channels != after.about.channels || before.source.cut() != after.source.cut() {
				t.Errorf("%v, %d Hz, %d channels became %v, %d Hz, %d channels", before.Duration(), before.Rate(), before.about.channels, after.Duration(), after.Rate(), after.about.channels)
			}
			for i := range want {
				if want[i] != got[i] {
					t.Fatalf("sample %d of %d is another one: %v, %v", i, len(want), want[i], got[i])
				}
			}
		})
	}
}
