package inbox

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
)

// heldRows are submissions that wait for the person's decision.
func heldRows(ids ...string) []submission.Submission {
	all := waiting(ids...)
	for i := range all {
		all[i].State, all[i].Gate, all[i].Source, all[i].Folder, all[i].Size = submission.Held, submission.GateAsk, submission.Watched, "/desk/Downloads", 1<<20
	}
	return all
}

// heldOffers are the words and the buttons of the line for what is held.
func (d *fixture) heldOffers() string {
	if !d.held.object.Visible() {
		return ""
	}
	said := []string{d.held.words.Text()}
	for _, b := range guitest.InSight[*kit.Button](d.held.object) {
		said = append(said, b.Label())
	}
	return strings.Join(said, " | ")
}

func TestInboxOffersToLookAtWhatWaits(t *testing.T) {
	open := func(t *testing.T) *fixture {
		d := setup(t, guitest.Usual)
		d.show(append(heldRows("a", "b", "c"), waiting("d")...)...)
		return d
	}
	t.Run("there is no line where nothing is held", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.show(waiting("a")...)
		if got := d.heldOffers(); got != "" {
			t.Errorf("it says %q", got)
		}
		d.show(heldRows("a")...)
		if got := d.heldOffers(); got != "1 file waits for your decision | Look and send… | Keep it here" {
			t.Errorf("it says %q", got)
		}
	})
	t.Run("all of it, whatever is hidden", func(t *testing.T) {
		d := open(t)
		if got := d.heldOffers(); got != "3 files wait for your decision | Send all… | Keep all here" {
			t.Errorf("it says %q", got)
		}
		d.filters.search.SetText("b")
		test.Tap(d.held.send)
		if got := d.Take(); got != "allow a b c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("all are kept here at once, hidden ones too", func(t *testing.T) {
		d := open(t)
		d.filters.search.SetText("b")
		test.Tap(d.held.keep)
		if got := d.Take(); got != "withhold a b c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("what never leaves offers nothing that sends", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		never := heldRows("a")
		never[0].State, never[0].Gate = submission.Stays, submission.GateNever
		d.show(never...)
		row := d.rowOf("a")
		if row.state.Text() != "Never leaves this computer" || row.send.Visible() || d.heldOffers() != "" {
			t.Errorf("%q, %q", row.state.Text(), d.heldOffers())
		}
		d.table.MoveTo(0)
		d.runes("s")
		d.SelectAll()
		d.runes("s")
		for _, b := range guitest.InSight[*kit.Button](d.picked.bar) {
			if b.Visible() && b.Label() != "Remove" {
				t.Errorf("there is a button %q", b.Label())
			}
		}
		if got := d.Take(); got != "" {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestInboxDecidesOnTheSelected(t *testing.T) {
	open := func(t *testing.T) *fixture {
		d := setup(t, guitest.Usual)
		all := append(heldRows("a", "b", "c"), waiting("d")...)
		all[2].State = submission.Stays
		d.show(all...)
		return d
	}
	t.Run("S asks about the row at the cursor, H keeps it", func(t *testing.T) {
		d := open(t)
		d.runes("jsjhjsh")
		if got := d.Take(); got != "allow a; withhold b; allow c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("of several, what was kept here stays so while others wait", func(t *testing.T) {
		d := open(t)
		d.SelectAll()
		d.runes("sh")
		if got := d.Take(); got != "allow a b; withhold a b" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("by the buttons above the list", func(t *testing.T) {
		d := open(t)
		d.runes("jxjx")
		for _, b := range guitest.InSight[*kit.Button](d.picked.bar) {
			if b.Label() == "Send…" || b.Label() == "Keep here" {
				test.Tap(b)
			}
		}
		if got := d.Take(); got != "allow a b; withhold a b" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("the keys are on the sheet", func(t *testing.T) {
		var keys []string
		for _, s := range setup(t, guitest.Usual).Shortcuts() {
			keys = append(keys, s.Keys)
		}
		if got := strings.Join(keys, " "); !strings.Contains(got, " S H ") {
			t.Errorf("they are %s", got)
		}
	})
}

func TestInboxRowSaysWhereAFileCameFrom(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(heldRows("a")...)
	row := d.rowOf("a")
	if row.size.Text() != "1 MB · from Downloads" || row.state.Text() != "Waiting for your decision" || row.detail.Text() != "Not sent yet" {
		t.Errorf("%q, %q, %q", row.size.Text(), row.state.Text(), row.detail.Text())
	}
	if got := row.AccessibilityLabel(); !strings.HasPrefix(got, "a, from Downloads: Waiting for your decision") {
		t.Errorf("it is called %q", got)
	}
	t.Run("and is found by its folder", func(t *testing.T) {
		d.show(append(waiting("b"), d.all...)...)
		d.filters.search.SetText("downl")
		if got := d.shownIDs(); got != "a" {
			t.Errorf("the search shows %q", got)
		}
	})
}
