package guitest_test

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
)

func TestTextsAreAllThatIsShown(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	button := kit.NewButton(kit.Plain, "on a button", nil, nil)
	button.SetToolTip("in a tool tip")
	entry := widget.NewEntry()
	entry.SetPlaceHolder("in an empty field")
	hidden := kit.NewText("hidden", kit.TextStyle{})
	hidden.Hide()
	texts := guitest.Texts(container.NewVBox(canvas.NewText("drawn", nil), button, container.NewVScroll(entry), hidden))
	for _, want := range []string{"drawn", "on a button", "in a tool tip", "in an empty field", "hidden"} {
		if !slices.Contains(texts, want) {
			t.Errorf("%q is not among %q", want, texts)
		}
	}
}
