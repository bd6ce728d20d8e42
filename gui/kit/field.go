package kit

import (
	"strings"

	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/driver/mobile"
)

// Field is a text entry of one line. Keys that it does not use, Escape among them, go on to the window, and the mouse wheel to the scroll that the
// field is in.
type Field struct {
	boundedEntry
	// OnFocus is called when the field gets the keyboard focus, to scroll it into sight; it may be nil.
	OnFocus func()
	// OnFocusLost is called when the field loses the keyboard focus; it may be nil.
	OnFocusLost func()

	name string // what it is for, where that stands beside it
	used bool   // whether it has or had the focus
}

var (
	_ fyne.Focusable    = (*Field)(nil)
	_ fyne.Accessible   = (*Field)(nil)
	_ desktop.Mouseable = (*Field)(nil)
	_ mobile.Touchable  = (*Field)(nil)
)

// NewField makes an empty field. The hint is shown while the field is empty; onChanged may be nil.
func NewField(hint string, onChanged func(text string)) *Field {
	f := &Field{}
	f.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	f.PlaceHolder = hint
	f.OnChanged = onChanged
	f.extend(f)
	return f
}

// CreateRenderer implements fyne.Widget.
func (f *Field) CreateRenderer() fyne.WidgetRenderer {
	return newBoundedRenderer(&f.boundedEntry, newFieldRenderer(f))
}

// FocusGained implements fyne.Focusable.
func (f *Field) FocusGained() {
	f.use()
	f.Entry.FocusGained()
	if f.OnFocus != nil {
		f.OnFocus()
	}
}

// MouseDown implements desktop.Mouseable.
func (f *Field) MouseDown(e *desktop.MouseEvent) {
	f.use()
	f.Entry.MouseDown(e)
}

// TouchDown implements mobile.Touchable.
func (f *Field) TouchDown(e *mobile.TouchEvent) {
	f.use()
	f.Entry.TouchDown(e)
}

// use leaves the drawing to the toolkit's entry from now on.
func (f *Field) use() {
	if !f.used {
		f.used = true
		f.Refresh()
	}
}

// onFocus sets OnFocus, for RevealWhenReached.
func (f *Field) onFocus(do func()) { f.OnFocus = do }

// SetName implements Named.
func (f *Field) SetName(name string) { f.name = name }

// AccessibilityLabel implements fyne.Accessible. A secret is not read aloud.
func (f *Field) AccessibilityLabel() string { return entryName(&f.boundedEntry, f.name) }

// AccessibilityRole implements fyne.Accessible.
func (f *Field) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// entryName is what a screen reader reads of a field: what it is for, or else its hint, and what is written in it; or why more was refused.
func entryName(e *boundedEntry, is string) string {
	if is == "" {
		is = e.PlaceHolder
	}
	written := e.Text
	switch refusal := e.refusal(); {
	case refusal != "":
		written = refusal
	case e.Password:
		written = ""
	}
	if is = name(is, written); e.Disabled() {
		return i18n.F("%s, not available", is)
	}
	return is
}

// FocusLost implements fyne.Focusable.
func (f *Field) FocusLost() {
	f.boundedEntry.FocusLost()
	if f.OnFocusLost != nil {
		f.OnFocusLost()
	}
}

// KeyDown implements desktop.Keyable.
func (f *Field) KeyDown(e *fyne.KeyEvent) {
	KeyboardUsed()
	f.Entry.KeyDown(e)
}

// TypedKey implements fyne.Focusable.
func (f *Field) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		PassOnKey(f, e)
		return
	}
	f.boundedEntry.TypedKey(e)
}

// TypedRune implements fyne.Focusable. A space at the beginning is ignored: if a button that is pressed by Space focuses this field, the toolkit
// sends that space here.
func (f *Field) TypedRune(char rune) {
	if char == ' ' && f.Text == "" {
		return
	}
	f.boundedEntry.TypedRune(char)
}

// MinSize implements fyne.CanvasObject: the field is as high as other controls, and may be narrow.
func (f *Field) MinSize() fyne.Size {
	f.ExtendBaseWidget(f)
	return fyne.NewSize(110, look.ControlHeight)
}

// SearchField is a field that searches while the person types. Escape empties it, or leaves it if it is empty; Enter and Down leave it for the
// results.
type SearchField struct {
	Field
	// OnSearch is called with each new text; it may be nil.
	OnSearch func(text string)
	// OnDone is called when the keyboard focus is to go to the results; if it is nil, nothing is focused then.
	OnDone func()
	// OnEscape is called in its place where Escape leaves the field, such as to close the sheet that it is in; it may be nil.
	OnEscape func()

	clear *Button
}

var _ fyne.Focusable = (*SearchField)(nil)

// NewSearchField makes an empty field. The hint is shown while it is empty, and is its name for screen readers.
func NewSearchField(hint string, onSearch func(text string)) *SearchField {
	f := &SearchField{OnSearch: onSearch}
	f.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	f.PlaceHolder = hint
	f.Icon = look.Tinted(look.IconSearch, look.ColorMuted)
	f.clear = NewButton(Bare, "", look.IconClose, f.Clear)
	f.clear.SetToolTip(i18n.T("Clear the search"))
	f.clear.Hide()
	f.ActionItem = f.clear
	f.OnChanged = f.changed
	f.extend(f)
	return f
}

func (f *SearchField) changed(text string) {
	f.clear.Hidden = text == ""
	f.clear.Refresh()
	if f.OnSearch != nil {
		f.OnSearch(text)
	}
}

// Clear empties the field, which calls OnSearch.
func (f *SearchField) Clear() { f.SetText("") }

// TypedRune implements fyne.Focusable: unlike in a Field, the text may begin with a space.
func (f *SearchField) TypedRune(char rune) { f.boundedEntry.TypedRune(char) }

// TypedKey implements fyne.Focusable.
func (f *SearchField) TypedKey(e *fyne.KeyEvent) {
	switch {
	case e.Name == fyne.KeyEscape && f.Text != "":
		f.Clear()
	case e.Name == fyne.KeyEscape && f.OnEscape != nil:
		f.OnEscape()
	case (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && f.OnSubmitted != nil:
		f.OnSubmitted(f.Text)
	case e.Name == fyne.KeyEscape, e.Name == fyne.KeyReturn, e.Name == fyne.KeyEnter, e.Name == fyne.KeyDown:
		f.done()
	default:
		f.boundedEntry.TypedKey(e)
	}
}

func (f *SearchField) done() {
	if f.OnDone != nil {
		f.OnDone()
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil {
		c.Unfocus()
	}
}

// SecretField is an entry of one line for a secret. Its text is masked, unless the person has it shown; pasted text is trimmed, and nothing can be
// copied or cut out of it. It is for typing only: never put a stored secret into it.
type SecretField struct {
	Field
	reveal *Button
}

var _ fyne.Focusable = (*SecretField)(nil)

// NewSecretField makes an empty field. The hint is shown while it is empty; onChanged may be nil.
func NewSecretField(hint string, onChanged func(text string)) *SecretField {
	f := &SecretField{}
	f.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	f.PlaceHolder = hint
	f.Password = true
	f.reveal = NewButton(Bare, i18n.T("Show"), nil, func() { f.mask(!f.Password) })
	f.reveal.SetMuted(true)
	f.reveal.Hide()
	f.ActionItem = f.reveal
	f.OnChanged = func(text string) {
		f.reveal.Hidden = text == ""
		if text == "" {
			f.mask(true)
		}
		f.Refresh()
		if onChanged != nil {
			onChanged(text)
		}
	}
	f.extend(f)
	return f
}

// Secret returns its text without space at its ends.
func (f *SecretField) Secret() string { return strings.TrimSpace(f.Text) }

// Clear empties the field.
func (f *SecretField) Clear() { f.SetText("") }

func (f *SecretField) mask(masked bool) {
	f.Password = masked
	f.reveal.SetLabel(i18n.T("Show"))
	if !masked {
		f.reveal.SetLabel(i18n.T("Hide"))
	}
	f.Refresh()
}

// Disable implements fyne.Disableable. What was shown is masked again.
func (f *SecretField) Disable() {
	f.mask(true)
	f.reveal.Disable()
	f.Field.Disable()
}

// Enable implements fyne.Disableable.
func (f *SecretField) Enable() {
	f.reveal.Enable()
	f.Field.Enable()
}

// TypedKey implements fyne.Focusable.
func (f *SecretField) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		PassOnKey(f, e)
		return
	}
	f.boundedEntry.TypedKey(e)
}

// TypedShortcut implements fyne.Shortcutable.
func (f *SecretField) TypedShortcut(shortcut fyne.Shortcut) {
	switch s := shortcut.(type) {
	case *fyne.ShortcutCopy, *fyne.ShortcutCut:
		return
	case *fyne.ShortcutPaste:
		shortcut = &fyne.ShortcutPaste{Clipboard: trimmed{s.Clipboard}}
	}
	f.boundedEntry.TypedShortcut(shortcut)
}

// trimmed is a clipboard that trims space from its content.
type trimmed struct{ fyne.Clipboard }

// Content implements fyne.Clipboard.
func (t trimmed) Content() string { return strings.TrimSpace(t.Clipboard.Content()) }

// Writes reports whether what has the keyboard is a field with a text in it; not one that searches.
func Writes(focused fyne.Focusable) bool {
	switch f := focused.(type) {
	case *Field:
		return f.Text != ""
	case *TextArea:
		return f.Text != ""
	}
	return false
}
