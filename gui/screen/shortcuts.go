package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
)

// ShortcutGroup is one column's part of the shortcut sheet.
type ShortcutGroup struct {
	Title string
	Rows  []present.Shortcut
}

// ShortcutSheet lists the keys that stand for something. It lies over the window until it is closed.
type ShortcutSheet struct {
	canvas fyne.Canvas
	popup  *widget.PopUp
}

// NewShortcutSheet makes a sheet for a window's canvas; it is not shown yet.
func NewShortcutSheet(c fyne.Canvas) *ShortcutSheet { return &ShortcutSheet{canvas: c} }

// Open reports whether the sheet is shown.
func (s *ShortcutSheet) Open() bool { return s.popup != nil && s.popup.Visible() }

// Close hides the sheet.
func (s *ShortcutSheet) Close() {
	if s.popup != nil {
		s.popup.Hide()
		s.popup = nil
	}
}

// Show lists groups of keys; those without a row are left out.
func (s *ShortcutSheet) Show(groups []ShortcutGroup) {
	s.Close()
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
	shut := part.NewButton(part.Plain, "Close", nil, s.Close)
	title := part.NewText("Keys", part.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold})
	hint := part.NewText("Tab goes from one control to the next; Enter or Space uses it.", part.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})
	content := container.NewBorder(container.NewVBox(container.NewBorder(nil, nil, nil, shut, title), hint), nil, nil, nil,
		container.New(layout.NewCustomPaddedHBoxLayout(8*look.Space), columns...))
	s.popup = widget.NewModalPopUp(container.NewStack(part.NewGround(look.ColorSurface),
		container.New(layout.NewCustomPaddedLayout(4*look.Space, 4*look.Space, 4*look.Space, 4*look.Space), content)), s.canvas)
	s.popup.Show()
	s.canvas.Focus(shut)
}

func newShortcutColumn() *fyne.Container {
	return container.New(layout.NewCustomPaddedVBoxLayout(3 * look.Space))
}

const shortcutKeysWidth, shortcutWordsWidth float32 = 120, 236

func newShortcutGroup(g ShortcutGroup) fyne.CanvasObject {
	rows := []fyne.CanvasObject{part.NewText(g.Title, part.TextStyle{Size: look.SizeSmall, Weight: look.WeightBold, Color: look.ColorMuted})}
	for _, r := range g.Rows {
		rows = append(rows, container.NewHBox(
			container.New(part.FixedWidth(shortcutKeysWidth), part.NewParagraph(r.Keys, part.TextStyle{Weight: look.WeightMedium})),
			container.New(part.FixedWidth(shortcutWordsWidth), part.NewParagraph(r.Does, part.TextStyle{}))))
	}
	return container.New(layout.NewCustomPaddedVBoxLayout(look.Space), rows...)
}
