package viewer

import (
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/nearly"
	"assay/gui/present"
)

func TestTwoVerdictsLeaveAClipsPictureItsRoom(t *testing.T) {
	c := samples(t)
	c.near = map[string][]present.Near{"press.mp4": nears("crop.png", nearly.Picture)}
	d := setup(t, c, fyne.NewSize(1072, 800)) // beside the results, in a window of 1280 × 800
	d.see("fake.jpg")
	d.WantTexts("strong indication")
	d.see("press.mp4")
	d.WantTexts("Nearly the same") // beside the name
	if height := d.pages.slot.Size().Height; height < 580 {
		t.Errorf("picture, player and lanes have %v", height)
	}
	d.see("fake.jpg")
	d.WantTexts("strong indication")
}

func TestACaseWithoutRoomForItsChipDoesNotWidenTheWindow(t *testing.T) {
	d := setup(t, samples(t), fyne.NewSize(340, 600)) // with large text
	d.see("fake.jpg")
	shown, title := d.shown, "Harbour statement, all of it"
	shown.Cases = []present.Case{{ID: "a", Title: title}, {ID: "b", Title: "Another"}}
	d.fill(shown)
	if least := d.Object().MinSize().Width; least > 340 {
		t.Errorf("the viewer is %v wide at least", least)
	}
	d.Resize(wideSize)
	d.WantTexts(shortened(title))
}
