package kit_test

import (
	"testing"

	"assay/gui/kit"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestSecretField(t *testing.T) {
	pasted := func(f *kit.SecretField, text string) {
		clipboard := test.NewClipboard()
		clipboard.SetContent(text)
		f.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	}
	t.Run("is masked", func(t *testing.T) {
		f := kit.NewSecretField("", nil)
		setup(t, f, 300, 34)
		test.Type(f, "s3cret")
		if !f.Masked() || f.Secret() != "s3cret" {
			t.Errorf("masked %t, %q", f.Masked(), f.Secret())
		}
	})
	t.Run("trims what is pasted, and tells of it", func(t *testing.T) {
		told := ""
		f := kit.NewSecretField("", func(text string) { told = text })
		setup(t, f, 300, 34)
		pasted(f, " \t s3cret\r\n")
		if f.Text != "s3cret" || told != "s3cret" {
			t.Errorf("%q, told %q", f.Text, told)
		}
	})
	t.Run("gives nothing out, even while it is shown", func(t *testing.T) {
		f := kit.NewSecretField("", nil)
		setup(t, f, 300, 34)
		test.Type(f, "s3cret")
		test.Tap(shown[*kit.Button](f)[0])
		if f.Masked() {
			t.Fatal("it can't be shown")
		}
		clipboard := test.NewClipboard()
		f.TypedShortcut(&fyne.ShortcutSelectAll{})
		f.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clipboard})
		f.TypedShortcut(&fyne.ShortcutCut{Clipboard: clipboard})
		if clipboard.Content() != "" || f.Text != "s3cret" {
			t.Errorf("the clipboard has %q, the field %q", clipboard.Content(), f.Text)
		}
	})
	t.Run("is masked again once it is empty or can't be changed", func(t *testing.T) {
		f := kit.NewSecretField("", nil)
		setup(t, f, 300, 34)
		for _, end := range []func(){f.Wipe, f.Disable} {
			test.Type(f, "s3cret")
			test.Tap(shown[*kit.Button](f)[0])
			if end(); !f.Masked() {
				t.Error("it is still shown")
			}
			f.Enable()
		}
	})
	t.Run("has nothing to show while it is empty", func(t *testing.T) {
		f := kit.NewSecretField("", nil)
		setup(t, f, 300, 34)
		if n := len(shown[*kit.Button](f)); n != 0 {
			t.Errorf("%d buttons", n)
		}
	})
	t.Run("passes Escape on to the window, and keeps what is typed", func(t *testing.T) {
		f := kit.NewSecretField("", nil)
		w := setup(t, f, 300, 34)
		var got fyne.KeyName
		w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { got = e.Name })
		test.Type(f, "s3cret")
		typeKeys(f, fyne.KeyEscape)
		if got != fyne.KeyEscape || f.Text != "s3cret" {
			t.Errorf("passed on %q, text %q", got, f.Text)
		}
	})
	t.Run("tells when it is reached, left and done", func(t *testing.T) {
		var told []string
		f := kit.NewSecretField("", nil)
		f.OnFocus, f.OnLeave = func() { told = append(told, "reached") }, func() { told = append(told, "left") }
		f.OnSubmitted = func(string) { told = append(told, "done") }
		w := setup(t, f, 300, 34)
		w.Canvas().Focus(f)
		typeKeys(f, fyne.KeyReturn)
		w.Canvas().Unfocus()
		if len(told) != 3 || told[0] != "reached" || told[1] != "done" || told[2] != "left" {
			t.Errorf("%q", told)
		}
	})
}
