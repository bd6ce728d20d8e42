package results

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/present"
)

// TypedRune handles a character, and reports whether it means anything here.
func (r *Screen) TypedRune(char rune) bool {
	switch char {
	case 'j', 'J':
		r.step(1)
	case 'k', 'K':
		r.step(-1)
	case 'x', 'X':
		r.toggle()
	case 'h', 'H':
		r.toggleHumanFirst()
	case 't', 'T':
		r.toggleStrip()
	case '/':
		r.focusSearch()
	case 'c', 'C':
		return r.act(selectionCase) // without a selection, the viewer adds what it shows
	default:
		return false
	}
	return true
}

// Shortcuts are the keys of the list.
func (r *Screen) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: "J, K", Does: i18n.T("Next, previous result")},
		{Keys: "X", Does: i18n.T("Select or deselect")},
		{Keys: i18n.T("Shift+↑ ↓"), Does: i18n.T("Select while moving")},
		{Keys: kit.Shortcut("A"), Does: i18n.T("Select all that match")},
		{Keys: kit.Shortcut("E"), Does: i18n.T("Report on the selection, or on the open result")},
		{Keys: "H", Does: i18n.T("What needs a human first")},
		{Keys: "T", Does: i18n.T("List or thumbnails only")},
		{Keys: "/", Does: i18n.T("Search")},
		{Keys: i18n.T("Esc"), Does: i18n.T("Clear selection")},
	}
}

// TypedKey handles a key without a character, and reports whether it means anything here.
func (r *Screen) TypedKey(e *fyne.KeyEvent) bool {
	if r.Before(e) {
		return true
	}
	switch e.Name {
	case fyne.KeyDown:
		r.step(1)
	case fyne.KeyUp:
		r.step(-1)
	case fyne.KeyPageDown:
		r.step(r.list.wholeRows())
	case fyne.KeyPageUp:
		r.step(-r.list.wholeRows())
	case fyne.KeyHome:
		r.goTo(0)
	case fyne.KeyEnd:
		r.goTo(r.window.counts.Shown - 1)
	case fyne.KeyEscape:
		r.escape()
	default:
		return false
	}
	return true
}

// SelectAll selects all that match.
func (r *Screen) SelectAll() {
	if r.window.counts.Shown == 0 {
		return
	}
	r.selection.selectAll()
	r.extended, r.anchor = nil, r.cursor
	r.selectionChanged()
}

// Move moves the cursor up or down the list.
func (r *Screen) Move(steps int) { r.goTo(max(r.cursor, 0) + steps) }

// step moves the cursor, and with Shift extends the selection.
func (r *Screen) step(steps int) {
	if r.cursor < 0 {
		r.goTo(0)
		return
	}
	if r.Modifier()&fyne.KeyModifierShift == 0 {
		r.goTo(r.cursor + steps)
		return
	}
	r.extendTo(r.cursor + steps)
}

// goTo shows the result at an index, or the nearest there is, once its row is read.
func (r *Screen) goTo(i int) {
	r.anchor, r.extended = -1, nil
	r.moveTo(i)
}

func (r *Screen) moveTo(i int) {
	if r.window.counts.Shown == 0 {
		return
	}
	r.byHand = true
	before := r.cursor
	r.cursor = min(max(i, 0), r.window.counts.Shown-1)
	row, ok := r.window.row(r.cursor)
	r.pending = !ok
	if ok {
		r.choose(row.ID)
	}
	r.readAhead(before)
	r.list.ScrollTo(r.cursor) // it also refreshes it
}

// readAhead tells the viewer what comes next for a person who goes on in the direction in which the cursor moved. A row that is not in memory is not
// read for it.
func (r *Screen) readAhead(before int) {
	next := r.cursor + 1
	if r.cursor < before {
		next = r.cursor - 1
	}
	row, _ := r.window.row(next)
	r.Viewer.ReadAhead(row.ID, row.Medium)
}

func (r *Screen) clicked(i int) {
	switch held := r.Modifier(); {
	case held&fyne.KeyModifierShift != 0:
		r.extendTo(i)
	case held&fyne.KeyModifierShortcutDefault != 0:
		r.moveTo(i)
		r.toggle()
	default:
		r.goTo(i)
	}
}

// clickedBox selects the row of an ID, or unselects it, and the viewer stays at what it shows; with Shift it selects the rows up to it.
func (r *Screen) clickedBox(id string) {
	i, ok := r.window.find(id)
	switch {
	case !ok:
	case r.Modifier()&fyne.KeyModifierShift != 0:
		r.extendTo(i)
	default:
		r.selection.set(id, !r.selection.has(id))
		r.anchor, r.extended = i, nil
		r.selectionChanged()
	}
	r.focusList()
}

// toggle selects the chosen row, or unselects it.
func (r *Screen) toggle() {
	row, ok := r.window.row(r.cursor)
	if !ok {
		return
	}
	r.selection.set(row.ID, !r.selection.has(row.ID))
	r.anchor, r.extended = r.cursor, nil
	r.selectionChanged()
}

// extendTo selects the rows from the anchor to an index, and moves the cursor there.
func (r *Screen) extendTo(i int) {
	if r.window.counts.Shown == 0 {
		return
	}
	if r.anchor < 0 {
		r.anchor = max(r.cursor, 0)
	}
	r.moveTo(i)
	first, last := min(r.anchor, r.cursor), max(r.anchor, r.cursor)
	if last-first >= selectedMost { // the far end is kept
		if r.cursor > r.anchor {
			first = last - selectedMost + 1
		} else {
			last = first + selectedMost - 1
		}
	}
	var ids []string
	for n := first; n <= last; n++ {
		row, ok := r.window.row(n)
		if !ok {
			r.gatherRange(first, last)
			return
		}
		ids = append(ids, row.ID)
	}
	r.extend(ids)
}

// gatherRange reads rows that are not in memory, to select them.
func (r *Screen) gatherRange(first, last int) {
	query := r.window.query
	r.gather(func(ctx context.Context) (func(), error) {
		rows, err := r.Answers.Rows(ctx, query, first, last-first+1)
		return func() {
			ids := make([]string, len(rows))
			for i, row := range rows {
				ids[i] = row.ID
			}
			r.extend(ids)
		}, err
	})
}

// extend selects these in place of the rows of the last extension.
func (r *Screen) extend(ids []string) {
	for _, id := range r.extended {
		r.selection.set(id, false)
	}
	r.extended = nil
	for _, id := range ids {
		if !r.selection.has(id) {
			r.selection.set(id, true)
			r.extended = append(r.extended, id)
		}
	}
	r.selectionChanged()
}

// gather reads on a worker, then calls the closure that this returns; the next gather cancels it.
func (r *Screen) gather(read func(ctx context.Context) (func(), error)) {
	r.gathering()
	r.gathering = r.Workers.Do(func(ctx context.Context) func() {
		show, err := read(ctx)
		return func() {
			r.notices.fail(err)
			if err == nil {
				show()
			}
		}
	})
}

func (r *Screen) unselect() {
	r.gathering()
	r.selection.clear()
	r.anchor, r.extended = -1, nil
	r.selectionChanged()
}

func (r *Screen) selectionChanged() {
	r.showSelection()
	r.list.Refresh()
}

// showSelection shows the actions for the selection, in place of the list's footer.
func (r *Screen) showSelection() {
	n := r.selection.count(r.window.counts.Shown)
	if n > 0 {
		r.foot.set(n)
	}
	on := r.strip.on
	r.strip.selected(n)
	kit.SetVisible(r.foot.root, n > 0 && !on)
	kit.SetVisible(r.pull.root, n == 0 && !on)
	kit.Relayout(r.foots)
	kit.Relayout(r.side)
}

// showSelected opens the menu of the actions for the selection among the thumbnails; where these can't be done with so many, the list, which says so.
func (r *Screen) showSelected() {
	if r.Selected() > selectedMost {
		r.openList()
		return
	}
	showActions(r.strip.count, selectionActions, r.act)
}

// Selected is how many results are selected.
func (r *Screen) Selected() int { return r.selection.count(r.window.counts.Shown) }

// act does an action with the selection, and reports whether there is one.
func (r *Screen) act(does selectionAction) bool {
	n := r.Selected()
	if n == 0 {
		return false
	}
	if !r.window.known { // the rows are still those of the query before
		return true
	}
	query, selected := r.window.query, r.selection.copied()
	if n > selectedMost { // the footer says so
		if does.unlimited {
			r.Export(query, selected.has, n)
		}
		return true
	}
	r.gather(func(ctx context.Context) (func(), error) {
		rows, err := selected.rows(ctx, r.Answers, query)
		return func() {
			if does.action == "" {
				r.Copy(CopiedText(rows, r.Now(), r.Sandbox))
			} else {
				ids := make([]string, len(rows))
				for i, row := range rows {
					ids[i] = row.ID
				}
				r.Act(ids, onRows(does.action, rows))
			}
			if !does.keeps {
				r.unselect()
			}
		}, err
	})
	return true
}

// onRows is what an action does with rows: those that are all marked as graphic lose the mark.
func onRows(a present.Action, rows []Row) present.Action {
	if a == present.MarkGraphic && !slices.ContainsFunc(rows, func(r Row) bool { return !r.Graphic }) {
		return present.UnmarkGraphic
	}
	return a
}

// Report makes a report of what is selected, or else of the result that is shown.
func (r *Screen) Report() {
	if !r.act(selectionReport) && r.chosen != "" {
		r.Act([]string{r.chosen}, present.Report)
	}
}

// exportAll makes a table of all that the list shows.
func (r *Screen) exportAll() {
	if !r.window.known { // the counts are still those of the query before
		return
	}
	r.Export(r.window.query, func(string) bool { return true }, r.window.counts.Shown)
}

func (r *Screen) escape() {
	switch q := r.window.query; {
	case r.Selected() > 0:
		r.unselect()
	case q.Text != "":
		q.Text = ""
		r.filters.show(q)
		r.narrow(q)
	case r.strip.open:
		r.closeList()
	}
}

func (r *Screen) toggleHumanFirst() {
	q := r.window.query
	if q.Order == HumanFirst {
		q.Order = NewestFirst
	} else {
		q.Order = HumanFirst
	}
	r.filters.show(q)
	r.narrow(q)
}

// reveal scrolls to a result whose row is not read yet. Where the filters leave it out, they are cleared.
func (r *Screen) reveal(id string) {
	query := r.window.query
	r.gather(func(ctx context.Context) (func(), error) {
		at, ok, err := r.Answers.Place(ctx, query, id)
		return func() {
			switch {
			case id != r.chosen:
			case ok:
				r.cursor, r.opening = at, ""
				r.list.ScrollTo(at)
			case query.Filtered():
				r.clearFilters()
				r.reveal(id)
			}
		}, err
	})
}

func (r *Screen) focusSearch() {
	r.openList()
	r.focus(r.filters.search)
}

func (r *Screen) focusList() { r.focus(r.list) }

func (r *Screen) focus(o fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(r.root); c != nil {
		c.Focus(o)
	}
}
