package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Kind is how prominent a button is.
type Kind int

// The kinds. A screen has one Primary button.
const (
	Plain   Kind = iota // on the surface, with a hairline round it
	Primary             // filled with the accent colour
	Bare                // icon or text without a background
	Link                // small words in the accent colour, within a line of text
)

// Button calls OnTapped when it is clicked, or when Enter or Space is typed on it. A button with an icon alone needs a tooltip (SetToolTip), which is
// its name for screen readers too.
type Button struct {
	Control
	// OnTapped may be nil and may be changed at any time.
	OnTapped func()

	kind  Kind
	label string
	icon  fyne.Resource
	muted bool

	row        bool // made by NewChoiceButton
	means, key string
}

// NewButton makes a button. Label may be empty or icon nil, but not both. One of Assay's icons is tinted to match the kind.
func NewButton(kind Kind, label string, icon fyne.Resource, onTapped func()) *Button {
	b := &Button{kind: kind, label: label, icon: icon, OnTapped: onTapped}
	b.ExtendBaseWidget(b)
	return b
}

// Label returns its words.
func (b *Button) Label() string { return b.label }

// SetLabel changes its words.
func (b *Button) SetLabel(label string) {
	if b.label == label {
		return
	}
	b.label = label
	b.Refresh()
}

// SetIcon changes the icon; nil for none.
func (b *Button) SetIcon(icon fyne.Resource) {
	if b.icon == icon {
		return
	}
	b.icon = icon
	b.Refresh()
}

// SetKind changes how much it stands out.
func (b *Button) SetKind(kind Kind) {
	if b.kind == kind {
		return
	}
	b.kind = kind
	b.Refresh()
}

// SetMuted shows label and icon of a Bare button in the muted colour, or in the usual one.
func (b *Button) SetMuted(muted bool) {
	if b.muted == muted {
		return
	}
	b.muted = muted
	b.Refresh()
}

// Tapped implements fyne.Tappable.
func (b *Button) Tapped(*fyne.PointEvent) {
	b.HideToolTip()
	if !b.disabled && b.OnTapped != nil {
		b.OnTapped()
	}
}

// AccessibilityLabel implements fyne.Accessible.
func (b *Button) AccessibilityLabel() string {
	label := b.label
	if label == "" {
		label = b.ToolTip()
	}
	return b.named(name(label, b.means))
}

// CreateRenderer implements fyne.Widget.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	if b.row {
		return b.rowRenderer()
	}
	background := newControlBackground()
	icon := look.NewGlyph()
	label := canvas.NewText("", nil)
	r := &renderer{objects: append(background.objects(), icon.Raster, label)}
	gap, side := float32(7), float32(13)
	size := look.SizeText
	switch b.kind {
	case Bare:
		side = 10
	case Link:
		side, size = look.Space, look.SizeSmall
	}
	width := func() float32 {
		w := float32(0)
		if b.icon != nil {
			w += look.IconSmall
		}
		if b.label != "" {
			w += label.MinSize().Width
		}
		if b.icon != nil && b.label != "" {
			w += gap
		}
		return w
	}
	r.minSize = func() fyne.Size {
		if b.label == "" {
			return fyne.NewSquareSize(look.ControlHeight)
		}
		if b.kind == Link {
			return fyne.NewSize(width()+2*side, label.MinSize().Height+look.Space)
		}
		return fyne.NewSize(width()+2*side, look.ControlHeight)
	}
	r.layout = func(size fyne.Size) {
		background.place(size)
		x := (size.Width - width()) / 2
		if b.icon != nil {
			PlaceAt(icon.Raster, x, (size.Height-look.IconSmall)/2, look.IconSmall, look.IconSmall)
			x += look.IconSmall + gap
		}
		PlaceAt(label, x, 0, label.MinSize().Width, size.Height)
	}
	r.refresh = func() {
		ink := look.ColorText
		switch {
		case b.disabled:
			ink = look.ColorDisabled
		case b.kind == Primary:
			ink = look.ColorOnAccent
		case b.kind == Link:
			ink = look.ColorAccent
		case b.kind == Bare && (b.muted || b.label == "") && !b.hovered:
			ink = look.ColorMuted
		}
		background.paint(b.kind, b.disabled, b.hovered, b.ring())
		label.Hidden = b.label == ""
		paintText(label, b.label, size, look.WeightMedium, ink)
		icon.Set(look.Tinted(b.icon, ink))
		r.layout(b.Size())
		canvas.Refresh(b)
	}
	r.refresh()
	return r
}

// controlBackground is the background of a button-like control: fill, hairline, hover and the ring that marks the keyboard focus.
type controlBackground struct {
	ring  *canvas.Rectangle // in the accent colour, below the rest
	gap   *canvas.Rectangle // between the ring and a filled background
	frame *frame
	hover *canvas.Rectangle
	inset float32
}

func newControlBackground() *controlBackground {
	return &controlBackground{
		ring:  canvas.NewRectangle(nil),
		gap:   canvas.NewRectangle(nil),
		frame: newFrame(look.RadiusControl),
		hover: canvas.NewRectangle(nil),
	}
}

func (f *controlBackground) objects() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{f.ring, f.gap}, append(f.frame.objects(), f.hover)...)
}

func (f *controlBackground) paint(kind Kind, disabled, hovered, focused bool) {
	f.inset = 0
	f.ring.FillColor, f.gap.FillColor = look.Color(look.ColorAccent), look.Color(look.ColorSurface)
	f.ring.Hidden, f.gap.Hidden = !focused, !focused
	switch {
	case kind == Primary && disabled:
		f.frame.paint(look.ColorSunk, "", 0)
	case kind == Primary:
		f.frame.paint(look.ColorAccent, "", 0)
		if focused {
			f.inset = 4
		}
	case kind == Plain && focused:
		f.frame.paint(look.ColorSurface, look.ColorAccent, 2)
	case kind == Plain:
		f.frame.paint(look.ColorSurface, look.ColorBorder, look.Hairline)
	default: // bare: ring and gap are drawn by themselves
		f.frame.paint("", "", 0)
	}
	f.hover.FillColor = look.Color(look.ColorHover)
	f.hover.Hidden = !hovered || disabled
	f.ring.Refresh()
	f.gap.Refresh()
	f.hover.Refresh()
}

func (f *controlBackground) place(size fyne.Size) {
	f.ring.CornerRadius, f.gap.CornerRadius, f.hover.CornerRadius = look.RadiusControl, look.RadiusControl-2, look.RadiusControl
	PlaceAt(f.ring, 0, 0, size.Width, size.Height)
	PlaceAt(f.gap, 2, 2, size.Width-4, size.Height-4)
	PlaceAt(f.hover, 0, 0, size.Width, size.Height)
	f.frame.radius = look.RadiusControl - f.inset
	f.frame.place(f.inset, f.inset, size.Width-2*f.inset, size.Height-2*f.inset)
}
