package store_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
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
		s := setup(t)
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
		lines = append(lines, "question "+q.Text+assignedTo(q))
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

// TestColleaguesConverge has three people work at random, each offline for a while: once all were heard, all see the same.
func TestColleaguesConverge(t *testing.T) {
	scripts := 60
	if testing.Short() {
		scripts = 15
	}
	c := newColleagues(t, "anna", "rui", "zoe", "newcomer")
	shared, signed, void := []string{}, 0, 0
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same at each run
	for script := range scripts {
		id := newCase(t, c.stores[0], "A case")
		cases := []string{id, desk.IDOf(id).String(), desk.IDOf(id).String()}
		name := fmt.Sprintf("clip %d", script)
		add(t, c.stores[0], ofGate(t, name, submission.GateSend))
		_, err := c.stores[0].AddToCase(t.Context(), id, []string{name}, "anna")
		assert.NoError(t, err)
		assert.NoError(t, c.stores[0].ShareCase(t.Context(), id, desk.ShareAnswer))
		c.judge(0, "request-"+name, client.LabelManipulated, "")
		c.sync()
		shared = append(shared, cases[1])
		for step := range 16 {
			i := r.IntN(3)
			e := store.CaseEvent{By: "x", Text: fmt.Sprintf("%d by %d", step, i)}
			switch r.IntN(14) {
			case 0:
				c.push(i)
				continue
			case 1:
				c.pull(i)
				continue
			case 2:
				e.Kind = store.CaseRenamed
			case 3:
				e.Kind, e.Text = store.CaseTagged, strings.Join([]string{"a", "b", "c", "d"}[r.IntN(4):], ",")
			case 4:
				e.Kind = store.CaseDrawn
			case 5:
				e.Kind = store.CaseClosed
			case 6:
				e.Kind, e.Text = store.CaseReopened, ""
			case 7:
				e.Kind = store.CaseAsked
			case 8:
				e.Kind = store.CaseNoted
			case 9:
				c.judge(i, "request-"+name, client.Labels()[r.IntN(4)], e.Text)
				continue
			case 10:
				if all := c.judgements(i, cases[i]); len(all) > 0 {
					j := all[r.IntN(len(all))]
					switch {
					case r.IntN(4) == 0 && j.Own:
						assert.NoError(t, c.stores[i].WithdrawJudgement(t.Context(), cases[i], j.ID))
					case r.IntN(4) == 0:
						assert.NoError(t, c.stores[i].WithdrawSignOff(t.Context(), cases[i], j.ID))
					case !j.Own:
						assert.NoError(t, c.stores[i].SignOff(t.Context(), cases[i], j))
					}
				}
				continue
			case 11:
				again := fmt.Sprintf("%s, %d", name, step)
				add(t, c.stores[0], answeredAgain(t, again, name, []client.Status{client.Fake, client.Authentic}[r.IntN(2)], "3.0"))
				_, err := c.stores[0].AddToCase(t.Context(), id, []string{again}, "anna")
				assert.NoError(t, err)
				continue
			case 12:
				e.Kind, e.Text = []store.CaseEventKind{store.CaseSignOffRequired, store.CaseSignOffNotRequired}[r.IntN(2)], ""
			case 13:
				questions, err := c.stores[i].CaseQuestions(t.Context(), cases[i])
				assert.NoError(t, err)
				if len(questions) == 0 {
					continue
				}
				e.Kind, e.About, e.Text = store.CaseAssigned, questions[r.IntN(len(questions))].ID, []string{"anna", "RUI", "zoe", "Somebody", ""}[r.IntN(5)]
			}
			if err := c.stores[i].ChangeCase(t.Context(), cases[i], e); !errors.Is(err, store.ErrNotSignedOff) {
				assert.NoError(t, err)
			}
		}
		c.sync()
		for i := range 3 {
			if want, got := c.seen(0, cases[0]), c.seen(i, cases[i]); want != got {
				t.Fatalf("script %d:\n%s\nor, for the %d.:\n%s", script, want, i, got)
			}
		}
		for _, j := range c.judgements(0, id) {
			for _, s := range j.SignOffs {
				if signed++; s.Void {
					void++
				}
			}
		}
	}
	if !testing.Short() && (signed == 0 || void == 0 || void == signed) {
		t.Errorf("%d sign-offs, of which %d are void", signed, void)
	}
	// Whatever comes in whatever order: what was judged and signed off is the same.
	received := make([]store.Received, len(c.desk))
	for i, at := range r.Perm(len(c.desk)) {
		received[i] = store.Received{Event: c.desk[at]}
	}
	for len(received) > 0 {
		some := received[:min(len(received), 100)]
		received = received[len(some):]
		assert.NoError(t, c.stores[3].Receive(t.Context(), some, "1", ""))
	}
	for _, id := range shared {
		assert.Equal(t, c.judgementLines(1, id), c.judgementLines(3, id))
	}
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
