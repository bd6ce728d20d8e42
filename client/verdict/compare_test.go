package verdict_test

import (
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/verdict"
)

const before = `{"overallStatus":"SUSPICIOUS","releaseVersion":"2.14.0","resultsSummary":{"status":"SUSPICIOUS","metadata":{"finalScore":52.10}},"models":[
	{"name":"svc-oak","status":"SUSPICIOUS","normalizedPredictionNumber":61.2},
	{"name":"svc-img-ensemble","status":"SUSPICIOUS","normalizedPredictionNumber":52.1},
	{"name":"svc-pine","status":"AUTHENTIC","normalizedPredictionNumber":19},
	{"name":"svc-old","status":"AUTHENTIC","normalizedPredictionNumber":3},
	{"name":"svc-mixed","status":"FAKE","normalizedPredictionNumber":80},
	{"name":"svc-same","status":"FAKE","normalizedPredictionNumber":7e1},
	{"name":"svc-context","status":"UNABLE_TO_EVALUATE"}]}`

const after = `{"overallStatus":"FAKE","releaseVersion":"2.15.1","resultsSummary":{"status":"FAKE","metadata":{"finalScore":88.35}},"models":[
	{"name":"svc-img-ensemble","status":"FAKE","normalizedPredictionNumber":88.3},
	{"name":"svc-oak","status":"FAKE","normalizedPredictionNumber":93.5},
	{"name":"svc-birch","status":"FAKE","normalizedPredictionNumber":72},
	{"name":"svc-pine","status":"AUTHENTIC","normalizedPredictionNumber":12.25},
	{"name":"svc-mixed","status":"FAKE","finalScore":81},
	{"name":"svc-same","status":"FAKE","normalizedPredictionNumber":70.0},
	{"name":"svc-context","status":"UNABLE_TO_EVALUATE"}]}`

func TestTwoAnswersOnOneContent(t *testing.T) {
	c := verdict.Compare(verdict.Answered{Result: result(t, before)}, verdict.Answered{Result: result(t, after)})
	assert.True(t, c.Changed && c.Earlier.Release == "2.14.0" && c.Later.Release == "2.15.1", "%+v", c)
	assert.True(t, c.Score.Change == "+36.25" && c.Score.Text() == "+36" && c.Score.Before.Sent == "52.10" && c.Score.After.Field == "resultsSummary.metadata.finalScore",
		"the ensemble's score: %+v, %s", c.Score, c.Score.Text())
	want := []struct{ name, change, text, note string }{
		{"svc-img-ensemble", "+36.2", "+36", ""}, {"svc-oak", "+32.3", "+32", ""}, {"svc-birch", "", "", "new"}, {"svc-pine", "-6.75", "−7", ""},
		{"svc-mixed", "", "", "not comparable"}, {"svc-same", "0", "0", ""}, {"svc-context", "", "", "failed"}, {"svc-old", "", "", "gone"},
	}
	assert.True(t, len(c.Models) == len(want), "%d models", len(c.Models))
	for i, w := range want {
		if m := c.Models[i]; m.Name != w.name || m.Score.Change != w.change || m.Score.Text() != w.text || m.Note() != w.note {
			t.Errorf("%d: %s changes by %q (%q), %q; want %+v", i, m.Name, m.Score.Change, m.Score.Text(), m.Note(), w)
		}
	}
	assert.True(t, c.New == 1 && c.Gone == 1 && c.Higher == 1 && c.Lower == 1, "counted %d new, %d gone, %d higher, %d lower", c.New, c.Gone, c.Higher, c.Lower)
	oak := c.Models[1]
	assert.True(t, oak.Score.Before.Field == "models[0].normalizedPredictionNumber" && oak.Score.After.Field == "models[1].normalizedPredictionNumber", "%+v", oak.Score)
	const rest = " 1 model is new, 1 is gone, 1 scores higher, 1 scores lower."
	assert.Equal(t, "The answer went from Suspicious to Likely manipulated; the file did not change."+rest, c.Sentence(true))
	assert.Equal(t, "The answer went from Suspicious to Likely manipulated. It is not known whether the link still leads to the same content."+rest, c.Sentence(false))
}

func TestTheSameAnswerTwice(t *testing.T) {
	c := verdict.Compare(verdict.Answered{Result: result(t, after)}, verdict.Answered{Result: result(t, after)})
	assert.True(t, !c.Changed && c.Score.Change == "0" && c.Score.Direction() == 0, "%+v", c)
	assert.Equal(t, "The answer is Likely manipulated both times; the file did not change. No model is new or scores differently.", c.Sentence(true))
}

func TestAChangeIsTheDifferenceOfTwoNumbers(t *testing.T) {
	of := func(sent string) verdict.Answered {
		score := `,"normalizedPredictionNumber":` + sent
		if sent == "" {
			score = ""
		}
		return verdict.Answered{Result: result(t, `{"overallStatus":"FAKE","models":[{"name":"a","status":"FAKE"`+score+`}]}`)}
	}
	for _, c := range []struct{ from, to, change, text, note string }{
		{"0.1", "0.3", "+0.2", "+0.2", ""},
		{"0.30000000000000004", "0.1", "-0.20000000000000004", "−0.2", ""},
		{"99.98", "99.99", "+0.01", "+<0.1", ""},
		{"1e1", "12", "+2", "+2", ""},
		{"0", "0.0", "0", "0", ""},
		{"null", "12", "", "", "no score reported"},
		{"12", `"12"`, "", "", "no score reported"},
		{"", "", "", "", "no score reported"},
		{"1e-999999999", "50", "", "", "not comparable"}, // a zero with a billion digits
		{"1." + strings.Repeat("1", 100_000), "50", "", "", "not comparable"},
	} {
		m := verdict.Compare(of(c.from), of(c.to)).Models[0]
		if m.Score.Change != c.change || m.Score.Text() != c.text || m.Note() != c.note {
			t.Errorf("%.30s to %.30s: %q, %q, %q; want %+v", c.from, c.to, m.Score.Change, m.Score.Text(), m.Note(), c)
		}
	}
}

func TestModelsOfOneNameArePairedInTheirOrder(t *testing.T) {
	of := func(models string) verdict.Answered {
		return verdict.Answered{Result: result(t, `{"overallStatus":"FAKE","models":[`+models+`]}`)}
	}
	const one, two = `{"name":"a","status":"FAKE","finalScore":10}`, `{"name":"a","status":"FAKE","finalScore":20}`
	c := verdict.Compare(of(one+","+two), of(two))
	assert.True(t, len(c.Models) == 2 && c.Models[0].Score.Change == "+10" && c.Models[1].Note() == "gone", "%+v", c.Models)
}
