package screen

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
)

// SheetContent is what a Sheet shows.
type SheetContent struct {
	Title   string
	Body    fyne.CanvasObject // scrolled where the window is too low for it; what wraps gets the sheet's width
	Left    fyne.CanvasObject // stands at the left of the buttons, such as a sentence; nil for nothing
	Buttons []*kit.Button     // at the foot, from left to right
	First   fyne.Focusable    // has the keyboard at first; nil: the last of the buttons
	Width   float32           // at most; 0: 560
	// TypedKey and TypedRune take keys that no control of the sheet has a use for, before Escape closes it; nil: none.
	TypedKey  func(*fyne.KeyEvent) (taken bool)
	TypedRune func(rune) (taken bool)
	Closed    func() // called once it is closed, whatever closed it; nil: nobody is told
}

// Sheet lies over the window until it is closed: by its buttons, or by Escape. Nothing below can be clicked or typed into
// meanwhile, and what had the keyboard has it again afterwards. There is one to a window; it belongs to the UI thread. Nothing in it
// shows a tooltip: what may be too long for its line wraps.
type Sheet struct {
	canvas  fyne.Canvas
	content SheetContent
	layer   *sheetLayer // nil: it is not shown
}

// NewSheet makes the sheet of a window's canvas; it is not shown yet.
func NewSheet(c fyne.Canvas) *Sheet { return &Sheet{canvas: c} }

// Open reports whether the sheet is shown.
func (s *Sheet) Open() bool { return s.layer != nil }

// Show shows a content, in place of any other.
func (s *Sheet) Show(c SheetContent) {
	s.Close()
	s.content, s.layer = c, newSheetLayer(c)
	s.canvas.Overlays().Add(s.layer)
	first := c.First
	if first == nil && len(c.Buttons) > 0 {
		first = c.Buttons[len(c.Buttons)-1]
	}
	if first != nil {
		s.canvas.Focus(first)
	}
}

// Close closes the sheet, where it is open.
func (s *Sheet) Close() {
	if s.layer == nil {
		return
	}
	layer, closed := s.layer, s.content.Closed
	s.layer, s.content = nil, SheetContent{}
	s.canvas.Overlays().Remove(layer)
	if closed != nil {
		closed()
	}
}

// Refit gives a content room that became higher or lower while it is shown.
func (s *Sheet) Refit() {
	if s.layer != nil {
		s.layer.Refresh()
	}
}

// TypedKey is what the window calls while the sheet is open, for keys that nothing else takes.
func (s *Sheet) TypedKey(e *fyne.KeyEvent) {
	switch {
	case s.layer == nil:
	case s.content.TypedKey != nil && s.content.TypedKey(e):
	case e.Name == fyne.KeyEscape:
		s.Close()
	}
}

// TypedRune is what the window calls while the sheet is open, for characters that nothing else takes.
func (s *Sheet) TypedRune(r rune) {
	if s.layer != nil && s.content.TypedRune != nil {
		s.content.TypedRune(r)
	}
}

// Ask shows a question that yes answers; Escape and Cancel answer it with no, and have the keyboard at first.
func (s *Sheet) Ask(title, text, yes string, do func()) {
	cancel := kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, s.Close)
	s.Show(SheetContent{
		Title: title,
		Body:  kit.NewParagraph(text, kit.TextStyle{}),
		Buttons: []*kit.Button{cancel, kit.NewButton(kit.Primary, yes, nil, func() {
			s.Close()
			do()
		})},
		First: cancel,
		Width: 480,
	})
}
