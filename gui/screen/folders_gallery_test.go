package screen

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n/i18ntest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// TestFoldersGallery draws the screen as a person sees it. With ASSAY_GALLERY naming a folder, the pictures are kept there, to be
// looked at.
func TestFoldersGallery(t *testing.T) {
	if testing.Short() {
		t.Skip("painting takes long, and starts no goroutine")
	}
	keep := os.Getenv("ASSAY_GALLERY")
	card := func(set func(d *foldersDesk)) func(*foldersDesk) {
		return func(d *foldersDesk) {
			d.inside = manyFiles(1204, 1000)
			d.offered("/mnt/newsroom/agency/in")
			set(d)
		}
	}
	scenes := []struct {
		name string
		set  func(*foldersDesk)
	}{
		{"50", func(d *foldersDesk) { d.show(manyFolders(50)...); d.runes("jj") }},
		{"add", card(func(*foldersDesk) {})},
		{"empty", func(*foldersDesk) {}},
		{"one", func(d *foldersDesk) { d.show(manyFolders(2)[1]) }},
		{"100-end", func(d *foldersDesk) { d.show(manyFolders(100)...); d.keys(fyne.KeyEnd) }},
		{"removed", func(d *foldersDesk) {
			d.show(manyFolders(12)...)
			d.runes("jjj")
			d.keys(fyne.KeyDelete)
			d.idle()
			d.show(append(manyFolders(2), manyFolders(12)[3:]...)...)
		}},
		{"add-choose", card(func(d *foldersDesk) {
			d.card.inside.begin.Select(int(present.FolderChoose))
			d.card.inside.chooser.toggle(0)
			d.card.inside.chooser.toggle(2)
			d.card.choose(true)
		})},
		{"add-chosen", card(func(d *foldersDesk) {
			d.card.inside.begin.Select(int(present.FolderChoose))
			d.card.choose(true)
			d.card.inside.chooser.tickAll(true)
			d.card.choose(false)
		})},
		{"add-more", card(func(d *foldersDesk) {
			d.card.more.fold(false)
			d.card.more.only.SetText("*.jpg, [a-")
			d.card.more.move("/mnt/newsroom/agency/done")
			d.window.Canvas().Focus(d.card.gate)
			d.card.gate.Select(1)
		})},
		{"add-long-reason", card(func(d *foldersDesk) {
			d.card.more.fold(false)
			d.card.more.only.SetText("Agency/Incoming/Photographs of the day/*.jpg")
		})},
		{"add-longest-reason", card(func(d *foldersDesk) {
			d.card.more.fold(false)
			d.card.more.only.SetText(strings.Repeat("Agency/Incoming/Photographs of the day/", 20))
		})},
		{"add-counting", func(d *foldersDesk) {
			d.hold = make(chan struct{})
			d.Offer("/mnt/newsroom/agency/in")
		}},
		{"add-stopped", func(d *foldersDesk) {
			d.hold = make(chan struct{})
			d.Offer("/mnt/newsroom/agency/in")
			d.card.inside.stop()
			d.card.changed(false)
		}},
		{"add-nothing-inside", func(d *foldersDesk) { d.offered("/mnt/newsroom/agency/in") }},
		{"add-refused", func(d *foldersDesk) {
			d.unread = sentence("“/mnt/newsroom/agency/in” lies in “/mnt/newsroom”, which is watched with its subfolders. Choose another folder, or watch that one without them.")
			d.offered("/mnt/newsroom/agency/in")
		}},
		{"add-failed", card(func(d *foldersDesk) {
			d.failing = sentence("“/mnt/newsroom/agency/done” is on another disk than the watched folder. Choose a folder on the same one.")
			d.card.kinds[0].Tapped(nil)
			d.card.done()
			d.idle()
		})},
		{"change", func(d *foldersDesk) {
			d.show(manyFolders(12)...)
			d.keys(fyne.KeyEnd, fyne.KeyUp, fyne.KeyUp, fyne.KeyUp, fyne.KeyReturn)
		}},
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
					name := fmt.Sprintf("folders-%s-%s-%gx%g@%g", scene.name, mode, size.Width, size.Height, scale)
					t.Run(name, func(t *testing.T) {
						i18ntest.FromEnvironment(t)
						d := newFoldersDesk(t, size)
						fyne.CurrentApp().Settings().SetTheme(look.New(mode))
						d.window.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
						rail := kit.NewRail([]kit.RailItem{{Label: "Inbox", Icon: look.IconInbox}, {Label: "Results", Icon: look.IconResults},
							{Label: "Folders", Icon: look.IconFolders}}, func(int) {})
						rail.Select(2)
						d.window.SetContent(container.NewStack(kit.NewGround(look.ColorBackground),
							container.NewBorder(nil, nil, rail, nil, d.Object())))
						d.window.Resize(size)
						scene.set(d)
						d.window.Resize(size.AddWidthHeight(1, 1))
						d.window.Resize(size)
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
