package strip

import (
	"bytes"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

// fuzzCopy holds that whatever a file of a format holds, making its copy ends; that what is copied tells nothing; that a copy of the copy
// is the copy.
func fuzzCopy(f *testing.F, format facts.Format, seeds ...[]byte) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if read(t, data).Format != format {
			return
		}
		to, err := os.OpenFile(filepath.Join(t.TempDir(), "copy"), os.O_RDWR|os.O_CREATE, 0o600)
		assert.NoError(t, err)
		defer to.Close() //nolint:errcheck // read by its path
		made := func(from []byte) ([]byte, error) {
			assert.NoError(t, to.Truncate(0))
			if _, err := to.Seek(0, 0); err != nil {
				t.Fatal(err)
			}
			_, copyErr := Copy(t.Context(), bytes.NewReader(from), int64(len(from)), format, to)
			made := mediatest.Read(t, to.Name())
			return made, copyErr
		}
		once, err := made(data)
		if err != nil {
			if asProblem(err) == nil || len(once) > 0 {
				t.Fatalf("%d bytes, error %v", len(once), err)
			}
			return
		}
		if said := read(t, once); said.Incomplete || len(facts.Identifying(said)) > 0 {
			t.Errorf("incomplete %v, the copy says %+v", said.Incomplete, facts.Identifying(said))
		}
		sameToOthers(t, format, data, once)
		if twice, err := made(once); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%d bytes became %d, and those %d: %v", len(data), len(once), len(twice), err)
		}
	})
}

// sameToOthers holds that Go's own decoders, and those of recordings, find in a copy what they find in the original.
func sameToOthers(t *testing.T, format facts.Format, before, after []byte) {
	const most = 1 << 20 // pixels
	switch format {
	case facts.JPEG, facts.PNG, facts.GIF, facts.WebP:
		config, _, err := image.DecodeConfig(bytes.NewReader(before))
		if err != nil || config.Width*config.Height > most {
			return
		}
		decode := func(data []byte) (image.Image, error) {
			picture, _, err := image.Decode(bytes.NewReader(data))
			return picture, err
		}
		if _, err := decode(before); err == nil {
			samePixels(t, before, after, decode)
		}
	case facts.FLAC:
		if a, b := flacSamples(before), flacSamples(after); a > b {
			t.Errorf("of %d samples %d are left", a, b)
		}
	}
}

func FuzzJPEG(f *testing.F) { fuzzCopy(f, facts.JPEG, talkingJPEG(f, 6), plainJPEG(f)) }

func FuzzPNG(f *testing.F) { fuzzCopy(f, facts.PNG, talkingPNG(f), plainPNG(f)) }

func FuzzGIF(f *testing.F) { fuzzCopy(f, facts.GIF, talkingGIF(f)) }

func FuzzWebP(f *testing.F) {
	pixels := mediatest.OnePixelWebP // one pixel
	extended := riffPart("VP8X", "\x0c\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	fuzzCopy(f, facts.WebP, riff("WEBP", pixels), riff("WEBP", extended, pixels, riffPart("EXIF", exif(6)), riffPart("XMP ", xmp)),
		riff("WEBP", extended, riffPart("ANIM", "123456"), riffPart("ANMF", "1234567890123456"+pixels+riffPart("note", "x"))))
}

func FuzzWAV(f *testing.F) {
	format := mediatest.WAVFormat
	fuzzCopy(f, facts.WAV, riff("WAVE", riffPart("LIST", "INFO"+riffPart("IART", secret)), format, riffPart("data", "sound"), riffPart("id3 ", talkingID3())))
}

func FuzzFLAC(f *testing.F) {
	fuzzCopy(f, facts.FLAC, join("fLaC\x00\x00\x00\x22", strings.Repeat("\x07", 34), "\x84\x00\x00\x30", vorbisComments(secret, "ARTIST="+secret), "\xff\xf8frames", tagsBehind()),
		join("fLaC", flacInfo(5000), flacBlock(0x84, vorbisComments(secret, "ARTIST="+secret)), flacFrames(5000), tagsBehind()))
}

func FuzzOgg(f *testing.F) {
	fuzzCopy(f, facts.Ogg, talking(f)[facts.Ogg],
		join(oggPage(2, 9, 0, false, "\x01vorbis"), oggPage(0, 9, 1, true, ("\x03vorbis" + strings.Repeat(secret, 90))[:510]), oggPage(1, 9, 2, false, "rest\x01", "setup")))
}

func FuzzMP3(f *testing.F) { fuzzCopy(f, facts.MP3, join(talkingID3(), mp3Frames(3), tagsBehind())) }

func FuzzADTS(f *testing.F) { fuzzCopy(f, facts.AAC, join(talkingID3(), adtsFrames(5), tagsBehind())) }

func FuzzMovie(f *testing.F) {
	clip, _ := talkingClip(nil)
	fuzzCopy(f, facts.QuickTime, clip)
}
