package kit_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/assert"
	"assay/gui/kit"
)

func TestTextArea(t *testing.T) {
	typed, done := "", 0
	area := kit.NewTextArea("What was found", 3, func(text string) { typed = text })
	area.OnDone = func() { done++ }
	next := kit.NewField("", nil)
	w := setup(t, container.NewVBox(area, next), 300, 200)
	w.Canvas().Focus(area)
	for _, r := range "a b" {
		area.TypedRune(r)
	}
	t.Run("Enter begins a line", func(t *testing.T) {
		typeKeys(area, fyne.KeyReturn)
		area.TypedRune('c')
		assert.Equal(t, "a b\nc", typed)
		assert.Equal(t, 0, done)
	})
	t.Run("with the usual modifier it ends the text", func(t *testing.T) {
		area.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierShortcutDefault})
		assert.Equal(t, 1, done)
		assert.Equal(t, "a b\nc", typed)
	})
	t.Run("Tab is for the next control", func(t *testing.T) {
		if area.AcceptsTab() {
			t.Error("it takes Tab for itself")
		}
	})
	t.Run("Escape is for the window", func(t *testing.T) {
		var key fyne.KeyName
		w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { key = e.Name })
		typeKeys(area, fyne.KeyEscape)
		assert.Equal(t, fyne.KeyEscape, key)
	})
}

func TestLeavingASearchField(t *testing.T) {
	left, submitted, escaped := 0, "", 0
	field := kit.NewSearchField("Find", nil)
	field.OnDone = func() { left++ }
	setup(t, field, 300, 100)
	typeKeys(field, fyne.KeyReturn, fyne.KeyDown, fyne.KeyEscape)
	assert.Equal(t, 3, left)
	field.OnSubmitted, field.OnEscape = func(text string) { submitted = text }, func() { escaped++ }
	field.SetText("harbour")
	typeKeys(field, fyne.KeyReturn, fyne.KeyEscape)
	assert.Equal(t, "harbour", submitted)
	assert.Equal(t, 0, escaped) // it is emptied first
	typeKeys(field, fyne.KeyEscape)
	assert.Equal(t, 1, escaped)
	assert.Equal(t, 3, left)
}
