package facts_test

import (
	"runtime"
	"strings"
	"testing"
)

func TestPackedTexts(t *testing.T) {
	const packet = 3 << 20 // bytes that one of them gives
	packed := deflated(t, strings.Repeat("a", packet))
	pictures := func(kind, start string) []byte {
		return insert(plainPNG(t), 33, strings.Repeat(pngChunk(kind, start+packed), 300)+pngChunk("tEXt", "Author\x00B. Name"))
	}
	for name, data := range map[string][]byte{
		"a PNG's packed texts":        pictures("zTXt", "Comment\x00\x00"),
		"a PNG's international texts": pictures("iTXt", "Comment\x00\x01\x00\x00\x00"),
		"a PNG's raw profiles":        pictures("zTXt", "Raw profile type exif\x00\x00"),
		"a PNG's XMP":                 pictures("iTXt", "XML:com.adobe.xmp\x00\x01\x00\x00\x00"),
		"frames of ID3":               []byte("ID3\x03\x00\x00\x00\x7f\x7f\x7f" + strings.Repeat("TPE1"+be32(4+len(packed))+"\x00\x80"+be32(packet)+packed, 300)),
	} {
		t.Run("more than 16 MB of them are not unpacked, "+name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f := read(t, data, "a")
			runtime.ReadMemStats(&after)
			if !f.Incomplete {
				t.Errorf("says:\n%s", values(f))
			}
			// 300 of them are 900 MB, and buffers that grow are copied.
			if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 400 {
				t.Errorf("%d MB are allocated", allocated)
			}
		})
	}
	t.Run("beside a packed profile that is damaged a text is shown, and the damage is said", func(t *testing.T) {
		f := read(t, insert(plainPNG(t), 33, pngChunk("zTXt", "Raw profile type exif\x00\x00"+packed[:20])+pngChunk("tEXt", "Author\x00B. Name")), "a.png")
		if !f.Incomplete || !hasField(f, "PNG author", "B. Name") {
			t.Errorf("incomplete %v, says:\n%s", f.Incomplete, values(f))
		}
	})
}
