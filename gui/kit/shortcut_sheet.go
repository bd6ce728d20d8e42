package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/look"
	"assay/gui/present"
)

// ShortcutGroup is a titled group of keys in the shortcut sheet.
type ShortcutGroup struct {
	Title string
	Rows  []present.Shortcut
}

// ShowShortcuts lists groups of keys in the window's sheet; groups without a row are left out.
func ShowShortcuts(s *Sheet, groups []ShortcutGroup) {
	columns := []fyne.CanvasObject{newShortcutColumn(), newShortcutColumn()}
	heights := make([]int, len(columns))
	for _, g := range groups {
		if len(g.Rows) == 0 {
			continue
		}
		shortest := 0
		if heights[1] < heights[0] {
			shortest = 1
		}
		columns[shortest].(*fyne.Container).Add(newShortcutGroup(g))
		heights[shortest] += len(g.Rows) + 2
	}
	s.Show(SheetContent{
		Title:   i18n.T("Keys"),
		Body:    container.New(shortcutColumns{}, columns...),
		Left:    NewHint(i18n.T("Tab goes from one control to the next; Enter or Space uses it.")),
		Buttons: []*Button{NewButton(Plain, i18n.T("Close"), nil, s.Close)},
		Width:   2*(shortcutKeysWidth+shortcutWordsWidth) + shortcutGap + 2*SheetPad,
	})
}

func newShortcutColumn() *fyne.Container {
	return container.New(Column{Gap: 3 * look.Space, Grow: -1})
}

const shortcutKeysWidth, shortcutWordsWidth, shortcutGap float32 = 152, 230, 8 * look.Space

func newShortcutGroup(g ShortcutGroup) fyne.CanvasObject {
	rows := []fyne.CanvasObject{NewText(g.Title, TextStyle{Size: look.SizeSmall, Weight: look.WeightBold, Color: look.ColorMuted})}
	for _, r := range g.Rows {
		rows = append(rows, container.New(shortcutRow{}, NewParagraph(r.Keys, TextStyle{Weight: look.WeightMedium}),
			NewParagraph(r.Does, TextStyle{})))
	}
	return container.New(layout.NewCustomPaddedVBoxLayout(look.Space), rows...)
}

// shortcutRow lays out keys and words, which both wrap, side by side.
type shortcutRow struct{}

// Layout implements fyne.Layout.
func (shortcutRow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	PlaceAt(objects[0], 0, 0, shortcutKeysWidth-look.Space, size.Height)
	PlaceAt(objects[1], shortcutKeysWidth, 0, max(0, size.Width-shortcutKeysWidth), size.Height)
}

// MinSize implements fyne.Layout.
func (shortcutRow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(shortcutKeysWidth+80, max(objects[0].MinSize().Height, objects[1].MinSize().Height))
}

// shortcutColumns lays out two columns of equal width side by side, aligned at the top.
type shortcutColumns struct{}

// Layout implements fyne.Layout.
func (shortcutColumns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := (size.Width - shortcutGap) / 2
	for i, o := range objects {
		PlaceAt(o, float32(i)*(width+shortcutGap), 0, width, WrappedHeight(o, width))
	}
}

// MinSize implements fyne.Layout.
func (shortcutColumns) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	for _, o := range objects {
		size = fyne.NewSize(size.Width+shortcutKeysWidth+80+shortcutGap, max(size.Height, o.MinSize().Height))
	}
	return size
}
