package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Select is a button that shows the chosen option and opens a menu of all. Enter, Space and Down open it too.
type Select struct {
	Choice
	// MaxWidth limits the words on the button, in device-independent pixels; the menu shows them in full.
	MaxWidth float32

	kind Kind
}

// NewSelect makes it with the first option chosen. onChanged is not called for that. Kind is Plain, or Bare within a line of words.
func NewSelect(kind Kind, options []string, onChanged func(i int)) *Select {
	s := &Select{kind: kind, MaxWidth: 180}
	s.start(s, options, onChanged)
	return s
}

// SetOptions replaces the options and chooses the first, without calling OnChanged.
func (s *Select) SetOptions(options []string) { s.setOptions(options, 0) }

// Tapped implements fyne.Tappable. It opens the menu.
func (s *Select) Tapped(*fyne.PointEvent) {
	over := fyne.CurrentApp().Driver().CanvasForObject(s)
	if s.disabled || len(s.options) == 0 || over == nil {
		return
	}
	items := make([]*fyne.MenuItem, len(s.options))
	for i, option := range s.options {
		items[i] = fyne.NewMenuItem(option, func() { s.Select(i) })
		items[i].Checked = i == s.selected
	}
	menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), over)
	menu.ShowAtRelativePosition(fyne.NewPos(0, s.Size().Height+look.Space), s)
	menu.Resize(fyne.NewSize(max(menu.MinSize().Width, s.Size().Width), menu.MinSize().Height))
}

// TypedKey implements fyne.Focusable.
func (s *Select) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyDown {
		s.Tapped(nil)
		return
	}
	s.Control.TypedKey(e)
}

// Cursor implements desktop.Cursorable.
func (s *Select) Cursor() desktop.Cursor { return s.Control.Cursor() }

const selectArrow float32 = 14

// CreateRenderer implements fyne.Widget.
func (s *Select) CreateRenderer() fyne.WidgetRenderer {
	background := newControlBackground()
	label := canvas.NewText("", nil)
	arrow := look.NewGlyph()
	side, gap := float32(10), float32(4)
	if s.kind == Bare {
		side = 4
	}
	words, wide := "", float32(0) // at most MaxWidth
	layout := func(size fyne.Size) {
		background.place(size)
		before := label.Text
		look.SetText(label, words, label.TextStyle)
		if room := size.Width - 2*side - gap - selectArrow; size.Width > 0 && room < wide-1 {
			look.SetText(label, look.Fit(s.chosen(), max(0, room), label.TextSize, label.TextStyle, look.EllipsisMiddle), label.TextStyle)
		}
		if label.Text != before {
			label.Refresh()
		}
		w := label.MinSize().Width
		PlaceAt(label, side, 0, w, size.Height)
		x := side + w + gap
		if s.kind != Bare {
			x = size.Width - side - selectArrow
		}
		PlaceAt(arrow.Raster, x, (size.Height-selectArrow)/2, selectArrow, selectArrow)
	}
	refresh := func() {
		ink, weight := look.ColorText, look.WeightMedium
		if s.kind == Bare {
			weight = look.WeightRegular
			if !s.hovered {
				ink = look.ColorMuted
			}
		}
		if s.disabled {
			ink = look.ColorDisabled
		}
		size := look.Size(look.SizeText)
		if s.kind == Bare {
			size = look.Size(look.SizeSmall)
		}
		background.paint(s.kind, s.disabled, s.hovered, s.ring())
		words = look.Fit(s.chosen(), s.MaxWidth, size, weight.Style(), look.EllipsisMiddle)
		wide = look.Measure(words, size, weight.Style()).Width
		label.TextSize, label.TextStyle, label.Color = size, weight.Style(), look.Color(ink)
		layout(s.Size())
		label.Refresh()
		arrow.Set(look.Tinted(look.IconChevronDown, ink))
		canvas.Refresh(s)
	}
	refresh()
	return &renderer{
		objects: append(background.objects(), label, arrow.Raster),
		layout:  layout,
		minSize: func() fyne.Size {
			return fyne.NewSize(2*side+wide+gap+selectArrow, look.ControlHeight)
		},
		refresh: refresh,
	}
}
