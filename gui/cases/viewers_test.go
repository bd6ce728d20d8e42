package cases

import (
	"testing"

	"assay/client/assert"
	"assay/client/desk"
	"assay/gui/guitest"
)

func (d *fixture) LookAt(of string) { d.open = append(d.open, of) }

func (d *fixture) Viewers(string) []string { return d.viewers }

func TestWhoElseHasTheCaseOpen(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.join()
	own := d.gather("Of this computer")
	id := d.gather("Harbour statement")
	assert.NoError(t, d.store.ShareCase(t.Context(), id, desk.ShareAnswer))
	d.read()
	d.Show(own)
	d.idle()
	d.open = nil
	look := func(viewers ...string) { d.viewers = viewers; d.Look() }
	high := func() float32 { return d.pane.head.MinSize().Height }

	d.Show(id)
	d.idle()
	assert.Equal(t, []string{id}, d.open)
	before := high()
	assert.Equal(t, "", d.pane.viewers.Text())
	look("rui")
	assert.Equal(t, "Rui Costa is looking at this now", d.pane.viewers.Text())
	d.UntilWords("Rui Costa is looking at this now")
	assert.Equal(t, before, high())
	look("rui", "zoe", "of whom nothing is known here")
	assert.Equal(t, "Rui Costa and Zoe, of whom the whole name is much longer than there is room for in a line are looking at this now", d.pane.viewers.Text())
	assert.Equal(t, before, high())
	if right := d.pane.viewers.Position().X + d.pane.viewers.Size().Width; right > d.pane.under.Size().Width+1 {
		t.Errorf("it ends at %v of %v", right, d.pane.under.Size().Width)
	}
	look()
	assert.Equal(t, "", d.pane.viewers.Text())

	t.Run("a case out of sight is open to nobody", func(t *testing.T) {
		d.open = nil
		d.Away(true)
		assert.Equal(t, []string{""}, d.open)
		look("rui")
		assert.Equal(t, "", d.pane.viewers.Text())
		d.Away(false)
		assert.Equal(t, []string{"", id}, d.open)
		d.Screen.Object().Hide()
		d.Look()
		d.Screen.Object().Show()
		d.Look()
		assert.Equal(t, []string{"", id, "", id}, d.open)
	})
	t.Run("nor is one of this computer alone", func(t *testing.T) {
		d.open = nil
		d.Show(own)
		d.idle()
		assert.Equal(t, []string{""}, d.open)
		assert.Equal(t, "", d.pane.viewers.Text())
	})
}

func TestNamesOfViewers(t *testing.T) {
	for want, names := range map[string][]string{
		"": nil, "Ines is looking at this now": {"Ines"}, "Ines and Rui are looking at this now": {"Ines", "Rui"},
		"Ines, Rui and 1 other are looking at this now": {"Ines", "Rui", "Zoe"}, "Ines, Rui and 2 others are looking at this now": {"Ines", "Rui", "Zoe", "Max"},
	} {
		assert.Equal(t, want, viewersText(names))
	}
}
