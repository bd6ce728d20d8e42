package text

import (
	"sort"
	"strings"

	"fyne.io/fyne/v2"

	"assay/gui/kit"
	"assay/gui/look"
)

// selection is the text selected by dragging, from where the drag began to where it is.
type selection struct {
	on          bool
	anchor, end place
}

func (p place) before(q place) bool { return p.block < q.block || p.block == q.block && p.at < q.at }

func (s selection) span() (from, to place) {
	if s.end.before(s.anchor) {
		return s.end, s.anchor
	}
	return s.anchor, s.end
}

// in returns which part of a piece is selected, from left to right.
func (s selection) in(spot *spot, block int) (left, right float32, some bool) {
	if !s.on {
		return 0, 0, false
	}
	from, to := s.span()
	start := place{block: block, at: spot.piece.start}
	end := place{block: block, at: spot.piece.start + len(spot.piece.text)}
	if !from.before(end) || !start.before(to) {
		return 0, 0, false
	}
	if from.before(start) {
		from = start
	}
	if end.before(to) {
		to = end
	}
	a, b := spot.offset(from.at), spot.offset(to.at)
	return min(a, b), max(a, b), true
}

// text returns the selected text.
func (s selection) text(p *Prose) string {
	if !s.on {
		return ""
	}
	from, to := s.span()
	if from.block >= len(p.Blocks) || to.block >= len(p.Blocks) {
		return ""
	}
	part := Prose{Blocks: append([]ProseBlock(nil), p.Blocks[from.block:to.block+1]...)}
	last := &part.Blocks[len(part.Blocks)-1]
	last.Text = last.Text[:min(to.at, len(last.Text))]
	part.Blocks[0].Text = part.Blocks[0].Text[min(from.at, len(part.Blocks[0].Text)):]
	return part.Plain()
}

// offset returns where the character at a byte of the block begins.
func (s *spot) offset(at int) float32 {
	inside := max(0, min(at-s.piece.start, len(s.piece.text)))
	w := look.Measure(s.piece.text[:inside], s.size, s.piece.style()).Width
	if inside == len(s.piece.text) {
		w = s.w
	}
	if s.piece.rtl {
		return s.x + s.w - w
	}
	return s.x + w
}

// byteAt returns the character boundary nearest to a position, as a byte offset.
func (s *spot) byteAt(x float32) int {
	var starts []int
	for at := range s.piece.text {
		starts = append(starts, s.piece.start+at)
	}
	starts = append(starts, s.piece.start+len(s.piece.text))
	passed := func(i int) bool { // the middle of the character before the boundary is beyond x
		middle := (s.offset(starts[i]) + s.offset(starts[i+1])) / 2
		if s.piece.rtl {
			return middle <= x
		}
		return middle >= x
	}
	return starts[sort.Search(len(starts)-1, passed)]
}

// placeAt returns the place in the text nearest to a position.
func (l *leaf) placeAt(p fyne.Position) (at place, ok bool) {
	lines := l.sheet.lines
	if lines == nil || len(lines.all) == 0 {
		return place{}, false
	}
	wanted := max(l.from, min(lines.at(p.Y), l.to-1))
	var best *spot
	away := float32(0)
	for i := range l.spots {
		s := &l.spots[i]
		if s.line != wanted {
			continue
		}
		if d := max(s.x-p.X, p.X-s.x-s.w, 0); best == nil || d < away {
			best, away = s, d
		}
	}
	if best == nil {
		return place{block: lines.all[wanted].block, at: lines.all[wanted].start}, true
	}
	return place{block: lines.all[wanted].block, at: best.byteAt(p.X)}, true
}

// Dragged implements fyne.Draggable: it selects, and scrolls at the edges.
func (l *leaf) Dragged(e *fyne.DragEvent) {
	if !l.dragging {
		l.focus()
		begun, ok := l.placeAt(e.Position.Subtract(fyne.NewPos(e.Dragged.DX, e.Dragged.DY)))
		if !ok {
			return
		}
		l.selected = selection{on: true, anchor: begun}
	}
	s := l.sheet
	switch top := s.scroll.Offset.Y; {
	case e.Position.Y < top:
		s.scrollTo(top - s.lines.face.text*leading)
	case e.Position.Y > top+s.scroll.Size().Height:
		s.scrollTo(top + s.lines.face.text*leading)
	}
	if at, ok := l.placeAt(e.Position); ok {
		l.selected.end, l.dragging = at, true
		l.Refresh()
	}
}

// DragEnd implements fyne.Draggable.
func (l *leaf) DragEnd() { l.dragging = false }

// TypedShortcut implements fyne.Shortcutable: copy and select all. It passes others on to the window, which does not get them while a focused object
// handles shortcuts.
func (l *leaf) TypedShortcut(shortcut fyne.Shortcut) {
	l.shortcutIn(fyne.CurrentApp().Driver().CanvasForObject(l), shortcut)
}

func (l *leaf) shortcutIn(canvas fyne.Canvas, shortcut fyne.Shortcut) {
	prose := l.sheet.prose
	switch shortcut.(type) {
	case *fyne.ShortcutSelectAll:
		if n := len(prose.Blocks); n > 0 {
			l.selected = selection{on: true, end: place{block: n - 1, at: len(prose.Blocks[n-1].Text)}}
			l.Refresh()
		}
	case *fyne.ShortcutCopy:
		text := l.selected.text(prose)
		if strings.TrimSpace(text) != "" && l.sheet.onCopy != nil {
			l.sheet.onCopy(text)
		}
	default:
		kit.PassOnShortcut(canvas, shortcut)
	}
}
