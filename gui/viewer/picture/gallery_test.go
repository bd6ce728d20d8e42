package picture

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
	"assay/gui/look"
)

const galleryBoxes = `{"image":{"width":1600,"height":1065},"bboxes":[
	{"bbox":{"top_left":{"x":303,"y":640},"top_right":{"x":603,"y":640},"bottom_right":{"x":603,"y":940},"bottom_left":{"x":303,"y":940}},
		"conclusions":{"svc-oak-img":{"decision":"ARTIFICIAL"},"svc-elm-img":{"decision":"AUTHENTIC"}}},
	{"bbox":{"top_left":{"x":1200,"y":300},"top_right":{"x":1500,"y":420},"bottom_right":{"x":1400,"y":680},"bottom_left":{"x":1100,"y":560}},
		"conclusions":{"svc-oak-img":{"decision":"ARTIFICIAL"}}}]}`

// TestGallery draws the pane as a person sees it. With ASSAY_GALLERY naming a folder, the pictures are kept there, to be looked at.
func TestGallery(t *testing.T) {
	if guitest.GalleryFolder() == "" {
		t.Skip("what it draws is tested by fields elsewhere; ASSAY_GALLERY names a folder for the pictures")
	}
	scenes := []struct {
		name string
		set  func(*fixture)
	}{
		{"original", func(*fixture) {}},
		{"overlay", func(b *fixture) { b.runes("2") }},
		{"overlay-boxes", func(b *fixture) { b.runes("2b"); b.stage.boxes.next() }},
		{"swipe", func(b *fixture) { b.runes("3]]]]"); b.window.Canvas().Focus(b.stage.divider) }},
		{"blink", func(b *fixture) { b.runes("4") }},
		{"side-by-side", func(b *fixture) { b.runes("5") }},
		{"zoomed", func(b *fixture) { b.runes("2"); b.stage.zoom(8); b.window.Canvas().Focus(b.stage) }},
		{"zoomed-side", func(b *fixture) { b.runes("5b"); b.stage.zoom(2) }},
		{"grey", func(b *fixture) { b.runes("g2") }},
		{"blurred", func(b *fixture) { b.runes("gg") }},
		{"broken", func(b *fixture) { b.picture("two", []byte("GIF89a broken")); b.Show(viewer("two")) }},
		{"gone", func(b *fixture) { b.Show(viewer("three", "svc-oak-img")) }},
		{"no-heatmap", func(b *fixture) { b.originals["four"] = b.originals["one"]; b.Show(viewer("four")) }},
		{"fetching", func(b *fixture) {
			b.hold["heatmap one svc-a-model-with-a-very-long-name-indeed-img"] = make(chan struct{})
			b.TypedRune('2')
			b.chooseModel("svc-a-model-with-a-very-long-name-indeed-img")
		}},
		{"shape", func(b *fixture) {
			b.heatmaps["svc-oak-img"] = guitest.PNG(b.t, heatmapOf(image.Pt(300, 300)))
			b.runes("2")
		}},
		{"failed", func(b *fixture) { b.fails["heatmap one svc-oak-img"] = os.ErrNotExist; b.runes("2") }},
	}
	for _, size := range []fyne.Size{{Width: 560, Height: 470}, {Width: 300, Height: 260}, {Width: 900, Height: 600}} {
		for _, mode := range []look.Mode{look.ModeLight, look.ModeDark} {
			for _, scene := range scenes {
				t.Run(fmt.Sprintf("%g-%s-%s", size.Width, scene.name, mode), func(t *testing.T) {
					i18ntest.FromEnvironment(t)
					b := setup(t, size)
					fyne.CurrentApp().Settings().SetTheme(look.New(mode))
					b.originals["one"] = filepath.Join("..", "..", "..", "testdata", "pictures", "mountains-spliced.jpg")
					b.heatmaps["svc-oak-img"] = guitest.PNG(t, heatmapOf(image.Pt(400, 266)))
					b.boxes = galleryBoxes
					b.Show(viewer("one", "svc-oak-img", "svc-a-model-with-a-very-long-name-indeed-img"))
					b.Until("the boxes are there", func() bool { return b.aggregation != nil })
					b.settle()
					scene.set(b)
					if scene.name == "broken" || scene.name == "gone" {
						b.Until("it is said", func() bool { return b.photoNotice.Visible() })
					} else if scene.name != "fetching" {
						b.settle()
					}
					b.window.Resize(size.AddWidthHeight(1, 1))
					b.window.Resize(size)
					if scene.name != "fetching" {
						b.settle()
					}
					guitest.Keep(t, b.window, fmt.Sprintf("%s-%g-%s", scene.name, size.Width, mode))
				})
			}
		}
	}
}
