package exchange_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/events"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
)

var cluster *desktest.Cluster

func TestMain(m *testing.M) {
	storetest.Quick()
	if os.Getenv(childFolder) != "" { // which uses the server of the process that started it
		os.Exit(m.Run()) //nolint:forbidigo // likewise
	}
	os.Exit(desktest.Run(m, func(c *desktest.Cluster) { cluster = c })) //nolint:forbidigo // only so does a package's TestMain end
}

// person is a member with a computer of their own.
type person struct {
	exchange.Params
	t     testing.TB
	login string
}

// setup makes a desk with these members, who have joined it.
func setup(t testing.TB, names ...string) (database *desktest.Database, people []*person) {
	t.Helper()
	database = cluster.NewDatabase(t)
	var members []postgres.NewMember
	for _, name := range names {
		members = append(members, postgres.NewMember{Name: name + "_of_" + database.Name, Role: postgres.Reviewer, Password: desktest.Password})
	}
	owner, err := postgres.ParseAddress(database.URL(database.Owner))
	assert.NoError(t, err)
	assert.NoError(t, postgres.Init(t.Context(), owner, desktest.Password, members))
	for _, m := range members {
		people = append(people, newPerson(t, database, m.Name))
	}
	return database, people
}

func newPerson(t testing.TB, database *desktest.Database, login string) *person {
	t.Helper()
	return newPersonAt(t, database, login, nil)
}

// newPersonAt is newPerson by a clock.
func newPersonAt(t testing.TB, database *desktest.Database, login string, now func() time.Time) *person {
	t.Helper()
	at, err := postgres.ParseAddress(database.URL(login))
	assert.NoError(t, err)
	_, key, err := ed25519.GenerateKey(nil)
	assert.NoError(t, err)
	hub := new(events.Hub)
	s, err := store.Open(t.Context(), t.TempDir(), store.Options{Events: hub, Now: now})
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	p := &person{t: t, login: login, Params: exchange.Params{
		Store: s, Address: at, Events: hub,
		Password: func(context.Context) (string, error) { return desktest.Password, nil },
		Key:      func(context.Context) (ed25519.PrivateKey, error) { return key, nil },
	}}
	_, err = exchange.Join(t.Context(), p.Params)
	assert.NoError(t, err)
	return p
}

func (p *person) once() {
	p.t.Helper()
	assert.NoError(p.t, exchange.Once(p.t.Context(), p.Params))
}

// shares makes a case with an answered item in it, and lets others in.
func (p *person) shares(title, content string, others ...*person) (caseID string) {
	p.t.Helper()
	ctx := p.t.Context()
	c, err := p.Store.AddCase(ctx, store.Case{Title: title, By: p.login})
	assert.NoError(p.t, err)
	_, err = p.Store.Add(ctx, []submission.Submission{answered(p.t, content)})
	assert.NoError(p.t, err)
	_, err = p.Store.AddToCase(ctx, c.ID, []string{content}, p.login)
	assert.NoError(p.t, err)
	assert.NoError(p.t, p.Store.ShareCase(ctx, c.ID, desk.ShareAnswer))
	p.once()
	for _, other := range others {
		assert.NoError(p.t, exchange.LetIn(ctx, p.Params, desk.IDOf(c.ID), postgres.InCase{Member: other.login, Level: postgres.LevelReviewer}))
	}
	return c.ID
}

// sumOf is the SHA-256 of a content in these tests.
func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func answered(t testing.TB, content string) submission.Submission {
	t.Helper()
	raw := fmt.Sprintf(`{"requestId": "request-%s", "overallStatus": "FAKE", "releaseVersion": "2.1"}`, content)
	r := new(client.Result)
	assert.NoError(t, json.Unmarshal([]byte(raw), r))
	r.Raw = json.RawMessage(raw)
	return submission.Submission{
		ID: content, Path: "/incoming/" + content, Name: content, Source: submission.Dropped, Gate: submission.GateSend, State: submission.Done, Step: submission.Answered,
		Type: client.Image, SHA256: sumOf(content), RequestID: r.RequestID, Result: r, Accepted: time.Now(), Answered: time.Now(),
	}
}

// until waits for what other goroutines do.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func (p *person) notes(caseID string) int {
	p.t.Helper()
	notes, err := p.Store.CaseNotes(p.t.Context(), caseID)
	assert.NoError(p.t, err)
	return len(notes)
}

func TestWhatOneSharesTheOtherSees(t *testing.T) {
	_, people := setup(t, "ines", "rui")
	ines, rui := people[0], people[1]
	id := ines.shares("A bridge", "bridge", rui)
	there := desk.IDOf(id).String()
	t.Run("a case that was there before he was let in", func(t *testing.T) {
		rui.once()
		c, err := rui.Store.CaseByID(t.Context(), there)
		assert.NoError(t, err)
		assert.Equal(t, "A bridge", c.Title)
		assert.Equal(t, 1, c.Items)
		checked, err := rui.Store.CheckedByColleagues(t.Context(), sumOf("bridge"))
		assert.NoError(t, err)
		assert.Equal(t, 1, len(checked))
		assert.Equal(t, ines.login, checked[0].By)
	})
	t.Run("live, within a second", func(t *testing.T) {
		for _, p := range people {
			l := exchange.Start(p.Params)
			t.Cleanup(l.Close)
			until(t, "connected", func() bool { return l.Status().Connected })
		}
		for i, p := range []*person{ines, rui, ines} {
			caseID := map[*person]string{ines: id, rui: there}
			assert.NoError(t, p.Store.AddCaseNote(t.Context(), caseID[p], store.CaseNote{Text: fmt.Sprint("note ", i), By: p.login}))
			until(t, "the other has it", func() bool { return ines.notes(id) == i+1 && rui.notes(there) == i+1 })
		}
	})
}

func TestWithoutTheDeskAllIsKeptAndJoinsUpLater(t *testing.T) {
	database, people := setup(t, "ines", "rui")
	ines, rui := people[0], people[1]
	id := ines.shares("A bridge", "bridge", rui)
	rui.once()
	there := desk.IDOf(id).String()
	for i := range 3 {
		assert.NoError(t, ines.Store.AddCaseNote(t.Context(), id, store.CaseNote{Text: fmt.Sprint("hers ", i), By: "Ines"}))
		assert.NoError(t, rui.Store.AddCaseNote(t.Context(), there, store.CaseNote{Text: fmt.Sprint("his ", i), By: "Rui"}))
	}
	counts, err := ines.Store.DeskCounts(t.Context())
	assert.NoError(t, err)
	assert.Equal(t, 3, counts.Pending)
	ines.once()
	rui.once()
	ines.once()
	assert.Equal(t, 6, ines.notes(id))
	assert.Equal(t, 6, rui.notes(there))

	t.Run("a changed row is kept apart", func(t *testing.T) {
		assert.NoError(t, ines.Store.AddCaseNote(t.Context(), id, store.CaseNote{Text: "it is real", By: "Ines"}))
		ines.once()
		owner := database.Login(database.Owner)
		done, err := owner.Exec(t.Context(), `UPDATE desk.events SET body = replace(body, 'it is real', 'it is fake')`)
		assert.NoError(t, err)
		assert.Equal(t, true, done.RowsAffected() > 0)
		rui.once()
		assert.Equal(t, 6, rui.notes(there))
		counts, err := rui.Store.DeskCounts(t.Context())
		assert.NoError(t, err)
		assert.Equal(t, 1, counts.Altered)
	})
	t.Run("who is revoked is told, and keeps what is here", func(t *testing.T) {
		at, err := postgres.ParseAddress(database.URL(database.Owner))
		assert.NoError(t, err)
		assert.NoError(t, postgres.Revoke(t.Context(), at, desktest.Password, rui.login))
		l := exchange.Start(rui.Params)
		t.Cleanup(l.Close)
		until(t, "it is said", func() bool {
			p, ok := l.Status().Problem.(*postgres.Problem) //nolint:errorlint // it is one
			return ok && p.Cause == postgres.RevokedMember
		})
		assert.Equal(t, 6, rui.notes(there))
	})
}

func TestWhoIsInACase(t *testing.T) {
	_, people := setup(t, "ines", "rui", "zoe")
	ines, rui, zoe := people[0], people[1], people[2]
	there := desk.IDOf(ines.shares("A bridge", "bridge", rui))
	in := func(p *person) map[string]postgres.Level {
		t.Helper()
		all, err := exchange.People(t.Context(), p.Params, there)
		assert.NoError(t, err)
		levels := map[string]postgres.Level{}
		for _, one := range all {
			levels[one.Member] = one.Level
		}
		return levels
	}
	assert.Equal(t, map[string]postgres.Level{ines.login: postgres.LevelOwner, rui.login: postgres.LevelReviewer}, in(rui))
	t.Run("nothing of it is told to who isn't", func(t *testing.T) { assert.Equal(t, 0, len(in(zoe))) })
	t.Run("who does not own it lets nobody in", func(t *testing.T) {
		var p *postgres.Problem
		err := exchange.LetIn(t.Context(), rui.Params, there, postgres.InCase{Member: zoe.login, Level: postgres.LevelReader})
		assert.Equal(t, true, errors.As(err, &p) && p.Cause == postgres.NotAllowed)
	})
	t.Run("its owner changes what they may do", func(t *testing.T) {
		assert.NoError(t, exchange.LetIn(t.Context(), ines.Params, there, postgres.InCase{Member: rui.login, Level: postgres.LevelReader},
			postgres.InCase{Member: zoe.login, Level: postgres.LevelEditor}))
		assert.Equal(t, map[string]postgres.Level{ines.login: postgres.LevelOwner, rui.login: postgres.LevelReader, zoe.login: postgres.LevelEditor}, in(ines))
	})
	t.Run("everybody can leave", func(t *testing.T) {
		assert.NoError(t, exchange.Leave(t.Context(), rui.Params, there))
		assert.Equal(t, map[string]postgres.Level{ines.login: postgres.LevelOwner, zoe.login: postgres.LevelEditor}, in(ines))
		assert.Equal(t, 0, len(in(rui)))
	})
}

func TestWhoIsLetInAgainReceivesWhatWasDoneMeanwhile(t *testing.T) {
	_, people := setup(t, "ines", "rui")
	ines, rui := people[0], people[1]
	hers := ines.shares("A bridge", "bridge", rui)
	rui.once()
	assert.NoError(t, exchange.Leave(t.Context(), rui.Params, desk.IDOf(hers)))
	ines.writes(hers, 2)
	ines.shares("A mill", "mill", rui) // with which he goes on beyond those
	rui.once()
	assert.Equal(t, 0, rui.notes(desk.IDOf(hers).String()))
	assert.NoError(t, exchange.LetIn(t.Context(), ines.Params, desk.IDOf(hers), postgres.InCase{Member: rui.login, Level: postgres.LevelReviewer}))
	rui.once()
	assert.Equal(t, 2, rui.notes(desk.IDOf(hers).String()))
}
