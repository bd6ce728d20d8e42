package screen

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client/submission"
	"assay/gui/part"
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
func (d *inboxDesk) heldOffers() string {
	if !d.held.object.Visible() {
		return ""
	}
	said := []string{d.held.words.Text()}
	for _, b := range seenIn[*part.Button](d.held.object) {
		said = append(said, b.Label())
	}
	return strings.Join(said, " | ")
}

func TestInboxAsksBeforeSeveralFilesAreSent(t *testing.T) {
	const all, question = "3 files wait for your decision | Send all… | Keep all here", "Send 3 files, 3 MB, to the service? | Send | Not yet"
	setup := func(t *testing.T) *inboxDesk {
		d := newInboxDesk(t, deskSize)
		d.show(append(heldRows("a", "b", "c"), waiting("d")...)...)
		return d
	}
	t.Run("there is no line where nothing is held", func(t *testing.T) {
		d := newInboxDesk(t, deskSize)
		d.show(waiting("a")...)
		if got := d.heldOffers(); got != "" {
			t.Errorf("it says %q", got)
		}
		d.show(heldRows("a")...)
		if got := d.heldOffers(); got != "1 file waits for your decision | Send it | Keep it here" {
			t.Errorf("it says %q", got)
		}
	})
	t.Run("all of them, once confirmed", func(t *testing.T) {
		d := setup(t)
		if got := d.heldOffers(); got != all {
			t.Errorf("it says %q", got)
		}
		test.Tap(d.held.send)
		if got := d.heldOffers(); got != question || d.did() != "" {
			t.Errorf("it says %q", got)
		}
		test.Tap(d.held.yes)
		if got := d.did(); got != "allow a b c" {
			t.Errorf("asked for %q", got)
		}
		if got := d.heldOffers(); got != all {
			t.Errorf("afterwards it says %q", got)
		}
	})
	t.Run("none, if the person thinks better of it", func(t *testing.T) {
		d := setup(t)
		test.Tap(d.held.send)
		test.Tap(d.held.no)
		if got := d.heldOffers(); got != all || d.did() != "" {
			t.Errorf("it says %q", got)
		}
		test.Tap(d.held.send)
		d.key(fyne.KeyEscape)
		if got := d.heldOffers(); got != all || d.did() != "" {
			t.Errorf("after Escape it says %q", got)
		}
	})
	t.Run("what arrives while it asks is not sent with the rest", func(t *testing.T) {
		d := setup(t)
		test.Tap(d.held.send)
		d.show(append(heldRows("e", "f"), d.all...)...)
		if got := d.heldOffers(); got != question {
			t.Errorf("it says %q", got)
		}
		test.Tap(d.held.yes)
		if got := d.did(); got != "allow a b c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("what is decided while it asks is not asked about any more", func(t *testing.T) {
		d := setup(t)
		test.Tap(d.held.send)
		d.change(1, func(s *submission.Submission) { s.State = submission.Cancelled })
		if got := d.heldOffers(); got != "Send 2 files, 2 MB, to the service? | Send | Not yet" {
			t.Errorf("it says %q", got)
		}
		for _, i := range []int{0, 2} {
			d.change(i, func(s *submission.Submission) { s.State = submission.Cancelled })
		}
		if got := d.heldOffers(); got != "" {
			t.Errorf("it still says %q", got)
		}
	})
	t.Run("what is kept here while it asks is not sent with the rest", func(t *testing.T) {
		d := setup(t)
		test.Tap(d.held.send)
		d.change(1, func(s *submission.Submission) { s.State = submission.Stays })
		if got := d.heldOffers(); got != "Send 2 files, 2 MB, to the service? | Send | Not yet" {
			t.Errorf("it says %q", got)
		}
		test.Tap(d.held.yes)
		if got := d.did(); got != "allow a c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("the keyboard is where nothing is sent by a key that is held down", func(t *testing.T) {
		d := setup(t)
		d.window.Canvas().Focus(d.held.send)
		d.held.send.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if d.window.Canvas().Focused() != d.held.no {
			t.Errorf("it is at %T", d.window.Canvas().Focused())
		}
		d.held.no.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if d.did() != "" || d.window.Canvas().Focused() != d.table {
			t.Errorf("then it is at %T", d.window.Canvas().Focused())
		}
	})
	t.Run("one alone needs no question", func(t *testing.T) {
		d := newInboxDesk(t, deskSize)
		d.show(heldRows("a")...)
		test.Tap(d.held.send)
		if got := d.did(); got != "allow a" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("all are kept here at once, hidden ones too", func(t *testing.T) {
		d := setup(t)
		d.filters.search.SetText("b")
		test.Tap(d.held.keep)
		if got := d.did(); got != "withhold a b c" {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestInboxDecidesOnTheSelected(t *testing.T) {
	setup := func(t *testing.T) *inboxDesk {
		d := newInboxDesk(t, deskSize)
		all := append(heldRows("a", "b", "c"), waiting("d")...)
		all[2].State = submission.Stays
		d.show(all...)
		return d
	}
	t.Run("S sends the row at the cursor, H keeps it", func(t *testing.T) {
		d := setup(t)
		d.runes("jsjhjsh")
		if got := d.did(); got != "allow a; withhold b; allow c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("of several, what was kept here stays so while others wait", func(t *testing.T) {
		d := setup(t)
		d.SelectAll()
		d.runes("s")
		if got := d.heldOffers(); !strings.HasPrefix(got, "Send 2 files, 2 MB,") {
			t.Fatalf("it asks %q", got)
		}
		test.Tap(d.held.yes)
		d.runes("h")
		if got := d.did(); got != "allow a b; withhold a b" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("by the buttons above the list", func(t *testing.T) {
		d := setup(t)
		d.runes("jxjx")
		for _, b := range seenIn[*part.Button](d.picked.bar) {
			if b.Label() == "Send" || b.Label() == "Keep here" {
				test.Tap(b)
			}
		}
		test.Tap(d.held.yes)
		if got := d.did(); got != "withhold a b; allow a b" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("the keys are on the sheet", func(t *testing.T) {
		var keys []string
		for _, s := range newInboxDesk(t, deskSize).Shortcuts() {
			keys = append(keys, s.Keys)
		}
		if got := strings.Join(keys, " "); !strings.Contains(got, " S H ") {
			t.Errorf("they are %s", got)
		}
	})
}

func TestInboxRowSaysWhereAFileCameFrom(t *testing.T) {
	d := newInboxDesk(t, deskSize)
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
