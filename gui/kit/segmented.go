package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Segmented is a choice of one among a few, side by side. When it has the focus, left and right choose the next one that is not
// disabled.
type Segmented struct {
	widget.BaseWidget
	// OnChanged is called when another option was chosen, by hand or by Select.
	OnChanged func(i int)
	// OnFocus is called when the keyboard reaches it, to bring it into sight; it may be nil.
	OnFocus func()

	options  []string
	disabled []bool
	selected int
	hovered  int
	focused  bool
}

var (
	_ fyne.Focusable    = (*Segmented)(nil)
	_ fyne.Tappable     = (*Segmented)(nil)
	_ desktop.Hoverable = (*Segmented)(nil)
	_ fyne.Accessible   = (*Segmented)(nil)
)

// NewSegmented makes the control with its first option selected, of which onChanged is not told. It may be nil.
func NewSegmented(options []string, onChanged func(i int)) *Segmented {
	s := &Segmented{OnChanged: onChanged, hovered: -1}
	s.ExtendBaseWidget(s)
	s.SetOptions(options)
	return s
}

// SetOptions replaces the options, enables all and selects the first, without telling OnChanged.
func (s *Segmented) SetOptions(options []string) {
	s.options, s.disabled, s.selected, s.hovered = options, make([]bool, len(options)), 0, -1
	s.Refresh()
}

// Options returns the options.
func (s *Segmented) Options() []string { return s.options }

// Selected returns the index of the selected option.
func (s *Segmented) Selected() int { return s.selected }

// Select selects an option; a disabled one, or an index that does not exist, is ignored.
func (s *Segmented) Select(i int) {
	if i < 0 || i >= len(s.options) || s.disabled[i] || i == s.selected {
		return
	}
	s.selected = i
	s.Refresh()
	if s.OnChanged != nil {
		s.OnChanged(i)
	}
}

// SetDisabled makes an option unavailable or available. A selected one stays selected.
func (s *Segmented) SetDisabled(i int, disabled bool) {
	if i < 0 || i >= len(s.options) || s.disabled[i] == disabled {
		return
	}
	s.disabled[i] = disabled
	s.Refresh()
}

// OptionDisabled says whether an option is unavailable.
func (s *Segmented) OptionDisabled(i int) bool { return s.disabled[i] }

// Tapped implements fyne.Tappable.
func (s *Segmented) Tapped(e *fyne.PointEvent) { s.Select(s.optionAt(e.Position.X)) }

// TypedKey implements fyne.Focusable.
func (s *Segmented) TypedKey(e *fyne.KeyEvent) {
	step := 0
	switch e.Name {
	case fyne.KeyRight, fyne.KeyDown:
		step = 1
	case fyne.KeyLeft, fyne.KeyUp:
		step = -1
	default:
		PassOnKey(s, e)
		return
	}
	for i := s.selected + step; i >= 0 && i < len(s.options); i += step {
		if !s.disabled[i] {
			s.Select(i)
			return
		}
	}
}

// TypedRune implements fyne.Focusable.
func (s *Segmented) TypedRune(char rune) { PassOn(s, char) }

// FocusGained implements fyne.Focusable.
func (s *Segmented) FocusGained() {
	s.focused = true
	s.Refresh()
	if s.OnFocus != nil {
		s.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (s *Segmented) FocusLost() { s.focused = false; s.Refresh() }

// MouseIn implements desktop.Hoverable.
func (s *Segmented) MouseIn(e *desktop.MouseEvent) { s.hover(s.optionAt(e.Position.X)) }

// MouseMoved implements desktop.Hoverable.
func (s *Segmented) MouseMoved(e *desktop.MouseEvent) { s.hover(s.optionAt(e.Position.X)) }

// MouseOut implements desktop.Hoverable.
func (s *Segmented) MouseOut() { s.hover(-1) }

func (s *Segmented) hover(i int) {
	if i == s.hovered {
		return
	}
	s.hovered = i
	s.Refresh()
}

// AccessibilityLabel implements fyne.Accessible.
func (s *Segmented) AccessibilityLabel() string {
	if len(s.options) == 0 {
		return ""
	}
	return s.options[s.selected]
}

// AccessibilityRole implements fyne.Accessible.
func (s *Segmented) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// optionWidth is that of the heavier weight, so that nothing moves when another is selected.
func optionWidth(option string) float32 {
	return look.Measure(option, look.Size(look.SizeText), look.WeightBold.Style()).Width + 24
}

func (s *Segmented) optionAt(x float32) int {
	left := float32(0)
	for i, option := range s.options {
		left += optionWidth(option)
		if x < left {
			return i
		}
	}
	return -1
}

// CreateRenderer implements fyne.Widget.
func (s *Segmented) CreateRenderer() fyne.WidgetRenderer {
	r := &segmentedRenderer{control: s, frame: newFrame(look.RadiusControl)}
	r.Refresh()
	return r
}

type segmentedRenderer struct {
	control *Segmented
	frame   *frame
	grounds []*canvas.Rectangle
	labels  []*canvas.Text
	lines   []*canvas.Rectangle
}

func (r *segmentedRenderer) Destroy() {}

func (r *segmentedRenderer) Objects() []fyne.CanvasObject {
	objects := r.frame.objects()
	for i := range r.labels {
		objects = append(objects, r.grounds[i], r.lines[i], r.labels[i])
	}
	return objects
}

func (r *segmentedRenderer) MinSize() fyne.Size {
	width := float32(0)
	for _, option := range r.control.options {
		width += optionWidth(option)
	}
	return fyne.NewSize(width, look.ControlHeight)
}

func (r *segmentedRenderer) Layout(size fyne.Size) {
	r.frame.place(0, 0, r.MinSize().Width, size.Height)
	x, line := float32(0), r.frame.line
	for i, option := range r.control.options {
		w := optionWidth(option)
		left, right := x, x+w
		first, last := i == 0, i == len(r.control.options)-1
		ground := r.grounds[i]
		ground.TopLeftCornerRadius, ground.BottomLeftCornerRadius = 0, 0
		ground.TopRightCornerRadius, ground.BottomRightCornerRadius = 0, 0
		if first {
			left += line
			ground.TopLeftCornerRadius, ground.BottomLeftCornerRadius = look.RadiusControl-line, look.RadiusControl-line
		}
		if last {
			right -= line
			ground.TopRightCornerRadius, ground.BottomRightCornerRadius = look.RadiusControl-line, look.RadiusControl-line
		}
		place(ground, left, line, right-left, size.Height-2*line)
		place(r.lines[i], x, line, look.Hairline, size.Height-2*line)
		r.lines[i].Hidden = first
		place(r.labels[i], x, 0, w, size.Height)
		x += w
	}
}

func (r *segmentedRenderer) Refresh() {
	s := r.control
	if s.focused {
		r.frame.paint(look.ColorSurface, look.ColorAccent, 2)
	} else {
		r.frame.paint(look.ColorSurface, look.ColorBorder, look.Hairline)
	}
	for len(r.labels) < len(s.options) {
		r.grounds = append(r.grounds, canvas.NewRectangle(nil))
		r.lines = append(r.lines, canvas.NewRectangle(nil))
		r.labels = append(r.labels, &canvas.Text{Alignment: fyne.TextAlignCenter})
	}
	r.grounds, r.lines, r.labels = r.grounds[:len(s.options)], r.lines[:len(s.options)], r.labels[:len(s.options)]
	for i, option := range s.options {
		ink, weight, ground := look.ColorMuted, look.WeightRegular, look.ColorHover
		switch {
		case i == s.selected:
			ink, weight, ground = look.ColorText, look.WeightBold, look.ColorSunk
		case s.disabled[i]:
			ink = look.ColorDisabled
		}
		r.grounds[i].Hidden = i != s.selected && (i != s.hovered || s.disabled[i])
		r.grounds[i].FillColor, r.lines[i].FillColor = look.Color(ground), look.Color(look.ColorBorder)
		label := r.labels[i]
		look.SetText(label, option, weight.Style())
		label.TextSize, label.Color = look.Size(look.SizeText), look.Color(ink)
		r.grounds[i].Refresh()
		r.lines[i].Refresh()
		label.Refresh()
	}
	r.Layout(s.Size())
	canvas.Refresh(s)
}
