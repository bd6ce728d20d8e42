package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
	"assay/client/submission"
)

// judge says what one of them takes a result to be; it is on its way to the service.
func (c *colleagues) judge(i int, requestID string, label client.Label, comment string) {
	c.t.Helper()
	f, err := c.stores[i].AddFeedback(c.t.Context(), store.Feedback{Feedback: client.Feedback{RequestID: requestID, Label: label, Comment: comment}})
	assert.NoError(c.t, err)
	f.State = store.FeedbackSending
	assert.NoError(c.t, c.stores[i].SaveFeedback(c.t.Context(), f))
}

// judgements are those that one of them sees in a case.
func (c *colleagues) judgements(i int, caseID string) []store.Judgement {
	c.t.Helper()
	all, err := c.stores[i].Judgements(c.t.Context(), caseID)
	assert.NoError(c.t, err)
	return all
}

// judgementLines are what one of them sees of the judgements in a case, a line for each.
func (c *colleagues) judgementLines(i int, caseID string) string {
	c.t.Helper()
	var lines []string
	for _, j := range c.judgements(i, caseID) {
		line := fmt.Sprintf("%s: %s %q of %s %s", j.By, j.Label, j.Comment, j.Status, j.Release)
		for _, s := range j.SignOffs {
			line += fmt.Sprintf(", signed off by %s for %s", s.By, s.Release)
			if s.Void {
				line += " (void)"
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// answeredAgain is another answer on the content of a submission.
func answeredAgain(t *testing.T, id, of string, status client.Status, release string) submission.Submission {
	t.Helper()
	sub := ofGate(t, id, submission.GateSend)
	sub.SHA256 = contentOf(of)
	sub.Result = result(t, fmt.Sprintf(`{"requestId": "request-%s", "overallStatus": %q, "releaseVersion": %q}`, id, status, release))
	return sub
}

func TestASecondPersonSignsOff(t *testing.T) {
	c := newColleagues(t, "anna", "rui", "zoe")
	anna, rui, zoe := c.stores[0], c.stores[1], c.stores[2]
	id := newCase(t, anna, "A bridge")
	there := desk.IDOf(id).String()
	add(t, anna, ofGate(t, "bridge", submission.GateSend))
	_, err := anna.AddToCase(t.Context(), id, []string{"bridge"}, "Anna")
	assert.NoError(t, err)
	c.judge(0, "request-bridge", client.LabelReal, "before it was shared")
	refused := func(t *testing.T, want, err error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%v instead of %v", err, want)
		}
	}

	t.Run("a case of one's own has no judgements to sign off, and can't require it", func(t *testing.T) {
		assert.Equal(t, "", c.judgementLines(0, id))
		refused(t, store.ErrNotShared, anna.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseSignOffRequired}))
	})
	t.Run("she is told that what she has said of it would be shared", func(t *testing.T) {
		of, err := anna.SharingOf(t.Context(), id)
		assert.NoError(t, err)
		assert.Equal(t, store.Sharing{Shared: 1, Notes: 1}, of)
	})
	assert.NoError(t, anna.ShareCase(t.Context(), id, desk.ShareAnswer))
	t.Run("what was judged before is shared with the case", func(t *testing.T) {
		c.sync()
		assert.Equal(t, `ANNA: REAL "before it was shared" of FAKE 2.1`, c.judgementLines(1, there))
	})
	t.Run("who judges anew replaces what they had said", func(t *testing.T) {
		c.judge(0, "request-bridge", client.LabelManipulated, "the railing")
		assert.Equal(t, `ANNA: MANIPULATED "the railing" of FAKE 2.1`, c.judgementLines(0, id))
		c.sync()
		assert.Equal(t, c.judgementLines(0, id), c.judgementLines(1, there))
		item, err := rui.CaseItems(t.Context(), there)
		assert.NoError(t, err)
		assert.Equal(t, item[0], c.judgements(1, there)[0].Item)
	})
	t.Run("not who judged, not who only reads or edits, not what isn't there", func(t *testing.T) {
		refused(t, store.ErrOwnJudgement, anna.SignOff(t.Context(), id, c.judgements(0, id)[0]))
		refused(t, store.ErrNoJudgement, rui.SignOff(t.Context(), there, store.Judgement{ID: "x"}))
		for _, role := range []string{"reader", "editor"} {
			assert.NoError(t, zoe.SetDeskPeople(t.Context(), []store.DeskMember{{Name: "zoe", Display: "ZOE", Role: role}}, nil))
			refused(t, store.ErrNoReviewer, zoe.SignOff(t.Context(), there, c.judgements(2, there)[0]))
		}
		assert.NoError(t, zoe.SetDeskPeople(t.Context(), []store.DeskMember{{Name: "zoe", Display: "ZOE", Role: "reviewer"}}, nil))
		assert.Equal(t, true, c.judgements(2, there)[0].May)
		for level, may := range map[string]bool{"reader": false, "editor": false, "owner": true, "reviewer": true} {
			assert.NoError(t, zoe.SetDeskLevels(t.Context(), map[uuid.UUID]string{uuid.MustParse(there): level}))
			assert.Equal(t, may, c.judgements(2, there)[0].May)
			if !may {
				refused(t, store.ErrNoReviewer, zoe.SignOff(t.Context(), there, c.judgements(2, there)[0]))
			}
		}
		assert.NoError(t, zoe.SetDeskLevels(t.Context(), map[uuid.UUID]string{uuid.MustParse(there): "reviewer"}))
		c.sync()
		assert.Equal(t, `ANNA: MANIPULATED "the railing" of FAKE 2.1`, c.judgementLines(0, id))
	})
	t.Run("a case that requires it is not concluded before", func(t *testing.T) {
		assert.NoError(t, rui.ChangeCase(t.Context(), there, store.CaseEvent{Kind: store.CaseSignOffRequired, By: "Rui"}))
		c.sync()
		assert.Equal(t, true, caseOf(t, anna, id).SignOff)
		refused(t, store.ErrNotSignedOff, anna.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseClosed, Text: "It is not real."}))
		assert.Equal(t, store.CaseOpen, caseOf(t, anna, id).State)
	})
	t.Run("he signs off, and all see it", func(t *testing.T) {
		seen := c.judgements(1, there)[0]
		assert.NoError(t, rui.SignOff(t.Context(), there, seen))
		assert.NoError(t, rui.SignOff(t.Context(), there, seen)) // twice is once
		c.sync()
		for i, at := range []string{id, there, there} {
			assert.Equal(t, `ANNA: MANIPULATED "the railing" of FAKE 2.1, signed off by RUI for 2.1`, c.judgementLines(i, at))
		}
		events, _, err := zoe.CaseEvents(t.Context(), there, store.CaseCursor{}, 100)
		assert.NoError(t, err)
		happened := []string{}
		for _, e := range events {
			if e.Label != "" {
				happened = append(happened, fmt.Sprintf("%s %s %s %s", e.Kind, e.By, e.Text, e.Label))
			}
		}
		assert.Equal(t, []string{"signed-off RUI ANNA MANIPULATED", "judgement ANNA the railing MANIPULATED", "judgement ANNA before it was shared REAL"}, happened)
		assert.NoError(t, anna.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseClosed, Text: "It is not real."}))
		assert.NoError(t, anna.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseReopened}))
	})
	t.Run("an answer with another verdict voids it, visibly", func(t *testing.T) {
		seen := c.judgements(2, there)[0]
		add(t, anna, answeredAgain(t, "again", "bridge", client.Authentic, "3.0"))
		_, err := anna.AddToCase(t.Context(), id, []string{"again"}, "Anna")
		assert.NoError(t, err)
		c.sync()
		for i, at := range []string{id, there, there} {
			assert.Equal(t, `ANNA: MANIPULATED "the railing" of AUTHENTIC 3.0, signed off by RUI for 2.1 (void)`, c.judgementLines(i, at))
		}
		refused(t, store.ErrNotSignedOff, rui.ChangeCase(t.Context(), there, store.CaseEvent{Kind: store.CaseClosed, Text: "It is not real."}))
		refused(t, store.ErrNotAsSeen, zoe.SignOff(t.Context(), there, seen))
		assert.NoError(t, zoe.SignOff(t.Context(), there, c.judgements(2, there)[0]))
		c.sync()
		assert.Equal(t, `ANNA: MANIPULATED "the railing" of AUTHENTIC 3.0, signed off by RUI for 2.1 (void), signed off by ZOE for 3.0`, c.judgementLines(0, id))
	})
	t.Run("who signed off can withdraw that, and nobody else", func(t *testing.T) {
		j := c.judgements(1, there)[0]
		assert.NoError(t, rui.WithdrawSignOff(t.Context(), there, j.ID)) // his own, the void one
		c.sync()
		assert.Equal(t, `ANNA: MANIPULATED "the railing" of AUTHENTIC 3.0, signed off by ZOE for 3.0`, c.judgementLines(0, id))
	})
	t.Run("who judged can withdraw that, and with it goes the sign-off", func(t *testing.T) {
		j := c.judgements(1, there)[0]
		refused(t, store.ErrNoJudgement, rui.WithdrawJudgement(t.Context(), there, j.ID))
		assert.NoError(t, anna.WithdrawJudgement(t.Context(), id, j.ID))
		c.sync()
		for i, at := range []string{id, there, there} { // what she had said before stands again
			assert.Equal(t, `ANNA: REAL "before it was shared" of AUTHENTIC 3.0`, c.judgementLines(i, at))
		}
	})
	t.Run("of a result whose verdict alone is shared, the comment stays here", func(t *testing.T) {
		add(t, anna, ofGate(t, "doubtful", submission.GateAsk))
		_, err := anna.AddToCase(t.Context(), id, []string{"doubtful"}, "Anna")
		assert.NoError(t, err)
		assert.NoError(t, anna.AddToDesk(t.Context(), id, []string{"doubtful"}, desk.ShareStatus))
		c.judge(0, "request-doubtful", client.LabelReal, "from a source of ours")
		c.sync()
		if got := c.judgementLines(1, there); !strings.HasSuffix(got, "\nANNA: REAL \"\" of FAKE 2.1") {
			t.Error(got)
		}
	})
	t.Run("what never leaves is not judged at the desk", func(t *testing.T) {
		before := len(c.desk)
		add(t, anna, ofGate(t, "source", submission.GateNever))
		_, err := anna.AddToCase(t.Context(), id, []string{"source"}, "Anna")
		assert.NoError(t, err)
		c.judge(0, "request-source", client.LabelReal, "from a source of ours")
		c.sync()
		assert.Equal(t, before, len(c.desk))
	})
}
