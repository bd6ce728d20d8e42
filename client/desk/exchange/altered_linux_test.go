package exchange_test

import (
	"crypto/ed25519"
	"testing"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
)

// TestAServerThatChangesRows has somebody with all rights at the server change each event before a colleague has it: that is said, and nothing of it stands
// in a case.
func TestAServerThatChangesRows(t *testing.T) {
	database, ines, rui, hers, his := two(t)
	other := desk.IDOf(ines.shares("Another case", "mill", rui)).String()
	rui.once()
	owner := database.Login(database.Owner)
	for i, c := range []struct{ what, change string }{
		{"what it says", `body = '{"text": "it is real"}'`},
		{"what it says, and its digest", `body = '{"text": "it is real"}', digest = sha256(decode('0000000000000000', 'hex') || '{"text": "it is real"}')`},
		{"who wrote it", "author = '" + rui.login + "'"},
		{"who wrote it, and on which computer", "author = '" + rui.login + "', device = (SELECT id FROM desk.devices WHERE member = '" + rui.login + "')"},
		{"its signature", "sig = decode(repeat('00', 64), 'hex')"},
		{"its signature, for another's", "sig = (SELECT sig FROM desk.events WHERE kind = 'title' LIMIT 1)"},
		{"its number", "lamport = 1"},
		{"its kind", "kind = 'task'"},
		{"what it is about", "about = gen_random_uuid()"},
		{"which case it is in", "case_id = '" + other + "'"},
		{"which event it is", "id = gen_random_uuid()"},
	} {
		ines.writes(hers, 1)
		ines.once()
		done, err := owner.Exec(t.Context(), "UPDATE desk.events SET "+c.change+" WHERE seq = (SELECT max(seq) FROM desk.events)")
		assert.NoError(t, err)
		assert.Equal(t, int64(1), done.RowsAffected())
		rui.once()
		if notes, altered := rui.notes(his)+rui.notes(other), rui.counts().Altered; notes != 0 || altered != i+1 {
			t.Errorf("%s: %d notes, %d altered, want %d", c.what, notes, altered, i+1)
		}
	}
	questions, err := rui.Store.CaseQuestions(t.Context(), his)
	assert.NoError(t, err)
	assert.Equal(t, 0, len(questions))
	ines.writes(hers, 2) // what is as it was written still comes
	ines.once()
	rui.once()
	assert.Equal(t, 2, rui.notes(his))
}

// TestAServerThatSwapsAKey has the server put its own key in the place of a computer's, and sign with it what nobody wrote: neither who knew the key nor
// who comes later believes it.
func TestAServerThatSwapsAKey(t *testing.T) {
	database, people := setup(t, "ines", "rui", "zoe")
	ines, rui, zoe := people[0], people[1], people[2]
	hers := ines.shares("A bridge", "bridge", rui)
	his := desk.IDOf(hers).String()
	rui.once()
	ines.writes(hers, 1)
	ines.once()
	key, err := ines.Key(t.Context())
	assert.NoError(t, err)
	public, forger, err := ed25519.GenerateKey(nil)
	assert.NoError(t, err)
	owner := database.Login(database.Owner)
	device := exchange.DeviceOf(ines.login, key)
	_, err = owner.Exec(t.Context(), "UPDATE desk.devices SET key = $1 WHERE id = $2", []byte(public), device)
	assert.NoError(t, err)
	e := desk.Event{Case: desk.IDOf(hers), Author: ines.login, Device: device, Kind: desk.Note, Body: []byte(`{"text": "it is real"}`)}
	assert.NoError(t, owner.QueryRow(t.Context(), "SELECT id, lamport FROM desk.events WHERE kind = 'note'").Scan(&e.ID, &e.Lamport))
	e.Sign(forger)
	_, err = owner.Exec(t.Context(), "UPDATE desk.events SET body = $1, digest = $2, sig = $3 WHERE id = $4", string(e.Body), e.Digest, e.Sig, e.ID)
	assert.NoError(t, err)

	rui.once()
	assert.NoError(t, exchange.LetIn(t.Context(), ines.Params, e.Case, postgres.InCase{Member: zoe.login, Level: postgres.LevelReader}))
	late := newPerson(t, database, zoe.login) // who has never known the key
	late.once()
	for _, p := range []*person{rui, late} {
		assert.Equal(t, true, p.counts().Altered > 0)
		all, err := p.Store.CaseNotes(t.Context(), his)
		if err == nil && len(all) > 0 {
			t.Errorf("%s has %q", p.login, all[0].Text)
		}
	}
	assert.Equal(t, 1, rui.counts().Altered)
}
