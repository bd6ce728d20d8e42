// Package results is the screen of all results, and its view model (model*.go, which do not use the toolkit). It is built from gui/kit and shows one
// result in a viewer that it is given; its exported methods run on the UI thread, and none of them blocks.
package results

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/thumbs"
	"assay/gui/work"
)

// Viewer shows one result.
type Viewer interface {
	Object() fyne.CanvasObject
	Show(id string) // the submission of that ID
}

// Params are what the screen of the results needs.
type Params struct {
	Answers Answers
	Workers *work.Workers // read Answers: workers of their own, so that no picture delays them
	Thumbs  *thumbs.Loader
	Viewer  Viewer
	Sandbox bool // results come from the sandbox, which copied text must say
	Later   bool // nothing is read until Changed is called

	Pull     func()                               // fetches the service's list, or resumes that
	StopPull func()                               // stops fetching it
	Act      func(ids []string, a present.Action) // does an action with the selected rows
	// Export makes a table of the n results of a query that are selected; has may be called on any goroutine.
	Export   func(q Query, has func(id string) bool, n int)
	Before   func(e *fyne.KeyEvent) bool // gets a key before the list does; nil: nothing does
	Copy     func(text string)           // nil: to the clipboard
	Now      func() time.Time            // nil: time.Now
	Modifier func() fyne.KeyModifier     // the modifier keys that are held; nil: the driver's
}

// Screen shows the results: the list at the left, the viewer of the shown one at the right.
type Screen struct {
	Params
	root    *fyne.Container
	filters *filterBar
	list    *list
	notices *notices
	pull    *pullFooter
	foot    *selectionFooter
	foots   *fyne.Container
	side    *fyne.Container
	window  *rowCache
	pulling Pull

	chosen  string // the ID of the result shown
	cursor  int    // its index, or the index of the row to show once it is read; -1: not in the list
	pending bool   // the row at the cursor is to be shown once it is read
	byHand  bool   // the person chose it: changes of the list must not replace it
	busy    bool   // a load is under way
	again   bool   // another load is needed after it
	placing bool   // a load is being shown: paint must not ask for rows

	selection selection
	anchor    int      // the row from which a selection extends; -1: none
	extended  []string // what the last extension selected
	gathering func()   // cancels the last gather
}

// New builds the screen and begins to read, unless Later.
func New(p Params) *Screen {
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Modifier == nil {
		p.Modifier = heldModifiers
	}
	if p.Before == nil {
		p.Before = func(*fyne.KeyEvent) bool { return false }
	}
	if p.Copy == nil {
		p.Copy = func(text string) { fyne.CurrentApp().Clipboard().SetContent(text) }
	}
	r := &Screen{Params: p, cursor: -1, anchor: -1, gathering: func() {}}
	r.window = newRowCache(p.Answers, p.Workers, r.arrived)
	r.filters = newFilterBar(r.narrow, r.focusList)
	r.list = newList(func() int { return r.window.counts.Shown },
		func() fyne.CanvasObject { return newRowWidget() },
		func(i widget.ListItemID, o fyne.CanvasObject) { r.paint(i, o.(*rowWidget)) })
	r.list.keys = func(e *fyne.KeyEvent) bool { return r.TypedKey(e) }
	r.list.CursorAt = func() int { return r.cursor }
	r.list.OnSelected = func(i widget.ListItemID) {
		r.list.UnselectAll() // the row itself shows that it is the chosen one
		r.clicked(i)
	}
	r.notices = newNotices(r.clearFilters, r.Changed)
	r.pull = newPullFooter(p.Pull, p.StopPull, r.exportAll)
	r.foot = newSelectionFooter(r.act, r.unselect)
	r.foot.root.Hide()
	r.foots = container.NewStack(r.pull.root, r.foot.root)
	r.side = container.New(kit.Column{Gap: 0, Grow: 2}, r.filters.root, kit.NewLine(),
		container.NewStack(r.list.object(), r.notices.root), kit.NewLine(), r.foots)
	r.root = container.New(screenLayout{}, container.NewStack(kit.NewFill(look.ColorSurface), r.side),
		kit.NewFill(look.ColorBorder), p.Viewer.Object())
	p.Thumbs.OnMade(func(string) { r.list.Refresh() })
	r.SetPull(Pull{})
	if !p.Later {
		r.Changed()
	}
	return r
}

// heldModifiers asks the driver which modifier keys are held.
func heldModifiers() fyne.KeyModifier {
	if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok {
		return d.CurrentKeyModifiers()
	}
	return 0
}

// Object is the screen's root.
func (r *Screen) Object() fyne.CanvasObject { return r.root }

// Rows are the rows from the top that have been read.
func (r *Screen) Rows() []Row {
	var rows []Row
	for i := range r.window.counts.Shown {
		row, ok := r.window.row(i)
		if !ok {
			break
		}
		rows = append(rows, row)
	}
	return rows
}

// Changed is called when results have changed, and may be called often: the counts and the visible rows are read again, and what the person looks at
// stays in place.
func (r *Screen) Changed() {
	if r.busy {
		r.again = true
		return
	}
	r.busy = true
	r.window.load(r.view(), r.shown)
}

// Tick updates the words for how long ago something was.
func (r *Screen) Tick() {
	r.list.Refresh()
	r.SetPull(r.pulling)
}

// SetPull shows the state of fetching the service's list.
func (r *Screen) SetPull(p Pull) {
	r.pulling = p
	r.pull.set(p, r.Now(), r.Pull, r.StopPull)
	kit.Relayout(r.side)
}

// view is what must stay in place: the chosen row if it is on screen, else the topmost one. If the person is at the top and chose nothing, new
// results come in there.
func (r *Screen) view() view {
	v := view{rows: r.list.visible(), chosen: r.chosen}
	keeps := r.byHand && r.cursor >= v.rows.first && r.cursor < v.rows.end && !r.pending
	switch first, ok := r.window.row(v.rows.first); {
	case keeps:
		v.anchor, v.at = r.chosen, r.cursor
	case ok && r.list.GetScrollOffset() > 0:
		v.anchor, v.at = first.ID, v.rows.first
	}
	return v
}

// shown shows a load.
func (r *Screen) shown(f found) {
	r.busy = false
	r.notices.fail(f.err)
	if f.err == nil {
		r.place(f)
	}
	if r.again {
		r.again = false
		r.Changed()
	}
}

func (r *Screen) place(f found) {
	r.placing = true
	if f.shift != 0 {
		r.anchor = -1
	}
	if !r.pending {
		r.cursor = -1
		if f.isChosen {
			r.cursor = f.chosen
		}
	}
	r.cursor = min(r.cursor, r.window.counts.Shown-1)
	r.filters.count(r.window.counts)
	r.notices.show(r.window.counts.Shown, r.window.query.Filtered())
	kit.SetVisible(r.pull.export, r.window.counts.Shown > 0)
	r.showSelection()
	if f.shift != 0 {
		r.list.Refresh() // for its length
		r.list.ScrollToOffset(max(0, r.list.GetScrollOffset()+float32(float64(f.shift)*stride)))
	}
	r.placing = false
	r.showFirst()
	r.arrived(nil)
}

// showFirst shows the first result until the person has chosen one, but never replaces the one that they are looking at.
func (r *Screen) showFirst() {
	first, ok := r.window.row(0)
	if !ok || r.byHand || r.chosen == first.ID || r.chosen != "" && r.root.Visible() && r.cursor >= 0 {
		return
	}
	r.cursor = 0
	r.choose(first.ID)
}

// arrived shows rows that were read.
func (r *Screen) arrived(err error) {
	r.notices.fail(err)
	if row, ok := r.window.row(r.cursor); ok && r.pending {
		r.pending = false
		r.choose(row.ID)
	}
	r.list.Refresh()
}

// paint shows the row at an index, or asks for it.
func (r *Screen) paint(i int, o *rowWidget) {
	row, ok := r.window.row(i)
	s := rowState{focused: r.list.focused}
	if !ok {
		s.chosen = i == r.cursor
		o.setUnread(s)
		if !r.placing {
			r.window.want(r.list.visible())
		}
		return
	}
	s.chosen, s.selected = row.ID == r.chosen, r.selection.has(row.ID)
	o.set(row, r.Thumbs.Get(row.ID, row.Medium, row.Care()), s, r.Now())
}

// narrow shows the rows of another query.
func (r *Screen) narrow(q Query) {
	if q.Order == r.window.query.Order {
		r.unselect() // only what is in the list may be selected
	}
	r.extended, r.anchor = nil, -1
	r.busy, r.again = true, false
	r.pending = false
	r.list.ScrollToOffset(0)
	r.window.show(q, view{rows: r.list.visible(), chosen: r.chosen}, r.shown)
	r.list.Refresh()
}

func (r *Screen) clearFilters() {
	q := r.window.query.Unfiltered()
	r.filters.show(q)
	r.narrow(q)
}

// Open shows one result, wherever it is in the list.
func (r *Screen) Open(id string) {
	r.byHand = true
	r.pending = false
	r.choose(id)
	if i, ok := r.window.find(id); ok {
		r.cursor = i
		r.list.ScrollTo(i)
		return
	}
	r.cursor = -1
	r.list.Refresh()
	r.reveal(id)
}

// choose shows a result; the caller refreshes the list.
func (r *Screen) choose(id string) {
	r.chosen = id
	r.Viewer.Show(id)
}

// screenLayout gives the list a quarter of the width, within limits, a hairline, and the viewer the rest.
type screenLayout struct{}

const (
	resultsNarrow float32 = 256
	resultsWide   float32 = 332
)

// Layout implements fyne.Layout.
func (screenLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	list := min(max(0.275*size.Width, resultsNarrow), resultsWide)
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(list, size.Height))
	objects[1].Move(fyne.NewPos(list, 0))
	objects[1].Resize(fyne.NewSize(look.Hairline, size.Height))
	objects[2].Move(fyne.NewPos(list+look.Hairline, 0))
	objects[2].Resize(fyne.NewSize(size.Width-list-look.Hairline, size.Height))
}

// MinSize implements fyne.Layout.
func (screenLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	viewer := objects[2].MinSize()
	return fyne.NewSize(resultsNarrow+look.Hairline+viewer.Width, max(objects[0].MinSize().Height, viewer.Height))
}
