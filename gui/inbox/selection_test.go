package inbox

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
)

// click is a click of the mouse on a row, with keys held.
func click(r *rowWidget, x float32, held fyne.KeyModifier) {
	r.MouseDown(&desktop.MouseEvent{Modifier: held})
	r.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, 20)})
}

func TestInboxSelectsByMouse(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(waiting("a", "b", "c", "d", "e")...)
	const box, name = 20, 300
	click(d.rowOf("b"), name, 0)
	if got := d.selectedIDs(); got != "" || d.table.Cursor() != "b" {
		t.Errorf("a click selected %q; the cursor is at %q", got, d.table.Cursor())
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
	if d.whole.object.Visible() || d.picked.many.Text() != "3 selected" {
		t.Errorf("the line says %q", d.picked.many.Text())
	}
	if got := d.Take(); got != "" {
		t.Errorf("selecting asked for %q", got)
	}
	t.Run("the box above selects all, or none", func(t *testing.T) {
		if d.filters.all.State() != kit.Partly {
			t.Error("it does not say that some are")
		}
		test.Tap(d.filters.all)
		if got := d.selectedIDs(); got != "a b c d e" || d.filters.all.State() != kit.Checked {
			t.Errorf("selected %q", got)
		}
		test.Tap(d.filters.all)
		if got := d.selectedIDs(); got != "" || !d.whole.object.Visible() {
			t.Errorf("selected %q", got)
		}
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
	var offered []string
	for _, b := range guitest.InSight[*kit.Button](d.picked.bar) {
		offered = append(offered, b.Label())
		test.Tap(b)
	}
	if got := strings.Join(offered, ", "); got != "Pause, Retry, Cancel, Remove" {
		t.Errorf("it offers %s", got)
	}
	if got := d.Take(); got != "pause a c; retry b; cancel a c; remove b" {
		t.Errorf("asked for %s", got)
	}
	t.Run("what is gone is selected no longer", func(t *testing.T) {
		d.show(all[0], all[2])
		if d.picked.many.Text() != "2 selected" {
			t.Errorf("it says %q", d.picked.many.Text())
		}
	})
	t.Run("what a filter hides is selected no longer", func(t *testing.T) {
		d.filters.search.SetText("c")
		if d.picked.many.Text() != "1 selected" {
			t.Errorf("it says %q", d.picked.many.Text())
		}
	})
}

func TestInboxFiltersSearchesAndSorts(t *testing.T) {
	d := setup(t, guitest.Usual)
	all := waiting("b.png", "a.png", "c.mp4")
	all[2].State = submission.Failed
	d.show(all...)
	d.filters.tabs.Select(2)
	if got := d.shownIDs(); got != "c.mp4" {
		t.Errorf("“Needs you” shows %q", got)
	}
	d.filters.tabs.Select(0)
	d.filters.search.SetText("PNG")
	if got := d.shownIDs(); got != "b.png a.png" {
		t.Errorf("the search shows %q", got)
	}
	d.filters.order.Select(2)
	if got := d.shownIDs(); got != "a.png b.png" {
		t.Errorf("by name: %q", got)
	}
	t.Run("one part alone, for what lies behind a number elsewhere", func(t *testing.T) {
		d.filters.search.SetText("png")
		d.ShowOnly(FilterNeedsYou)
		if got := d.shownIDs(); got != "c.mp4" || d.filters.tabs.Selected() != 2 {
			t.Errorf("it shows %q", got)
		}
		d.ShowOnly(FilterAll)
	})
	t.Run("nothing matches, and there is a way back", func(t *testing.T) {
		d.filters.search.SetText("nothing")
		if d.table.Object().Visible() || !d.nothing.object.Visible() || !strings.Contains(d.nothing.words.Text(), "“nothing”") {
			t.Fatalf("it says %q", d.nothing.words.Text())
		}
		d.filters.tabs.Select(4)
		test.Tap(guitest.InSight[*kit.Button](d.nothing.object)[0])
		if got := d.shownIDs(); got != "a.png b.png c.mp4" || !d.table.Object().Visible() || d.nothing.object.Visible() {
			t.Errorf("back at %q", got)
		}
	})
	t.Run("every filter that is empty says so in its own words", func(t *testing.T) {
		said := map[string]bool{}
		d.show(waiting("a")...)
		for i := 1; i < len(Filters()); i++ {
			d.filters.tabs.Select(i)
			if d.nothing.object.Visible() {
				said[d.nothing.heading.Text()] = true
			}
		}
		if len(said) != 3 {
			t.Errorf("said %v", said)
		}
	})
}
