package screen

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
)

const resultRowHeight float32 = 72

// resultRow shows one answered submission.
type resultRow struct {
	widget.BaseWidget
	ground, bar  *ground
	thumb        *part.Thumb
	name, detail *part.Text
	mark         *part.MarkIcon
	words, score *part.Text
}

func newResultRow() *resultRow {
	r := &resultRow{
		ground: newGround(look.ColorSunk),
		bar:    newGround(look.ColorAccent),
		thumb:  part.NewThumb(44, look.IconPicture),
		name:   part.NewText("", part.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		mark:   part.NewMarkIcon(look.MarkNone, 14),
		words:  part.NewText("", part.TextStyle{Size: look.SizeSmall, Ellipsis: look.EllipsisEnd}),
		score:  part.NewText("", part.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Tabular: true}),
		detail: part.NewText("", part.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}),
	}
	r.ExtendBaseWidget(r)
	return r
}

func (r *resultRow) set(row present.ResultRow, thumb image.Image, chosen bool) {
	setVisible(r.ground, chosen)
	setVisible(r.bar, chosen)
	r.thumb.SetIcon(mediumIcon(row.Medium))
	r.thumb.SetImage(thumb)
	r.name.SetText(row.Name)
	r.mark.SetMark(look.Mark(row.Mark))
	r.words.SetText(row.Words)
	r.score.SetText(row.Score)
	r.detail.SetText(row.Detail)
	r.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (r *resultRow) CreateRenderer() fyne.WidgetRenderer { return &resultRowRenderer{row: r} }

type resultRowRenderer struct{ row *resultRow }

func (r *resultRowRenderer) Destroy() {}

func (r *resultRowRenderer) MinSize() fyne.Size { return fyne.NewSize(200, resultRowHeight) }

func (r *resultRowRenderer) Objects() []fyne.CanvasObject {
	w := r.row
	return []fyne.CanvasObject{w.ground, w.bar, w.thumb, w.name, w.mark, w.words, w.score, w.detail}
}

func (r *resultRowRenderer) Refresh() {
	r.Layout(r.row.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *resultRowRenderer) Layout(size fyne.Size) {
	const edge, gap = 3 * look.Space, 2.5 * look.Space
	w := r.row
	w.ground.Resize(size)
	w.bar.Resize(fyne.NewSize(3, size.Height))
	w.thumb.Move(fyne.NewPos(edge, (size.Height-44)/2))
	w.thumb.Resize(fyne.NewSize(44, 44))
	x := edge + 44 + gap
	width := max(0, size.Width-edge-x)
	stack(x, width, size.Height, w.name, w.words, w.detail)
	line := w.words.Position().Y
	score := w.score.MinSize()
	w.score.Resize(score)
	w.score.Move(fyne.NewPos(size.Width-edge-score.Width, line))
	w.mark.Resize(fyne.NewSize(14, 14))
	w.mark.Move(fyne.NewPos(x, line+(w.words.MinSize().Height-14)/2))
	w.words.Move(fyne.NewPos(x+14+1.5*look.Space, line))
	w.words.Resize(fyne.NewSize(max(0, width-14-1.5*look.Space-score.Width-gap), w.words.MinSize().Height))
}
