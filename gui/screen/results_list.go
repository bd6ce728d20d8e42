package screen

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/gui/kit"
	"assay/gui/look"
)

// resultsList is the toolkit's list, which makes objects for visible rows alone; keys go to the screen, which knows the
// chosen row.
type resultsList struct {
	widget.List
	keys    func(*fyne.KeyEvent) bool
	chosen  func() int // the index of the chosen row, -1 for none
	focused bool
}

func newResultsList(length func() int, create func() fyne.CanvasObject, update func(i widget.ListItemID, o fyne.CanvasObject)) *resultsList {
	l := &resultsList{List: widget.List{Length: length, CreateItem: create, UpdateItem: update}, chosen: func() int { return -1 }}
	l.ExtendBaseWidget(l)
	return l
}

// object is the list with its rows a hairline apart.
func (l *resultsList) object() fyne.CanvasObject {
	return container.NewThemeOverride(l, &hairlineTheme{Theme: look.New(look.ModeSystem)})
}

// Resize implements fyne.CanvasObject. The chosen row stays in sight where it was.
func (l *resultsList) Resize(size fyne.Size) {
	row := l.chosen()
	seen := row >= 0 && l.shows(row)
	l.List.Resize(size)
	if seen && !l.shows(row) {
		l.ScrollTo(row)
	}
}

// shows reports whether the whole of a row is in sight.
func (l *resultsList) shows(row int) bool {
	top, offset := float64(row)*resultStride, float64(l.GetScrollOffset())
	return top >= offset && top+float64(resultRowHeight) <= offset+float64(l.Size().Height)
}

// visible is the rows on screen, in whole or in part.
func (l *resultsList) visible() span {
	first := int(math.Floor(float64(l.GetScrollOffset()) / resultStride))
	end := int(math.Ceil(float64(l.GetScrollOffset()+l.Size().Height) / resultStride))
	return span{max(0, first), max(end, first+1)}
}

// wholeRows is how many rows are to be seen at once, at least one.
func (l *resultsList) wholeRows() int { return max(1, int(float64(l.Size().Height)/resultStride)) }

// TypedKey implements fyne.Focusable.
func (l *resultsList) TypedKey(e *fyne.KeyEvent) { l.keys(e) }

// TypedRune implements fyne.Focusable.
func (l *resultsList) TypedRune(char rune) { kit.PassOn(l, char) }

// FocusGained implements fyne.Focusable. The chosen row shows the focus.
func (l *resultsList) FocusGained() { l.focused = true; l.Refresh() }

// FocusLost implements fyne.Focusable.
func (l *resultsList) FocusLost() { l.focused = false; l.Refresh() }

// resultStride is from one row's top to the next one's.
const resultStride = float64(resultRowHeight + look.Hairline)

// hairlineTheme is the app's theme with a hairline for the room between a list's rows, which the toolkit takes from the padding.
type hairlineTheme struct{ fyne.Theme }

// Color implements fyne.Theme: the running app's theme may be another by now.
func (*hairlineTheme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	return fyne.CurrentApp().Settings().Theme().Color(name, variant)
}

// Size implements fyne.Theme.
func (t *hairlineTheme) Size(name fyne.ThemeSizeName) float32 {
	if name == theme.SizeNamePadding {
		return look.Hairline
	}
	return t.Theme.Size(name)
}
