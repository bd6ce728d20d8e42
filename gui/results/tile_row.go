package results

import (
	"image"
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	tooltip "github.com/dweymouth/fyne-tooltip/widget"

	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/thumbs"
)

// tileRowHeight is the height of a row of thumbnails only.
const tileRowHeight float32 = 92

// tileRow shows one answered submission as its thumbnail with the verdict below it; name and score are in its tooltip.
type tileRow struct {
	tooltip.ToolTipWidget
	ground, bar *kit.Fill
	hover       *kit.Fill
	ring        *canvas.Rectangle
	thumb       *kit.Thumb
	tick        [2]*canvas.Circle // the second inside the first, with check in it: the row is selected
	check       *kit.Icon
	mark        *kit.MarkIcon
	words       *kit.Text
	shown       shownRow
}

var (
	_ desktop.Hoverable = (*tileRow)(nil)
	_ fyne.Accessible   = (*tileRow)(nil)
)

func newTileRow() *tileRow {
	r := &tileRow{
		ground: kit.NewFill(look.ColorSunk),
		bar:    kit.NewFill(look.ColorAccent),
		hover:  kit.NewFill(look.ColorHover),
		ring:   &canvas.Rectangle{FillColor: color.Transparent, StrokeWidth: 2},
		thumb:  kit.NewThumb(0, nil),
		tick:   [2]*canvas.Circle{canvas.NewCircle(nil), canvas.NewCircle(nil)},
		check:  kit.NewIcon(look.IconCheck, look.ColorOnAccent, 12),
		mark:   kit.NewMarkIcon(look.MarkNone, 13),
		words:  kit.NewText("", kit.TextStyle{Size: look.SizeCaption, Ellipsis: look.EllipsisEnd}),
	}
	r.hover.Hide()
	r.ExtendBaseWidget(r)
	return r
}

// set implements answerRow.
func (r *tileRow) set(row Row, thumb image.Image, s rowState, _ time.Time) {
	shown := shownRow{row: row, thumb: thumb, state: s, loaded: true, ground: look.Color(look.ColorBackground)}
	if r.shown == shown {
		return
	}
	r.thumb.SetIcon(thumbs.Icon(row.Medium))
	r.thumb.SetImage(thumb)
	r.mark.SetMark(look.Mark(row.Mark))
	r.words.SetText(row.Words)
	tip := row.Name
	if row.Score != "" {
		tip += " · " + row.Score
	}
	r.SetToolTip(tip)
	r.show(shown)
}

// setUnread implements answerRow.
func (r *tileRow) setUnread(s rowState, late bool) {
	shown := shownRow{state: s, late: late, ground: look.Color(look.ColorBackground)}
	if r.shown == shown {
		return
	}
	r.thumb.SetIcon(nil)
	r.thumb.SetImage(nil)
	r.SetToolTip("")
	r.show(shown)
}

// show paints what was set. The parts refresh themselves when they change, except for the theme's colours.
func (r *tileRow) show(s shownRow) {
	same := r.shown.ground == s.ground
	r.shown = s
	if !same {
		r.Refresh()
		return
	}
	r.paint()
	canvas.Refresh(r)
}

// CreateRenderer implements fyne.Widget.
func (r *tileRow) CreateRenderer() fyne.WidgetRenderer {
	r.paint()
	parts := []fyne.CanvasObject{r.ground, r.hover, r.bar, r.ring, r.thumb, r.tick[0], r.tick[1], r.check, r.mark, r.words}
	return kit.NewRenderer(parts, fyne.NewSize(0, tileRowHeight), r.place, r.paint)
}

func (r *tileRow) paint() {
	s := r.shown
	kit.SetVisible(r.ground, s.state.chosen || s.state.selected)
	kit.SetVisible(r.bar, s.state.chosen)
	kit.SetVisible(r.ring, s.state.chosen && s.state.focused)
	r.ring.StrokeColor = look.Color(look.ColorAccent)
	r.tick[0].FillColor, r.tick[1].FillColor = look.Color(look.ColorSunk), look.Color(look.ColorAccent)
	for _, o := range []fyne.CanvasObject{r.tick[0], r.tick[1], r.check} {
		kit.SetVisible(o, s.state.selected && s.loaded)
	}
	kit.SetVisible(r.thumb, s.loaded || s.late)
	kit.SetVisible(r.mark, s.loaded)
	kit.SetVisible(r.words, s.loaded)
}

func (r *tileRow) place(size fyne.Size) {
	const edge, top, high, mark = 2 * look.Space, float32(7), float32(58), float32(13)
	r.ground.Resize(size)
	r.hover.Resize(size)
	r.bar.Resize(fyne.NewSize(3, size.Height))
	kit.PlaceAt(r.ring, 1, 1, size.Width-2, size.Height-2)
	kit.PlaceAt(r.thumb, edge, top, size.Width-2*edge, high)
	for i, o := range []fyne.CanvasObject{r.tick[0], r.tick[1], r.check} {
		side := []float32{22, 18, 12}[i]
		kit.PlaceAt(o, size.Width-edge-8-side/2, top+8-side/2, side, side)
	}
	line := r.words.MinSize().Height
	y := top + high + (size.Height-top-high-line)/2
	kit.PlaceAt(r.mark, edge, y+(line-mark)/2, mark, mark)
	x := edge + mark + look.Space
	kit.PlaceAt(r.words, x, y, max(0, size.Width-look.Space-x), line)
}

// MouseIn implements desktop.Hoverable.
func (r *tileRow) MouseIn(e *desktop.MouseEvent) {
	r.ToolTipWidget.MouseIn(e)
	r.hover.Show()
}

// MouseOut implements desktop.Hoverable.
func (r *tileRow) MouseOut() {
	r.ToolTipWidget.MouseOut()
	r.hover.Hide()
}

// AccessibilityLabel implements fyne.Accessible.
func (r *tileRow) AccessibilityLabel() string { return r.shown.row.Name + ", " + r.shown.row.Words }

// AccessibilityRole implements fyne.Accessible.
func (r *tileRow) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }
