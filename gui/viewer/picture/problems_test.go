package picture

import (
	"image"
	"image/color"
	"os"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/gui/guitest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestProblemsAreSaidInPlace(t *testing.T) {
	t.Run("A6 a picture that was removed: in a sentence, with another try", func(t *testing.T) {
		b := setup(t, paneSize)
		b.fails["original one"] = removed{}
		b.Show(viewer("one", "svc-oak-img"))
		b.Until("it is said", func() bool { return b.photoNotice.Visible() })
		assert.Equal(t, []string{"The picture can't be shown. The service has removed it."}, b.notices())
		b.change(func() { delete(b.fails, "original one") })
		b.picture("one", guitest.PNG(t, scene(image.Pt(40, 30))))
		test.Tap(b.photoNotice.Action())
		b.settle()
		if photo, _ := b.layers(); photo == nil || len(b.notices()) != 0 {
			t.Errorf("no second try: %v", b.notices())
		}
	})
	t.Run("A6 a heatmap that fails, while the others are shown", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(40, 30))
		b.Show(viewer("one", "svc-elm-img", "svc-oak-img"))
		b.change(func() { b.fails["heatmap one svc-elm-img"] = removed{} })
		b.runes("2")
		b.chooseModel("svc-elm-img")
		b.Until("it is said", func() bool { return b.heatNotice.Visible() })
		assert.Equal(t, []string{"The heatmap of svc-elm-img can't be shown. The service has removed it."}, b.notices())
		if photo, heatmap := b.layers(); photo == nil || heatmap != nil || b.caption.Text() != "" {
			t.Error("a heatmap is shown, or its caption")
		}
		b.chooseModel("svc-oak-img")
		b.settle()
		if _, heatmap := b.layers(); heatmap == nil || len(b.notices()) != 0 {
			t.Errorf("the other one is not shown: %v", b.notices())
		}
	})
	for name, data := range map[string][]byte{
		"empty":           {},
		"cut off":         jpegOf(t, scene(image.Pt(200, 100)))[:900],
		"of no format":    []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"),
		"far too large":   append([]byte("GIF89a\xff\xff\xff\xff\x00\x00\x00"), make([]byte, 40)...),
		"a lying heading": append([]byte("\xff\xd8\xff\xe0"), make([]byte, 100)...),
	} {
		t.Run("a picture that is "+name, func(t *testing.T) {
			b := setup(t, paneSize)
			b.picture("one", data)
			b.Show(viewer("one", "svc-oak-img"))
			b.Until("it is said", func() bool { return b.photoNotice.Visible() })
			if b.tools.object.Visible() || !strings.HasSuffix(b.photoNotice.Text(), ".") {
				t.Errorf("tools for nothing, or no sentence: %q", b.photoNotice.Text())
			}
			b.TypedRune('2')
			b.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
			b.Shortcuts()
		})
		t.Run("a heatmap that is "+name, func(t *testing.T) {
			b := setup(t, paneSize)
			b.open(image.Pt(40, 30))
			b.change(func() { b.heatmaps["svc-oak-img"] = data })
			b.TypedRune('2')
			b.Until("it is said", func() bool { return b.heatNotice.Visible() })
			if photo, heatmap := b.layers(); photo == nil || heatmap != nil || !strings.HasPrefix(b.heatNotice.Text(), "The heatmap of svc-oak-img can't be shown. ") {
				t.Errorf("%q", b.heatNotice.Text())
			}
		})
	}
}

// removed is how the source says that a file is gone.
type removed struct{}

func (removed) Error() string    { return "404" }
func (removed) Sentence() string { return "The service has removed it." }

func TestOddPicturesAreShown(t *testing.T) {
	sixteen := image.NewNRGBA64(image.Rect(0, 0, 20, 10))
	see := plainPicture(image.Pt(20, 10), color.NRGBA{200, 0, 0, 90})
	file := func(path string) []byte {
		data, err := os.ReadFile(path)
		assert.NoError(t, err)
		return data
	}
	for name, data := range map[string][]byte{
		"of one pixel":      guitest.PNG(t, plainPicture(image.Pt(1, 1), color.White)),
		"of 30,000 × 100":   jpegOf(t, plainPicture(image.Pt(30_000, 100), color.White)),
		"of one row":        guitest.PNG(t, plainPicture(image.Pt(5000, 1), color.White)),
		"of 16 bits":        guitest.PNG(t, sixteen),
		"transparent":       guitest.PNG(t, see),
		"in CMYK":           file("../../../client/media/picture/testdata/cmyk.jpg"),
		"animated":          file("../../../testdata/pictures/spinner.gif"),
		"an animated WebP":  file("../../../client/media/picture/testdata/animated.webp"),
		"lying on its side": file("../../../testdata/pictures/dogs-portrait.jpg"),
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, fyne.NewSize(360, 300))
			b.picture("one", data)
			b.heatmaps["svc-oak-img"] = guitest.PNG(t, heatmapOf(image.Pt(64, 48)))
			b.Show(viewer("one", "svc-oak-img"))
			b.settle()
			for _, keys := range []string{"2", "++++", "3", "4", "5", "----", "g", "g", "g", "0", "1"} {
				b.runes(keys)
				photo, _ := b.layers()
				if photo == nil {
					t.Fatalf("after %q nothing is shown: %v", keys, b.notices())
				}
				if got := photo.Image.Bounds().Size(); got.X > 500 || got.Y > 500 {
					t.Errorf("after %q: %v pixels for so small a pane", keys, got)
				}
			}
			b.window.Canvas().Capture()
		})
	}
}
