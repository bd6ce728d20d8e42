package kit

import (
	"strings"

	"assay/client/i18n"

	"fyne.io/fyne/v2"
)

// SecretField is a line for a secret: what is typed is masked, what is pasted is trimmed, and nothing is copied or cut out of it.
// It can be shown while it is typed; a secret that is kept elsewhere is never put into it.
type SecretField struct {
	Field
	reveal *Button
}

var _ fyne.Focusable = (*SecretField)(nil)

// NewSecretField makes an empty field. The hint stands in it while it is empty; onChanged may be nil.
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
	f.ExtendBaseWidget(f)
	return f
}

// Secret is what was typed, without space at its ends.
func (f *SecretField) Secret() string { return strings.TrimSpace(f.Text) }

// Wipe empties the field.
func (f *SecretField) Wipe() { f.SetText("") }

// Masked reports whether what is typed can't be read.
func (f *SecretField) Masked() bool { return f.Password }

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

// FocusLost implements fyne.Focusable.
func (f *SecretField) FocusLost() {
	f.Entry.FocusLost()
	if f.OnLeave != nil {
		f.OnLeave()
	}
}

// TypedKey implements fyne.Focusable.
func (f *SecretField) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		PassOnKey(f, e)
		return
	}
	f.Entry.TypedKey(e)
}

// TypedShortcut implements fyne.Shortcutable.
func (f *SecretField) TypedShortcut(shortcut fyne.Shortcut) {
	switch s := shortcut.(type) {
	case *fyne.ShortcutCopy, *fyne.ShortcutCut:
		return
	case *fyne.ShortcutPaste:
		shortcut = &fyne.ShortcutPaste{Clipboard: trimmed{s.Clipboard}}
	}
	f.Entry.TypedShortcut(shortcut)
}

// trimmed is a clipboard without the space at the ends of its content.
type trimmed struct{ fyne.Clipboard }

// Content implements fyne.Clipboard.
func (t trimmed) Content() string { return strings.TrimSpace(t.Clipboard.Content()) }
