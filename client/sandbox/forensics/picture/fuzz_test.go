package picture

import (
	"encoding/json"
	"image"
	"slices"
	"testing"

	"assay/client/media/container"
	"assay/client/media/mediatest"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/forensicstest"
)

// FuzzProvenance feeds the readers of metadata with bytes of every container.
// Whatever they hold, the analyser ends, and with a row that can be sent.
func FuzzProvenance(f *testing.F) {
	plainPNG := asPNG(f, image.NewGray(image.Rect(0, 0, 8, 8)))
	plainJPEG := asJPEG(f, image.NewGray(image.Rect(0, 0, 8, 8)), 90)
	store := forensicstest.Store(f, forensicstest.Manifest(f, "App", "trainedAlgorithmicMedia"))
	for _, seed := range [][]byte{
		plainPNG, plainJPEG,
		withChunk(plainPNG, "tEXt", "parameters\x00"+webUIParameters),
		withChunk(plainPNG, "zTXt", "parameters\x00\x00"+mediatest.Deflated(webUIParameters)),
		withChunk(plainPNG, "iTXt", xmpKey+"\x00\x00\x00\x00\x00<x DigitalSourceType='a'/>"),
		withChunk(plainPNG, "caBX", store),
		withJUMBF(plainJPEG, store, 64),
		withSegment(plainJPEG, 0xe1, exifSoftware("Midjourney")),
		withSegment(plainJPEG, 0xe1, "http://ns.adobe.com/xap/1.0/\x00<x xmp:CreatorTool='b'>c</x>"),
		[]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00!\xfe\x03abc\x00;"),
		animatedWebP(),
		withRIFFChunk(animatedWebP(), "C2PA", store),
		withRIFFChunk(animatedWebP(), "XMP ", "<x DigitalSourceType='a'/>"),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		kind := container.FormatOf(data)
		if !slices.Contains([]container.Format{container.JPEG, container.PNG, container.GIF, container.WebP}, kind) {
			return
		}
		m, _, err := provenance{}.analyse(t.Context(), &picture{data: data, format: kind})
		if err != nil {
			t.Fatalf("error %v", err)
		}
		if (m.Score == nil) != (m.Status == forensics.NotApplicable) {
			t.Errorf("status %s with score %v", m.Status, m.Score)
		}
		if _, err := json.Marshal(m.Data); err != nil {
			t.Errorf("data: %v", err)
		}
		// The other readers of containers meet the same bytes.
		p := &picture{data: data}
		_, _, _ = p.jpegLumaTable(), p.jpegEnds(), p.webpShort()
		if n, err := p.gifFrames(); err == nil && n < 0 {
			t.Errorf("%d frames", n)
		}
	})
}
