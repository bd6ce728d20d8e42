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

// rowState is how a row of the list stands.
type rowState struct {
	chosen   bool // shown by the viewer
	focused  bool // the list has the keyboard's focus
	selected bool // for what is done with many
}

// rowWidget shows one answered submission, or bars in its place while it is being read.
type rowWidget struct {
	widget.BaseWidget
	ground, bar  *kit.Fill
	ring         *canvas.Rectangle
	bars         [2]*canvas.Rectangle // in place of name and verdict
	thumb        *kit.Thumb
	tick         [2]*canvas.Circle // the second in the first, with check in it: the row is selected
	check        *kit.Icon
	name, detail *kit.Text
	mark         *kit.MarkIcon
	sign         *kit.Icon // of another device
	words, score *kit.Text

	shown     shownRow
	loaded    bool
	elsewhere bool
	state     rowState
}

// shownRow is all that a row shows: one that shows it already has nothing to do, which is what most are told.
type shownRow struct {
	row    Row
	thumb  image.Image
	state  rowState
	loaded bool
	detail string
	ground color.Color // the theme's, which may be another by now
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
	r.loaded, r.elsewhere, r.state = true, row.Elsewhere(), s
	r.thumb.SetIcon(thumbs.Icon(row.Medium))
	r.thumb.SetImage(thumb)
	r.name.SetText(row.Name)
	r.mark.SetMark(look.Mark(row.Mark))
	r.words.SetText(row.Words)
	r.score.SetText(row.Score)
	r.detail.SetText(detail)
	r.show(shown)
}

// setUnread shows that the row is being read.
func (r *rowWidget) setUnread(s rowState) {
	shown := shownRow{state: s, ground: look.Color(look.ColorBackground)}
	if r.shown == shown {
		return
	}
	r.loaded, r.elsewhere, r.state = false, false, s
	r.thumb.SetIcon(nil)
	r.thumb.SetImage(nil)
	r.show(shown)
}

// show lays out what was set. What is in the row has refreshed itself where it changed, but for colours: they are the theme's.
func (r *rowWidget) show(s shownRow) {
	same := r.shown.ground == s.ground
	r.shown = s
	if !same {
		r.Refresh()
		return
	}
	renderer := rowRenderer{row: r}
	renderer.paint()
	renderer.Layout(r.Size())
	canvas.Refresh(r)
}

// CreateRenderer implements fyne.Widget.
func (r *rowWidget) CreateRenderer() fyne.WidgetRenderer {
	renderer := &rowRenderer{row: r}
	renderer.paint()
	return renderer
}

// scoreBesideWords is the width of a list from which the score stands beside the verdict's words; below, it stands under them.
const scoreBesideWords float32 = 300

type rowRenderer struct{ row *rowWidget }

func (r *rowRenderer) Destroy() {}

func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(200, rowHeight) }

func (r *rowRenderer) Objects() []fyne.CanvasObject {
	w := r.row
	return []fyne.CanvasObject{w.ground, w.bar, w.ring, w.bars[0], w.bars[1], w.thumb, w.tick[0], w.tick[1], w.check,
		w.name, w.mark, w.words, w.score, w.sign, w.detail}
}

func (r *rowRenderer) Refresh() {
	r.paint()
	r.Layout(r.row.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *rowRenderer) paint() {
	w := r.row
	kit.SetVisible(w.ground, w.state.chosen || w.state.selected)
	kit.SetVisible(w.bar, w.state.chosen)
	kit.SetVisible(w.ring, w.state.chosen && w.state.focused)
	w.ring.StrokeColor = look.Color(look.ColorAccent)
	w.tick[0].FillColor, w.tick[1].FillColor = look.Color(look.ColorSunk), look.Color(look.ColorAccent)
	for _, o := range []fyne.CanvasObject{w.tick[0], w.tick[1], w.check} {
		kit.SetVisible(o, w.state.selected && w.loaded)
	}
	bar := look.ColorSunk
	if w.ground.Visible() {
		bar = look.ColorBorder
	}
	for _, b := range w.bars {
		b.FillColor = look.Color(bar)
		kit.SetVisible(b, !w.loaded)
	}
	for _, o := range []fyne.CanvasObject{w.name, w.mark, w.words, w.score, w.detail} {
		kit.SetVisible(o, w.loaded)
	}
	kit.SetVisible(w.sign, w.loaded && w.elsewhere)
}

func (r *rowRenderer) Layout(size fyne.Size) {
	const edge, gap, sign, mark = 3 * look.Space, 2.5 * look.Space, float32(12), float32(14)
	w := r.row
	w.ground.Resize(size)
	w.bar.Resize(fyne.NewSize(3, size.Height))
	w.ring.Move(fyne.NewPos(1, 1))
	w.ring.Resize(size.SubtractWidthHeight(2, 2))
	top := (size.Height - resultThumb) / 2
	w.thumb.Move(fyne.NewPos(edge, top))
	w.thumb.Resize(fyne.NewSquareSize(resultThumb))
	for i, o := range []fyne.CanvasObject{w.tick[0], w.tick[1], w.check} {
		side := []float32{22, 18, 12}[i]
		o.Move(fyne.NewPos(edge+resultThumb-4-side/2, top+4-side/2))
		o.Resize(fyne.NewSquareSize(side))
	}
	x := edge + resultThumb + gap
	width := max(0, size.Width-edge-x)
	w.bars[0].Move(fyne.NewPos(x, size.Height/2-14))
	w.bars[0].Resize(fyne.NewSize(0.7*width, 10))
	w.bars[1].Move(fyne.NewPos(x, size.Height/2+6))
	w.bars[1].Resize(fyne.NewSize(0.4*width, 8))
	r.stack(x, width, size.Height)
	line, foot := w.words.Position().Y, w.detail.Position().Y
	score := w.score.MinSize()
	w.score.Resize(score)
	words, detail := width-mark-1.5*look.Space, width
	if size.Width < scoreBesideWords { // the words of a verdict are never cut for its score
		w.score.Move(fyne.NewPos(size.Width-edge-score.Width, foot+(w.detail.MinSize().Height-score.Height)/2))
		detail -= score.Width + gap
	} else {
		w.score.Move(fyne.NewPos(size.Width-edge-score.Width, line))
		words -= score.Width + gap
	}
	w.mark.Resize(fyne.NewSquareSize(mark))
	w.mark.Move(fyne.NewPos(x, line+(w.words.MinSize().Height-mark)/2))
	w.words.Move(fyne.NewPos(x+mark+1.5*look.Space, line))
	w.words.Resize(fyne.NewSize(max(0, words), w.words.MinSize().Height))
	if w.elsewhere {
		w.sign.Resize(fyne.NewSquareSize(sign))
		w.sign.Move(fyne.NewPos(x, foot+(w.detail.MinSize().Height-sign)/2))
		x += sign + look.Space
		detail -= sign + look.Space
	}
	w.detail.Move(fyne.NewPos(x, foot))
	w.detail.Resize(fyne.NewSize(max(0, detail), w.detail.MinSize().Height))
}

// StackLines places the three lines under each other, centred in the height.
func (r *rowRenderer) stack(x, width, height float32) {
	const gap float32 = 2.5
	lines := []fyne.CanvasObject{r.row.name, r.row.words, r.row.detail}
	total := gap * float32(len(lines)-1)
	for _, line := range lines {
		total += line.MinSize().Height
	}
	y := (height - total) / 2
	for _, line := range lines {
		line.Move(fyne.NewPos(x, y))
		line.Resize(fyne.NewSize(width, line.MinSize().Height))
		y += line.MinSize().Height + gap
	}
}
