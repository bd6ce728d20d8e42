package gui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/media/sound/soundtest"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/screens"
)

// TestNoBareKeySendsOrRemoves types every character and every key that means something without a modifier into every screen, with all that can be
// selected selected.
func TestNoBareKeySendsOrRemoves(t *testing.T) {
	if testing.Short() {
		t.Skip("it types thousands of keys, beside which nothing runs")
	}
	d := setup(t)
	d.drop(absolutePicture(t, "poster.png"), absolutePicture(t, "generated.png"))
	d.Until("both are answered", func() bool { return len(d.listed()) == 2 })
	before := d.Queue.All()
	keys := []fyne.KeyName{fyne.KeyDelete, fyne.KeyBackspace, fyne.KeyInsert, fyne.KeySpace, fyne.KeyTab, fyne.KeyHome, fyne.KeyEnd, fyne.KeyPageUp,
		fyne.KeyPageDown, fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight, fyne.KeyF1, fyne.KeyF2, fyne.KeyF5, fyne.KeyF12, fyne.KeyEscape, fyne.KeyReturn}
	for id := range d.screens {
		d.rail.Select(id)
		for r := ' '; r <= '~'; r++ {
			if all := d.front().selectAll; all != nil {
				all()
			}
			d.typedRune(r)
			d.closeAll()
		}
		for _, key := range keys {
			if all := d.front().selectAll; all != nil {
				all()
			}
			d.typedKey(&fyne.KeyEvent{Name: key})
			d.closeAll()
		}
		if d.undo.Offered() {
			t.Errorf("on screen %d a bare key began what can be taken back", id)
		}
		d.rail.Select(screens.Inbox)
	}
	same := func(a, b []submission.Submission) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i].ID != b[i].ID || a[i].State != b[i].State || a[i].RequestID != b[i].RequestID {
				return false
			}
		}
		return true
	}
	if after := d.Queue.All(); !same(before, after) {
		t.Errorf("there were %d submissions, and now:\n%+v", len(before), after)
	}
	for _, s := range before {
		given, err := d.Store.FeedbackOf(t.Context(), s.RequestID)
		assert.NoError(t, err)
		if len(given) > 0 {
			t.Errorf("feedback was given: %+v", given)
		}
	}
}

// closeAll closes what a key may have opened, which asks first.
func (d *fixture) closeAll() {
	d.sheet.Close()
	for overlays := d.window.Canvas().Overlays(); overlays.Top() != nil; {
		overlays.Remove(overlays.Top())
	}
}

func TestARemovedRowComesBack(t *testing.T) {
	d := setup(t)
	d.drop(absolutePicture(t, "poster.png"))
	d.Until("it is answered", func() bool { return len(d.listed()) == 1 })
	d.act([]string{d.inbox.Rows()[0].ID}, present.Remove)
	d.reads("Removed")
	d.undo.Undo()
	d.reads("Not assessable")
	assert.Equal(t, 1, len(d.Queue.All()))

	d.act([]string{d.inbox.Rows()[0].ID}, present.Remove)
	d.Until("it is gone", func() bool { return !d.inbox.Filled() })
}

// TestAKeyHasOneMeaningOnAScreen goes through the keys that each screen lists, results of each medium among them.
func TestAKeyHasOneMeaningOnAScreen(t *testing.T) {
	d := setup(t)
	statement := filepath.Join(t.TempDir(), "statement.txt")
	assert.NoError(t, os.WriteFile(statement, []byte(strings.Repeat("The minister said nothing of the kind. ", 40)), 0o600))
	recording := filepath.Join(t.TempDir(), "call.wav")
	assert.NoError(t, os.WriteFile(recording, soundtest.Mono(8000, soundtest.Swelling(8000, 3)...), 0o600))
	d.drop(absolutePicture(t, "poster.png"), statement, recording)
	d.Until("all are answered", func() bool { return len(d.listed()) == 3 })
	check := func(where string) {
		t.Helper()
		meant := map[string]string{}
		for _, group := range d.front().groups(kit.ShortcutGroup{}) {
			for _, row := range group.Rows {
				for key := range strings.SplitSeq(row.Keys, ", ") {
					if was, taken := meant[key]; taken && was != row.Does && key != i18n.T("Esc") {
						t.Errorf("%s: %s means %q and %q", where, key, was, row.Does)
					}
					meant[key] = row.Does
				}
			}
		}
	}
	for id := range d.screens {
		d.rail.Select(id)
		check(string(screens.All[id].Title))
	}
	d.showResults()
	for range d.listed() {
		d.typedRune('k')
	}
	for _, row := range d.listed() {
		d.Until("it is shown", func() bool { return guitest.Reads(d.viewer.Object(), row.Name) })
		check(row.Name)
		d.typedRune('j')
	}
}
