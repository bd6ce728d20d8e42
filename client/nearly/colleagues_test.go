package nearly_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
	"assay/client/submission"
)

// joins makes a fixture's records those of a member of a desk that both know.
func (f *fixture) joins(name string) {
	f.t.Helper()
	assert.NoError(f.t, f.store.JoinDesk(f.t.Context(), store.Membership{Member: name, Device: uuid.NewSHA1(uuid.Nil, []byte(name))}))
	assert.NoError(f.t, f.store.SetDeskPeople(f.t.Context(), []store.DeskMember{{Name: "rui", Display: "Rui", Role: "editor"}}, nil))
}

// shares are the events by which a fixture's result is shared with the desk, in a case of its own.
func (f *fixture) shares(id string) (all []store.Received) {
	f.t.Helper()
	c, err := f.store.AddCase(f.t.Context(), store.Case{Title: "A mountain"})
	assert.NoError(f.t, err)
	_, err = f.store.AddToCase(f.t.Context(), c.ID, []string{id}, "Rui")
	assert.NoError(f.t, err)
	assert.NoError(f.t, f.store.ShareCase(f.t.Context(), c.ID, desk.ShareAnswer))
	events, err := f.store.Unsent(f.t.Context(), 100)
	assert.NoError(f.t, err)
	for _, e := range events {
		e.At = noon
		all = append(all, store.Received{Event: e})
	}
	return all
}

func (f *fixture) receives(all ...store.Received) {
	f.t.Helper()
	assert.NoError(f.t, f.store.Receive(f.t.Context(), all, "1", "1"))
}

// TestWhatColleaguesShareIsAHint is about two computers: Rui has checked a photograph and shared the answer; Ines has a resaved copy that was not sent.
func TestWhatColleaguesShareIsAHint(t *testing.T) {
	mountains := photo(t, "mountains.jpg")
	rui := setup(t)
	rui.joins("rui")
	theirs := answer(t, rui.file("mountains.jpg", jpeg(t, mountains, 90)), client.Fake)
	theirs.Gate, theirs.Filed = submission.GateSend, true
	_, err := rui.store.Add(t.Context(), []submission.Submission{theirs})
	assert.NoError(t, err)
	rui.finder.Start()
	rui.rested() // once it has the fingerprint
	shared := rui.shares(theirs.ID)

	ines := setup(t)
	ines.joins("ines")
	waiting := ines.held("copy.jpg", resaved(t, mountains))
	ines.finder.Start()
	ines.receives(shared...)
	hint := ines.awaitHint(waiting)
	assert.Equal(t, "Rui FAKE picture", hint.By+" "+string(hint.Status)+" "+string(hint.Like))
	assert.True(t, hint.Case != "", "it leads to no case")
	t.Run("also in the next run", func(t *testing.T) {
		ines.again()
		ines.finder.Start()
		ines.awaitHint(waiting)
		assert.Equal(t, 1, len(ines.near(waiting)))
		for ines.rested() != 5*time.Minute { //nolint:revive // until what is in memory is let go of
		}
		assert.Equal(t, 1, len(ines.near(waiting)))
	})
	t.Run("nonsense is like nothing, and nobody's word counts for a file that is here", func(t *testing.T) {
		mine := ines.result("dandelion.jpg", jpeg(t, photo(t, "dandelion.webp"), 90), client.Authentic)
		ines.again() // of what was there before it makes a fingerprint
		ines.finder.Start()
		ines.rested()
		about := shared[slices.IndexFunc(shared, func(e store.Received) bool { return e.Kind == desk.Result })]
		var body desk.Body
		assert.NoError(t, json.Unmarshal(about.Body, &body))
		hashes := body.Item.PDQ
		lie := func(content []byte, hashes ...desk.PDQ) {
			t.Helper()
			body.Item.PDQ, body.Item.RequestID = hashes, uuid.NewString()
			var err error
			e := about
			e.ID, e.Subject = uuid.New(), content
			e.Body, err = json.Marshal(body)
			assert.NoError(t, err)
			ines.receives(e)
		}
		own, err := hex.DecodeString(mine.SHA256)
		assert.NoError(t, err)
		lie(own, hashes...)
		lie(bytes.Repeat([]byte{1}, 32), desk.PDQ{Quality: 100, Hashes: bytes.Repeat([]byte{0xaa}, 17)}, desk.PDQ{Quality: 100, Hashes: bytes.Repeat([]byte{0xaa}, 1024)},
			desk.PDQ{Quality: -1, Frame: true, Hashes: hashes[0].Hashes}, desk.PDQ{Quality: 100, Hashes: make([]byte, 1024)})
		lie(bytes.Repeat([]byte{2}, 32), hashes...)
		for ines.awaitHint(waiting).More != 1 { //nolint:revive // until the last one counts
		}
		assert.Equal(t, 2, len(ines.near(waiting)))
		assert.Equal(t, nil, ines.near(mine.ID))
	})
	t.Run("until it is taken back", func(t *testing.T) {
		about := shared[slices.IndexFunc(shared, func(e store.Received) bool { return e.Kind == desk.Result })]
		ines.receives(store.Received{Event: desk.Event{ID: uuid.New(), Case: about.Case, Author: "rui", Device: about.Device, Lamport: 1000, Kind: desk.Withdraw, About: about.ID, Body: []byte("{}"), At: noon}})
		assert.Equal(t, 1, len(ines.near(waiting)))
	})
}
