// Package folders is the screen of the watched folders, and its view model (model*.go, which do not use the toolkit). It is composed of gui/kit; its
// exported methods must be called on the UI thread, and none of them blocks.
package folders

import (
	"context"
	"time"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/work"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// Params are what the screen needs. Functions with a ctx read the disk and are called on Workers, all others on the UI thread. Errors are shown by
// their own sentence.
type Params struct {
	Workers *work.Workers
	// NewForm returns the form for a folder that is not watched yet.
	NewForm func(path string) Form
	// Choose opens the system's dialog for a folder, and calls chosen with the path on the UI thread.
	Choose func(chosen func(path string))
	// PickCase asks for a case, and calls chosen with its ID and title.
	PickCase func(chosen func(id, title string))
	// Look returns which files of a folder count with these settings, or why it can't be watched.
	Look func(ctx context.Context, f Form) (Inside, error)
	// Add starts to watch a folder. chosen are paths of files in it, for Choose.
	Add func(ctx context.Context, f Form, begin Begin, chosen []string) error
	// Change changes a folder's settings, except its path.
	Change func(ctx context.Context, id string, f Form) error
	Pause  func(ctx context.Context, id string) error
	Resume func(ctx context.Context, id string) error
	Remove func(ctx context.Context, id string) error
	// Undo undoes the last Remove of this folder.
	Undo        func(ctx context.Context, id string) error
	OpenInFiles func(path string) // shows the folder in the system's file manager, without waiting for it
	ShowHeld    func(path string) // shows the files that wait for the person's approval

	Now   func() time.Time                                 // nil: time.Now
	After func(d time.Duration, do func()) (cancel func()) // runs do on the UI thread later; nil: by a timer
}

// Screen shows the watched folders or, in their place, a card for adding or changing one.
type Screen struct {
	Params
	root    *fyne.Container
	empty   fyne.CanvasObject
	filled  *fyne.Container
	list    *fyne.Container // empty or filled, and the notice
	message *kit.NoticeBar

	head          *fyne.Container
	count, detail *kit.Text
	table         *kit.Table[*rowWidget]
	heldWidth     float32 // of the widest button for files that wait, 0 if there is none
	measured      *kit.Button
	rows          []Row

	card    *card           // nil: none is open
	busy    map[string]bool // IDs of folders with an action under way
	removed string          // ID of the folder whose removal can be undone, "" for none
	unoffer func()          // cancels the timer that ends the offer
}

// New builds the screen without folders.
func New(p Params) *Screen {
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.After == nil {
		p.After = kit.After
	}
	f := &Screen{Params: p, busy: map[string]bool{}, unoffer: func() {}}
	f.message = kit.NewNoticeBar(look.IconInfo)
	f.empty = f.newEmpty()
	f.filled = f.newFilled()
	f.filled.Hide()
	f.list = container.New(kit.Column{Gap: 0, Grow: 1}, f.message.Box, container.NewStack(f.empty, f.filled))
	f.root = container.NewStack(f.list)
	return f
}

// Object is the screen's root.
func (f *Screen) Object() fyne.CanvasObject { return f.root }

// Update sets all rows in their order. Rows that did not change are not drawn again.
func (f *Screen) Update(rows []Row) {
	before := f.rows
	f.rows = append([]Row(nil), rows...)
	widest := f.widestHeld()
	if sameFolders(before, f.rows) && widest == f.heldWidth {
		for i, row := range f.rows {
			if row != before[i] {
				f.table.RefreshRow(row.ID)
			}
		}
	} else {
		f.heldWidth = widest
		f.table.RowsMoved()
	}
	count, detail := SummaryOf(f.rows)
	if count != f.count.Text() || detail != f.detail.Text() {
		f.count.SetText(count)
		f.detail.SetText(detail)
		kit.Relayout(f.head)
	}
	kit.SetVisible(f.empty, len(f.rows) == 0)
	kit.SetVisible(f.filled, len(f.rows) > 0)
}

// widestHeld is the width of the widest button for files that wait.
func (f *Screen) widestHeld() (widest float32) {
	longest := "" // digits have about one width: the button's own is that of the longest words
	for _, row := range f.rows {
		if len(row.Waiting) > len(longest) {
			longest = row.Waiting
		}
	}
	if longest == "" {
		return 0
	}
	f.measured.SetLabel(longest)
	return f.measured.MinSize().Width + look.Space
}

// sameFolders reports whether two lists have the same folders in the same order.
func sameFolders(a, b []Row) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].ID != b[i].ID {
			return false
		}
	}
	return true
}

// placeOf is the index of a folder, -1 if there is none.
func (f *Screen) placeOf(id string) int {
	for i, row := range f.rows {
		if row.ID == id {
			return i
		}
	}
	return -1
}

// row returns the folder at the cursor.
func (f *Screen) row() (Row, bool) {
	if at := f.placeOf(f.table.Cursor()); at >= 0 {
		return f.rows[at], true
	}
	return Row{}, false
}

// Tick updates the ages.
func (f *Screen) Tick() { f.table.RefreshRows() }

// Say shows a sentence above the folders, in place of the last one; "" shows none.
func (f *Screen) Say(sentence string) { f.say(sentence, i18n.T("Dismiss"), func() { f.Say("") }) }

func (f *Screen) say(sentence, action string, do func()) {
	f.unoffer()
	f.removed = ""
	if f.message.Say(sentence, action, do) {
		kit.Relayout(f.list)
	}
}

// newFilled is the screen with folders: a summary and the table.
func (f *Screen) newFilled() *fyne.Container {
	f.count = kit.NewText("", kit.TextStyle{Weight: look.WeightBold})
	f.detail = kit.NewText("", kit.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	f.table = kit.NewTable(kit.TableRows[*rowWidget]{
		Name: i18n.T("Watched folders"), Height: rowHeight,
		Len:   func() int { return len(f.rows) },
		ID:    func(i int) string { return f.rows[i].ID },
		Index: f.placeOf,
		New:   func() *rowWidget { return newRowWidget(f) },
		Fill:  func(o *rowWidget, i int, cursor bool) { o.set(f.rows[i], cursor, f.Now()) },
		Key:   f.TypedKey,
		Rune:  f.TypedRune,
	})
	add := kit.NewButton(kit.Primary, i18n.T("Add a folder…"), look.IconPlus, f.Add)
	f.head = container.New(headLayout{}, f.count, f.detail, add)
	f.measured = kit.NewButton(kit.Bare, "", look.IconInbox, nil)
	card := kit.NewCard(f.table.Object())
	card.SetPadding(0)
	const edge = 4 * look.Space
	return container.New(layout.NewCustomPaddedLayout(edge, edge, edge, edge),
		container.New(kit.Column{Gap: 3 * look.Space, Grow: 1}, f.head, card))
}

// newEmpty is the screen before the first folder.
func (f *Screen) newEmpty() fyne.CanvasObject {
	muted := kit.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter}
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Align: fyne.TextAlignCenter}
	middle := func(text string) fyne.CanvasObject { return kit.NewParagraph(text, muted) }
	content := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1},
		container.NewCenter(kit.NewRoundIcon(look.IconFolders, 72)),
		kit.NewParagraph(i18n.T("Watch a folder"), kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold, Align: fyne.TextAlignCenter}),
		middle(i18n.T("Watch a folder where a camera, a messenger or an agency saves files. Assay adds each new file once it is complete.")),
		middle(i18n.T("For each folder you choose: send its files, ask you first, or never let them leave this computer.")),
		container.New(layout.NewCustomPaddedLayout(2*look.Space, 2*look.Space, 0, 0),
			container.NewCenter(kit.NewButton(kit.Primary, i18n.T("Add a folder…"), nil, f.Add))),
		kit.NewParagraph(i18n.T("Or drop a folder on this window. Unless you choose otherwise, your files stay where they are."), small),
	)
	target := kit.NewDropTarget(content)
	target.SetPadding(kit.EmptyPad)
	return kit.NewEmptyScreen(kit.EmptyWidth, target)
}

// headLayout lays out two texts side by side, of which the second is shortened, and a button at the right.
type headLayout struct{}

// Layout implements fyne.Layout.
func (headLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 3 * look.Space
	count, detail, button := objects[0].MinSize(), objects[1].MinSize(), objects[2].MinSize()
	kit.PlaceInRow(objects[0], 0, size.Height, count.Width, count.Height)
	right := size.Width - button.Width
	kit.PlaceInRow(objects[2], right, size.Height, button.Width, button.Height)
	left := count.Width + gap
	kit.PlaceInRow(objects[1], left, size.Height, max(0, right-gap-left), detail.Height)
}

// MinSize implements fyne.Layout.
func (headLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for _, o := range objects {
		minimum := o.MinSize()
		size = fyne.NewSize(size.Width+minimum.Width+3*look.Space, max(size.Height, minimum.Height))
	}
	return size
}
