package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
)

// Results shows what was answered: a list at the left, the viewer of the chosen one at the right.
type Results struct {
	thumbs *Thumbs
	viewer *Viewer
	root   *fyne.Container
	filled fyne.CanvasObject
	empty  fyne.CanvasObject
	list   *list
	rows   []present.ResultRow
	chosen string // the ID of the row shown
	byHand bool   // the person chose it: news do not change it
}

// NewResults builds the screen.
func NewResults(thumbs *Thumbs, viewer *Viewer) *Results {
	r := &Results{thumbs: thumbs, viewer: viewer}
	r.list = newList(
		func() int { return len(r.rows) },
		func() fyne.CanvasObject { return newResultRow() },
		func(i widget.ListItemID, o fyne.CanvasObject) {
			row := r.rows[i]
			o.(*resultRow).set(row, thumbs.Get(row.ID, row.Medium), row.ID == r.chosen)
		})
	r.list.OnSelected = func(i widget.ListItemID) {
		r.list.UnselectAll() // the row itself shows that it is chosen
		r.Open(r.rows[i].ID)
	}
	r.filled = container.New(resultsLayout{}, container.NewStack(newGround(look.ColorSurface), r.list),
		newGround(look.ColorBorder), viewer.Object())
	r.empty = container.NewCenter(container.New(layout.NewCustomPaddedVBoxLayout(2*look.Space),
		part.NewText("Nothing has been answered yet", part.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Align: fyne.TextAlignCenter}),
		part.NewText("Drop a file anywhere in this window. Its result will stand here.",
			part.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter})))
	r.filled.Hide()
	r.root = container.NewStack(r.empty, r.filled)
	thumbs.OnMade(r.refreshRow)
	return r
}

// Object is the screen's root.
func (r *Results) Object() fyne.CanvasObject { return r.root }

// Update takes the answered submissions. Until the person has chosen one, the newest is shown, but never another
// than the one that is being looked at.
func (r *Results) Update(rows []present.ResultRow) {
	r.rows = rows
	setVisible(r.empty, len(rows) == 0)
	setVisible(r.filled, len(rows) > 0)
	lost := r.indexOf(r.chosen) < 0
	if len(rows) > 0 && (lost || !r.byHand && !r.root.Visible()) && r.chosen != rows[0].ID {
		r.byHand = r.byHand && !lost
		r.choose(rows[0].ID)
	}
	r.list.Refresh()
}

// Rows are the rows shown.
func (r *Results) Rows() []present.ResultRow { return r.rows }

// Open shows one result.
func (r *Results) Open(id string) {
	r.byHand = true
	r.choose(id)
}

// Move goes up or down the list.
func (r *Results) Move(steps int) {
	if len(r.rows) == 0 {
		return
	}
	i := min(max(r.indexOf(r.chosen)+steps, 0), len(r.rows)-1)
	r.Open(r.rows[i].ID)
	r.list.ScrollTo(i)
}

// Viewer is the viewer at the right.
func (r *Results) Viewer() *Viewer { return r.viewer }

func (r *Results) choose(id string) {
	previous := r.chosen
	r.chosen = id
	r.viewer.Show(id)
	r.refreshRow(previous)
	r.refreshRow(id)
}

func (r *Results) indexOf(id string) int {
	for i, row := range r.rows {
		if row.ID == id {
			return i
		}
	}
	return -1
}

func (r *Results) refreshRow(id string) {
	if i := r.indexOf(id); i >= 0 {
		r.list.RefreshItem(i)
	}
}

// resultsLayout gives the list a quarter of the width, within limits, a hairline, and the viewer the rest.
type resultsLayout struct{}

// Layout implements fyne.Layout.
func (resultsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	list := min(max(0.27*size.Width, 220), 332)
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(list, size.Height))
	objects[1].Move(fyne.NewPos(list, 0))
	objects[1].Resize(fyne.NewSize(look.Hairline, size.Height))
	objects[2].Move(fyne.NewPos(list+look.Hairline, 0))
	objects[2].Resize(fyne.NewSize(size.Width-list-look.Hairline, size.Height))
}

// MinSize implements fyne.Layout.
func (resultsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	viewer := objects[2].MinSize()
	return fyne.NewSize(220+viewer.Width, max(objects[0].MinSize().Height, viewer.Height))
}
