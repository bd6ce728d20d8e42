package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
)

// Tabs is a row of words of which one, that of the page shown, is underlined. When it has the focus, the arrows, Home and End choose.
type Tabs struct{ Choice }

const (
	tabGap    float32 = 26 // between words, where there is room
	tabNear   float32 = 12 // where there is little
	tabHeight float32 = 34
	tabLine   float32 = 2
)

// NewTabs makes the row with its first tab selected. onChanged is not called for that.
func NewTabs(names []string, onChanged func(i int)) *Tabs {
	t := &Tabs{}
	t.start(t, names, onChanged, append(arrows, fyne.KeyHome, fyne.KeyEnd)...)
	return t
}

// SetNames replaces the tabs and selects one, without calling OnChanged.
func (t *Tabs) SetNames(names []string, selected int) { t.setOptions(names, selected) }

// tabWidth is the width in the bold font, so that nothing moves when another tab is selected.
func tabWidth(name string) float32 {
	return look.Measure(name, look.Size(look.SizeText), look.WeightBold.Style()).Width
}

// CreateRenderer implements fyne.Widget.
func (t *Tabs) CreateRenderer() fyne.WidgetRenderer {
	ring := newFrame(look.RadiusControl)
	line := canvas.NewRectangle(nil)
	r := &renderer{}
	var labels []*canvas.Text
	r.layout = func(size fyne.Size) {
		t.areas = t.areas[:0]
		gap := min(max(tabNear, (size.Width-r.minSize().Width)/float32(max(1, len(t.options)-1))+tabNear), tabGap)
		x := float32(0)
		for i, name := range t.options {
			w := tabWidth(name)
			t.areas = append(t.areas, area{x - gap/2, 0, w + gap, size.Height})
			PlaceAt(labels[i], x, 0, w, size.Height-tabLine)
			if i == t.selected {
				PlaceAt(line, x, size.Height-tabLine, w, tabLine)
				ring.place(x-6, 3, w+12, size.Height-tabLine-6)
			}
			x += w + gap
		}
	}
	r.minSize = func() fyne.Size {
		width := float32(0)
		for _, name := range t.options {
			width += tabWidth(name) + tabNear
		}
		return fyne.NewSize(max(0, width-tabNear), tabHeight)
	}
	r.refresh = func() {
		for len(labels) < len(t.options) {
			labels = append(labels, &canvas.Text{})
		}
		labels = labels[:len(t.options)]
		r.objects = append(ring.objects(), line)
		ring.paint("", "", 0)
		if t.ring() {
			ring.paint(look.ColorBackground, look.ColorAccent, 2)
		}
		line.FillColor = look.Color(look.ColorAccent)
		line.Hidden = len(t.options) == 0
		for i, name := range t.options {
			ink, weight := look.ColorMuted, look.WeightRegular
			switch i {
			case t.selected:
				ink, weight = look.ColorText, look.WeightBold
			case t.pointed:
				ink = look.ColorText
			}
			label := labels[i]
			paintText(label, name, look.SizeText, weight, ink)
			r.objects = append(r.objects, label)
		}
		line.Refresh()
		r.layout(t.Size())
		canvas.Refresh(t)
	}
	r.refresh()
	return r
}

// Segmented is a choice of one among a few options side by side. When it has the focus, the arrows choose the next option that is enabled.
type Segmented struct{ Choice }

// NewSegmented makes the control with its first option selected. onChanged is not called for that, and may be nil.
func NewSegmented(options []string, onChanged func(i int)) *Segmented {
	s := &Segmented{}
	s.start(s, options, onChanged, arrows...)
	return s
}

// SetOptions replaces the options, enables all and selects the first, without calling OnChanged.
func (s *Segmented) SetOptions(options []string) { s.setOptions(options, 0) }

// Cursor implements desktop.Cursorable.
func (s *Segmented) Cursor() desktop.Cursor { return desktop.DefaultCursor }

// segmentWidth is the width in the bold font, so that nothing moves when another option is selected.
func segmentWidth(option string) float32 {
	return look.Measure(option, look.Size(look.SizeText), look.WeightBold.Style()).Width + 24
}

// CreateRenderer implements fyne.Widget.
func (s *Segmented) CreateRenderer() fyne.WidgetRenderer {
	r := &segmentedRenderer{control: s, frame: newFrame(look.RadiusControl)}
	r.Refresh()
	return r
}

type segmentedRenderer struct {
	control     *Segmented
	frame       *frame
	backgrounds []*canvas.Rectangle
	labels      []*canvas.Text
	lines       []*canvas.Rectangle
}

func (r *segmentedRenderer) Destroy() {}

func (r *segmentedRenderer) Objects() []fyne.CanvasObject {
	objects := r.frame.objects()
	for i := range r.labels {
		objects = append(objects, r.backgrounds[i], r.lines[i], r.labels[i])
	}
	return objects
}

func (r *segmentedRenderer) MinSize() fyne.Size {
	width := float32(0)
	for _, option := range r.control.options {
		width += segmentWidth(option)
	}
	return fyne.NewSize(width, look.ControlHeight)
}

func (r *segmentedRenderer) Layout(size fyne.Size) {
	r.frame.place(0, 0, r.MinSize().Width, size.Height)
	r.control.areas = r.control.areas[:0]
	x, line := float32(0), r.frame.line
	for i, option := range r.control.options {
		w := segmentWidth(option)
		r.control.areas = append(r.control.areas, area{x, 0, w, size.Height})
		left, right := x, x+w
		first, last := i == 0, i == len(r.control.options)-1
		background := r.backgrounds[i]
		background.TopLeftCornerRadius, background.BottomLeftCornerRadius = 0, 0
		background.TopRightCornerRadius, background.BottomRightCornerRadius = 0, 0
		if first {
			left += line
			background.TopLeftCornerRadius, background.BottomLeftCornerRadius = look.RadiusControl-line, look.RadiusControl-line
		}
		if last {
			right -= line
			background.TopRightCornerRadius, background.BottomRightCornerRadius = look.RadiusControl-line, look.RadiusControl-line
		}
		PlaceAt(background, left, line, right-left, size.Height-2*line)
		PlaceAt(r.lines[i], x, line, look.Hairline, size.Height-2*line)
		r.lines[i].Hidden = first
		PlaceAt(r.labels[i], x, 0, w, size.Height)
		x += w
	}
}

func (r *segmentedRenderer) Refresh() {
	s := r.control
	if s.ring() {
		r.frame.paint(look.ColorSurface, look.ColorAccent, 2)
	} else {
		r.frame.paint(look.ColorSurface, look.ColorBorder, look.Hairline)
	}
	for len(r.labels) < len(s.options) {
		r.backgrounds = append(r.backgrounds, canvas.NewRectangle(nil))
		r.lines = append(r.lines, canvas.NewRectangle(nil))
		r.labels = append(r.labels, &canvas.Text{Alignment: fyne.TextAlignCenter})
	}
	r.backgrounds, r.lines, r.labels = r.backgrounds[:len(s.options)], r.lines[:len(s.options)], r.labels[:len(s.options)]
	for i, option := range s.options {
		ink, weight, background := look.ColorMuted, look.WeightRegular, look.ColorHover
		switch {
		case i == s.selected:
			ink, weight, background = look.ColorText, look.WeightBold, look.ColorSunk
		case s.unavailable[i]:
			ink = look.ColorDisabled
		}
		r.backgrounds[i].Hidden = i != s.selected && (i != s.pointed || s.unavailable[i])
		r.backgrounds[i].FillColor, r.lines[i].FillColor = look.Color(background), look.Color(look.ColorBorder)
		r.backgrounds[i].Refresh()
		r.lines[i].Refresh()
		paintText(r.labels[i], option, look.SizeText, weight, ink)
	}
	r.Layout(s.Size())
	canvas.Refresh(s)
}
