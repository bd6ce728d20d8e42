package compare_test

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
	"assay/gui/look"
)

// TestGallery draws the screen as a person sees it. With ASSAY_GALLERY naming a folder, the pictures are kept there, to be looked at.
func TestGallery(t *testing.T) {
	if guitest.GalleryFolder() == "" {
		t.Skip("what it draws is tested by its words elsewhere; ASSAY_GALLERY names a folder for the pictures")
	}
	for _, size := range []fyne.Size{{Width: 1208, Height: 800}, {Width: 828, Height: 600}, {Width: 548, Height: 400}, {Width: 398, Height: 300}, {Width: 2488, Height: 1440}} {
		for _, mode := range []look.Mode{look.ModeLight, look.ModeDark} {
			for _, scene := range []struct{ name, second, keys string }{{"swipe", "later", ""}, {"side", "later", "3"}, {"near", "other", ""}} {
				t.Run(fmt.Sprintf("%g-%s-%s", size.Width, scene.name, mode), func(t *testing.T) {
					i18ntest.FromEnvironment(t)
					f := setup(t, mode, size)
					f.unseen = true
					f.compare("earlier", scene.second)
					f.pictures(t)
					for _, r := range scene.keys {
						f.screen.TypedRune(r)
					}
					f.pictures(t)
					f.Picture(fmt.Sprintf("compare-%s-%g-%s", scene.name, size.Width, mode), size)
				})
			}
		}
	}
}
