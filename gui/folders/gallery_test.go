package folders

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/screens"
)

// TestFoldersGallery draws the screen as a person sees it.
func TestFoldersGallery(t *testing.T) {
	card := func(set func(d *fixture)) func(*fixture) {
		return func(d *fixture) {
			d.inside = manyFiles(1204, 1000)
			d.offered("/mnt/newsroom/agency/in")
			set(d)
		}
	}
	guitest.Gallery(t, "folders", 2, []look.Mode{look.ModeLight, look.ModeDark}, []float32{1, 2}, []guitest.Scene[*fixture]{
		{Name: "50", Set: func(d *fixture) { d.show(manyFolders(50)...); d.Type("jj") }},
		{Name: "add", Set: card(func(*fixture) {})},
		{Name: "empty", Set: func(*fixture) {}},
		{Name: "one", Set: func(d *fixture) { d.show(manyFolders(2)[1]) }},
		{Name: "100-end", Set: func(d *fixture) { d.show(manyFolders(100)...); d.Press(fyne.KeyEnd) }},
		{Name: "removed", Set: func(d *fixture) {
			d.show(manyFolders(12)...)
			d.Type("jjj")
			d.Press(fyne.KeyDelete)
			d.idle()
			d.show(append(manyFolders(2), manyFolders(12)[3:]...)...)
		}},
		{Name: "add-choose", Set: card(func(d *fixture) {
			d.card.inside.begin.Select(int(Choose))
			d.card.inside.chooser.toggle(0)
			d.card.inside.chooser.toggle(2)
			d.card.choose(true)
		})},
		{Name: "add-chosen", Set: card(func(d *fixture) {
			d.card.inside.begin.Select(int(Choose))
			d.card.choose(true)
			d.card.inside.chooser.tickAll(true)
			d.card.choose(false)
		})},
		{Name: "add-more", Set: card(func(d *fixture) {
			d.card.more.fold(false)
			d.card.more.only.SetText("*.jpg, [a-")
			d.card.more.move("/mnt/newsroom/agency/done")
			d.Canvas().Focus(d.card.gate)
			d.card.gate.Select(1)
		})},
		{Name: "add-long-reason", Set: card(func(d *fixture) {
			d.card.more.fold(false)
			d.card.more.only.SetText("Agency/Incoming/Photographs of the day/*.jpg")
		})},
		{Name: "add-longest-reason", Set: card(func(d *fixture) {
			d.card.more.fold(false)
			d.card.more.only.SetText(strings.Repeat("Agency/Incoming/Photographs of the day/", 20))
		})},
		{Name: "add-counting", Set: func(d *fixture) {
			d.Hold = make(chan struct{})
			d.Offer("/mnt/newsroom/agency/in")
		}},
		{Name: "add-stopped", Set: func(d *fixture) {
			d.Hold = make(chan struct{})
			d.Offer("/mnt/newsroom/agency/in")
			d.card.inside.stop()
			d.card.changed(false)
		}},
		{Name: "add-nothing-inside", Set: func(d *fixture) { d.offered("/mnt/newsroom/agency/in") }},
		{Name: "add-refused", Set: func(d *fixture) {
			d.Fail("look", guitest.Sentence("“/mnt/newsroom/agency/in” lies in “/mnt/newsroom”, which is watched with its subfolders. Choose another folder, or watch that one without them."))
			d.offered("/mnt/newsroom/agency/in")
		}},
		{Name: "add-failed", Set: card(func(d *fixture) {
			d.Fail("add", guitest.Sentence("“/mnt/newsroom/agency/done” is on another disk than the watched folder. Choose a folder on the same one."))
			d.card.kinds[0].Tapped(nil)
			d.card.done()
			d.idle()
		})},
		{Name: "change", Set: func(d *fixture) {
			d.show(manyFolders(12)...)
			d.Press(fyne.KeyEnd, fyne.KeyUp, fyne.KeyUp, fyne.KeyUp, fyne.KeyReturn)
		}},
	}, func(t *testing.T, set func(*fixture), mode look.Mode, size fyne.Size, scale float32) *guitest.Frame {
		i18ntest.FromEnvironment(t)
		d := setup(t, size)
		d.SetMode(mode)
		d.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
		content, _ := guitest.WithRail(d.Object(), screens.Folders)
		d.SetContent(content)
		d.Resize(size)
		set(d)
		return d.Frame
	})
}

// TestFoldersAreTranslated shows the screen in the pseudo language, in which a word that was forgotten stands out.
func TestFoldersAreTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and starts no goroutine that matters")
	}
	i18ntest.Pseudo(t)
	d := setup(t, guitest.Smallest)
	guitest.CheckTranslated(t, d.empty)
	guitest.CheckShortcutsTranslated(t, d.Shortcuts())
	d.inside = manyFiles(2, 0)
	d.offered("/1")
	d.card.more.fold(false)
	d.card.more.move("/2")
	never := []string{"tmp", "temp", "partial", "part", "crdownload", "opdownload", "download", "thumbs.db", "desktop.ini"}
	guitest.CheckTranslated(t, d.card.root, never...)
}
