package screen

import (
	"fyne.io/fyne/v2"

	"assay/gui/kit"
	"assay/gui/look"
)

const (
	inboxRowHeight float32 = 56
	thumbSide      float32 = 40
	signSide       float32 = 16
	checkSide      float32 = 16
	rowEdge        float32 = 4 * look.Space
	rowGap         float32 = 3 * look.Space
)

type inboxRowRenderer struct{ row *inboxRow }

func (r *inboxRowRenderer) Destroy() {}

func (r *inboxRowRenderer) MinSize() fyne.Size { return fyne.NewSize(480, inboxRowHeight) }

func (r *inboxRowRenderer) Objects() []fyne.CanvasObject {
	w := r.row
	return []fyne.CanvasObject{w.ring, w.plain, w.picked, w.hover, w.box, w.thumb, w.name, w.size, w.mark, w.icon, w.state, w.detail, w.progress,
		w.again, w.open, w.keep, w.send, w.change, w.ending}
}

// Layout implements fyne.WidgetRenderer.
func (r *inboxRowRenderer) Layout(size fyne.Size) { r.row.place(size) }

func (r *inboxRowRenderer) Refresh() {
	r.row.place(r.row.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

// place gives the name a quarter of the width and the state what the actions leave. Those in icons have a place of their own at
// the right; those in words stand before them, or in the place of the icon that is not there.
func (r *inboxRow) place(size fyne.Size) {
	const button = look.ControlHeight
	r.placeGrounds(size)
	x := rowEdge
	put(r.box, x, size.Height, checkSide, checkSide)
	x += checkSide + rowGap
	put(r.thumb, x, size.Height, thumbSide, thumbSide)
	x += thumbSide + rowGap

	nameWidth := max(140, 0.24*size.Width)
	stack(x, nameWidth, size.Height, r.name, r.size)
	x += nameWidth + rowGap
	put(r.mark, x, size.Height, signSide, signSide)
	put(r.icon, x, size.Height, signSide, signSide)
	x += signSide + rowGap

	right := size.Width - 2.5*look.Space
	if r.ending.Visible() {
		put(r.ending, right-button, size.Height, button, button)
		right -= button
	}
	if r.change.Visible() {
		put(r.change, right-button, size.Height, button, button)
		right -= button
	}
	for _, words := range []*kit.Button{r.open, r.again, r.keep, r.send} {
		if words.Visible() {
			width := words.MinSize().Width
			put(words, right-width, size.Height, width, button)
			right -= width
		}
	}
	width := max(0, right-rowGap-x)
	if r.progress.Visible() {
		stack(x, width, size.Height, r.state, r.progress, r.detail)
		r.progress.Resize(fyne.NewSize(min(width, 190), r.progress.MinSize().Height))
		// The bar keeps off the letters.
		r.state.Move(r.state.Position().SubtractXY(0, 2))
		r.detail.Move(r.detail.Position().AddXY(0, 2))
		return
	}
	stack(x, width, size.Height, r.state, r.detail)
}

func (r *inboxRow) placeGrounds(size fyne.Size) {
	const ring = 2
	r.ring.Resize(size)
	r.hover.Resize(size)
	inset := float32(0)
	if r.ring.Visible() {
		inset = ring
	}
	for _, ground := range []*kit.Ground{r.plain, r.picked} {
		ground.Move(fyne.NewPos(inset, inset))
		ground.Resize(size.SubtractWidthHeight(2*inset, 2*inset))
	}
}

// put places an object in the middle of a row's height.
func put(o fyne.CanvasObject, x, rowHeight, width, height float32) {
	o.Move(fyne.NewPos(x, (rowHeight-height)/2))
	o.Resize(fyne.NewSize(width, height))
}

// stack places lines under each other, centred in a height; an empty text takes no room.
func stack(x, width, height float32, lines ...fyne.CanvasObject) {
	total := float32(0)
	for _, l := range lines {
		total += lineHeight(l)
	}
	y := (height - total) / 2
	for _, l := range lines {
		l.Move(fyne.NewPos(x, y))
		l.Resize(fyne.NewSize(width, l.MinSize().Height))
		y += lineHeight(l)
	}
}

func lineHeight(o fyne.CanvasObject) float32 {
	if text, ok := o.(*kit.Text); ok && text.Text() == "" {
		return 0
	}
	return o.MinSize().Height
}
