package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"assay/client/verdict"
)

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
	t.Run("what is left out is counted", func(t *testing.T) {
		v := verdict.Of(result(t, `{"overallStatus":"NOT_APPLICABLE","resultsSummary":{"metadata":{"languages":[`+repeated(`"l%d"`, 12)+`],"reasons":[`+repeated(`{"message":"m%d"}`, 20_010)+`]}}}`))
		if line := v.Line(); !strings.Contains(line, "m9 – and 20,000 more") || strings.Contains(line, "m10") {
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

func TestNumbersAtTheirEdges(t *testing.T) {
	for value, want := range map[float64]string{-1: "-1", 0: "0", 0.05: "<0.1", 0.1: "0.1", 0.94: "0.9", 1: "1", 1.4: "1", 99: "99", 99.4: "99.4", 99.9: "99.9", 99.95: ">99.9", 100: "100", 101: "101"} {
		n := verdict.Number{Value: value, Sent: fmt.Sprint(value)}
		if got := n.Text(); got != want {
			t.Errorf("%v is said as %q, want %q", value, got, want)
		}
	}
}

func TestModelsAreCountedAndNamedAsFarAsTheyGo(t *testing.T) {
	for json, want := range map[string]string{
		`{"overallStatus":"FAKE"}`: "no single model reported",
		`{"overallStatus":"FAKE","models":[{"name":"a","status":"NOT_APPLICABLE"}]}`:                                        "the one model there is does not apply",
		`{"overallStatus":"FAKE","models":[{"name":"a","status":"NOT_APPLICABLE"},{"name":"b","status":"NOT_APPLICABLE"}]}`: "none of 2 models applies",
	} {
		if got := verdict.Of(result(t, json)).Agreement; got != want {
			t.Errorf("%s: %q, want %q", json, got, want)
		}
	}
	numbered := func(n int) string {
		names := verdict.Names(result(t, `{"models":[`+repeated(`{"name":"a%d","status":"FAKE"}`, n)+`]}`).Models)
		return fmt.Sprint(len(names), " ", names[0], " ", names[len(names)-1])
	}
	if got := numbered(100) + ", " + numbered(102); got != "100 a0 a99, 101 a0 and 2 more" {
		t.Error(got)
	}
	only := result(t, `{"models":[{"name":"a","status":"FAKE","finalScore":12}]}`).Models[0]
	if all := verdict.ModelNumbers(only); len(all) != 1 || all[0].Value != 12 {
		t.Errorf("of a model with one number: %+v", all)
	}
}
