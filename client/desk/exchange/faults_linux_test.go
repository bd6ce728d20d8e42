package exchange_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/store"
	"assay/client/submission"
)

// through has a person reach the desk by a network that can fail.
func (p *person) through(t testing.TB, database *desktest.Database) *desktest.Proxy {
	t.Helper()
	proxy := database.Proxy(t)
	at, err := postgres.ParseAddress(proxy.URL(p.login))
	assert.NoError(t, err)
	p.Address = at
	return proxy
}

// writes adds notes to a case.
func (p *person) writes(caseID string, n int) {
	p.t.Helper()
	for i := range n {
		assert.NoError(p.t, p.Store.AddCaseNote(p.t.Context(), caseID, store.CaseNote{Text: fmt.Sprintf("%s %d", p.login, i), By: p.login}))
	}
}

func (p *person) counts() store.DeskCounts {
	p.t.Helper()
	counts, err := p.Store.DeskCounts(p.t.Context())
	assert.NoError(p.t, err)
	return counts
}

// start exchanges in the background, until the test ends.
func (p *person) start(t testing.TB) *exchange.Loop {
	t.Helper()
	l := exchange.Start(p.Params)
	t.Cleanup(l.Close)
	return l
}

// notesAt is how many notes the desk has.
func notesAt(t testing.TB, database *desktest.Database) (n int) {
	t.Helper()
	assert.NoError(t, database.Login(database.Owner).QueryRow(t.Context(), "SELECT count(*) FROM desk.events WHERE kind = 'note'").Scan(&n))
	return n
}

// does runs a statement as the database's owner.
func does(t testing.TB, database *desktest.Database, statement string) {
	t.Helper()
	_, err := database.Login(database.Owner).Exec(t.Context(), statement)
	assert.NoError(t, err)
}

func wantCause(t testing.TB, err error, want postgres.Cause) {
	t.Helper()
	var p *postgres.Problem
	if !errors.As(err, &p) || p.Cause != want {
		t.Errorf("%v, want a problem of cause %s", err, want)
	}
}

func causeOf(l *exchange.Loop) postgres.Cause {
	var p *postgres.Problem
	if errors.As(l.Status().Problem, &p) {
		return p.Cause
	}
	return ""
}

// two are people with a case that both have, under its IDs on their computers.
func two(t *testing.T) (database *desktest.Database, ines, rui *person, hers, his string) {
	t.Helper()
	database, people := setup(t, "ines", "rui")
	ines, rui = people[0], people[1]
	hers = ines.shares("A bridge", "bridge", rui)
	rui.once()
	return database, ines, rui, hers, desk.IDOf(hers).String()
}

const notes = 300 // of which one batch is made

func TestTheNetworkFails(t *testing.T) {
	t.Run("in the middle of a batch: nothing of it is there, and then all of it once", func(t *testing.T) {
		database, ines, rui, hers, his := two(t)
		proxy := ines.through(t, database)
		ines.writes(hers, notes)
		proxy.CutAfter(40_000)
		wantCause(t, exchange.Once(t.Context(), ines.Params), postgres.Unreachable)
		assert.Equal(t, 0, notesAt(t, database))
		assert.Equal(t, notes, ines.counts().Pending)
		proxy.Mend()
		ines.once()
		rui.once()
		assert.Equal(t, notes, notesAt(t, database))
		assert.Equal(t, notes, rui.notes(his))
	})
	t.Run("after the server has committed: it is sent again, and there once", func(t *testing.T) {
		database, ines, rui, hers, his := two(t)
		proxy := ines.through(t, database)
		ines.writes(hers, notes)
		proxy.SilentAfter(40_000)
		ended := make(chan error)
		go func() { ended <- exchange.Once(t.Context(), ines.Params) }()
		until(t, "the server has committed", func() bool { return notesAt(t, database) == notes })
		proxy.Gone()
		wantCause(t, <-ended, postgres.Unreachable)
		assert.Equal(t, notes, ines.counts().Pending) // she can't know
		proxy.Mend()
		ines.once()
		rui.once()
		assert.Equal(t, notes, notesAt(t, database))
		assert.Equal(t, notes, rui.notes(his))
		assert.Equal(t, notes, ines.notes(hers))
		assert.Equal(t, store.DeskCounts{}, ines.counts())
		assert.Equal(t, 0, rui.counts().Altered)
	})
	t.Run("while the other receives: all of it comes, once", func(t *testing.T) {
		database, ines, rui, hers, his := two(t)
		ines.writes(hers, 2*notes)
		ines.once()
		proxy := rui.through(t, database)
		for after := int64(1500); rui.notes(his) < 2*notes; after += 500 {
			proxy.CutAfter(after)
			if err := exchange.Once(t.Context(), rui.Params); err != nil {
				wantCause(t, err, postgres.Unreachable)
			}
		}
		proxy.Mend()
		rui.once()
		assert.Equal(t, 2*notes, rui.notes(his))
	})
	t.Run("altogether: she works on, is told what waits, and is not asked for more than now and then", func(t *testing.T) {
		database, ines, rui, hers, his := two(t)
		proxy := ines.through(t, database)
		l := ines.start(t)
		until(t, "she is connected", func() bool { return l.Status().Connected })
		proxy.Gone()
		until(t, "it is said", func() bool { return causeOf(l) == postgres.Unreachable })
		ines.writes(hers, 5)
		assert.Equal(t, 5, ines.counts().Pending)
		assert.Equal(t, 5, ines.notes(hers))
		var pauses []time.Duration
		for range 5 {
			until(t, "it pauses", func() bool { return !l.Status().Trying && !l.Status().Next.IsZero() })
			next := l.Status().Next
			pauses = append(pauses, time.Until(next))
			l.TryNow()
			until(t, "it is tried again", func() bool { return !l.Status().Next.Equal(next) })
		}
		if pauses[4] < 4*time.Second {
			t.Errorf("pauses of %s", pauses)
		}
		proxy.Mend()
		until(t, "it is sent", func() bool { l.TryNow(); return ines.counts().Pending == 0 })
		rui.once()
		assert.Equal(t, 5, rui.notes(his))
	})
}

func TestTheDeskFails(t *testing.T) {
	t.Run("it has no room: that is said, what is there is read, and what waits is sent later", func(t *testing.T) {
		database, ines, rui, hers, his := two(t)
		rui.writes(his, 3)
		rui.once()
		does(t, database, `CREATE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`)
		does(t, database, "CREATE TRIGGER full_disk BEFORE INSERT ON desk.events FOR EACH ROW EXECUTE FUNCTION public.full_disk()")
		ines.writes(hers, 2)
		l := ines.start(t)
		until(t, "it is said", func() bool { return causeOf(l) == postgres.Full })
		assert.Equal(t, 5, ines.notes(hers))
		assert.Equal(t, store.DeskCounts{Pending: 2, Received: 3}, ines.counts())
		does(t, database, "DROP TRIGGER full_disk ON desk.events")
		until(t, "it is sent", func() bool { l.TryNow(); return ines.counts().Pending == 0 && l.Status().Connected })
	})
	t.Run("a transaction elsewhere stays open: what comes after waits for it, and that is said", func(t *testing.T) {
		database, ines, rui, hers, his := two(t)
		l := rui.start(t)
		until(t, "he is connected", func() bool { return l.Status().Connected })
		other := database.Login(database.Owner)
		tx, err := other.Begin(t.Context())
		assert.NoError(t, err)
		_, err = tx.Exec(t.Context(), "SELECT pg_current_xact_id()")
		assert.NoError(t, err)
		ines.writes(hers, 1)
		ines.once()
		does(t, database, "UPDATE desk.events SET at = at - interval '1 minute' WHERE kind = 'note'")
		until(t, "it is said", func() bool { l.TryNow(); return l.Status().HeldBack >= time.Minute })
		assert.Equal(t, 0, rui.notes(his))
		assert.NoError(t, tx.Rollback(t.Context()))
		until(t, "it is over", func() bool { l.TryNow(); return rui.notes(his) == 1 && l.Status().HeldBack == 0 })
	})
	t.Run("a later Assay has changed it: it is read, and nothing is sent", func(t *testing.T) {
		database, ines, rui, hers, his := two(t)
		l := ines.start(t)
		until(t, "she is connected", func() bool { return l.Status().Connected })
		rui.writes(his, 1)
		rui.once()
		does(t, database, "UPDATE desk.about SET version = version + 1")
		until(t, "it is said", func() bool { l.TryNow(); return l.Status().Newer && l.Status().Connected })
		until(t, "his note is there", func() bool { return ines.notes(hers) == 1 })
		ines.writes(hers, 1)
		rui.writes(his, 1)
		l.TryNow()
		wantCause(t, exchange.Once(t.Context(), rui.Params), postgres.NewerDesk)
		assert.Equal(t, 1, notesAt(t, database))
		assert.Equal(t, 1, ines.counts().Pending)
		wantCause(t, exchange.LetIn(t.Context(), rui.Params, desk.IDOf(hers), postgres.InCase{Member: ines.login, Level: postgres.LevelReader}), postgres.NewerDesk)
	})
	t.Run("it was restored from a backup: nothing is written before IT has seen to it, and then all is there once", func(t *testing.T) {
		database, ines, rui, hers, his := two(t)
		ines.writes(hers, 3)
		ines.once()
		rui.once()
		backup := database.Backup(t)
		ines.writes(hers, 2) // which are not in it
		ines.once()
		rui.once()
		database = database.Restore(t, backup)
		for _, p := range []*person{ines, rui} {
			at, err := postgres.ParseAddress(database.URL(p.login))
			assert.NoError(t, err)
			p.Address = at
		}
		rui.writes(his, 1)
		wantCause(t, exchange.Once(t.Context(), rui.Params), postgres.Restored)
		owner, err := postgres.ParseAddress(database.URL(database.Owner))
		assert.NoError(t, err)
		assert.NoError(t, postgres.Init(t.Context(), owner, desktest.Password, nil))
		for range 2 {
			ines.once()
			rui.once()
		}
		assert.Equal(t, 6, notesAt(t, database))
		assert.Equal(t, 6, ines.notes(hers))
		assert.Equal(t, 6, rui.notes(his))
		assert.Equal(t, 0, ines.counts().Altered+rui.counts().Altered)
	})
	t.Run("he is revoked while he is connected: what waits is kept, and goes once he is let in again", func(t *testing.T) {
		database, _, rui, _, his := two(t)
		l := rui.start(t)
		until(t, "he is connected", func() bool { return l.Status().Connected })
		owner, err := postgres.ParseAddress(database.URL(database.Owner))
		assert.NoError(t, err)
		assert.NoError(t, postgres.Revoke(t.Context(), owner, desktest.Password, rui.login))
		rui.writes(his, 2)
		until(t, "he is told", func() bool { return causeOf(l) == postgres.RevokedMember })
		assert.Equal(t, 0, notesAt(t, database))
		assert.Equal(t, 2, rui.counts().Pending)
		assert.Equal(t, 2, rui.notes(his))
		assert.NoError(t, postgres.Init(t.Context(), owner, desktest.Password, []postgres.NewMember{{Name: rui.login, Role: postgres.Editor}}))
		until(t, "it is sent", func() bool { l.TryNow(); return rui.counts().Pending == 0 })
		assert.Equal(t, 2, notesAt(t, database))
	})
	t.Run("he may only read: what he writes is refused, and he still reads", func(t *testing.T) {
		database, ines, rui, hers, his := two(t)
		does(t, database, "UPDATE desk.members SET role = 'reader' WHERE name = '"+rui.login+"'")
		rui.writes(his, 2)
		ines.writes(hers, 3)
		ines.once()
		rui.once()
		assert.Equal(t, 5, rui.notes(his))
		assert.Equal(t, 2, rui.counts().Refused)
		assert.Equal(t, 3, notesAt(t, database))
	})
}

func TestAClockIsWrong(t *testing.T) {
	database, ines, rui, hers, his := two(t)
	wrong := newPersonAt(t, database, rui.login, func() time.Time { return time.Date(2090, 1, 1, 0, 0, 0, 0, time.UTC) })
	wrong.once()
	assert.NoError(t, wrong.Store.ChangeCase(t.Context(), his, store.CaseEvent{Kind: store.CaseRenamed, Text: "From 2090", By: "Rui"}))
	wrong.writes(his, 1)
	wrong.once()
	ines.once()
	assert.NoError(t, ines.Store.ChangeCase(t.Context(), hers, store.CaseEvent{Kind: store.CaseRenamed, Text: "By her, later", By: "Ines"}))
	ines.once()
	wrong.once()
	rui.once()
	for p, id := range map[*person]string{ines: hers, wrong: his, rui: his} {
		c, err := p.Store.CaseByID(t.Context(), id)
		assert.NoError(t, err)
		assert.Equal(t, "By her, later", c.Title)
	}
	all, err := ines.Store.CaseNotes(t.Context(), hers)
	assert.NoError(t, err)
	if ago := time.Since(all[0].At); ago < -time.Minute || ago > time.Hour {
		t.Errorf("she sees it written at %s", all[0].At)
	}
}

func TestTwoTakeOneItem(t *testing.T) {
	_, ines, rui, hers, his := two(t)
	assert.NoError(t, ines.Store.ChangeCase(t.Context(), hers, store.CaseEvent{Kind: store.CaseAsked, Text: "Where is it?", By: "Ines"}))
	ines.once()
	rui.once()
	for p, id := range map[*person]string{ines: hers, rui: his} {
		questions, err := p.Store.CaseQuestions(t.Context(), id)
		assert.NoError(t, err)
		assert.NoError(t, p.Store.ChangeCase(t.Context(), id, store.CaseEvent{Kind: store.CaseAnswered, About: questions[0].ID, Text: "By " + p.login, By: p.login}))
		_, err = p.Store.Add(t.Context(), []submission.Submission{answered(t, "mill")})
		assert.NoError(t, err)
		_, err = p.Store.AddToCase(t.Context(), id, []string{"mill"}, p.login)
		assert.NoError(t, err)
	}
	for range 2 {
		ines.once()
		rui.once()
	}
	for p, id := range map[*person]string{ines: hers, rui: his} {
		questions, err := p.Store.CaseQuestions(t.Context(), id)
		assert.NoError(t, err)
		assert.Equal(t, 2, len(questions[0].Answers))
		c, err := p.Store.CaseByID(t.Context(), id)
		assert.NoError(t, err)
		assert.Equal(t, 2, c.Items)
		assert.Equal(t, 0, p.counts().Altered+p.counts().Refused+p.counts().Pending)
	}
}
