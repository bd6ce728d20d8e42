package inbox

import (
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
)

// heldRows are submissions that wait for the person's decision.
func heldRows(ids ...string) []submission.Submission {
	all := waiting(ids...)
	for i := range all {
		all[i].State, all[i].Gate, all[i].Source, all[i].Folder, all[i].Size = submission.Held, submission.GateAsk, submission.Watched, "/desk/Downloads", 1<<20
	}
	return all
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
		if d.Button("Keep it here") != nil {
			t.Error("there is one")
		}
		d.show(heldRows("a")...)
		d.WantWords(i18n.N(1, "%s file waits for your decision", "%s files wait for your decision"))
		d.Tap("Look and send…")
		d.Tap("Keep it here")
		if got := d.Take(); got != "allow a; withhold a" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("all of it, whatever is hidden", func(t *testing.T) {
		d := open(t)
		d.WantWords(i18n.N(3, "%s file waits for your decision", "%s files wait for your decision"))
		d.Field("Search").SetText("b")
		d.Tap("Send all…")
		if got := d.Take(); got != "allow a b c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("all are kept here at once, hidden ones too", func(t *testing.T) {
		d := open(t)
		d.Field("Search").SetText("b")
		d.Tap("Keep all here")
		if got := d.Take(); got != "withhold a b c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("what never leaves offers nothing that sends", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		never := heldRows("a")
		never[0].State, never[0].Gate = submission.Stays, submission.GateNever
		d.show(never...)
		d.WantWords(RowOf(never[0]).State)
		d.Type("js")
		d.SelectAll()
		d.Type("s")
		for _, b := range guitest.InSight[*kit.Button](d.Top()) {
			if name := b.AccessibilityLabel(); strings.Contains(name, "Send") || strings.Contains(name, "Keep") {
				t.Errorf("there is a button %q", name)
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
	t.Run("S asks about the row at the cursor", func(t *testing.T) {
		d := open(t)
		d.Type("jsjjs")
		if got := d.Take(); got != "allow a; allow c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("of several, what was kept here stays so while others wait", func(t *testing.T) {
		d := open(t)
		d.SelectAll()
		d.Type("s")
		if got := d.Take(); got != "allow a b" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("by the buttons above the list", func(t *testing.T) {
		d := open(t)
		d.Type("jxjx")
		d.TapIn(d.selected.object, "Send…")
		d.TapIn(d.selected.object, "Keep here")
		if got := d.Take(); got != "allow a b; withhold a b" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("the keys are on the sheet", func(t *testing.T) {
		var keys []string
		for _, s := range setup(t, guitest.Usual).Shortcuts() {
			keys = append(keys, s.Keys)
		}
		if got := strings.Join(keys, " "); !strings.Contains(got, " S C ") {
			t.Errorf("they are %s", got)
		}
	})
}

func TestInboxRowSaysWhereAFileCameFrom(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(heldRows("a")...)
	row, want := d.rowOf("a"), RowOf(d.all[0])
	if !shows(row, want.Under(), want.State, want.Detail) || !strings.Contains(want.Under(), "Downloads") {
		t.Errorf("it shows %q", guitest.Seen(row))
	}
	if got := row.AccessibilityLabel(); !strings.HasPrefix(got, i18n.F("%s, from %s", "a", "Downloads")+": "+want.State) {
		t.Errorf("it is called %q", got)
	}
	t.Run("and is found by its folder", func(t *testing.T) {
		d.show(append(waiting("b"), d.all...)...)
		d.Field("Search").SetText("downl")
		if got := d.shownIDs(); got != "a" {
			t.Errorf("the search shows %q", got)
		}
	})
}

func TestAHintStandsBeneathWhatWaits(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(heldRows("a", "b")...)
	row := RowOf(heldRows("a")[0])
	row.Hint = "Nearly the same as crop.png (likely manipulated, checked 3 Nov)"
	d.Update(nil, []Row{row}, d.overallNow())
	d.WantTexts("Not sent yet", row.Hint)
	row.Hint = ""
	d.Update(nil, []Row{row}, d.overallNow())
	d.WantNoWords("Nearly")
	if d.Button("Open the case") != nil {
		t.Error("it offers a case")
	}
	t.Run("with the case in which a colleague shared it, in a narrow window, too", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.show(heldRows("a")...)
		row := RowOf(heldRows("a")[0])
		row.SetHint(present.NearHint{Line: "Nearly the same as a picture that Rui shared (likely manipulated, checked 3 Nov)", Case: "case"})
		d.Update(nil, []Row{row}, d.overallNow())
		d.WantTexts("Not sent yet", row.Hint)
		for _, words := range []string{"Look and send…", "Keep here"} { // what was asked is as it was
			if d.Button(words) == nil {
				t.Errorf("%q is not in sight", words)
			}
		}
		d.Tap("Open the case")
		assert.Equal(t, "open-case a", d.Take())
		assert.Equal(t, "case", d.CaseOf("a"))
	})
}
