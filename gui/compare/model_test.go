package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/gui/compare"
	"assay/gui/present"
)

// rows are a model's rows as they are read: the scores, and the change.
func rows(m compare.Model) (all []string) {
	number := func(e compare.End) string {
		if e.Score == nil {
			return "–"
		}
		return e.Score.Text()
	}
	for _, r := range m.Rows {
		all = append(all, fmt.Sprintf("%s %s %s %s", r.Name, number(r.Ends[0]), number(r.Ends[1]), r.Change))
	}
	return all
}

func TestTwoAnswersOnOneContent(t *testing.T) {
	earlier, later := answer(t, "earlier", hash, 19, earlierAnswer), answer(t, "later", hash, 0, laterAnswer)
	m := compare.Of(later, earlier, true, noon)
	assert.Equal(t, []string{"earlier", "later"}, []string{m.Sides[0].ID, m.Sides[1].ID}) // whichever was named first
	assert.Equal(t, "Two answers for harbour-statement.jpg", m.Title)
	assert.Equal(t, "Same content: SHA-256 aa74f6fd…067463 · both answers are kept", m.Content)
	assert.Equal(t, []string{"Earlier", "Later", "2.14.0", "2.15.1"}, []string{m.Sides[0].Heading, m.Sides[1].Heading, m.Sides[0].Short, m.Sides[1].Short})
	assert.Equal(t, "release 2.14.0 · answered 3 Nov, 12:00", m.Sides[0].About)
	assert.True(t, m.NeedsHuman, "the verdict differs, nobody has looked at it, and it is not said")
	assert.Equal(t, []string{"svc-img-ensemble 52 88 +36", "svc-oak-img 61 94 +32", "svc-cedar-img 58 81 +23", "svc-elm-img 44 77 +33", "svc-birch-img – 72 new", "svc-pine-img 19 12 −7",
		"svc-context-img – – failed"}, rows(m))
	assert.Equal(t, "Not applicable: svc-voice-aud", m.Apart)
	assert.Equal(t, "Not in release 2.14.0: svc-birch-img. Failed both times, so that there is no score and no change: svc-context-img. "+
		"A change of score says how the models changed, not the file.", m.Notes)

	t.Run("every number says where it stands in its answer, and the change is exact", func(t *testing.T) {
		assert.Equal(t, "svc-oak-img\nEarlier: models[1].normalizedPredictionNumber = 61.2\nLater: models[1].normalizedPredictionNumber = 93.5\nChange, exactly: +32.3", m.Rows[1].Source)
		assert.Equal(t, "svc-birch-img\nEarlier: not among the models\nLater: models[4].normalizedPredictionNumber = 72", m.Rows[4].Source)
	})
	t.Run("once a person has seen it, none is needed", func(t *testing.T) {
		assert.True(t, !compare.Of(earlier, later, false, noon).NeedsHuman, "one is")
	})
	t.Run("nor where the verdict is the same", func(t *testing.T) {
		assert.True(t, !compare.Of(later, answer(t, "again", hash, 1, laterAnswer), true, noon).NeedsHuman, "one is")
	})
	t.Run("of one release, the legend tells them apart all the same", func(t *testing.T) {
		m := compare.Of(answer(t, "again", hash, 1, laterAnswer), later, false, noon)
		assert.Equal(t, []string{"Earlier", "Later"}, []string{m.Sides[0].Short, m.Sides[1].Short})
	})
	t.Run("a model that is gone", func(t *testing.T) {
		m := compare.Of(answer(t, "a", hash, 2, laterAnswer), answer(t, "b", hash, 1, earlierAnswer), false, noon)
		assert.True(t, strings.Contains(m.Notes, "No longer in release 2.14.0: svc-birch-img."), "%q", m.Notes)
	})
	t.Run("an answer that was replaced has no heatmaps any more", func(t *testing.T) {
		was := earlier
		was.Was = true
		assert.Equal(t, 0, len(compare.Of(was, later, false, noon).Sides[0].Heatmaps))
	})
	t.Run("marked as graphic, in either", func(t *testing.T) {
		graphic := earlier
		graphic.Of.Graphic = true
		assert.True(t, compare.Of(graphic, later, false, noon).Covered && !m.Covered, "it is not covered, or the other one is")
	})
}

func TestTwoAnswersOnALink(t *testing.T) {
	link := func(id string, days int, raw string) compare.Answer {
		a := answer(t, id, "", days, raw)
		a.Of.Link = "https://clips.example/42"
		return a
	}
	m := compare.Of(link("a", 2, earlierAnswer), link("b", 1, laterAnswer), true, noon)
	assert.True(t, m.Same, "they are not taken for answers on one link")
	assert.Equal(t, "Same link; what it led to may have changed · both answers are kept", m.Content)
	assert.True(t, !strings.Contains(m.Sentence, "did not change"), "it is said that the content is the same: %q", m.Sentence)
}

func TestTwoFilesThatAreNearlyTheSame(t *testing.T) {
	m := compare.Of(answer(t, "a", hash, 0, laterAnswer), answer(t, "b", strings.Repeat("b", 64), 3, earlierAnswer), true, noon)
	assert.Equal(t, []string{"a", "b"}, []string{m.Sides[0].ID, m.Sides[1].ID}) // as they were named
	assert.Equal(t, []string{"Two pictures that are nearly the same", "A hint: each file keeps its own verdict"}, []string{m.Title, m.Content})
	if m.Same || m.Rows != nil || m.Sentence != "" || m.Notes != "" || m.NeedsHuman {
		t.Errorf("something of them is compared: %+v", m)
	}
	t.Run("contents that are not known are not one", func(t *testing.T) {
		assert.True(t, !compare.Of(answer(t, "a", "", 0, laterAnswer), answer(t, "b", "", 1, laterAnswer), false, noon).Same, "they pass for one")
	})
}

func TestVeryManyModels(t *testing.T) {
	many := func(score int) string {
		var models []string
		for i := range 20_000 {
			models = append(models, fmt.Sprintf(`{"name":"m%d","status":"UNABLE_TO_EVALUATE"},{"name":"n%d","status":"NOT_APPLICABLE"},{"name":"s%d","status":"FAKE","finalScore":%d}`, i, i, i, score))
		}
		return `{"mediaType":"IMAGE","overallStatus":"FAKE","models":[` + strings.Join(models, ",") + `]}`
	}
	m := compare.Of(answer(t, "a", hash, 1, many(40)), answer(t, "b", hash, 0, many(60)), false, noon)
	assert.Equal(t, 40_000, len(m.Rows))
	assert.Equal(t, "Not applicable: n0, n1, n2, n3, n4, n5, and 19,994 more", m.Apart)
	assert.True(t, len(m.Notes) < 300, "%d characters of notes", len(m.Notes))
}

func TestPartsOfTwoAnswers(t *testing.T) {
	read := func(text string) *client.AggregationData {
		a, err := client.ReadAggregation([]byte(text))
		assert.NoError(t, err)
		return a
	}
	p := compare.PartsOf(read(`{"chunks":[{"start":0,"end":4,"decision":"AUTHENTIC"}]}`), read(`{"chunks":[{"start":0,"end":4,"decision":"FAKE"},{"start":6,"end":10,"decision":"FAKE"}]}`))
	ends := [2]float64{p.Sides[0].End, p.Sides[1].End}
	assert.Equal(t, [2]float64{4, 10}, ends)
	assert.Equal(t, 10.0, p.Length) // of both, so that one second is at one place
	p = compare.PartsOf(nil, read(`{}`))
	assert.Equal(t, [2]string{"The earlier answer reported nothing of single parts.", "The later answer reported nothing of single parts."}, p.None)
	assert.Equal(t, [2]present.Timeline{}, p.Sides)
}
