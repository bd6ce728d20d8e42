package report

import "slices"

// columnWidths are those of tables, by class, in millimetres; together they are bodyWidth.
var columnWidths = map[string][]float64{
	"facts":     {35, 147},
	"times":     {48, 36, 48, 50},
	"two":       {52, 130},
	"limits":    {182},
	"judgement": {36, 72},
	"signoff":   {32, 31},
	"items":     {50, 60, 72},
	"questions": {46, 66, 70},
	"signed":    {44, 50, 38, 50},
	"file":      {52, 130},
	"timeline":  {30, 40, 70, 42},
	"checks":    {51, 63, 68},
	"notes":     {112, 70},
	"models":    {42, 38, 26, 24, 52},
	"custody":   {36, 46, 16, 84},
	"answers":   {36, 40, 22, 84},
}

// layout is the places of a table's columns.
type layout struct {
	x      float64
	widths []float64
}

// columnGap is the space between columns.
const columnGap = 3.0

// styleOf is the style of a column's cells.
func (d *document) styleOf(c cell, column int, l layout, class string) style {
	s := styleCell
	switch {
	case c.Mono:
		s = d.letters.fit(c.Text, styleMono, d.cellWidth(c, column, l))
	case c.Muted, column == 0 && slices.Contains([]string{"facts", "two", "judgement", "signoff", "file"}, class):
		s.color = muted
	}
	return s
}

func (d *document) cellWidth(c cell, column int, l layout) float64 {
	width := l.widths[column]
	if column < len(l.widths)-1 {
		width -= columnGap
	}
	if c.Mark != "" {
		width -= 4.5
	}
	return width
}

const rowPad = 1.1

// padOf is the space above and below the text of a table's rows.
func padOf(class string) float64 {
	switch class {
	case "facts":
		return 0.5
	case "checks", "times": // so that a first page has room for them
		return 0.7
	}
	return rowPad
}

func (d *document) rowHeight(r row, l layout, class string) (height float64) {
	for i, c := range r {
		s := d.styleOf(c, i, l, class)
		height = max(height, d.height(c.Text, s, d.cellWidth(c, i, l)-indent(class, i)))
	}
	if class == "signoff" {
		height += 3 // for a pen
	}
	return height + 2*padOf(class)
}

// indent is the space for a box before the text of a cell.
func indent(class string, column int) float64 {
	if class == "checks" && column == 0 {
		return 5.5
	}
	return 0
}

// row writes cells beside each other. One that is higher than what is left of the page goes on to the next, which again calls first.
func (d *document) row(r row, l layout, class string, again func()) error {
	height := d.rowHeight(r, l, class)
	next := func() {
		d.newPage()
		if again != nil {
			again()
		}
	}
	if d.y+height > bodyBottom && d.y > bodyTop && height < (bodyBottom-bodyTop)/2 {
		next()
	}
	rest := make([][]string, len(r))
	for i, c := range r {
		rest[i] = d.letters.lines(c.Text, d.styleOf(c, i, l, class), d.cellWidth(c, i, l)-indent(class, i))
	}
	for first := true; ; first = false {
		bottom, more := d.y+2*padOf(class), false
		x := l.x
		for i, c := range r {
			s := d.styleOf(c, i, l, class)
			y := d.y + padOf(class)
			if first {
				if class == "checks" && i == 0 {
					d.checkBox(x, y, !r[1].Muted)
				}
				if err := d.cellSign(c, x, y, d.cellWidth(c, i, l)); err != nil {
					return err
				}
			}
			left := x + indent(class, i)
			if c.Mark != "" {
				left += 4.5
			}
			top := y + (styleCell.lineHeight()-s.lineHeight())/2 // letters of other sizes stand in the middle of the line
			for len(rest[i]) > 0 && top+s.lineHeight() <= bodyBottom-padOf(class)+0.1 {
				d.letters.draw(d.Fpdf, rest[i][0], s, left, top)
				top += s.lineHeight()
				rest[i] = rest[i][1:]
			}
			more = more || len(rest[i]) > 0
			bottom = max(bottom, top+padOf(class))
			x += l.widths[i]
		}
		d.y = max(bottom, d.y+2*padOf(class)+styleCell.lineHeight())
		if class == "signoff" {
			d.y += 3
		}
		if !more {
			break
		}
		next()
	}
	if class != "facts" {
		d.stroke(line, 0.2)
		d.Line(l.x, d.y, l.x+total(l.widths), d.y)
	}
	return nil
}

func total(widths []float64) (sum float64) {
	for _, w := range widths {
		sum += w
	}
	return sum
}

// checkBox draws the box before a check, filled if there is a finding.
func (d *document) checkBox(x, y float64, found bool) {
	d.stroke(ink, 0.3)
	how := "D"
	if found {
		d.area(ink)
		how = "FD"
	}
	d.Rect(x+0.2, y+styleCell.lineHeight()/2-1.5, 3, 3, how)
}

// cellSign draws the parts of a cell other than its text: a mark, a bar.
func (d *document) cellSign(c cell, x, y, width float64) error {
	middle := y + styleCell.lineHeight()/2
	if c.Mark != "" {
		if err := d.mark(c.Mark, c.Class, x, middle-1.7, 3.4); err != nil {
			return err
		}
	}
	if c.Bar == nil {
		return nil
	}
	b := box{x, middle - 1.2, width, 2.4}
	if c.Bar.Hatched {
		d.hatched(b)
		return nil
	}
	d.area(fill)
	d.Rect(b.x, b.y, b.w*c.Bar.Percent/100, b.h, "F")
	d.stroke(ink, 0.2)
	d.Rect(b.x, b.y, b.w, b.h, "D")
	return nil
}

// lane draws a timeline over the whole width.
func (d *document) lane(l *lane) {
	const height = 5.0
	b := box{margin, d.y + 0.5, bodyWidth, height}
	d.hatched(b)
	d.stroke(ink, 0.2)
	for _, s := range l.Spans {
		color, own := markColors[s.Class]
		if !own {
			color = rgb{0x9A, 0xA1, 0xAC}
		}
		d.area(color)
		d.Rect(b.x+b.w*min(s.From, 100)/100, b.y, b.w*min(s.Width, 100-min(s.From, 100))/100, b.h, "FD")
	}
	d.at(l.Begin, styleEnds, b.x, b.y+b.h+0.5)
	d.toRight(l.End, styleEnds, b.y+b.h+0.5)
	d.y = b.y + b.h + 0.5 + styleEnds.lineHeight() + 1
}

// hatched draws a bar for what there is nothing of.
func (d *document) hatched(b box) {
	d.ClipRect(b.x, b.y, b.w, b.h, false)
	d.stroke(rgb{0xA3, 0xAB, 0xB7}, 0.15)
	for at := b.x - b.h; at < b.x+b.w; at += 1.2 {
		d.Line(at, b.y, at+b.h, b.y+b.h)
	}
	d.ClipEnd()
	d.stroke(muted, 0.15)
	d.SetDashPattern([]float64{0.8, 0.5}, 0)
	d.Rect(b.x, b.y, b.w, b.h, "D")
	d.SetDashPattern(nil, 0)
}

// together is how much of a table is kept on one page with its heading: all of it if it is short.
func (d *document) together(t table, l layout) float64 {
	const little, start = 85.0, 24.0
	height := styleHeading.lineHeight() + 8
	if t.Lane != nil {
		height += 10
	}
	for _, r := range t.Rows {
		if height += d.rowHeight(r, l, t.Class); height > little {
			return start
		}
	}
	for _, text := range t.Text {
		height += d.height(text, styleText, bodyWidth) + 1
	}
	if height > little {
		return start
	}
	return height
}

// tables writes tables one below the other, and a judgement beside its sign-off.
func (d *document) tables(all []table) error {
	for i := 0; i < len(all); i++ {
		if i+1 < len(all) && all[i].Class == "judgement" && all[i+1].Class == "signoff" && d.beside(all[i], all[i+1]) {
			i++
			continue
		}
		if err := d.table(all[i]); err != nil {
			return err
		}
	}
	return d.Error()
}

// beside writes two short tables side by side; it writes nothing and returns false where there is no room for that.
func (d *document) beside(left, right table) bool {
	heading := styleHeading
	heading.size = 9.5
	at := []layout{{x: margin, widths: columnWidths[left.Class]}, {x: margin + total(columnWidths[left.Class]) + gap*2, widths: columnWidths[right.Class]}}
	height := 0.0
	for i, t := range []table{left, right} {
		rows := d.height(t.Heading, heading, total(at[i].widths)) + 1
		for _, r := range t.Rows {
			rows += d.rowHeight(r, at[i], t.Class)
		}
		for _, text := range t.Text {
			rows += d.height(text, styleNote, total(at[i].widths)) + 1
		}
		height = max(height, rows)
	}
	if height > 110 {
		return false
	}
	d.y += gap
	d.room(height)
	top := d.y
	for i, t := range []table{left, right} {
		d.y = d.block(t.Heading, heading, at[i].x, top, total(at[i].widths)) + 1
		for _, r := range t.Rows {
			_ = d.row(r, at[i], t.Class, nil) // marks, which alone can fail, are in neither
		}
		for _, text := range t.Text {
			d.y = d.block(text, styleNote, at[i].x, d.y+1, total(at[i].widths))
		}
	}
	d.y = top + height
	d.stroke(line, 0.3)
	d.Line(at[1].x-gap, top, at[1].x-gap, d.y)
	return true
}

// table writes a heading and rows, or paragraphs. The head is repeated on each page.
func (d *document) table(t table) error {
	l := layout{x: margin, widths: columnWidths[t.Class]}
	if t.Heading != "" {
		d.y += gap
		d.room(d.together(t, l))
		d.paragraph(t.Heading, styleHeading)
		d.y++
	}
	if t.Lane != nil {
		d.lane(t.Lane)
	}
	heads := func() {
		if t.Head == nil {
			return
		}
		x, height := l.x, 0.0
		for i, text := range t.Head {
			end := d.block(text, styleStrong, x+indent(t.Class, i), d.y, l.widths[i]-columnGap-indent(t.Class, i))
			height = max(height, end-d.y)
			x += l.widths[i]
		}
		d.y += height + 0.8
		d.stroke(ink, 0.3)
		d.Line(l.x, d.y, l.x+total(l.widths), d.y)
	}
	if len(t.Rows) > 0 {
		heads()
	}
	for _, r := range t.Rows {
		if err := d.row(r, l, t.Class, heads); err != nil {
			return err
		}
	}
	s := styleText
	if len(t.Rows) > 0 {
		s = styleNote
		d.y++
	}
	for _, text := range t.Text {
		d.paragraph(text, s)
		d.y++
	}
	return d.Error()
}
