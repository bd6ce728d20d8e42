package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// NewScroll lets a content that wraps be scrolled up and down.
func NewScroll(content fyne.CanvasObject) *fyne.Container {
	return container.New(scrollLayout{}, container.NewVScroll(content))
}

// scrollLayout gives a scroll its size and looks again: how high a content that wraps is, is known once it has its width.
type scrollLayout struct{}

// Layout implements fyne.Layout.
func (scrollLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	scroll := objects[0].(*container.Scroll)
	scroll.Resize(size)
	if scroll.Content.MinSize().Height != scroll.Content.Size().Height {
		scroll.Refresh()
	}
}

// MinSize implements fyne.Layout.
func (scrollLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }
