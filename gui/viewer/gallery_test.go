package viewer

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/i18n/i18ntest"
	"assay/gui/look"
)

// TestGallery paints the viewer round empty panes into the folder that ASSAY_GALLERY names: to be looked at.
func TestGallery(t *testing.T) {
	dir := os.Getenv("ASSAY_GALLERY")
	if dir == "" {
		t.Skip("ASSAY_GALLERY names no folder")
	}
	for _, theme := range []struct {
		name string
		mode look.Mode
	}{{"light", look.ModeLight}, {"dark", look.ModeDark}} {
		for _, id := range []string{"fake.jpg", "half.jpg", "press.mp4", "odd.bin"} {
			for name, size := range map[string]fyne.Size{"wide": wideSize, "narrow": narrowSize} {
				t.Run(id+" "+name+" "+theme.name, func(t *testing.T) {
					i18ntest.FromEnvironment(t)
					d := setup(t, files(t), size)
					fyne.CurrentApp().Settings().SetTheme(look.New(theme.mode))
					d.see(id)
					if id == "press.mp4" {
						d.pump("its sound is there", func() bool { return d.cards.side.card.Visible() })
					}
					file, err := os.Create(filepath.Join(dir, "viewer-"+id+"-"+name+"-"+theme.name+".png"))
					if err != nil {
						t.Fatal(err)
					}
					defer file.Close() //nolint:errcheck // it is only looked at
					if err := png.Encode(file, d.window.Canvas().Capture()); err != nil {
						t.Fatal(err)
					}
				})
			}
		}
	}
}
