package results

import (
	"fyne.io/fyne/v2"

	"assay/gui/look"
)

// screenLayout gives the list a quarter of the width, within limits, a hairline, and the viewer the rest.
type screenLayout struct{}

const (
	resultsNarrow float32 = 256
	resultsWide   float32 = 332
)

// Layout implements fyne.Layout.
func (screenLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	list := min(max(0.275*size.Width, resultsNarrow), resultsWide)
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(list, size.Height))
	objects[1].Move(fyne.NewPos(list, 0))
	objects[1].Resize(fyne.NewSize(look.Hairline, size.Height))
	objects[2].Move(fyne.NewPos(list+look.Hairline, 0))
	objects[2].Resize(fyne.NewSize(size.Width-list-look.Hairline, size.Height))
}

// MinSize implements fyne.Layout.
func (screenLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	viewer := objects[2].MinSize()
	return fyne.NewSize(resultsNarrow+look.Hairline+viewer.Width, max(objects[0].MinSize().Height, viewer.Height))
}
