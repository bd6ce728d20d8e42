package details

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/client/i18n"
	"assay/gui/look"
)

// sheetRenderer draws the entries in sight with objects that it reuses.
type sheetRenderer struct {
	sheet   *sheet
	texts   []*canvas.Text
	boxes   []*canvas.Rectangle
	icons   []*look.Glyph
	used    struct{ texts, boxes, icons int }
	objects []fyne.CanvasObject
}

func newSheetRenderer(s *sheet) *sheetRenderer {
	r := &sheetRenderer{sheet: s}
	r.draw()
	return r
}

// Destroy implements fyne.WidgetRenderer.
func (r *sheetRenderer) Destroy() {}

// Layout implements fyne.WidgetRenderer. Everything has been placed already.
func (r *sheetRenderer) Layout(fyne.Size) {}

// MinSize implements fyne.WidgetRenderer.
func (r *sheetRenderer) MinSize() fyne.Size { return r.sheet.MinSize() }

// Objects implements fyne.WidgetRenderer.
func (r *sheetRenderer) Objects() []fyne.CanvasObject { return r.objects }

// Refresh implements fyne.WidgetRenderer.
func (r *sheetRenderer) Refresh() {
	r.draw()
	canvas.Refresh(r.sheet)
}

func (r *sheetRenderer) draw() {
	r.used.texts, r.used.boxes, r.used.icons = 0, 0, 0
	r.objects = r.objects[:0:0]
	if r.sheet.width <= 0 {
		return
	}
	from, to := r.sheet.inSight()
	for i := from; i < to; i++ {
		e := &r.sheet.entries[i]
		switch {
		case e.group != nil:
			r.heading(e, i == 0)
		case e.row != nil:
			r.row(e, i)
		default:
			r.lines(e.lines, side, e.top+headingTop, look.SizeSmall, look.ColorMuted, regular)
		}
	}
}

func (r *sheetRenderer) heading(e *entry, first bool) {
	y := e.top
	if !first {
		y += headingTop
	}
	x := side + r.text(e.group.Heading, side, y, look.SizeHeading, look.ColorText, bold) + gap
	if e.below {
		x, y = side, y+lineHeight(look.SizeHeading)+look.Space
	}
	if e.group.State != "" {
		x += r.state(e.group.State, x, y) + gap
	}
	// Whose words these are is at the end of the line, if there is room.
	small := y + lineHeight(look.SizeHeading) - lineHeight(look.SizeSmall) - 1
	right := r.sheet.width - rightSide
	if width := textWidth(e.group.From, look.SizeSmall, regular); x+width <= right {
		r.text(e.group.From, right-width, small, look.SizeSmall, look.ColorMuted, regular)
	}
	line := y + lineHeight(look.SizeHeading) + look.Space
	r.box(side, line, right-side, look.Hairline, look.ColorBorder, "", 0)
	r.lines(e.lines, side, line+2*look.Space, look.SizeText, look.ColorText, regular)
}

// stateIcons are shown beside the word. A state is no verdict, so they have no verdict's colour or shape.
var stateIcons = map[CredentialState]look.Icon{
	CredentialsNone: look.IconInfo, CredentialsIntact: look.IconCheck, CredentialsNotConfirmed: look.IconClose,
}

// state draws the state's word and icon in an outline, and returns its width.
func (r *sheetRenderer) state(state CredentialState, x, y float32) float32 {
	height, width := lineHeight(look.SizeHeading), stateWidth(state)
	r.box(x, y, width, height, look.ColorSunk, look.ColorDash, height/2)
	r.icon(stateIcons[state], x+statePad, y+(height-stateIcon)/2, stateIcon)
	r.text(state.Words(), x+statePad+stateIcon+look.Space, y+(height-lineHeight(look.SizeSmall))/2, look.SizeSmall, look.ColorText, medium)
	return width
}

func (r *sheetRenderer) row(e *entry, i int) {
	s := r.sheet
	current := i == s.cursor && s.Focused()
	outline := fyne.ThemeColorName("")
	fill := fyne.ThemeColorName("")
	if current {
		outline = look.ColorAccent
	}
	if i == s.pointed {
		fill = look.ColorHover
	}
	if fill != "" || outline != "" {
		r.box(1, e.top, s.width-2, e.height, fill, outline, look.RadiusControl)
	}
	y := e.top + rowPad
	x, style := side, regular
	if e.row.Hash {
		style = mono
	}
	if s.width >= wide {
		r.lines(e.labels, side, y, look.SizeText, look.ColorMuted, regular)
		x += labelWidth + gap
		if e.row.Identifying {
			r.badge(s.width-rightSide-copyWidth()-badgeWidth(), y)
		}
	} else {
		labelled := r.text(e.row.Label, side, y, look.SizeSmall, look.ColorMuted, regular)
		if e.row.Identifying && side+labelled+gap+badgeWidth() <= s.width-rightSide-copyWidth() {
			r.badge(side+labelled+gap, y-1)
		}
		y += lineHeight(look.SizeSmall) + 2
	}
	r.lines(e.lines, x, y, look.SizeText, look.ColorText, style)
	if word := r.copyWord(e, i, current); word != "" {
		width := textWidth(word, look.SizeSmall, medium)
		r.text(word, s.width-rightSide-width, e.top+rowPad, look.SizeSmall, look.ColorAccent, medium)
	}
}

// copyWord returns the word at the end of a row; "" unless the cursor or pointer is there.
func (r *sheetRenderer) copyWord(e *entry, i int, current bool) string {
	switch {
	case i == r.sheet.copied:
		return i18n.T("Copied")
	case current, i == r.sheet.pointed, e.row.Hash:
		return i18n.C("verb", "Copy")
	}
	return ""
}

func (r *sheetRenderer) badge(x, y float32) {
	height := lineHeight(look.SizeCaption)
	r.box(x, y, badgeWidth(), height+2, look.ColorSunk, look.ColorDash, (height+2)/2)
	r.text(i18n.T(identifies), x+badgePad, y+1, look.SizeCaption, look.ColorText, regular)
}

func (r *sheetRenderer) lines(lines []string, x, y float32, size fyne.ThemeSizeName, color fyne.ThemeColorName, style fyne.TextStyle) {
	height := lineHeight(size)
	for _, line := range lines {
		r.text(line, x, y, size, color, style)
		y += height
	}
}

// text draws a line and returns its width.
func (r *sheetRenderer) text(text string, x, y float32, size fyne.ThemeSizeName, color fyne.ThemeColorName, style fyne.TextStyle) float32 {
	if r.used.texts == len(r.texts) {
		r.texts = append(r.texts, canvas.NewText("", nil))
	}
	t := r.texts[r.used.texts]
	r.used.texts++
	look.SetText(t, text, style)
	t.TextSize, t.Color = look.Size(size), look.Color(color)
	width := textWidth(text, size, style)
	t.Move(fyne.NewPos(x, y))
	t.Resize(fyne.NewSize(width, lineHeight(size)))
	t.Refresh()
	r.objects = append(r.objects, t)
	return width
}

func (r *sheetRenderer) box(x, y, width, height float32, fill, outline fyne.ThemeColorName, radius float32) {
	if r.used.boxes == len(r.boxes) {
		r.boxes = append(r.boxes, canvas.NewRectangle(nil))
	}
	b := r.boxes[r.used.boxes]
	r.used.boxes++
	b.FillColor, b.StrokeColor, b.StrokeWidth, b.CornerRadius = nil, nil, 0, radius
	if fill != "" {
		b.FillColor = look.Color(fill)
	}
	if outline != "" {
		b.StrokeColor, b.StrokeWidth = look.Color(outline), look.Hairline
		if outline == look.ColorAccent {
			b.StrokeWidth = 2
		}
	}
	b.Move(fyne.NewPos(x, y))
	b.Resize(fyne.NewSize(width, height))
	b.Refresh()
	r.objects = append(r.objects, b)
}

func (r *sheetRenderer) icon(icon look.Icon, x, y, side float32) {
	if r.used.icons == len(r.icons) {
		r.icons = append(r.icons, look.NewGlyph())
	}
	i := r.icons[r.used.icons]
	r.used.icons++
	i.Set(icon.Tinted(look.ColorText))
	i.Raster.Move(fyne.NewPos(x, y))
	i.Raster.Resize(fyne.NewSquareSize(side))
	r.objects = append(r.objects, i.Raster)
}
