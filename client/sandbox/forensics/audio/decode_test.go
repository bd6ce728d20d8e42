package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/media/sound/soundtest"
	"assay/client/sandbox/forensics"
)

// sample reads a dial tone of 1.8 s (350 and 440 Hz, one channel, computed): a FLAC of 8 kHz, an MP3 or Ogg Vorbis of 16 kHz.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	assert.NoError(t, err)
	return data
}

func TestSoundDecodesEveryKind(t *testing.T) {
	wav := soundtest.Mono(16000, tones(16000, 1.8, 0.1, 1, 350, 440)...)
	streamed := bytes.Clone(wav)
	binary.LittleEndian.PutUint32(streamed[40:], math.MaxUint32)
	mp3 := sample(t, "dialtone.mp3")
	tag := append([]byte("ID3\x04\x00\x00\x00\x00\x01\x00"), make([]byte, 128)...)
	for name, c := range map[string]struct {
		data []byte
		ext  string
		rate int
	}{
		"WAV":                        {wav, "wav", 16000},
		"WAV without a length":       {streamed, "wav", 16000},
		"WAV under another name":     {wav, "mp3", 16000},
		"WAV with a chunk before":    {bytes.Replace(wav, []byte("data"), []byte("junk\x03\x00\x00\x00abc\x00data"), 1), "wav", 16000},
		"FLAC":                       {sample(t, "dialtone.flac"), "flac", 8000},
		"MP3":                        {mp3, "mp3", 16000},
		"MP3 with tags on both ends": {append(append(tag, mp3...), append([]byte("TAG"), make([]byte, 125)...)...), "mp3", 16000},
		"Ogg Vorbis":                 {sample(t, "dialtone.ogg"), "ogg", 16000},
	} {
		t.Run(name, func(t *testing.T) {
			r := heard(t, c.data, c.ext)
			checkAudio(t, r)
			if r.SampleRate != c.rate || r.Channels != 1 || math.Abs(r.Duration-1.8) > 0.15 {
				t.Errorf("%v s, %d Hz, %d channels, want 1.8 s, %d Hz, 1", r.Duration, r.SampleRate, r.Channels, c.rate)
			}
			if len(r.Reasons) != 1 || r.Reasons[0].Code != "detected" {
				t.Errorf("reasons %v, want that the dial tone is detected", r.Reasons)
			}
		})
	}
}

func TestSoundReadsEveryDepthAndTheMeanOfTwoChannels(t *testing.T) {
	for _, bits := range []int{8, 16, 24} {
		var samples []byte
		for i := range 16000 {
			x := math.Sin(2 * math.Pi * 1000 * float64(i) / 8000)
			for range 2 {
				switch bits {
				case 8:
					samples = append(samples, byte(128+100*x))
				case 16:
					samples = binary.LittleEndian.AppendUint16(samples, uint16(int16(25600*x)))
				case 24:
					v := int32(6553600 * x)
					samples = append(samples, byte(v), byte(v>>8), byte(v>>16))
				}
			}
		}
		data := soundtest.WAV(1, 2, 8000, bits, uint32(len(samples)), samples)
		f, channels, err := measured(t.Context(), data, "wav")
		if err != nil {
			t.Fatalf("%d bits: %v", bits, err)
		}
		// A sine of 0.78 of full scale has a power of −5.2 dB.
		if got := quantile(f.level, 0.5); math.Abs(got+5.16) > 0.2 || channels != 2 || f.samples != 16000 {
			t.Errorf("%d bits: %.2f dB, %d channels, %d samples", bits, got, channels, f.samples)
		}
	}
}

func TestSoundThatCannotBeReadIsASentence(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	wav := soundtest.Mono(16000, tones(16000, 2, 0.1, 1, 440)...)
	flac, mp3, ogg := sample(t, "dialtone.flac"), sample(t, "dialtone.mp3"), sample(t, "dialtone.ogg")
	half := func(data []byte) []byte { return data[:len(data)/2] }
	patched := func(data []byte, at int, with ...byte) []byte {
		data = bytes.Clone(data)
		copy(data[at:], with)
		return data
	}
	comments := bytes.Index(ogg, []byte("\x03vorbis")) + 7
	vendor := int(binary.LittleEndian.Uint32(ogg[comments:]))
	books := bytes.Index(ogg, []byte("\x05vorbis")) + 8 + 3
	for name, c := range map[string]struct {
		data []byte
		ext  string
		want string
	}{
		"nothing":                        {nil, "wav", emptyRecording},
		"text":                           {[]byte("once upon a time"), "wav", noRecording},
		"a picture":                      {[]byte("\x89PNG\r\n\x1a\n0000"), "mp3", "The recording is damaged: its MP3 data can't be decoded."},
		"half a WAV":                     {half(wav), "wav", breaksOff},
		"a WAV's header":                 {wav[:30], "wav", breaksOff},
		"half a FLAC":                    {half(flac), "flac", breaksOff},
		"half an MP3":                    {half(mp3), "mp3", breaksOff},
		"half an Ogg":                    {half(ogg), "ogg", breaksOff},
		"a chunk of 4 GB":                {patched(wav, 12, []byte("junk\xff\xff\xff\xff")...), "wav", breaksOff},
		"no channels":                    {soundtest.WAV(1, 0, 8000, 16, 64, make([]byte, 64)), "wav", "The recording is damaged: its WAV data can't be decoded."},
		"one sample a second":            {soundtest.WAV(1, 1, 1, 16, 64, make([]byte, 64)), "wav", "The recording claims 1 samples per second; the sandbox reads 4000 to 192000."},
		"no samples":                     {soundtest.WAV(1, 1, 8000, 16, 0, nil), "wav", "The recording holds no sound."},
		"floating point":                 {soundtest.WAV(3, 1, 8000, 32, 64, make([]byte, 64)), "wav", needsFFmpeg},
		"four billion comments":          {patched(ogg, comments+4+vendor, 0xff, 0xff, 0xff, 0xff), "ogg", "The recording is damaged: its Ogg data can't be decoded."},
		"a codebook of a trillion items": {patched(ogg, books, 0xff, 0xff, 0xff, 0xff, 0xff), "ogg", "The recording is damaged: its Ogg data can't be decoded."},
		"M4A without ffmpeg":             {[]byte("\x00\x00\x00\x18ftypM4A \x00\x00\x00\x00M4A mp42"), "m4a", needsFFmpeg},
		"AAC without ffmpeg":             {[]byte("\xff\xf1\x50\x80\x00\x1f\xfc\x00"), "aac", needsFFmpeg},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Analyse(t.Context(), c.data, c.ext, nil)
			var unreadable *forensics.Unreadable
			if !errors.As(err, &unreadable) || unreadable.Sentence != c.want {
				t.Errorf("report %v, error %v (%v), want %q", r, err, errors.Unwrap(err), c.want)
			}
		})
	}
}

func TestSoundLongerThanTheLimitIsRefused(t *testing.T) {
	before := longest
	t.Cleanup(func() { longest = before })
	longest = 36
	_, err := Analyse(t.Context(), soundtest.WAV(1, 1, 4000, 8, 37*4000, make([]byte, 37*4000)), "wav", nil)
	var unreadable *forensics.Unreadable
	if !errors.As(err, &unreadable) || !strings.Contains(unreadable.Sentence, "longer than 0.01 hours") {
		t.Errorf("error %v", err)
	}
}

// ffmpegName is what the test's own executable is copied to, to stand in for ffmpeg.
const ffmpegName = "ffmpeg"

func init() {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") != ffmpegName {
		return
	}
	os.Exit(standIn(os.Args[1:])) //nolint:forbidigo // here the test binary is that program
}

// standIn does what the analyser asks ffmpeg for: it reads the file after -i
// and writes a WAV without a length. A file that ends in "bad" fails, after half
// the answer.
func standIn(args []string) int {
	for i, a := range args {
		if a != "-i" {
			continue
		}
		data, err := os.ReadFile(strings.TrimPrefix(args[i+1], "file:"))
		if err != nil {
			return 2
		}
		wav := soundtest.Mono(16000, tones(16000, 1.8, 0.1, 1, 350, 440)...)
		binary.LittleEndian.PutUint32(wav[40:], math.MaxUint32)
		if bytes.HasSuffix(data, []byte("bad")) {
			_, _ = os.Stdout.Write(wav[:len(wav)/2])
			_, _ = os.Stderr.WriteString("moov atom not found")
			return 1
		}
		if _, err := os.Stdout.Write(wav); err != nil {
			return 3
		}
		return 0
	}
	return 4
}

func TestSoundThroughFFmpeg(t *testing.T) {
	own, err := os.Executable()
	assert.NoError(t, err)
	program, err := os.ReadFile(own)
	assert.NoError(t, err)
	dir, name := t.TempDir(), ffmpegName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.WriteFile(filepath.Join(dir, name), program, 0o700); err != nil { // #nosec G306 -- it must be executable
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	head := "\x00\x00\x00\x18ftypM4A \x00\x00\x00\x00M4A mp42"
	t.Run("what it can read", func(t *testing.T) {
		r := heard(t, []byte(head), "m4a")
		checkAudio(t, r)
		if math.Abs(r.Duration-1.8) > 0.01 || r.SampleRate != 16000 {
			t.Errorf("%v s, %d Hz", r.Duration, r.SampleRate)
		}
	})
	t.Run("what it can't", func(t *testing.T) {
		_, err := Analyse(t.Context(), []byte(head+"bad"), "m4a", nil)
		var unreadable *forensics.Unreadable
		if !errors.As(err, &unreadable) || unreadable.Sentence != ffmpegFails || !strings.Contains(unreadable.Cause.Error(), "moov atom") {
			t.Errorf("error %v", err)
		}
	})
}

// FuzzSound feeds the decoders. Whatever the bytes hold, the analysis ends with a
// report or an *Unreadable.
func FuzzSound(f *testing.F) {
	f.Setenv("PATH", f.TempDir()) // other people's programs are not what is tried here
	f.Add(soundtest.Mono(8000, tones(8000, 0.3, 0.1, 1, 440)...), "wav")
	f.Add(soundtest.WAV(0xfffe, 2, 8000, 24, 600, make([]byte, 600)), "wav")
	f.Add(sample(f, "dialtone.flac"), "flac")
	f.Add(sample(f, "dialtone.mp3"), "mp3")
	f.Add(sample(f, "dialtone.ogg"), "ogg")
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
