package viewer

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestViewerNote(t *testing.T) {
	test.NewTempApp(t)
	var saved []string
	n := newViewerNote(func(note string) { saved = append(saved, note) })
	window := test.NewTempWindow(t, n.line)
	t.Run("without one there is only the way to add one", func(t *testing.T) {
		if n.line.Visible() || n.button.Label() != "Add a note…" {
			t.Errorf("line visible %v, button %q", n.line.Visible(), n.button.Label())
		}
	})
	t.Run("Enter keeps what is written, without the space around it", func(t *testing.T) {
		n.edit()
		if window.Canvas().Focused() != n.field {
			t.Error("the field has not the focus")
		}
		test.Type(n.field, "  from the agency ")
		n.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if len(saved) != 1 || saved[0] != "from the agency" || n.text.Text() != "Note: from the agency" || n.field.Visible() {
			t.Errorf("saved %q, shown %q", saved, n.text.Text())
		}
	})
	t.Run("Esc keeps the one before", func(t *testing.T) {
		n.edit()
		n.field.SetText("something else")
		n.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if len(saved) != 1 || n.text.Text() != "Note: from the agency" || n.field.Visible() {
			t.Errorf("saved %q, shown %q", saved, n.text.Text())
		}
	})
	t.Run("an overlong one is cut between characters", func(t *testing.T) {
		n.written(strings.Repeat("ü", longestNote+1))
		if got := []rune(saved[len(saved)-1]); len(got) != longestNote || got[longestNote-1] != 'ü' {
			t.Errorf("%d characters", len(got))
		}
	})
	t.Run("an empty one removes it", func(t *testing.T) {
		n.edit()
		n.field.SetText("")
		n.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if saved[len(saved)-1] != "" || n.line.Visible() {
			t.Errorf("saved %q", saved[len(saved)-1])
		}
	})
}
