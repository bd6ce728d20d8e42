package cases

import (
	"testing"

	"github.com/google/uuid"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/kit"
)

func TestAnEntryIsRemovedForEveryone(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.join()
	id := d.gather("Harbour statement")
	assert.NoError(t, d.store.AddCaseNote(t.Context(), id, store.CaseNote{Text: "of this computer alone", By: "Ines"}))
	d.read()
	if d.removable("of this computer alone") {
		t.Error("what is not shared is removed for everyone")
	}
	assert.NoError(t, d.store.ShareCase(t.Context(), id, desk.ShareAnswer))
	assert.NoError(t, d.store.AddCaseNote(t.Context(), id, store.CaseNote{Text: "My source is Max.", By: "Ines"}))
	d.rui(id, 100, desk.Note, desk.Body{Text: "seen from the ferry"})
	d.read()
	assert.Equal(t, []bool{true, true, false}, []bool{d.removable("My source is Max."), d.removable("seen from the ferry"), d.removable("Created the case")})

	t.Run("it says what goes and what stays, and does nothing yet", func(t *testing.T) {
		d.askToRedact(d.entry("My source is Max."))
		d.UntilWords("That something was here stays")
		d.Sheet.Close()
		d.idle()
		assert.Equal(t, true, d.removable("My source is Max."))
	})
	t.Run("it is gone, and the feed says who removed it", func(t *testing.T) {
		d.askToRedact(d.entry("My source is Max."))
		for _, b := range guitest.InSight[*kit.Button](d.Top()) {
			if b.Label() == "Remove" {
				b.OnTapped()
			}
		}
		d.UntilWords("Removed by Ines, ")
		assert.Equal(t, "", d.entry("My source is Max.").Text)
		unsent, err := d.store.Unsent(t.Context(), 10)
		assert.NoError(t, err)
		assert.Equal(t, desk.Redact, unsent[len(unsent)-1].Kind)
	})
	t.Run("who owns the case no longer, removes only what is theirs", func(t *testing.T) {
		assert.NoError(t, d.store.SetDeskLevels(t.Context(), map[uuid.UUID]string{desk.IDOf(id): "editor"}))
		d.read()
		assert.Equal(t, []bool{true, false}, []bool{d.removable("of this computer alone"), d.removable("seen from the ferry")})
	})
}

// entry is an entry of what happened; the zero value: there is none.
func (d *fixture) entry(text string) Event {
	for _, e := range d.pane.feed.shown {
		if e.Text == text {
			return e
		}
	}
	return Event{}
}

func (d *fixture) removable(text string) bool { return d.entry(text).Entries != "" }
