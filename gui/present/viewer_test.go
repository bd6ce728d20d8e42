package present_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/plain"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/present"
	"assay/gui/present/presenttest"
)

const oneOfEach = `{"mediaType":"IMAGE","overallStatus":"FAKE","releaseVersion":"2.14.0",
"resultsSummary":{"status":"FAKE","metadata":{"finalScore":88}},
"heatmaps":{"oak":"https://s.example/oak?sig=1","elm":"https://s.example/elm?sig=1","the-ensemble":"https://s.example/e?sig=1"},
"models":[
 {"name":"oak","status":"FAKE","normalizedPredictionNumber":93.2,"data":{"decision":"ARTIFICIAL"}},
 {"name":"the-ensemble","status":"FAKE","normalizedPredictionNumber":88},
 {"name":"elm","status":"AUTHENTIC","normalizedPredictionNumber":-1},
 {"name":"context","status":"UNABLE_TO_EVALUATE","normalizedPredictionNumber":null,"error":"x"},
 {"name":"slow","status":"ANALYZING","predictionNumber":null},
 {"name":"mute","status":"AUTHENTIC"},
 {"name":"audio","status":"NOT_APPLICABLE","code":"not_applicable","data":null}]}`

func TestViewer(t *testing.T) {
	v := present.ViewerOf(submission.Submission{ID: "1", Name: "a.jpg", Size: 5 << 20, Result: presenttest.Result(t, oneOfEach)}, time.Now())
	bar := func(name string) present.Bar {
		for _, b := range v.Bars {
			if b.Name == name {
				return b
			}
		}
		t.Fatalf("no bar for %s", name)
		return present.Bar{}
	}
	t.Run("R9 an absent score is a gap, never a zero", func(t *testing.T) {
		for name, gap := range map[string]string{"context": "failed", "mute": "no score reported"} {
			if b := bar(name); b.Score != nil || b.Gap != gap {
				t.Errorf("%s: score %v, gap %q, want %q", name, b.Score, b.Gap, gap)
			}
		}
	})
	t.Run("R10 a value outside the scale is shown as sent", func(t *testing.T) {
		if b := bar("elm"); b.Score == nil || b.Score.Text() != "-1" {
			t.Errorf("got %+v", b.Score)
		}
	})
	t.Run("R11 a model still running is a gap", func(t *testing.T) {
		if b := bar("slow"); b.Score != nil || b.Gap != "still running" || b.Mark != verdict.MarkAnalysing {
			t.Errorf("got %+v", b)
		}
	})
	t.Run("R15 the ensemble comes first", func(t *testing.T) {
		if first := v.Bars[0]; first.Name != "the-ensemble" || !first.Ensemble {
			t.Errorf("first is %+v", first)
		}
	})
	t.Run("R16 a model that does not apply is no bar", func(t *testing.T) {
		if diff := cmp.Diff([]string{"audio"}, v.NotBars); diff != "" || len(v.Bars) != 6 {
			t.Errorf("%d bars, apart: %v", len(v.Bars), v.NotBars)
		}
	})
	t.Run("R17 the release is shown", func(t *testing.T) {
		if !strings.Contains(v.Facts, "release 2.14.0") {
			t.Errorf("facts %q", v.Facts)
		}
	})
	t.Run("which copy was analysed is said", func(t *testing.T) {
		s := submission.Submission{Result: &client.Result{}, Size: 1 << 20, Copy: submission.Copy{SHA256: "ab", Format: "JPEG", Metadata: true}}
		assert.Equal(t, "A copy in JPEG format was analysed.", present.ViewerOf(s, time.Now()).Copy)
		s.Copy = submission.Copy{}
		assert.Equal(t, "", present.ViewerOf(s, time.Now()).Copy)
	})
	t.Run("R18 a running model makes the verdict provisional", func(t *testing.T) {
		if !v.Verdict.Provisional || v.Verdict.Mark != verdict.MarkAnalysing {
			t.Errorf("got %+v", v.Verdict)
		}
	})
	t.Run("A2 heatmaps of single models with status FAKE alone are offered", func(t *testing.T) {
		assert.Equal(t, []plain.Text{plain.From("oak")}, v.Heatmaps)
	})
	t.Run("a number names its field", func(t *testing.T) {
		if got, want := bar("oak").Source(), "models[0].normalizedPredictionNumber = 93.2"; !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestViewerOfALink(t *testing.T) {
	v := present.ViewerOf(submission.Submission{ID: "1", Name: "x.com/1", Link: "https://x.com/1",
		Result: presenttest.Result(t, `{"mediaType":"VIDEO","overallStatus":"FAKE","socialLink":"https://x.com/1","socialLinkDownloaded":"True"}`)}, time.Now())
	t.Run("S4 says that the service fetched it", func(t *testing.T) {
		if !strings.Contains(v.Facts, "fetched by the service") {
			t.Errorf("facts %q", v.Facts)
		}
	})
	t.Run("has the link, its name and the medium of the result, and no file", func(t *testing.T) {
		if v.Link != "https://x.com/1" || v.Name != "x.com/1" || v.Medium != present.Clip || v.Path != "" {
			t.Errorf("got %+v", v)
		}
	})
}

func TestViewerSaysReasonsWithNextSteps(t *testing.T) {
	t.Run("R8 not applicable", func(t *testing.T) {
		v := present.ViewerOf(submission.Submission{Result: presenttest.Result(t, `{"overallStatus":"NOT_APPLICABLE","mediaType":"IMAGE","resultsSummary":{"metadata":{"reasons":[
			{"code":"relevance","message":"No faces detected."},{"code":"new","message":"Something else."}]}}}`)}, time.Now())
		text := strings.Join(v.Body, "\n")
		for _, want := range []string{"The service says: “No faces detected.” Try a crop with a larger face.", "The service says: “Something else.”"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in %q", want, text)
			}
		}
	})
	t.Run("R7 unable to evaluate", func(t *testing.T) {
		v := present.ViewerOf(submission.Submission{Result: presenttest.Result(t, `{"overallStatus":"UNABLE_TO_EVALUATE","resultsSummary":{"metadata":{},"error":{"code":"model-error","message":"Please upload the file again."}}}`)}, time.Now())
		if text := strings.Join(v.Body, "\n"); !strings.Contains(text, "The service says: “Please upload the file again.” It may help to try a smaller file.") {
			t.Errorf("got %q", text)
		}
	})
}

func TestPreviewChoice(t *testing.T) {
	watched, graphic, other := present.Care{Watched: true}, present.Care{Graphic: true}, present.Care{}
	const plain, covered = present.PreviewPlain, present.PreviewBlurred
	for kept, want := range map[string]map[present.Care]present.Preview{
		"":        {watched: covered, graphic: covered, other: plain},
		"off":     {watched: plain, graphic: covered, other: plain},
		"careful": {watched: covered, graphic: covered, other: covered},
		"most":    {watched: covered, graphic: covered, other: covered},
		"sepia":   {watched: covered, graphic: covered, other: plain},
	} {
		for care, preview := range want {
			if got := present.PreviewChoiceOf(kept).For(care); got != preview {
				t.Errorf("%q, %+v: %q", kept, care, got)
			}
		}
	}
	t.Run("most careful shows grey first, then what was asked for", func(t *testing.T) {
		if first := present.CarefulMost.Asked(covered, plain); first != present.PreviewGrey || present.CarefulMost.Asked(first, plain) != plain {
			t.Errorf("first %q", first)
		}
		if got := present.CarefulAll.Asked(covered, plain); got != plain {
			t.Errorf("careful: %q", got)
		}
	})
}
