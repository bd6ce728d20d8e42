package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
)

// RowList is the toolkit's list of rows of one height, with a cursor on one of them.
type RowList struct {
	widget.List
	RowHeight float32
	CursorAt  func() int // its place, -1 for none
}

// Pitch is from the top of one row to that of the next.
func (l *RowList) Pitch() float32 { return l.RowHeight + look.Hairline }

// Reveal scrolls as little as shows a row. The toolkit's own ScrollTo makes all rows anew.
func (l *RowList) Reveal(place int) {
	top := float32(place) * l.Pitch()
	bottom := top + l.RowHeight
	switch offset, height := l.GetScrollOffset(), l.Size().Height; {
	case top < offset:
		l.ScrollToOffset(top)
	case bottom > offset+height:
		l.ScrollToOffset(bottom - height)
	}
}

// Resize implements fyne.CanvasObject. The row at the cursor stays in sight where it was.
func (l *RowList) Resize(size fyne.Size) {
	place := l.CursorAt()
	top, offset := float32(place)*l.Pitch(), l.GetScrollOffset()
	seen := place >= 0 && top >= offset && top+l.RowHeight <= offset+l.Size().Height
	l.List.Resize(size)
	if seen {
		l.Reveal(place)
	}
}

// PageRows is how many rows are in sight, but for one that stays so from one page to the next.
func (l *RowList) PageRows() int { return max(1, int(l.Size().Height/l.Pitch())-1) }

// CloseRows is the app's theme with rows that are a hairline apart.
type CloseRows struct{}

// Size implements fyne.Theme.
func (CloseRows) Size(name fyne.ThemeSizeName) float32 {
	if name == theme.SizeNamePadding {
		return look.Hairline
	}
	return look.Size(name)
}

// Color leaves out the shadow that the toolkit lays over what scrolls: the card's edge is enough.
func (CloseRows) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	if name == theme.ColorNameShadow {
		return color.Transparent
	}
	return look.Color(name)
}

// Font implements fyne.Theme.
func (CloseRows) Font(style fyne.TextStyle) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Font(style)
}

// Icon implements fyne.Theme.
func (CloseRows) Icon(name fyne.ThemeIconName) fyne.Resource {
	return fyne.CurrentApp().Settings().Theme().Icon(name)
}

// The measures that rows of lists share.
const (
	RowThumb float32 = 40
	RowSign  float32 = 16
	RowCheck float32 = 16
	RowEdge  float32 = 4 * look.Space
	RowGap   float32 = 3 * look.Space
)
