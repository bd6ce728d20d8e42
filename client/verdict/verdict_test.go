package verdict_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/verdict"
)

func result(t *testing.T, text string) *client.Result {
	t.Helper()
	r := new(client.Result)
	assert.NoError(t, json.Unmarshal([]byte(text), r))
	return r
}

func TestHeadlineIsTheStatus(t *testing.T) {
	for _, c := range []struct {
		status   string
		mark     verdict.Mark
		headline string
	}{
		{"FAKE", verdict.MarkFake, "Likely manipulated or AI-generated"},
		{"SUSPICIOUS", verdict.MarkSuspicious, "Suspicious: needs a human look"},
		{"AUTHENTIC", verdict.MarkAuthentic, "No sign of manipulation found by these models"},
		{"NOT_APPLICABLE", verdict.MarkNotAssessable, "Not assessable"},
		{"UNABLE_TO_EVALUATE", verdict.MarkFailed, "Not evaluated: processing failed"},
	} {
		t.Run(c.status, func(t *testing.T) {
			v := verdict.Of(result(t, `{"overallStatus":"`+c.status+`"}`))
			if v.Headline != c.headline || v.Mark != c.mark || v.Provisional {
				t.Errorf("got %q, mark %q, provisional %v", v.Headline, v.Mark, v.Provisional)
			}
			if v.Sentence == "" || v.Short == "" {
				t.Error("the limits are not said")
			}
		})
	}
	t.Run("an unknown status is said as sent and is not final", func(t *testing.T) {
		v := verdict.Of(result(t, `{"overallStatus":"MAYBE"}`))
		if v.Headline != "Unrecognised status: MAYBE" || !v.Provisional {
			t.Errorf("got %q, provisional %v", v.Headline, v.Provisional)
		}
	})
}

func TestUnfinishedIsProvisional(t *testing.T) {
	v := verdict.Of(result(t, `{"overallStatus":"FAKE","models":[
		{"name":"a","status":"FAKE"},{"name":"b","status":"ANALYZING","predictionNumber":null}]}`))
	if v.Mark != verdict.MarkAnalysing || !v.Provisional {
		t.Errorf("a running model leaves mark %q, provisional %v", v.Mark, v.Provisional)
	}
	if want := "provisional, 1 of 2 models finished"; v.Progress != want {
		t.Errorf("progress %q, want %q", v.Progress, want)
	}
	if !strings.HasPrefix(v.Headline, "Provisional: ") {
		t.Errorf("headline %q shows a verdict as final", v.Headline)
	}
}

func TestScoreTracesToItsField(t *testing.T) {
	for _, c := range []struct {
		name, json, field, sent string
	}{
		{"summary first", `{"resultsSummary":{"metadata":{"finalScore":88.25}},"models":[{"name":"ensemble","status":"FAKE","finalScore":3}]}`,
			"resultsSummary.metadata.finalScore", "88.25"},
		{"then the ensemble's normalised score", `{"models":[{"name":"a","status":"FAKE","normalizedPredictionNumber":9},{"name":"q-Ensemble","status":"FAKE","normalizedPredictionNumber":71.5,"finalScore":3}]}`,
			"models[1].normalizedPredictionNumber", "71.5"},
		{"then its final one", `{"models":[{"name":"ensemble","status":"FAKE","normalizedPredictionNumber":null,"finalScore":3}]}`,
			"models[0].finalScore", "3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			score := verdict.Of(result(t, c.json)).Score
			if score == nil || score.Field != c.field || score.Sent != c.sent {
				t.Errorf("got %+v", score)
			}
		})
	}
	t.Run("absent is not zero", func(t *testing.T) {
		v := verdict.Of(result(t, `{"overallStatus":"AUTHENTIC","models":[{"name":"ensemble","status":"AUTHENTIC","finalScore":null,"normalizedPredictionNumber":{"reason":"x"}}]}`))
		if v.Score != nil {
			t.Errorf("a score of %v was made up", v.Score)
		}
		if strings.Contains(v.Line(), "of 100") {
			t.Errorf("line %q", v.Line())
		}
	})
}

func TestEveryReasonHasANextStep(t *testing.T) {
	for _, code := range []string{"relevance", "duration", "detected", "cross-talk", "quality", "language"} {
		medium := client.Audio
		if code == "relevance" {
			medium = client.Image
		}
		v := verdict.Of(result(t, `{"overallStatus":"NOT_APPLICABLE","mediaType":"`+string(medium)+`","resultsSummary":{"metadata":{"reasons":[{"code":"`+code+`","message":"m"}]}}}`))
		if len(v.Reasons) != 1 || v.Reasons[0].NextStep == "" || v.Reasons[0].Message != "m" {
			t.Errorf("%s: %+v", code, v.Reasons)
		}
	}
	t.Run("a recording's code says nothing of what to do with a text", func(t *testing.T) {
		v := verdict.Of(result(t, `{"overallStatus":"NOT_APPLICABLE","mediaType":"TEXT","resultsSummary":{"metadata":{"reasons":[{"code":"quality","message":"Too short."}]}}}`))
		assert.Equal(t, []verdict.Reason{{Code: "quality", Message: "Too short."}}, v.Reasons)
	})
	t.Run("an unknown code shows its message", func(t *testing.T) {
		v := verdict.Of(result(t, `{"overallStatus":"NOT_APPLICABLE","resultsSummary":{"metadata":{"reasons":[{"code":"moon","message":"Too much moon."}]}}}`))
		assert.Equal(t, []verdict.Reason{{Code: "moon", Message: "Too much moon."}}, v.Reasons)
	})
	t.Run("a failure's message is a reason", func(t *testing.T) {
		v := verdict.Of(result(t, `{"overallStatus":"UNABLE_TO_EVALUATE","resultsSummary":{"metadata":{},"error":{"code":"model-error","message":"Upload it again."}}}`))
		if len(v.Reasons) != 1 || v.Reasons[0].Message != "Upload it again." || v.Reasons[0].NextStep == "" {
			t.Errorf("got %+v", v.Reasons)
		}
	})
}

func TestTheNextStepOfAFailureIsSaidOnce(t *testing.T) {
	for _, c := range []struct{ name, json string }{
		{"R7 with a reason that has one", `{"overallStatus":"UNABLE_TO_EVALUATE","resultsSummary":{"error":{"code":"model-error","message":"Please upload the file again."}}}`},
		{"R7 with a reason that has none", `{"overallStatus":"UNABLE_TO_EVALUATE","resultsSummary":{"error":{"code":"other","message":"It took too long."}}}`},
		{"R7 without a reason", `{"overallStatus":"UNABLE_TO_EVALUATE"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdict.Of(result(t, c.json))
			said := v.Sentence
			for _, r := range v.Reasons {
				said += " " + r.Text()
			}
			if n := strings.Count(said, "try a smaller file"); n != 1 {
				t.Errorf("said %d times: %q", n, said)
			}
		})
	}
}

// TestALineStaysALine has parts of an answer that are a hundred thousand, or a megabyte.
func TestALineStaysALine(t *testing.T) {
	const most = 8000 // bytes
	long := strings.Repeat("long ", 200_000)
	for name, json := range map[string]string{
		"reasons":               `{"overallStatus":"NOT_APPLICABLE","resultsSummary":{"metadata":{"reasons":[` + repeated(`{"code":"quality","message":"m%d"}`, 100_000) + `]}}}`,
		"wordy reasons":         `{"overallStatus":"NOT_APPLICABLE","resultsSummary":{"metadata":{"reasons":[{"code":"` + long + `","message":"` + long + `"}]}}}`,
		"languages":             `{"overallStatus":"FAKE","resultsSummary":{"metadata":{"languages":[` + repeated(`"l%d"`, 100_000) + `]}}}`,
		"a release":             `{"overallStatus":"FAKE","releaseVersion":"` + long + `"}`,
		"a status":              `{"overallStatus":"` + long + `"}`,
		"an error":              `{"overallStatus":"FAKE","resultsSummary":{"error":{"code":"` + long + `","message":"` + long + `"}}}`,
		"names of contrary":     `{"overallStatus":"FAKE","models":[{"name":"` + long + `ensemble","status":"AUTHENTIC"}]}`,
		"decisions of contrary": `{"overallStatus":"FAKE","models":[{"name":"ensemble","status":"` + long + `","data":{"decision":"` + long + `"}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			v := verdict.Of(result(t, json))
			said := v.Line() + v.Headline + v.Sentence + v.Agreement + v.Release + strings.Join(v.Languages, "")
			for _, r := range v.Reasons {
				said += r.Code + r.Message + r.NextStep
			}
			if len(said) > most {
				t.Errorf("it takes %d bytes: %.200q…", len(said), said)
			}
		})
	}
	t.Run("nothing is left out of as many as fit", func(t *testing.T) {
		v := verdict.Of(result(t, `{"overallStatus":"NOT_APPLICABLE","resultsSummary":{"metadata":{"languages":[`+repeated(`"l%d"`, 10)+`],"reasons":[`+repeated(`{"message":"m%d"}`, 10)+`]}}}`))
		if len(v.Languages) != 10 || v.Languages[9] != "l9" || len(v.Reasons) != 10 || v.Reasons[9].Message != "m9" {
			t.Errorf("%q, %+v", v.Languages, v.Reasons)
		}
	})
	t.Run("what is left out is counted", func(t *testing.T) {
		v := verdict.Of(result(t, `{"overallStatus":"NOT_APPLICABLE","resultsSummary":{"metadata":{"languages":[`+repeated(`"l%d"`, 12)+`],"reasons":[`+repeated(`{"message":"m%d"}`, 20_010)+`]}}}`))
		if line := v.Line(); !strings.Contains(line, "“m9.” – and 20,000 more") || strings.Contains(line, "m10") {
			t.Errorf("the line is %q", line)
		}
		if got := strings.Join(v.Languages, ", "); !strings.HasSuffix(got, "l9, and 2 more") {
			t.Errorf("the languages are %q", got)
		}
	})
}

// repeated are n copies of a text, each with its number, with commas between.
func repeated(format string, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(all, ",")
}

func TestOfManyModelsThoseThatCountAreListed(t *testing.T) {
	models := func(json string) (names string, more int) {
		listed, more := verdict.Foremost(result(t, `{"models":[`+json+`]}`).Models)
		var all []string
		for _, m := range listed {
			all = append(all, m.Name.String())
		}
		return strings.Join(all, " "), more
	}
	t.Run("as many as a hundred are listed as sent", func(t *testing.T) {
		names, more := models(repeated(`{"name":"a%d","status":"AUTHENTIC"}`, 99) + `,{"name":"ensemble","status":"FAKE"}`)
		if !strings.HasSuffix(names, " a98 ensemble") || more != 0 {
			t.Errorf("%d more than %s", more, names)
		}
	})
	t.Run("of more, the ensemble comes first, then what was flagged", func(t *testing.T) {
		names, more := models(repeated(`{"name":"a%d","status":"AUTHENTIC"}`, 20_000) +
			`,{"name":"s","status":"SUSPICIOUS"},{"name":"opposed","status":"AUTHENTIC","data":{"decision":"ARTIFICIAL"}},{"name":"f","status":"FAKE"},{"name":"x-ensemble","status":"NOT_APPLICABLE"},{"name":"ensemble","status":"AUTHENTIC"}`)
		if !strings.HasPrefix(names, "ensemble opposed f s a0 a1 ") || !strings.HasSuffix(names, " a95") || more != 19_905 {
			t.Errorf("%d more than %s", more, names)
		}
	})
}

// TestNumbersAtTheirEdges has numbers as they were sent, which those outside 0..100 stay.
func TestNumbersAtTheirEdges(t *testing.T) {
	for sent, want := range map[string]string{"-3": "-3", "-1": "-1", "0.0": "0", "0.001": "<0.1", "0.05": "<0.1", "0.1": "0.1", "0.40": "0.4", "0.94": "0.9", "0.96": "1", "1": "1", "1.0": "1", "99.02": "99", "1.4": "1",
		"88.25": "88", "99": "99", "99.4": "99.4", "99.7": "99.7", "99.9": "99.9", "99.95": ">99.9", "99.999": ">99.9", "100.0": "100", "101": "101", "120.50": "120.50"} {
		value, err := strconv.ParseFloat(sent, 64)
		if got := (verdict.Number{Value: value, Sent: sent}).Text(); got != want || err != nil {
			t.Errorf("%s is said as %q, want %q", sent, got, want)
		}
	}
}

func TestModelsAreCountedAndNamedAsFarAsTheyGo(t *testing.T) {
	const ensemble, none = `{"name":"x-img-ensemble","status":"FAKE"},`, `{"name":"a","status":"NOT_APPLICABLE","code":"not_applicable","data":null}`
	for models, want := range map[string]string{
		"":                "no single model reported",
		ensemble + none:   "the only model is not applicable",
		none + "," + none: "none of the 2 models is applicable",
		ensemble + `{"status":"FAKE"},{"status":"FAKE"},{"status":"AUTHENTIC"},{"status":"AUTHENTIC"},{"status":"SUSPICIOUS"},{"status":"UNABLE_TO_EVALUATE"},` + none: "2 of 6 applicable models flagged it; 1 called it suspicious; 1 failed; 1 not applicable",
		`{"status":"FAKE"},{"status":"ANALYZING"},{"status":"ANALYZING"}`:                                                                                              "1 of 3 applicable models flagged it; 2 still running",
	} {
		if got := verdict.Of(result(t, `{"overallStatus":"FAKE","models":[`+models+`]}`)).Agreement; got != want {
			t.Errorf("%s: %q, want %q", models, got, want)
		}
	}
	numbered := func(n int) string {
		names := verdict.Names(result(t, `{"models":[`+repeated(`{"name":"a%d","status":"FAKE"}`, n)+`]}`).Models)
		return fmt.Sprint(len(names), " ", names[0], " ", names[len(names)-1])
	}
	if got := numbered(100) + ", " + numbered(102); got != "100 a0 a99, 101 a0 and 2 more" {
		t.Error(got)
	}
	for sent, want := range map[string]string{"0.73": "models[0].predictionNumber 0.73", "null": " ", `{"a":1}`: `models[0].predictionNumber {"a":1}`} {
		field, said := verdict.RawScore(result(t, `{"models":[{"name":"a","status":"FAKE","predictionNumber":`+sent+`}]}`).Models[0])
		if got := field + " " + said; got != want {
			t.Errorf("of the raw score %s it says %q", sent, got)
		}
	}
	only := result(t, `{"models":[{"name":"a","status":"FAKE","finalScore":12}]}`).Models[0]
	if all := verdict.ModelNumbers(only); len(all) != 1 || all[0].Value != 12 {
		t.Errorf("of a model with one number: %+v", all)
	}
}

func TestTheServicesWordsAreToldFromAssays(t *testing.T) {
	const failed = `{"overallStatus":"UNABLE_TO_EVALUATE","resultsSummary":{"error":{"code":%q,"message":%q}}}`
	for _, c := range []struct{ language, code, message, want string }{
		{"en", "model-error", "Please upload the file again", "The service says: “Please upload the file again.” It may help to try a smaller file."},
		{"en", "", "Please upload the file again.", "The service says: “Please upload the file again.”"},
		{"en", "other", "Why\u202e not?", "The service says: “Why\ufffd not?”"},
		{"en", "other", "He said “no.”", "The service says: “He said “no.””"},
		{"en", "other", "请重新上传。", "The service says: “请重新上传。”"},
		{"en", "other", "Too long (240 s)", "The service says: “Too long (240 s).”"},
		{"en", "model-error", "", "The service gives only a code: model-error. It may help to try a smaller file."},
		{"de", "model-error", "Again", "Der Dienst meldet: „Again.“ Eine kleinere Datei kann helfen."},
		{"es", "model-error", "Again", "El servicio dice: «Again.» Puede ayudar probar con un archivo más pequeño."},
		{"fr", "model-error", "Again", "Le service indique\u00a0: «\u00a0Again.\u00a0» Un fichier plus petit peut aider."},
		{"pt", "model-error", "Again", "O serviço diz: “Again.” Pode ajudar tentar com um arquivo menor."},
	} {
		t.Run(c.language+" "+c.code+" "+c.message, func(t *testing.T) {
			assert.NoError(t, i18n.In(c.language, func() error {
				v := verdict.Of(result(t, fmt.Sprintf(failed, c.code, c.message)))
				if len(v.Reasons) != 1 || v.Reasons[0].Text() != c.want {
					t.Errorf("got %+v", v.Reasons)
				}
				return nil
			}))
		})
	}
	t.Run("a line", func(t *testing.T) {
		v := verdict.Of(result(t, fmt.Sprintf(failed, "model-error", "Upload it again")))
		assert.Equal(t, "Not evaluated: processing failed – The service says: “Upload it again.”", v.Line())
	})
	t.Run("a sentence of Assay's is not quoted", func(t *testing.T) {
		v := verdict.Of(result(t, `{"mediaType":"VIDEO","overallStatus":"NOT_APPLICABLE"}`))
		if len(v.Reasons) != 1 || !strings.HasPrefix(v.Reasons[0].Text(), "The service gives no reasons for clips. ") {
			t.Errorf("got %+v", v.Reasons)
		}
	})
}
