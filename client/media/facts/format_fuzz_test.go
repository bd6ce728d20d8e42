package facts_test

import (
	"bytes"
	"image"
	"image/gif"
	"image/png"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/media/facts"
)

// pictureFormats are the formats by the names that Go's own decoders give them.
var pictureFormats = map[string]facts.Format{"jpeg": facts.JPEG, "png": facts.PNG, "gif": facts.GIF, "webp": facts.WebP}

// FuzzFormat holds that a file is told to be the same whatever it is called and however often it is asked for, and that a picture which Go's own decoders
// read has their format and size.
func FuzzFormat(f *testing.F) {
	picture := image.NewGray(image.Rect(0, 0, 3, 2))
	var asPNG, asGIF bytes.Buffer
	if err := png.Encode(&asPNG, picture); err != nil {
		f.Fatal(err)
	}
	if err := gif.Encode(&asGIF, picture, nil); err != nil {
		f.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"a.jpg": plainJPEG(f), "b.txt": asPNG.Bytes(), "c.gif": asGIF.Bytes(), "d": []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x00\x88\x88\x08\x00\x00\x00\x00\x00\x00"),
		"e.wav": []byte("RIFF\x04\x00\x00\x00WAVE"), "f.\xff": []byte("\xff\xfbID3"),
	} {
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		read := func(name string) facts.Facts {
			got, err := facts.Read(t.Context(), bytes.NewReader(data), int64(len(data)), name)
			if err != nil {
				t.Fatal(err)
			}
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
