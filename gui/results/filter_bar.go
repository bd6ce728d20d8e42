package results

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// filterBar is the search field, the verdicts' chips and the menus above the list. The controls show a query; each change makes another query.
type filterBar struct {
	root    *fyne.Container
	flow    *fyne.Container // of the chips
	menus   *fyne.Container
	search  *kit.SearchField
	all     *kit.Chip
	chips   []*kit.Chip // of present.StatusFilters
	differs *kit.Chip   // of what has changed; shown where there is any
	order   *kit.Select
	media   *kit.Select
	dates   *kit.Select
	source  *kit.Select
	query   Query

	someDiffer bool // there is something for differs
	setting    bool // the controls are being set by show: that is no change by the person
	changed    func(Query)
}

// newFilterBar makes it for the zero query. leave is called when the person moves on from the search field to the list, fold when the strip is to be
// shown in place of all this.
func newFilterBar(changed func(Query), leave, fold func()) *filterBar {
	f := &filterBar{changed: changed}
	f.search = kit.NewSearchField(i18n.T("Name, link, note, tag"), func(text string) {
		f.change(func(q *Query) { q.Text = strings.TrimSpace(text) })
	})
	f.search.OnDone = leave
	strip := kit.NewButton(kit.Bare, "", look.IconResults, fold)
	strip.SetToolTip(i18n.T("Show thumbnails only (T)"))
	f.all = kit.NewChip(look.MarkNone, i18n.T("All"), func() { f.change(func(q *Query) { q.Statuses = nil }) })
	f.flow = container.New(&kit.Flow{Gap: 1.5 * look.Space, Line: 1.5 * look.Space}, f.all)
	for _, s := range StatusFilters() {
		chip := kit.NewChip(look.Mark(s.Mark), "", func() {
			f.change(func(q *Query) { *q = q.Toggled(s.Status) })
		})
		f.chips = append(f.chips, chip)
		f.flow.Add(chip)
	}
	f.differs = kit.NewChip(look.MarkNone, "", func() { f.change(func(q *Query) { q.Changed = !q.Changed }) })
	f.differs.SetToolTip(i18n.T("The verdict differs from the earlier answer on the same content, and nobody has marked it as seen"))
	f.flow.Add(f.differs)
	menu := func(words []string, set func(q *Query, i int)) *kit.Select {
		return kit.NewSelect(kit.Bare, words, func(i int) { f.change(func(q *Query) { set(q, i) }) })
	}
	media, words := Media()
	f.order = menu(OrderWords(), func(q *Query, i int) { q.Order = Order(i) })
	f.media = menu(words, func(q *Query, i int) { q.Medium = media[i] })
	f.dates = menu(DatesWords(), func(q *Query, i int) { q.Dates = Dates(i) })
	f.source = menu(SourceWords(), func(q *Query, i int) { q.Source = Source(i) })
	f.order.MaxWidth = 140
	f.menus = container.New(pairs{}, f.order, f.media, f.dates, f.source)
	const edge = 3 * look.Space
	f.root = container.New(layout.NewCustomPaddedLayout(edge, look.Space, edge, edge),
		container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, container.NewBorder(nil, nil, nil, strip, f.search), f.flow,
			container.New(layout.NewCustomPaddedLayout(0, 0, -look.Space, -look.Space), f.menus)))
	f.show(Query{})
	f.count(Counts{})
	return f
}

// change makes the query for a change of a control.
func (f *filterBar) change(by func(q *Query)) {
	if f.setting {
		return
	}
	q := f.query
	by(&q)
	f.show(q)
	f.changed(q)
}

// show sets the controls to a query.
func (f *filterBar) show(q Query) {
	f.setting = true
	defer func() { f.setting = false }()
	f.query = q
	if strings.TrimSpace(f.search.Text) != q.Text {
		f.search.SetText(q.Text)
	}
	f.all.Set(f.all.Label(), len(q.Statuses) == 0)
	for i, s := range StatusFilters() {
		f.chips[i].Set(f.chips[i].Label(), q.Has(s.Status))
	}
	f.differs.Set(f.differs.Label(), q.Changed)
	kit.SetVisible(f.differs, q.Changed || f.someDiffer)
	media, _ := Media()
	for i, m := range media {
		if m == q.Medium {
			f.media.Select(i)
		}
	}
	f.order.Select(int(q.Order))
	f.dates.Select(int(q.Dates))
	f.source.Select(int(q.Source))
	kit.Relayout(f.menus)
}

// count shows the counts on the chips.
func (f *filterBar) count(c Counts) {
	f.all.Set(i18n.F("All %s", CountText(c.All)), f.all.On())
	f.all.SetToolTip(i18n.F("All verdicts: %s", i18n.Count(c.All)))
	for i, s := range StatusFilters() {
		n := c.ByStatus[s.Status]
		f.chips[i].Set(CountText(n), f.chips[i].On())
		f.chips[i].SetToolTip(s.Words + ": " + i18n.Count(n))
	}
	f.someDiffer = c.Changed > 0
	f.differs.Set(c.ChangedText(), f.differs.On())
	kit.SetVisible(f.differs, f.query.Changed || f.someDiffer)
	kit.Relayout(f.flow)
	kit.Relayout(f.root)
}

// pairs lays menus out in two columns, each always at the same place, as long as there is room for the second.
type pairs struct{}

const menuHeight float32 = 26

// Layout implements fyne.Layout.
func (pairs) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	second := []float32{0.6, 0.6} // x of the second column as a share of the width, row by row
	if size.Width < 300 {
		second[1] = 0.46 // this row has the longest words
	}
	for i := 0; i+1 < len(objects); i += 2 {
		left, right := objects[i], objects[i+1]
		width, y := right.MinSize().Width, float32(i/2)*menuHeight
		x := max(second[min(i/2, len(second)-1)]*size.Width, left.MinSize().Width)
		x = max(0, min(x, size.Width-width))
		left.Move(fyne.NewPos(0, y))
		left.Resize(fyne.NewSize(min(left.MinSize().Width, x), menuHeight))
		right.Move(fyne.NewPos(x, y))
		right.Resize(fyne.NewSize(width, menuHeight))
	}
}

// MinSize implements fyne.Layout.
func (pairs) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, float32((len(objects)+1)/2)*menuHeight)
}

// low is a layout that is as wide as its object, with a smaller height.
type low float32

// Layout implements fyne.Layout.
func (l low) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

// MinSize implements fyne.Layout.
func (l low) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].MinSize().Width, float32(l))
}
