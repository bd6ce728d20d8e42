package text

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/gui/kit"
)

// leaf is the content of the scroll: as high as the whole text, with objects for the lines in sight.
type leaf struct {
	kit.Control
	sheet      *sheet
	over       bool // whether the pointer is over something that can be clicked
	from, to   int  // the lines that have objects
	spots      []spot
	selected   selection
	dragging   bool // whether a selection is under way
	paint      *paint
	paintedFor *lines
}

// spot is where a piece is drawn.
type spot struct {
	x, y, w, h float32
	line       int
	size       float32 // of its font
	piece      piece
}

var (
	_ fyne.Tappable     = (*leaf)(nil)
	_ fyne.Draggable    = (*leaf)(nil)
	_ fyne.Shortcutable = (*leaf)(nil)
	_ fyne.Accessible   = (*leaf)(nil)
)

func newLeaf(s *sheet) *leaf {
	l := &leaf{sheet: s, paint: newPaint()}
	l.ExtendBaseWidget(l)
	return l
}

// update draws the lines in sight, if they have no objects yet.
func (l *leaf) update() {
	s := l.sheet
	if s.lines == nil {
		return
	}
	top, high := s.scroll.Offset.Y, s.scroll.Size().Height
	if from, to := s.lines.at(top), s.lines.at(top+high)+1; l.paintedFor == s.lines && from >= l.from && to <= l.to {
		l.paint.frame(top, s.scroll.Size(), l.Focused())
		return
	}
	l.Refresh()
}

// Tapped implements fyne.Tappable.
func (l *leaf) Tapped(e *fyne.PointEvent) {
	l.focus()
	l.selected = selection{}
	l.Refresh()
	mark, link := -1, ""
	if under := l.at(e.Position); under != nil {
		mark, link = under.piece.mark, under.piece.link
	}
	if l.sheet.onTapped != nil {
		l.sheet.onTapped(mark, link)
	}
}

func (l *leaf) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(l); c != nil {
		c.Focus(l)
	}
}

// at returns the piece at a position, or nil.
func (l *leaf) at(p fyne.Position) *spot {
	for i := range l.spots {
		if s := &l.spots[i]; p.X >= s.x && p.X < s.x+s.w && p.Y >= s.y && p.Y < s.y+s.h {
			return s
		}
	}
	return nil
}

// MouseIn implements desktop.Hoverable.
func (l *leaf) MouseIn(e *desktop.MouseEvent) { l.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (l *leaf) MouseMoved(e *desktop.MouseEvent) {
	under := l.at(e.Position)
	l.over = under != nil && (under.piece.mark >= 0 || under.piece.link != "")
}

// MouseOut implements desktop.Hoverable.
func (l *leaf) MouseOut() { l.over = false }

// Cursor implements desktop.Cursorable.
func (l *leaf) Cursor() desktop.Cursor {
	if l.over {
		return desktop.PointerCursor
	}
	return desktop.TextCursor
}

// TypedKey implements fyne.Focusable. Keys that do not scroll go on to the window.
func (l *leaf) TypedKey(e *fyne.KeyEvent) {
	if l.sheet.typedKey(e.Name) {
		return
	}
	kit.PassOnKey(l, e)
}

// TypedRune implements fyne.Focusable.
func (l *leaf) TypedRune(r rune) {
	if l.sheet.onRune == nil || !l.sheet.onRune(r) {
		kit.PassOn(l, r)
	}
}

// AccessibilityLabel implements fyne.Accessible: it is the first lines in sight.
func (l *leaf) AccessibilityLabel() string { return l.paint.words() }

// AccessibilityRole implements fyne.Accessible.
func (l *leaf) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (l *leaf) CreateRenderer() fyne.WidgetRenderer { return &leafRenderer{leaf: l} }

type leafRenderer struct{ leaf *leaf }

func (r *leafRenderer) Destroy()                     {}
func (r *leafRenderer) Layout(fyne.Size)             {}
func (r *leafRenderer) Objects() []fyne.CanvasObject { return r.leaf.paint.objects() }

func (r *leafRenderer) MinSize() fyne.Size {
	if r.leaf.sheet.lines == nil {
		return fyne.NewSize(0, 0)
	}
	return fyne.NewSize(0, r.leaf.sheet.lines.height)
}

func (r *leafRenderer) Refresh() { r.leaf.draw() }
