package kit_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// TestGalleryDrawsEveryScene renders the parts as screens, in all palettes and at two scales, and looks for blank pictures.
// With ASSAY_GALLERY naming a folder, the pictures are kept there, to be looked at.
func TestGalleryDrawsEveryScene(t *testing.T) {
	if testing.Short() {
		t.Skip("painting takes long, and starts no goroutine")
	}
	keep := os.Getenv("ASSAY_GALLERY")
	scenes := map[string]func() fyne.CanvasObject{
		"inbox": inboxScene, "inbox-empty": emptyInboxScene, "viewer": viewerScene, "kit": kitScene,
	}
	app := test.NewTempApp(t)
	for name, scene := range scenes {
		for _, mode := range []look.Mode{look.ModeLight, look.ModeDark, look.ModeHighContrast} {
			for _, scale := range []float32{1, 2} {
				t.Run(fmt.Sprintf("%s-%s-%gx", name, mode, scale), func(t *testing.T) {
					app.Settings().SetTheme(look.New(mode))
					got := render(t, scene(), fyne.NewSize(1280, 800), scale)
					if want := image.Pt(int(1280*scale), int(800*scale)); got.Bounds().Size() != want {
						t.Fatalf("size %v, want %v", got.Bounds().Size(), want)
					}
					if n := colours(got); n < 100 {
						t.Errorf("%d colours: too few for a drawn screen", n)
					}
					if keep != "" {
						save(t, filepath.Join(keep, fmt.Sprintf("%s-%s-%gx.png", name, mode, scale)), got)
					}
				})
			}
		}
	}
}

func render(t *testing.T, content fyne.CanvasObject, size fyne.Size, scale float32) image.Image {
	t.Helper()
	window := test.NewTempWindow(t, nil)
	window.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
	window.SetPadded(false)
	window.SetContent(content)
	window.Resize(size.AddWidthHeight(1, 1))
	// Again: heights of wrapping texts follow from the widths of the first pass, as the window's own passes do it.
	window.Resize(size)
	return window.Canvas().Capture()
}

func colours(img image.Image) int {
	seen := map[color.Color]bool{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}

func save(t *testing.T, path string, img image.Image) {
	t.Helper()
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, encoded.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
