package store_test

import (
	"errors"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
)

// assignedTo is who is to answer a question, and by when.
func assignedTo(q store.CaseQuestion) (line string) {
	for _, a := range q.Assigned {
		line += ", " + strings.Join([]string{a.To, a.Login, a.Due}, "|")
	}
	return line
}

// toDo are the questions of a case, with who is to answer them.
func toDo(t *testing.T, s *store.Store, caseID string) (lines []string) {
	t.Helper()
	questions, err := s.CaseQuestions(t.Context(), caseID)
	assert.NoError(t, err)
	for _, q := range questions {
		lines = append(lines, q.Text+assignedTo(q))
	}
	return lines
}

func TestQuestionsAreAssigned(t *testing.T) {
	s := setup(t)
	id := newCase(t, s, "Bridge")
	assert.NoError(t, s.ChangeCase(t.Context(), id, store.CaseEvent{ID: "q", Kind: store.CaseAsked, Text: "Where?"}))
	assign := func(about, to, due string) error {
		return s.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseAssigned, About: about, Text: to, Due: due, By: "Anna"})
	}
	assert.Equal(t, []string{"Where?"}, toDo(t, s, id))
	assert.NoError(t, assign("q", " Rui ", "2026-11-27"))
	assert.Equal(t, []string{"Where?, Rui||2026-11-27"}, toDo(t, s, id))
	assert.NoError(t, assign("q", "Zoe", ""))
	assert.Equal(t, []string{"Where?, Zoe||"}, toDo(t, s, id))
	for _, due := range []string{"Friday", "2026-02-30", "0001-01-01", "2026-11-27T10:00:00Z"} {
		if err := assign("q", "Rui", due); !errors.Is(err, store.ErrNoDay) {
			t.Errorf("by %s: %v", due, err)
		}
	}
	if err := assign("another", "Rui", ""); !errors.Is(err, store.ErrNoQuestion) {
		t.Errorf("another question: %v", err)
	}
	assert.Equal(t, []string{"Where?, Zoe||"}, toDo(t, s, id))
	assert.NoError(t, assign("q", "", ""))
	assert.Equal(t, []string{"Where?"}, toDo(t, s, id))
}

func TestColleaguesTakeQuestions(t *testing.T) {
	c := newColleagues(t, "anna", "rui", "zoe")
	anna, rui := c.stores[0], c.stores[1]
	id := newCase(t, anna, "Bridge")
	there := desk.IDOf(id).String()
	cases := []string{id, there, there}
	assign := func(i int, question int, to, due string) {
		t.Helper()
		questions, err := c.stores[i].CaseQuestions(t.Context(), cases[i])
		assert.NoError(t, err)
		assert.NoError(t, c.stores[i].ChangeCase(t.Context(), cases[i], store.CaseEvent{Kind: store.CaseAssigned, About: questions[question].ID, Text: to, Due: due, By: "X"}))
	}
	all := func(want ...string) {
		t.Helper()
		c.sync()
		for i := range cases {
			assert.Equal(t, want, toDo(t, c.stores[i], cases[i]))
		}
	}
	// Before it is shared, by an ID that is no UUID, as the subcommands give them, and to a name that turns out to be a member's.
	assert.NoError(t, anna.ChangeCase(t.Context(), id, store.CaseEvent{ID: "q", Kind: store.CaseAsked, Text: "Where?"}))
	assign(0, 0, "Nobody yet", "")
	assign(0, 0, "rui", "2026-11-27")
	assert.NoError(t, anna.ShareCase(t.Context(), id, desk.ShareAnswer))
	c.sync()
	assert.Equal(t, []string{"Where?, RUI|rui|2026-11-27"}, toDo(t, rui, there))

	assign(1, 0, "anna", "2026-11-28") // by their login
	all("Where?, ANNA|anna|2026-11-28")
	assign(0, 0, "Zoe", "") // as they are called, in other capitals
	all("Where?, ZOE|zoe|")
	assign(0, 0, "The harbour's press office", "2026-12-01") // who is no member
	all("Where?, The harbour's press office||2026-12-01")

	// Two take it at a time, one of them after more than the other has done: both are shown, the same everywhere.
	assign(0, 0, "anna", "")
	assert.NoError(t, rui.ChangeCase(t.Context(), there, store.CaseEvent{Kind: store.CaseNoted, Text: "a note"}))
	assign(1, 0, "rui", "2026-11-30")
	all("Where?, RUI|rui|2026-11-30, ANNA|anna|")
	// Whoever assigns it next has seen both.
	assign(2, 0, "zoe", "")
	all("Where?, ZOE|zoe|")
	// Somebody lets go of it while another takes it.
	assign(2, 0, "", "")
	assign(1, 0, "rui", "")
	all("Where?, RUI|rui|")

	// What happened has all of it, for everybody.
	for i := range cases {
		n := 0
		events, _, err := c.stores[i].CaseEvents(t.Context(), cases[i], store.CaseCursor{}, 100)
		assert.NoError(t, err)
		for _, e := range events {
			if e.Kind == store.CaseAssigned {
				n++
			}
		}
		assert.Equal(t, 10, n)
	}
	// Who leaves the desk still knows who does what.
	assert.NoError(t, rui.LeaveDesk(t.Context()))
	assert.Equal(t, []string{"Where?, RUI|rui|"}, toDo(t, rui, there))
}

// answersTo are the answers to a question, the present one last.
func answersTo(q store.CaseQuestion) (line string) {
	for _, a := range q.Answers {
		line += ", answered " + a.Text
	}
	return line
}
