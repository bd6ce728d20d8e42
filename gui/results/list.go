package results

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

// list is the toolkit's list, which makes objects for visible rows alone; keys go to the screen, which knows the
// chosen row.
type list struct {
	widget.List
	keys    func(*fyne.KeyEvent) bool
	chosen  func() int // the index of the chosen row, -1 for none
	focused bool
}

func newList(length func() int, create func() fyne.CanvasObject, update func(i widget.ListItemID, o fyne.CanvasObject)) *list {
	l := &list{List: widget.List{Length: length, CreateItem: create, UpdateItem: update}, chosen: func() int { return -1 }}
	l.ExtendBaseWidget(l)
	return l
}

// object is the list with its rows a hairline apart.
func (l *list) object() fyne.CanvasObject {
	return container.NewThemeOverride(l, &hairlineTheme{Theme: look.New(look.ModeSystem)})
}

// Resize implements fyne.CanvasObject. The chosen row stays in sight where it was.
func (l *list) Resize(size fyne.Size) {
	row := l.chosen()
	seen := row >= 0 && l.shows(row)
	l.List.Resize(size)
	if seen && !l.shows(row) {
		l.ScrollTo(row)
	}
}

// shows reports whether the whole of a row is in sight.
func (l *list) shows(row int) bool {
	top, offset := float64(row)*stride, float64(l.GetScrollOffset())
	return top >= offset && top+float64(rowHeight) <= offset+float64(l.Size().Height)
}

// visible is the rows on screen, in whole or in part.
func (l *list) visible() span {
	first := int(math.Floor(float64(l.GetScrollOffset()) / stride))
	end := int(math.Ceil(float64(l.GetScrollOffset()+l.Size().Height) / stride))
	return span{max(0, first), max(end, first+1)}
}

// wholeRows is how many rows are to be seen at once, at least one.
func (l *list) wholeRows() int { return max(1, int(float64(l.Size().Height)/stride)) }

// TypedKey implements fyne.Focusable.
func (l *list) TypedKey(e *fyne.KeyEvent) { l.keys(e) }

// TypedRune implements fyne.Focusable.
func (l *list) TypedRune(char rune) { kit.PassOn(l, char) }

// FocusGained implements fyne.Focusable. The chosen row shows the focus.
func (l *list) FocusGained() { l.focused = true; l.Refresh() }

// FocusLost implements fyne.Focusable.
func (l *list) FocusLost() { l.focused = false; l.Refresh() }

// stride is from one row's top to the next one's.
const stride = float64(rowHeight + look.Hairline)

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
