package chart

import (
	"image/color"
	"math"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Sizes in device-independent pixels.
const (
	dotSide      float32 = 12
	dotWithin    float32 = 6 // of the filled dot where it lies in the hollow one
	dotLine      float32 = 2
	dumbbellLine float32 = 2
	hatchHeight  float32 = 14
	arrowWidth   float32 = 24
	numberGap    float32 = 4  // between a number and its mark
	changeGap    float32 = 12 // before the change
	rowInset     float32 = 8  // left and right in a row, so that the mark of the cursor has room around it
	nameLeast    float32 = 88
	nameUsual    float32 = 152 // which a name may have before the scale has as much
	wordMost     float32 = 96  // in place of a change
	wordLeast    float32 = 64  // where there is little width
	wordsWide    float32 = 480 // the least width of a row whose words have wordMost
	trackLeast   float32 = 72
)

// gridParts is into how many parts of equal width lines divide the scale.
const gridParts = 4

// dumbbellColumns are the widths that all rows share.
type dumbbellColumns struct{ name, number, change float32 }

// measuredRows bounds the rows that are measured for the columns; the names of further ones are cut where they are wider.
const measuredRows = 200

func dumbbellColumnsOf(rows []Dumbbell) dumbbellColumns {
	size := look.Size(look.SizeText)
	c := dumbbellColumns{number: look.FiguresWidth("100", size, look.WeightBold.Style())}
	for _, row := range rows[:min(len(rows), measuredRows)] {
		c.name = max(c.name, float32(math.Ceil(float64(look.Measure(row.Name, size, row.nameStyle()).Width))))
		if row.Word {
			c.change = max(c.change, min(look.Measure(row.Change, size, fyne.TextStyle{}).Width+1, wordMost))
		} else {
			c.change = max(c.change, look.FiguresWidth(row.Change, size, look.WeightBold.Style()))
		}
		for _, e := range []End{row.Earlier, row.Later} {
			c.number = max(c.number, look.FiguresWidth(endText(e), size, look.WeightBold.Style()))
		}
	}
	return c
}

// numbers is the width of both numbers with their marks, and of the change.
func (c dumbbellColumns) numbers() float32 {
	return 2*(c.number+numberGap+markSize) + arrowWidth + changeGap + c.change
}

// within are the columns of a row of a width: where that is little, words give way to the scale.
func (c dumbbellColumns) within(width float32) dumbbellColumns {
	if width < wordsWide {
		c.change = min(c.change, wordLeast)
	}
	return c
}

// track is where the scale is in a row of a width, and how wide.
func (c dumbbellColumns) track(width float32) (left, wide float32) {
	c = c.within(width)
	rest := width - 2*rowInset - c.numbers() - 2*trackGap - dotSide
	name := min(c.name, max(rest/2, min(nameUsual, rest-trackLeast), nameLeast))
	return rowInset + name + trackGap + dotSide/2, max(rest-name, 0)
}

func (b Dumbbell) nameStyle() fyne.TextStyle {
	if b.Ensemble {
		return look.WeightBold.Style()
	}
	return look.WeightRegular.Style()
}

// dumbbellRow draws one row.
type dumbbellRow struct {
	kit.Row
	of    *Dumbbells
	shown Dumbbell

	grid        [gridParts + 1]*canvas.Rectangle
	name        *canvas.Text
	line, under *canvas.Rectangle // between the dots; below the ensemble
	hollow, dot *canvas.Circle
	hatch       *canvas.Raster
	numbers     [2]*look.Figures
	marks       [2]*look.Glyph
	arrow       *canvas.Text
	change      *look.Figures // a number
	word        *canvas.Text  // in its place
}

var _ fyne.Accessible = (*dumbbellRow)(nil)

func newDumbbellRow(of *Dumbbells) *dumbbellRow {
	r := &dumbbellRow{
		of: of, name: canvas.NewText("", nil), line: canvas.NewRectangle(nil), under: canvas.NewRectangle(nil),
		hollow: canvas.NewCircle(nil), dot: canvas.NewCircle(nil), hatch: look.NewHatch(barRadius), arrow: canvas.NewText("", nil), word: canvas.NewText("", nil),
		numbers: [2]*look.Figures{{}, {}}, marks: [2]*look.Glyph{look.NewGlyph(), look.NewGlyph()}, change: &look.Figures{},
	}
	for i := range r.grid {
		r.grid[i] = canvas.NewRectangle(nil)
	}
	r.StartRow(r)
	return r
}

func (r *dumbbellRow) set(i int, cursor bool) {
	r.shown = r.of.rows[i]
	r.Mark(cursor, false)
	r.Refresh()
}

// AccessibilityLabel implements fyne.Accessible.
func (r *dumbbellRow) AccessibilityLabel() string { return r.shown.words() }

// CreateRenderer implements fyne.Widget.
func (r *dumbbellRow) CreateRenderer() fyne.WidgetRenderer {
	d := &dumbbellRenderer{row: r, base: r.DrawRow(fyne.NewSize(0, dumbbellHeight), func(fyne.Size) {})}
	d.Refresh()
	return d
}

// dumbbellRenderer draws the marks of a row and its parts, of which those of numbers change with the row.
type dumbbellRenderer struct {
	row     *dumbbellRow
	base    fyne.WidgetRenderer
	objects []fyne.CanvasObject
}

func (d *dumbbellRenderer) Destroy()                     {}
func (d *dumbbellRenderer) Objects() []fyne.CanvasObject { return d.objects }
func (d *dumbbellRenderer) MinSize() fyne.Size           { return d.base.MinSize() }

func (d *dumbbellRenderer) Layout(fyne.Size) { d.row.place() }

func (d *dumbbellRenderer) Refresh() {
	r := d.row
	r.paint()
	d.objects = append(d.objects[:0], d.base.Objects()...)
	for _, line := range r.grid {
		d.objects = append(d.objects, line)
	}
	d.objects = append(d.objects, r.name, r.under, r.hatch, r.line, r.hollow, r.dot, r.arrow)
	for i := range r.numbers {
		d.objects = append(append(d.objects, r.marks[i].Raster), r.numbers[i].Objects()...)
	}
	d.objects = append(append(d.objects, r.word), r.change.Objects()...)
	r.place()
	for _, o := range d.objects {
		o.Refresh()
	}
	canvas.Refresh(r)
}

// paint sets texts and colours.
func (r *dumbbellRow) paint() {
	b := r.shown
	text, muted := look.Color(look.ColorText), look.Color(look.ColorMuted)
	for _, line := range r.grid {
		line.FillColor = look.Color(look.ColorBorder)
	}
	r.name.TextSize, r.name.Color = look.Size(look.SizeText), text
	r.under.FillColor = look.Color(look.ColorBorder)
	kit.SetVisible(r.under, b.Ensemble)
	r.line.FillColor = text
	kit.SetVisible(r.line, b.Earlier.Value != nil && b.Later.Value != nil)
	r.hollow.FillColor, r.hollow.StrokeColor, r.hollow.StrokeWidth = look.Color(look.ColorSurface), text, dotLine
	kit.SetVisible(r.hollow, b.Earlier.Value != nil)
	r.dot.FillColor, r.dot.StrokeColor = text, color.Transparent
	kit.SetVisible(r.dot, b.Later.Value != nil)
	kit.SetVisible(r.hatch, b.Earlier.Value == nil && b.Later.Value == nil)
	look.SetText(r.arrow, "→", look.WeightRegular.Style())
	r.arrow.TextSize, r.arrow.Color = look.Size(look.SizeText), muted
	for i, e := range []End{b.Earlier, b.Later} {
		style, ink := look.WeightRegular.Style(), look.ColorMuted
		if i == 1 && e.Value != nil {
			style, ink = look.WeightBold.Style(), look.ColorText
		}
		r.numbers[i].Set(endText(e), look.SizeText, style, ink)
		r.marks[i].Set(look.MarkResource(e.Mark))
	}
	number, word := b.Change, ""
	if b.Word {
		number, word = "", b.Change
	}
	r.change.Set(number, look.SizeText, look.WeightBold.Style(), look.ColorText)
	update(r.word, word, look.SizeText, look.WeightRegular.Style(), look.ColorMuted)
}

// place lays the parts out.
func (r *dumbbellRow) place() {
	size, b := r.Size(), r.shown
	c := r.of.shared.within(size.Width)
	r.PlaceRow(size)
	left, wide := c.track(size.Width)
	for i, line := range r.grid { // over the gap below too, so that the lines of all rows join
		kit.PlaceAt(line, left+wide*float32(i)/gridParts, 0, look.Hairline, dumbbellHeight+look.Hairline)
	}
	kit.PlaceAt(r.under, rowInset, dumbbellHeight, size.Width-2*rowInset, look.Hairline)
	name := left - dotSide/2 - trackGap - rowInset
	look.SetText(r.name, look.Fit(b.Name, name, r.name.TextSize, b.nameStyle(), look.EllipsisMiddle), b.nameStyle())
	kit.PlaceAt(r.name, rowInset, 0, name, dumbbellHeight)
	kit.PlaceAt(r.hatch, left, (dumbbellHeight-hatchHeight)/2, wide, hatchHeight)
	at := func(e End) float32 {
		if e.Value == nil {
			return left
		}
		return left + float32(look.Clamp01(*e.Value/100))*wide
	}
	from, to := at(b.Earlier), at(b.Later)
	kit.PlaceAt(r.hollow, from-dotSide/2, (dumbbellHeight-dotSide)/2, dotSide, dotSide)
	filled := dotSide
	if b.Earlier.Value != nil && b.Later.Value != nil && max(from, to)-min(from, to) < dotSide/2 {
		filled = dotWithin // both are seen
	}
	kit.PlaceAt(r.dot, to-filled/2, (dumbbellHeight-filled)/2, filled, filled)
	kit.PlaceAt(r.line, min(from, to), (dumbbellHeight-dumbbellLine)/2, max(from, to)-min(from, to), dumbbellLine)
	x := size.Width - rowInset - c.numbers()
	for i, n := range r.numbers {
		n.Place(x+c.number-n.Width(), 0, dumbbellHeight)
		kit.PlaceAt(r.marks[i].Raster, x+c.number+numberGap, (dumbbellHeight-markSize)/2, markSize, markSize)
		x += c.number + numberGap + markSize
		if i == 0 {
			kit.PlaceAt(r.arrow, x+(arrowWidth-r.arrow.MinSize().Width)/2, 0, r.arrow.MinSize().Width, dumbbellHeight)
			x += arrowWidth
		}
	}
	r.change.Place(size.Width-rowInset-r.change.Width(), 0, dumbbellHeight)
	if b.Word {
		r.word.Text = look.Fit(b.Change, c.change, r.word.TextSize, r.word.TextStyle, look.EllipsisEnd)
	}
	word := r.word.MinSize().Width
	kit.PlaceAt(r.word, size.Width-rowInset-word, 0, word, dumbbellHeight)
}

// dumbbellAxis is the scale below the rows: its direction in words.
type dumbbellAxis struct {
	widget.BaseWidget
	of *Dumbbells
}

func newDumbbellAxis(of *Dumbbells) *dumbbellAxis {
	a := &dumbbellAxis{of: of}
	a.ExtendBaseWidget(a)
	return a
}

// CreateRenderer implements fyne.Widget.
func (a *dumbbellAxis) CreateRenderer() fyne.WidgetRenderer {
	low, high := canvas.NewText("", nil), canvas.NewText("", nil)
	layout := func(size fyne.Size) {
		left, wide := a.of.shared.track(size.Width)
		kit.PlaceAt(low, left, 0, low.MinSize().Width, dumbbellAxisIn)
		kit.PlaceAt(high, left+wide-high.MinSize().Width, 0, high.MinSize().Width, dumbbellAxisIn)
	}
	refresh := func() {
		size := a.Size()
		_, wide := a.of.shared.track(size.Width)
		first, last := i18n.T("0 no indication"), i18n.T("100 strong")
		caption := look.Size(look.SizeCaption)
		if look.Measure(first+last, caption, fyne.TextStyle{}).Width+16 > wide {
			first, last = "0", "100"
		}
		update(low, first, look.SizeCaption, fyne.TextStyle{}, look.ColorMuted)
		update(high, last, look.SizeCaption, fyne.TextStyle{}, look.ColorMuted)
		layout(size)
	}
	refresh()
	return kit.NewRenderer([]fyne.CanvasObject{low, high}, fyne.NewSize(0, dumbbellAxisIn), func(fyne.Size) { refresh() }, refresh)
}

// dumbbellLegend says which dot is which answer.
type dumbbellLegend struct {
	widget.BaseWidget
	names [2]string
}

func newDumbbellLegend() *dumbbellLegend {
	l := &dumbbellLegend{}
	l.ExtendBaseWidget(l)
	return l
}

func (l *dumbbellLegend) set(earlier, later string) {
	l.names = [2]string{earlier, later}
	l.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (l *dumbbellLegend) CreateRenderer() fyne.WidgetRenderer {
	hollow, dot := canvas.NewCircle(nil), canvas.NewCircle(nil)
	texts := [2]*canvas.Text{canvas.NewText("", nil), canvas.NewText("", nil)}
	const gap, between = 2 * look.Space, 4 * look.Space
	height := 6 * look.Space
	width := func() float32 {
		return 2*(dotSide+gap) + between + texts[0].MinSize().Width + texts[1].MinSize().Width
	}
	layout := func(size fyne.Size) {
		x := size.Width - width()
		for i, circle := range []*canvas.Circle{hollow, dot} {
			kit.PlaceAt(circle, x, (size.Height-dotSide)/2, dotSide, dotSide)
			kit.PlaceAt(texts[i], x+dotSide+gap, 0, texts[i].MinSize().Width, size.Height)
			x += dotSide + gap + texts[i].MinSize().Width + between
		}
	}
	refresh := func() {
		hollow.FillColor, hollow.StrokeColor, hollow.StrokeWidth = look.Color(look.ColorSurface), look.Color(look.ColorText), dotLine
		dot.FillColor = look.Color(look.ColorText)
		for i, t := range texts {
			update(t, look.Fit(l.names[i], legendMost, look.Size(look.SizeSmall), fyne.TextStyle{}, look.EllipsisEnd), look.SizeSmall, fyne.TextStyle{}, look.ColorMuted)
		}
		layout(l.Size())
	}
	refresh()
	return &legendRenderer{WidgetRenderer: kit.NewRenderer([]fyne.CanvasObject{hollow, dot, texts[0], texts[1]}, fyne.Size{}, layout, refresh),
		least: func() fyne.Size { return fyne.NewSize(width(), height) }}
}

// legendMost bounds the width of a name in the legend.
const legendMost float32 = 120

// legendRenderer is as wide as its texts.
type legendRenderer struct {
	fyne.WidgetRenderer
	least func() fyne.Size
}

func (r *legendRenderer) MinSize() fyne.Size { return r.least() }
