package facts_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/gif"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

// withEXIF puts a directory, and one of the position, into a JPEG.
func withEXIF(t testing.TB, position []mediatest.Field, fields ...mediatest.Field) []byte {
	return insert(plainJPEG(t), 2, segment(0xe1, "Exif\x00\x00"+mediatest.EXIF(position, fields...)))
}

func field(t *testing.T, fields []facts.Field, key string) facts.Field {
	t.Helper()
	for _, f := range fields {
		if f.Key == key {
			return f
		}
	}
	t.Fatalf("no field %s in %+v", key, fields)
	return facts.Field{}
}

func TestEXIF(t *testing.T) {
	data := withEXIF(t, []mediatest.Field{
		text(1, "S"), rationals(2, 33, 1, 51, 1, 2540, 100), text(3, "E"), rationals(4, 151, 1, 12, 1, 4000, 100),
	}, text(0x10f, "Maker"), text(0x110, "Camera\u202eX\x1b[31m"), mediatest.Short(0x112, 6), text(0x131, "Editor 2"), text(0x13b, "A. Name"),
		rationals(0x829a, 1, 250), rationals(0x829d, 28, 10), text(0x9003, "2026:05:01 10:20:30"), text(0x9011, "+02:00"), text(0x132, "2026:05:02 09:00:00"), text(0xa431, "12345"))
	f := read(t, data, "a.jpg")
	for key, want := range map[string]facts.Field{
		"Make":             {Label: "Camera maker", Value: "Maker"},
		"Model":            {Label: "Camera", Value: "CameraX[31m"},
		"DateTimeOriginal": {Label: "Taken", Value: "2026-05-01 10:20:30 +02:00"},
		"ModifyDate":       {Label: "Changed", Value: "2026-05-02 09:00:00 (no time zone given)"},
		"ExposureTime":     {Label: "Exposure time", Value: "1/250 s"},
		"FNumber":          {Label: "Aperture", Value: "f/2.8"},
		"Artist":           {Label: "Artist", Value: "A. Name", Identifying: true},
		"SerialNumber":     {Label: "Camera's serial number", Value: "12345", Identifying: true},
		"GPSPosition":      {Label: "Position", Value: "-33.857056, 151.211111", Raw: "33° 51′ 25.40″ S, 151° 12′ 40.00″ E", Identifying: true},
		"Orientation":      {Label: "Orientation", Value: "turned a quarter to the right"},
	} {
		want.Key = key
		if got := field(t, f.EXIF, key); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if f.Orientation != 6 || f.Width != 60 || f.Height != 40 || f.Format != facts.JPEG {
		t.Errorf("facts %+v", f)
	}
	t.Run("what people ask for comes first, and parts of other fields are not repeated", func(t *testing.T) {
		if f.EXIF[0].Key != "Make" || f.EXIF[1].Key != "Model" {
			t.Errorf("order %+v", f.EXIF)
		}
		for _, one := range f.EXIF {
			if strings.HasPrefix(one.Key, "OffsetTime") || one.Key == "GPSLatitude" {
				t.Errorf("%s is shown by itself", one.Key)
			}
		}
	})
	t.Run("damage costs what is damaged", func(t *testing.T) {
		broken := bytes.Replace(data, []byte("MM\x00*\x00\x00\x00\x08\x00"), []byte("MM\x00*\x00\x00\x00\x08\xff"), 1)
		f := read(t, broken, "a.jpg")
		if len(f.EXIF) == 0 || f.Width != 60 || len(f.Notes) == 0 {
			t.Errorf("facts %+v", f)
		}
	})
}

func TestEXIFOfWebP(t *testing.T) {
	pixels := mediatest.OnePixelWebP
	block := "MM\x00*\x00\x00\x00\x08" + directory(8, text(0x13b, "A. Name"), mediatest.Short(0x112, 6))
	for name, chunks := range map[string]string{
		"behind a part of odd length": chunkOf("VP8X", "\x28\x00\x00\x00\x00\x00\x00\x00\x00\x00") + chunkOf("ICCP", "odd") + pixels + chunkOf("EXIF", block),
		"though the header denies it": chunkOf("VP8X", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00") + pixels + chunkOf("EXIF", block),
		"as JPEG has it":              chunkOf("VP8X", "\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00") + pixels + chunkOf("EXIF", "Exif\x00\x00"+block),
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, []byte("RIFF"+le32(4+len(chunks))+"WEBP"+chunks), "a.webp")
			if got := field(t, f.EXIF, "Artist"); got.Value != "A. Name" || f.Orientation != 6 {
				t.Errorf("%+v, orientation %d", got, f.Orientation)
			}
		})
	}
}

func TestEmbeddedFields(t *testing.T) {
	packet := "<x xmp:CreatorTool='Editor' iptc:DigitalSourceType='http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia'><dc:creator><rdf:Seq><rdf:li>B. Name</rdf:li></rdf:Seq></dc:creator></x>"
	for name, data := range map[string][]byte{
		"a.jpg": insert(plainJPEG(t), 2, segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+packet)),
		"a.png": insert(plainPNG(t), 33, pngChunk("iTXt", "XML:com.adobe.xmp\x00\x00\x00\x00\x00"+packet)),
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, data, name)
			if got := field(t, f.Embedded, "XMP CreatorTool"); got.Value != "Editor" || got.Identifying {
				t.Errorf("%+v", got)
			}
			if got := field(t, f.Embedded, "XMP creator"); got.Value != "B. Name" || !got.Identifying {
				t.Errorf("%+v", got)
			}
			if got := field(t, f.Embedded, "XMP DigitalSourceType"); !strings.HasSuffix(got.Value, "trainedAlgorithmicMedia") {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestFormat(t *testing.T) {
	for name, c := range map[string]struct {
		data     string
		format   facts.Format
		misnamed bool
	}{
		"a.jpg":   {string(plainJPEG(t)), facts.JPEG, false},
		"a.png":   {string(plainJPEG(t)), facts.JPEG, true},
		"A.JPEG":  {string(plainJPEG(t)), facts.JPEG, false},
		"a":       {string(plainPNG(t)), facts.PNG, false},
		"a.mov":   {isoBox("ftyp", "isom\x00\x00\x00\x00"), facts.MP4, false},
		"a.mp3":   {isoBox("ftyp", "M4A \x00\x00\x00\x00"), facts.M4A, true},
		"a.txt":   {"Words, and ü.", facts.Text, false},
		"b.txt":   {"%PDF-1.7", facts.PDF, true},
		"c.jpg":   {"\x00\x01\x02", "", false},
		"d.heic":  {isoBox("ftyp", "heic\x00\x00\x00\x00"), facts.HEIF, false},
		"e.jpg":   {isoBox("ftyp", "heic\x00\x00\x00\x00"), facts.HEIF, true},
		"f.empty": {"", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			if f := read(t, []byte(c.data), name); f.Format != c.format || f.Misnamed != c.misnamed {
				t.Errorf("%q, misnamed %v", f.Format, f.Misnamed)
			}
		})
	}
}

func TestShapeOfSound(t *testing.T) {
	wav := "RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00\x44\xac\x00\x00\x10\xb1\x02\x00\x04\x00\x10\x00data\x10\xb1\x02\x00" + zeros(176400)
	flac := "fLaC\x00\x00\x00\x22\x10\x00\x10\x00\x00\x00\x00\x00\x00\x00\x0a\xc4\x42\xf0\x00\x01\x58\x88" + zeros(16)
	for name, c := range map[string]struct {
		data           string
		rate, channels int
		lasts          time.Duration
	}{
		"a.wav":  {wav, 44100, 2, time.Second},
		"a.flac": {flac, 44100, 2, 2 * time.Second},
		"a.mp3":  {"\xff\xfb\x90\x00" + zeros(500), 44100, 2, 0},
		"a.mp4":  {string(newSigner(t, -7).clip(t)), 0, 0, 2500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, []byte(c.data), name)
			if f.SampleRate != c.rate || f.Channels != c.channels || f.Duration != c.lasts {
				t.Errorf("%d Hz, %d channels, %v; notes %v", f.SampleRate, f.Channels, f.Duration, f.Notes)
			}
		})
	}
}

type brokenDisk struct{}

func (brokenDisk) ReadAt([]byte, int64) (int, error) { return 0, io.ErrClosedPipe }

func TestReadEnds(t *testing.T) {
	t.Run("with the disk's error", func(t *testing.T) {
		if _, err := facts.Read(t.Context(), brokenDisk{}, 100, "a.jpg"); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("when it is cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := facts.Read(ctx, bytes.NewReader(plainJPEG(t)), 10, "a.jpg"); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}

// FuzzRead holds that whatever a file holds, reading ends, and what is given is bounded and safe to show.
func FuzzRead(f *testing.F) {
	s := newSigner(f, -7)
	for _, seed := range [][]byte{
		s.jpeg(f), s.png(f), s.gif(f), s.clip(f), plainJPEG(f),
		withEXIF(f, []mediatest.Field{text(1, "S"), rationals(2, 33, 1, 51, 1, 2540, 100)}, text(0x110, "Camera"), mediatest.Short(0x112, 6)),
		[]byte("ID3\x03\x00\x00\x00\x00\x00\x40GEOB\x00\x00\x00\x20\x00\x00\x00application/c2pa\x00\x00\x00xxxxxxxx"),
		[]byte("OggS\x00\x02" + zeros(20) + "\x01\x1e\x01vorbis\x00\x00\x00\x00\x02\x44\xac\x00\x00" + zeros(20)),
		[]byte("RIFF\x00\x00\x00\x00WEBPC2PA\x04\x00\x00\x00abcd"),
		[]byte("fLaC\x00\x00\x00\x22" + zeros(34) + "\x84\x00\x00\x16" + vorbisComments("prog", "ARTIST=A")),
		[]byte(id3Tag(4, id3Frame("TIT2", "\x01\xff\xfeA\x00"), id3Frame("COMM", "\x00engnote\x00words")) + "\xff\xfb\x90\x00" + "TAG" + padded("Title", 125)),
		[]byte("RIFF\x90\x01\x00\x00WAVE" + chunkOf("LIST", "INFO"+chunkOf("IART", "A")) + chunkOf("bext", padded("Talk", 620))),
		[]byte(isoBox("ftyp", "qt  ") + isoBox("moov", isoBox("udta", isoBox("\xa9xyz", "\x00\x11\x00\x00+48.1000-011.5000")+isoBox("loci", padded("", 30))))),
		[]byte("fLaC" + zeros(40)), []byte("\xff\xf1\x50\x80\x00\x1f\xfc"), []byte("text"),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := facts.Read(t.Context(), bytes.NewReader(data), int64(len(data)), "a.jpg")
		assert.NoError(t, err)
		if (got.Credentials.State == facts.NotConfirmed) != (got.Credentials.Reason != "") {
			t.Errorf("state %d with reason %q", got.Credentials.State, got.Credentials.Reason)
		}
		if len(got.EXIF) > 500 || len(got.Embedded) > 500 || len(got.Notes) > 20 || len(got.Tracks) > 20 || got.Trailing < 0 {
			t.Errorf("%d and %d fields, %d notes", len(got.EXIF), len(got.Embedded), len(got.Notes))
		}
		for _, one := range append(got.EXIF, got.Embedded...) {
			if len(one.Value) > 2100 || strings.ContainsFunc(one.Value+one.Key+one.Label, func(r rune) bool { return r < ' ' || r >= 0x202a && r <= 0x202e }) {
				t.Errorf("field %+v", one)
			}
		}
	})
}

// pictureFormats are the formats by the names that Go's own decoders give them.
var pictureFormats = map[string]facts.Format{"jpeg": facts.JPEG, "png": facts.PNG, "gif": facts.GIF, "webp": facts.WebP}

// FuzzFormat holds that a file is told to be the same whatever it is called and however often it is asked for, and that a picture which Go's own decoders
// read has their format and size.
func FuzzFormat(f *testing.F) {
	picture := image.NewGray(image.Rect(0, 0, 3, 2))
	var asPNG, asGIF bytes.Buffer
	assert.NoError(f, png.Encode(&asPNG, picture))
	assert.NoError(f, gif.Encode(&asGIF, picture, nil))
	for name, data := range map[string][]byte{
		"a.jpg": plainJPEG(f), "b.txt": asPNG.Bytes(), "c.gif": asGIF.Bytes(), "d": []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x00\x88\x88\x08\x00\x00\x00\x00\x00\x00"),
		"e.wav": []byte("RIFF\x04\x00\x00\x00WAVE"), "f.\xff": []byte("\xff\xfbID3"),
	} {
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		read := func(name string) facts.Facts {
			got, err := facts.Read(t.Context(), bytes.NewReader(data), int64(len(data)), name)
			assert.NoError(t, err)
			return got
		}
		got, again, nameless := read(name), read(name), read("")
		if diff := cmp.Diff(got, again); diff != "" {
			t.Errorf("it is told otherwise the second time: %s", diff)
		}
		if nameless.Format != got.Format || nameless.Width != got.Width || nameless.Incomplete != got.Incomplete || len(facts.Identifying(nameless)) != len(facts.Identifying(got)) {
			t.Errorf("called %q it is a %s, without a name a %s", name, got.Format, nameless.Format)
		}
		config, kind, err := image.DecodeConfig(bytes.NewReader(data))
		if format, known := pictureFormats[kind]; err == nil && known && (got.Format != format || got.Width != config.Width || got.Height != config.Height) {
			t.Errorf("a %s of %d × %d is told to be a %s of %d × %d", kind, config.Width, config.Height, got.Format, got.Width, got.Height)
		}
	})
}
