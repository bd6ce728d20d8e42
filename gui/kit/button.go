package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	tooltip "github.com/dweymouth/fyne-tooltip/widget"
)

// Kind is how much a button stands out.
type Kind int

// The kinds. There is one Primary on a screen.
const (
	Plain   Kind = iota // on the surface, in a hairline
	Primary             // filled with the accent
	Bare                // icon or text alone
)

// Button does something when it is clicked, or when Enter or Space is typed on it. SetToolTip gives it a tooltip, which one of
// icon alone needs: the tooltip is its name, too.
type Button struct {
	tooltip.ToolTipWidget
	// OnTapped may be nil and may be changed at any time.
	OnTapped func()
	// OnFocus is called when the keyboard reaches it, to bring it into sight; it may be nil.
	OnFocus func()

	kind     Kind
	label    string
	icon     fyne.Resource
	disabled bool
	hovered  bool
	focused  bool
	muted    bool
}

var (
	_ fyne.Focusable     = (*Button)(nil)
	_ fyne.Tappable      = (*Button)(nil)
	_ fyne.Disableable   = (*Button)(nil)
	_ desktop.Hoverable  = (*Button)(nil)
	_ desktop.Cursorable = (*Button)(nil)
	_ fyne.Accessible    = (*Button)(nil)
)

// NewButton makes a button. Label may be empty or icon nil, not both. One of Assay's icons is tinted as the kind asks.
func NewButton(kind Kind, label string, icon fyne.Resource, onTapped func()) *Button {
	b := &Button{kind: kind, label: label, icon: icon, OnTapped: onTapped}
	b.ExtendBaseWidget(b)
	return b
}

// Label returns the words on it.
func (b *Button) Label() string { return b.label }

// SetLabel changes the words on it.
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

// SetMuted shows label and icon of a Bare button in the muted colour.
func (b *Button) SetMuted(muted bool) {
	if b.muted == muted {
		return
	}
	b.muted = muted
	b.Refresh()
}

// Enable implements fyne.Disableable.
func (b *Button) Enable() { b.setDisabled(false) }

// Disable implements fyne.Disableable.
func (b *Button) Disable() { b.setDisabled(true) }

func (b *Button) setDisabled(disabled bool) {
	if b.disabled == disabled {
		return
	}
	b.disabled = disabled
	b.Refresh()
}

// Disabled implements fyne.Disableable.
func (b *Button) Disabled() bool { return b.disabled }

// Tapped implements fyne.Tappable.
func (b *Button) Tapped(*fyne.PointEvent) {
	b.ToolTipWidget.MouseOut() // what it does may take it from under the pointer, and nothing would end its tooltip then
	if !b.disabled && b.OnTapped != nil {
		b.OnTapped()
	}
}

// TypedKey implements fyne.Focusable.
func (b *Button) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	default:
		PassOnKey(b, e)
	}
}

// TypedRune implements fyne.Focusable.
func (b *Button) TypedRune(char rune) { PassOn(b, char) }

// FocusGained implements fyne.Focusable.
func (b *Button) FocusGained() {
	b.focused = true
	b.Refresh()
	if b.OnFocus != nil {
		b.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (b *Button) FocusLost() { b.focused = false; b.Refresh() }

// MouseIn implements desktop.Hoverable.
func (b *Button) MouseIn(e *desktop.MouseEvent) {
	b.ToolTipWidget.MouseIn(e)
	b.hovered = true
	b.Refresh()
}

// MouseOut implements desktop.Hoverable.
func (b *Button) MouseOut() {
	b.ToolTipWidget.MouseOut()
	b.hovered = false
	b.Refresh()
}

// Cursor implements desktop.Cursorable.
func (b *Button) Cursor() desktop.Cursor {
	if b.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// AccessibilityLabel implements fyne.Accessible.
func (b *Button) AccessibilityLabel() string {
	if b.label != "" {
		return b.label
	}
	return b.ToolTip()
}

// AccessibilityRole implements fyne.Accessible.
func (b *Button) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// CreateRenderer implements fyne.Widget.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	face := newControlFace()
	icon := look.NewGlyph()
	label := canvas.NewText("", nil)
	r := &renderer{objects: append(face.objects(), icon.Raster, label)}
	gap, side := float32(7), float32(13)
	if b.kind == Bare {
		side = 10
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
		return fyne.NewSize(width()+2*side, look.ControlHeight)
	}
	r.layout = func(size fyne.Size) {
		face.place(size)
		x := (size.Width - width()) / 2
		if b.icon != nil {
			place(icon.Raster, x, (size.Height-look.IconSmall)/2, look.IconSmall, look.IconSmall)
			x += look.IconSmall + gap
		}
		place(label, x, 0, label.MinSize().Width, size.Height)
	}
	r.refresh = func() {
		ink := look.ColorText
		switch {
		case b.disabled:
			ink = look.ColorDisabled
		case b.kind == Primary:
			ink = look.ColorOnAccent
		case b.kind == Bare && (b.muted || b.label == "") && !b.hovered:
			ink = look.ColorMuted
		}
		face.paint(b.kind, b.disabled, b.hovered, b.focused)
		look.SetText(label, b.label, look.WeightMedium.Style())
		label.TextSize, label.Color = look.Size(look.SizeText), look.Color(ink)
		label.Hidden = b.label == ""
		label.Refresh()
		icon.Set(look.Tinted(b.icon, ink))
		r.layout(b.Size())
		canvas.Refresh(b)
	}
	r.refresh()
	return r
}
