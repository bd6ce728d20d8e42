package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"runtime"
	"testing"

	"assay/client/assert"
	"assay/client/media/container"
	"assay/client/media/mediatest"
	"assay/client/media/picture/picturetest"
	"assay/client/sandbox/forensics"
)

func TestUnreadablePicturesGetASentence(t *testing.T) {
	whole := readPicture(t, "mountains.jpg")
	aPNG := readPicture(t, "poster.png")
	aGIF := readPicture(t, "spinner.gif")
	aWebP := readPicture(t, "dandelion.webp")
	damaged := bytes.Clone(aPNG)
	for i := 200; i < 260; i++ {
		damaged[i] ^= 0x5a
	}
	const short = "The picture breaks off before its end."
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":                {nil, "The picture is empty."},
		"text":                 {[]byte("once upon a time"), notAPicture},
		"a JPEG cut in half":   {whole[:len(whole)/2], short},
		"a JPEG's first bytes": {whole[:4], short},
		"a PNG cut in half":    {aPNG[:len(aPNG)/2], short},
		"a GIF cut in half":    {aGIF[:len(aGIF)/2], short},
		"a WebP cut in half":   {aWebP[:len(aWebP)/2], short},
		"a damaged PNG":        {damaged, "The picture is damaged: its PNG data can't be decoded."},
		"60,000 × 60,000":      {hugePNG(60000, 60000), "The picture claims 60000 × 60000 pixels; the sandbox reads up to 120 million."},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Analyse(t.Context(), c.data, func(forensics.Model) { t.Error("a model reported") })
			var unreadable *forensics.Unreadable
			if !errors.As(err, &unreadable) || err.Error() != c.want {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestAHugeClaimCostsNoMemory(t *testing.T) {
	data := hugePNG(60000, 60000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Analyse(t.Context(), data, nil); err == nil {
		t.Fatal("no error")
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("%d bytes were allocated for a refused picture", got)
	}
}

func TestEveryKindOfPictureGetsAReport(t *testing.T) {
	r := image.Rect(0, 0, 200, 160)
	deep := image.NewNRGBA64(r)
	see := image.NewNRGBA(r)
	for y := range r.Dy() {
		for x := range r.Dx() {
			deep.SetNRGBA64(x, y, color.NRGBA64{uint16(x * 300), uint16(y * 400), uint16(x * y), 0xffff})
			see.SetNRGBA(x, y, color.NRGBA{uint8(x), uint8(y), 90, uint8(x + y)})
		}
	}
	white := picturetest.Filled(image.Pt(500, 500), 255)
	var still bytes.Buffer
	assert.NoError(t, gif.Encode(&still, see, nil))
	for name, data := range map[string][]byte{
		"one pixel":        asPNG(t, image.NewGray(image.Rect(0, 0, 1, 1))),
		"one pixel, JPEG":  asJPEG(t, image.NewGray(image.Rect(0, 0, 1, 1)), 90),
		"greyscale":        asJPEG(t, grainy(200, 160, 4, 1), 90),
		"16 bits":          asPNG(t, deep),
		"transparent":      asPNG(t, see),
		"palette":          asPNG(t, image.NewPaletted(r, color.Palette{color.Black, color.White})),
		"a still GIF":      still.Bytes(),
		"an animated GIF":  readPicture(t, "spinner.gif"),
		"CMYK":             cmykJPEG(t),
		"one row":          asPNG(t, image.NewGray(image.Rect(0, 0, 3000, 1))),
		"all black":        asPNG(t, image.NewGray(image.Rect(0, 0, 500, 500))),
		"white, JPEG":      asJPEG(t, white, 90),
		"a WebP":           readPicture(t, "dandelion.webp"),
		"an animated WebP": animatedWebP(),
	} {
		t.Run(name, func(t *testing.T) {
			report := analysed(t, data)
			if len(report.Models) != len(Models()) || report.Width < 1 || report.Height < 1 {
				t.Errorf("%d models, %d × %d pixels", len(report.Models), report.Width, report.Height)
			}
			for _, m := range report.Models {
				if m.Status == forensics.Unable || (m.Score == nil) != (m.Status == forensics.NotApplicable) {
					t.Errorf("%s: %s with score %v: %s", m.Name, m.Status, m.Score, m.Message)
				}
			}
		})
	}
}

// hugePNG is a PNG that is nothing but a header with that size.
func hugePNG(w, h int) []byte {
	return mediatest.Join(container.PNGSignature, mediatest.PNGChunk("IHDR", mediatest.BE32(w)+mediatest.BE32(h)+"\x08\x02\x00\x00\x00"))
}

// cmykJPEG is a JPEG of four components: a greyscale one whose header is told to
// hold each component's flat blocks. It is encoded by hand, since the standard
// library only decodes CMYK.
func cmykJPEG(t *testing.T) []byte {
	t.Helper()
	grey := asJPEG(t, image.NewGray(image.Rect(0, 0, 8, 8)), 90)
	var b []byte
	b = append(b, 0xff, 0xd8)
	b = append(b, 0xff, 0xee, 0, 14)
	b = append(b, "Adobe\x00\x64\x00\x00\x00\x00\x00"...)
	container.SourceOf(grey).JPEGSegments(2, func(table container.Block) bool {
		if table.Kind == "\xdb" || table.Kind == "\xc4" { // the tables serve all four components
			b = append(b, grey[table.Whole.Start:table.Whole.End]...)
		}
		return true
	})
	b = append(b, 0xff, 0xc0, 0, 20, 8, 0, 8, 0, 8, 4)
	for i := range byte(4) {
		b = append(b, i+1, 0x11, 0)
	}
	b = append(b, 0xff, 0xda, 0, 14, 4)
	for i := range byte(4) {
		b = append(b, i+1, 0)
	}
	b = append(b, 0, 63, 0)
	// Each block: difference 0 (code 00) and end of block (code 1010), four times,
	// filled up with ones.
	b = append(b, 0b00101000, 0b10100010, 0b10001010)
	return append(b, 0xff, 0xd9)
}

// animatedWebP is an extended WebP header with the animation flag and an empty
// animation chunk.
func animatedWebP() []byte {
	return mediatest.RIFF("WEBP", mediatest.Chunk("VP8X", "\x02\x00\x00\x00\x3f\x00\x00\x3f\x00\x00"), mediatest.Chunk("ANIM", mediatest.Zeros(6)))
}
