package screen

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/gui/kit"
	"assay/gui/look"
)

// newWording shows the first of some wordings, the longest first, for which there is room: a heading that is said shorter in a
// narrow window instead of being cut.
func newWording(style kit.TextStyle, wordings ...string) fyne.CanvasObject {
	return container.New(wordingLayout(wordings), kit.NewText(wordings[0], style))
}

type wordingLayout []string

// Layout implements fyne.Layout.
func (w wordingLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	text := objects[0].(*kit.Text)
	style := text.Style()
	if style.Size == "" {
		style.Size = look.SizeText
	}
	for _, wording := range w {
		text.SetText(wording)
		if look.Measure(wording, look.Size(style.Size), style.Weight.Style()).Width <= size.Width {
			break
		}
	}
	text.Move(fyne.NewPos(0, 0))
	text.Resize(size)
}

// MinSize implements fyne.Layout.
func (wordingLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
