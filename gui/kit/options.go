package kit

import (
	"math"
	"slices"

	"assay/gui/look"
	"assay/gui/present"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Option is one of several things to choose, with a line that explains it.
type Option = present.Option

// Options is a choice of one among several options with a line of explanation each, listed vertically. When it has the focus, the arrows choose the
// next option that is enabled. Its height follows from the width of the last layout.
type Options struct {
	Choice
	all []Option
}

// NewOptions makes the control with its first option selected. onChanged is not called for that.
func NewOptions(options []Option, onChanged func(i int)) *Options {
	o := &Options{all: slices.Clone(options)}
	words := make([]string, len(options))
	for i, option := range options {
		words[i] = option.Words
	}
	o.start(o, words, onChanged, arrows...)
	return o
}

// SetOption changes the words of one option.
func (o *Options) SetOption(i int, option Option) {
	if o.all[i] != option {
		o.all[i], o.options[i] = option, option.Words
		o.Refresh()
	}
}

// AccessibilityLabel implements fyne.Accessible.
func (o *Options) AccessibilityLabel() string {
	return o.named(name(o.name, name(o.all[o.selected].Words, o.all[o.selected].Means)))
}

// CreateRenderer implements fyne.Widget.
func (o *Options) CreateRenderer() fyne.WidgetRenderer {
	r := &optionsRenderer{control: o, ring: newFrame(look.RadiusControl), hover: &canvas.Rectangle{CornerRadius: look.RadiusControl}}
	for range o.all {
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
	o.areas = o.areas[:0]
	y, width := float32(0), max(0, size.Width-optionText-optionSide)
	for i, row := range r.rows {
		line := row.words.MinSize().Height
		row.means.Resize(fyne.NewSize(width, row.means.Size().Height)) // the width first: the height follows from it
		height := row.height()
		o.areas = append(o.areas, area{0, y, size.Width, height})
		if i == o.selected {
			r.ring.place(0, y, size.Width, height)
		}
		if i == o.pointed {
			PlaceAt(r.hover, 0, y, size.Width, height)
		}
		top := float32(math.Round(float64(y + optionPad + (line-optionDot)/2))) // on whole pixels, or the ring is uneven
		PlaceAt(row.outer, optionSide, top, optionDot, optionDot)
		inset := look.Hairline
		if i == o.selected {
			inset = 5
		}
		PlaceAt(row.inner, optionSide+inset, top+inset, optionDot-2*inset, optionDot-2*inset)
		PlaceAt(row.words, optionText, y+optionPad, width, line)
		PlaceAt(row.means, optionText, y+optionPad+line, width, row.means.MinSize().Height)
		y += height
	}
}

func (r *optionsRenderer) Refresh() {
	o := r.control
	if o.ring() {
		r.ring.paint(look.ColorSurface, look.ColorAccent, 2)
	} else {
		r.ring.paint("", "", 0)
	}
	r.hover.FillColor = look.Color(look.ColorHover)
	r.hover.Hidden = o.pointed < 0 || o.unavailable[o.pointed]
	r.hover.Refresh()
	for i, row := range r.rows {
		ink, muted, outer, inner := look.ColorText, look.ColorMuted, look.ColorNeutral, look.ColorSurface
		if i == o.selected {
			outer, inner = look.ColorAccent, look.ColorOnAccent
		}
		if o.unavailable[i] {
			ink, muted, outer = look.ColorDisabled, look.ColorDisabled, look.ColorDisabled
		}
		row.outer.FillColor, row.inner.FillColor = look.Color(outer), look.Color(inner)
		row.outer.Refresh()
		row.inner.Refresh()
		row.words.text, row.words.style.Color = o.all[i].Words, ink
		row.words.Refresh()
		row.means.text, row.means.style.Color = o.all[i].Means, muted
		row.means.Refresh()
	}
	r.Layout(o.Size())
	canvas.Refresh(o)
}

// SideList is a vertical list of pages of which one is shown. When it has the focus, Up, Down, Home and End choose.
type SideList struct{ Choice }

const (
	sideListRow  float32 = 36
	sideListSide float32 = 3 * look.Space
)

// NewSideList makes the list with its first page selected. onChanged is not called for that.
func NewSideList(names []string, onChanged func(i int)) *SideList {
	l := &SideList{}
	l.start(l, names, onChanged, fyne.KeyUp, fyne.KeyDown, fyne.KeyHome, fyne.KeyEnd)
	return l
}

// CreateRenderer implements fyne.Widget.
func (l *SideList) CreateRenderer() fyne.WidgetRenderer {
	rows := make([]*frame, len(l.options))
	words := make([]*canvas.Text, len(l.options))
	r := &renderer{}
	for i := range l.options {
		rows[i], words[i] = newFrame(look.RadiusControl), canvas.NewText("", nil)
		r.objects = append(append(r.objects, rows[i].objects()...), words[i])
	}
	weight := func(i int) look.Weight {
		if i == l.selected {
			return look.WeightBold
		}
		return look.WeightRegular
	}
	r.layout = func(size fyne.Size) {
		l.areas = l.areas[:0]
		for i, name := range l.options {
			y := float32(i) * sideListRow
			l.areas = append(l.areas, area{0, y, size.Width, sideListRow})
			rows[i].place(0, y, size.Width, sideListRow)
			style := weight(i).Style()
			look.SetText(words[i], look.Fit(name, size.Width-2*sideListSide, look.Size(look.SizeText), style, look.EllipsisEnd), style)
			PlaceAt(words[i], sideListSide, y, size.Width-2*sideListSide, sideListRow)
		}
	}
	r.minSize = func() fyne.Size {
		size := fyne.NewSize(0, sideListRow*float32(len(l.options)))
		for _, name := range l.options {
			width := look.Measure(name, look.Size(look.SizeText), look.WeightBold.Style()).Width
			size.Width = max(size.Width, width+2*sideListSide)
		}
		return size
	}
	r.refresh = func() {
		for i := range l.options {
			fill, outline, ink := fyne.ThemeColorName(""), fyne.ThemeColorName(""), look.ColorMuted
			switch i {
			case l.selected:
				fill, ink = look.ColorSunk, look.ColorText
			case l.pointed:
				fill, ink = look.ColorHover, look.ColorText
			}
			if i == l.selected && l.ring() {
				outline = look.ColorAccent
			}
			rows[i].paint(fill, outline, 2)
			words[i].TextSize, words[i].Color = look.Size(look.SizeText), look.Color(ink)
		}
		r.layout(l.Size())
		for _, w := range words {
			w.Refresh()
		}
		canvas.Refresh(l)
	}
	r.refresh()
	return r
}
