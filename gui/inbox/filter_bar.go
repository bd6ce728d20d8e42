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
	f.object = container.New(&filtersLayout{}, f.all, f.tabs, f.search, f.order)
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

// filtersLayout aligns the box with those of the rows, and gives the search what the others leave, up to a limit. Where there is no room for all in one
// line, the tabs have the first alone, or the first few.
type filtersLayout struct{ width float32 }

const (
	filtersHeight float32 = look.ControlHeight + 3*look.Space
	filtersGap    float32 = 2 * look.Space
	searchLeast   float32 = 126 // enough for its hint
	searchMost    float32 = 240
	tabsAt                = kit.RowEdge + kit.RowCheck + 2*look.Space
	tabsEdge              = 1.5 * look.Space // where they have a line of their own
)

// Layout implements fyne.Layout.
func (l *filtersLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	all, tabs, search, order := objects[0], objects[1].(*kit.CountedTabs), objects[2], objects[3]
	box, ordered := all.MinSize(), order.MinSize()
	boxAt := kit.RowEdge + kit.RowCheck/2 - box.Width/2
	right := size.Width - 2*look.Space - ordered.Width
	if l.twoLines(objects) {
		high := tabs.HeightIn(size.Width - tabsEdge)
		kit.PlaceAt(tabs, tabsEdge, (filtersHeight-tabs.HeightIn(0))/2, size.Width-tabsEdge, high)
		y := filtersHeight - look.Space + high - tabs.HeightIn(0)
		kit.PlaceAt(all, boxAt, y+(look.ControlHeight-box.Height)/2, box.Width, box.Height)
		kit.PlaceAt(order, right, y+(look.ControlHeight-ordered.Height)/2, ordered.Width, ordered.Height)
		kit.PlaceAt(search, tabsAt, y, min(searchMost, right-filtersGap-tabsAt), search.MinSize().Height)
		return
	}
	kit.PlaceInRow(all, boxAt, filtersHeight, box.Width, box.Height)
	kit.PlaceInRow(order, right, filtersHeight, ordered.Width, ordered.Height)
	right -= filtersGap
	width := min(searchMost, max(searchLeast, right-tabsAt-filtersGap-tabs.WidthWithCounts()))
	kit.PlaceInRow(search, right-width, filtersHeight, width, search.MinSize().Height)
	kit.PlaceInRow(tabs, tabsAt, filtersHeight, max(0, right-width-filtersGap-tabsAt), tabs.MinSize().Height)
}

// twoLines reports whether the bar has no room for all in one line.
func (l *filtersLayout) twoLines(objects []fyne.CanvasObject) bool {
	one := tabsAt + objects[1].(*kit.CountedTabs).Width() + filtersGap + searchLeast + filtersGap + objects[3].MinSize().Width + 2*look.Space
	return l.width > 0 && l.width < one
}

// MinSize implements fyne.Layout. The height is that at the width which the bar has.
func (l *filtersLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	second := tabsAt + searchLeast + filtersGap + objects[3].MinSize().Width + 2*look.Space
	tabs := objects[1].(*kit.CountedTabs)
	size := fyne.NewSize(max(tabsEdge+tabs.MinSize().Width, second), filtersHeight)
	if l.twoLines(objects) {
		size.Height += look.ControlHeight + look.Space + tabs.HeightIn(l.width-tabsEdge) - tabs.HeightIn(0)
	}
	return size
}
