package gui

import (
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/screens"
)

func TestACaseThatIsMadeElsewhereIsShown(t *testing.T) {
	d := setup(t)
	d.rail.Select(screens.Cases)
	d.Until("it says what a case is for", func() bool { return d.reads("Gather a story in a case") })
	_, err := d.Store.AddCase(t.Context(), store.Case{Title: "Harbour statement"})
	assert.NoError(t, err)
	d.cases.Changed()
	d.Until("the case is shown", func() bool { return d.reads("Harbour statement") && d.reads("no items") })
}

// reads reports whether a text is in sight, in the sheet or else on the screen.
func (d *fixture) reads(text string) bool { return strings.Contains(guitest.Words(d.top()), text) }
