package review

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// table shows what is sent as it is, and as a copy without metadata beside it.
type table struct {
	object *fyne.Container
	heads  [2]*kit.Text
	head   *fyne.Container
	line   fyne.CanvasObject
	rows   []*tableRow
	copy   func(text string) // to the clipboard
}

type tableRow struct {
	object *fyne.Container
	layout *rowLayout
	label  *kit.Text
	values [2]*kit.Text
	copies [2]*kit.Button
}

func newTable(toClipboard func(string)) *table {
	t := &table{object: container.New(kit.Column{Grow: -1}), line: kit.NewLine(), copy: toClipboard}
	for i := range t.heads {
		t.heads[i] = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd})
	}
	t.head = container.New(&rowLayout{}, kit.NewText("", kit.TextStyle{}), t.heads[0], t.heads[1], kit.NewText("", kit.TextStyle{}), kit.NewText("", kit.TextStyle{}))
	t.object.Add(t.head)
	t.object.Add(t.line)
	return t
}

// set shows rows. two says whether there is a column for the copy, which is kept while its values are not known.
func (t *table) set(heads [2]string, rows []Row, two bool) {
	for i, words := range heads {
		t.heads[i].SetText(words)
	}
	kit.SetVisible(t.head, two)
	kit.SetVisible(t.line, two)
	for len(t.rows) < len(rows) {
		t.add()
	}
	for i, row := range t.rows {
		kit.SetVisible(row.object, i < len(rows))
		if i >= len(rows) {
			continue
		}
		r := rows[i]
		row.label.SetText(r.Label)
		row.layout.wide = r.Wide || !two
		for n, value := range []string{r.AsItIs, r.Copy} {
			style := kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}
			if r.Hash {
				style = kit.TextStyle{Mono: true, Size: look.SizeSmall, Ellipsis: look.EllipsisMiddle}
			}
			row.values[n].SetStyle(style)
			row.values[n].SetText(value)
			kit.SetVisible(row.copies[n], r.Hash && value != "")
			row.copies[n].OnTapped = func() { t.copy(value) }
		}
		row.object.Refresh()
	}
}

func (t *table) add() {
	row := &tableRow{layout: &rowLayout{}, label: kit.NewText("", kit.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})}
	for n := range row.values {
		row.values[n] = kit.NewText("", kit.TextStyle{Ellipsis: look.EllipsisMiddle})
		row.copies[n] = kit.NewButton(kit.Bare, "", look.IconCopy, nil)
		row.copies[n].SetToolTip(i18n.T("Copy the SHA-256"))
	}
	row.object = container.New(row.layout, row.label, row.values[0], row.values[1], row.copies[0], row.copies[1])
	t.rows = append(t.rows, row)
	t.object.Add(row.object)
}

// rowLayout lays out label, value, value of the copy, and the buttons behind both, which may be hidden.
type rowLayout struct{ wide bool }

// Layout implements fyne.Layout.
func (l *rowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 3 * look.Space
	label := min(tableLabel, size.Width/4)
	each := max(0, (size.Width-label-2*gap)/2)
	kit.PlaceAt(objects[0], 0, 0, label, size.Height)
	for i := range 2 {
		x, width := label+gap+float32(i)*(each+gap), each
		if l.wide && i == 0 {
			width = size.Width - x
		}
		if button := objects[3+i]; button.Visible() {
			side := look.ControlHeight
			width = min(objects[1+i].MinSize().Width+mostHash, width-side)
			kit.PlaceAt(button, x+width, (size.Height-side)/2, side, side)
		}
		kit.PlaceAt(objects[1+i], x, 0, max(0, width), size.Height)
	}
}

// tableLabel fits the labels of the rows in most languages.
const tableLabel float32 = 120

// mostHash is how wide a hash is shown at most: its beginning and end.
const mostHash float32 = 132

// MinSize implements fyne.Layout.
func (l *rowLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, 8*look.Space)
}
