// Package inbox is the screen of all submissions that are not filed yet, and its view model: model*.go, which decide what is shown, in which words
// and order, without the toolkit. The rest is built from gui/kit; its exported methods run on the UI thread, and none of them blocks.
package inbox

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/thumbs"
)

// Params are what the inbox needs. All functions are called on the UI thread.
type Params struct {
	Thumbs       *thumbs.Loader
	Sandbox      bool                           // say that results come from the sandbox
	Choose       func()                         // opens the file dialog
	ChooseFolder func()                         // opens the dialog for a folder
	Paste        func(text string) (taken bool) // accepts a pasted or typed link; false for any other text
	// PasteAll accepts what is on the clipboard: pictures, files, links; nil: there is no button for it.
	PasteAll     func()
	OpenSettings func()                               // shows the settings at the service and its key; nil: there is no button for it
	Act          func(ids []string, a present.Action) // does what these rows offer; for Open, there is one ID

	// SetAsksFirst lets files and links wait for the person, or be sent at once.
	SetAsksFirst func(asks bool)
	TrySample    func() // accepts a picture of Assay's own; called in the sandbox only

	PauseAll, ResumeAll, RetryFailed, ClearDone func()
}

// Screen shows the submissions and their progress; while it is empty, it is one large drop target.
type Screen struct {
	Params
	root   *fyne.Container
	empty  fyne.CanvasObject
	filled fyne.CanvasObject
	column *fyne.Container // the parts of filled

	said     string          // the last message, "" for none
	latest   Summary         // as last shown
	notices  *fyne.Container // over the empty inbox
	message  *kit.NoticeBar  // there
	obstacle *kit.NoticeBar  // there: what keeps the whole queue from going on
	strip    *dropStrip
	summary  *summaryBar
	selected *selectionBar // in place of the summary while rows are selected
	filters  *filterBar
	table    *kit.Table[*rowWidget]
	nothing  *nothingFound // instead of the table where no row matches

	rows      *List
	selection *Selection
	after     func(d time.Duration, do func()) (cancel func()) // kit.After
	watching  bool                                             // whether the pointer is over a row
	removed   map[string]bool                                  // rows whose removal can still be taken back
}

// New builds the screen.
func New(p Params) *Screen {
	b := &Screen{Params: p, rows: NewList(), after: kit.After, removed: map[string]bool{}}
	b.selection = NewSelection(b.rows)
	b.message, b.obstacle = kit.NewNoticeBar(look.IconInfo), kit.NewNoticeBar(look.IconWarning)
	b.empty = b.newEmpty()
	b.filled = b.newFilled()
	b.filled.Hide()
	b.notices = container.New(kit.Column{Gap: 0, Grow: -1}, b.message.Box, b.obstacle.Box)
	b.root = container.NewStack(b.empty, b.filled, b.notices)
	p.Thumbs.OnMade(func(id string) { // "" means all
		if id == "" {
			b.table.RefreshRows()
			return
		}
		b.table.RefreshRow(id)
	})
	return b
}

// Object is the screen's root.
func (b *Screen) Object() fyne.CanvasObject { return b.root }

// Filled reports whether there is anything in the inbox.
func (b *Screen) Filled() bool { return b.rows.Count(FilterAll) > 0 }

// Rows are the rows shown, from top to bottom.
func (b *Screen) Rows() []Row {
	rows := make([]Row, b.rows.Len())
	for i := range rows {
		rows[i] = b.rows.At(i)
	}
	return rows
}

// Checked is what colleagues have said of a row's content, as long as the person may still decide; nil for nothing.
func (b *Screen) Checked(id string) *present.Checked {
	row, _ := b.rows.Row(id)
	return row.Checked
}

// CaseOf is the ID of the case in which a colleague has shared the row's content, or what is nearly the same; "" for none.
func (b *Screen) CaseOf(id string) string {
	row, _ := b.rows.Row(id)
	if row.Checked != nil {
		return row.Checked.Case.ID
	}
	return row.HintCase
}

// Update takes changed rows, the IDs of all in the order of acceptance (nil if that has not changed), and the summary. If no row moves, only the
// changed ones are refreshed.
func (b *Screen) Update(order []string, changed []Row, overall Summary) {
	if b.rows.Update(order, changed) {
		b.rowsMoved()
	} else {
		for _, row := range changed {
			b.table.RefreshRow(row.ID)
		}
	}
	b.latest = overall
	b.summary.set(overall)
	b.showNotices()
	b.filters.count(b.rows)
	b.showSelection()
	kit.SetVisible(b.empty, !b.Filled())
	kit.SetVisible(b.filled, b.Filled())
}

// Say shows a sentence above the list, in place of the last one; "" shows none. It stays until the person dismisses it or does something else here.
func (b *Screen) Say(sentence string) {
	if b.said != sentence {
		b.said = sentence
		b.showNotices()
	}
}

// SetSending shows what happens to what is handed over.
func (b *Screen) SetSending(s Sending) { b.strip.setSending(s) }

// showNotices shows the message, what keeps the queue from going on, or what waits for the person: over the empty inbox, or else in the strip.
func (b *Screen) showNotices() {
	if kit.SetVisible(b.notices, !b.Filled()); !b.Filled() {
		said := b.message.Say(b.said, i18n.T("Dismiss"), b.dismiss)
		if b.obstacle.Say(b.latest.Notice, b.latest.HelpWords, b.doing(b.latest.Help)) || said {
			kit.RelayoutTwice(b.notices)
		}
		return
	}
	now, held := stripNotice{}, b.rows.Held()
	switch {
	case b.said != "":
		now = stripNotice{icon: look.IconInfo, title: b.latest.Notice, cut: true, text: b.said, first: stripAction{label: i18n.T("Dismiss"), do: b.dismiss}}
	case b.latest.Notice != "":
		now = stripNotice{icon: look.IconWarning, text: b.latest.Notice}
		if help := b.doing(b.latest.Help); help != nil {
			now.first = stripAction{label: b.latest.HelpWords, do: help}
		}
	case held.Files > 0:
		send, keep := held.Buttons()
		now = stripNotice{icon: look.IconQuestion, title: held.Words(), text: held.Detail(),
			first:  stripAction{send, look.IconArrowUp, func() { b.send(b.rows.HeldIDs()) }},
			second: stripAction{keep, look.IconLock, func() { b.act(b.rows.HeldIDs(), present.Withhold) }}}
	}
	b.strip.show(now)
}

func (b *Screen) dismiss() { b.Say("") }

// Answered are the IDs of the rows that were answered, shown or not.
func (b *Screen) Answered() []string { return b.rows.In(FilterAnswered) }

// ShowRemoved shows rows as removed while that can be taken back; the rows before are shown as they are again.
func (b *Screen) ShowRemoved(ids []string) {
	clear(b.removed)
	for _, id := range ids {
		b.removed[id] = true
	}
	b.table.RefreshRows()
}

// rowsMoved shows the list again after rows have come or gone.
func (b *Screen) rowsMoved() {
	b.selection.Drop()
	b.table.RowsMoved()
	b.showNothing()
}

// pointerLeft is how long the pointer must be off the rows before those move that have changed meanwhile.
const pointerLeft = 700 * time.Millisecond

// pointed keeps the rows where they are until the pointer has left them: an answer that comes in must not put another row under it.
func (b *Screen) pointed() {
	b.rows.KeepStill(true)
	if !b.watching {
		b.watching = true
		b.after(pointerLeft, b.watchPointer)
	}
}

func (b *Screen) watchPointer() {
	if b.table.AnyShown((*rowWidget).underPointer) {
		b.after(pointerLeft, b.watchPointer)
		return
	}
	b.watching = false
	if b.rows.KeepStill(false) {
		b.rowsMoved()
		b.showSelection()
	}
}

// ShowOnly shows one part of the inbox, without a search.
func (b *Screen) ShowOnly(f Filter) {
	b.filters.search.Clear()
	b.filters.tabs.Select(slices.Index(Filters(), f))
}

// Reveal moves the cursor to a row, whatever was searched for or chosen; it does nothing where the row is no longer in the inbox.
func (b *Screen) Reveal(id string) {
	if b.rows.Place(id) < 0 {
		b.ShowOnly(FilterAll)
	}
	if i := b.rows.Place(id); i >= 0 {
		b.table.MoveTo(i)
		b.focusTable()
	}
}

// choose shows the chosen part in the chosen order, from its top.
func (b *Screen) choose() {
	b.Say("")
	b.rows.Show(b.filters.filter(), b.filters.search.Text, b.filters.sort())
	b.selection.Drop()
	b.table.Reset()
	b.showNothing()
	b.showSelection()
}

// showNothing says why there is no row, with a button back to all.
func (b *Screen) showNothing() {
	kit.SetVisible(b.table.Object(), b.rows.Len() > 0)
	kit.SetVisible(b.nothing.object, b.rows.Len() == 0)
	b.nothing.say(b.filters.filter(), b.filters.search.Text)
}

// showSelection shows the actions for the selected rows, or the summary where none is selected.
func (b *Screen) showSelection() {
	n := b.selection.Len()
	kit.SetVisible(b.selected.object, n > 0)
	kit.SetVisible(b.summary.object, n == 0)
	state := kit.Unchecked
	switch {
	case n > 0 && n == b.rows.Len():
		state = kit.Checked
	case n > 0:
		state = kit.Partly
	}
	b.filters.all.SetState(state)
	if n > 0 {
		b.selected.set(n, b.selection.Offers)
	}
}

// act does an action with those of the rows that offer it.
func (b *Screen) act(ids []string, a present.Action) {
	able := b.able(ids, func(r Row) bool { return r.Can(a) })
	if len(able) == 0 {
		return
	}
	b.Say("")
	b.Act(able, a)
}

// does is act for the selected rows, or for the one at the cursor.
func (b *Screen) does(ids []string, a present.Action) {
	if a == present.Approve {
		b.send(ids)
		return
	}
	b.act(ids, a)
}

// able are those of the rows for which can is true.
func (b *Screen) able(ids []string, can func(Row) bool) (able []string) {
	for _, id := range ids {
		if row, ok := b.rows.Row(id); ok && !b.removed[id] && can(row) {
			able = append(able, id)
		}
	}
	return able
}

// send opens the sheet for rows that wait for the person's approval; if none does, for those that they withheld.
func (b *Screen) send(ids []string) {
	if held := b.able(ids, Row.Held); len(held) > 0 {
		ids = held
	}
	b.act(ids, present.Approve)
}

// doing is the function of an action on the whole, nil for none.
func (b *Screen) doing(w QueueAction) func() {
	do := map[QueueAction]func(){
		PauseAll: b.PauseAll, ResumeAll: b.ResumeAll,
		RetryFailed: b.RetryFailed, ClearDone: b.ClearDone,
		ToSettings: b.OpenSettings,
	}[w]
	if do == nil {
		return nil
	}
	return func() {
		b.Say("")
		do()
	}
}

// belowTable keeps rows away from the card's round corners.
const belowTable = 1.5 * look.Space

func (b *Screen) newFilled() fyne.CanvasObject {
	b.summary = newSummaryBar(b.doing)
	b.selected = newSelectionBar(func(a present.Action) { b.does(b.selection.IDs(), a) }, b.clearSelection)
	b.filters = newFilterBar(b.choose, b.selectAll)
	b.filters.search.OnDone = b.focusTable
	b.table = b.newTable()
	b.nothing = newNothingFound(b.filters.reset)
	b.nothing.object.Hide()

	rule := container.New(kit.AtLeast(look.Hairline), kit.NewFill(look.ColorBorder))
	card := kit.NewCard(container.New(kit.Column{Gap: 0, Grow: 2}, b.filters.object, rule,
		container.New(layout.NewCustomPaddedLayout(0, belowTable, 0, 0), container.NewStack(b.table.Object(), b.nothing.object))))
	card.SetPadding(look.Hairline)
	line := container.New(kit.AtLeast(look.ControlHeight), container.NewStack(b.summary.object, b.selected.object))
	b.strip = b.newStrip()
	objects := []fyne.CanvasObject{b.strip.object, line, card}
	if b.Sandbox {
		objects = append(objects, kit.NewText(i18n.T(present.SandboxNote),
			kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}))
	}
	const edge = 4 * look.Space
	b.column = container.New(kit.Column{Gap: 3 * look.Space, Grow: 2}, objects...)
	return container.New(layout.NewCustomPaddedLayout(edge, edge, edge, edge), b.column)
}

func (b *Screen) newTable() *kit.Table[*rowWidget] {
	return kit.NewTable(kit.TableRows[*rowWidget]{
		Name: i18n.T("Inbox"), Height: rowHeight,
		Len: b.rows.Len, Index: b.rows.Place,
		ID:  func(i int) string { return b.rows.At(i).ID },
		New: func() *rowWidget { return newRowWidget(b) },
		Fill: func(o *rowWidget, i int, cursor bool) {
			row := b.rows.At(i)
			if b.removed[row.ID] {
				row = row.Removed()
			}
			o.set(row, b.Thumbs.Get(row.ID, row.Medium, row.Care()), b.selection.Has(row.ID), cursor)
		},
		Key:  func(e *fyne.KeyEvent) bool { b.TypedKey(e); return true },
		Rune: b.typed,
	})
}
