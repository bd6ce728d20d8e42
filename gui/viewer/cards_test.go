package viewer

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/nearly"
	"assay/client/submission"
	"assay/gui/present"
)

// seen opens an answer, and gives what can be read on its card and on its chart.
func seen(t *testing.T, answer string) (card, chart string) {
	t.Helper()
	d := setup(t, &source{notes: map[string]string{}, subs: map[string]submission.Submission{"one": sub(t, "one", answer)}}, wideSize)
	d.see("one")
	d.pages.open(modelsPage)
	return oneLine(visible(d.cards.main.card)...), oneLine(visible(d.pages.models.main.bars)...)
}

func must(t *testing.T, where, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s says %q, and not %q", where, text, p)
		}
	}
}

func TestWhyThereIsNoVerdict(t *testing.T) {
	for what, c := range map[string]struct{ failure, says string }{
		"its message":                  {`{"code": "model-error", "message": "Please upload it again."}`, "The service says: “Please upload it again.” It may help to try a smaller file."},
		"a code that nobody has heard": {`{"code": "out-of-paper", "message": "No paper."}`, "The service says: “No paper.”"},
		"a code alone":                 {`{"code": "model-error"}`, "The service gives only a code: model-error. It may help to try a smaller file."},
		"a message alone":              {`{"message": "The service says: “It took too long.”"}`, "The service says: “It took too long.”"},
		"nothing of the reason":        {`null`, "The service could not process the file."},
	} {
		t.Run("R7 of an evaluation that failed, the card says "+what+", and what to try", func(t *testing.T) {
			card, _ := seen(t, `{"mediaType": "VIDEO", "overallStatus": "UNABLE_TO_EVALUATE", "resultsSummary": {"status": "UNABLE_TO_EVALUATE", "metadata": {}, "error": `+c.failure+`}}`)
			must(t, "the card", card, "Not evaluated: processing failed", "no score reported", "try a smaller file.", c.says)
		})
	}
	for _, c := range []struct{ code, medium, next string }{
		{"relevance", "IMAGE", "Try a crop with a larger face."},
		{"duration", "AUDIO", "Use at least 1.5 seconds."},
		{"detected", "AUDIO", "Use a part without music or dial tone."},
		{"cross-talk", "AUDIO", "Use a part with one speaker."},
		{"quality", "AUDIO", "Find a cleaner copy."},
		{"language", "AUDIO", "The model does not know this language."},
		{"never-heard-of", "AUDIO", ""},
	} {
		t.Run("R8 the card says the reason "+c.code+" in the service's words", func(t *testing.T) {
			card, _ := seen(t, fmt.Sprintf(`{"mediaType": %q, "overallStatus": "NOT_APPLICABLE", "resultsSummary": {"metadata": {"reasons": [
				{"code": %q, "message": "Message one."}, {"code": "never-heard-of", "message": "And another."}, {"message": "Without a code."}]}}}`, c.medium, c.code))
			must(t, "the card", card, "Not assessable", "no score reported", strings.TrimSpace("The service says: “Message one.” "+c.next),
				"The service says: “And another.”", "The service says: “Without a code.”")
		})
	}
	t.Run("R8 of a clip, which has no reasons, it says where the detail is", func(t *testing.T) {
		card, _ := seen(t, `{"mediaType": "VIDEO", "overallStatus": "NOT_APPLICABLE", "resultsSummary": {"metadata": {}}}`)
		must(t, "the card", card, "Not assessable", "The service gives no reasons for clips. The detail is in its timeline and scenes, in the data.")
	})
	for what, reasons := range map[string]string{"a text": `"too short"`, "an object": `{"code": "duration"}`, "a list of other things": `[1, null, "x", {"code": 5, "message": []}]`} {
		t.Run("R8 reasons that are "+what+" spoil nothing", func(t *testing.T) {
			card, chart := seen(t, `{"mediaType": "AUDIO", "overallStatus": "NOT_APPLICABLE", "resultsSummary": {"metadata": {"reasons": `+reasons+`}}, "models": [{"name": "oak", "status": "AUTHENTIC", "normalizedPredictionNumber": 61}]}`)
			must(t, "the card", card, "Not assessable")
			must(t, "the chart", chart, "oak 61")
		})
	}
}

func TestModelsAsTheAnswerNamesThem(t *testing.T) {
	const answer = `{"mediaType": "IMAGE", "overallStatus": "FAKE", "models": [
		{"name": "svc-elm-img", "status": "AUTHENTIC", "normalizedPredictionNumber": 12},
		{"name": "svc-oak-img", "status": "FAKE", "normalizedPredictionNumber": 93},
		{"name": "svc-img-ensemble", "status": "FAKE", "normalizedPredictionNumber": 88}]}`
	const rows = "svc-img-ensemble 88 svc-elm-img 12 svc-oak-img 93"
	for what, names := range map[string][3]string{
		"as in the interface":                {"svc-elm-img", "svc-oak-img", "svc-img-ensemble"},
		"of another operator":                {"acme-1-visual", "acme-2-visual", "acme-visual-ensemble"},
		"without any prefix":                 {"Ulme", "Eiche", "Ensemble"},
		"in another script":                  {"楡", "樫", "楡-ensemble"},
		"that look like another's, or worse": {"svc-context-vid", "<b>50 %</b>", "ENSEMBLE_v2"},
	} {
		t.Run("R14 models named "+what, func(t *testing.T) {
			rename := strings.NewReplacer("svc-elm-img", names[0], "svc-oak-img", names[1], "svc-img-ensemble", names[2])
			card, chart := seen(t, rename.Replace(answer))
			must(t, "the chart", squeezed(chart), squeezed(rename.Replace(rows)))
			must(t, "the card", card, "88 of 100 · ensemble", "1 of 2 applicable models flagged it")
		})
	}
	for _, n := range []int{1, 5, 12} {
		t.Run(fmt.Sprintf("R14 %d models", n), func(t *testing.T) {
			var models, want []string
			for i := range n {
				models = append(models, fmt.Sprintf(`{"name": "m%02d", "status": "FAKE", "normalizedPredictionNumber": %d}`, i, 20+i))
				want = append(want, fmt.Sprintf("m%02d %d", i, 20+i))
			}
			_, chart := seen(t, `{"mediaType": "IMAGE", "overallStatus": "FAKE", "models": [`+strings.Join(models, ",")+`]}`)
			must(t, "the chart", chart, strings.Join(want, " "))
		})
	}
	for what, model := range map[string]string{
		"by its status":            `{"name": "aside", "status": "NOT_APPLICABLE", "code": null, "data": {}}`,
		"by its code":              `{"name": "aside", "status": "", "code": "not_applicable", "data": {}}`,
		"by both, without data":    `{"name": "aside", "status": "NOT_APPLICABLE", "code": "not_applicable", "data": null}`,
		"whatever its number says": `{"name": "aside", "status": "NOT_APPLICABLE", "normalizedPredictionNumber": 77, "finalScore": 66}`,
		"an ensemble too":          `{"name": "aside-ensemble", "status": "NOT_APPLICABLE", "code": "not_applicable"}`,
	} {
		t.Run("R16 a model that does not apply, "+what+", is named apart and is no bar", func(t *testing.T) {
			card, chart := seen(t, `{"mediaType": "IMAGE", "overallStatus": "FAKE", "models": [{"name": "oak", "status": "FAKE", "normalizedPredictionNumber": 93}, `+model+`]}`)
			bars, apart, found := strings.Cut(chart, "Not applicable:")
			if !found || strings.Contains(bars, "aside") || !strings.Contains(apart, "aside") || strings.Contains(chart, "77") || strings.Contains(chart, "66") {
				t.Errorf("the chart says %q", chart)
			}
			must(t, "the card", card, "1 of 1 applicable model flagged it")
		})
	}
}

func TestWithLittleHeightTheMediumIsInSightAndTheVerdictInTwoLines(t *testing.T) {
	d := setup(t, samples(t), fyne.NewSize(452, 290)) // as with a text size of 200 % in a window of 1280 × 800
	for _, id := range []string{"press.mp4", "fake.jpg"} {
		d.see(id)
		if id == "press.mp4" {
			d.Until("the voice's verdict", func() bool { return d.cards.side.card.Visible() })
			d.WantTexts("Voice: likely manipulated or AI-generated")
		} else {
			d.WantTexts("Likely manipulated or AI-generated", "88", "of 100")
		}
		medium := fyne.CurrentApp().Driver().AbsolutePositionForObject(d.pages.slot).Y
		if bottom := medium + d.pages.slot.Size().Height; d.pages.slot.Size().Height < 100 || bottom > 290 {
			t.Errorf("%s is from %v to %v", id, medium, bottom)
		}
	}
	d.Resize(wideSize)
	d.WantTexts("strong indication")
}

func TestInASmallWindowTheMediumHasMostOfTheHeight(t *testing.T) {
	c := samples(t)
	c.near = map[string][]present.Near{"fake.jpg": nears("crop.png", nearly.Picture)}
	d := setup(t, c, fyne.NewSize(690, 600)) // beside the results, in a window of 900 × 600
	d.see("fake.jpg")
	d.WantTexts("The models found strong indications. Compression, filters and graphics can cause this too: seek a second, independent check.")
	if height := d.pages.slot.Size().Height; height < 400 { // the answers and the picture's own tools take up to 100 of it
		t.Errorf("the picture has %v", height)
	}
	low := d.pages.slot.Size().Height
	d.Say("Copied")
	d.WantTexts("Copied")
	if height := d.pages.slot.Size().Height; height >= low {
		t.Errorf("what is said takes no line: %v, and %v before", height, low)
	}
}
