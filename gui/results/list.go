package results

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// list is the toolkit's list, which makes objects for visible rows only; it passes keys to the screen, which knows the cursor.
type list struct {
	kit.RowList
	keys    func(*fyne.KeyEvent) bool
	says    func(i int) string // of a row, for screen readers
	focused bool
}

func newList(length func() int, create func() fyne.CanvasObject, update func(i widget.ListItemID, o fyne.CanvasObject)) *list {
	l := &list{}
	l.RowHeight, l.CursorAt = rowHeight, func() int { return -1 }
	l.Length, l.CreateItem, l.UpdateItem = length, create, update
	l.ExtendBaseWidget(l)
	return l
}

// object is the list with its rows a hairline apart.
func (l *list) object() fyne.CanvasObject {
	return container.NewThemeOverride(l, kit.CloseRows{Shadow: true})
}

// visible are the rows on screen, complete or not.
func (l *list) visible() span {
	first := int(math.Floor(float64(l.GetScrollOffset()) / l.stride()))
	end := int(math.Ceil(float64(l.GetScrollOffset()+l.Size().Height) / l.stride()))
	return span{max(0, first), max(end, first+1)}
}

// wholeRows is how many rows are to be seen at once, at least one.
func (l *list) wholeRows() int { return max(1, int(float64(l.Size().Height)/l.stride())) }

// TypedKey implements fyne.Focusable.
func (l *list) TypedKey(e *fyne.KeyEvent) { l.keys(e) }

// TypedRune implements fyne.Focusable.
func (l *list) TypedRune(char rune) { kit.PassOn(l, char) }

// FocusGained implements fyne.Focusable. The chosen row shows the focus.
func (l *list) FocusGained() { l.focused = true; l.Refresh() }

// FocusLost implements fyne.Focusable.
func (l *list) FocusLost() { l.focused = false; l.Refresh() }

// AccessibilityLabel implements fyne.Accessible: it is the row at the cursor.
func (l *list) AccessibilityLabel() string {
	if row := l.says(l.CursorAt()); row != "" {
		return row
	}
	return i18n.T("Results")
}

// AccessibilityRole implements fyne.Accessible.
func (l *list) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

// stride is from one row's top to the next one's.
func (l *list) stride() float64 { return float64(l.Pitch()) }

// become makes all rows anew, of another height. What was the first row in sight still is, and what keys act on stays in sight.
func (l *list) become(height float32) {
	first, cursor := l.visible().first, l.CursorAt()
	seen := cursor >= 0 && l.Shows(cursor)
	length := l.Length
	l.Length = func() int { return 0 } // the toolkit's list gives up its rows only where there are none
	l.Refresh()
	l.RowHeight, l.Length = height, length
	l.Refresh()
	l.ScrollToOffset(float32(float64(first) * l.stride()))
	if seen {
		l.Reveal(cursor)
	}
}

// notices are shown in place of rows: there are no results yet, none matches, or the list can't be read.
type notices struct {
	root      *fyne.Container
	empty     fyne.CanvasObject
	unmatched fyne.CanvasObject
	failed    *kit.Notice
}

func newNotices(clearFilters, again func()) *notices {
	n := &notices{}
	heading := func(text string) fyne.CanvasObject {
		return kit.NewParagraph(text, kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Align: fyne.TextAlignCenter})
	}
	muted := func(text string) fyne.CanvasObject {
		return kit.NewParagraph(text, kit.TextStyle{Color: look.ColorMuted, Align: fyne.TextAlignCenter})
	}
	centred := func(objects ...fyne.CanvasObject) fyne.CanvasObject {
		const edge = 4 * look.Space
		return container.New(layout.NewCustomPaddedLayout(8*look.Space, 0, edge, edge),
			container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, objects...))
	}
	n.empty = centred(heading(i18n.T("Nothing has been answered yet")), muted(i18n.T("Drop a file anywhere in this window. Its result will appear here.")))
	n.unmatched = centred(heading(i18n.T("Nothing matches")), muted(i18n.T("No result matches the search and filters above.")),
		container.NewCenter(kit.NewButton(kit.Plain, i18n.T("Clear filters"), nil, clearFilters)))
	n.failed = kit.NewNotice(look.IconWarning, "", i18n.T("Try again"), again)
	n.root = container.NewStack(n.empty, n.unmatched,
		container.New(kit.Column{Gap: 0, Grow: -1}, container.New(layout.NewCustomPaddedLayout(2*look.Space, 0, 2*look.Space, 2*look.Space), n.failed)))
	n.empty.Hide()
	n.unmatched.Hide()
	n.failed.Hide()
	return n
}

// hide says nothing of that until it is known whether there are rows.
func (n *notices) hide() { n.show(1, false) }

// show says why there are no rows.
func (n *notices) show(rows int, filtered bool) {
	kit.SetVisible(n.empty, rows == 0 && !filtered)
	kit.SetVisible(n.unmatched, rows == 0 && filtered)
	n.root.Refresh()
}

// fail says why the list can't be read; nil hides that.
func (n *notices) fail(err error) {
	if err != nil {
		n.failed.SetText(i18n.T("The list can't be read.") + " " + present.Problem(err))
	}
	kit.SetVisible(n.failed, err != nil)
	n.root.Refresh()
}
