package store_test

import (
	"errors"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/custody"
	"assay/client/desk"
	"assay/client/store"
	"assay/client/submission"
)

func TestWhatIsNewInASharedCase(t *testing.T) {
	c := newColleagues(t, "anna", "rui")
	anna, rui := c.stores[0], c.stores[1]
	id := newCase(t, anna, "Bridge")
	assert.NoError(t, anna.ShareCase(t.Context(), id, desk.ShareAnswer))
	there := desk.IDOf(id).String()
	c.sync()
	atDesk := func(s *store.Store, id string) store.AtDesk { return caseOf(t, s, id).Desk }
	say := func(s *store.Store, id, by, text string) {
		assert.NoError(t, s.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseNoted, Text: text, By: by}))
	}
	t.Run("one's own deeds are not, and wait until they are sent", func(t *testing.T) {
		say(anna, id, "Anna", "hers")
		got := atDesk(anna, id)
		assert.Equal(t, there, got.ID)
		assert.Equal(t, 0, got.New)
		assert.Equal(t, 1, got.Unsent)
		c.sync()
		assert.Equal(t, 0, atDesk(anna, id).Unsent)
	})
	t.Run("what a colleague did is, until one has looked", func(t *testing.T) {
		assert.Equal(t, 2, atDesk(rui, there).New) // the case and her note
		say(rui, there, "Rui", "his")
		c.sync()
		got := atDesk(anna, id)
		assert.Equal(t, 1, got.New)
		assert.Equal(t, "RUI", got.LastBy)
		ids, last, err := anna.NewInCase(t.Context(), id, got.Looked)
		assert.NoError(t, err)
		events, _, err := anna.CaseEvents(t.Context(), id, store.CaseCursor{}, 10)
		assert.NoError(t, err)
		for _, e := range events {
			assert.Equal(t, e.Text == "his", ids[e.ID])
		}
		say(rui, there, "Rui", "and more") // while she looks
		c.sync()
		assert.NoError(t, anna.LookedAt(t.Context(), id, last))
		assert.Equal(t, 1, atDesk(anna, id).New)
	})
	t.Run("what comes again is not new again", func(t *testing.T) {
		c.pulled[0] = 0
		c.pull(0)
		assert.Equal(t, 1, atDesk(anna, id).New)
	})
	t.Run("who leaves the case keeps it alone, and is back when let in again", func(t *testing.T) {
		say(rui, there, "Rui", "not sent")
		assert.NoError(t, rui.LeaveCase(t.Context(), there))
		assert.Equal(t, store.AtDesk{LastBy: "RUI"}, atDesk(rui, there))
		say(rui, there, "Rui", "alone")
		unsent, err := rui.Unsent(t.Context(), 10)
		assert.NoError(t, err)
		assert.Equal(t, 0, len(unsent))
		before, err := rui.CaseNotes(t.Context(), there)
		assert.NoError(t, err)
		c.pulled[1] = 0
		c.pull(1)
		assert.Equal(t, there, atDesk(rui, there).ID)
		after, err := rui.CaseNotes(t.Context(), there)
		assert.NoError(t, err)
		assert.Equal(t, len(before), len(after))
	})
}

func TestWhatStaysOfASharedCase(t *testing.T) {
	c := newColleagues(t, "anna", "rui")
	anna := c.stores[0]
	id := newCase(t, anna, "Bridge")
	items := []string{"open", "asks", "asks too", "never"}
	for i, gate := range []submission.Gate{submission.GateSend, submission.GateAsk, submission.GateAsk, submission.GateNever} {
		add(t, anna, ofGate(t, items[i], gate))
	}
	_, err := anna.AddToCase(t.Context(), id, items, "Anna")
	assert.NoError(t, err)
	before, err := anna.SharingOf(t.Context(), id)
	assert.NoError(t, err)
	assert.Equal(t, store.Sharing{Shared: 1, Asks: 2, Never: 1}, before)
	staying := func() store.Staying {
		of, err := anna.StayingIn(t.Context(), id)
		assert.NoError(t, err)
		return of
	}
	assert.Equal(t, 0, len(staying().Asks)) // nothing is shared yet
	assert.NoError(t, anna.ShareCase(t.Context(), id, desk.ShareStatus))
	assert.Equal(t, store.Staying{Asks: []string{"asks", "asks too"}, Never: []string{"never"}}, staying())
	assert.NoError(t, anna.AddToDesk(t.Context(), id, []string{"asks"}, desk.ShareAll))
	assert.Equal(t, store.Staying{Asks: []string{"asks too"}, Never: []string{"never"}}, staying())
	t.Run("what came from a colleague is neither", func(t *testing.T) {
		assert.NoError(t, anna.AddToDesk(t.Context(), id, []string{"asks too"}, desk.ShareAnswer))
		c.sync()
		of, err := c.stores[1].StayingIn(t.Context(), desk.IDOf(id).String())
		assert.NoError(t, err)
		assert.Equal(t, store.Staying{}, of)
	})
}

func TestWhatIsHandedOverIntoACase(t *testing.T) {
	c := newColleagues(t, "anna", "rui")
	anna, rui := c.stores[0], c.stores[1]
	id := newCase(t, anna, "Bridge")
	assert.NoError(t, anna.ShareCase(t.Context(), id, desk.ShareAnswer))
	there := desk.IDOf(id).String()
	add(t, anna, ofGate(t, "before", submission.GateSend)) // in no case
	received := func() (contents []string) {
		c.sync()
		items, err := rui.CaseItems(t.Context(), there)
		assert.NoError(t, err)
		for _, item := range items {
			sub, _, err := rui.Get(t.Context(), item)
			assert.NoError(t, err)
			contents = append(contents, sub.SHA256)
		}
		return contents
	}
	waiting := func(id string, gate submission.Gate) submission.Submission {
		sub := ofGate(t, id, gate)
		sub.State, sub.Step, sub.Result, sub.RequestID, sub.SHA256 = submission.Waiting, submission.Seen, nil, "", ""
		return sub
	}
	_, err := anna.AddInto(t.Context(), id, []submission.Submission{waiting("sent", submission.GateSend), waiting("again", submission.GateSend), waiting("never", submission.GateNever)}, "Anna")
	assert.NoError(t, err)
	items, err := anna.CaseItems(t.Context(), id)
	assert.NoError(t, err)
	assert.True(t, slices.Equal(items, []string{"sent", "again", "never"}), "%v", items)
	events, _, err := anna.CaseEvents(t.Context(), id, store.CaseCursor{}, 10)
	assert.NoError(t, err)
	assert.Equal(t, store.CaseItemAdded, events[0].Kind)
	assert.Equal(t, "ANNA", events[0].By)
	assert.Equal(t, 0, len(received()))

	t.Run("once it is answered, a colleague has it", func(t *testing.T) {
		assert.NoError(t, anna.Answer(t.Context(), ofGate(t, "sent", submission.GateSend), custody.Answered))
		assert.True(t, slices.Equal(received(), []string{contentOf("sent")}), "%v", received())
	})
	t.Run("also where the answer was there before", func(t *testing.T) {
		again := waiting("again", submission.GateSend)
		again.Step, again.Earlier, again.SHA256 = submission.Settled, "before", contentOf("before")
		assert.NoError(t, anna.Save(t.Context(), again, custody.None))
		assert.True(t, slices.Equal(received(), []string{contentOf("sent"), contentOf("before")}), "%v", received())
	})
	t.Run("of what never leaves, nothing", func(t *testing.T) {
		never := waiting("never", submission.GateNever)
		never.State, never.SHA256 = submission.Stays, contentOf("never")
		assert.NoError(t, anna.Save(t.Context(), never, custody.None))
		never.State, never.Earlier, never.SHA256 = submission.Waiting, "before", contentOf("before") // not even that somebody has another of the same content
		before := len(c.desk)
		assert.NoError(t, anna.Save(t.Context(), never, custody.None))
		assert.Equal(t, 2, len(received()))
		assert.Equal(t, before, len(c.desk))
	})
	t.Run("into a case that there is not, nothing is", func(t *testing.T) {
		_, err := anna.AddInto(t.Context(), "nobody's", []submission.Submission{waiting("lost", submission.GateSend)}, "Anna")
		assert.True(t, errors.Is(err, store.ErrNoCase), "%v", err)
		_, known, err := anna.Get(t.Context(), "lost")
		assert.NoError(t, err)
		assert.True(t, !known, "it was kept")
	})
}
