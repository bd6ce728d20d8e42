package verdict_test

import (
	"strings"
	"testing"

	"assay/client/verdict"
)

const contradictsItself = "The service contradicts itself: needs a human look"

// TestFieldsThatContradictEachOther is the table of what counts as a contradiction, and why.
func TestFieldsThatContradictEachOther(t *testing.T) {
	const none = ""
	for _, c := range []struct {
		name, why string
		json      string
		want      string // what the fields say, as it is shown; none: no contradiction
	}{
		{"overall, summary and ensemble", "each speaks of the whole, and they end differently",
			`{"overallStatus":"AUTHENTIC","resultsSummary":{"status":"FAKE","metadata":{"finalScore":98.6}},"models":[{"name":"svc-img-ensemble","status":"FAKE","finalScore":99},{"name":"svc-oak-img","status":"FAKE"}]}`,
			"overall: AUTHENTIC; summary: FAKE, 99 of 100; ensemble model svc-img-ensemble: FAKE, 99 of 100"},
		{"overall and summary", "both are the status of the whole, from one set of values",
			`{"overallStatus":"FAKE","resultsSummary":{"status":"AUTHENTIC"}}`, "overall: FAKE; summary: AUTHENTIC"},
		{"overall and ensemble", "the ensemble is what the interface recommends to decide by",
			`{"overallStatus":"AUTHENTIC","models":[{"name":"x-ensemble","status":"FAKE"}]}`, "overall: AUTHENTIC; ensemble model x-ensemble: FAKE"},
		{"summary alone and ensemble", "without an overall status the summary's is the status",
			`{"resultsSummary":{"status":"AUTHENTIC"},"models":[{"name":"x-ensemble","status":"SUSPICIOUS"}]}`,
			"summary: AUTHENTIC; ensemble model x-ensemble: SUSPICIOUS"},
		{"suspicious and fake", "it may be one step only, but which of them holds is not for Assay to say",
			`{"overallStatus":"SUSPICIOUS","models":[{"name":"x-ensemble","status":"FAKE"}]}`, "overall: SUSPICIOUS; ensemble model x-ensemble: FAKE"},
		{"failed, with an ensemble that has a verdict", "processing failed, and yet it was judged",
			`{"overallStatus":"UNABLE_TO_EVALUATE","models":[{"name":"x-ensemble","status":"AUTHENTIC","finalScore":3}]}`,
			"overall: UNABLE_TO_EVALUATE; ensemble model x-ensemble: AUTHENTIC, 3 of 100"},
		{"a verdict, with an ensemble that failed", "what counts was not evaluated",
			`{"overallStatus":"AUTHENTIC","models":[{"name":"x-ensemble","status":"UNABLE_TO_EVALUATE"}]}`,
			"overall: AUTHENTIC; ensemble model x-ensemble: UNABLE_TO_EVALUATE"},
		{"two ensembles", "both stand for all models of one picture",
			`{"overallStatus":"FAKE","mediaType":"IMAGE","models":[{"name":"a-ensemble","status":"FAKE"},{"name":"b-ensemble","status":"AUTHENTIC"}]}`,
			"overall: FAKE; ensemble model a-ensemble: FAKE; ensemble model b-ensemble: AUTHENTIC"},
		{"an ensemble that is said not to apply, and has a verdict", "its code hides what its status says",
			`{"overallStatus":"AUTHENTIC","models":[{"name":"x-ensemble","status":"FAKE","code":"not_applicable"}]}`,
			"overall: AUTHENTIC; ensemble model x-ensemble: FAKE"},
		{"an ensemble's decision", "the ensemble is what counts, and it says two things",
			`{"overallStatus":"AUTHENTIC","models":[{"name":"x-ensemble","status":"AUTHENTIC","data":{"decision":"ARTIFICIAL"}}]}`,
			"overall: AUTHENTIC; ensemble model x-ensemble: AUTHENTIC, decision: ARTIFICIAL"},
		{"not assessable, and flagged", "what can't be judged was judged, by models that say that they apply",
			`{"overallStatus":"NOT_APPLICABLE","models":[{"name":"a","status":"FAKE"},{"name":"b","status":"FAKE"},{"name":"c","status":"AUTHENTIC"}]}`,
			"overall: NOT_APPLICABLE; 2 models: FAKE"},
		{"an error beside a verdict", "an error is there where processing failed",
			`{"overallStatus":"AUTHENTIC","resultsSummary":{"status":"AUTHENTIC","error":{"code":"model-error","message":"Upload\nit again."}}}`,
			"overall: AUTHENTIC; summary: AUTHENTIC; error: “Upload it again.”"},
		{"a link that was not fetched, with a verdict", "what was not fetched can't be judged",
			`{"overallStatus":"AUTHENTIC","socialLink":"https://v.example/1","socialLinkDownloaded":false,"socialLinkDownloadFailed":true}`,
			"overall: AUTHENTIC; socialLinkDownloadFailed: true"},
		{"a clip that no ensemble agrees with", "one may be of its sound, but one must be of the whole",
			`{"overallStatus":"AUTHENTIC","mediaType":"VIDEO","models":[{"name":"v-ensemble","status":"FAKE"},{"name":"a-ensemble","status":"SUSPICIOUS"}]}`,
			"overall: AUTHENTIC; ensemble model v-ensemble: FAKE; ensemble model a-ensemble: SUSPICIOUS"},

		{"a clip and its sound", "pictures and sound are two things, of which one may be made",
			`{"overallStatus":"AUTHENTIC","mediaType":"VIDEO","models":[{"name":"v-ensemble","status":"AUTHENTIC"},{"name":"a-ensemble","status":"FAKE"}]}`, none},
		{"single models against the ensemble", "models may differ from the ensemble: the line on how they agree says it",
			`{"overallStatus":"AUTHENTIC","models":[{"name":"x-ensemble","status":"AUTHENTIC"},{"name":"a","status":"FAKE"},{"name":"b","status":"FAKE"}]}`, none},
		{"a single model's decision", "it is said at that model's row",
			`{"overallStatus":"FAKE","models":[{"name":"x-ensemble","status":"FAKE"},{"name":"a","status":"FAKE","data":{"decision":"AUTHENTIC"}}]}`, none},
		{"a score alone", "no threshold is computed here",
			`{"overallStatus":"AUTHENTIC","resultsSummary":{"status":"AUTHENTIC","metadata":{"finalScore":99}},"models":[{"name":"x-ensemble","status":"AUTHENTIC","finalScore":99}]}`, none},
		{"two scores", "the interface does not say that they are one number, and from which distance on they contradict would be a threshold; both are shown",
			`{"overallStatus":"FAKE","resultsSummary":{"status":"FAKE","metadata":{"finalScore":71}},"models":[{"name":"x-ensemble","status":"FAKE","finalScore":99}]}`, none},
		{"models still running", "nothing is final yet",
			`{"overallStatus":"AUTHENTIC","resultsSummary":{"status":"FAKE"},"models":[{"name":"x-ensemble","status":"FAKE"},{"name":"a","status":"ANALYZING"}]}`, none},
		{"a summary still running", "it has not said anything yet",
			`{"overallStatus":"AUTHENTIC","resultsSummary":{"status":"ANALYZING"}}`, none},
		{"an ensemble that does not apply", "it says nothing of this medium",
			`{"overallStatus":"AUTHENTIC","models":[{"name":"x-ensemble","status":"NOT_APPLICABLE","code":"not_applicable"},{"name":"y-ensemble","status":"AUTHENTIC"}]}`, none},
		{"a verdict that no ensemble has", "metadata may have decided",
			`{"overallStatus":"FAKE","models":[{"name":"a","status":"NOT_APPLICABLE"}]}`, none},
		{"failed, with single models that ended", "some may end where the whole fails",
			`{"overallStatus":"UNABLE_TO_EVALUATE","resultsSummary":{"status":"UNABLE_TO_EVALUATE","error":{"code":"model-error","message":"m"}},"models":[{"name":"a","status":"FAKE"}]}`, none},
		{"sound that has a result, of no number", "what is missing contradicts nothing",
			`{"overallStatus":"AUTHENTIC","mediaType":"VIDEO","showAudioResult":true}`, none},
		{"reasons beside a verdict", "they stand in the same line, and limit it",
			`{"overallStatus":"AUTHENTIC","resultsSummary":{"status":"AUTHENTIC","metadata":{"reasons":[{"code":"quality","message":"Noisy."}]}}}`, none},
		{"a file upload's fields of links", "they count only where there is a link",
			`{"overallStatus":"AUTHENTIC","socialLink":"","socialLinkDownloadFailed":true}`, none},
		{"a link fetched at the second try", "it was fetched",
			`{"overallStatus":"AUTHENTIC","socialLink":"https://v.example/1","socialLinkDownloaded":true,"socialLinkDownloadFailed":true}`, none},
		{"an empty error", "it says nothing",
			`{"overallStatus":"AUTHENTIC","resultsSummary":{"status":"AUTHENTIC","error":{}}}`, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdict.Of(result(t, c.json))
			if v.Contradiction != c.want {
				t.Errorf("got  %q\nwant %q, for %s", v.Contradiction, c.want, c.why)
			}
			if c.want == none {
				if strings.Contains(v.Line(), "contradicts") || v.Headline == contradictsItself {
					t.Errorf("it is called a contradiction: %q", v.Line())
				}
				return
			}
			if v.Headline != contradictsItself || v.Mark != verdict.MarkSuspicious {
				t.Errorf("headline %q, mark %q", v.Headline, v.Mark)
			}
			if want := contradictsItself + " (" + c.want + ")"; v.Line() != want {
				t.Errorf("line %q, want %q", v.Line(), want)
			}
			for _, word := range []string{v.Headline, v.Short, v.InText, v.After, v.Sentence} {
				if word == "" || strings.Contains(word, "No sign") || strings.Contains(word, "no sign") || strings.Contains(word, "uspicious") {
					t.Errorf("it is said as %q", word)
				}
			}
		})
	}
}

func TestAContradictionOfManyIsCut(t *testing.T) {
	said := func(ensembles int, name string) string {
		return verdict.Of(result(t, `{"overallStatus":"AUTHENTIC","models":[`+repeated(`{"name":"`+name+`-ensemble-%d","status":"FAKE"}`, ensembles)+`]}`)).Contradiction
	}
	if got := said(5, "x"); !strings.HasSuffix(got, "; ensemble model x-ensemble-3: FAKE; ensemble model x-ensemble-4: FAKE") {
		t.Errorf("of six claims, which all fit: %q", got)
	}
	if got := said(1000, strings.Repeat("x", 1000)); !strings.HasSuffix(got, "; and 996 more") || len(got) > 2000 {
		t.Errorf("%d bytes: %.300q…", len(got), got)
	}
}

func TestAModelThatContradictsItself(t *testing.T) {
	for _, c := range []struct {
		status, decision string
		want             bool
	}{
		{"FAKE", "AUTHENTIC", true}, {"AUTHENTIC", "ARTIFICIAL", true}, {"AUTHENTIC", "artificial", true}, {"AUTHENTIC", "FAKE", true},
		{"FAKE", "ARTIFICIAL", false}, {"AUTHENTIC", "AUTHENTIC", false}, {"SUSPICIOUS", "ARTIFICIAL", false}, {"SUSPICIOUS", "AUTHENTIC", false},
		{"FAKE", "", false}, {"NOT_APPLICABLE", "AUTHENTIC", false}, {"FAKE", "NOT_EVALUATED", false},
	} {
		r := result(t, `{"overallStatus":"FAKE","models":[{"name":"a","status":"`+c.status+`","data":{"decision":"`+c.decision+`"}}]}`)
		want := ""
		if c.want {
			want = "contradicts itself: status " + c.status + ", decision " + c.decision
		}
		if got := verdict.ModelContradiction(r.Models[0]); got != want {
			t.Errorf("%s with %s: %q, want %q", c.status, c.decision, got, want)
		}
	}
}
