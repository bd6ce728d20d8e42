package gui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/assert"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/screens"
)

func TestACaseThatIsMadeElsewhereIsShown(t *testing.T) {
	d := setup(t)
	d.rail.Select(screens.Cases)
	d.reads("Gather a story in a case")
	_, err := d.Store.AddCase(t.Context(), store.Case{Title: "Harbour statement"})
	assert.NoError(t, err)
	d.reads("Harbour statement")
	d.reads("no items")
}

func TestResultsAreGatheredInCases(t *testing.T) {
	d := setup(t)
	d.drop(absolutePicture(t, "poster.png"), absolutePicture(t, "generated.png"))
	d.Until("both are answered", func() bool { return len(d.listed()) == 2 })
	shown, name := "", ""
	d.Run("the shown one by C, in a new case; a chip says so, and opens it", func(*testing.T) {
		d.showResults()
		d.reads("Disagree")
		shown = d.viewer.Shown()
		for _, row := range d.listed() {
			if row.ID == shown {
				name = row.Name
			}
		}
		d.typedRune('c')
		d.reads("Add to a case")
		d.typeIn("Harbour statement")
		d.reads("New case “Harbour statement”")
		d.focusedKey(fyne.KeyReturn)
		d.reads("1 item was added to “Harbour statement”.")
		d.press("Harbour statement")
		d.reads("Created the case")
		if d.rail.Selected() != screens.Cases {
			t.Errorf("screen %d is in front", d.rail.Selected())
		}
	})
	d.Run("an item opens its result", func(*testing.T) {
		d.window.Canvas().Focus(d.itemsOfCase(name))
		d.focusedKey(fyne.KeyReturn)
		if d.rail.Selected() != screens.Results || d.viewer.Shown() != shown {
			t.Errorf("screen %d, and the viewer shows %q", d.rail.Selected(), d.viewer.Shown())
		}
	})
	d.Run("several from the list", func(*testing.T) {
		d.results.SelectAll()
		d.typedRune('c')
		d.reads("Add to a case")
		d.reads("Harbour statement")
		d.typeIn("Harbour")
		d.focusedKey(fyne.KeyReturn)
		d.reads("1 item was added to “Harbour statement”. The others were already there.")
	})
	d.Run("one of the inbox by C", func(*testing.T) {
		d.rail.Select(screens.Inbox)
		d.typedRune('j')
		d.typedRune('c')
		d.reads("Add to a case")
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	})
}

func TestWhatIsDroppedOnACaseIsCheckedAndPutIntoIt(t *testing.T) {
	d := setup(t)
	c, err := d.Store.AddCase(t.Context(), store.Case{Title: "Harbour statement"})
	assert.NoError(t, err)
	d.rail.Select(screens.Cases)
	d.reads("no items")
	d.drop(absolutePicture(t, "generated.png"))
	d.reads("1 file was added to the case.")
	if d.rail.Selected() != screens.Cases {
		t.Errorf("screen %d is in front", d.rail.Selected())
	}
	d.reads("Likely manipulated")
	items, err := d.Store.CaseItems(t.Context(), c.ID)
	assert.NoError(t, err)
	if len(items) != 1 {
		t.Errorf("the case has %q", items)
	}
}

func TestLookingElsewhereOpensThePageAlone(t *testing.T) {
	d := setup(t)
	opening := &watchedApp{App: d.App}
	d.App = opening
	_, err := d.Store.AddCase(t.Context(), store.Case{Title: "Harbour statement"})
	assert.NoError(t, err)
	d.rail.Select(screens.Cases)
	d.reads("no items")
	d.typedRune('l')
	d.reads("Known elsewhere?")
	if len(opening.opened) > 0 {
		t.Errorf("%q was opened by itself", opening.opened)
	}
	d.focusedKey(fyne.KeyReturn)
	d.reads("Google Images is open in your browser.")
	if !slices.Equal(opening.opened, []string{"https://images.google.com/"}) {
		t.Errorf("%q was opened", opening.opened)
	}
}

// reads waits until a text is in sight, in the sheet or else on the screen.
func (d *fixture) reads(text string) {
	d.T.Helper()
	d.Until("it says "+text, func() bool { return strings.Contains(guitest.Words(d.top()), text) })
}

// typeIn types into what has the focus, once something has.
func (d *fixture) typeIn(text string) {
	d.T.Helper()
	d.Until("something has the focus", func() bool { return d.window.Canvas().Focused() != nil })
	for _, r := range text {
		d.window.Canvas().Focused().TypedRune(r)
	}
}

// focusedKey presses keys on what has the focus.
func (d *fixture) focusedKey(keys ...fyne.KeyName) {
	for _, key := range keys {
		d.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: key})
	}
}

// itemsOfCase waits until an item is the first of a case, and returns what shows them.
func (d *fixture) itemsOfCase(first string) (items fyne.Focusable) {
	d.T.Helper()
	d.Until(first+" is the first item", func() bool {
		for _, o := range guitest.InSight[interface {
			fyne.Focusable
			fyne.Accessible
			desktop.Hoverable
		}](d.cases.Object()) {
			if strings.HasPrefix(o.AccessibilityLabel(), first) {
				items = o
			}
		}
		return items != nil
	})
	return items
}
