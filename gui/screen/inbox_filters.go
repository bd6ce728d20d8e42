package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// inboxFilters is the head of the table: all or nothing, which part, what is searched for, in which order.
type inboxFilters struct {
	object *fyne.Container
	all    *kit.Check
	tabs   *inboxTabs
	search *kit.SearchField
	order  *kit.Select
}

// newInboxFilters makes the head. changed is called when something else is to be shown, selectAll when the box is clicked.
func newInboxFilters(changed func(), selectAll func(all bool)) *inboxFilters {
	var orders []string
	for _, s := range present.Sorts() {
		orders = append(orders, s.Words())
	}
	f := &inboxFilters{
		all:    kit.NewCheck(i18n.T("Select all that are shown"), selectAll),
		tabs:   newInboxTabs(changed),
		search: kit.NewSearchField(i18n.T("Search"), func(string) { changed() }),
		order:  kit.NewSelect(kit.Bare, orders, func(int) { changed() }),
	}
	f.order.MaxWidth = 150
	f.object = container.New(filtersLayout{}, f.all, f.tabs, f.search, f.order)
	return f
}

func (f *inboxFilters) filter() present.Filter { return present.Filters()[f.tabs.selected] }

func (f *inboxFilters) sort() present.Sort { return present.Sorts()[f.order.Selected()] }

// reset goes back to all rows; the order stays.
func (f *inboxFilters) reset() {
	f.tabs.Select(0)
	f.search.Wipe()
}

// count shows how many rows each filter has.
func (f *inboxFilters) count(rows *present.InboxList) {
	changed := false
	for i, filter := range present.Filters() {
		n := rows.Count(filter)
		changed = changed || f.tabs.counts[i] != n
		f.tabs.counts[i] = n
	}
	if changed {
		f.tabs.Refresh()
		kit.Relayout(f.object)
	}
}

// filtersLayout keeps the box over those of the rows, and gives the search what the others leave, up to a limit.
type filtersLayout struct{}

const (
	filtersHeight float32 = look.ControlHeight + 3*look.Space
	searchLeast   float32 = 126 // from which its hint has room
)

// Layout implements fyne.Layout.
func (filtersLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap, searchMost = 2 * look.Space, 240
	place := func(o fyne.CanvasObject, x, width float32) {
		height := o.MinSize().Height
		o.Move(fyne.NewPos(x, (size.Height-height)/2))
		o.Resize(fyne.NewSize(width, height))
	}
	all, tabs, search, order := objects[0], objects[1].(*inboxTabs), objects[2], objects[3]
	box := all.MinSize().Width
	left := kit.RowEdge + kit.RowCheck/2 - box/2
	place(all, left, box)
	left = kit.RowEdge + kit.RowCheck + 2*look.Space

	right := size.Width - 2*look.Space - order.MinSize().Width
	place(order, right, order.MinSize().Width)
	right -= gap
	width := min(searchMost, max(searchLeast, right-left-gap-tabs.wide()))
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
