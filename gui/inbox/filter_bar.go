package inbox

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// filterBar is the head of the table: select all or nothing, the filter, the search, the order.
type filterBar struct {
	object *fyne.Container
	all    *kit.Check
	tabs   *kit.CountedTabs
	search *kit.SearchField
	order  *kit.Select
}

// newFilterBar makes the head. changed is called when the filter, the search or the order has changed, selectAll when the box is clicked.
func newFilterBar(changed func(), selectAll func(all bool)) *filterBar {
	var orders []string
	for _, s := range Sorts() {
		orders = append(orders, s.Words())
	}
	var parts []string
	for _, filter := range Filters() {
		parts = append(parts, filter.Words())
	}
	f := &filterBar{
		all:    kit.NewBareCheck(i18n.T("Select all shown"), selectAll),
		tabs:   kit.NewCountedTabs(parts, func(int) { changed() }),
		search: kit.NewSearchField(i18n.T("Search"), func(string) { changed() }),
		order:  kit.NewSelect(kit.Bare, orders, func(int) { changed() }),
	}
	f.order.MaxWidth = 150
	f.object = container.New(filtersLayout{}, f.all, f.tabs, f.search, f.order)
	return f
}

func (f *filterBar) filter() Filter { return Filters()[f.tabs.Selected()] }

func (f *filterBar) sort() Sort { return Sorts()[f.order.Selected()] }

// reset shows all rows again; the order stays.
func (f *filterBar) reset() {
	f.tabs.Select(0)
	f.search.Clear()
}

// count shows how many rows each filter has.
func (f *filterBar) count(rows *List) {
	counts := make([]int, len(Filters()))
	for i, filter := range Filters() {
		counts[i] = rows.Count(filter)
	}
	if f.tabs.SetCounts(counts) {
		kit.Relayout(f.object)
	}
}

// filtersLayout aligns the box with those of the rows, and gives the search what the others leave, up to a limit.
type filtersLayout struct{}

const (
	filtersHeight float32 = look.ControlHeight + 3*look.Space
	searchLeast   float32 = 126 // enough for its hint
)

// Layout implements fyne.Layout.
func (filtersLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap, searchMost = 2 * look.Space, 240
	place := func(o fyne.CanvasObject, x, width float32) {
		height := o.MinSize().Height
		o.Move(fyne.NewPos(x, (size.Height-height)/2))
		o.Resize(fyne.NewSize(width, height))
	}
	all, tabs, search, order := objects[0], objects[1].(*kit.CountedTabs), objects[2], objects[3]
	box := all.MinSize().Width
	left := kit.RowEdge + kit.RowCheck/2 - box/2
	place(all, left, box)
	left = kit.RowEdge + kit.RowCheck + 2*look.Space

	right := size.Width - 2*look.Space - order.MinSize().Width
	place(order, right, order.MinSize().Width)
	right -= gap
	width := min(searchMost, max(searchLeast, right-left-gap-tabs.WidthWithCounts()))
	place(search, right-width, width)
	place(tabs, left, max(0, right-width-gap-left))
}

// MinSize implements fyne.Layout.
func (filtersLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := kit.RowEdge + kit.RowCheck + 2*look.Space
	for _, o := range objects[1:] {
		width += o.MinSize().Width + 2*look.Space
	}
	width += searchLeast - objects[2].MinSize().Width
	return fyne.NewSize(width, filtersHeight)
}
