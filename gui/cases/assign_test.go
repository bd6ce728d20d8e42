package cases

import (
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
	"assay/gui/guitest"
)

// choose chooses an option of the select with a name in the sheet.
func (d *fixture) choose(name string, option int) {
	d.T.Helper()
	for _, s := range selectsIn(d) {
		if strings.Contains(s.AccessibilityLabel(), name) {
			s.Select(option)
			return
		}
	}
	d.T.Fatalf("there is nothing to choose for %q", name)
}

// assigned is who is to answer the only question of a case.
func (d *fixture) assigned(id string) (all []string) {
	d.T.Helper()
	questions, err := d.store.CaseQuestions(d.T.Context(), id)
	assert.NoError(d.T, err)
	for _, a := range questions[0].Assigned {
		all = append(all, a.To+"|"+a.Login+"|"+a.Due)
	}
	return all
}

func TestAQuestionIsAssigned(t *testing.T) {
	d := setup(t, guitest.Usual)
	id := d.gather("Harbour statement")
	ask := func(text, to, due string) {
		assert.NoError(t, d.store.ChangeCase(t.Context(), id, store.CaseEvent{ID: text, Kind: store.CaseAsked, Text: text, By: "Maria"}))
		if to+due != "" {
			assert.NoError(t, d.store.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseAssigned, About: text, Text: to, Due: due, By: "Maria"}))
		}
	}
	ask("Where?", "", "")
	d.read()
	d.Run("to a name and a day", func(t *testing.T) {
		d.Tap("Assign…")
		d.UntilWords("Assign the question")
		d.Field("A name, or nothing for nobody").SetText("Rui")
		d.choose("By when", 2) // tomorrow
		d.Tap("Assign")
		d.idle()
		assert.Equal(t, []string{"Rui||2026-11-23"}, d.assigned(id))
		d.WantWords("Rui · due tomorrow", "Assigned “Where?” to: Rui · due 23 Nov")
	})
	d.Run("to oneself, by the same day", func(t *testing.T) {
		d.Tap("Take it")
		d.idle()
		assert.Equal(t, []string{"Maria||2026-11-23"}, d.assigned(id))
		d.WantWords("You · due tomorrow")
		d.WantNoWords("Take it")
	})
	d.Run("one's own come first, and what is overdue says so", func(t *testing.T) {
		assert.NoError(t, d.store.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseAssigned, About: "Where?", Text: "Rui", Due: "2026-11-21", By: "Maria"}))
		ask("When?", "maria", "2026-11-22")
		d.read()
		d.WantWords("Rui · overdue, was due 21 Nov", "You · due today")
		words := d.Words()
		if strings.Index(words, "When?\n") > strings.Index(words, "Where?\n") {
			t.Errorf("one's own is not first:\n%s", words)
		}
	})
	d.Run("what is answered is assigned to nobody", func(*testing.T) {
		assert.NoError(t, d.store.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseAnswered, About: "Where?", Text: "Pier 4", By: "Rui"}))
		assert.NoError(t, d.store.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseAnswered, About: "When?", Text: "At noon", By: "Rui"}))
		d.read()
		d.WantNoWords("Assign…", "Take it", "due today")
	})
}

func TestTwoTakeAQuestionAtTheSameTime(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.join()
	id := d.gather("Harbour statement")
	assert.NoError(t, d.store.ChangeCase(t.Context(), id, store.CaseEvent{ID: "q", Kind: store.CaseAsked, Text: "Where?", By: "Ines"}))
	assert.NoError(t, d.store.ShareCase(t.Context(), id, desk.ShareAnswer))
	d.read()
	d.Tap("Take it")
	d.idle()
	d.ruiAbout(desk.IDOf("q"), id, 1000, desk.Assign, desk.Body{To: "rui", Due: "2026-11-22"})
	d.read()
	d.WantWords("You", "Rui Costa · due today", "They were assigned at the same time.")
	d.Run("and one of them is chosen, of the desk's people", func(t *testing.T) {
		d.Tap("Assign…")
		d.UntilWords("Assign the question")
		d.choose("Who answers it", 1)
		d.choose("By when", 0)
		d.Tap("Assign")
		d.idle()
		assert.Equal(t, []string{"Ines|ines|"}, d.assigned(id))
		d.WantWords("You")
		d.WantNoWords("They were assigned at the same time.", "due today")
	})
}
