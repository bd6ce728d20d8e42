package kit

import (
	"math"

	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
)

// Slider sets a whole number from 0 to 100: by dragging, clicking, the arrows (1), Page Up and Down (10), Home and End. Fyne's own slider draws its
// track in the colour of fields, which can't be seen on a surface.
type Slider struct {
	Control
	// OnChanged is called with each new value, also by SetValue; it may be nil.
	OnChanged func(value float64)
	// Name says for screen readers what it sets.
	Name string

	value float64
}

// NewSlider makes a slider at a value. onChanged is not called for that, and may be nil.
func NewSlider(value float64, onChanged func(value float64)) *Slider {
	s := &Slider{value: wholePercent(value), OnChanged: onChanged}
	s.ExtendBaseWidget(s)
	return s
}

func wholePercent(value float64) float64 { return math.Round(math.Min(math.Max(value, 0), 100)) }

// SetValue sets the value, clamped to 0..100.
func (s *Slider) SetValue(value float64) {
	value = wholePercent(value)
	if value == s.value {
		return
	}
	s.value = value
	s.Refresh()
	if s.OnChanged != nil {
		s.OnChanged(value)
	}
}

// setAt sets the value at a position on the track, of which both ends are easy to reach.
func (s *Slider) setAt(x float32) {
	if span := s.Size().Width - sliderThumb; span > 0 && !s.disabled {
		s.SetValue(float64((x - sliderThumb/2) / span * 100))
	}
}

// Tapped implements fyne.Tappable.
func (s *Slider) Tapped(e *fyne.PointEvent) { s.setAt(e.Position.X) }

// Dragged implements fyne.Draggable.
func (s *Slider) Dragged(e *fyne.DragEvent) { s.setAt(e.Position.X) }

// DragEnd implements fyne.Draggable.
func (s *Slider) DragEnd() {}

// TypedKey implements fyne.Focusable.
func (s *Slider) TypedKey(e *fyne.KeyEvent) {
	if s.disabled {
		PassOnKey(s, e)
		return
	}
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyDown:
		s.SetValue(s.value - 1)
	case fyne.KeyRight, fyne.KeyUp:
		s.SetValue(s.value + 1)
	case fyne.KeyPageDown:
		s.SetValue(s.value - 10)
	case fyne.KeyPageUp:
		s.SetValue(s.value + 10)
	case fyne.KeyHome:
		s.SetValue(0)
	case fyne.KeyEnd:
		s.SetValue(100)
	default:
		PassOnKey(s, e)
	}
}

// Cursor implements desktop.Cursorable.
func (s *Slider) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// AccessibilityLabel implements fyne.Accessible.
func (s *Slider) AccessibilityLabel() string {
	return s.named(name(s.Name, i18n.Number(s.value, 0)))
}

const (
	sliderThumb float32 = 14
	sliderTrack float32 = 4
	sliderHalo  float32 = 22
)

// CreateRenderer implements fyne.Widget.
func (s *Slider) CreateRenderer() fyne.WidgetRenderer {
	track, active, halo := canvas.NewRectangle(nil), canvas.NewRectangle(nil), canvas.NewRectangle(nil)
	thumb := newFrame(sliderThumb / 2)
	track.CornerRadius, active.CornerRadius, halo.CornerRadius = sliderTrack/2, sliderTrack/2, sliderHalo/2
	layout := func(size fyne.Size) {
		middle := size.Height / 2
		x := float32(s.value/100) * (size.Width - sliderThumb)
		PlaceAt(track, 0, middle-sliderTrack/2, size.Width, sliderTrack)
		PlaceAt(active, 0, middle-sliderTrack/2, x+sliderThumb/2, sliderTrack)
		thumb.place(x, middle-sliderThumb/2, sliderThumb, sliderThumb)
		PlaceAt(halo, x+(sliderThumb-sliderHalo)/2, middle-sliderHalo/2, sliderHalo, sliderHalo)
	}
	refresh := func() {
		colour := look.ColorAccent
		if s.disabled {
			colour = look.ColorDisabled
		}
		track.FillColor, active.FillColor = look.Color(look.ColorTrack), look.Color(colour)
		halo.Hidden = s.disabled || !s.ring() && !s.hovered
		halo.FillColor = look.Color(look.ColorHover)
		if s.ring() {
			halo.FillColor = look.Color(theme.ColorNameFocus)
		}
		thumb.paint(look.ColorSurface, colour, 2)
		track.Refresh()
		active.Refresh()
		halo.Refresh()
		layout(s.Size())
		canvas.Refresh(s)
	}
	refresh()
	return &renderer{
		objects: append([]fyne.CanvasObject{track, active, halo}, thumb.objects()...),
		layout:  layout,
		minSize: func() fyne.Size { return fyne.NewSize(120, sliderHalo) },
		refresh: refresh,
	}
}
