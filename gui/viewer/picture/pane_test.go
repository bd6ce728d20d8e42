package picture

import (
	"image"
	"image/color"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/i18n/i18ntest"
	"assay/client/plain"
	"assay/gui/guitest"
	"assay/gui/present"
)

var paneSize = fyne.NewSize(560, 470)

func TestHeatmapsAreOffUntilTheyAreAskedFor(t *testing.T) {
	b := setup(t, paneSize)
	b.open(image.Pt(400, 300))
	if photo, heatmap := b.layers(); photo == nil || heatmap != nil || b.stage.mode != Original {
		t.Errorf("photo %v, heatmap %v, mode %v", photo != nil, heatmap != nil, b.stage.mode)
	}
	if calls := b.calls("heatmap"); calls != nil {
		t.Errorf("fetched unasked: %v", calls)
	}
	b.runes("o")
	photo, heatmap := b.layers()
	if heatmap == nil || photo.Size() != heatmap.Size() || photo.Image.Bounds() != heatmap.Image.Bounds() {
		t.Fatal("the heatmap does not lie on the photo")
	}
	if b.caption.Text() != present.HeatmapNote(plain.From("svc-oak-img")) {
		t.Errorf("caption %q", b.caption.Text())
	}
	b.runes("o")
	if _, heatmap := b.layers(); heatmap != nil || b.caption.Text() != "" {
		t.Error("the heatmap can't be switched off")
	}
}

func TestOnlyUsableHeatmapsAreAskedFor(t *testing.T) {
	t.Run("A2 the models' that are listed, once they are chosen, and no other's", func(t *testing.T) {
		b := setup(t, paneSize)
		b.picture("one", guitest.PNG(t, scene(image.Pt(40, 30))))
		for _, model := range []string{"svc-oak-img", "svc-elm-img", "svc-pine-img", "svc-img-ensemble"} {
			b.heatmaps[model] = guitest.PNG(t, heatmapOf(image.Pt(40, 30)))
		}
		v := viewer("one", "svc-oak-img", "svc-elm-img")
		v.Bars = []present.Bar{{Name: "svc-img-ensemble", Ensemble: true}, {Name: "svc-oak-img"}, {Name: "svc-elm-img"}, {Name: "svc-pine-img"}}
		b.Show(v)
		b.settle()
		b.runes("2345")
		b.chooseModel("svc-pine-img")
		b.settle()
		b.chooseModel("svc-img-ensemble")
		b.settle()
		b.chooseModel("svc-elm-img")
		b.settle()
		b.runes("12")
		assert.Equal(t, []string{"heatmap one svc-oak-img", "heatmap one svc-elm-img"}, b.calls("heatmap"))
		assert.Equal(t, []string{"svc-oak-img", "svc-elm-img"}, b.tools.models.Options())
	})
	t.Run("A2 without a usable one, none is asked for and none is offered", func(t *testing.T) {
		b := setup(t, paneSize)
		b.picture("one", guitest.PNG(t, scene(image.Pt(40, 30))))
		b.Show(viewer("one"))
		b.settle()
		b.runes("o2345")
		if b.stage.mode != Original || b.calls("heatmap") != nil || !b.tools.without.Visible() || b.tools.choice.Visible() {
			t.Errorf("mode %v, fetched %v", b.stage.mode, b.calls("heatmap"))
		}
	})
}

func TestOpacityHasTrueEnds(t *testing.T) {
	b := setup(t, paneSize)
	b.open(image.Pt(400, 300))
	alone := b.window.Canvas().Capture()
	b.runes("2")
	b.setOpacity(0)
	if diff := differing(alone, b.window.Canvas().Capture(), b.stage); diff > 0 {
		t.Errorf("at 0 %% something of the heatmap is left, in %d pixels", diff)
	}
	_, heatmap := b.layers()
	pixels := heatmap.Image
	if heatmap.Translucency != 1 {
		t.Errorf("translucency %v", heatmap.Translucency)
	}
	b.runes("]]]]]]]]]]]]")
	if b.opacity() != 100 || heatmap.Translucency != 0 || b.tools.percent.Text() != "100 %" {
		t.Errorf("%d %%, translucency %v", b.opacity(), heatmap.Translucency)
	}
	if heatmap.Image != pixels {
		t.Error("a change of opacity made new pixels")
	}
	middle := heatmap.Image.Bounds().Size().Div(2)
	if got := pixel(heatmap, middle.X, middle.Y); got.A < 215 || got.R != got.G || got.G != got.B || got.R < 210 {
		t.Errorf("the heatmap is not as it was sent: %v", got)
	}
	b.tools.opacity.Tapped(&fyne.PointEvent{Position: fyne.NewPos(-5, 5)})
	if b.opacity() != 0 {
		t.Errorf("the slider's lower end: %d %%", b.opacity())
	}
}

// differing counts the pixels in which two pictures of the window differ where the stage is.
func differing(a, b image.Image, s *stage) (n int) {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s)
	for y := int(at.Y); y < int(at.Y+s.Size().Height); y++ {
		for x := int(at.X); x < int(at.X+s.Size().Width); x++ {
			if color.NRGBAModel.Convert(a.At(x, y)) != color.NRGBAModel.Convert(b.At(x, y)) {
				n++
			}
		}
	}
	return n
}

func TestAnotherResult(t *testing.T) {
	t.Run("ends what is under way and shows nothing of the one before", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(40, 30))
		b.change(func() { b.hold["heatmap one svc-oak-img"] = make(chan struct{}) })
		b.TypedRune('2')
		b.Until("the heatmap is being fetched", func() bool { return len(b.calls("heatmap")) == 1 })
		if b.stage.status.lines == nil {
			t.Error("nobody says that it is being fetched")
		}
		b.picture("two", guitest.PNG(t, plainPicture(image.Pt(30, 40), color.White)))
		b.Show(viewer("two", "svc-oak-img"))
		if photo, _ := b.layers(); photo != nil || b.stage.mode != Original || b.caption.Text() != "" {
			t.Error("the one before is still there")
		}
		b.settle()
		b.Until("the fetching has ended", func() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.ended == 1 })
		if photo, heatmap := b.layers(); heatmap != nil || pixel(photo, 5, 5) != (color.RGBA{255, 255, 255, 255}) {
			t.Error("the wrong picture")
		}
	})
	t.Run("the same one again keeps what is shown", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(40, 30))
		b.runes("2")
		b.stage.zoom(16)
		b.settle()
		photo, _ := b.layers()
		shown := photo.Image
		v := viewer("one", "svc-oak-img")
		v.Note = "new words"
		b.Show(v)
		if photo, heatmap := b.layers(); heatmap == nil || photo.Image != shown || len(b.calls("original")) != 1 {
			t.Error("it was loaded again")
		}
	})
	t.Run("the same one with more heatmaps offers them", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(40, 30))
		b.runes("2")
		b.Show(viewer("one", "svc-elm-img", "svc-oak-img"))
		b.settle()
		if b.model().String() != "svc-oak-img" || len(b.tools.models.Options()) != 2 || len(b.calls("heatmap")) != 1 {
			t.Errorf("%q of %v", b.model(), b.tools.models.Options())
		}
	})
	t.Run("Clear lets go of all pixels", func(t *testing.T) {
		b := setup(t, paneSize)
		b.open(image.Pt(40, 30))
		b.runes("5")
		b.Clear()
		s := b.stage
		if s.photo != nil || s.near != nil || s.full != nil || s.heatmap != nil || s.lower.image.Image != nil || s.upper.image.Image != nil || s.twin.image.Image != nil {
			t.Error("something is kept")
		}
		if b.tools.object.Visible() {
			t.Error("tools for nothing")
		}
	})
}

func TestDifferingShapesStandSideBySide(t *testing.T) {
	b := setup(t, paneSize)
	b.picture("one", guitest.PNG(t, scene(image.Pt(400, 300))))
	b.heatmaps["square"] = guitest.PNG(t, heatmapOf(image.Pt(300, 300)))
	b.heatmaps["small"] = guitest.PNG(t, heatmapOf(image.Pt(40, 30)))
	b.Show(viewer("one", "square", "small"))
	b.settle()
	b.runes("2")
	if b.stage.mode != SideBySide || len(b.notices()) != 1 || !strings.Contains(b.notices()[0], "more than 1 %") {
		t.Fatalf("mode %v, %v", b.stage.mode, b.notices())
	}
	for _, key := range "234" {
		b.runes(string(key))
		if b.stage.mode != SideBySide {
			t.Errorf("key %q lays it over the photo", key)
		}
	}
	photo, heatmap := b.layers()
	if heatmap.Translucency != 0 || heatmap.Size().Width != heatmap.Size().Height {
		t.Errorf("the heatmap is faded or stretched: %v", heatmap.Size())
	}
	if photo.Size().Width <= photo.Size().Height {
		t.Errorf("the photo is stretched: %v", photo.Size())
	}
	if b.canSave() {
		t.Error("it would be saved over the wrong places")
	}
	b.chooseModel("small")
	b.settle()
	b.runes("2")
	if b.stage.mode != Overlay || len(b.notices()) != 0 {
		t.Errorf("the one of the same shape: mode %v, %v", b.stage.mode, b.notices())
	}
}

func TestOrientationTurnsBothLayers(t *testing.T) {
	b := setup(t, paneSize)
	b.originals["one"] = "../../../testdata/pictures/dogs-portrait.jpg" // stored as 1202 × 800, to be turned to the right
	stored := image.NewNRGBA(image.Rect(0, 0, 1202, 800))
	stored.SetNRGBA(0, 0, color.NRGBA{255, 0, 0, 255})
	for x := range 600 {
		for y := range 400 {
			stored.SetNRGBA(x, y, color.NRGBA{255, 0, 0, 255}) // upper left as stored is upper right once it is upright
		}
	}
	b.heatmaps["svc-oak-img"] = guitest.PNG(t, stored)
	b.boxes = `{"image":{"width":1202,"height":800},"bboxes":[{"bbox":{"top_left":{"x":0,"y":0},"top_right":{"x":601,"y":0},"bottom_right":{"x":601,"y":400},"bottom_left":{"x":0,"y":400}}}]}`
	b.Show(viewer("one", "svc-oak-img"))
	b.Until("the boxes are there", func() bool { return b.aggregation != nil })
	b.settle()
	b.runes("2b")
	photo, heatmap := b.layers()
	size := heatmap.Image.Bounds().Size()
	if photo.Image.Bounds().Size() != size || size.X >= size.Y {
		t.Fatalf("%v and %v", photo.Image.Bounds().Size(), size)
	}
	if pixel(heatmap, 3*size.X/4, size.Y/4).R != 255 || pixel(heatmap, size.X/4, size.Y/4).A != 0 || pixel(heatmap, 3*size.X/4, 3*size.Y/4).A != 0 {
		t.Error("the heatmap is not turned as the photo is")
	}
	v, _ := b.stage.views()
	whole := b.stage.place(v)
	middle := spot{whole.left + 0.75*whole.width, whole.top + 0.25*whole.height}
	if b.stage.boxes.under(middle) != 0 || b.stage.boxes.under(spot{whole.left + 0.25*whole.width, middle.Y}) != -1 {
		t.Error("the box is not turned as the photo is")
	}
}

func TestNothingWaitsOnTheUIThread(t *testing.T) {
	b := setup(t, paneSize)
	for _, call := range []string{"original one", "aggregation one", "heatmap one svc-oak-img"} {
		b.hold[call] = make(chan struct{})
	}
	b.Show(viewer("one", "svc-oak-img")) // these return, or the test hangs
	b.TypedRune('2')
	b.stage.zoom(4)
	b.SetPreview(present.PreviewBlurred)
	b.Clear()
	b.Until("all calls have ended", func() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.ended == len(b.asked) })
}

func TestEverythingIsReachedByTab(t *testing.T) {
	b := setup(t, fyne.NewSize(1000, 500))
	b.boxes = `{"bboxes":[{"bbox":{"top_left":{"x":1,"y":1},"top_right":{"x":9,"y":1},"bottom_right":{"x":9,"y":9},"bottom_left":{"x":1,"y":9}}}]}`
	b.open(image.Pt(40, 30))
	b.Until("the boxes are there", func() bool { return len(b.stage.boxes.marks) == 1 })
	b.runes("3")
	seen := map[fyne.Focusable]bool{}
	for range 30 {
		b.window.Canvas().FocusNext()
		seen[b.window.Canvas().Focused()] = true
	}
	for name, want := range map[string]fyne.Focusable{
		"modes": b.tools.modes, "model": b.tools.models, "opacity": b.tools.opacity, "zoom": b.tools.zoom, "boxes": b.tools.boxes,
		"more": b.tools.more, "picture": b.stage, "divider": b.stage.divider,
	} {
		if !seen[want] {
			t.Errorf("%s is not reached", name)
		}
	}
	b.window.Canvas().Focus(b.stage)
	if !b.stage.ring.Visible() {
		t.Error("the picture's focus is not to be seen")
	}
}

func TestNarrowPanesOfferTheModesInAMenu(t *testing.T) {
	b := setup(t, fyne.NewSize(300, 260))
	b.open(image.Pt(40, 30))
	if b.tools.modes.Visible() || !b.tools.fewModes.Visible() {
		t.Fatal("the row of modes is wider than the pane")
	}
	if width := b.Object().MinSize().Width; width > 300 {
		t.Errorf("asks for %v", width)
	}
	b.tools.fewModes.Select(2)
	b.settle()
	if b.stage.mode != Swipe {
		t.Errorf("mode %v", b.stage.mode)
	}
	b.runes("5")
	if b.tools.fewModes.Options()[b.tools.fewModes.Selected()] != "Side by side" {
		t.Error("the menu does not follow")
	}
	b.window.Resize(fyne.NewSize(800, 500))
	if !b.tools.modes.Visible() || b.tools.fewModes.Visible() || b.tools.modes.Selected() != int(SideBySide) {
		t.Error("the row does not come back")
	}
}

// TestEverythingIsTranslated shows the pane in the pseudo language, in which a word that was forgotten stands out.
func TestEverythingIsTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it only builds what it reads")
	}
	i18ntest.Pseudo(t)
	b := setup(t, fyne.NewSize(900, 600))
	said := func() {
		t.Helper()
		texts := guitest.Texts(b.Object())
		texts = append(texts, b.caption.Text())
		texts = append(texts, b.stage.status.lines...)
		texts = append(texts, b.stage.leftName.lines...)
		texts = append(texts, b.stage.rightName.lines...)
		texts = append(texts, b.stage.words.lines...)
		texts = append(texts, b.stage.name, b.description())
		guitest.CheckTextsTranslated(t, append(texts, b.notices()...), "svc-oak-img", "svc-elm-img", "ARTIFICIAL", "AUTHENTIC", "bboxes", "one.jpg", "two.jpg", "three.jpg")
	}
	b.boxes = galleryBoxes
	b.picture("one", guitest.PNG(t, scene(image.Pt(160, 106))))
	b.heatmaps["svc-oak-img"] = guitest.PNG(t, heatmapOf(image.Pt(160, 106)))
	b.Show(viewer("one", "svc-oak-img"))
	said()
	b.Until("the boxes are there", func() bool { return b.aggregation != nil })
	b.settle()
	said()
	b.stage.boxes.next()
	for _, keys := range []string{"2b", "3", "4", "5", "gb", "g"} {
		b.runes(keys)
		said()
	}
	for _, item := range b.moreItems() {
		guitest.CheckTextsTranslated(t, []string{item.Label})
	}
	guitest.CheckTextsTranslated(t, b.legend(), "one.jpg", "svc-oak-img", "svc-elm-img", "ARTIFICIAL", "AUTHENTIC")
	another := guitest.PNG(t, heatmapOf(image.Pt(300, 300)))
	b.change(func() { b.heatmaps["svc-oak-img"] = another })
	b.picture("two", guitest.PNG(t, scene(image.Pt(160, 106))))
	b.Show(viewer("two", "svc-oak-img"))
	b.runes("2")
	said()
	b.Show(viewer("three"))
	b.Until("it is not there", func() bool { return b.photoNotice.Visible() })
	said()
	b.change(func() { b.fails["heatmap two svc-oak-img"] = os.ErrNotExist })
	b.Show(viewer("two", "svc-oak-img"))
	b.runes("2")
	said()
	for _, s := range b.Shortcuts() {
		guitest.CheckTextsTranslated(t, []string{s.Keys, s.Does})
	}
}

func TestACaptionNeverStandsBeforeItsHeatmap(t *testing.T) {
	b := setup(t, paneSize)
	b.open(image.Pt(400, 300))
	b.change(func() { b.heatmaps["svc-elm-img"] = b.heatmaps["svc-oak-img"] })
	b.Show(viewer("one", "svc-oak-img", "svc-elm-img"))
	// shown waits for the heatmap of a model, and looks after every step at what can be seen.
	shown := func(model string) {
		t.Helper()
		b.Until("it is said what the heatmap of "+model+" means", func() bool {
			_, heatmap := b.layers()
			if said := b.caption.Text(); said != "" && heatmap == nil {
				t.Errorf("%q stands without a heatmap", said)
			}
			return b.caption.Text() == present.HeatmapNote(plain.From(model))
		})
	}
	b.TypedRune('2')
	shown("svc-oak-img")
	b.chooseModel("svc-elm-img")
	shown("svc-elm-img")
	b.SetPreview(present.PreviewBlurred)
	shown("svc-elm-img")
}

// TestToolsDoNotOverlap holds that they stand beside each other in the smallest window with text at 150 %, too.
func TestToolsDoNotOverlap(t *testing.T) {
	b := setup(t, fyne.NewSize(376, 300))
	b.p.ToggleFull = func() {}
	b.open(image.Pt(400, 300))
	b.runes("2")
	b.settle()
	if end := b.tools.strength.Position().X + b.tools.strength.Size().Width; end > b.tools.full.Position().X {
		t.Errorf("the opacity ends at %g, and the full window begins at %g", end, b.tools.full.Position().X)
	}
}
