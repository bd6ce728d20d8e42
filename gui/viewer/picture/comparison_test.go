package picture

import (
	"image"
	"image/color"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	tooltip "github.com/dweymouth/fyne-tooltip"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// twoAnswers is a Comparison in a window, or a Pair, with the sources of its pictures.
type twoAnswers struct {
	*Comparison
	pair *Pair
	*source
	*guitest.UI
	window fyne.Window
	ticks  []func()
}

func setupBoth(t *testing.T, pair bool) *twoAnswers {
	t.Helper()
	guitest.App(t, look.ModeLight)
	b := &twoAnswers{source: newSource(), UI: guitest.NewUI(t)}
	b.nudge = func() { b.Do(func() {}) }
	workers := b.Workers(2)
	params := Params{Workers: workers, Askers: workers, Source: b.source, After: func(_ time.Duration, do func()) func() {
		b.ticks = append(b.ticks, do)
		return func() { b.ticks = nil }
	}}
	var object fyne.CanvasObject
	if pair {
		b.pair = NewPair(params)
		object = b.pair.Object()
	} else {
		b.Comparison = NewComparison(params)
		object = b.Object()
	}
	b.window = test.NewTempWindow(t, nil)
	b.window.SetPadded(false)
	content := container.NewStack(kit.NewFill(look.ColorBackground), object)
	b.window.SetContent(tooltip.AddWindowToolTipLayer(content, b.window.Canvas()))
	b.window.Resize(paneSize)
	for _, id := range []string{"early", "late"} {
		path := guitest.File(t, id, guitest.PNG(t, scene(image.Pt(400, 300))))
		b.change(func() { b.originals[id] = path })
	}
	b.change(func() { b.heatmaps["svc-oak-img"] = guitest.PNG(t, heatmapOf(image.Pt(400, 300))) })
	return b
}

func (b *twoAnswers) settle() {
	b.T.Helper()
	b.Until("everything is drawn", func() bool {
		stages := []*stage{}
		if b.pair != nil {
			stages = append(stages, b.pair.panes[0].stage, b.pair.panes[1].stage)
		} else {
			stages = append(stages, b.stage)
		}
		return !slices.ContainsFunc(stages, func(s *stage) bool { return s.photo == nil || s.rendering || !drawn(s) })
	})
}

var releases = [2]string{"Earlier · 2.14.0", "Later · 2.15.1"}

// compare shows two answers, and waits for the heatmaps of the first model.
func (b *twoAnswers) compare(earlier, later present.Viewer) {
	b.T.Helper()
	b.ShowBoth(earlier, later, releases)
	b.Until("the heatmaps are there", func() bool { return b.stage.photo != nil && (b.heatmapOf.IsZero() || !b.awaited[heatWait]) })
	b.settle()
}

func (b *twoAnswers) words() []string { return guitest.Seen(b.window.Content()) }

func TestHeatmapsOfTwoAnswersAreSwipedAgainstEachOther(t *testing.T) {
	b := setupBoth(t, false)
	b.compare(viewer("early", "svc-oak-img"), viewer("late", "svc-oak-img"))
	s := b.stage
	assert.Equal(t, Swipe, s.mode)
	assert.Equal(t, []string{"heatmap early svc-oak-img", "heatmap late svc-oak-img"}, b.calls("heatmap"))
	left, right := s.before.clip, s.upper.clip
	join := func() (float32, float32) { return left.Position().X + left.Size().Width, right.Position().X }
	if ends, begins := join(); !left.Visible() || !right.Visible() || ends-begins > 1 || begins-ends > 1 {
		t.Errorf("the earlier ends at %v, the later begins at %v", ends, begins)
	}
	t.Run("both lie where the photo does", func(t *testing.T) {
		for _, at := range []float64{0.2, 0.8} {
			s.setDivide(at)
			photo := s.lower.clip.Position().Add(s.lower.image.Position())
			for _, l := range []*layer{s.before, s.upper} {
				if got := l.clip.Position().Add(l.image.Position()); got.Subtract(photo).X > 1 || photo.Subtract(got).X > 1 || got.Y != photo.Y {
					t.Errorf("at %v: %v, and the photo at %v", at, got, photo)
				}
			}
		}
	})
	t.Run("true ends: only one of them is left", func(t *testing.T) {
		s.setDivide(0)
		if left.Visible() {
			t.Error("something of the earlier one is left")
		}
		s.setDivide(1)
		if right.Visible() || !left.Visible() {
			t.Error("something of the later one is left, or the earlier one is gone")
		}
	})
	t.Run("with one opacity for both, which draws no pixels", func(t *testing.T) {
		s.setDivide(0.5)
		before, upper := s.before.image.Image, s.upper.image.Image
		b.TypedRune(']')
		if s.before.image.Translucency != s.upper.image.Translucency || s.before.image.Image != before || s.upper.image.Image != upper {
			t.Errorf("translucency %v and %v", s.before.image.Translucency, s.upper.image.Translucency)
		}
	})
	t.Run("and says what they mean, without a meaning for the colours", func(t *testing.T) {
		for _, want := range []string{releases[0], releases[1], "Where svc-oak-img reacted, not what was altered · colours as sent · the same opacity on both sides"} {
			assert.True(t, guitest.Reads(b.window.Content(), want), "%q is not said: %q", want, b.words())
		}
	})
}

func TestHeatmapsOfTwoAnswersTakeTurns(t *testing.T) {
	b := setupBoth(t, false)
	b.compare(viewer("early", "svc-oak-img"), viewer("late", "svc-oak-img"))
	b.TypedRune('2')
	b.settle()
	s := b.stage
	seen := func() string {
		switch {
		case s.upper.image.Translucency < 1 && s.before.image.Translucency == 1:
			return s.leftName.lines[0]
		case s.before.image.Translucency < 1 && s.upper.image.Translucency == 1:
			return s.leftName.lines[0] + " alone"
		}
		return "both"
	}
	first := seen()
	for _, do := range slices.Clone(b.ticks) {
		do()
	}
	assert.Equal(t, []string{"Later · 2.15.1", "Earlier · 2.14.0 alone"}, []string{first, seen()})
}

func TestHeatmapsOfTwoAnswersSideBySide(t *testing.T) {
	b := setupBoth(t, false)
	b.compare(viewer("early", "svc-oak-img"), viewer("late", "svc-oak-img"))
	b.TypedRune('3')
	b.settle()
	s := b.stage
	for name, l := range map[string]*layer{"photo": s.lower, "photo again": s.twin, "earlier": s.before, "later": s.upper} {
		assert.True(t, l.clip.Visible(), "%s: is not shown", name)
	}
	assert.True(t, s.before.clip.Position().X < s.upper.clip.Position().X, "the earlier is not at the left")

	t.Run("a shape that differs from the picture's is said, and laid over nothing", func(t *testing.T) {
		b.change(func() { b.heatmaps["svc-elm-img"] = guitest.PNG(t, heatmapOf(image.Pt(400, 400))) })
		b.compare(viewer("early", "svc-elm-img"), viewer("late"))
		assert.Equal(t, SideBySide, s.mode)
		assert.True(t, s.beforePlate.Visible() && !s.lower.clip.Visible(), "the heatmap lies over the photo")
		assert.True(t, guitest.Reads(b.window.Content(), "The heatmap's shape differs from the picture's by more than 1 %, so they are shown side by side."), "it is not said")
		b.TypedRune('1')
		assert.Equal(t, SideBySide, s.mode)
	})
}

func TestHeatmapThatOnlyOneAnswerHas(t *testing.T) {
	b := setupBoth(t, false)
	b.compare(viewer("early"), viewer("late", "svc-oak-img"))
	assert.Equal(t, []string{"heatmap late svc-oak-img"}, b.calls("heatmap"))
	assert.True(t, slices.Contains(b.words(), "The earlier answer has no heatmap of svc-oak-img."), "it is not said: %q", b.words())

	t.Run("none at all: the picture alone, and why", func(t *testing.T) {
		b.ShowBoth(viewer("early"), viewer("late"), releases)
		b.settle()
		words := b.words()
		assert.True(t, slices.Contains(words, "Neither answer has a heatmap. The service sends one only for a model that says FAKE."), "it is not said: %q", words)
		assert.True(t, !slices.Contains(words, "Opacity"), "an opacity of nothing is offered")
	})
	t.Run("a file that is gone is shown from the other answer", func(t *testing.T) {
		b.change(func() { delete(b.originals, "late") })
		b.compare(viewer("early"), viewer("late", "svc-oak-img"))
		assert.True(t, b.stage.lower.clip.Visible(), "no picture is shown")
	})
}

func TestTwoPicturesMoveInStep(t *testing.T) {
	b := setupBoth(t, true)
	small := guitest.File(t, "small", guitest.PNG(t, plainPicture(image.Pt(200, 150), color.White)))
	b.change(func() { b.originals["late"] = small })
	b.pair.ShowBoth(viewer("early"), viewer("late"), [2]string{"early.jpg", "late.jpg"})
	b.settle()
	left, right := b.pair.panes[0].stage, b.pair.panes[1].stage
	relative := func(s *stage) float64 {
		v, _ := s.views()
		return s.camera.actual(s.photo.Source, v.frame()) / fitZoom(s.photo.Source, v.frame())
	}
	for range 12 {
		b.pair.TypedRune('+')
	}
	b.pair.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	b.settle()
	near := func(a, b float64) bool { return a/b < 1.001 && b/a < 1.001 }
	if !near(relative(left), relative(right)) || relative(left) < 1.5 || !near(left.camera.centre.X, right.camera.centre.X) || left.camera.centre.X <= 0.5 {
		t.Errorf("%v and %v, %v and %v", relative(left), relative(right), left.camera, right.camera)
	}
	t.Run("whichever is moved", func(t *testing.T) {
		b.window.Canvas().Focus(right)
		b.pair.TypedRune('0')
		b.settle()
		assert.Equal(t, [2]float64{0, 0}, [2]float64{left.camera.zoom, right.camera.zoom})
	})
	t.Run("and covered at once where one is", func(t *testing.T) {
		b.pair.TypedRune('g')
		assert.Equal(t, [2]present.Preview{present.PreviewBlurred, present.PreviewBlurred}, [2]present.Preview{left.preview, right.preview})
	})
}
