package gui

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/present"
)

// heldFile has a file of a watched folder wait for the person's word.
func heldFile(t *testing.T, d *fixture, id string) {
	t.Helper()
	folder := t.TempDir()
	content, err := os.ReadFile(photoFile("mountains.jpg"))
	assert.NoError(t, err)
	path := filepath.Join(folder, id+".jpg")
	assert.NoError(t, os.WriteFile(path, append(content, id...), 0o600))
	if _, err := d.Queue.Accept(t.Context(), []intake.Input{{ID: id, Path: path, Folder: folder, Gate: submission.GateAsk}}, intake.Options{Source: submission.Watched}); err != nil {
		t.Fatal(err)
	}
	d.Until("it waits for the person", func() bool {
		s, ok := d.Queue.Get(id)
		return ok && s.State == submission.Held
	})
}

func (d *fixture) sheetSays(words string) bool {
	top := d.window.Canvas().Overlays().Top()
	return top != nil && guitest.Reads(top, words)
}

func TestWhatMayLeaveIsAsked(t *testing.T) {
	d := setup(t)
	state := func(id string) submission.State {
		s, _ := d.Queue.Get(id)
		return s.State
	}
	t.Run("the sheet says what would be sent, once the file was read", func(t *testing.T) {
		heldFile(t, d, "one")
		d.act([]string{"one"}, present.Approve)
		d.Until("the file was read", func() bool { return d.sheetSays("one") && d.sheetSays("What identifies") })
	})
	t.Run("Escape leaves it undecided, and no key goes to what lies below", func(t *testing.T) {
		d.typedRune('h') // would keep it here
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.sheet.Open() || state("one") != submission.Held {
			t.Errorf("open %v, state %v", d.sheet.Open(), state("one"))
		}
	})
	t.Run("what is decided elsewhere is not asked about any more", func(*testing.T) {
		d.act([]string{"one"}, present.Approve)
		d.Queue.Withhold("one")
		d.Until("it stays", func() bool { return state("one") == submission.Stays })
		d.Queue.Remove("one")
		d.Until("the sheet is closed", func() bool { return !d.sheet.Open() })
	})
	t.Run("never is for good", func(t *testing.T) {
		heldFile(t, d, "two")
		d.act([]string{"two"}, present.Approve)
		d.press("Never leaves")
		d.Until("it stays", func() bool { return state("two") == submission.Stays })
		d.act([]string{"two"}, present.Approve)
		if d.sheet.Open() {
			t.Error("it is asked about again")
		}
	})
}
