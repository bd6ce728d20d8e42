package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/gui/look"
)

// TextArea is a text entry of several lines that wrap. Tab goes to the next control, Escape on to the window, and Enter with the system's usual
// modifier ends it; Enter alone begins a line.
type TextArea struct {
	boundedEntry
	// OnDone is called when the person ends it by keys; it may be nil.
	OnDone func()

	lines int
	name  string // what it is for, where that stands beside it
}

var (
	_ fyne.Focusable    = (*TextArea)(nil)
	_ fyne.Shortcutable = (*TextArea)(nil)
	_ fyne.Tabbable     = (*TextArea)(nil)
	_ fyne.Accessible   = (*TextArea)(nil)
)

// NewTextArea makes an empty area as high as so many lines; more of them scroll. The hint is shown while it is empty; onChanged may be nil.
func NewTextArea(hint string, lines int, onChanged func(text string)) *TextArea {
	a := &TextArea{lines: lines}
	a.MultiLine, a.Wrapping, a.PlaceHolder = true, fyne.TextWrapWord, hint
	a.OnChanged = onChanged
	a.extend(a)
	return a
}

// CreateRenderer implements fyne.Widget.
func (a *TextArea) CreateRenderer() fyne.WidgetRenderer {
	return newBoundedRenderer(&a.boundedEntry, a.Entry.CreateRenderer())
}

// SetName implements Named.
func (a *TextArea) SetName(name string) { a.name = name }

// AccessibilityLabel implements fyne.Accessible.
func (a *TextArea) AccessibilityLabel() string { return entryName(&a.boundedEntry, a.name) }

// AccessibilityRole implements fyne.Accessible.
func (a *TextArea) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// AcceptsTab implements fyne.Tabbable.
func (a *TextArea) AcceptsTab() bool { return false }

// TypedKey implements fyne.Focusable.
func (a *TextArea) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		PassOnKey(a, e)
		return
	}
	a.boundedEntry.TypedKey(e)
}

// TypedShortcut implements fyne.Shortcutable.
func (a *TextArea) TypedShortcut(s fyne.Shortcut) {
	custom, ok := s.(*desktop.CustomShortcut)
	if ok && custom.Modifier == fyne.KeyModifierShortcutDefault && (custom.KeyName == fyne.KeyReturn || custom.KeyName == fyne.KeyEnter) {
		if a.OnDone != nil {
			a.OnDone()
		}
		return
	}
	a.boundedEntry.TypedShortcut(s)
}

// MinSize implements fyne.CanvasObject.
func (a *TextArea) MinSize() fyne.Size {
	a.ExtendBaseWidget(a)
	line := look.Measure("M", look.Size(look.SizeText), fyne.TextStyle{}).Height
	return fyne.NewSize(110, float32(a.lines)*line+look.ControlHeight-line)
}
