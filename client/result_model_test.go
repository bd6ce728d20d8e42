package client_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/plain"
)

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		result   string
		status   client.Status
		terminal bool
	}{
		{`{"overallStatus":"AUTHENTIC"}`, client.Authentic, true},
		{`{"overallStatus":"FAKE"}`, client.Fake, true},
		{`{"overallStatus":"SUSPICIOUS"}`, client.Suspicious, true},
		{`{"overallStatus":"NOT_APPLICABLE"}`, client.NotApplicable, true},
		{`{"overallStatus":"UNABLE_TO_EVALUATE"}`, client.UnableToEvaluate, true},
		{`{"resultsSummary":{"status":"FAKE"}}`, client.Fake, true},
		{`{"overallStatus":"","resultsSummary":{"status":"AUTHENTIC"}}`, client.Authentic, true},
		{`{"overallStatus":"ANALYZING"}`, client.Analyzing, false},
		{`{"overallStatus":"DOWNLOADING","resultsSummary":null,"models":[]}`, client.Downloading, false},
		{`{"overallStatus":""}`, "", false},
		{`{"overallStatus":null,"resultsSummary":null}`, "", false},
		{`{"overallStatus":null,"resultsSummary":{"status":null}}`, "", false},
		{`{}`, "", false},
		{`{"overallStatus":"PROCESSING"}`, "PROCESSING", false},
		{`{"overallStatus":"QUEUED"}`, "QUEUED", false},
		{`{"overallStatus":"UNKNOWN"}`, "UNKNOWN", false},
		{`{"overallStatus":"fake"}`, "fake", false},
		{`{"overallStatus":"VERY_NEW"}`, "VERY_NEW", false},
	} {
		t.Run("R5 only the five values end the wait: "+c.result, func(t *testing.T) {
			r := fetch(t, c.result)
			if r.Status() != c.status || r.Status().Terminal() != c.terminal || r.Final() != c.terminal {
				t.Errorf("status %q, terminal %v, final %v", r.Status(), r.Status().Terminal(), r.Final())
			}
		})
	}
}

func TestSummary(t *testing.T) {
	for _, c := range []struct {
		name, summary string
		want          *client.Summary
	}{
		{"all of it", `{"metadata":{"languages":["English","Portuguese"],"finalScore":12.5,"reasons":[{"code":"language","message":"Spanish."}]}}`,
			&client.Summary{Metadata: client.Metadata{Languages: []plain.Text{plain.From("English"), plain.From("Portuguese")}, FinalScore: client.NewScore(12.5),
				Reasons: []client.Reason{{Code: plain.From("language"), Message: plain.From("Spanish.")}}}}},
		{"languages alone", `{"metadata":{"languages":["Spanish"]}}`, &client.Summary{Metadata: client.Metadata{Languages: []plain.Text{plain.From("Spanish")}}}},
		{"a score alone", `{"metadata":{"finalScore":0}}`, &client.Summary{Metadata: client.Metadata{FinalScore: client.NewScore(0)}}},
		{"an empty object", `{"metadata":{}}`, &client.Summary{}},
		{"null", `{"metadata":null}`, &client.Summary{}},
		{"missing", `{}`, &client.Summary{}},
		{"a text instead", `{"status":"FAKE","metadata":"none"}`, &client.Summary{Status: client.Fake}},
		{"a part of another type", `{"status":"FAKE","metadata":{"languages":"English","reasons":{"code":"x"},"finalScore":3}}`,
			&client.Summary{Status: client.Fake, Metadata: client.Metadata{FinalScore: client.NewScore(3)}}},
		{"no summary", `null`, nil},
	} {
		t.Run("R6 each part of the metadata is optional: "+c.name, func(t *testing.T) {
			got := fetch(t, `{"requestId":"r1","resultsSummary":`+c.summary+`}`)
			if diff := cmp.Diff(c.want, got.ResultsSummary, sameScores); diff != "" || got.RequestID != "r1" {
				t.Errorf("the summary (-want +got):\n%s", diff)
			}
		})
	}

	t.Run("R7 the code and message of UNABLE_TO_EVALUATE are read", func(t *testing.T) {
		r := fetch(t, `{"overallStatus":"UNABLE_TO_EVALUATE","resultsSummary":{"status":"UNABLE_TO_EVALUATE","metadata":{},
			"error":{"code":"model-error","message":"Please upload the file again."}}}`)
		want := &client.Failure{Code: plain.From("model-error"), Message: plain.From("Please upload the file again.")}
		if diff := cmp.Diff(want, r.ResultsSummary.Failure); diff != "" || !r.Final() {
			t.Errorf("the error (-want +got):\n%s", diff)
		}
	})
}

// only is the one model of a result that has it alone.
func only(t *testing.T, model string) client.Model {
	t.Helper()
	r := fetch(t, `{"requestId":"r1","overallStatus":"FAKE","models":[`+model+`]}`)
	if len(r.Models) != 1 || r.RequestID != "r1" || r.Status() != client.Fake {
		t.Fatalf("got %+v", r)
	}
	return r.Models[0]
}

func TestModel(t *testing.T) {
	type number struct {
		value float64
		ok    bool
	}
	scores := []struct {
		sent string
		want number
	}{
		{`0`, number{0, true}}, {`1`, number{1, true}}, {`0.5`, number{0.5, true}}, {`-0.25`, number{-0.25, true}}, {`1.75`, number{1.75, true}},
		{`5e-324`, number{5e-324, true}}, {`100`, number{100, true}}, {`0.10`, number{0.1, true}},
		{`null`, number{}}, {`"0.5"`, number{}}, {`{"reason":"short","decision":"NOT_EVALUATED"}`, number{}}, {`[0.5]`, number{}}, {`true`, number{}}, {`1e999`, number{}},
	}
	for _, field := range []struct {
		name string
		of   func(client.Model) client.Score
	}{
		{"predictionNumber", func(m client.Model) client.Score { return m.Prediction }},
		{"normalizedPredictionNumber", func(m client.Model) client.Score { return m.Normalized }},
		{"rollingAvgNumber", func(m client.Model) client.Score { return m.Rolling }},
		{"finalScore", func(m client.Model) client.Score { return m.Final }},
	} {
		for _, c := range scores {
			t.Run(fmt.Sprintf("R9 a score is a number as sent, or none: %s %s", field.name, c.sent), func(t *testing.T) {
				score := field.of(only(t, `{"name":"m","status":"FAKE","`+field.name+`":`+c.sent+`,"code":"c"}`))
				value, ok := score.Number()
				if (number{value, ok}) != c.want || score.Sent() != c.sent {
					t.Errorf("got %v, %v, sent %s", value, ok, score.Sent())
				}
				if again, err := score.MarshalJSON(); err != nil || string(again) != c.sent {
					t.Errorf("it is written as %s, %v", again, err)
				}
			})
		}
		t.Run("R9 an absent score is none, never 0: "+field.name, func(t *testing.T) {
			score := field.of(only(t, `{"name":"m","status":"FAKE"}`))
			if value, ok := score.Number(); ok || value != 0 || score.Sent() != "" {
				t.Errorf("got %v, %v, sent %q", value, ok, score.Sent())
			}
			if written, err := score.MarshalJSON(); err != nil || string(written) != "null" {
				t.Errorf("it is written as %s, %v", written, err)
			}
		})
	}

	t.Run("R11 the status is an open list", func(t *testing.T) {
		for _, status := range []client.Status{client.Fake, client.Authentic, client.Suspicious, client.NotApplicable, client.UnableToEvaluate, client.Analyzing, "BRAND_NEW"} {
			if got := only(t, `{"name":"m","status":"`+string(status)+`"}`).Status; got != status {
				t.Errorf("%s became %s", status, got)
			}
		}
	})
	t.Run("R11 ANALYZING with null scores is a model still running", func(t *testing.T) {
		r := fetch(t, `{"overallStatus":"FAKE","models":[{"name":"a","status":"ANALYZING","predictionNumber":null},{"name":"b","status":"FAKE"},{"name":"c","status":"ANALYZING"}]}`)
		if r.Running() != 2 || r.Final() {
			t.Errorf("%d run, final %v", r.Running(), r.Final())
		}
	})

	for _, c := range []struct{ sent, code, message string }{
		{`{"code":"e1","message":"Too late."}`, "e1", "Too late."},
		{`{"message":"Too late."}`, "", "Too late."},
		{`{"error":{"code":"e2","message":"Inside."}}`, "e2", "Inside."},
		{`"Too late."`, "", "Too late."},
		{`null`, "", ""}, {`{}`, "", ""}, {`12`, "", ""}, {`[]`, "", ""},
	} {
		t.Run("R12 a model's error is an object, a text or null: "+c.sent, func(t *testing.T) {
			m := only(t, `{"name":"m","status":"UNABLE_TO_EVALUATE","error":`+c.sent+`}`)
			if code, message := m.FailureText(); code.String() != c.code || message.String() != c.message || string(m.Failure) != c.sent {
				t.Errorf("got %q, %q of %s", code, message, m.Failure)
			}
		})
	}
	t.Run("R12 no error at all says nothing", func(t *testing.T) {
		if code, message := only(t, `{"name":"m","status":"FAKE"}`).FailureText(); !code.IsZero() || !message.IsZero() {
			t.Errorf("got %q, %q", code, message)
		}
	})

	for _, c := range []struct{ sent, decision string }{
		{`{"decision":"ARTIFICIAL","score":0.9,"raw_score":0.8}`, "ARTIFICIAL"},
		{`{"decision":"AUTHENTIC"}`, "AUTHENTIC"},
		{`{"decision":7,"score":{}}`, ""}, {`{"deep":{"decision":"ARTIFICIAL"}}`, ""},
		{`{}`, ""}, {`null`, ""}, {`[1,2]`, ""}, {`"ARTIFICIAL"`, ""}, {`3.5`, ""}, {`false`, ""},
	} {
		t.Run("R13 data of any shape is kept, and the decision read where it is: "+c.sent, func(t *testing.T) {
			m := only(t, `{"name":"m","status":"FAKE","data":`+c.sent+`}`)
			if m.Decision().String() != c.decision || string(m.Data) != c.sent {
				t.Errorf("got %q of %s", m.Decision(), m.Data)
			}
		})
	}

	t.Run("R14 model names are the response's, whatever they are", func(t *testing.T) {
		r := fetch(t, `{"models":[{"name":"acme-7"},{"name":"Modèle"},{"status":"FAKE"},{},null,3,{"name":"acme-7"}]}`)
		var names []string
		for _, m := range r.Models {
			names = append(names, m.Name.String())
		}
		assert.Equal(t, []string{"acme-7", "Modèle", "", "acme-7"}, names)
	})
	for _, c := range []struct{ name, models, want string }{
		{"of whatever prefix", `{"name":"svc-oak-img","status":"FAKE"},{"name":"acme-hologram-ensemble","status":"FAKE"}`, "acme-hologram-ensemble"},
		{"in whatever case", `{"name":"Ensemble","status":"FAKE"}`, "Ensemble"},
		{"the one that applies", `{"name":"svc-img-ensemble","status":"NOT_APPLICABLE"},{"name":"svc-vid-ensemble","status":"FAKE"},
			{"name":"svc-aud-ensemble","status":"FAKE","code":"not_applicable"}`, "svc-vid-ensemble"},
		{"none where there is none", `{"name":"svc-oak-img","status":"FAKE"}`, ""},
		{"none where two apply", `{"name":"a-ensemble","status":"FAKE"},{"name":"b-ensemble","status":"FAKE"}`, ""},
		{"none where three apply", `{"name":"a-ensemble","status":"FAKE"},{"name":"b-ensemble","status":"FAKE"},{"name":"c-ensemble","status":"FAKE"}`, ""},
		{"none that does not apply", `{"name":"a-ensemble","status":"NOT_APPLICABLE"}`, ""},
	} {
		t.Run("R14 the ensemble is recognised without a list: "+c.name, func(t *testing.T) {
			got, ok := fetch(t, `{"models":[`+c.models+`]}`).Ensemble()
			if got.Name.String() != c.want || ok != (c.want != "") {
				t.Errorf("got %q, %v", got.Name, ok)
			}
		})
	}
}
