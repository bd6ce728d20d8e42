package cases

import (
	"slices"
	"testing"

	"assay/gui/guitest"
)

func TestTheListOfCases(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.Run("before the first one it says what a case is for", func(t *testing.T) {
		d.read()
		d.WantTexts("Gather a story in a case", "Nothing of it leaves this computer.")
	})
	d.Run("a new one is made with a title, and shown", func(t *testing.T) {
		d.Tap("New case…")
		d.Type("Harbour statement")
		d.Tap("Make it")
		d.idle()
		if got := d.titles(); !slices.Equal(got, []string{"Harbour statement"}) {
			t.Errorf("the list has %q", got)
		}
		d.WantTexts("Items", "no items")
	})
}
