package results

import (
	"image"
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/thumbs"
)

const (
	rowHeight   float32 = 72
	resultThumb float32 = 44
)

// answerRow shows an answered submission in the list.
type answerRow interface {
	set(row Row, thumb image.Image, s rowState, now time.Time) // thumb may be nil
	setUnread(s rowState, late bool)                           // the row is being read: nothing yet, or late, something in its place
}

// rowState is the state of a row.
type rowState struct {
	chosen   bool // shown by the viewer
	focused  bool // the list has the keyboard's focus
	selected bool // for actions on many
}

// rowWidget shows one answered submission, or bars in its place while it is being read for long.
type rowWidget struct {
	widget.BaseWidget
	ground, bar  *kit.Fill
	ring         *canvas.Rectangle
	bars         [2]*canvas.Rectangle // in place of name and verdict
	thumb        *kit.Thumb
	tick         [2]*canvas.Circle // the second inside the first, with check in it: the row is selected
	check        *kit.Icon
	name, detail *kit.Text
	mark         *kit.MarkIcon
	sign         *kit.Icon // from another device
	human        *kit.Icon // its verdict has changed
	words, score *kit.Text

	shown     shownRow
	loaded    bool
	late      bool // it is not loaded, and bars show that
	elsewhere bool
	changed   bool
	state     rowState
}

// shownRow is all that a row shows: most updates of a row change nothing, and need not draw it again.
type shownRow struct {
	row    Row
	thumb  image.Image
	state  rowState
	loaded bool
	late   bool
	detail string
	ground color.Color // of the theme, which may have changed
}

func newRowWidget() *rowWidget {
	r := &rowWidget{
		ground: kit.NewFill(look.ColorSunk),
		bar:    kit.NewFill(look.ColorAccent),
		ring:   &canvas.Rectangle{FillColor: color.Transparent, StrokeWidth: 2},
		bars:   [2]*canvas.Rectangle{{CornerRadius: 4}, {CornerRadius: 4}},
		thumb:  kit.NewThumb(resultThumb, look.IconPicture),
		name:   kit.NewText("", kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		mark:   kit.NewMarkIcon(look.MarkNone, 14),
		sign:   kit.NewIcon(look.IconExternal, look.ColorMuted, 12),
		human:  kit.NewIcon(look.IconQuestion, look.ColorText, 12),
		words:  kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Ellipsis: look.EllipsisEnd}),
		score:  kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Tabular: true}),
		detail: kit.NewText("", kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}),
		tick:   [2]*canvas.Circle{canvas.NewCircle(nil), canvas.NewCircle(nil)},
		check:  kit.NewIcon(look.IconCheck, look.ColorOnAccent, 12),
	}
	r.ExtendBaseWidget(r)
	return r
}

// set shows a result; thumb may be nil.
func (r *rowWidget) set(row Row, thumb image.Image, s rowState, now time.Time) {
	detail := row.Detail(now)
	shown := shownRow{row: row, thumb: thumb, state: s, loaded: true, detail: detail, ground: look.Color(look.ColorBackground)}
	if r.shown == shown {
		return
	}
	r.loaded, r.elsewhere, r.changed, r.state = true, row.Elsewhere(), row.Was != "", s
	r.thumb.SetIcon(thumbs.Icon(row.Medium))
	r.thumb.SetImage(thumb)
	r.name.SetText(row.Name)
	r.mark.SetMark(look.Mark(row.Mark))
	r.words.SetText(row.Words)
	r.score.SetText(row.Score)
	r.detail.SetText(detail)
	r.show(shown)
}

// setUnread shows a row that is being read: nothing yet, or late, bars.
func (r *rowWidget) setUnread(s rowState, late bool) {
	shown := shownRow{state: s, late: late, ground: look.Color(look.ColorBackground)}
	if r.shown == shown {
		return
	}
	r.loaded, r.late, r.elsewhere, r.changed, r.state = false, late, false, false, s
	r.thumb.SetIcon(nil)
	r.thumb.SetImage(nil)
	r.show(shown)
}

// show lays out what was set. The parts of the row refresh themselves when they change, except for the theme's colours.
func (r *rowWidget) show(s shownRow) {
	same := r.shown.ground == s.ground
	r.shown = s
	if !same {
		r.Refresh()
		return
	}
	r.paint()
	r.place(r.Size())
	canvas.Refresh(r)
}

// CreateRenderer implements fyne.Widget.
func (r *rowWidget) CreateRenderer() fyne.WidgetRenderer {
	r.paint()
	parts := []fyne.CanvasObject{r.ground, r.bar, r.ring, r.bars[0], r.bars[1], r.thumb, r.tick[0], r.tick[1], r.check,
		r.name, r.mark, r.words, r.score, r.sign, r.human, r.detail}
	return kit.NewRenderer(parts, fyne.NewSize(200, rowHeight), r.place, func() { r.paint(); r.place(r.Size()) })
}

// scoreBesideWords is the width of the list from which the score is beside the verdict's words; below, it is under them.
const scoreBesideWords float32 = 300

func (r *rowWidget) paint() {
	kit.SetVisible(r.ground, r.state.chosen || r.state.selected)
	kit.SetVisible(r.bar, r.state.chosen)
	kit.SetVisible(r.ring, r.state.chosen && r.state.focused)
	r.ring.StrokeColor = look.Color(look.ColorAccent)
	r.tick[0].FillColor, r.tick[1].FillColor = look.Color(look.ColorSunk), look.Color(look.ColorAccent)
	for _, o := range []fyne.CanvasObject{r.tick[0], r.tick[1], r.check} {
		kit.SetVisible(o, r.state.selected && r.loaded)
	}
	bar := look.ColorSunk
	if r.ground.Visible() {
		bar = look.ColorBorder
	}
	for _, b := range r.bars {
		b.FillColor = look.Color(bar)
		kit.SetVisible(b, !r.loaded && r.late)
	}
	kit.SetVisible(r.thumb, r.loaded || r.late)
	for _, o := range []fyne.CanvasObject{r.name, r.mark, r.words, r.score, r.detail} {
		kit.SetVisible(o, r.loaded)
	}
	kit.SetVisible(r.sign, r.loaded && r.before() == r.sign)
	kit.SetVisible(r.human, r.loaded && r.before() == r.human)
}

func (r *rowWidget) place(size fyne.Size) {
	const edge, gap, sign, mark = 3 * look.Space, 2.5 * look.Space, float32(12), float32(14)
	r.ground.Resize(size)
	r.bar.Resize(fyne.NewSize(3, size.Height))
	kit.PlaceAt(r.ring, 1, 1, size.Width-2, size.Height-2)
	top := (size.Height - resultThumb) / 2
	kit.PlaceAt(r.thumb, edge, top, resultThumb, resultThumb)
	for i, o := range []fyne.CanvasObject{r.tick[0], r.tick[1], r.check} {
		side := []float32{22, 18, 12}[i]
		kit.PlaceAt(o, edge+resultThumb-4-side/2, top+4-side/2, side, side)
	}
	x := edge + resultThumb + gap
	width := max(0, size.Width-edge-x)
	kit.PlaceAt(r.bars[0], x, size.Height/2-14, 0.7*width, 10)
	kit.PlaceAt(r.bars[1], x, size.Height/2+6, 0.4*width, 8)
	r.stack(x, width, size.Height)
	line, foot := r.words.Position().Y, r.detail.Position().Y
	score := r.score.MinSize()
	r.score.Resize(score)
	words, detail := width-mark-1.5*look.Space, width
	if size.Width < scoreBesideWords { // a verdict's words are never cut for its score
		r.score.Move(fyne.NewPos(size.Width-edge-score.Width, foot+(r.detail.MinSize().Height-score.Height)/2))
		detail -= score.Width + gap
	} else {
		r.score.Move(fyne.NewPos(size.Width-edge-score.Width, line))
		words -= score.Width + gap
	}
	kit.PlaceAt(r.mark, x, line+(r.words.MinSize().Height-mark)/2, mark, mark)
	kit.PlaceAt(r.words, x+mark+1.5*look.Space, line, max(0, words), r.words.MinSize().Height)
	if before := r.before(); before != nil {
		kit.PlaceAt(before, x, foot+(r.detail.MinSize().Height-sign)/2, sign, sign)
		x += sign + look.Space
		detail -= sign + look.Space
	}
	kit.PlaceAt(r.detail, x, foot, max(0, detail), r.detail.MinSize().Height)
}

// stack places the three lines in a column, centred in the height.
func (r *rowWidget) stack(x, width, height float32) {
	const gap float32 = 2.5
	lines := []fyne.CanvasObject{r.name, r.words, r.detail}
	total := gap * float32(len(lines)-1)
	for _, line := range lines {
		total += line.MinSize().Height
	}
	y := (height - total) / 2
	for _, line := range lines {
		kit.PlaceAt(line, x, y, width, line.MinSize().Height)
		y += line.MinSize().Height + gap
	}
}

// before is the icon before the last line, nil for none.
func (r *rowWidget) before() *kit.Icon {
	switch {
	case r.changed:
		return r.human
	case r.elsewhere:
		return r.sign
	}
	return nil
}
