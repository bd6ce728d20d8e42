package viewer

import (
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/gui/present"
)

var (
	escape   = &fyne.KeyEvent{Name: fyne.KeyEscape}
	fullSize = fyne.NewSize(1280, 800)
)

func TestAMediumFillsTheWindow(t *testing.T) {
	d := setup(t, samples(t), fullSize)
	d.see("fake.jpg")
	assert.True(t, d.TypedRune('f'), "F does something")
	d.WantTexts("What works fake.jpg", "Likely manipulated or AI-generated", "fake.jpg", "Leave")
	d.WantWords("88 of 100 · 0 no indication, 100 strong indication")
	d.WantNoWords("Models", "History")
	assert.Equal(t, fullSize, d.picture.root.Size())

	assert.True(t, d.TypedRune('o') && d.picture.typed == "o", "a key of the picture works")
	assert.True(t, !d.TypedRune('q') && !d.TypedRune('p') && d.bar.typed == "", "keys of what is out of sight do nothing")

	assert.True(t, d.TypedKey(escape), "Esc goes back")
	d.WantWords("Models", "History")
	d.WantNoWords("What works")
	assert.True(t, !d.picture.full && d.picture.root.Size().Width < fullSize.Width && d.picture.root.Size().Height > 200, "the picture is told, and stands in its place again")
}

func TestWhatStandsOverAFullMediumHidesWhileThePointerRests(t *testing.T) {
	d := setup(t, samples(t), fullSize)
	d.see("fake.jpg")
	d.ToggleFull()
	d.WantWords("Likely manipulated")
	d.rested()
	d.WantNoWords("Likely manipulated", "What works")

	d.picture.over(true)
	d.WantWords("Likely manipulated", "What works")
	d.picture.over(false) // the pointer is at the tools
	d.rested()
	d.WantWords("Likely manipulated", "What works")
	d.picture.over(true)
	d.rested()
	d.WantNoWords("Likely manipulated")
	d.TypedRune('o')
	d.WantWords("Likely manipulated")
}

func TestAnotherResultInAFullWindow(t *testing.T) {
	d := setup(t, samples(t), fullSize)
	d.see("fake.jpg")
	d.ToggleFull()
	d.source.hold = make(chan struct{})
	d.Show("other.jpg")
	d.WantNoWords("Likely manipulated", "What works") // nothing of the one before
	close(d.source.hold)
	d.UntilWords("No sign of manipulation")
	d.WantTexts("other.jpg")

	d.see("mute.mp4")
	assert.True(t, d.Full() && d.clip.full && !d.picture.full, "a clip fills it too")
	d.see("odd.bin")
	assert.True(t, !d.Full() && !d.clip.full, "a medium that can't ends it")
	d.WantWords("Models")

	d.see("fake.jpg")
	d.ToggleFull()
	d.Leave()
	assert.True(t, !d.Full(), "another screen ends it")
	d.see("fake.jpg")
	d.ToggleFull()
	d.Show("")
	assert.True(t, !d.Full(), "so does an empty list")
}

func TestAFullMediumStaysCovered(t *testing.T) {
	d := setup(t, samples(t), fullSize)
	d.SetPreview(present.CarefulAll)
	d.see("fake.jpg")
	d.ToggleFull()
	assert.Equal(t, present.PreviewBlurred, d.picture.preview)
	d.Uncover(present.PreviewPlain)
	assert.Equal(t, present.PreviewPlain, d.picture.preview)
	d.Leave()
	assert.Equal(t, present.PreviewBlurred, d.picture.preview)
}
