package gui

import (
	"slices"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/viewer/feedback"
)

// selectedAnswers shows three results, all selected: two with a verdict, and one that is not assessable.
func selectedAnswers(t *testing.T) *fixture {
	t.Helper()
	d := setup(t)
	d.drop(absolutePicture(t, "mountains-spliced.jpg"), absolutePicture(t, "generated.png"), absolutePicture(t, "poster.png"))
	d.Until("all are answered", func() bool { return len(d.listed()) == 3 })
	d.showResults()
	d.results.SelectAll()
	return d
}

// given is the feedback on all that was handed over.
func (d *fixture) given() (all []store.Feedback) {
	d.T.Helper()
	for _, s := range d.Queue.All() {
		of, err := d.Store.FeedbackOf(d.T.Context(), s.RequestID)
		assert.NoError(d.T, err)
		all = append(all, of...)
	}
	return all
}

func TestManyResultsAreJudgedTogether(t *testing.T) {
	d := selectedAnswers(t)
	judge := func(answer string) {
		d.press("Judge…")
		d.reads("Agree sends: ")
		d.press(answer)
	}
	t.Run("what is sent is said first, and what is left out", func(t *testing.T) {
		d.press("Judge…")
		d.reads("Judge 2 results")
		d.reads("Left out: 1 has no verdict.")
		if words := guitest.Words(d.top()); strings.Contains(words, feedback.FeedbackNotice) {
			t.Error("the sandbox sends nothing, and it is said that a name goes along")
		}
		d.sheet.Close()
		d.Sandbox = false
		defer func() { d.Sandbox = true }()
		d.press("Judge…")
		d.reads(feedback.FeedbackNotice)
		d.sheet.Close()
		assert.Equal(t, 0, len(d.given()))
	})
	t.Run("what is undone is not sent", func(t *testing.T) {
		judge("Disagree")
		d.reads("You disagree with 2 results")
		assert.Equal(t, 2, len(d.given())) // on disk: a crash loses none
		d.undo.Undo()
		d.Until("none is left", func() bool { return len(d.given()) == 0 })
	})
	t.Run("each is judged as by its own click", func(t *testing.T) {
		judge("Agree")
		d.reads("You agree with 2 results")
		for _, f := range d.given() {
			assert.Equal(t, client.Confirmation, f.Category)
		}
		assert.Equal(t, 2, len(d.given()))
	})
	t.Run("nothing is judged twice", func(*testing.T) {
		d.press("Judge…")
		d.reads("Nothing to judge")
		d.reads("2 were judged before")
		d.sheet.Close()
	})
}

func TestManyResultsGetANote(t *testing.T) {
	d := selectedAnswers(t)
	notes := func() (all []string) {
		for _, s := range d.Queue.All() {
			kept, _, err := d.Store.Get(t.Context(), s.ID)
			assert.NoError(t, err)
			all = append(all, kept.Note)
		}
		slices.Sort(all)
		return all
	}
	first := d.Queue.All()[0].ID
	assert.NoError(t, d.Store.SetNote(t.Context(), first, "from Ada"))
	add := func(note string) {
		guitest.ButtonIn(d.results.Object(), "More").Tapped(nil) // of the selection
		guitest.MenuItem(d.top(), "Note…").Tapped(nil)
		d.reads("Note for 3 results")
		d.typeIn(note)
		d.press("Add note")
	}
	add("the harbour")
	d.reads("Note added to 3 results")
	want := []string{"from Ada · the harbour", "the harbour", "the harbour"}
	assert.True(t, slices.Equal(notes(), want), "notes: %q", notes())
	d.undo.Undo()
	d.Until("all are as before", func() bool { return slices.Equal(notes(), []string{"", "", "from Ada"}) })

	add(strings.Repeat("x", 495))
	d.reads("would be too long, and stays as it is.")
	assert.True(t, slices.Contains(notes(), "from Ada"), "the note that was there: %q", notes())
}
