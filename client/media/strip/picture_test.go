package strip

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/webp"

	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

// talkingJPEG says something wherever a JPEG can.
func talkingJPEG(t testing.TB, orientation int) []byte {
	plain := plainJPEG(t)
	thumbnail := "JFIF\x00\x01\x01\x00\x00\x01\x00\x01" + "\x05\x01" + (secret + secret)[:15]
	scan := bytes.Index(plain, []byte("\xff\xda"))
	return append(insert(insert(plain, scan, segment(0xfe, secret), segment(0xe9, secret)), 2,
		segment(0xe0, thumbnail), segment(0xe0, "JFXX\x00\x10"+secret), segment(0xe1, "Exif\x00\x00"+exif(orientation)), segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+xmp),
		segment(0xe2, "ICC_PROFILE\x00\x02\x02"+profile()[150:]), segment(0xe2, "ICC_PROFILE\x00\x01\x02"+profile()[:150]), segment(0xe2, "MPF\x00"+secret), segment(0xe5, secret), segment(0xeb, "JP\x00\x01"+secret),
		segment(0xed, "Photoshop 3.0\x00"+secret), segment(0xee, "Adobe\x00\x64\x00\x00\x00\x00\x01"+secret), segment(0xfe, secret)),
		"\x00\x00\x00\x18ftypmp42"+secret...)
}

func decodeJPEG(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) }
func decodePNG(b []byte) (image.Image, error)  { return png.Decode(bytes.NewReader(b)) }
func decodeWebP(b []byte) (image.Image, error) { return webp.Decode(bytes.NewReader(b)) }

func TestJPEG(t *testing.T) {
	data := talkingJPEG(t, 6)
	made, removed := mustCopy(t, data, facts.JPEG)
	t.Run("the pixels are the same", func(t *testing.T) { samePixels(t, data, made, decodeJPEG) })
	t.Run("it stays turned as it was, and says nothing else", func(t *testing.T) {
		said := read(t, made)
		if said.Orientation != 6 || len(said.EXIF) != 1 {
			t.Errorf("%+v", said.EXIF)
		}
	})
	t.Run("its colours stay as they were meant", func(t *testing.T) {
		plain := string(plainProfile([]byte(profile())))
		if !bytes.Contains(made, []byte("ICC_PROFILE\x00\x02\x02"+plain[150:]+"\xff\xe2\x00\xa6ICC_PROFILE\x00\x01\x02"+plain[:150])) || !bytes.Contains(made, []byte("Adobe\x00\x64")) {
			t.Error("the profile is gone")
		}
	})
	t.Run("what was taken out is told", func(t *testing.T) {
		want := []facts.Kind{facts.Position, facts.Serial, facts.Author, facts.Device, facts.Identifier, facts.Time, facts.Description, facts.Thumbnail, facts.Trailing}
		if diff := cmp.Diff(want, removed.Kinds); diff != "" || !removed.Trailing || removed.Bytes < int64(10*len(secret)) {
			t.Errorf("%s%+v", diff, removed)
		}
	})
	t.Run("a picture that stands upright needs no EXIF at all", func(t *testing.T) {
		upright, _ := mustCopy(t, talkingJPEG(t, 1), facts.JPEG)
		if bytes.Contains(upright, []byte("Exif")) {
			t.Error("there is EXIF")
		}
	})
	t.Run("several scans with tables and comments between them", func(t *testing.T) {
		// Restart markers, stuffed zeros and fill bytes belong to a scan; what follows the scan is looked at like what precedes it.
		plain := plainJPEG(t)
		end := len(plain) - 2
		scan := "\xff\xda\x00\x02\x11\xff\x00\x22\xff\xd0\x33\xff\xd7\xff\x00"
		more := segment(0xfe, secret) + segment(0xc4, "table") + scan + "\xff" + segment(0xe1, secret) + scan
		made, _, err := copyOf(t, insert(plain, end, more), facts.JPEG)
		if want := insert(plain, end, segment(0xc4, "table")+scan+"\xff", scan); err != nil || !bytes.Equal(made, want) {
			t.Errorf("%v\n%x\n%x", err, made[len(made)-60:], want[len(want)-60:])
		}
	})
	t.Run("segments of kinds that no decoder knows", func(t *testing.T) {
		copied(t, insert(plainJPEG(t), 2, segment(0xf0, secret), segment(0xfd, secret)), facts.JPEG, plainJPEG(t))
	})
	t.Run("a scan longer than what is read at a time", func(t *testing.T) {
		plain := plainJPEG(t)
		long := strings.Repeat("\xff\x00\x11\xff\xd1", 60_000)
		data := insert(plain, len(plain)-2, long+segment(0xfe, secret))
		copied(t, data, facts.JPEG, insert(plain, len(plain)-2, long))
	})
}

func talkingPNG(t testing.TB) []byte {
	const behindHeader = 8 + 25
	plain := plainPNG(t)
	return append(insert(plain, behindHeader,
		pngPart("gAMA", be32(45455)), pngPart("iCCP", secret+"\x00\x00"+mediatest.Deflated(profile())), pngPart("tEXt", "Author\x00"+secret), pngPart("tEXt", "parameters\x00"+secret), pngPart("iTXt", "XML:com.adobe.xmp\x00\x00\x00\x00\x00"+xmp),
		pngPart("iTXt", "Comment\x00\x00\x00\x00\x00"+secret), pngPart("tIME", "\x07\xea\x05\x01\x0a\x14\x1e"), pngPart("eXIf", exif(8)), pngPart("caBX", secret), pngPart("prVt", secret),
		pngPart("acTL", be32(1)+be32(0))), secret...)
}

func TestPNG(t *testing.T) {
	data := talkingPNG(t)
	made, removed := mustCopy(t, data, facts.PNG)
	samePixels(t, data, made, decodePNG)
	if said := read(t, made); said.Orientation != 8 {
		t.Errorf("turned %d", said.Orientation)
	}
	for _, kept := range []string{"gAMA", "iCCP", "acTL", "IHDR", "PLTE", "IDAT", "IEND"} {
		if !bytes.Contains(made, []byte(kept)) {
			t.Errorf("%s is gone", kept)
		}
	}
	checkReported(t, removed, facts.Position, facts.Serial, facts.Author, facts.Time, facts.Description, facts.Credential, facts.Trailing)
	t.Run("a chunk that decoding needs and nobody here knows", func(t *testing.T) {
		refused(t, insert(plainPNG(t), 33, pngPart("CgBI", "1234")), facts.PNG, ErrUnusual)
	})
}

// talkingGIF is a moving picture of two frames that says something between them.
func talkingGIF(t testing.TB) []byte {
	sub := func(text string) string { return string([]byte{byte(len(text))}) + text }
	plain := mediatest.GIF(t, mediatest.Drawing(), mediatest.Drawing())
	screen := 13 + 3<<(plain[10]&7+1)
	if plain[10]&0x80 == 0 {
		screen = 13
	}
	return append(insert(plain, screen, "!\xfe"+sub(secret)+sub("more")+"\x00", "!\xff"+sub("XMP DataXMP")+xmp+magic()+"\x00", "!\xff"+sub("C2PA_GIF\x01\x00\x00")+sub(secret)+"\x00",
		"!\x01"+sub("123456789012")+sub(secret)+"\x00"), secret...)
}

// magic leads a reader of blocks out of XMP that is not in blocks.
func magic() string {
	b := []byte{1}
	for i := 255; i >= 0; i-- {
		b = append(b, byte(i))
	}
	return string(b)
}

func TestGIF(t *testing.T) {
	data := talkingGIF(t)
	made, removed := mustCopy(t, data, facts.GIF)
	before, err := gif.DecodeAll(bytes.NewReader(data))
	assert.NoError(t, err)
	after, err := gif.DecodeAll(bytes.NewReader(made))
	assert.NoError(t, err)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("frames, times or repetitions changed: %s", diff)
	}
	if !removed.Trailing || !slices.Contains(removed.Kinds, facts.Author) || !slices.Contains(removed.Kinds, facts.Description) {
		t.Errorf("%+v", removed)
	}
}

// webpPixels are those of one of the pictures for tests: nothing here can write any.
func webpPixels(t testing.TB) string {
	t.Helper()
	data := mediatest.Read(t, "../../../testdata/pictures/dandelion.webp")
	return string(data[12:])
}

func talkingWebP(t testing.TB) []byte {
	extended := "\x2c\x00\x00\x00" + "\xbf\x03\x00" + "\x1b\x02\x00" // EXIF, XMP and a profile; 960 by 540
	return append(riff("WEBP", riffPart("VP8X", extended), riffPart("ICCP", profile()), webpPixels(t), riffPart("EXIF", exif(3)), riffPart("XMP ", xmp), riffPart("C2PA", secret), riffPart("odd ", secret+"1")), secret...)
}

func TestWebP(t *testing.T) {
	data := talkingWebP(t)
	made, removed := mustCopy(t, data, facts.WebP)
	samePixels(t, data, made, decodeWebP)
	if flags := made[20]; flags != 0x28 {
		t.Errorf("its header promises %#x", flags)
	}
	if said := read(t, made); said.Orientation != 3 {
		t.Errorf("turned %d", said.Orientation)
	}
	if !removed.Trailing || !removed.Credentials {
		t.Errorf("%+v", removed)
	}
	t.Run("its profile stays, and says nothing but colours", func(t *testing.T) {
		if want := riffPart("ICCP", string(plainProfile([]byte(profile())))); !bytes.Contains(made, []byte(want)) {
			t.Error("the profile is another")
		}
	})
	t.Run("frames of a moving picture keep their pixels alone", func(t *testing.T) {
		pixels := webpPixels(t)
		place := zeros(6) + "\xbf\x03\x00\x1b\x02\x00" + "\x64\x00\x00\x00"
		header := riffPart("VP8X", "\x02\x00\x00\x00\xbf\x03\x00\x1b\x02\x00") + riffPart("ANIM", "\xff\xff\xff\xff\x00\x00")
		copied(t, riff("WEBP", header, riffPart("ANMF", place+pixels+riffPart("note", secret))), facts.WebP, riff("WEBP", header, riffPart("ANMF", place+pixels)))
	})
}

func TestRealPictures(t *testing.T) {
	for name, format := range map[string]facts.Format{"dogs-portrait.jpg": facts.JPEG, "generated.png": facts.PNG, "spinner.gif": facts.GIF, "dandelion.webp": facts.WebP} {
		t.Run(name, func(t *testing.T) {
			data := mediatest.Read(t, "../../../testdata/pictures/"+name)
			made, _, err := copyOf(t, data, format)
			assert.NoError(t, err)
			before, _, err := image.Decode(bytes.NewReader(data))
			assert.NoError(t, err)
			after, _, err := image.Decode(bytes.NewReader(made))
			if err != nil || !reflect.DeepEqual(before, after) {
				t.Errorf("it is decoded otherwise: %v", err)
			}
			if was, is := read(t, data), read(t, made); turn(was) != turn(is) || len(facts.Identifying(is)) > 0 {
				t.Errorf("%+v became %+v", was, is)
			}
		})
	}
}
