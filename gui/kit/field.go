package kit

import (
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Field is a line to type into. Keys that it has no use for, Escape among them, go on to the window, and the wheel to what it stands
// in.
type Field struct {
	widget.Entry
	// OnFocus is called when the keyboard reaches it, to bring it into sight; it may be nil.
	OnFocus func()
	// OnLeave is called when the keyboard leaves it; it may be nil.
	OnLeave func()
}

var _ fyne.Focusable = (*Field)(nil)

// NewField makes an empty field. The hint stands in it while it is empty; onChanged may be nil.
func NewField(hint string, onChanged func(text string)) *Field {
	f := &Field{}
	f.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	f.PlaceHolder = hint
	f.OnChanged = onChanged
	f.ExtendBaseWidget(f)
	return f
}

// CreateRenderer implements fyne.Widget.
func (f *Field) CreateRenderer() fyne.WidgetRenderer {
	return newFieldRenderer(f.Entry.CreateRenderer())
}

// FocusGained implements fyne.Focusable.
func (f *Field) FocusGained() {
	f.Entry.FocusGained()
	if f.OnFocus != nil {
		f.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (f *Field) FocusLost() {
	f.Entry.FocusLost()
	if f.OnLeave != nil {
		f.OnLeave()
	}
}

// TypedKey implements fyne.Focusable.
func (f *Field) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		PassOnKey(f, e)
		return
	}
	f.Entry.TypedKey(e)
}

// TypedRune implements fyne.Focusable. No text begins with a space: the one that pressed a button, which gave the keyboard to this field,
// comes here after it.
func (f *Field) TypedRune(char rune) {
	if char == ' ' && f.Text == "" {
		return
	}
	f.Entry.TypedRune(char)
}

// MinSize implements fyne.CanvasObject: the field is as high as the other controls, and may be narrow.
func (f *Field) MinSize() fyne.Size {
	f.ExtendBaseWidget(f)
	return fyne.NewSize(110, look.ControlHeight)
}
