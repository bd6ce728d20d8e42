package exchange_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/plain/plaintest"
	"assay/client/store"
	"assay/client/submission"
)

// attacker is a member who sends what no Assay does, with a key and signatures as they should be.
type attacker struct {
	*postgres.Connection
	t      *testing.T
	device uuid.UUID
	key    ed25519.PrivateKey
	clock  int64
}

func attack(t *testing.T, p *person) *attacker {
	t.Helper()
	c, err := postgres.Connect(t.Context(), p.Address, desktest.Password)
	assert.NoError(t, err)
	t.Cleanup(c.Close)
	key, err := p.Key(t.Context())
	assert.NoError(t, err)
	return &attacker{Connection: c, t: t, device: exchange.DeviceOf(p.login, key), key: key, clock: 1000}
}

// event is a signed one, with a body of any JSON.
func (a *attacker) event(of uuid.UUID, kind desk.Kind, body string) desk.Event {
	a.clock++
	return desk.Event{ID: uuid.New(), Case: of, Author: a.Me().Name, Device: a.device, Lamport: a.clock, Kind: kind, Body: []byte(body)}
}

// sends signs events and sends each; it returns how many the desk took.
func (a *attacker) sends(events ...desk.Event) (taken int) {
	a.t.Helper()
	for _, e := range events {
		e.Sign(a.key)
		sent, err := a.Push(a.t.Context(), []desk.Event{e})
		if taken += sent; err != nil {
			wantRefusal(a.t, err)
		}
	}
	return taken
}

func wantRefusal(t *testing.T, err error) {
	t.Helper()
	if p, ok := err.(*postgres.Problem); !ok || p.Cause != postgres.Refused && p.Cause != postgres.NotAllowed { //nolint:errorlint // it is one
		t.Errorf("%v, want it refused", err)
	}
}

func said(text string) string {
	body, err := json.Marshal(desk.Body{Text: text})
	if err != nil {
		panic(err)
	}
	return string(body)
}

// three are two people and an attacker with a case that all have.
func three(t *testing.T) (database *desktest.Database, ines, rui *person, mallory *attacker, hers string, there uuid.UUID) {
	t.Helper()
	database, people := setup(t, "ines", "rui", "mallory")
	hers = people[0].shares("A bridge", "bridge", people[1], people[2])
	people[1].once()
	return database, people[0], people[1], attack(t, people[2]), hers, desk.IDOf(hers)
}

// still has two people work in a case as if nothing were.
func still(t *testing.T, ines, rui *person, hers string) {
	t.Helper()
	ines.once()
	rui.once()
	before := rui.notes(desk.IDOf(hers).String())
	ines.writes(hers, 1)
	ines.once()
	rui.once()
	assert.Equal(t, before+1, rui.notes(desk.IDOf(hers).String()))
	for _, p := range []*person{ines, rui} {
		assert.Equal(t, 0, p.counts().Pending+p.counts().Refused+p.counts().Altered)
	}
}

func TestAHostileMember(t *testing.T) {
	t.Run("can't take the numbers of all who come after", func(t *testing.T) {
		_, ines, rui, mallory, hers, there := three(t)
		for _, lamport := range []int64{desk.LargestLamport, desk.LargestLamport + 1, 0, -1, 2_000_000} {
			e := mallory.event(there, desk.Title, said("mine for ever"))
			e.Lamport = lamport
			assert.Equal(t, 0, mallory.sends(e))
		}
		e := mallory.event(there, desk.Title, said("mine for now"))
		e.Lamport = 1_000_000
		assert.Equal(t, 1, mallory.sends(e))
		still(t, ines, rui, hers)
		assert.NoError(t, ines.Store.ChangeCase(t.Context(), hers, store.CaseEvent{Kind: store.CaseRenamed, Text: "A bridge", By: "Ines"}))
		still(t, ines, rui, hers)
		c, err := rui.Store.CaseByID(t.Context(), there.String())
		assert.NoError(t, err)
		assert.Equal(t, "A bridge", c.Title)
	})
	t.Run("sends texts that do something elsewhere: they are kept as they are, and do nothing", func(t *testing.T) {
		database, ines, rui, mallory, hers, there := three(t)
		texts := append(plaintest.Hostile(), "'; DROP TABLE desk.events; --", `"); DELETE FROM case_records; --`, "$1 %s {{.}} \\", "../../etc/passwd", strings.Repeat("'", 9))
		var want []string
		for _, text := range texts {
			taken := mallory.sends(mallory.event(there, desk.Note, said(text)))
			if strings.ContainsRune(text, 0) {
				assert.Equal(t, 0, taken)
				continue
			}
			assert.Equal(t, 1, taken)
			want = append(want, string([]rune(text)))
			for _, kind := range []desk.Kind{desk.Title, desk.Task, desk.Conclusion, desk.Kind(strings.ReplaceAll(text[:min(len(text), 30)], "\xff", "?"))} {
				mallory.sends(mallory.event(there, kind, said(text)))
			}
			item, err := json.Marshal(desk.Body{Check: text, State: text, Label: text, Add: []string{text}, Item: &desk.Item{
				RequestID: text, Status: text, Release: text, Type: text, Name: text, Size: -1, Result: json.RawMessage(`{"overallStatus": "FAKE"}`),
			}})
			assert.NoError(t, err)
			for _, kind := range []desk.Kind{desk.Result, desk.Check, desk.Tag, desk.Judgement, desk.Rule, desk.Conclusion} {
				e := mallory.event(there, kind, string(item))
				e.Subject = make([]byte, sha256.Size)
				mallory.sends(e)
			}
		}
		ines.once()
		all, err := ines.Store.CaseNotes(t.Context(), hers)
		assert.NoError(t, err)
		for _, text := range want {
			if !slices.ContainsFunc(all, func(n store.CaseNote) bool { return n.Text == text }) {
				t.Errorf("%q is not there as it was sent", text)
			}
		}
		still(t, ines, rui, hers)
		assert.Equal(t, true, notesAt(t, database) >= len(want))
	})
	t.Run("sends what no reader expects", func(t *testing.T) {
		_, ines, rui, mallory, hers, there := three(t)
		for _, body := range []string{
			`{}`, `{"text": 5}`, `{"text": null, "text": "b"}`, `{"item": []}`, `{"item": {}}`, `{"item": {"result": "x", "size": 1e99}}`, `{"item": {"result": {"overallStatus": [1]}}}`,
			`{"remove": [{"event": "x"}]}`, `{"add": {}}`, `{"evidence": "x"}`, `{"evidence": [{"kind": 5}]}`, `{"at": "9999-12-31T23:59:59Z"}`, `{"at": "0000-01-01T00:00:00Z"}`, `{"at": "tomorrow"}`,
			`{"seen": ["zz"]}`, `{"state": "ajar"}`, strings.Repeat(`{"a":`, 3000) + "1" + strings.Repeat("}", 3000),
		} {
			for _, kind := range []desk.Kind{
				desk.Title, desk.Result, desk.Note, desk.Check, desk.Task, desk.Answer, desk.Assign, desk.Tag, desk.Conclusion, desk.Judgement, desk.SignOff, desk.Rule, desk.Withdraw, desk.Redact, "of the future",
			} {
				for _, about := range []uuid.UUID{uuid.Nil, uuid.New()} {
					e := mallory.event(there, kind, body)
					e.About = about
					mallory.sends(e)
				}
			}
		}
		still(t, ines, rui, hers)
	})
	t.Run("sends as much as is taken: the case stays usable", func(t *testing.T) {
		_, ines, rui, mallory, hers, there := three(t)
		var tags []string
		for i := range 20_000 {
			tags = append(tags, fmt.Sprint("tag ", i))
		}
		many, err := json.Marshal(desk.Body{Add: tags})
		assert.NoError(t, err)
		large := strings.Repeat("x", 1<<20-100)
		assert.Equal(t, 5, mallory.sends(
			mallory.event(there, desk.Title, said(large)), mallory.event(there, desk.Tag, string(many)), mallory.event(there, desk.Note, said(large)),
			mallory.event(there, desk.Tag, `{"add": ["`+strings.ReplaceAll(large, "xx", "x,")+`"]}`), mallory.event(there, desk.Conclusion, said(large)),
		))
		assert.Equal(t, 0, mallory.sends(mallory.event(there, desk.Note, said(large+large))))
		still(t, ines, rui, hers)
		c, err := ines.Store.CaseByID(t.Context(), hers)
		assert.NoError(t, err)
		if len(c.Title) > 1100 || len(c.Tags) > 200 {
			t.Errorf("a title of %d bytes, %d tags", len(c.Title), len(c.Tags))
		}
	})
	t.Run("sends ten thousand at once: the others hear of each other", func(t *testing.T) {
		if testing.Short() {
			t.Skip("three people at once are elsewhere, too")
		}
		_, ines, rui, mallory, hers, there := three(t)
		var events []desk.Event
		for range 10_000 {
			e := mallory.event(there, desk.Note, said("flood"))
			e.Sign(mallory.key)
			events = append(events, e)
		}
		l, m := ines.start(t), rui.start(t)
		until(t, "both are connected", func() bool { return l.Status().Connected && m.Status().Connected })
		ended := make(chan error)
		go func() {
			_, err := mallory.Push(t.Context(), events)
			ended <- err
		}()
		for i := range 5 {
			title := fmt.Sprint("A bridge ", i)
			assert.NoError(t, ines.Store.ChangeCase(t.Context(), hers, store.CaseEvent{Kind: store.CaseRenamed, Text: title, By: "Ines"}))
			until(t, "he has it", func() bool {
				c, err := rui.Store.CaseByID(t.Context(), there.String())
				assert.NoError(t, err)
				return c.Title == title
			})
		}
		assert.NoError(t, <-ended)
		until(t, "he has all", func() bool { return rui.notes(there.String()) == len(events) })
	})
	t.Run("can't reach into a case that is not theirs", func(t *testing.T) {
		database, ines, rui, mallory, hers, there := three(t)
		secret := ines.shares("A source", "mill", rui)
		ines.writes(secret, 1)
		ines.once()
		rui.once()
		var ids []uuid.UUID
		rows, err := database.Login(database.Owner).Query(t.Context(), "SELECT id FROM desk.events WHERE case_id = $1", desk.IDOf(secret))
		assert.NoError(t, err)
		for rows.Next() {
			var id uuid.UUID
			assert.NoError(t, rows.Scan(&id))
			ids = append(ids, id)
		}
		assert.NoError(t, rows.Err())
		for _, id := range ids {
			for _, kind := range []desk.Kind{desk.Redact, desk.Withdraw, desk.Judgement, desk.SignOff, desk.Answer} {
				e := mallory.event(there, kind, `{"label": "AUTHENTIC"}`)
				e.About = id
				mallory.sends(e)
			}
			again := mallory.event(there, desk.Note, said("in its place"))
			again.ID = id
			mallory.sends(again)
		}
		assert.Equal(t, 0, mallory.sends(mallory.event(desk.IDOf(secret), desk.Note, said("mine"))))
		still(t, ines, rui, hers)
		c, err := rui.Store.CaseByID(t.Context(), desk.IDOf(secret).String())
		assert.NoError(t, err)
		assert.Equal(t, "A source", c.Title)
		assert.Equal(t, 1, c.Items)
		assert.Equal(t, 1, rui.notes(desk.IDOf(secret).String()))
		checked, err := rui.Store.CheckedByColleagues(t.Context(), sumOf("mill"))
		assert.NoError(t, err)
		assert.Equal(t, 1, len(checked))
	})
	t.Run("guesses what must never leave: nothing tells them", func(t *testing.T) {
		database, ines, rui, mallory, hers, there := three(t)
		sub := answered(t, "leak")
		sub.Gate = submission.GateNever
		_, err := ines.Store.Add(t.Context(), []submission.Submission{sub})
		assert.NoError(t, err)
		content := sha256.Sum256([]byte("leak"))
		e := mallory.event(there, desk.Result, `{"item": {"requestId": "request-leak", "status": "REAL", "result": {"requestId": "request-leak", "overallStatus": "REAL"}}}`)
		e.Subject = content[:]
		assert.Equal(t, 1, mallory.sends(e))
		ines.once()
		ids, err := ines.Store.CaseItems(t.Context(), hers)
		assert.NoError(t, err)
		assert.Equal(t, false, slices.Contains(ids, "leak"))
		f, err := ines.Store.AddFeedback(t.Context(), store.Feedback{Feedback: client.Feedback{RequestID: "request-leak", Label: client.LabelManipulated, Comment: "the source says so"}})
		assert.NoError(t, err)
		f.State = store.FeedbackSent
		assert.NoError(t, ines.Store.SaveFeedback(t.Context(), f))
		_, err = ines.Store.AddToCase(t.Context(), hers, []string{"leak"}, "Ines")
		assert.NoError(t, err)
		still(t, ines, rui, hers)
		var n int
		assert.NoError(t, database.Login(database.Owner).QueryRow(t.Context(),
			"SELECT count(*) FROM desk.events WHERE author = $1 AND (kind = 'judgement' OR encode(subject, 'hex') = $2 OR body LIKE '%leak%')", ines.login, hex.EncodeToString(content[:])).Scan(&n))
		assert.Equal(t, 0, n)
	})
}
