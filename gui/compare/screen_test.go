package compare_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/client/assert"
	"assay/client/i18n/i18ntest"
	"assay/gui/chart"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

func TestScreen(t *testing.T) {
	f := setup(t, look.ModeLight, guitest.Usual)
	f.unseen = true
	f.compare("later", "earlier")
	f.WantTexts("Two answers for harbour-statement.jpg", "needs a human", "Suspicious: needs a human look", "Likely manipulated or AI-generated", "What changed", "Models", "2.14.0",
		"2.15.1", "svc-birch-img", "new", "Heatmaps", "Sandbox: classic forensic signals, computed on this computer. Not a deepfake detector.")
	f.pictures(t)
	f.WantTexts("Earlier · 2.14.0", "Later · 2.15.1")

	f.Run("has one primary button", func(t *testing.T) {
		n := 0
		for _, b := range guitest.InSight[*kit.Button](f.Top()) {
			if b.Label() == "Report…" {
				n++
			}
		}
		assert.Equal(t, 1, n)
	})
	f.Run("a row says where its numbers come from", func(*testing.T) {
		f.Click("svc-oak-img")
		f.UntilWords("Change, exactly: +32.3")
	})
	f.Run("and a verdict's score does", func(*testing.T) {
		for _, s := range guitest.InSight[*kit.ScoreScale](f.Top()) {
			s.Tapped(nil)
		}
		f.WantWords("resultsSummary.metadata.finalScore = 52.1", "resultsSummary.metadata.finalScore = 88.35")
	})
	f.Run("its buttons lead on", func(t *testing.T) {
		f.calls = nil
		f.Tap("Open the earlier answer")
		f.Tap("Open the later answer")
		f.Tap("Report…")
		assert.Equal(t, []string{"open earlier", "open later", "report earlier later"}, f.calls)
	})
	f.Run("a person marks it as seen", func(t *testing.T) {
		f.Tap("Mark as seen by a person")
		f.Until("it is marked", func() bool { return !slices.Contains(guitest.Seen(f.Top()), "needs a human") })
		f.WantNoWords("Mark as seen by a person")
		assert.Equal(t, []string{"later"}, f.seen)
	})
	f.Run("Escape goes back", func(t *testing.T) {
		f.calls = nil
		f.Press(fyne.KeyEscape)
		assert.Equal(t, []string{"close"}, f.calls)
	})
}

func TestEverythingIsReachedByKeyboard(t *testing.T) {
	for second, want := range map[string]int{"later": 13, "other": 11} {
		f := setup(t, look.ModeLight, guitest.Usual)
		f.unseen = true
		f.compare("earlier", second)
		f.pictures(t)
		reached := f.Tab(40)
		buttons, scales := 0, 0
		for _, o := range reached {
			switch o.(type) {
			case *kit.Button:
				buttons++
			case *kit.ScoreScale:
				scales++
			}
		}
		visible := 0
		for _, b := range guitest.InSight[*kit.Button](f.Top()) {
			if b.Visible() {
				visible++
			}
		}
		assert.Equal(t, visible, buttons)
		assert.Equal(t, 2, scales)
		assert.Equal(t, want, len(reached))
	}
}

func TestWhatGetsTheFocusComesIntoSight(t *testing.T) {
	f := setup(t, look.ModeLight, fyne.NewSize(828, 600))
	f.compare("earlier", "later")
	f.pictures(t)
	slider := guitest.InSight[*kit.Slider](f.Top())[0]
	bottom := func() float32 {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(slider).Y + slider.Size().Height
	}
	assert.True(t, bottom() > 560, "the opacity is in sight at once, at %v", bottom())
	f.Canvas().Focus(slider)
	assert.True(t, bottom() < 560, "the opacity is out of sight, at %v", bottom())
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	f := setup(t, look.ModeLight, guitest.Smallest)
	f.fails = guitest.Sentence("The records can't be read.")
	f.screen.Show(ref("earlier"), ref("later"))
	f.UntilWords("These answers can't be read. The records can't be read.")
	f.WantNoWords("Report…")
	f.fails = nil
	f.Tap("Try again")
	f.UntilWords("Likely manipulated or AI-generated")
	f.Run("and so is that it could not be marked as seen", func(*testing.T) {
		f.unseen = true
		f.screen.Again()
		f.UntilWords("Mark as seen by a person")
		f.fails = errors.New("no")
		f.Tap("Mark as seen by a person")
		f.UntilWords("The mark could not be saved.")
		f.WantTexts("needs a human")
	})
}

func TestTwoFilesSideBySide(t *testing.T) {
	f := setup(t, look.ModeLight, guitest.Usual)
	f.compare("earlier", "other")
	f.pictures(t)
	f.WantTexts("Two pictures that are nearly the same", "A hint: each file keeps its own verdict", "Zoom and position are the same in both.", "Open the left one", "Open the right one")
	f.WantNoWords("What changed", "Models", "Heatmaps", "+0")
}

func TestGraphicPicturesAreCovered(t *testing.T) {
	f := setup(t, look.ModeLight, guitest.Usual)
	graphic := f.answers["later"]
	graphic.Of.Graphic = true
	f.answers["later"] = graphic
	f.compare("earlier", "later")
	f.UntilWords("Covered, in case it is disturbing.")
	f.Tap("Show")
	f.WantNoWords("Covered, in case it is disturbing.")
	f.screen.Leave()
	f.UntilWords("Covered, in case it is disturbing.")
	f.Run("one that is not marked is shown as careful as the person is", func(*testing.T) {
		f.screen.SetPreview(present.CarefulMost)
		f.compare("earlier", "other")
		f.UntilWords("Covered, in case it is disturbing.")
		f.Tap("Show")
		f.UntilWords("Shown in grey.")
		f.Tap("Show in colour")
		f.WantNoWords("Shown in grey.", "Covered, in case it is disturbing.")
	})
}

func TestRecordingsAreComparedByTheirParts(t *testing.T) {
	f := setup(t, look.ModeLight, guitest.Usual)
	f.answers["earlier"] = answer(t, "earlier", hash, 19, strings.ReplaceAll(earlierAnswer, "IMAGE", "AUDIO"))
	f.answers["later"] = answer(t, "later", hash, 0, strings.ReplaceAll(laterAnswer, "IMAGE", "AUDIO"))
	f.parts["later"] = `{"chunks":[{"start":0,"end":4,"decision":"AUTHENTIC","score":0.1},{"start":6,"end":10,"decision":"FAKE","score":0.9}]}`
	f.compare("earlier", "later")
	f.UntilWords("The earlier answer reported nothing of single parts.")
	lanes := guitest.InSight[*chart.Lanes](f.Top())
	assert.Equal(t, 1, len(lanes))
	lanes[0].OnTapped(0, 1)
	f.UntilWords("chunks[1]")

	f.Run("a problem is said, and tried again", func(*testing.T) {
		f.parts["earlier"] = "{"
		f.screen.Clear()
		f.compare("earlier", "later")
		f.UntilWords("What was reported of the parts can't be read.")
		f.parts["earlier"] = `{"chunks":[{"start":0,"end":4,"decision":"FAKE"}]}`
		f.Tap("Try again")
		f.Until("both are there", func() bool { return len(guitest.InSight[*chart.Lanes](f.Top())) == 2 })
	})
}

func TestTextsAreComparedByTheirMarks(t *testing.T) {
	f := setup(t, look.ModeLight, guitest.Usual)
	f.answers["earlier"] = answer(t, "earlier", hash, 19, strings.ReplaceAll(earlierAnswer, "IMAGE", "TEXT"))
	f.answers["later"] = answer(t, "later", hash, 0, strings.ReplaceAll(laterAnswer, "IMAGE", "TEXT"))
	f.pages["earlier"], f.pages["later"] = "<p>Said <mark>before</mark></p>", "<p>Said <mark>after</mark></p>"
	f.compare("earlier", "later")
	f.UntilWords("before")
	f.WantNoWords("after")
	f.screen.TypedRune('2')
	f.UntilWords("after")
	f.WantNoWords("before")
}

func TestThousandsOfModelsAreDrawnAsFarAsTheyAreSeen(t *testing.T) {
	f := setup(t, look.ModeLight, guitest.Usual)
	var models []string
	for range 5_000 {
		models = append(models, `{"name":"oak","status":"FAKE","finalScore":60}`)
	}
	many := `{"mediaType":"IMAGE","overallStatus":"FAKE","models":[` + strings.Join(models, ",") + `]}`
	f.answers["earlier"], f.answers["later"] = answer(t, "earlier", hash, 1, many), answer(t, "later", hash, 0, many)
	f.compare("earlier", "later")
	if n := len(guitest.InSight[*canvas.Circle](f.Top())); n > 60 {
		t.Errorf("%d dots are drawn", n)
	}
}

func TestEverythingIsTranslated(t *testing.T) {
	i18ntest.Pseudo(t)
	data := []string{"svc-img-ensemble", "svc-oak-img", "svc-cedar-img", "svc-elm-img", "svc-pine-img", "svc-birch-img", "svc-context-img", "svc-voice-aud", "harbour-statement.jpg", "harbour-statement", "2.14.0", "2.15.1",
		"SHA-256", "aa74f6fd", "067463", "normalizedPredictionNumber", "models", "finalScore", "resultsSummary", "metadata"}
	for _, second := range []string{"later", "other"} {
		f := setup(t, look.ModeLight, guitest.Usual)
		f.unseen = true
		f.screen.Show(ref("earlier"), ref(second))
		f.Until("it is shown", func() bool { return len(guitest.InSight[*kit.ScoreScale](f.Top())) == 2 })
		f.pictures(t)
		guitest.CheckTranslated(t, f.screen.Object(), data...)
		guitest.CheckShortcutsTranslated(t, f.screen.Shortcuts())
	}
}

// TestANarrowWindow holds that in the smallest window with text at 150 %, which leaves 548 beside the rail, nothing is beyond the edge, no word of a verdict
// is broken, and the pictures begin in sight.
func TestANarrowWindow(t *testing.T) {
	const room = 548
	for _, second := range []string{"later", "other"} {
		f := setup(t, look.ModeLight, fyne.NewSize(room, 400))
		f.unseen = true
		f.answers["earlier"] = answer(t, "earlier", hash, 19, strings.ReplaceAll(laterAnswer, "88.35", "99.95"))
		f.compare("earlier", second)
		f.pictures(t)
		if least := f.screen.Object().MinSize().Width; least > room {
			t.Errorf("it can't be narrower than %g", least)
		}
		top := func(o fyne.CanvasObject) float32 { return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y }
		var lines []string
		for _, line := range guitest.InSight[*canvas.Text](f.Top()) {
			lines = append(lines, line.Text)
		}
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasSuffix(line, "AI-generated") }) {
			t.Errorf("a word of the verdict is broken: %q", lines)
		}
		buttons := f.Top().Size().Height
		for _, b := range guitest.InSight[*kit.Button](f.Top()) {
			if b.Label() != "" && top(b) > 100 {
				buttons = min(buttons, top(b))
			}
		}
		for _, picture := range guitest.InSight[*canvas.Image](f.Top()) {
			if picture.FillMode == canvas.ImageFillStretch && top(picture) > buttons-50 {
				t.Errorf("a picture begins at %g, and the buttons at %g", top(picture), buttons)
			}
		}
	}
}
