package tree

import (
	"math"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/client/i18n"
	"assay/client/jsontree"
	"assay/gui/look"
)

// slot has the objects of a row in sight, which are reused for other rows.
type slot struct {
	ground, tick      *canvas.Rectangle
	triangle          *look.Glyph
	key, about, value *canvas.Text
}

func newSlot() *slot {
	return &slot{
		ground:   &canvas.Rectangle{CornerRadius: 4},
		tick:     &canvas.Rectangle{CornerRadius: 1.5},
		triangle: look.NewGlyph(),
		key:      canvas.NewText("", nil), about: canvas.NewText("", nil), value: canvas.NewText("", nil),
	}
}

func (s *slot) objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{s.ground, s.tick, s.triangle.Raster, s.key, s.about, s.value}
}

func (s *slot) hide() {
	for _, o := range s.objects() {
		o.Hide()
	}
}

// CreateRenderer implements fyne.Widget.
func (r *rows) CreateRenderer() fyne.WidgetRenderer {
	p := &rowsRenderer{rows: r, ring: &canvas.Rectangle{CornerRadius: 4, StrokeWidth: 2}, thumb: &canvas.Rectangle{CornerRadius: 3}}
	p.Refresh()
	return p
}

type rowsRenderer struct {
	rows  *rows
	slots []*slot
	ring  *canvas.Rectangle // around the chosen row, while the tree has the focus
	thumb *canvas.Rectangle
	all   []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (p *rowsRenderer) Destroy() {}

// MinSize implements fyne.WidgetRenderer.
func (p *rowsRenderer) MinSize() fyne.Size { return fyne.NewSize(120, 3*rowHeight) }

// Objects implements fyne.WidgetRenderer.
func (p *rowsRenderer) Objects() []fyne.CanvasObject { return p.all }

// Layout implements fyne.WidgetRenderer.
func (p *rowsRenderer) Layout(fyne.Size) { p.rows.scrollTo(p.rows.top) }

// Refresh implements fyne.WidgetRenderer.
func (p *rowsRenderer) Refresh() {
	r := p.rows
	p.enough(int(math.Ceil(r.inSight())) + 1)
	first := int(r.top)
	above := float32(r.top-float64(first)) * rowHeight
	p.ring.Hide()
	for i, s := range p.slots {
		if first+i >= r.length() || i > int(math.Ceil(r.inSight())) {
			s.hide()
			continue
		}
		p.draw(s, first+i, float32(i)*rowHeight-above)
	}
	at, size, ok := r.bar()
	p.thumb.Hidden = !ok
	p.thumb.FillColor = look.Color(look.ColorDash)
	p.thumb.Move(fyne.NewPos(r.Size().Width-8, at+1))
	p.thumb.Resize(fyne.NewSize(6, max(0, size-2)))
	p.thumb.Refresh()
	p.ring.Refresh()
	canvas.Refresh(r)
}

func (p *rowsRenderer) enough(n int) {
	if len(p.slots) >= n && p.all != nil {
		return
	}
	for len(p.slots) < n {
		p.slots = append(p.slots, newSlot())
	}
	p.all = nil
	for _, s := range p.slots {
		p.all = append(p.all, s.objects()...)
	}
	p.all = append(p.all, p.ring, p.thumb)
}

func (p *rowsRenderer) draw(s *slot, i int, y float32) {
	r := p.rows
	row := r.outline.Row(i)
	width := r.Size().Width
	right := width - barWidth - 4
	const edge = 3

	s.ground.FillColor = look.Color(look.ColorHover)
	if i == r.chosen {
		s.ground.FillColor = look.Color(look.ColorSunk)
	}
	s.ground.Hidden = i != r.chosen && i != r.hovered
	put(s.ground, edge, y, width-barWidth-edge, rowHeight)
	if i == r.chosen && r.focused {
		p.ring.StrokeColor, p.ring.FillColor = look.Color(look.ColorAccent), nil
		put(p.ring, edge+1, y+1, width-barWidth-edge-2, rowHeight-2)
		p.ring.Show()
	}
	match := r.isMatch(row.Node)
	s.tick.FillColor = look.Color(look.ColorAccent)
	s.tick.Hidden = !match && row.Node.Start != r.marked
	put(s.tick, edge, y+4, 3, rowHeight-8)

	x := indentOf(row.Depth, width)
	s.triangle.Set(nil)
	if row.Node.HasChildren() {
		icon := look.IconChevronRight
		if row.Open {
			icon = look.IconChevronDown
		}
		s.triangle.Set(icon.Tinted(look.ColorMuted))
		put(s.triangle.Raster, x+2, y+(rowHeight-14)/2, 14, 14)
	}
	x += triangleRoom

	f := r.face(row, max(8, int((right-x)/columnWidth())+1))
	key, style := f.key, fyne.TextStyle{Monospace: row.Depth > 0 && !row.Node.HasKey()} // indices are aligned
	if row.Depth > deepestIndent(width) {
		key, style.Monospace = i18n.F("level %s: %s", i18n.Count(row.Depth), key), false
	}
	if row.Node.Start == r.marked || match {
		style.Bold = true
	}
	most := right - x
	if f.value != "" {
		most *= 0.45
	}
	color := look.ColorMuted
	if row.Depth == 0 {
		color = look.ColorText
	}
	x += say(s.key, key, x, y, most, style, color) + 10
	x += say(s.about, f.about, x, y, right-x, fyne.TextStyle{}, look.ColorMuted)
	if f.about != "" {
		x += 10
	}
	color = look.ColorText
	if row.Node.HasChildren() || row.Node.Kind == jsontree.Unread {
		color = look.ColorMuted
	}
	say(s.value, f.value, x, y, right-x, fyne.TextStyle{Monospace: !joins(f.value)}, color)
}

// joins reports whether a text has letters of scripts that no monospaced font supports, such as Arabic: it would separate them.
func joins(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= 0x0590 && r <= 0x1FFF || r >= 0x2E80 && r != '\uFFFD' })
}

// columnWidth is the width of a character of the monospaced font.
func columnWidth() float32 {
	return max(1, look.Measure("0", look.Size(look.SizeSmall), fyne.TextStyle{Monospace: true}).Width)
}

// say draws a line, shortened to a width, and returns the width that it takes.
func say(t *canvas.Text, text string, x, y, width float32, style fyne.TextStyle, color fyne.ThemeColorName) float32 {
	t.Hidden = text == "" || width < 12
	if t.Hidden {
		return 0
	}
	size := look.Size(look.SizeSmall)
	shown := look.Fit(text, width, size, style, look.EllipsisEnd)
	ink := look.Color(color)
	taken := look.Measure(shown, size, style).Width
	put(t, x, y, taken, rowHeight)
	if t.Text != shown || t.TextSize != size || t.TextStyle != style || t.Color != ink {
		look.SetText(t, shown, style)
		t.TextSize, t.Color = size, ink
		t.Refresh()
	}
	return taken
}

func put(o fyne.CanvasObject, x, y, width, height float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(max(0, width), height))
}

// face is the text of a row.
type face struct {
	key   string // "" if it has none
	about string // how many values it has, in words
	value string // as JSON, or the beginning of that
	whole bool   // whether value is complete
}

const (
	indent       = 16
	triangleRoom = 20
	rowPad       = 8
	longestKey   = 120
)

// indentOf is the indentation of a row. It takes at most two fifths of the width; deeper rows are not indented further.
func indentOf(depth int, width float32) float32 {
	return rowPad + float32(min(depth, deepestIndent(width)))*indent
}

func deepestIndent(width float32) int { return max(2, int(width*0.4/indent)) }

// face returns the text of a row, with about limit characters.
func (r *rows) face(row jsontree.Row, limit int) face {
	var f face
	n := row.Node
	switch {
	case n.Kind == jsontree.Unread:
		f.key = i18n.T("Not readable from here on")
	case row.Depth == 0:
		f.key = r.name
	case n.HasKey():
		if f.key = r.document.Key(n, longestKey); f.key == "" {
			f.key = `""`
		}
	default:
		f.key = strconv.Itoa(row.Index)
	}
	if n.HasChildren() {
		f.about = countOf(r.document.Count(n), n.Kind)
		if row.Open {
			f.whole = true
			return f
		}
	}
	f.value, f.whole = r.document.Preview(n, limit)
	return f
}

func countOf(n int, kind jsontree.Kind) string {
	switch fields := kind == jsontree.Object; {
	case fields && n == 0:
		return i18n.T("no fields")
	case fields:
		return i18n.N(n, "%s field", "%s fields")
	case n == 0:
		return i18n.T("no items")
	}
	return i18n.N(n, "%s item", "%s items")
}
