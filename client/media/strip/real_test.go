package strip

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

// decoded are the checksums of every picture and every piece of sound that a player would show and play of two files, with their times. A cover
// is a picture to ffmpeg: without pictures it is left out. One process does both, since it takes longer to start than to decode them.
func decoded(t *testing.T, pictures bool, one, other string) (string, string) {
	t.Helper()
	arguments := []string{"-i", "file:" + one, "-i", "file:" + other}
	sums := t.TempDir()
	for _, n := range []string{"0", "1"} {
		if pictures {
			arguments = append(arguments, "-map", n+":v?")
		}
		arguments = append(arguments, "-map", n+":a?", "-threads", "1", "-fps_mode", "passthrough", "-f", "framemd5", "file:"+filepath.Join(sums, n))
	}
	mediatest.FFmpeg(t, arguments...)
	return string(mediatest.Read(t, filepath.Join(sums, "0"))), string(mediatest.Read(t, filepath.Join(sums, "1")))
}

// These hold with a real program's files that whatever it decodes of a copy is what it decodes of the original, frame by frame.
func TestRealRecordingsAndClips(t *testing.T) {
	if testing.Short() {
		t.Skip("starts ffmpeg many times")
	}
	sound := []string{"-f", "lavfi", "-i", "sine=d=0.6:r=44100"}
	picture := []string{"-f", "lavfi", "-i", "testsrc2=s=96x64:r=10:d=0.6"}
	both := slices.Concat(picture, sound)
	h264 := []string{"-pix_fmt", "yuv420p", "-c:v", "libx264"}
	words := filepath.Join(t.TempDir(), "words.srt")
	assert.NoError(t, os.WriteFile(words, []byte("1\n00:00:00,000 --> 00:00:00,500\n"+secret+" 48.1 N 11.5 E\n"), 0o600))
	cover := filepath.Join(t.TempDir(), "cover.jpg")
	assert.NoError(t, os.WriteFile(cover, append(plainJPEG(t), secret...), 0o600))
	for name, c := range map[string]struct {
		format    facts.Format
		arguments []string
		told      []facts.Kind
	}{
		"clip.mp4":                      {facts.MP4, slices.Concat(both, h264, []string{"-c:a", "aac", "-metadata", "location=+48.1000+011.5000/"}), []facts.Kind{facts.Position, facts.Author, facts.Time}},
		"clip with its table first.mp4": {facts.MP4, slices.Concat(both, h264, []string{"-c:a", "aac", "-movflags", "+faststart"}), []facts.Kind{facts.Author}},
		"subtitled.mp4": {
			facts.MP4, slices.Concat(both, []string{"-i", words}, h264, []string{"-c:a", "aac", "-c:s", "mov_text", "-map", "0", "-map", "1", "-map", "2"}),
			[]facts.Kind{facts.Track, facts.Author},
		},
		"clip.mov": {
			facts.QuickTime, slices.Concat(both, h264, []string{"-c:a", "pcm_s16le", "-timecode", "10:20:30:00", "-movflags", "use_metadata_tags", "-metadata", "com.apple.quicktime.make=" + secret}),
			[]facts.Kind{facts.Device, facts.Author, facts.Track},
		},
		"24 bits.mov":      {facts.QuickTime, slices.Concat(both, []string{"-c:v", "mjpeg", "-c:a", "pcm_s24be", "-ac", "2", "-metadata", "location=+48.1000+011.5000/"}), []facts.Kind{facts.Author}},
		"IMA.mov":          {facts.QuickTime, slices.Concat(both, h264, []string{"-c:a", "adpcm_ima_qt", "-ac", "2"}), []facts.Kind{facts.Author}},
		"recording.m4a":    {facts.M4A, slices.Concat(sound, []string{"-c:a", "aac"}), []facts.Kind{facts.Author}},
		"lossless.m4a":     {facts.M4A, slices.Concat(sound, []string{"-c:a", "alac"}), []facts.Kind{facts.Author}},
		"with a cover.m4a": {facts.M4A, slices.Concat(sound, []string{"-i", cover, "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic", "-c:a", "aac"}), []facts.Kind{facts.Thumbnail}},
		"recording.mp3":    {facts.MP3, slices.Concat(sound, []string{"-c:a", "libmp3lame", "-write_id3v1", "1", "-write_apetag", "1"}), []facts.Kind{facts.Author}},
		"22 kHz.mp3":       {facts.MP3, slices.Concat(sound, []string{"-c:a", "libmp3lame", "-ar", "22050", "-q:a", "4"}), []facts.Kind{facts.Author}},
		"recording.wav":    {facts.WAV, slices.Concat(sound, []string{"-c:a", "pcm_s16le", "-write_bext", "1", "-metadata", "originator=" + secret}), []facts.Kind{facts.Author}},
		"recording.flac":   {facts.FLAC, slices.Concat(sound, []string{"-c:a", "flac"}), []facts.Kind{facts.Author}},
		"Vorbis.ogg":       {facts.Ogg, slices.Concat(sound, []string{"-c:a", "libvorbis", "-metadata", "location=" + secret}), []facts.Kind{facts.Position, facts.Author}},
		"Opus.ogg":         {facts.Ogg, slices.Concat(sound, []string{"-c:a", "libopus", "-metadata", "lyrics=" + string(bytes.Repeat([]byte(secret+" "), 9000))}), []facts.Kind{facts.Author}},
		"recording.aac":    {facts.AAC, slices.Concat(sound, []string{"-c:a", "aac", "-f", "adts", "-write_id3v2", "1"}), []facts.Kind{facts.Author}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			original, copied := filepath.Join(folder, name), filepath.Join(folder, "copy "+name)
			tags := []string{
				"-metadata", "title=" + secret, "-metadata", "artist=" + secret, "-metadata", "comment=" + secret, "-metadata", "copyright=" + secret,
				"-metadata", "creation_time=2026-05-01T10:20:30Z", "-metadata:s:a", "handler_name=" + secret, "-y", "file:" + original,
			}
			mediatest.FFmpeg(t, append(slices.Clone(c.arguments), tags...)...)
			data := mediatest.Read(t, original)
			made, removed := mustCopy(t, data, c.format)
			for _, kind := range c.told {
				if !slices.Contains(removed.Kinds, kind) {
					t.Errorf("%s is not told: %+v", kind, removed)
				}
			}
			assert.NoError(t, os.WriteFile(copied, made, 0o600))
			want, got := decoded(t, name != "with a cover.m4a", original, copied) // the cover is meant to go
			if want != got || want == "" {
				t.Errorf("it is decoded otherwise:\n%s\n%s", want[:min(len(want), 900)], got[:min(len(got), 900)])
			}
		})
	}
}
