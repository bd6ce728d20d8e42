package folders

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// fileChooser is the list of a folder's files, to tick those to be taken.
type fileChooser struct {
	root   *fyne.Container
	foot   fyne.CanvasObject
	card   *card
	all    *kit.Check
	listed *kit.Text
	list   *fileList

	files  []File
	ticked map[string]bool // by path
	count  int
	bytes  int64
}

func newFileChooser(c *card) *fileChooser {
	h := &fileChooser{card: c, ticked: map[string]bool{}}
	h.all = kit.NewCheck("", h.tickAll)
	h.listed = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd, Align: fyne.TextAlignTrailing})
	h.list = newFileList(h)
	head := container.NewBorder(nil, nil, kit.Outdented(h.all), nil, h.listed)
	card := kit.NewCard(container.NewThemeOverride(h.list, kit.CloseRows{}))
	card.SetPadding(0)
	h.root = container.New(kit.Column{Gap: look.Space, Grow: 1}, head, card)
	h.foot = container.NewBorder(nil, nil, nil, kit.NewButton(kit.Primary, i18n.T("Done"), nil, func() { c.choose(false) }))
	h.root.Hide()
	h.foot.Hide()
	h.sum()
	return h
}

// set shows the files. Those that were ticked stay so if they are still there.
func (h *fileChooser) set(inside Inside) {
	h.files = inside.Newest
	h.listed.SetText(inside.Listed())
	h.sum()
	h.list.Refresh()
}

// sum shows how many files are ticked.
func (h *fileChooser) sum() {
	h.count, h.bytes = 0, 0
	for _, f := range h.files {
		if h.ticked[f.Path] {
			h.count++
			h.bytes += f.Bytes
		}
	}
	h.all.SetLabel(ChosenWords(h.count, h.bytes))
	switch h.count {
	case 0:
		h.all.SetState(kit.Unchecked)
	case len(h.files):
		h.all.SetState(kit.Checked)
	default:
		h.all.SetState(kit.Partly)
	}
}

func (h *fileChooser) tickAll(ticked bool) {
	for _, f := range h.files {
		h.ticked[f.Path] = ticked
	}
	h.sum()
	h.list.Refresh()
	h.card.changed(false)
}

func (h *fileChooser) toggle(i int) {
	if i < 0 || i >= len(h.files) {
		return
	}
	path := h.files[i].Path
	h.ticked[path] = !h.ticked[path]
	h.sum()
	h.list.RefreshItem(i)
	h.card.changed(false)
}

// paths returns the ticked files of the list in its order.
func (h *fileChooser) paths() []string {
	var paths []string
	for _, f := range h.files {
		if h.ticked[f.Path] {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

const fileRowHeight float32 = 32

// fileList is the toolkit's list, in which Up and Down move and Space ticks.
type fileList struct {
	widget.List
	chooser *fileChooser
	cursor  int
	focused bool
}

var _ fyne.Focusable = (*fileList)(nil)

func newFileList(h *fileChooser) *fileList {
	l := &fileList{chooser: h}
	l.Length = func() int { return len(h.files) }
	l.CreateItem = func() fyne.CanvasObject { return newFileRow() }
	l.UpdateItem = func(i widget.ListItemID, o fyne.CanvasObject) {
		if i < len(h.files) {
			o.(*fileRow).set(h.files[i], h.ticked[h.files[i].Path], l.focused && i == l.cursor, h.card.screen.Now())
		}
	}
	l.OnSelected = func(i widget.ListItemID) {
		l.UnselectAll() // the box shows what is chosen
		l.move(i)
		h.toggle(i)
	}
	l.ExtendBaseWidget(l)
	return l
}

// TypedKey implements fyne.Focusable.
func (l *fileList) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyDown:
		l.move(l.cursor + 1)
	case fyne.KeyUp:
		l.move(l.cursor - 1)
	case fyne.KeyPageDown:
		l.move(l.cursor + fileListPage)
	case fyne.KeyPageUp:
		l.move(l.cursor - fileListPage)
	case fyne.KeyHome:
		l.move(0)
	case fyne.KeyEnd:
		l.move(len(l.chooser.files) - 1)
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		l.chooser.toggle(l.cursor)
	default:
		kit.PassOnKey(l, e)
	}
}

// fileListPage is the number of rows of a page.
const fileListPage = 6

// move moves to the row with an index, or to the nearest.
func (l *fileList) move(to int) {
	before := l.cursor
	l.cursor = max(0, min(to, len(l.chooser.files)-1))
	l.RefreshItem(before)
	l.ScrollTo(l.cursor)
	l.RefreshItem(l.cursor)
}

// FocusGained implements fyne.Focusable.
func (l *fileList) FocusGained() { l.focused = true; l.Refresh() }

// FocusLost implements fyne.Focusable.
func (l *fileList) FocusLost() { l.focused = false; l.Refresh() }

// AccessibilityLabel implements fyne.Accessible: it is the file at the cursor.
func (l *fileList) AccessibilityLabel() string {
	if l.cursor >= len(l.chooser.files) {
		return i18n.T("Files")
	}
	f := l.chooser.files[l.cursor]
	if l.chooser.ticked[f.Path] {
		return i18n.F("%s, chosen", f.Name)
	}
	return i18n.F("%s, not chosen", f.Name)
}

// AccessibilityRole implements fyne.Accessible.
func (l *fileList) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// TypedRune implements fyne.Focusable.
func (l *fileList) TypedRune(r rune) { kit.PassOn(l, r) }

// fileRow shows a file with its box, size and date.
type fileRow struct {
	widget.BaseWidget
	ring, plain      *kit.Fill // of the row that Space ticks
	box              *kit.CheckMark
	name, size, date *kit.Text
}

func newFileRow() *fileRow {
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Align: fyne.TextAlignTrailing}
	r := &fileRow{ring: kit.NewFill(look.ColorAccent), plain: kit.NewFill(look.ColorSurface), box: kit.NewCheckMark(), name: kit.NewText("", kit.TextStyle{Ellipsis: look.EllipsisMiddle}),
		size: kit.NewText("", small), date: kit.NewText("", small)}
	r.ExtendBaseWidget(r)
	return r
}

func (r *fileRow) set(f File, ticked, cursor bool, now time.Time) {
	kit.SetVisible(r.ring, cursor)
	kit.SetVisible(r.plain, cursor)
	r.box.SetState(kit.Unchecked)
	if ticked {
		r.box.SetState(kit.Checked)
	}
	r.name.SetText(f.Name)
	r.size.SetText(f.Size())
	r.date.SetText(f.When(now))
}

// CreateRenderer implements fyne.Widget.
func (r *fileRow) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(fileRowLayout{}, r.ring, r.plain, r.box, r.name, r.size, r.date))
}

// fileRowLayout aligns size and date in columns at the right.
type fileRowLayout struct{}

// Layout implements fyne.Layout.
func (fileRowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const edge, gap, sizeWidth, dateWidth = 3 * look.Space, 3 * look.Space, 76, 116
	line := func(o fyne.CanvasObject, x, width float32) {
		kit.PlaceInRow(o, x, size.Height, width, o.MinSize().Height)
	}
	const ring = 2
	objects[0].Resize(size)
	objects[1].Move(fyne.NewSquareOffsetPos(ring))
	objects[1].Resize(size.SubtractWidthHeight(2*ring, 2*ring))
	objects = objects[2:]
	kit.PlaceInRow(objects[0], edge, size.Height, kit.RowCheck, kit.RowCheck)
	x := edge + kit.RowCheck + gap
	right := size.Width - edge
	line(objects[3], right-dateWidth, dateWidth)
	right -= dateWidth
	line(objects[2], right-sizeWidth, sizeWidth)
	right -= sizeWidth
	line(objects[1], x, max(0, right-gap-x))
}

// MinSize implements fyne.Layout.
func (fileRowLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(320, fileRowHeight)
}
