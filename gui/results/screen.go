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
	// ReadAhead is called after Show with the result that is likely to be shown next, "" for none.
	ReadAhead(id string, medium present.Medium)
}

// Params are what the screen of the results needs.
type Params struct {
	Answers Answers
	Workers *work.Workers  // read Answers: workers of their own, so that no picture delays them
	Thumbs  *thumbs.Loader // pictures of thumbs.Row
	Tiles   *thumbs.Loader // pictures of thumbs.Tile
	Viewer  Viewer
	Sandbox bool // results come from the sandbox, which copied text must say

	Shaped   func(s Shape)                        // the person chose how the list is shown
	Pull     func()                               // fetches the service's list, or resumes that
	StopPull func()                               // stops fetching it
	Act      func(ids []string, a present.Action) // does an action with the selected rows
	// Export makes a table of the n results of a query that are selected; has may be called on any goroutine.
	Export   func(q Query, has func(id string) bool, n int)
	Before   func(e *fyne.KeyEvent) bool // gets a key before the list does; nil: nothing does
	Copy     func(text string)           // nil: to the clipboard
	Now      func() time.Time            // nil: time.Now
	Modifier func() fyne.KeyModifier     // the modifier keys that are held; nil: the driver's
	// After calls do on the UI thread after a time, unless it is cancelled; nil: kit.After.
	After func(d time.Duration, do func()) (cancel func())
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
	strip   *strip
	side    *fyne.Container
	left    *fyne.Container // side on its ground
	line    *kit.Fill       // beside it
	window  *rowCache
	pulling Pull

	chosen  string // the ID of the result shown
	cursor  int    // its index, or the index of the row to show once it is read; -1: not in the list
	pending bool   // the row at the cursor is to be shown once it is read
	opening string // the ID of a result that was opened from elsewhere, until its place in the list is known
	toTop   bool   // the rows under way are those of another query, to be shown from the top
	byHand  bool   // the person chose it: changes of the list must not replace it
	stale   bool   // results have changed while nobody saw the list
	back    bool   // it has come back into sight: the next load may replace what nobody chose by the newest
	newest  bool   // the load under way may
	busy    bool   // a load is under way
	again   bool   // another load is needed after it
	placing bool   // a load is being shown: paint must not ask for rows
	late    bool   // rows that are read have been waited for, and bars are shown in their place
	waiting func() // cancels the wait for that; nil: nothing is waited for

	selection selection
	anchor    int      // the row from which a selection extends; -1: none
	extended  []string // what the last extension selected
	gathering func()   // cancels the last gather
}

// New builds the screen. It reads nothing before InSight is called.
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
	if p.After == nil {
		p.After = kit.After
	}
	if p.Copy == nil {
		p.Copy = func(text string) { fyne.CurrentApp().Clipboard().SetContent(text) }
	}
	r := &Screen{Params: p, stale: true, cursor: -1, anchor: -1, gathering: func() {}}
	r.window = newRowCache(p.Answers, p.Workers, r.arrived)
	r.filters = newFilterBar(r.narrow, r.focusList, r.toggleStrip)
	r.strip = newStrip(r.toggleStrip, r.focusSearch, r.showSelected)
	r.list = newList(func() int { return r.window.counts.Shown },
		r.newRow, func(i widget.ListItemID, o fyne.CanvasObject) { r.paint(i, o.(*rowWidget)) })
	r.list.keys = func(e *fyne.KeyEvent) bool { return r.TypedKey(e) }
	r.list.CursorAt = func() int { return r.cursor }
	r.list.says = func(i int) string {
		row, ok := r.window.row(i)
		if !ok {
			return ""
		}
		return row.Name + ", " + row.Words
	}
	r.list.OnSelected = func(i widget.ListItemID) {
		r.list.UnselectAll() // the row itself shows that it is the chosen one
		r.clicked(i)
	}
	r.notices = newNotices(r.clearFilters, r.Changed)
	r.pull = newPullFooter(p.Pull, p.StopPull, r.exportAll)
	r.foot = newSelectionFooter(r.act, r.unselect)
	r.foot.root.Hide()
	r.foots = container.NewStack(r.pull.root, r.foot.root, r.strip.foot)
	r.side = container.New(kit.Column{Gap: 0, Grow: 2}, container.NewStack(r.filters.root, r.strip.head), kit.NewLine(),
		container.NewStack(r.list.object(), r.notices.root), r.strip.footLine, r.foots)
	r.left, r.line = container.NewStack(kit.NewFill(look.ColorSurface), r.side), kit.NewFill(look.ColorBorder)
	r.root = container.New(screenLayout{r}, r.left, r.line, p.Viewer.Object())
	p.Thumbs.OnMade(func(string) { r.list.Refresh() })
	p.Tiles.OnMade(func(string) { r.list.Refresh() })
	r.SetPull(Pull{})
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

// InSight is called when the screen has come into sight: what changed meanwhile is read.
func (r *Screen) InSight() {
	if r.stale && r.root.Visible() {
		r.back = true
		r.notices.hide()
		r.Changed()
	}
}

// Changed is called when results have changed, and may be called often: the counts and the visible rows are read again, and what the person looks at
// stays in place. While the screen is hidden, nothing is read: a batch that is answered would have each of its pictures decoded for nobody.
func (r *Screen) Changed() {
	r.stale = !r.root.Visible()
	if r.stale {
		return
	}
	if r.busy {
		r.again = true
		return
	}
	r.busy = true
	r.newest, r.back = r.newest || r.back, false
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
	before := r.cursor
	if r.toTop {
		before = 0
	}
	switch {
	case r.pending:
	case f.of == r.chosen:
		r.cursor = -1
		if f.isChosen {
			r.cursor = f.chosen
		}
	default: // another one was chosen while this was read
		at, ok := r.window.find(r.chosen)
		if !ok {
			at, r.again = -1, true
		}
		r.cursor = at
	}
	r.follow(f, before)
	r.cursor = min(r.cursor, r.window.counts.Shown-1)
	r.filters.count(r.window.counts)
	r.notices.show(r.window.counts.Shown, r.window.query.Filtered())
	r.reshape()
	kit.SetVisible(r.pull.export, r.window.counts.Shown > 0)
	r.showSelection()
	if r.toTop {
		r.toTop = false
		r.list.ScrollToOffset(0)
	} else if f.shift != 0 {
		r.list.Refresh() // for its length
		r.list.ScrollToOffset(max(0, r.list.GetScrollOffset()+float32(float64(f.shift)*r.list.stride())))
	}
	r.placing = false
	r.showFirst()
	r.newest = false
	r.arrived(nil)
}

// follow shows another result where the one that is shown has left the list, which was at index before: keys and buttons must not act on what is
// not in the list. Where the list is empty, the viewer is, too.
func (r *Screen) follow(f found, before int) {
	switch {
	case f.isChosen || f.of != r.chosen || r.pending || r.opening != "":
	case r.window.counts.Shown == 0:
		r.byHand = false
		r.choose("")
	case r.chosen != "":
		r.cursor, r.pending = min(max(before, 0), r.window.counts.Shown-1), true
		if _, ok := r.window.row(r.cursor); !ok {
			r.choose("") // until it is read
		}
	}
}

// showFirst shows the first result until the person has chosen one, but never replaces one that they see.
func (r *Screen) showFirst() {
	first, ok := r.window.row(0)
	if !ok || r.byHand || r.chosen == first.ID || r.chosen != "" && !r.newest && r.cursor >= 0 {
		return
	}
	r.cursor = 0
	r.choose(first.ID)
}

// lateAfter is how long rows are read before bars are shown in their place: what is there sooner needs none.
const lateAfter = 150 * time.Millisecond

// wait shows bars in place of rows if these are not there soon.
func (r *Screen) wait() {
	if r.waiting == nil {
		r.waiting = r.After(lateAfter, func() {
			r.waiting, r.late = nil, true
			r.list.Refresh()
		})
	}
}

// arrived shows rows that were read.
func (r *Screen) arrived(err error) {
	if r.waiting != nil {
		r.waiting()
	}
	r.waiting, r.late = nil, false
	r.notices.fail(err)
	switch row, ok := r.window.row(r.cursor); {
	case !r.pending:
	case ok:
		r.pending = false
		r.choose(row.ID)
	case err == nil && r.cursor >= 0:
		r.window.want(span{r.cursor, r.cursor + 1}) // it may be out of sight
	}
	r.list.Refresh()
}

// paint shows the row at an index, or asks for it.
func (r *Screen) paint(i int, o *rowWidget) {
	row, ok := r.window.row(i)
	s := rowState{focused: r.list.focused, boxed: r.selection.all || len(r.selection.named) > 0}
	if !ok {
		s.chosen = i == r.cursor
		o.setUnread(s, r.late)
		if !r.late {
			r.wait()
		}
		if !r.placing {
			r.window.want(r.list.visible())
		}
		return
	}
	s.chosen, s.selected = row.ID == r.chosen, r.selection.has(row.ID)
	pictures := r.Thumbs
	if r.strip.on {
		pictures = r.Tiles
	}
	o.set(row, pictures.Get(row.ID, row.Medium, row.Care()), s, r.Now())
}

// narrow shows the rows of another query.
func (r *Screen) narrow(q Query) {
	if q.Order == r.window.query.Order {
		r.unselect() // only what is in the list may be selected
	}
	r.extended, r.anchor = nil, -1
	r.busy, r.again = true, false
	r.pending, r.toTop, r.opening = false, true, ""
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
	r.cursor, r.opening = -1, id
	r.list.Refresh()
	r.reveal(id)
}

// choose shows a result; the caller refreshes the list.
func (r *Screen) choose(id string) {
	r.chosen = id
	r.Viewer.Show(id)
	r.showPlace()
}
