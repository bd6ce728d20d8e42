package tree

import (
	"strings"
	"testing"

	"assay/gui/look"
	"assay/gui/present"
)

func TestSearch(t *testing.T) {
	d := setup(t, look.ModeLight, wide)
	d.answer["a"] = sampleAnswer
	d.show("a")
	d.searchFor("SVC")
	if d.hits.Text() != "1 of 4" || d.path.Text() != "models[0].name" {
		t.Errorf("%s at %s", d.hits.Text(), d.path.Text())
	}
	d.focus()
	for _, step := range []struct {
		key        rune
		hits, path string
	}{
		{'n', "2 of 4", "models[1].name"}, {'n', "3 of 4", "models[2].name"}, {'n', "4 of 4", `heatmaps["svc-oak-img"]`},
		{'n', "1 of 4", "models[0].name"}, {'N', "4 of 4", `heatmaps["svc-oak-img"]`},
	} {
		d.rows.TypedRune(step.key)
		d.Until("the next match is chosen", func() bool { return d.path.Text() == step.path })
		if d.hits.Text() != step.hits {
			t.Errorf("%s at %s, want %s", d.hits.Text(), step.path, step.hits)
		}
	}
	t.Run("says that there is none, and nothing without a query", func(t *testing.T) {
		d.searchFor("nowhere")
		if d.hits.Text() != "None found" || !d.next.Disabled() {
			t.Errorf("%q", d.hits.Text())
		}
		d.searchFor("")
		if d.hits.Visible() || d.next.Visible() || len(d.found) > 0 {
			t.Error("hits without a query")
		}
	})
	t.Run("keeps what is typed for the next document", func(*testing.T) {
		d.searchFor("oak")
		d.answer["b"] = `{"x":["oak","OAK"]}`
		d.search.SetText("oak")
		d.details["a"] = `{"y":["oak","OAK"]}`
		d.choice.Select(1)
		d.Until("it is searched", func() bool { return d.hits.Text() == "1 of 2" })
	})
	t.Run("keeps ten thousand matches and says that there are more", func(t *testing.T) {
		d.details["c"] = "[" + strings.Repeat(`"oak",`, 12_000) + `1]`
		d.show("c")
		d.searchFor("oak")
		if d.hits.Text() != "1 of 10,000+" {
			t.Errorf("%q", d.hits.Text())
		}
	})
}

func TestReveal(t *testing.T) {
	d := setup(t, look.ModeLight, wide)
	d.answer["a"], d.details["a"] = sampleAnswer, `{"models":1}`
	d.Show(present.Viewer{ID: "a"})
	d.Reveal("models[1].normalizedPredictionNumber") // before anything is read
	d.Until("it is revealed", func() bool { return d.path.Text() == "models[1].normalizedPredictionNumber" })
	if !d.shows("61.50") || d.rows.marked < 0 {
		t.Errorf("%q", d.texts())
	}
	t.Run("goes back to the answer", func(t *testing.T) {
		d.choice.Select(1)
		d.Until("the details are read", func() bool { return d.open != nil })
		d.Reveal("resultsSummary.metadata.finalScore")
		d.Until("it is revealed", func() bool { return d.path.Text() == "resultsSummary.metadata.finalScore" })
		if d.choice.Selected() != 0 || !d.shows("88.40") {
			t.Errorf("%q", d.texts())
		}
	})
	t.Run("says where there is no such field", func(*testing.T) {
		d.Reveal("models[9].finalScore")
		d.Until("it is said", func() bool { return d.shows("This document has no field models[9].finalScore.") })
	})
	t.Run("finds a field in another document", func(*testing.T) {
		d.RevealIn(1, "models")
		d.Until("it is revealed", func() bool { return d.choice.Selected() == 1 && d.path.Text() == "models" })
	})
}
