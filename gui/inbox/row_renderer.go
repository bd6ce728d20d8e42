package inbox

import (
	"fyne.io/fyne/v2"

	"assay/gui/kit"
	"assay/gui/look"
)

const rowHeight float32 = 56

type rowRenderer struct{ row *rowWidget }

func (r *rowRenderer) Destroy() {}

func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(480, rowHeight) }

func (r *rowRenderer) Objects() []fyne.CanvasObject {
	w := r.row
	return []fyne.CanvasObject{w.ring, w.plain, w.picked, w.hover, w.box, w.thumb, w.name, w.size, w.mark, w.icon, w.state, w.detail, w.progress,
		w.again, w.open, w.keep, w.send, w.change, w.ending}
}

// Layout implements fyne.WidgetRenderer.
func (r *rowRenderer) Layout(size fyne.Size) { r.row.place(size) }

func (r *rowRenderer) Refresh() {
	r.row.place(r.row.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

// place gives the name a quarter of the width and the state what the actions leave. Those in icons have a place of their own at
// the right; those in words stand before them, or in the place of the icon that is not there.
func (r *rowWidget) place(size fyne.Size) {
	const button = look.ControlHeight
	r.placeGrounds(size)
	x := kit.RowEdge
	kit.PlaceInRow(r.box, x, size.Height, kit.RowCheck, kit.RowCheck)
	x += kit.RowCheck + kit.RowGap
	kit.PlaceInRow(r.thumb, x, size.Height, kit.RowThumb, kit.RowThumb)
	x += kit.RowThumb + kit.RowGap

	nameWidth := max(140, 0.24*size.Width)
	kit.StackLines(x, nameWidth, size.Height, r.name, r.size)
	x += nameWidth + kit.RowGap
	kit.PlaceInRow(r.mark, x, size.Height, kit.RowSign, kit.RowSign)
	kit.PlaceInRow(r.icon, x, size.Height, kit.RowSign, kit.RowSign)
	x += kit.RowSign + kit.RowGap

	right := size.Width - 2.5*look.Space
	if r.ending.Visible() {
		kit.PlaceInRow(r.ending, right-button, size.Height, button, button)
		right -= button
	}
	if r.change.Visible() {
		kit.PlaceInRow(r.change, right-button, size.Height, button, button)
		right -= button
	}
	for _, words := range []*kit.Button{r.open, r.again, r.keep, r.send} {
		if words.Visible() {
			width := words.MinSize().Width
			kit.PlaceInRow(words, right-width, size.Height, width, button)
			right -= width
		}
	}
	width := max(0, right-kit.RowGap-x)
	if r.progress.Visible() {
		kit.StackLines(x, width, size.Height, r.state, r.progress, r.detail)
		r.progress.Resize(fyne.NewSize(min(width, 190), r.progress.MinSize().Height))
		// The bar keeps off the letters.
		r.state.Move(r.state.Position().SubtractXY(0, 2))
		r.detail.Move(r.detail.Position().AddXY(0, 2))
		return
	}
	kit.StackLines(x, width, size.Height, r.state, r.detail)
}

func (r *rowWidget) placeGrounds(size fyne.Size) {
	const ring = 2
	r.ring.Resize(size)
	r.hover.Resize(size)
	inset := float32(0)
	if r.ring.Visible() {
		inset = ring
	}
	for _, ground := range []*kit.Fill{r.plain, r.picked} {
		ground.Move(fyne.NewPos(inset, inset))
		ground.Resize(size.SubtractWidthHeight(2*inset, 2*inset))
	}
}
