package cases

import (
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/store"
)

func TestEntries(t *testing.T) {
	for name, c := range map[string]struct {
		of   store.Case
		want Entry
	}{
		"with nothing in it": {store.Case{ID: "1", Title: "Harbour\nstatement", State: store.CaseOpen}, Entry{ID: "1", Title: "Harbour statement", Detail: "no items"}},
		"with open questions": {store.Case{ID: "2", Title: "Square", State: store.CaseOpen, Items: 11, OpenQuestions: 1, Tags: []string{"night", "square"}},
			Entry{ID: "2", Title: "Square", Detail: "11 items · 1 open question", Tags: "night, square"}},
		"concluded":                          {store.Case{ID: "3", Title: "Interview", State: store.CaseConcluded, Items: 1}, Entry{ID: "3", Title: "Interview", Detail: "1 item", Concluded: true}},
		"with marks that turn the direction": {store.Case{ID: "4", Title: "a\u202eb\x1b[2J"}, Entry{ID: "4", Title: "a\ufffdb\ufffd[2J", Detail: "no items"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, EntryOf(c.of)) })
	}
}

func TestFound(t *testing.T) {
	all := []Entry{{ID: "a", Title: "Harbour statement", Tags: "Port"}, {ID: "b", Title: "Square at night"}, {ID: "c", Title: "Harbour fire", Concluded: true}}
	for name, c := range map[string]struct {
		query Query
		want  string
	}{
		"all that are open":                {Query{}, "a b"},
		"those that are concluded":         {Query{Concluded: true}, "c"},
		"each word, whatever its capitals": {Query{Text: "STATE harb"}, "a"},
		"a tag":                            {Query{Text: "port"}, "a"},
		"none":                             {Query{Text: "fire"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var ids []string
			for _, e := range c.query.Found(all) {
				ids = append(ids, e.ID)
			}
			assert.Equal(t, c.want, strings.Join(ids, " "))
		})
	}
}

func TestTargets(t *testing.T) {
	all := []Entry{{ID: "a", Title: "Harbour statement"}, {ID: "b", Title: "Square at night"}, {ID: "c", Title: "Harbour fire", Concluded: true}}
	for typed, want := range map[string]string{
		"":                       "Harbour statement, Square at night",
		"harbour":                "Harbour statement, New case “harbour”",
		"harbour STATEMENT":      "Harbour statement",
		"Harbour fire":           "New case “Harbour fire”", // one that is concluded takes nothing
		" Voice   notes ":        "New case “Voice notes”",
		strings.Repeat("x", 201): "",
	} {
		var words []string
		for _, target := range Targets(all, typed) {
			words = append(words, target.Words)
		}
		assert.Equal(t, want, strings.Join(words, ", "))
	}
}

func TestWhatWasAdded(t *testing.T) {
	for _, c := range []struct {
		added, all int
		want       string
	}{
		{1, 1, "1 item was added to “Harbour”."}, {3, 3, "3 items were added to “Harbour”."}, {2, 3, "2 items were added to “Harbour”. The others were already there."},
		{0, 1, "It is already in “Harbour”."}, {0, 3, "All of them are already in “Harbour”."},
	} {
		assert.Equal(t, c.want, AddedText(c.added, c.all, "Harbour"))
	}
	assert.Equal(t, "2 files were added to the case.", TakenText(2, ""))
	assert.Equal(t, "1 file was added to the case. Left out: 1 hidden.", TakenText(1, "1 hidden"))
	assert.Equal(t, "Nothing was added. Left out: 1 hidden.", TakenText(0, "1 hidden"))
	assert.Equal(t, "Nothing was added: there is no file in it.", TakenText(0, ""))
}

func TestEvidence(t *testing.T) {
	for typed, want := range map[string]store.Evidence{
		"https://harbour.example/cams":         {Kind: store.EvidenceLink, Value: "https://harbour.example/cams"},
		" HTTP://harbour.example ":             {Kind: store.EvidenceLink, Value: "HTTP://harbour.example"},
		"javascript:alert(1)":                  {Kind: store.EvidenceNote, Value: "javascript:alert(1)"},
		"https://harbour.example and the pier": {Kind: store.EvidenceNote, Value: "https://harbour.example and the pier"},
		"the cranes' numbers":                  {Kind: store.EvidenceNote, Value: "the cranes' numbers"},
	} {
		got, ok := evidenceOf(typed)
		assert.True(t, ok, "%q is no evidence", typed)
		assert.Equal(t, want, got)
	}
	if _, ok := evidenceOf("  "); ok {
		t.Error("nothing is evidence")
	}
	assert.Equal(t, "file with SHA-256 0a0a0a0a0a0a0a0a…", evidenceText(fileEvidence(strings.Repeat("0a", 32))))
}

func TestWhatHappened(t *testing.T) {
	at := testNow.Add(-time.Hour)
	events := []store.CaseEvent{
		{Kind: store.CaseReopened, By: "Maria", At: at},
		{Kind: store.CaseClosed, By: "Maria", At: at},
		{Kind: store.CaseDrawn, Text: "We don't run it.", At: at},
		{Kind: store.CaseAnswered, About: "q", Text: "Pier 4", By: "Jonas", At: at},
		{Kind: store.CaseAnswered, About: "gone", Text: "Pier 5", At: at},
		{Kind: store.CaseAsked, Text: "Where was\nthis taken?", At: at},
		{Kind: store.CaseChecked, Check: store.CheckPlace, Text: "Pier 4", At: at},
		{Kind: store.CaseTagged, At: at},
		{Kind: store.CaseTagged, Text: "port", At: at},
		{Kind: store.CaseRenamed, Text: "Harbour", At: at},
		{Kind: store.CaseNoted, Text: "A\nnote\u202e", At: at},
		{Kind: store.CaseItemRemoved, Text: "b.jpg", At: at},
		{Kind: store.CaseItemAdded, Text: "d.jpg", By: "Maria", At: at.Add(time.Minute)},
		{Kind: store.CaseItemAdded, Text: "c.jpg", By: "Maria", At: at},
		{Kind: store.CaseItemAdded, Text: "b.jpg", By: "Maria", At: at},
		{Kind: store.CaseItemAdded, Text: "a.jpg", By: "Jonas", At: at},
		{Kind: store.CaseCreated, Text: "Harbour", By: "Jonas", At: at},
	}
	k := Kept{Events: events, Questions: []store.CaseQuestion{{ID: "q", Text: "Where was\nthis taken?"}}}
	var said []string
	for _, e := range eventsOf(k, testNow) {
		said = append(said, e.Who+": "+e.Text)
		if e.When != "60 min ago" && e.When != "1 h ago" && e.When != "59 min ago" {
			t.Errorf("%q was %s", e.Text, e.When)
		}
	}
	assert.Equal(t, []string{
		"Maria: Reopened the case", "Maria: Concluded the case", ": Wrote the conclusion: We don't run it.", "Jonas: Answered “Where was this taken?”: Pier 4",
		": Answered: Pier 5", ": Asked: Where was this taken?", ": Finding for Place: Pier 4", ": Removed all tags", ": Tags: port", ": New title: Harbour",
		": A\nnote\ufffd", ": Removed b.jpg", "Maria: Added d.jpg", "Maria: Added 2 items: b.jpg and c.jpg", "Jonas: Added a.jpg", "Jonas: Created the case",
	}, said)
	assert.Equal(t, len(said), Groups(events))
}

func TestACaseAsItIsShown(t *testing.T) {
	at := testNow.Add(-2 * time.Minute)
	c := CaseOf(Kept{
		Case: store.Case{ID: "1", Title: "Harbour", By: "Maria", Created: at, State: store.CaseConcluded, Tags: []string{"port", "elections"}, Items: 2, OpenQuestions: 1,
			Conclusion: store.Conclusion{Text: "No.\r\nNever.", By: "Maria", At: at}},
		Items: []string{"a", "b"},
		Notes: []store.CaseNote{{Text: "A note"}, {Kind: store.CheckPlace, Text: "Pier 4", By: "Jonas", At: at}, {Kind: store.CheckPlace, Text: "Pier\n5", At: at},
			{Kind: "of a later version", Text: "something", At: at}},
		Questions: []store.CaseQuestion{
			{ID: "q", Text: "Where?", By: "Maria", At: at, Answers: []store.CaseAnswer{{Text: "Pier 3", At: at}, {Text: "Pier 4", By: "Jonas", At: at, Evidence: []store.Evidence{{Kind: store.EvidenceNote, Value: "cranes"}}}}},
			{ID: "r", Text: "When?", At: at}},
	}, testNow)
	assert.Equal(t, "2 items · 1 open question · created: Maria, 2 min ago", c.Detail)
	assert.Equal(t, "port, elections", c.TagText())
	assert.Equal(t, Finding{Text: "No.\nNever.", Who: "Maria, 2 min ago"}, c.Conclusion)
	assert.Equal(t, 2, c.Noted())
	place, other := c.Checks[2], c.Checks[len(c.Checks)-1]
	assert.Equal(t, Check{Kind: store.CheckPlace, Name: "Place", Found: []Finding{{"Pier 4", "Jonas, 2 min ago"}, {"Pier\n5", "2 min ago"}}}, place)
	assert.Equal(t, "Pier 5", place.Line())
	assert.Equal(t, "empty", c.Checks[0].Line())
	assert.Equal(t, "of a later version", other.Name)
	assert.Equal(t, []Question{
		{ID: "r", Text: "When?", Asked: "2 min ago"},
		{ID: "q", Text: "Where?", Asked: "Maria, 2 min ago", Answers: []Finding{{"Pier 3", "2 min ago"}, {"Pier 4", "Jonas, 2 min ago"}}, Evidence: "cranes"},
	}, c.Questions)
}
