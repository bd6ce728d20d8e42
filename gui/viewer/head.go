package viewer

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// head says what is shown: its name, its facts, and the person's own note.
type head struct {
	root  *fyne.Container
	name  *kit.Text
	facts *kit.Paragraph
	note  *viewerNote
}

func newHead(saveNote func(string)) *head {
	h := &head{
		name:  kit.NewText("", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		facts: kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}),
		note:  newViewerNote(saveNote),
	}
	h.root = container.New(kit.Column{Gap: 0, Grow: -1},
		container.NewBorder(nil, nil, nil, container.NewCenter(h.note.button), h.name), h.facts, h.note.line)
	return h
}

// set shows another result's head, or what has changed of the same one.
func (h *head) set(v present.Viewer, another bool) {
	h.name.SetText(v.Name)
	h.facts.SetText(v.Facts)
	if another || !h.note.field.Visible() {
		h.note.set(v.Note)
	}
}
