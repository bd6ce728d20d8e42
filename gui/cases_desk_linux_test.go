package gui

import (
	"context"
	"crypto/ed25519"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/events"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/screens"
)

// atDesk has a store join a desk as one of its members.
func atDesk(t *testing.T, database *desktest.Database, login string, records *store.Store, hub *events.Hub) exchange.Params {
	t.Helper()
	at, err := postgres.ParseAddress(database.URL(login))
	assert.NoError(t, err)
	_, key, err := ed25519.GenerateKey(nil)
	assert.NoError(t, err)
	p := exchange.Params{Store: records, Address: at, Events: hub,
		Password: func(context.Context) (string, error) { return desktest.Password, nil },
		Key:      func(context.Context) (ed25519.PrivateKey, error) { return key, nil }}
	_, err = exchange.Join(t.Context(), p)
	assert.NoError(t, err)
	return p
}

// TestACaseIsSharedOverTheDesk has Ines share a case in her window with Rui, whose records are elsewhere, over a real PostgreSQL.
func TestACaseIsSharedOverTheDesk(t *testing.T) {
	database := desktest.Start(t).NewDatabase(t)
	owner, err := postgres.ParseAddress(database.URL(database.Owner))
	assert.NoError(t, err)
	inesLogin, ruiLogin := "ines_of_"+database.Name, "rui_of_"+database.Name
	assert.NoError(t, postgres.Init(t.Context(), owner, desktest.Password, []postgres.NewMember{
		{Name: inesLogin, Role: postgres.Editor, Password: desktest.Password}, {Name: ruiLogin, Role: postgres.Editor, Password: desktest.Password}}))

	d := setup(t)
	ruiStore, err := store.Open(t.Context(), t.TempDir(), store.Options{})
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, ruiStore.Close()) })
	rui := atDesk(t, database, ruiLogin, ruiStore, nil)
	ines := atDesk(t, database, inesLogin, d.Store, d.Events)
	d.Exchange = func(context.Context) (exchange.Params, error) { return ines, nil }
	c, err := d.Store.AddCase(t.Context(), store.Case{Title: "Harbour statement", By: "Ines"})
	assert.NoError(t, err)
	there := desk.IDOf(c.ID).String()
	d.rail.Select(screens.Cases)
	d.reads("Share…")

	d.Run("with whom she chooses", func(t *testing.T) {
		d.press("Share…")
		d.reads("Goes to the desk")
		for _, box := range guitest.InSight[*kit.Check](d.top()) {
			box.Tapped(nil)
		}
		d.press("Share")
		d.reads("People…")
		d.Until("Rui was let in", func() bool {
			assert.NoError(t, exchange.Once(t.Context(), rui))
			_, err := ruiStore.CaseByID(t.Context(), there)
			return err == nil
		})
	})
	ines.Looking = d.Looking()
	loop := exchange.Start(ines)
	t.Cleanup(loop.Close)
	d.Run("what he does shows live, by his name, and as new", func(t *testing.T) {
		assert.NoError(t, ruiStore.AddCaseNote(t.Context(), there, store.CaseNote{Text: "seen from the ferry", By: "Rui"}))
		assert.NoError(t, exchange.Once(t.Context(), rui))
		d.reads("seen from the ferry")
		d.reads("1 new")
		d.reads("last: " + ruiLogin)
	})
	d.Run("that he looks at it shows, too, until he is gone", func(_ *testing.T) {
		his := rui
		his.Looking = exchange.NewLooking(nil)
		window := exchange.Start(his)
		his.Looking.At(desk.IDOf(c.ID))
		d.reads(ruiLogin + " is looking at this now")
		d.Until("he sees her", func() bool {
			_, others := his.Looking.Others()
			return slices.Equal(others, []string{inesLogin})
		})
		d.rail.Select(screens.Inbox)
		d.Until("she is elsewhere", func() bool {
			_, others := his.Looking.Others()
			return len(others) == 0
		})
		d.rail.Select(screens.Cases)
		d.reads(ruiLogin + " is looking at this now")
		window.Close()
		d.Until("he is gone", func() bool {
			_, others := d.Looking().Others()
			return len(others) == 0
		})
	})
	d.Run("what she does reaches him", func(t *testing.T) {
		assert.NoError(t, d.Store.AddCaseNote(t.Context(), c.ID, store.CaseNote{Text: "hers", By: "Ines"}))
		d.Until("he has it", func() bool {
			assert.NoError(t, exchange.Once(t.Context(), rui))
			notes, err := ruiStore.CaseNotes(t.Context(), there)
			assert.NoError(t, err)
			return len(notes) == 2
		})
	})
	d.Run("what she changes for him holds at the desk", func(t *testing.T) {
		d.press("People…")
		d.reads("You own this case")
		for _, may := range guitest.InSight[*kit.Select](d.top()) {
			may.Select(1)
		}
		d.reads("is in the case: can read.")
		people, err := exchange.People(t.Context(), rui, desk.IDOf(c.ID))
		assert.NoError(t, err)
		assert.Equal(t, []postgres.InCase{{Member: inesLogin, Level: postgres.LevelOwner}, {Member: ruiLogin, Level: postgres.LevelReader}}, people)
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	})
	d.Run("and who is out is told so by the desk alone", func(t *testing.T) {
		assert.NoError(t, exchange.LetIn(t.Context(), ines, desk.IDOf(c.ID), postgres.InCase{Member: ruiLogin, Level: postgres.LevelNone}))
		d.press("People…")
		d.reads("not in the case")
	})
}
