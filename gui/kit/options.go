package kit

import (
	"math"

	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Option is one of a few things to choose, with a line that says what it means.
type Option struct{ Words, Means string }

// Options is a choice of one among a few that need a line each, under each other. When it has the focus, up and down choose the
// next one that is not disabled. Its height follows from the width that it was last given.
type Options struct {
	widget.BaseWidget
	// OnChanged is called when another option was chosen, by hand or by Select; it may be nil.
	OnChanged func(i int)
	// OnFocus is called when the keyboard reaches it, to bring it into sight; it may be nil.
	OnFocus func()

	options  []Option
	disabled []bool
	selected int
	hovered  int
	focused  bool
	tops     []float32 // where each begins, as it was laid out; the last is the end
}

var (
	_ fyne.Focusable     = (*Options)(nil)
	_ fyne.Tappable      = (*Options)(nil)
	_ desktop.Hoverable  = (*Options)(nil)
	_ desktop.Cursorable = (*Options)(nil)
	_ fyne.Accessible    = (*Options)(nil)
)

// NewOptions makes the control with its first option selected, of which onChanged is not told.
func NewOptions(options []Option, onChanged func(i int)) *Options {
	o := &Options{OnChanged: onChanged, options: options, disabled: make([]bool, len(options)), hovered: -1}
	o.ExtendBaseWidget(o)
	return o
}

// Option returns one of them.
func (o *Options) Option(i int) Option { return o.options[i] }

// SetOption changes the words of one of them.
func (o *Options) SetOption(i int, option Option) {
	if o.options[i] == option {
		return
	}
	o.options[i] = option
	o.Refresh()
}

// Selected returns the index of the selected option.
func (o *Options) Selected() int { return o.selected }

// Select selects an option; a disabled one, or an index that does not exist, is ignored.
func (o *Options) Select(i int) {
	if i < 0 || i >= len(o.options) || o.disabled[i] || i == o.selected {
		return
	}
	o.selected = i
	o.Refresh()
	if o.OnChanged != nil {
		o.OnChanged(i)
	}
}

// SetDisabled makes an option unavailable or available. A selected one stays selected.
func (o *Options) SetDisabled(i int, disabled bool) {
	if o.disabled[i] == disabled {
		return
	}
	o.disabled[i] = disabled
	o.Refresh()
}

// OptionDisabled says whether an option is unavailable.
func (o *Options) OptionDisabled(i int) bool { return o.disabled[i] }

// Tapped implements fyne.Tappable.
func (o *Options) Tapped(e *fyne.PointEvent) { o.Select(o.optionAt(e.Position.Y)) }

// TypedKey implements fyne.Focusable.
func (o *Options) TypedKey(e *fyne.KeyEvent) {
	step := 0
	switch e.Name {
	case fyne.KeyDown, fyne.KeyRight:
		step = 1
	case fyne.KeyUp, fyne.KeyLeft:
		step = -1
	default:
		PassOnKey(o, e)
		return
	}
	for i := o.selected + step; i >= 0 && i < len(o.options); i += step {
		if !o.disabled[i] {
			o.Select(i)
			return
		}
	}
}

// TypedRune implements fyne.Focusable.
func (o *Options) TypedRune(char rune) { PassOn(o, char) }

// FocusGained implements fyne.Focusable.
func (o *Options) FocusGained() {
	o.focused = true
	o.Refresh()
	if o.OnFocus != nil {
		o.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (o *Options) FocusLost() { o.focused = false; o.Refresh() }

// MouseIn implements desktop.Hoverable.
func (o *Options) MouseIn(e *desktop.MouseEvent) { o.hover(o.optionAt(e.Position.Y)) }

// MouseMoved implements desktop.Hoverable.
func (o *Options) MouseMoved(e *desktop.MouseEvent) { o.hover(o.optionAt(e.Position.Y)) }

// MouseOut implements desktop.Hoverable.
func (o *Options) MouseOut() { o.hover(-1) }

func (o *Options) hover(i int) {
	if i == o.hovered {
		return
	}
	o.hovered = i
	o.Refresh()
}

// Cursor implements desktop.Cursorable.
func (o *Options) Cursor() desktop.Cursor { return desktop.PointerCursor }

// AccessibilityLabel implements fyne.Accessible.
func (o *Options) AccessibilityLabel() string {
	return o.options[o.selected].Words + ": " + o.options[o.selected].Means
}

// AccessibilityRole implements fyne.Accessible.
func (o *Options) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

func (o *Options) optionAt(y float32) int {
	for i := range o.options {
		if i+1 < len(o.tops) && y >= o.tops[i] && y < o.tops[i+1] {
			return i
		}
	}
	return -1
}

// CreateRenderer implements fyne.Widget.
func (o *Options) CreateRenderer() fyne.WidgetRenderer {
	r := &optionsRenderer{control: o, ring: newFrame(look.RadiusControl), hover: &canvas.Rectangle{CornerRadius: look.RadiusControl}}
	for range o.options {
		r.rows = append(r.rows, optionRow{
			outer: canvas.NewCircle(nil), inner: canvas.NewCircle(nil),
			words: NewText("", TextStyle{Weight: look.WeightMedium}), means: NewParagraph("", TextStyle{Color: look.ColorMuted}),
		})
	}
	r.Refresh()
	return r
}

const (
	optionDot  float32 = 16
	optionSide float32 = 1.5 * look.Space
	optionPad  float32 = 1.5 * look.Space
	optionText float32 = optionSide + optionDot + 2*look.Space
)

type optionRow struct {
	outer, inner *canvas.Circle
	words        *Text
	means        *Paragraph
}

func (r optionRow) height() float32 {
	return r.words.MinSize().Height + r.means.MinSize().Height + 2*optionPad
}

type optionsRenderer struct {
	control *Options
	ring    *frame
	hover   *canvas.Rectangle
	rows    []optionRow
}

func (r *optionsRenderer) Destroy() {}

func (r *optionsRenderer) Objects() []fyne.CanvasObject {
	objects := append(r.ring.objects(), r.hover)
	for _, row := range r.rows {
		objects = append(objects, row.outer, row.inner, row.words, row.means)
	}
	return objects
}

func (r *optionsRenderer) MinSize() fyne.Size {
	size := fyne.NewSize(optionText+160, 0)
	for _, row := range r.rows {
		size.Height += row.height()
	}
	return size
}

func (r *optionsRenderer) Layout(size fyne.Size) {
	o := r.control
	o.tops = o.tops[:0]
	y, width := float32(0), max(0, size.Width-optionText-optionSide)
	for i, row := range r.rows {
		o.tops = append(o.tops, y)
		line := row.words.MinSize().Height
		row.means.Resize(fyne.NewSize(width, row.means.Size().Height)) // first: the height follows from the width
		height := row.height()
		if i == o.selected {
			r.ring.place(0, y, size.Width, height)
		}
		if i == o.hovered {
			place(r.hover, 0, y, size.Width, height)
		}
		top := float32(math.Round(float64(y + optionPad + (line-optionDot)/2))) // on whole pixels, or the ring is uneven
		place(row.outer, optionSide, top, optionDot, optionDot)
		inset := look.Hairline
		if i == o.selected {
			inset = 5
		}
		place(row.inner, optionSide+inset, top+inset, optionDot-2*inset, optionDot-2*inset)
		place(row.words, optionText, y+optionPad, width, line)
		place(row.means, optionText, y+optionPad+line, width, row.means.MinSize().Height)
		y += height
	}
	o.tops = append(o.tops, y)
}

func (r *optionsRenderer) Refresh() {
	o := r.control
	if o.focused {
		r.ring.paint(look.ColorSurface, look.ColorAccent, 2)
	} else {
		r.ring.paint("", "", 0)
	}
	r.hover.FillColor = look.Color(look.ColorHover)
	r.hover.Hidden = o.hovered < 0 || o.disabled[o.hovered]
	r.hover.Refresh()
	for i, row := range r.rows {
		ink, muted, outer, inner := look.ColorText, look.ColorMuted, look.ColorNeutral, look.ColorSurface
		if i == o.selected {
			outer, inner = look.ColorAccent, look.ColorOnAccent
		}
		if o.disabled[i] {
			ink, muted, outer = look.ColorDisabled, look.ColorDisabled, look.ColorDisabled
		}
		row.outer.FillColor, row.inner.FillColor = look.Color(outer), look.Color(inner)
		row.outer.Refresh()
		row.inner.Refresh()
		row.words.text, row.words.style.Color = o.options[i].Words, ink
		row.words.Refresh()
		row.means.text, row.means.style.Color = o.options[i].Means, muted
		row.means.Refresh()
	}
	r.Layout(o.Size())
	canvas.Refresh(o)
}
