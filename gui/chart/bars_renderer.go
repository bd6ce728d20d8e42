package chart

import (
	"math"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// scaleHint says what the direction of the numbers means.
const scaleHint = "0 no indication – 100 strong"

// Sizes in device-independent pixels. A row is a line with the mark, the name and the number, and the bar below it over the whole width.
const (
	minWidth       float32 = 236
	rowHeight      float32 = 38
	nameTop        float32 = 4
	nameLine       float32 = 20
	barTop         float32 = 27
	barHeight      float32 = 6
	furtherBar     float32 = 3 // height of a further number's bar
	barRadius      float32 = 3
	markSize       float32 = 14
	markGap        float32 = 6  // between mark and name
	trackGap       float32 = 10 // between name and number
	backgroundOver float32 = 6  // by how much a row's background is wider than the row, on both sides
	groundRadius   float32 = 6
	headerLine     float32 = 20
	headerBelow    float32 = 8
	belowGap       float32 = 4 // above and below the line on models that were not applicable
)

func nameStyle(bar Bar) fyne.TextStyle {
	if bar.Ensemble {
		return look.WeightBold.Style()
	}
	return look.WeightRegular.Style()
}

// nameLeft is where every name begins: after its mark, also where a further number has none.
const nameLeft = markSize + markGap

// numberWidth is the width of a row's number.
func numberWidth(bar Bar) float32 {
	return look.FiguresWidth(numberText(bar), look.Size(look.SizeText), nameStyle(bar))
}

// wordWidth is the width of the word of a row without a value, which stands before its dash and leaves some room for the name.
func wordWidth(bar Bar, width float32) float32 {
	if bar.Value != nil || bar.Word == "" {
		return 0
	}
	return min(look.Measure(bar.Word, look.Size(look.SizeSmall), fyne.TextStyle{}).Width+1, 0.6*width)
}

// nameWidth is the room for a row's name.
func nameWidth(bar Bar, width float32) float32 {
	room := width - nameLeft - trackGap - numberWidth(bar)
	if word := wordWidth(bar, width); word > 0 {
		room -= word + trackGap
	}
	return max(0, room)
}

func shownName(bar Bar, width float32) string {
	return look.Fit(bar.Name, nameWidth(bar, width), look.Size(look.SizeText), nameStyle(bar), look.EllipsisMiddle)
}

func shownWord(bar Bar, width float32) string {
	return look.Fit(bar.Word, wordWidth(bar, width), look.Size(look.SizeSmall), fyne.TextStyle{}, look.EllipsisEnd)
}

// shortened returns in full what a row shows shortened; "" if there is none.
func shortened(bar Bar, width float32) string {
	width = max(width, minWidth)
	switch {
	case bar.Value == nil && shownWord(bar, width) != bar.Word:
		return bar.Name + ": " + bar.Word
	case shownName(bar, width) != bar.Name:
		return bar.Name
	}
	return ""
}

// headerHeight includes a second line if title and hint do not fit side by side.
func headerHeight(title string, width float32) float32 {
	if hintBelow(title, width) {
		return 2*headerLine + headerBelow
	}
	return headerLine + headerBelow
}

func hintBelow(title string, width float32) bool {
	t := look.Measure(title, look.Size(look.SizeHeading), look.WeightBold.Style()).Width
	h := look.Measure(i18n.T(scaleHint), look.Size(look.SizeCaption), fyne.TextStyle{}).Width
	return t+h+12 > max(width, minWidth)
}

type barRow struct {
	ring       *canvas.Rectangle // around the background of the row that keys act on
	background *canvas.Rectangle // hover or focus
	name       *canvas.Text
	mark       *look.Glyph
	track      *canvas.Rectangle
	bar        *canvas.Rectangle
	hatch      *canvas.Raster
	word       *canvas.Text
	number     look.Figures
	inset      float32 // of the background in the ring
}

func newBarRow() *barRow {
	return &barRow{
		ring:       &canvas.Rectangle{CornerRadius: groundRadius},
		background: &canvas.Rectangle{CornerRadius: groundRadius},
		name:       canvas.NewText("", nil),
		mark:       look.NewGlyph(),
		track:      &canvas.Rectangle{CornerRadius: barRadius},
		bar:        &canvas.Rectangle{CornerRadius: barRadius},
		hatch:      look.NewHatch(barRadius),
		word:       canvas.NewText("", nil),
	}
}

func (r *barRow) objects() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{r.ring, r.background, r.name, r.mark.Raster, r.track, r.hatch, r.bar, r.word}, r.number.Objects()...)
}

type barsRenderer struct {
	bars    *Bars
	title   *canvas.Text
	hint    *canvas.Text
	rows    []*barRow
	below   *kit.Paragraph
	objects []fyne.CanvasObject
}

func newBarsRenderer(b *Bars) *barsRenderer {
	return &barsRenderer{bars: b, title: canvas.NewText("", nil), hint: canvas.NewText("", nil), below: kit.NewHint("")}
}

func (r *barsRenderer) Destroy() {}

func (r *barsRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *barsRenderer) MinSize() fyne.Size {
	height := headerHeight(r.bars.Title, r.bars.Size().Width) + float32(len(r.bars.bars))*rowHeight
	if !r.below.Hidden {
		height += r.below.MinSize().Height + 2*belowGap
	}
	return fyne.NewSize(minWidth, height)
}

func (r *barsRenderer) Refresh() {
	for len(r.rows) < len(r.bars.bars) {
		r.rows = append(r.rows, newBarRow())
	}
	r.rows = r.rows[:len(r.bars.bars)]
	update(r.title, r.bars.Title, look.SizeHeading, look.WeightBold.Style(), look.ColorText)
	update(r.hint, i18n.T(scaleHint), look.SizeCaption, fyne.TextStyle{}, look.ColorMuted)
	r.below.SetText(notApplicableText(r.bars.notApplicable))
	r.below.Hidden = r.below.Text() == ""
	r.below.Refresh()
	r.objects = []fyne.CanvasObject{r.title, r.hint}
	for i, bar := range r.bars.bars {
		r.rows[i].update(bar, r.bars.OnTapped != nil && i == r.bars.hovered, r.bars.Focused() && i == r.bars.cursor)
		r.objects = append(r.objects, r.rows[i].objects()...)
	}
	r.objects = append(r.objects, r.below)
	r.Layout(r.bars.Size())
	canvas.Refresh(r.bars)
}

func (r *barRow) update(bar Bar, hovered, focused bool) {
	ink := look.ColorText
	if bar.Further {
		ink = look.ColorMuted
	}
	update(r.name, r.name.Text, look.SizeText, nameStyle(bar), ink)
	r.number.Set(numberText(bar), look.SizeText, nameStyle(bar), ink)
	update(r.word, bar.Word, look.SizeSmall, fyne.TextStyle{}, look.ColorMuted)
	missing := bar.Value == nil
	r.word.Hidden = !missing || bar.Word == ""
	r.hatch.Hidden = !missing
	r.bar.Hidden = missing
	r.track.FillColor = look.Color(look.ColorSunk)
	r.bar.FillColor = look.Color(look.MarkColor(barMark(bar.Mark)))
	r.ring.Hidden = !focused
	r.ring.FillColor = look.Color(look.ColorAccent)
	r.background.Hidden = !hovered && !focused
	r.background.FillColor = look.Color(look.ColorHover)
	r.inset = 0
	if focused {
		// The background is opaque because of the ring below it: Fyne's painter blends a shape's own outline with a translucent fill.
		r.background.FillColor, r.inset = look.Color(look.ColorSurface), 2
	}
	r.mark.Set(nil)
	if !bar.Further {
		r.mark.Set(look.MarkResource(bar.Mark))
	}
	for _, o := range []fyne.CanvasObject{r.ring, r.background, r.track, r.bar, r.hatch} {
		o.Refresh()
	}
}

// barMark keeps the accent colour, which means progress, out of the bars: a provisional score is drawn in a neutral colour.
func barMark(m look.Mark) look.Mark {
	if m == look.MarkAnalysing {
		return look.MarkNone
	}
	return m
}

func update(t *canvas.Text, text string, size fyne.ThemeSizeName, style fyne.TextStyle, colour fyne.ThemeColorName) {
	look.SetText(t, text, style)
	t.TextSize, t.Color = look.Size(size), look.Color(colour)
	t.Refresh()
}

func (r *barsRenderer) Layout(size fyne.Size) {
	width := max(size.Width, minWidth)
	kit.PlaceAt(r.title, 0, 0, width, headerLine)
	switch {
	case r.bars.Title == "":
		kit.PlaceAt(r.hint, 0, 0, width, headerLine)
	case hintBelow(r.bars.Title, size.Width):
		kit.PlaceAt(r.hint, 0, headerLine, width, headerLine)
	default:
		w := r.hint.MinSize().Width
		kit.PlaceAt(r.hint, width-w, 0, w, headerLine)
	}
	y := headerHeight(r.bars.Title, size.Width)
	for i, row := range r.rows {
		row.layout(r.bars.bars[i], y, width)
		y += rowHeight
	}
	kit.PlaceAt(r.below, 0, y+belowGap, width, max(size.Height-y-belowGap, 0))
}

func (r *barRow) layout(bar Bar, y, width float32) {
	kit.PlaceAt(r.ring, -backgroundOver, y, width+2*backgroundOver, rowHeight)
	kit.PlaceAt(r.background, r.inset-backgroundOver, y+r.inset, width+2*(backgroundOver-r.inset), rowHeight-2*r.inset)
	kit.PlaceAt(r.mark.Raster, 0, y+nameTop+(nameLine-markSize)/2, markSize, markSize)
	look.SetText(r.name, shownName(bar, width), r.name.TextStyle)
	kit.PlaceAt(r.name, nameLeft, y+nameTop, nameWidth(bar, width), nameLine)
	right := width - r.number.Width()
	r.number.Place(right, y+nameTop, nameLine)
	r.word.Text = shownWord(bar, width)
	word := r.word.MinSize().Width
	kit.PlaceAt(r.word, right-trackGap-word, y+nameTop, word, nameLine)
	height := barHeight
	if bar.Further {
		height = furtherBar
	}
	kit.PlaceAt(r.track, 0, y+barTop, width, height)
	kit.PlaceAt(r.hatch, 0, y+barTop, width, height)
	if bar.Value != nil {
		kit.PlaceAt(r.bar, 0, y+barTop, barLength(*bar.Value, width), height)
	}
}

// barLength has a minimum, so that any reported score, even zero, is visible.
func barLength(value float64, track float32) float32 {
	if math.IsNaN(value) {
		value = 0
	}
	share := float32(math.Min(math.Max(value, 0), 100) / 100)
	return max(share*track, 2)
}
