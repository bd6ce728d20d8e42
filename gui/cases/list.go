package cases

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// listPane is the list of cases, with the field that finds them and the button for a new one.
type listPane struct {
	screen *Screen
	root   *fyne.Container
	search *kit.SearchField
	table  *kit.Table[*entryRow]
	states [2]*kit.Chip // open, concluded
	chips  *fyne.Container
	none   *kit.Paragraph
	query  Query
	rows   []Entry
	shown  []Entry // all, in the order in which rows are

	watching bool // the pointer is over the rows, or was until just now: they stay where they are
}

func newListPane(s *Screen) *listPane {
	l := &listPane{screen: s}
	l.search = kit.NewSearchField(i18n.T("Find a case"), func(text string) {
		l.query.Text = text
		l.update()
	})
	l.search.OnDone = func() { s.focus(l.table) }
	add := kit.NewButton(kit.Plain, "", look.IconPlus, s.NewCase)
	add.SetToolTip(i18n.T("New case… (N)"))
	l.table = kit.NewTable(kit.TableRows[*entryRow]{
		Name: i18n.T("Cases"), Height: entryHeight,
		Len:   func() int { return len(l.rows) },
		ID:    func(i int) string { return l.rows[i].ID },
		Index: l.placeOf,
		New:   func() *entryRow { return newEntryRow(l) },
		Fill:  func(o *entryRow, i int, _ bool) { o.set(l.rows[i], l.rows[i].ID == s.chosen) },
		Key:   s.TypedKey,
		Rune:  s.TypedRune,
	})
	for i := range l.states {
		l.states[i] = kit.NewChip(look.MarkNone, "", func() { l.filter(i == 1) })
	}
	l.chips = container.New(&kit.Flow{Gap: 1.5 * look.Space, Line: 1.5 * look.Space}, l.states[0], l.states[1])
	l.none = kit.NewParagraph("", kit.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter})
	const edge = 3 * look.Space
	find := container.NewBorder(nil, nil, nil, container.New(layout.NewCustomPaddedLayout(0, 0, 2*look.Space, 0), add), l.search)
	head := container.New(layout.NewCustomPaddedLayout(edge, edge, edge, edge), container.New(kit.Column{Gap: 2.5 * look.Space, Grow: -1}, find, l.chips))
	l.root = container.New(kit.Column{Gap: 0, Grow: 2}, head, kit.NewLine(),
		container.NewStack(l.table.Object(), container.New(kit.Column{Grow: -1}, container.New(layout.NewCustomPaddedLayout(6*look.Space, 0, edge, edge), l.none))))
	return l
}

// update shows the entries that match, with the chosen one marked.
func (l *listPane) update() {
	s := l.screen
	all := s.all
	if l.watching {
		all = inOrder(all, l.shown)
	}
	l.shown = all
	l.rows = l.query.Found(all)
	l.table.RowsMoved()
	open, concluded := StateWords(s.all)
	l.states[0].Set(open, !l.query.Concluded)
	l.states[1].Set(concluded, l.query.Concluded)
	kit.Relayout(l.chips)
	words := i18n.T("No open case has this name.")
	switch {
	case l.query.Concluded && l.query.Text == "":
		words = i18n.T("No case is concluded yet.")
	case l.query.Concluded:
		words = i18n.T("No concluded case has this name.")
	case l.query.Text == "":
		words = i18n.T("No case is open.")
	}
	l.none.SetText(words)
	kit.SetVisible(l.none, len(l.rows) == 0)
}

// filter shows the open cases, or the concluded ones.
func (l *listPane) filter(concluded bool) {
	l.query.Concluded = concluded
	l.table.Reset()
	l.update()
}

// pointerLeft is how long the pointer must be off the rows before those move that have changed meanwhile.
const pointerLeft = 700 * time.Millisecond

// pointed keeps the rows where they are until the pointer has left them: what a colleague does must not put another case under it.
func (l *listPane) pointed() {
	if !l.watching {
		l.watching = true
		l.screen.After(pointerLeft, l.watchPointer)
	}
}

func (l *listPane) watchPointer() {
	if l.table.AnyShown((*entryRow).underPointer) {
		l.screen.After(pointerLeft, l.watchPointer)
		return
	}
	l.watching = false
	l.update()
}

func (l *listPane) placeOf(id string) int {
	for i, row := range l.rows {
		if row.ID == id {
			return i
		}
	}
	return -1
}

// step shows the case after the chosen one, or before it.
func (l *listPane) step(by int) {
	if len(l.rows) == 0 {
		return
	}
	at := l.placeOf(l.screen.chosen)
	switch {
	case at >= 0:
		at = min(max(at+by, 0), len(l.rows)-1)
	case by < 0:
		at = len(l.rows) - 1
	default:
		at = 0
	}
	l.table.MoveTo(at)
	l.screen.Show(l.rows[at].ID)
}

const (
	entryHeight float32 = 60
	sharedIcon  float32 = 16
)

// entryRow shows a case in the list.
type entryRow struct {
	kit.Row
	list          *listPane
	bar           *canvas.Rectangle
	title, detail *kit.Text
	shared        *kit.Icon
	fresh         *kit.Text // what is new
	entry         Entry
	over          bool // the pointer is
}

var (
	_ fyne.Tappable   = (*entryRow)(nil)
	_ fyne.Accessible = (*entryRow)(nil)
)

func newEntryRow(l *listPane) *entryRow {
	r := &entryRow{list: l, bar: canvas.NewRectangle(nil),
		title:  kit.NewText("", kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisEnd}),
		detail: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}),
		shared: kit.NewIcon(look.IconPeople, look.ColorMuted, sharedIcon), fresh: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightBold})}
	r.StartRow(r)
	return r
}

func (r *entryRow) set(e Entry, chosen bool) {
	r.entry = e
	r.Mark(false, chosen)
	r.bar.FillColor = look.Color(look.ColorAccent)
	kit.SetVisible(r.bar, chosen)
	r.title.SetText(e.Title)
	r.fresh.SetText(newText(e.New))
	r.detail.SetText(e.Detail)
	if e.New > 0 {
		r.detail.SetText("· " + e.Detail)
	}
	kit.SetVisible(r.shared, e.Shared)
	r.arrange(r.Size())
}

// Tapped implements fyne.Tappable.
func (r *entryRow) Tapped(*fyne.PointEvent) {
	s := r.list.screen
	r.list.table.MoveTo(r.list.placeOf(r.entry.ID))
	s.Show(r.entry.ID)
	s.enter(true)
	s.focus(r.list.table)
}

// AccessibilityLabel implements fyne.Accessible.
func (r *entryRow) AccessibilityLabel() string {
	shared := ""
	if r.entry.Shared {
		shared = i18n.T("shared")
	}
	return r.entry.Title + ", " + present.Joined(shared, newText(r.entry.New), r.entry.Detail)
}

// MouseIn implements desktop.Hoverable.
func (r *entryRow) MouseIn(e *desktop.MouseEvent) {
	r.over = true
	r.Row.MouseIn(e)
	r.list.pointed()
}

// MouseOut implements desktop.Hoverable.
func (r *entryRow) MouseOut() {
	r.over = false
	r.Row.MouseOut()
}

func (r *entryRow) underPointer() bool { return r.over }

// CreateRenderer implements fyne.Widget.
func (r *entryRow) CreateRenderer() fyne.WidgetRenderer {
	return r.DrawRow(fyne.NewSize(160, entryHeight), r.arrange, r.bar, r.title, r.detail, r.shared, r.fresh)
}

func (r *entryRow) arrange(size fyne.Size) {
	const edge = 3.5 * look.Space
	r.PlaceRow(size)
	kit.PlaceAt(r.bar, 0, 0, 3, size.Height)
	width := size.Width - 2*edge
	kit.StackLines(edge, width, size.Height, r.title, r.detail)
	if r.shared.Visible() {
		title := r.title.Size()
		r.title.Resize(fyne.NewSize(max(0, width-sharedIcon-2*look.Space), title.Height))
		kit.PlaceAt(r.shared, edge+width-sharedIcon, r.title.Position().Y+(title.Height-sharedIcon)/2, sharedIcon, sharedIcon)
	}
	if fresh := r.fresh.MinSize(); r.fresh.Text() != "" {
		at, left := r.detail.Position(), fresh.Width+look.Space
		kit.PlaceAt(r.fresh, at.X, at.Y, fresh.Width, fresh.Height)
		kit.PlaceAt(r.detail, at.X+left, at.Y, max(0, width-left), r.detail.Size().Height)
	}
}
