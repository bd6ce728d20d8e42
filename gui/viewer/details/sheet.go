package details

import (
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/wrap"
)

// sheet shows all groups below each other, and draws only what is in sight. It has the focus as a whole; the arrow keys go from row to row, and Enter
// copies the row's value.
type sheet struct {
	kit.Control
	copy   func(text string)
	reveal func(top, bottom float32) // scrolls a range into sight

	details    Details
	entries    []entry
	width      float32 // for which the entries are arranged
	total      float32
	rulers     *rulers
	viewTop    float32
	viewHeight float32

	cursor  int // index of the entry that keys act on; -1 before there is a row
	pointed int // index of the entry under the pointer, or -1
	copied  int // index of the entry whose value was copied last, or -1
}

func newSheet(copyText func(string)) *sheet {
	s := &sheet{copy: copyText, reveal: func(float32, float32) {}, cursor: -1, pointed: -1, copied: -1}
	s.ExtendBaseWidget(s)
	return s
}

// set shows details; for the same result the cursor stays.
func (s *sheet) set(d Details) {
	if d.ID != s.details.ID {
		s.cursor = -1
	}
	s.details, s.entries = d, entriesOf(d)
	s.pointed, s.copied = -1, -1
	if s.cursor >= len(s.entries) || s.cursor < 0 || s.entries[s.cursor].row == nil {
		s.cursor = s.next(-1, 1)
	}
	width := s.width
	s.width = 0
	s.arrange(width)
	s.Refresh()
}

// arrange lays the entries out at a width.
func (s *sheet) arrange(width float32) {
	if width == s.width || width <= 0 {
		return
	}
	s.width, s.total = width, 0
	if s.rulers == nil || s.rulers.text.size != look.Size(look.SizeText) {
		s.rulers = newRulers()
	}
	for i := range s.entries {
		e := &s.entries[i]
		e.arrange(s.rulers, width, i == 0)
		e.top = s.total
		s.total += e.height
	}
	s.Refresh()
}

// setView sets which part of the sheet is in sight.
func (s *sheet) setView(top, height float32) {
	if top == s.viewTop && height == s.viewHeight {
		return
	}
	s.viewTop, s.viewHeight = top, height
	s.Refresh()
}

// inSight returns the entries in sight, from the first to before the last.
func (s *sheet) inSight() (from, to int) {
	from = sort.Search(len(s.entries), func(i int) bool { return s.entries[i].top+s.entries[i].height > s.viewTop })
	to = sort.Search(len(s.entries), func(i int) bool { return s.entries[i].top >= s.viewTop+s.viewHeight })
	return from, to
}

// at returns the index of the entry at a height, -1 for none.
func (s *sheet) at(y float32) int {
	i := sort.Search(len(s.entries), func(i int) bool { return s.entries[i].top+s.entries[i].height > y })
	if i == len(s.entries) || s.entries[i].row == nil {
		return -1
	}
	return i
}

// next returns the index of the next row in a direction, or from at the end.
func (s *sheet) next(from, step int) int {
	for i := from + step; i >= 0 && i < len(s.entries); i += step {
		if s.entries[i].row != nil {
			return i
		}
	}
	return from
}

// typed moves to another row, or copies; it reports whether it used the key.
func (s *sheet) typed(key fyne.KeyName) bool {
	const page = 10
	if s.cursor < 0 {
		return false
	}
	switch key {
	case fyne.KeyDown:
		s.move(s.next(s.cursor, 1))
	case fyne.KeyUp:
		s.move(s.next(s.cursor, -1))
	case fyne.KeyPageDown, fyne.KeyPageUp:
		to, step := s.cursor, 1
		if key == fyne.KeyPageUp {
			step = -1
		}
		for range page {
			to = s.next(to, step)
		}
		s.move(to)
	case fyne.KeyHome:
		s.move(s.next(-1, 1))
	case fyne.KeyEnd:
		s.move(s.next(len(s.entries), -1))
	case fyne.KeyReturn, fyne.KeyEnter:
		s.copyRow(s.cursor)
	default:
		return false
	}
	return true
}

func (s *sheet) move(to int) {
	s.cursor, s.copied = to, -1
	e := s.entries[to]
	top := e.top
	if to == s.next(-1, 1) {
		top = 0 // show the heading above too
	}
	s.reveal(top, e.top+e.height)
	s.Refresh()
}

func (s *sheet) copyRow(i int) {
	s.copied = i
	s.copy(s.entries[i].row.Copy)
	s.Refresh()
}

// Tapped implements fyne.Tappable: it chooses the row, and on its word "Copy" copies it.
func (s *sheet) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	i := s.at(e.Position.Y)
	if i < 0 {
		return
	}
	s.cursor, s.copied = i, -1
	if e.Position.X >= s.width-rightSide-copyWidth() {
		s.copyRow(i)
	}
	s.Refresh()
}

// TypedKey implements fyne.Focusable. Keys that are not used go on to the window.
func (s *sheet) TypedKey(e *fyne.KeyEvent) {
	if s.typed(e.Name) {
		return
	}
	kit.PassOnKey(s, e)
}

// MouseIn implements desktop.Hoverable.
func (s *sheet) MouseIn(e *desktop.MouseEvent) { s.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (s *sheet) MouseMoved(e *desktop.MouseEvent) {
	if i := s.at(e.Position.Y); i != s.pointed {
		s.pointed = i
		s.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (s *sheet) MouseOut() { s.pointed = -1; s.Refresh() }

// Cursor implements desktop.Cursorable.
func (s *sheet) Cursor() desktop.Cursor {
	if s.pointed >= 0 {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// AccessibilityLabel implements fyne.Accessible: it is the row at the cursor.
func (s *sheet) AccessibilityLabel() string {
	if s.cursor < 0 {
		return i18n.T("Details")
	}
	row := s.entries[s.cursor].row
	return i18n.F("%s: %s", row.Label, row.Value)
}

// AccessibilityRole implements fyne.Accessible.
func (s *sheet) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// MinSize implements fyne.Widget.
func (s *sheet) MinSize() fyne.Size { return fyne.NewSize(200, s.total) }

// CreateRenderer implements fyne.Widget.
func (s *sheet) CreateRenderer() fyne.WidgetRenderer { return newSheetRenderer(s) }

// mostLines is how many lines of a value are shown; the whole can be copied.
const mostLines = 12

// ruler breaks texts of one size and style into lines: a file can have a million characters, and shaping whole texts is slow.
type ruler struct {
	*look.Ruler
	size float32
}

func newRuler(size fyne.ThemeSizeName, style fyne.TextStyle) *ruler {
	return &ruler{look.RulerOf(style), look.Size(size)}
}

// wrap breaks a text into lines of at most a width: at spaces, and within words that are wider than a line.
func (r *ruler) wrap(text string, width float32) []string {
	text = strings.Join(strings.Fields(text), " ")
	wide := func(_ int, c rune) float32 { return r.Width(c) * r.size }
	for lines, start := []string(nil), 0; ; {
		end, next := wrap.Line(text, start, width, wide, wrap.AtSpaces)
		if next < len(text) && len(lines) == mostLines-1 {
			end, _ = wrap.Line(text, start, width, wide, wrap.Nowhere)
			return append(lines, strings.TrimRight(text[start:end], " ")+" …")
		}
		lines = append(lines, text[start:end])
		if start = next; start >= len(text) {
			return lines
		}
	}
}

// grouped splits a hash into groups of eight characters, so that people can compare it.
func grouped(hash string) string {
	var b strings.Builder
	for i, r := range hash {
		if i > 0 && i%8 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// rulers are the rulers of the sheet's texts.
type rulers struct{ text, small, mono *ruler }

func newRulers() *rulers {
	return &rulers{text: newRuler(look.SizeText, regular), small: newRuler(look.SizeSmall, regular), mono: newRuler(look.SizeText, mono)}
}
