package screen

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/intake"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// TestInboxGallery draws the inbox as a person sees it. With ASSAY_GALLERY naming a folder, the pictures are kept there, to be
// looked at.
func TestInboxGallery(t *testing.T) {
	if testing.Short() {
		t.Skip("painting takes long, and starts no goroutine")
	}
	keep := os.Getenv("ASSAY_GALLERY")
	scenes := []struct {
		name string
		set  func(*inboxDesk)
	}{
		{"50", func(*inboxDesk) {}},
		{"selected", func(d *inboxDesk) { d.key(fyne.KeyDown, fyne.KeyDown); d.runes("xjx"); d.key(fyne.KeyDown) }},
		{"all-selected", func(d *inboxDesk) { d.SelectAll() }},
		{"held-one", func(d *inboxDesk) { d.show(append(heldFiles(1), everyState(t, 18)...)...) }},
		{"held-fifty", func(d *inboxDesk) { d.show(heldFiles(50)...) }},
		{"held-mixed", func(d *inboxDesk) { d.table.ScrollTo(23) }},
		{"notices", func(d *inboxDesk) {
			d.stands = intake.QueueStatus{Cause: intake.NoKey, Reason: "The service did not accept the key. Set another one with “assay key set”."}
			d.show(d.all...)
			d.Say("12 files taken; 3 skipped: hidden or of a type that is not supported.")
		}},
		{"urgent", func(d *inboxDesk) { d.filters.order.Select(1); d.table.ScrollTo(9) }},
		{"nothing", func(d *inboxDesk) { d.filters.search.SetText("harbor") }},
		{"empty", func(d *inboxDesk) { d.show() }},
	}
	if keep == "" {
		scenes = scenes[:2] // the others have tests of their own, by fields
	}
	for _, scene := range scenes {
		for _, mode := range []look.Mode{look.ModeLight, look.ModeDark} {
			for _, size := range []fyne.Size{fyne.NewSize(900, 600), fyne.NewSize(1280, 800)} {
				for _, scale := range []float32{1, 2} {
					if keep == "" && scale == 2 {
						continue
					}
					name := fmt.Sprintf("inbox-%s-%s-%gx%g@%g", scene.name, mode, size.Width, size.Height, scale)
					t.Run(name, func(t *testing.T) {
						d := newInboxDesk(t, size)
						fyne.CurrentApp().Settings().SetTheme(look.New(mode))
						d.window.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
						rail := kit.NewRail([]kit.RailItem{{Label: "Inbox", Icon: look.IconInbox}, {Label: "Results", Icon: look.IconResults}}, func(int) {})
						d.window.SetContent(container.NewStack(kit.NewGround(look.ColorBackground),
							container.NewBorder(nil, nil, rail, nil, d.Object())))
						d.show(everyState(t, 50)...)
						scene.set(d)
						rail.SetBadge(0, d.overallNow().Active)
						d.window.Resize(size.AddWidthHeight(1, 1))
						d.window.Resize(size)
						d.pump("thumbnails are there", func() bool {
							row := d.table.shown["1/mountains.jpg"]
							return row == nil || d.Thumbs.Get("1/mountains.jpg", present.Picture, row.row.Watched()) != nil
						})
						picture := d.window.Canvas().Capture()
						if picture.Bounds().Dx() != int(size.Width*scale) {
							t.Errorf("the window is %v", picture.Bounds())
						}
						if keep == "" {
							return
						}
						file, err := os.Create(filepath.Join(keep, name+".png"))
						if err != nil {
							t.Fatal(err)
						}
						if err := png.Encode(file, picture); err != nil {
							t.Fatal(err)
						}
						if err := file.Close(); err != nil {
							t.Fatal(err)
						}
					})
				}
			}
		}
	}
}
