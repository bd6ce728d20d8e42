package kit

import (
	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Tick is a box with words behind it that is ticked by a click, by Enter or by Space. Check is a box alone.
type Tick struct {
	widget.BaseWidget
	// OnChanged is called when it was ticked or cleared by hand; it may be nil.
	OnChanged func(ticked bool)
	// OnFocus is called when the keyboard reaches it, to bring it into sight; it may be nil.
	OnFocus func()

	words    string
	mark     *CheckMark
	disabled bool
	hovered  bool
	focused  bool
}

var (
	_ fyne.Focusable     = (*Tick)(nil)
	_ fyne.Tappable      = (*Tick)(nil)
	_ fyne.Disableable   = (*Tick)(nil)
	_ desktop.Hoverable  = (*Tick)(nil)
	_ desktop.Cursorable = (*Tick)(nil)
	_ fyne.Accessible    = (*Tick)(nil)
)

// NewTick makes a box that is not ticked.
func NewTick(words string, onChanged func(ticked bool)) *Tick {
	t := &Tick{OnChanged: onChanged, words: words, mark: NewCheckMark()}
	t.ExtendBaseWidget(t)
	return t
}

// Words returns what stands behind the box.
func (t *Tick) Words() string { return t.words }

// SetWords changes what stands behind the box.
func (t *Tick) SetWords(words string) {
	if t.words == words {
		return
	}
	t.words = words
	t.Refresh()
}

// Ticked reports whether it is ticked.
func (t *Tick) Ticked() bool { return t.mark.State() == Checked }

// SetState changes what the box shows, without telling OnChanged: Partly is for a choice of several, some of them made.
func (t *Tick) SetState(state CheckState) { t.mark.SetState(state) }

// SetTicked ticks or clears it, without telling OnChanged.
func (t *Tick) SetTicked(ticked bool) {
	if ticked {
		t.mark.SetState(Checked)
		return
	}
	t.mark.SetState(Unchecked)
}

// Tapped implements fyne.Tappable: what is not wholly chosen becomes so.
func (t *Tick) Tapped(*fyne.PointEvent) {
	if t.disabled {
		return
	}
	t.SetTicked(!t.Ticked())
	if t.OnChanged != nil {
		t.OnChanged(t.Ticked())
	}
}

// Enable implements fyne.Disableable.
func (t *Tick) Enable() { t.setDisabled(false) }

// Disable implements fyne.Disableable.
func (t *Tick) Disable() { t.setDisabled(true) }

func (t *Tick) setDisabled(disabled bool) {
	if t.disabled == disabled {
		return
	}
	t.disabled = disabled
	t.mark.setDim(disabled)
	t.Refresh()
}

// Disabled implements fyne.Disableable.
func (t *Tick) Disabled() bool { return t.disabled }

// TypedKey implements fyne.Focusable.
func (t *Tick) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		t.Tapped(nil)
	default:
		PassOnKey(t, e)
	}
}

// TypedRune implements fyne.Focusable.
func (t *Tick) TypedRune(char rune) { PassOn(t, char) }

// FocusGained implements fyne.Focusable.
func (t *Tick) FocusGained() {
	t.focused = true
	t.Refresh()
	if t.OnFocus != nil {
		t.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (t *Tick) FocusLost() { t.focused = false; t.Refresh() }

// MouseIn implements desktop.Hoverable.
func (t *Tick) MouseIn(*desktop.MouseEvent) { t.hovered = true; t.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (t *Tick) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (t *Tick) MouseOut() { t.hovered = false; t.Refresh() }

// Cursor implements desktop.Cursorable.
func (t *Tick) Cursor() desktop.Cursor {
	if t.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// AccessibilityLabel implements fyne.Accessible.
func (t *Tick) AccessibilityLabel() string {
	switch t.mark.State() {
	case Checked:
		return i18n.F("%s, chosen", t.words)
	case Partly:
		return i18n.F("%s, partly chosen", t.words)
	}
	return i18n.F("%s, not chosen", t.words)
}

// AccessibilityRole implements fyne.Accessible.
func (t *Tick) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// CreateRenderer implements fyne.Widget.
func (t *Tick) CreateRenderer() fyne.WidgetRenderer {
	const side, gap, height = 1.5 * look.Space, 2 * look.Space, 28
	face := newControlFace()
	words := NewText(t.words, TextStyle{})
	r := &renderer{objects: append(face.objects(), t.mark, words)}
	r.minSize = func() fyne.Size {
		return fyne.NewSize(side+checkSide+gap+words.MinSize().Width+side, height)
	}
	r.layout = func(size fyne.Size) {
		face.place(size)
		place(t.mark, side, (size.Height-checkSide)/2, checkSide, checkSide)
		line := words.MinSize()
		place(words, side+checkSide+gap, (size.Height-line.Height)/2, line.Width, line.Height)
	}
	r.refresh = func() {
		face.paint(Bare, t.disabled, t.hovered, t.focused)
		t.mark.Refresh()
		words.SetText(t.words)
		if t.disabled {
			words.SetColor(look.ColorDisabled)
		} else {
			words.SetColor(look.ColorText)
		}
		words.Refresh()
		r.layout(t.Size())
		canvas.Refresh(t)
	}
	r.refresh()
	return r
}
