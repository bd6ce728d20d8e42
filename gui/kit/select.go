package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Select is a button that shows the option chosen and opens a menu of all; Enter, Space or down opens it from the keyboard.
type Select struct {
	widget.BaseWidget
	// OnChanged is called when another option was chosen, by hand or by Select.
	OnChanged func(i int)
	// OnFocus is called when the keyboard reaches it, to bring it into sight; it may be nil.
	OnFocus func()
	// MaxWidth bounds the words on the button, in device-independent pixels; the menu shows them whole.
	MaxWidth float32

	kind     Kind
	options  []string
	selected int
	disabled bool
	hovered  bool
	focused  bool
}

var (
	_ fyne.Focusable     = (*Select)(nil)
	_ fyne.Tappable      = (*Select)(nil)
	_ fyne.Disableable   = (*Select)(nil)
	_ desktop.Hoverable  = (*Select)(nil)
	_ desktop.Cursorable = (*Select)(nil)
	_ fyne.Accessible    = (*Select)(nil)
)

// NewSelect makes it with the first option chosen, of which onChanged is not told. Kind is Plain, or Bare for one among words.
func NewSelect(kind Kind, options []string, onChanged func(i int)) *Select {
	s := &Select{kind: kind, options: options, OnChanged: onChanged, MaxWidth: 180}
	s.ExtendBaseWidget(s)
	return s
}

// SetOptions replaces the options and chooses the first, without telling OnChanged.
func (s *Select) SetOptions(options []string) {
	s.options, s.selected = options, 0
	s.Refresh()
}

// Options returns the options.
func (s *Select) Options() []string { return s.options }

// Selected returns the index of the option chosen.
func (s *Select) Selected() int { return s.selected }

// Select chooses an option; an index that does not exist is ignored.
func (s *Select) Select(i int) {
	if i < 0 || i >= len(s.options) || i == s.selected {
		return
	}
	s.selected = i
	s.Refresh()
	if s.OnChanged != nil {
		s.OnChanged(i)
	}
}

func (s *Select) label() string {
	if s.selected >= len(s.options) {
		return ""
	}
	return s.options[s.selected]
}

// Tapped implements fyne.Tappable: it opens the menu.
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
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyDown:
		s.Tapped(nil)
	default:
		PassOnKey(s, e)
	}
}

// TypedRune implements fyne.Focusable.
func (s *Select) TypedRune(char rune) { PassOn(s, char) }

// FocusGained implements fyne.Focusable.
func (s *Select) FocusGained() {
	s.focused = true
	s.Refresh()
	if s.OnFocus != nil {
		s.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (s *Select) FocusLost() { s.focused = false; s.Refresh() }

// MouseIn implements desktop.Hoverable.
func (s *Select) MouseIn(*desktop.MouseEvent) { s.hovered = true; s.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (s *Select) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (s *Select) MouseOut() { s.hovered = false; s.Refresh() }

// Cursor implements desktop.Cursorable.
func (s *Select) Cursor() desktop.Cursor {
	if s.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// Enable implements fyne.Disableable.
func (s *Select) Enable() { s.disabled = false; s.Refresh() }

// Disable implements fyne.Disableable.
func (s *Select) Disable() { s.disabled = true; s.Refresh() }

// Disabled implements fyne.Disableable.
func (s *Select) Disabled() bool { return s.disabled }

// AccessibilityLabel implements fyne.Accessible.
func (s *Select) AccessibilityLabel() string { return s.label() }

// AccessibilityRole implements fyne.Accessible.
func (s *Select) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

const selectArrow float32 = 14

// CreateRenderer implements fyne.Widget.
func (s *Select) CreateRenderer() fyne.WidgetRenderer {
	face := newControlFace()
	label := canvas.NewText("", nil)
	arrow := look.NewGlyph()
	side, gap := float32(10), float32(4)
	if s.kind == Bare {
		side = 4
	}
	words, wide := "", float32(0) // at most MaxWidth, where there is room for it
	layout := func(size fyne.Size) {
		face.place(size)
		before := label.Text
		look.SetText(label, words, label.TextStyle)
		if room := size.Width - 2*side - gap - selectArrow; size.Width > 0 && room < wide-1 {
			look.SetText(label, look.Fit(s.label(), max(0, room), label.TextSize, label.TextStyle, look.EllipsisMiddle), label.TextStyle)
		}
		if label.Text != before {
			label.Refresh()
		}
		w := label.MinSize().Width
		place(label, side, 0, w, size.Height)
		x := side + w + gap
		if s.kind != Bare {
			x = size.Width - side - selectArrow
		}
		place(arrow.Raster, x, (size.Height-selectArrow)/2, selectArrow, selectArrow)
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
		face.paint(s.kind, s.disabled, s.hovered, s.focused)
		words = look.Fit(s.label(), s.MaxWidth, size, weight.Style(), look.EllipsisMiddle)
		wide = look.Measure(words, size, weight.Style()).Width
		label.TextSize, label.TextStyle, label.Color = size, weight.Style(), look.Color(ink)
		layout(s.Size())
		label.Refresh()
		arrow.Set(look.Tinted(look.IconChevronDown, ink))
		canvas.Refresh(s)
	}
	refresh()
	return &renderer{
		objects: append(face.objects(), label, arrow.Raster),
		layout:  layout,
		minSize: func() fyne.Size {
			return fyne.NewSize(2*side+wide+gap+selectArrow, look.ControlHeight)
		},
		refresh: refresh,
	}
}
