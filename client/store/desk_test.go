package store_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
	"assay/client/submission"
)

// colleagues are people with records of their own at one desk, which is a list here: client/desk/postgres has the real one.
type colleagues struct {
	t      *testing.T
	stores []*store.Store
	keys   []ed25519.PrivateKey
	ids    []uuid.UUID
	pulled []int
	desk   []desk.Event
}

func newColleagues(t *testing.T, names ...string) *colleagues {
	t.Helper()
	return newColleaguesAt(t, nil, names...)
}

// newColleaguesAt is newColleagues by a clock.
func newColleaguesAt(t *testing.T, now func() time.Time, names ...string) *colleagues {
	t.Helper()
	c := &colleagues{t: t, pulled: make([]int, len(names))}
	var members []store.DeskMember
	var devices []store.DeskDevice
	for _, name := range names {
		public, key, err := ed25519.GenerateKey(nil)
		assert.NoError(t, err)
		c.keys, c.ids = append(c.keys, key), append(c.ids, uuid.New())
		members = append(members, store.DeskMember{Name: name, Display: strings.ToUpper(name), Role: "reviewer"})
		devices = append(devices, store.DeskDevice{ID: c.ids[len(c.ids)-1], Member: name, Key: public})
	}
	for i, name := range names {
		s := open(t, t.TempDir(), store.Options{Now: now})
		assert.NoError(t, s.JoinDesk(t.Context(), store.Membership{Member: name, Device: c.ids[i]}))
		assert.NoError(t, s.SetDeskPeople(t.Context(), members, devices))
		c.stores = append(c.stores, s)
	}
	return c
}

// push sends what one of them has done.
func (c *colleagues) push(i int) {
	c.t.Helper()
	events, err := c.stores[i].Unsent(c.t.Context(), 500)
	assert.NoError(c.t, err)
	for j := range events {
		events[j].Sign(c.keys[i])
	}
	assert.NoError(c.t, c.stores[i].Sent(c.t.Context(), events))
	for _, e := range events {
		c.arrives(e)
	}
}

// arrives has the desk take an event, unless it has it already.
func (c *colleagues) arrives(e desk.Event) {
	if !slices.ContainsFunc(c.desk, func(there desk.Event) bool { return there.ID == e.ID }) {
		e.At = noon.Add(time.Hour)
		c.desk = append(c.desk, e)
	}
}

// pull receives what the desk has, from an event on that one of them may have already.
func (c *colleagues) pull(i int) {
	c.t.Helper()
	var all []store.Received
	for _, e := range c.desk[c.pulled[i]:] {
		all = append(all, store.Received{Event: e})
	}
	c.pulled[i] = len(c.desk)
	assert.NoError(c.t, c.stores[i].Receive(c.t.Context(), all, "1", fmt.Sprint(len(c.desk))))
}

// sync has each push, then each pull.
func (c *colleagues) sync() {
	c.t.Helper()
	for i := range c.stores {
		c.push(i)
	}
	for i := range c.stores {
		c.pull(i)
	}
}

// contentOf is a submission's content in these tests.
func contentOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])
}

// ofGate is an answered submission of a content, with a gate.
func ofGate(t *testing.T, id string, gate submission.Gate) submission.Submission {
	t.Helper()
	sub := answered(t, id, client.Fake)
	sub.SHA256, sub.Gate, sub.SendName = contentOf(id), gate, id+"-1a2b.jpg"
	sub.Result = result(t, fmt.Sprintf(`{"requestId": "request-%[1]s", "overallStatus": "FAKE", "releaseVersion": "2.1", "originalFileName": "%[1]s-1a2b.jpg",
		"note": "looked at %[1]s-1a2b", "heatmap": "https://evil.example/pixel.png"}`, id))
	return sub
}

// seen is a case as its people see it: title, state, conclusion, tags, records by what they say, and items by their content.
func (c *colleagues) seen(i int, caseID string) string {
	c.t.Helper()
	s := c.stores[i]
	got := caseOf(c.t, s, caseID)
	events, _, err := s.CaseEvents(c.t.Context(), caseID, store.CaseCursor{}, 1000)
	assert.NoError(c.t, err)
	var lines []string
	for _, e := range events {
		if e.Kind != store.CaseCreated && e.Kind != store.CaseTagged && e.Kind != store.CaseItemAdded && e.Kind != store.CaseItemRemoved { // who has made it differs
			lines = append(lines, fmt.Sprintf("%s %s", e.Kind, e.Text))
		}
	}
	questions, err := s.CaseQuestions(c.t.Context(), caseID)
	assert.NoError(c.t, err)
	for _, q := range questions {
		lines = append(lines, "question "+q.Text+assignedTo(q)+answersTo(q))
	}
	slices.Sort(lines)
	ids, err := s.CaseItems(c.t.Context(), caseID)
	assert.NoError(c.t, err)
	var items []string
	for _, id := range ids {
		items = append(items, "item "+get(c.t, s, id).SHA256)
	}
	slices.Sort(items)
	lines = append(lines, slices.Compact(items)...) // of a content that was answered again, a colleague has the first answer
	tags := slices.Clone(got.Tags)
	slices.Sort(tags)
	return fmt.Sprintf("%s, %s, %q, %q, %v\n%s\n%s", got.Title, got.State, got.Conclusion.Text, tags, got.SignOff, strings.Join(lines, "\n"), c.judgementLines(i, caseID))
}

func TestAnnaAndRuiShareACase(t *testing.T) {
	c := newColleagues(t, "anna", "rui")
	anna, rui := c.stores[0], c.stores[1]
	id := newCase(t, anna, "A bridge")
	add(t, anna, ofGate(t, "bridge", submission.GateSend), ofGate(t, "doubtful", submission.GateAsk), ofGate(t, "source", submission.GateNever))
	_, err := anna.AddToCase(t.Context(), id, []string{"bridge", "doubtful", "source"}, "Anna")
	assert.NoError(t, err)
	assert.NoError(t, anna.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseNoted, Text: "from a reader", By: "Anna"}))
	assert.NoError(t, anna.ChangeCase(t.Context(), id, store.CaseEvent{ID: "where", Kind: store.CaseAsked, Text: "Where is it?", By: "Anna"}))
	assert.NoError(t, anna.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseTagged, Text: "war, bridge", By: "Anna"}))

	t.Run("nothing is shared before she says so", func(t *testing.T) {
		c.sync()
		assert.Equal(t, 0, len(c.desk))
	})
	t.Run("she is told what would be", func(t *testing.T) {
		of, err := anna.SharingOf(t.Context(), id)
		assert.NoError(t, err)
		assert.Equal(t, store.Sharing{Shared: 1, Asks: 1, Never: 1, Notes: 2}, of)
	})
	there := desk.IDOf(id).String()
	t.Run("he sees the case, and of it what may leave", func(t *testing.T) {
		assert.NoError(t, anna.ShareCase(t.Context(), id, desk.ShareAnswer))
		c.sync()
		got := caseOf(t, rui, there)
		assert.Equal(t, "A bridge", got.Title)
		assert.Equal(t, []string{"war", "bridge"}, got.Tags)
		assert.Equal(t, 1, got.Items)
		ids, err := rui.CaseItems(t.Context(), there)
		assert.NoError(t, err)
		item := get(t, rui, ids[0])
		assert.Equal(t, contentOf("bridge"), item.SHA256)
		assert.Equal(t, client.Fake, item.Result.Status())
		for _, e := range c.desk {
			for _, secret := range []string{"source", contentOf("source"), contentOf("doubtful"), "bridge.jpg", "bridge-1a2b", "/incoming", "https:"} {
				if strings.Contains(string(e.Body), secret) || hex.EncodeToString(e.Subject) == secret {
					t.Errorf("the desk was told %q: %s", secret, e.Body)
				}
			}
		}
	})
	t.Run("he is told that she has checked the content", func(t *testing.T) {
		got, err := rui.CheckedByColleagues(t.Context(), contentOf("bridge"))
		assert.NoError(t, err)
		assert.Equal(t, 1, len(got))
		assert.Equal(t, "ANNA", got[0].By)
		assert.Equal(t, client.Fake, got[0].Status)
		got, err = rui.CheckedByColleagues(t.Context(), contentOf("source"))
		assert.NoError(t, err)
		assert.Equal(t, 0, len(got))
	})
	t.Run("his answer to her question comes back", func(t *testing.T) {
		questions, err := rui.CaseQuestions(t.Context(), there)
		assert.NoError(t, err)
		assert.NoError(t, rui.ChangeCase(t.Context(), there, store.CaseEvent{Kind: store.CaseAnswered, About: questions[0].ID, Text: "In Porto.", By: "Rui"}))
		c.sync()
		questions, err = anna.CaseQuestions(t.Context(), id)
		assert.NoError(t, err)
		assert.Equal(t, 1, len(questions[0].Answers))
		assert.Equal(t, "In Porto.", questions[0].Answers[0].Text)
		assert.Equal(t, "RUI", questions[0].Answers[0].By)
	})
	t.Run("what asks goes by her word for it, and as far as she says", func(t *testing.T) {
		assert.NoError(t, anna.AddToDesk(t.Context(), id, []string{"doubtful"}, desk.ShareStatus))
		c.sync()
		got, err := rui.CheckedByColleagues(t.Context(), contentOf("doubtful"))
		assert.NoError(t, err)
		assert.Equal(t, 1, len(got))
		assert.Equal(t, "", got[0].ID) // no answer to take over
		if err := anna.AddToDesk(t.Context(), id, []string{"source"}, desk.ShareStatus); !errors.Is(err, store.ErrNeverShared) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("an item that is taken out goes at his side, too", func(t *testing.T) {
		_, err := anna.RemoveFromCase(t.Context(), id, []string{"bridge"}, "Anna")
		assert.NoError(t, err)
		c.sync()
		assert.Equal(t, 0, caseOf(t, rui, there).Items)
	})
	t.Run("what comes twice is there once", func(t *testing.T) {
		before := c.seen(1, there)
		c.pulled[1] = 0
		c.pull(1)
		assert.Equal(t, before, c.seen(1, there))
	})
	t.Run("who leaves keeps it as their own", func(t *testing.T) {
		before := c.seen(1, there)
		assert.NoError(t, rui.LeaveDesk(t.Context()))
		assert.NoError(t, rui.ChangeCase(t.Context(), there, store.CaseEvent{Kind: store.CaseNoted, Text: "alone", By: "Rui"}))
		assert.Equal(t, true, strings.Contains(c.seen(1, there), "note alone") && len(before) > 0)
		events, err := rui.Unsent(t.Context(), 10)
		assert.NoError(t, err)
		assert.Equal(t, 0, len(events))
	})
}

// TestAColleaguesAnswerLeadsNowhere has somebody send what their own Assay would not: an answer with links, and one of the sandbox.
func TestAColleaguesAnswerLeadsNowhere(t *testing.T) {
	rui := newColleagues(t, "rui").stores[0]
	of, mallory := uuid.New(), uuid.New()
	receive := func(item string) (id string) {
		t.Helper()
		e := desk.Event{ID: uuid.New(), Case: of, Author: "mallory", Device: mallory, Lamport: 1, Kind: desk.Result, Subject: make([]byte, 32), At: noon}
		copy(e.Subject, e.ID[:])
		e.Body = []byte(`{"item": ` + item + `}`)
		assert.NoError(t, rui.Receive(t.Context(), []store.Received{{Event: e}}, "1", "1"))
		return e.ID.String()
	}
	id := receive(`{"requestId": "r", "status": "FAKE", "result": {"requestId": "r", "overallStatus": "FAKE", "heatmapUrl": "HTTPS://evil.example/pixel.png"}}`)
	if got := get(t, rui, id); strings.Contains(string(got.Result.Raw), "evil") {
		t.Errorf("it leads to %s", got.Result.Raw)
	}
	id = receive(`{"sandbox": true, "requestId": "r", "status": "AUTHENTIC", "result": {"requestId": "r", "overallStatus": "AUTHENTIC"}}`)
	if _, there, err := rui.Get(t.Context(), id); there || err != nil {
		t.Errorf("the sandbox's answer stands among those of a detector (%v)", err)
	}
}
