package viewer

import (
	"strings"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// LongestNote is how many characters a note may have.
const LongestNote = 500

// viewerNote shows the person's own tags and note on a result, which the results' search finds, and lets them edit the note.
type viewerNote struct {
	button *kit.Button // opens the field
	text   *kit.Text
	field  *noteEntry
	note   string
	tags   []string
	save   func(note string)
}

func newViewerNote(save func(note string)) *viewerNote {
	n := &viewerNote{save: save}
	n.text = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Ellipsis: look.EllipsisEnd})
	n.field = newNoteEntry(n.written, n.close)
	n.button = kit.NewButton(kit.Bare, "", look.IconEdit, n.edit)
	n.set("")
	return n
}

// set shows a note, "" for none, after the tags.
func (n *viewerNote) set(note string) {
	n.note = note
	n.close()
}

func (n *viewerNote) close() {
	var all []string
	if len(n.tags) > 0 {
		all = append(all, i18n.F("Tags: %s", strings.Join(n.tags, ", ")))
	}
	if n.note != "" {
		all = append(all, i18n.F("Note: %s", n.note))
	}
	n.text.SetText(strings.Join(all, " · "))
	n.button.SetToolTip(i18n.T("Edit note…"))
	if n.note == "" {
		n.button.SetToolTip(i18n.T("Add a note…"))
	}
	n.field.Hide()
	kit.SetVisible(n.text, len(all) > 0)
}

func (n *viewerNote) edit() {
	n.field.SetText(n.note)
	n.text.Hide()
	n.field.Show()
	if c := fyne.CurrentApp().Driver().CanvasForObject(n.field); c != nil {
		c.Focus(n.field)
	}
}

func (n *viewerNote) written(note string) {
	note = strings.TrimSpace(note)
	if runes := []rune(note); len(runes) > LongestNote {
		note = string(runes[:LongestNote])
	}
	if note != n.note {
		n.save(note)
	}
	n.set(note)
}

// noteEntry is a field of one line that Enter ends with what is written in it, and Esc without.
type noteEntry struct {
	kit.Field
	leave func()
}

func newNoteEntry(written func(string), leave func()) *noteEntry {
	e := &noteEntry{leave: leave}
	e.ExtendBaseWidget(e)
	e.PlaceHolder = i18n.T("Your own note: it stays on this computer, and search finds it")
	e.OnSubmitted = written
	return e
}

// TypedKey implements fyne.Focusable.
func (e *noteEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.leave()
		return
	}
	e.Field.TypedKey(k)
}
