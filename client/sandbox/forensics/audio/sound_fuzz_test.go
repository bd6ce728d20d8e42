package audio

import (
	"errors"
	"testing"

	"assay/client/media/sound/soundtest"
	"assay/client/sandbox/forensics"
)

// FuzzSound feeds the decoders. Whatever the bytes hold, the analysis ends with a
// report or an *Unreadable.
func FuzzSound(f *testing.F) {
	f.Setenv("PATH", f.TempDir()) // other people's programs are not what is tried here
	f.Add(soundtest.Mono(8000, tones(8000, 0.3, 0.1, 1, 440)...), "wav")
	f.Add(soundWAVOf(soundExtensible, 2, 8000, 24, make([]byte, 600)), "wav")
	f.Add(soundSample(f, soundToneFLAC), "flac")
	f.Add(soundSample(f, soundToneMP3), "mp3")
	f.Add(soundSample(f, soundToneVorbis), "ogg")
	f.Add([]byte("ID3\x04\x00\x10\x7f\x7f\x7f\x7f\xff\xfb\x90\x00"), "mp3")
	f.Fuzz(func(t *testing.T, data []byte, ext string) {
		if len(data) > 1<<18 {
			return
		}
		r, err := Analyse(t.Context(), data, ext, nil)
		var unreadable *forensics.Unreadable
		switch {
		case err == nil:
			checkAudio(t, r)
		case !errors.As(err, &unreadable) || unreadable.Sentence == "":
			t.Errorf("error %v (%T)", err, err)
		}
	})
}
