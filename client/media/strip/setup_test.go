package strip

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

// secret is put wherever a file can say something of a person; no copy may hold it.
const secret = "SECRET-7f3a9c" //nolint:gosec // no credential: a word to look for

// The parts that files are put together from.
var (
	join, insert, zeros, padded = mediatest.Join, mediatest.Insert, mediatest.Zeros, mediatest.Padded
	be16, be32, le32            = mediatest.BE16, mediatest.BE32, mediatest.LE32
	segment, pngPart, box       = mediatest.Segment, mediatest.PNGChunk, mediatest.Box
	riff, riffPart              = mediatest.RIFF, mediatest.Chunk
	id3Frame, mp3Frames         = mediatest.ID3Frame, mediatest.MP3Frames
	vorbisComments, flacBlock   = mediatest.VorbisComments, mediatest.FLACBlock
)

func plainJPEG(t testing.TB) []byte { return mediatest.JPEG(t, mediatest.Drawing(), 75) }
func plainPNG(t testing.TB) []byte  { return mediatest.PNG(t, mediatest.Drawing()) }

// copyOf makes a copy of data, which are of a format.
func copyOf(t testing.TB, data []byte, format facts.Format) ([]byte, Removed, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy")
	to, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	assert.NoError(t, err)
	removed, copyErr := Copy(t.Context(), bytes.NewReader(data), int64(len(data)), format, to)
	assert.NoError(t, to.Close())
	made := mediatest.Read(t, path)
	if copyErr != nil && len(made) > 0 {
		t.Errorf("%d bytes are left of a copy that failed", len(made))
	}
	return made, removed, copyErr
}

// mustCopy is copyOf for what must succeed and be free of the secret and of all that Assay knows as identifying,
// and is what Sum says beforehand.
func mustCopy(t *testing.T, data []byte, format facts.Format) ([]byte, Removed) {
	t.Helper()
	made, removed, err := copyOf(t, data, format)
	if err != nil {
		t.Fatalf("no copy: %v", err)
	}
	if !bytes.Contains(data, []byte(secret)) {
		t.Fatal("nothing was planted")
	}
	for name, form := range map[string][]byte{"as it is": []byte(secret), "in UTF-16": utf16(secret)} {
		if at := bytes.Index(made, form); at >= 0 {
			t.Errorf("the secret, %s, is at %d of %d bytes: %q", name, at, len(made), made[max(0, at-40):min(len(made), at+40)])
		}
	}
	said := read(t, made)
	if said.Format != format {
		t.Errorf("the copy is a %s", said.Format)
	}
	if left := facts.Identifying(said); len(left) > 0 {
		t.Errorf("the copy says %+v", left)
	}
	again, _, err := copyOf(t, data, format)
	if err != nil || !bytes.Equal(again, made) {
		t.Errorf("a second copy is another one: %v", err)
	}
	length, sum, err := Sum(t.Context(), bytes.NewReader(data), int64(len(data)), format)
	if is := sha256.Sum256(made); err != nil || length != int64(len(made)) || sum != hex.EncodeToString(is[:]) {
		t.Errorf("it was said to have %d bytes, %s (%v); it has %d bytes, %x", length, sum, err, len(made), is)
	}
	return made, removed
}

// copied holds what the copy of data is, byte for byte.
func copied(t *testing.T, data []byte, format facts.Format, want []byte) Removed {
	t.Helper()
	made, removed := mustCopy(t, data, format)
	if !bytes.Equal(made, want) {
		t.Errorf("%d bytes, want %d:\n%.200q\nwant\n%.200q", len(made), len(want), made, want)
	}
	return removed
}

// checkReported holds that what was taken out is told.
func checkReported(t *testing.T, removed Removed, kinds ...facts.Kind) {
	t.Helper()
	for _, kind := range kinds {
		if !slices.Contains(removed.Kinds, kind) {
			t.Errorf("%s is not told: %+v", kind, removed)
		}
	}
}

func read(t testing.TB, data []byte) facts.Facts {
	t.Helper()
	said, err := facts.Read(t.Context(), bytes.NewReader(data), int64(len(data)), "")
	assert.NoError(t, err)
	return said
}

func utf16(text string) []byte {
	var b []byte
	for _, c := range []byte(text) {
		b = append(b, c, 0)
	}
	return b
}

// exif is a block of EXIF with a camera, an artist, a serial number, a position, and how the picture is turned.
func exif(orientation int) string {
	text, degrees := mediatest.ASCII, func(tag, n int) mediatest.Field { return mediatest.Rationals(tag, n, 1, 30, 1, 0, 1) }
	return mediatest.EXIF([]mediatest.Field{text(1, "N"), degrees(2, 48), text(3, "E"), degrees(4, 11)}, text(0x10f, secret), text(0x110, secret),
		mediatest.Short(0x112, orientation), text(0x13b, secret), text(0x9003, secret), text(0xa431, secret))
}

const xmp = "<x:xmpmeta><rdf:Description xmp:CreatorTool='" + secret + "'><dc:creator><rdf:Seq><rdf:li>" + secret + "</rdf:li></rdf:Seq></dc:creator></rdf:Description></x:xmpmeta>"

// samePixels holds that two pictures decode to the same.
func samePixels(t *testing.T, before, after []byte, decode func([]byte) (image.Image, error)) {
	t.Helper()
	a, err := decode(before)
	assert.NoError(t, err)
	b, err := decode(after)
	if err != nil {
		t.Fatalf("the copy does not decode: %v", err)
	}
	if a.Bounds() != b.Bounds() {
		t.Fatalf("%v became %v", a.Bounds(), b.Bounds())
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.At(x, y) != b.At(x, y) {
				t.Fatalf("pixel %d, %d: %v became %v", x, y, a.At(x, y), b.At(x, y))
			}
		}
	}
}

// refused holds that there is no copy, for a reason.
func refused(t *testing.T, data []byte, format facts.Format, why *Problem) {
	t.Helper()
	if _, _, err := copyOf(t, data, format); !errors.Is(err, why) {
		t.Errorf("error %v, want %v", err, why)
	}
}

// asProblem is the problem in err, nil for none.
func asProblem(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	return nil
}
