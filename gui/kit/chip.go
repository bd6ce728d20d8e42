package kit

import (
	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Chip is a small pill that is on or off, with a mark or none before its words. Give it a tooltip that says what it means: a mark and a number alone
// do not.
type Chip struct {
	Control
	// OnTapped is called on a click, Enter or Space. The chip does not switch itself: OnTapped decides, and calls Set.
	OnTapped func()

	mark  look.Mark
	label string
	on    bool
}

// ChipHeight is the height of every chip, in device-independent pixels.
const ChipHeight float32 = 26

// NewChip makes a chip that is off. look.MarkNone takes no room.
func NewChip(mark look.Mark, label string, onTapped func()) *Chip {
	c := &Chip{mark: mark, label: label, OnTapped: onTapped}
	c.ExtendBaseWidget(c)
	return c
}

// Label returns its words.
func (c *Chip) Label() string { return c.label }

// On reports whether it is on.
func (c *Chip) On() bool { return c.on }

// Set changes the words and whether it is on.
func (c *Chip) Set(label string, on bool) {
	if c.label == label && c.on == on {
		return
	}
	c.label, c.on = label, on
	c.Refresh()
}

// Tapped implements fyne.Tappable.
func (c *Chip) Tapped(*fyne.PointEvent) {
	c.HideToolTip()
	if c.OnTapped != nil {
		c.OnTapped()
	}
}

// AccessibilityLabel implements fyne.Accessible.
func (c *Chip) AccessibilityLabel() string {
	label := c.ToolTip()
	if label == "" {
		label = c.label
	}
	if c.on {
		label = i18n.F("%s, chosen", label)
	}
	return c.named(label)
}

// CreateRenderer implements fyne.Widget.
func (c *Chip) CreateRenderer() fyne.WidgetRenderer {
	const side, gap, markSide float32 = 9, 5, 14
	background := newFrame(ChipHeight / 2)
	hover := &canvas.Rectangle{CornerRadius: ChipHeight / 2}
	mark := look.NewGlyph()
	label := canvas.NewText("", nil)
	left := func() float32 {
		if c.mark == look.MarkNone {
			return side
		}
		return side + markSide + gap
	}
	layout := func(size fyne.Size) {
		background.place(0, 0, size.Width, size.Height)
		PlaceAt(hover, 0, 0, size.Width, size.Height)
		PlaceAt(mark.Raster, side, (size.Height-markSide)/2, markSide, markSide)
		PlaceAt(label, left(), 0, size.Width-left()-side, size.Height)
	}
	refresh := func() {
		fill, outline, line, weight := look.ColorSurface, look.ColorBorder, look.Hairline, look.WeightRegular
		if c.on {
			fill, outline, weight = look.ColorSunk, look.ColorMuted, look.WeightBold
		}
		if c.ring() {
			outline, line = look.ColorAccent, 2
		}
		background.paint(fill, outline, line)
		hover.FillColor, hover.Hidden = look.Color(look.ColorHover), !c.hovered
		hover.Refresh()
		mark.Set(look.MarkResource(c.mark))
		paintText(label, c.label, look.SizeSmall, weight, look.ColorText)
		layout(c.Size())
		canvas.Refresh(c)
	}
	refresh()
	return &renderer{
		objects: append(background.objects(), hover, mark.Raster, label),
		layout:  layout,
		minSize: func() fyne.Size { // always the width of the bold font, so that nothing moves when the chip is switched on
			bold := look.Measure(c.label, look.Size(look.SizeSmall), look.WeightBold.Style())
			return fyne.NewSize(left()+bold.Width+side, ChipHeight)
		},
		refresh: refresh,
	}
}

// Tag is a small pill with a word, and an icon or none before it. It shows a property and can't be clicked; see Chip.
type Tag struct {
	widget.BaseWidget
	icon  fyne.Resource
	words string
}

var _ fyne.Accessible = (*Tag)(nil)

// NewTag makes a tag.
func NewTag(icon fyne.Resource, words string) *Tag {
	t := &Tag{icon: icon, words: words}
	t.ExtendBaseWidget(t)
	return t
}

// Set changes icon and words.
func (t *Tag) Set(icon fyne.Resource, words string) {
	if t.icon == icon && t.words == words {
		return
	}
	t.icon, t.words = icon, words
	t.Refresh()
}

// AccessibilityLabel implements fyne.Accessible.
func (t *Tag) AccessibilityLabel() string { return t.words }

// AccessibilityRole implements fyne.Accessible.
func (t *Tag) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

const (
	tagHeight float32 = 20
	tagIcon   float32 = 12
)

// CreateRenderer implements fyne.Widget.
func (t *Tag) CreateRenderer() fyne.WidgetRenderer {
	const side, gap = 2 * look.Space, look.Space
	background := &canvas.Rectangle{CornerRadius: tagHeight / 2}
	icon := NewIcon(t.icon, look.ColorMuted, tagIcon)
	words := NewText(t.words, TextStyle{Size: look.SizeCaption, Weight: look.WeightMedium})
	left := func() float32 {
		if t.icon == nil {
			return side
		}
		return side + tagIcon + gap
	}
	r := &renderer{objects: []fyne.CanvasObject{background, icon, words}}
	r.minSize = func() fyne.Size { return fyne.NewSize(left()+words.MinSize().Width+side, tagHeight) }
	r.layout = func(size fyne.Size) {
		top := (size.Height - tagHeight) / 2
		PlaceAt(background, 0, top, size.Width, tagHeight)
		PlaceAt(icon, side, (size.Height-tagIcon)/2, tagIcon, tagIcon)
		height := words.MinSize().Height
		PlaceAt(words, left(), (size.Height-height)/2, max(0, size.Width-left()-side), height)
	}
	r.refresh = func() {
		background.FillColor = look.Color(look.ColorSunk)
		background.Refresh()
		icon.Set(t.icon, look.ColorMuted)
		icon.Hidden = t.icon == nil
		icon.Refresh()
		words.text = t.words
		words.Refresh()
		r.layout(t.Size())
		canvas.Refresh(t)
	}
	r.refresh()
	return r
}
