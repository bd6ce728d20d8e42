package inbox

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
)

// click is a click of the mouse on a row, with keys held.
func click(r *rowWidget, x float32, held fyne.KeyModifier) {
	r.MouseDown(&desktop.MouseEvent{Modifier: held})
	r.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, 20)})
}

// selected is what is said of so many rows.
func selected(n int) string { return i18n.N(n, "%s selected", "%s selected") }

func TestInboxSelectsByMouse(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(waiting("a", "b", "c", "d", "e")...)
	const box, name = 20, 300
	click(d.rowOf("b"), name, 0)
	if got := d.selectedIDs(); got != "" || d.cursor() != "b" {
		t.Errorf("a click selected %q; the cursor is at %q", got, d.cursor())
	}
	click(d.rowOf("d"), name, fyne.KeyModifierShift)
	if got := d.selectedIDs(); got != "b c d" {
		t.Errorf("Shift selected %q", got)
	}
	click(d.rowOf("c"), box, 0)
	if got := d.selectedIDs(); got != "b d" {
		t.Errorf("the box left %q", got)
	}
	click(d.rowOf("a"), name, fyne.KeyModifierShortcutDefault)
	if got := d.selectedIDs(); got != "a b d" {
		t.Errorf("Ctrl selected %q", got)
	}
	d.WantWords(selected(3))
	d.WantNoWords(d.overallNow().Counts)
	if got := d.Take(); got != "" {
		t.Errorf("selecting asked for %q", got)
	}
	t.Run("the box above selects all, or none", func(t *testing.T) {
		all := guitest.InSight[*kit.Check](d.Top())[0]
		if all.State() != kit.Partly {
			t.Error("it does not say that some are")
		}
		test.Tap(all)
		if got := d.selectedIDs(); got != "a b c d e" || all.State() != kit.Checked {
			t.Errorf("selected %q", got)
		}
		test.Tap(all)
		if got := d.selectedIDs(); got != "" {
			t.Errorf("selected %q", got)
		}
		d.WantWords(d.overallNow().Counts)
	})
	t.Run("a click opens what is answered", func(t *testing.T) {
		d.show(submission.Submission{ID: "x", State: submission.Done, Result: inboxResult(t, `{"overallStatus":"FAKE"}`)})
		click(d.rowOf("x"), name, 0)
		if got := d.Take(); got != "open x" {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestInboxActsOnTheSelected(t *testing.T) {
	d := setup(t, guitest.Usual)
	all := waiting("a", "b", "c")
	all[1].State = submission.Failed
	d.show(all...)
	d.SelectAll()
	for _, label := range []string{"Pause", "Try again", "Case…", "Cancel", "Remove"} {
		d.TapIn(d.selected.object, label)
	}
	if n := len(guitest.InSight[*kit.Button](d.selected.object)); n != 6 { // and the one that selects nothing
		t.Errorf("it offers %d things", n)
	}
	if got := d.Take(); got != "pause a c; retry b; add-to-case a b c; cancel a c; remove b" {
		t.Errorf("asked for %s", got)
	}
	t.Run("what is gone is selected no longer", func(*testing.T) {
		d.show(all[0], all[2])
		d.WantWords(selected(2))
	})
	t.Run("what a filter hides is selected no longer", func(*testing.T) {
		d.Field("Search").SetText("c")
		d.WantWords(selected(1))
	})
}

func TestInboxFiltersSearchesAndSorts(t *testing.T) {
	d := setup(t, guitest.Usual)
	all := waiting("b.png", "a.png", "c.mp4")
	all[2].State = submission.Failed
	d.show(all...)
	d.SelectOption(FilterNeedsYou.Words())
	if got := d.shownIDs(); got != "c.mp4" {
		t.Errorf("“Needs you” shows %q", got)
	}
	d.SelectOption(FilterAll.Words())
	d.Field("Search").SetText("PNG")
	if got := d.shownIDs(); got != "b.png a.png" {
		t.Errorf("the search shows %q", got)
	}
	d.SelectOption(Sorts()[2].Words())
	if got := d.shownIDs(); got != "a.png b.png" {
		t.Errorf("by name: %q", got)
	}
	t.Run("one part alone, for what lies behind a number elsewhere", func(t *testing.T) {
		d.Field("Search").SetText("png")
		d.ShowOnly(FilterNeedsYou)
		if got := d.shownIDs(); got != "c.mp4" || !d.OptionSelected(FilterNeedsYou.Words()) {
			t.Errorf("it shows %q", got)
		}
		d.ShowOnly(FilterAll)
	})
	t.Run("nothing matches, and there is a way back", func(t *testing.T) {
		d.Field("Search").SetText("nothing")
		d.WantWords("“nothing”")
		d.SelectOption(FilterPaused.Words())
		d.Tap("Show everything")
		if got := d.shownIDs(); got != "a.png b.png c.mp4" {
			t.Errorf("back at %q", got)
		}
		d.WantWords("a.png")
		d.WantNoWords("“nothing”")
	})
	t.Run("every filter that is empty says so in its own words", func(*testing.T) {
		d.show(waiting("a")...)
		for filter, said := range map[Filter]string{FilterNeedsYou: "Nothing for you to do", FilterAnswered: "Nothing has been answered yet", FilterPaused: "Nothing is paused"} {
			d.SelectOption(filter.Words())
			d.WantWords(i18n.T(i18n.Key(said)))
		}
	})
}
