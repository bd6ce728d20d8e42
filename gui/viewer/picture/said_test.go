package picture

import (
	"image"
	"os"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/i18n/i18ntest"
	"assay/gui/wordstest"
)

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	b := newBench(t, fyne.NewSize(900, 600))
	said := func() {
		t.Helper()
		texts := wordstest.Texts(b.Object())
		texts = append(texts, b.stage.caption.lines...)
		texts = append(texts, b.stage.status.lines...)
		texts = append(texts, b.stage.leftName.lines...)
		texts = append(texts, b.stage.rightName.lines...)
		texts = append(texts, b.stage.words.lines...)
		texts = append(texts, b.stage.name, b.description())
		wordstest.CheckTexts(t, append(texts, b.notices()...), "svc-oak-img", "svc-elm-img", "ARTIFICIAL", "AUTHENTIC", "bboxes", "one.jpg", "two.jpg", "three.jpg")
	}
	b.boxes = galleryBoxes
	b.picture("one", pngOf(t, scene(image.Pt(160, 106))))
	b.heatmaps["svc-oak-img"] = pngOf(t, heatmapOf(image.Pt(160, 106)))
	b.Show(viewer("one", "svc-oak-img"))
	said()
	b.pump("the boxes are there", func() bool { return b.aggregation != nil })
	b.settle()
	said()
	b.stage.boxes.next()
	for _, keys := range []string{"2b", "3", "4", "5", "gb", "g"} {
		b.runes(keys)
		said()
	}
	for _, item := range b.moreItems() {
		wordstest.CheckTexts(t, []string{item.Label})
	}
	wordstest.CheckTexts(t, b.legend(), "one.jpg", "svc-oak-img", "svc-elm-img", "ARTIFICIAL", "AUTHENTIC")
	another := pngOf(t, heatmapOf(image.Pt(300, 300)))
	b.change(func() { b.heatmaps["svc-oak-img"] = another })
	b.picture("two", pngOf(t, scene(image.Pt(160, 106))))
	b.Show(viewer("two", "svc-oak-img"))
	b.runes("2")
	said()
	b.Show(viewer("three"))
	b.pump("it is not there", func() bool { return b.photoNotice.Visible() })
	said()
	b.change(func() { b.fails["heatmap two svc-oak-img"] = os.ErrNotExist })
	b.Show(viewer("two", "svc-oak-img"))
	b.runes("2")
	said()
	for _, s := range b.Shortcuts() {
		wordstest.CheckTexts(t, []string{s.Keys, s.Does})
	}
}
