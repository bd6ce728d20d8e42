package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Tag is a word in a small pill, with an icon or none before it: a property, not a control. Chip is the control.
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

// Words returns what is in it.
func (t *Tag) Words() string { return t.words }

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
	ground := &canvas.Rectangle{CornerRadius: tagHeight / 2}
	icon := NewIcon(t.icon, look.ColorMuted, tagIcon)
	words := NewText(t.words, TextStyle{Size: look.SizeCaption, Weight: look.WeightMedium})
	left := func() float32 {
		if t.icon == nil {
			return side
		}
		return side + tagIcon + gap
	}
	r := &renderer{objects: []fyne.CanvasObject{ground, icon, words}}
	r.minSize = func() fyne.Size { return fyne.NewSize(left()+words.MinSize().Width+side, tagHeight) }
	r.layout = func(size fyne.Size) {
		top := (size.Height - tagHeight) / 2
		place(ground, 0, top, size.Width, tagHeight)
		place(icon, side, (size.Height-tagIcon)/2, tagIcon, tagIcon)
		height := words.MinSize().Height
		place(words, left(), (size.Height-height)/2, max(0, size.Width-left()-side), height)
	}
	r.refresh = func() {
		ground.FillColor = look.Color(look.ColorSunk)
		ground.Refresh()
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
