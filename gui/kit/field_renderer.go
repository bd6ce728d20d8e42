package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// fieldRenderer draws an entry of one line so that the wheel is left to what the entry stands in. In the toolkit's own drawing the
// text lies in a scroll, and the innermost scroll under the pointer has the wheel, even one that can't move: a page would stand still
// once a field has come under the pointer. That scroll still moves the text along with the cursor, but is no longer shown; what shows
// the text clips alone.
type fieldRenderer struct {
	fyne.WidgetRenderer                   // of the entry
	scroll              *container.Scroll // has the text's place
	clip                *container.Clip
	objects             []fyne.CanvasObject
}

// newFieldRenderer wraps an entry's renderer. One without a scroll is returned as it is.
func newFieldRenderer(entry fyne.WidgetRenderer) fyne.WidgetRenderer {
	objects := slices.Clone(entry.Objects())
	for i, o := range objects {
		if scroll, ok := o.(*container.Scroll); ok {
			r := &fieldRenderer{WidgetRenderer: entry, scroll: scroll, clip: container.NewClip(scroll.Content), objects: objects}
			objects[i] = r.clip
			return r
		}
	}
	return entry
}

// Objects implements fyne.WidgetRenderer.
func (r *fieldRenderer) Objects() []fyne.CanvasObject { return r.objects }

// Layout implements fyne.WidgetRenderer.
func (r *fieldRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.fit()
}

// Refresh implements fyne.WidgetRenderer.
func (r *fieldRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	r.fit()
}

// fit has the clip take the scroll's place.
func (r *fieldRenderer) fit() {
	r.clip.Move(r.scroll.Position())
	r.clip.Resize(r.scroll.Size())
}
