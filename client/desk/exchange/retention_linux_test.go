package exchange_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/store"
)

func TestACaseIsKeptForAsLongAsItsOwnerChose(t *testing.T) {
	ctx := t.Context()
	database, people := setup(t, "ines", "rui", "zoe")
	ahead := time.Duration(0)
	clock := func() time.Time { return time.Now().Add(ahead) }
	ines, rui, zoe := newPersonAt(t, database, people[0].login, clock), newPersonAt(t, database, people[1].login, clock), people[2]
	id := ines.shares("A bridge", "bridge", rui)
	there := desk.IDOf(id).String()
	keep := func(p *person, caseID, days string) error {
		return p.Store.ChangeCase(ctx, caseID, store.CaseEvent{Kind: store.CaseRetention, Text: days, By: p.login})
	}
	note := func(p *person, caseID, text string) {
		t.Helper()
		assert.NoError(t, p.Store.AddCaseNote(ctx, caseID, store.CaseNote{Text: text, By: p.login}))
	}
	assert.NoError(t, keep(ines, id, "90"))
	note(ines, id, "of Ines")
	ines.once()
	rui.once()
	note(rui, there, "of Rui")
	rui.once()
	ines.once()
	owner, err := postgres.ParseAddress(database.URL(database.Owner))
	assert.NoError(t, err)
	expire := func() string {
		t.Helper()
		assert.NoError(t, postgres.Init(ctx, owner, desktest.Password, nil))
		return database.Backup(t)
	}
	wantHere := func(p *person, caseID string, notes, colleagues, expired int) {
		t.Helper()
		assert.Equal(t, notes, p.notes(caseID))
		checked, err := p.Store.CheckedByColleagues(ctx, sumOf("bridge"))
		assert.NoError(t, err)
		assert.Equal(t, colleagues, len(checked))
		happened, _, err := p.Store.CaseEvents(ctx, caseID, store.CaseCursor{}, 100)
		assert.NoError(t, err)
		said := 0
		for _, e := range happened {
			if e.Kind == store.CaseExpired {
				said++
			}
		}
		assert.Equal(t, expired, said)
		counts, err := p.Store.DeskCounts(ctx)
		assert.NoError(t, err)
		assert.Equal(t, 0, counts.Altered+counts.Refused)
	}
	t.Run("nobody but the owner chooses, and only what can be", func(t *testing.T) {
		c, err := rui.Store.CaseByID(ctx, there)
		assert.NoError(t, err)
		assert.Equal(t, 90, c.Desk.Keep)
		if err := keep(rui, there, "30"); !errors.Is(err, store.ErrNotOwner) {
			t.Errorf("a reviewer: %v", err)
		}
		for _, days := range []string{"0", "-1", "36501", "ninety"} {
			if keep(ines, id, days) == nil {
				t.Errorf("%s days", days)
			}
		}
	})
	t.Run("before that all of it is kept", func(t *testing.T) {
		if all := expire(); !strings.Contains(all, "of Ines") || !strings.Contains(all, "of Rui") {
			t.Error("the desk does not have the notes")
		}
		assert.NoError(t, rui.Store.Expire(ctx, time.Now().AddDate(0, 0, 89)))
		wantHere(rui, there, 2, 1, 0)
	})
	t.Run("after it the desk has nothing of it but that something was there", func(t *testing.T) {
		_, err := database.Login(database.Owner).Exec(ctx, "UPDATE desk.events SET at = at - interval '91 days'")
		assert.NoError(t, err)
		all := expire()
		for _, gone := range []string{"of Ines", "of Rui", "A bridge", sumOf("bridge"), "request-bridge"} {
			if strings.Contains(all, gone) {
				t.Errorf("the desk still has %q", gone)
			}
		}
		assert.True(t, strings.Contains(all, "\tretention\t") && strings.Contains(all, "\tnote\t"), "what was there is not to be seen")
	})
	t.Run("a colleague's computer keeps what was done on it, once", func(t *testing.T) {
		ahead = 92 * 24 * time.Hour
		for range 2 {
			assert.NoError(t, rui.Store.Expire(ctx, clock()))
			wantHere(rui, there, 1, 0, 1)
		}
		assert.NoError(t, ines.Store.Expire(ctx, clock()))
		wantHere(ines, id, 1, 0, 1)
		c, err := ines.Store.CaseByID(ctx, id)
		assert.NoError(t, err)
		assert.Equal(t, 1, c.Items)
	})
	t.Run("who comes later sees that it was, and no warning", func(t *testing.T) {
		ahead = 0
		assert.NoError(t, exchange.LetIn(ctx, ines.Params, desk.IDOf(id), postgres.InCase{Member: zoe.login, Level: postgres.LevelReader}))
		zoe.once()
		wantHere(zoe, there, 0, 0, 1)
	})
	t.Run("what is done after it is kept again", func(t *testing.T) {
		note(ines, id, "a year later")
		ines.once()
		assert.True(t, strings.Contains(expire(), "a year later"), "the desk does not have it")
		zoe.once()
		wantHere(zoe, there, 1, 0, 1)
	})
	t.Run("whoever comes then, and whatever the owner chooses next, nobody is warned of what was removed in time", func(t *testing.T) {
		wantHere(people[1].atANewComputer(database), there, 1, 0, 0)
		for _, days := range []string{"365", ""} {
			assert.NoError(t, keep(ines, id, days))
			ines.once()
			zoe.once()
			wantHere(zoe, there, 1, 0, 1)
		}
	})
	t.Run("but of what was removed before its time", func(t *testing.T) {
		_, err := database.Login(database.Owner).Exec(ctx, "UPDATE desk.events SET body = NULL WHERE kind = 'note' AND body IS NOT NULL")
		assert.NoError(t, err)
		late := people[1].atANewComputer(database)
		counts, err := late.Store.DeskCounts(ctx)
		assert.NoError(t, err)
		assert.True(t, counts.Altered > 0, "nothing is said")
	})
}

// atANewComputer is the same person at a computer that has received all that is at the desk.
func (p *person) atANewComputer(database *desktest.Database) *person {
	p.t.Helper()
	other := newPerson(p.t, database, p.login)
	other.once()
	return other
}
