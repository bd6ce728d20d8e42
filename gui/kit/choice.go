package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Choice is the core of Tabs, Segmented, Options, SideList, Rail and Select: a choice of one among several options. It keeps the options, which one
// is selected and which one is under the pointer. Each of these widgets only draws them, and sets areas to where it has drawn them.
type Choice struct {
	Control
	// OnChanged is called when the selection changes, by the person or by Select; it may be nil.
	OnChanged func(i int)

	name        string // what is chosen, for screen readers; "" where the options say it
	options     []string
	unavailable []bool // for each option
	selected    int
	pointed     int            // index of the option under the pointer, or -1
	areas       []area         // of each option, in the last layout
	keys        []fyne.KeyName // the keys that choose another option
}

// area is where an option reacts to the pointer, in the coordinates of the widget.
type area struct{ x, y, width, height float32 }

var arrows = []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown}

// start initialises the choice for the widget w that embeds it. Keys are those that choose another option; all others go on to the window.
func (c *Choice) start(w fyne.Widget, options []string, onChanged func(i int), keys ...fyne.KeyName) {
	c.OnChanged, c.keys = onChanged, keys
	c.setOptions(options, 0)
	c.ExtendBaseWidget(w)
}

// setOptions replaces the options, enables all and selects one, without calling OnChanged.
func (c *Choice) setOptions(options []string, selected int) {
	c.options, c.unavailable = options, make([]bool, len(options))
	c.selected, c.pointed = min(max(selected, 0), max(len(options)-1, 0)), -1
	c.Refresh()
}

// Options returns the options.
func (c *Choice) Options() []string { return c.options }

// Selected returns the index of the selected option.
func (c *Choice) Selected() int { return c.selected }

// Select selects an option; a disabled one, or an index that does not exist, is ignored.
func (c *Choice) Select(i int) {
	if i < 0 || i >= len(c.options) || c.unavailable[i] || i == c.selected {
		return
	}
	c.selected = i
	c.Refresh()
	if c.OnChanged != nil {
		c.OnChanged(i)
	}
}

// SetDisabled disables or enables an option. A selected one stays selected.
func (c *Choice) SetDisabled(i int, disabled bool) {
	if i >= 0 && i < len(c.options) && c.unavailable[i] != disabled {
		c.unavailable[i] = disabled
		c.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (c *Choice) Tapped(e *fyne.PointEvent) { c.Select(c.optionAt(e.Position)) }

// optionAt returns the index of the option at a position in the widget, or -1.
func (c *Choice) optionAt(p fyne.Position) int {
	return slices.IndexFunc(c.areas[:min(len(c.areas), len(c.options))], func(a area) bool {
		return p.X >= a.x && p.X < a.x+a.width && p.Y >= a.y && p.Y < a.y+a.height
	})
}

// TypedKey implements fyne.Focusable. What is disabled is passed by.
func (c *Choice) TypedKey(e *fyne.KeyEvent) {
	if !slices.Contains(c.keys, e.Name) {
		PassOnKey(c.widget, e)
		return
	}
	from, step := c.selected, 1
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyUp:
		step = -1
	case fyne.KeyHome:
		from = -1
	case fyne.KeyEnd:
		from, step = len(c.options), -1
	}
	for i := from + step; i >= 0 && i < len(c.options); i += step {
		if !c.unavailable[i] {
			c.Select(i)
			return
		}
	}
}

// MouseIn implements desktop.Hoverable.
func (c *Choice) MouseIn(e *desktop.MouseEvent) {
	if e != nil {
		c.pointed = c.optionAt(e.Position)
	}
	c.Control.MouseIn(e)
}

// MouseMoved implements desktop.Hoverable.
func (c *Choice) MouseMoved(e *desktop.MouseEvent) {
	c.Control.MouseMoved(e)
	if i := c.optionAt(e.Position); i != c.pointed {
		c.pointed = i
		c.Refresh()
	}
}

// MouseOut implements desktop.Hoverable.
func (c *Choice) MouseOut() {
	c.pointed = -1
	c.Control.MouseOut()
}

// Cursor implements desktop.Cursorable.
func (c *Choice) Cursor() desktop.Cursor {
	if c.pointed < 0 {
		return desktop.DefaultCursor
	}
	return c.Control.Cursor()
}

// chosen is the selected option; "" where there is none.
func (c *Choice) chosen() string {
	if len(c.options) == 0 {
		return ""
	}
	return c.options[c.selected]
}

// SetName implements Named.
func (c *Choice) SetName(name string) { c.name = name }

// AccessibilityLabel implements fyne.Accessible.
func (c *Choice) AccessibilityLabel() string { return c.named(name(c.name, c.chosen())) }
