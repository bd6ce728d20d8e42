package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/client/i18n"
)

// write puts the words on the picture.
func (s *stage) write() {
	s.caption.place(fyne.NewPos(0, 0), s.size, corner{0, 1})
	s.leftName.lines, s.rightName.lines = nil, nil
	if s.photo != nil && s.heatmap != nil && (s.mode == Swipe || s.mode == SideBySide) {
		s.leftName.lines, s.rightName.lines = []string{i18n.T("Picture")}, []string{i18n.T("With heatmap")}
		if s.alone() {
			s.rightName.lines = []string{i18n.T("Heatmap")}
		}
	}
	v, hv := view{size: s.size}, view{size: s.size}
	if s.size.Width > 0 {
		v, hv = s.views()
	}
	s.words.lines = s.boxes.words()
	if len(s.words.lines) > 0 {
		s.leftName.lines = nil // the box's words take its place
	}
	s.leftName.place(fyne.NewPos(0, 0), v.size, corner{0, 0})
	s.words.place(fyne.NewPos(0, 0), s.size, corner{0, 0})
	s.rightName.place(fyne.NewPos(hv.left, 0), hv.size, corner{1, 0})
	s.status.place(fyne.NewPos(0, 0), s.size, corner{0.5, 0.5})
	canvas.Refresh(s.repaint)
}

// setCaption lays a text over the picture's foot, none where it is empty.
func (s *stage) setCaption(text string) {
	s.caption.lines = oneLine(text)
	s.write()
}

// setStatus says in the middle what is being waited for, nothing where it is empty.
func (s *stage) setStatus(text string) {
	s.status.lines = oneLine(text)
	s.write()
}

// oneLine is a text as a label's lines, none where it is empty.
func oneLine(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
