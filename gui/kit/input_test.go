package kit_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	"assay/gui/kit"
)

func TestTheFocusIsMarkedForTheKeyboardAlone(t *testing.T) {
	t.Cleanup(kit.KeyboardUsed)
	button := kit.NewButton(kit.Plain, "Send", nil, nil)
	window := test.NewTempWindow(t, button)
	window.Resize(fyne.NewSize(200, 80))
	plain := test.RenderObjectToMarkup(button)
	focus := func() string {
		window.Canvas().Unfocus()
		window.Canvas().Focus(button)
		return test.RenderObjectToMarkup(button)
	}
	ringed := focus()
	if ringed == plain {
		t.Fatal("the focus is not marked")
	}
	button.MouseDown(nil)
	assert.Equal(t, plain, focus())
	button.KeyDown(&fyne.KeyEvent{Name: fyne.KeyTab})
	assert.Equal(t, ringed, test.RenderObjectToMarkup(button))
	assert.Equal(t, ringed, focus())
}

func TestReducedMotion(t *testing.T) {
	t.Cleanup(func() { kit.ReduceMotion(false) })
	moved := kit.Moves()
	kit.ReduceMotion(true)
	if !moved || kit.Moves() {
		t.Errorf("moves %t, and %t with reduced motion", moved, kit.Moves())
	}
}
