package kit

import (
	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// SearchField is a field that is searched by as it is typed into. Escape empties it, or leaves it where it is empty; Enter and
// down leave it for what was found.
type SearchField struct {
	widget.Entry
	// OnSearch is told of every other text; it may be nil.
	OnSearch func(text string)
	// OnLeave is called when the keyboard leaves the field; nil takes the focus away.
	OnLeave func()

	wipe *Button
}

var _ fyne.Focusable = (*SearchField)(nil)

// NewSearchField makes an empty field. The hint stands in it while it is empty, and is its name.
func NewSearchField(hint string, onSearch func(text string)) *SearchField {
	f := &SearchField{OnSearch: onSearch}
	f.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	f.PlaceHolder = hint
	f.Icon = look.Tinted(look.IconSearch, look.ColorMuted)
	f.wipe = NewButton(Bare, "", look.IconClose, f.Wipe)
	f.wipe.SetToolTip(i18n.T("Clear the search"))
	f.wipe.Hide()
	f.ActionItem = f.wipe
	f.OnChanged = f.changed
	f.ExtendBaseWidget(f)
	return f
}

func (f *SearchField) changed(text string) {
	f.wipe.Hidden = text == ""
	f.wipe.Refresh()
	if f.OnSearch != nil {
		f.OnSearch(text)
	}
}

// Wipe empties the field, of which OnSearch is told.
func (f *SearchField) Wipe() { f.SetText("") }

// CreateRenderer implements fyne.Widget.
func (f *SearchField) CreateRenderer() fyne.WidgetRenderer {
	return newFieldRenderer(f.Entry.CreateRenderer())
}

// TypedKey implements fyne.Focusable.
func (f *SearchField) TypedKey(e *fyne.KeyEvent) {
	switch {
	case e.Name == fyne.KeyEscape && f.Text != "":
		f.Wipe()
	case e.Name == fyne.KeyEscape, e.Name == fyne.KeyReturn, e.Name == fyne.KeyEnter, e.Name == fyne.KeyDown:
		f.leave()
	default:
		f.Entry.TypedKey(e)
	}
}

func (f *SearchField) leave() {
	if f.OnLeave != nil {
		f.OnLeave()
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil {
		c.Unfocus()
	}
}

// Hint returns what stands in the field while it is empty.
func (f *SearchField) Hint() string { return f.PlaceHolder }

// MinSize implements fyne.CanvasObject: the field is as high as the other controls, and may be narrow.
func (f *SearchField) MinSize() fyne.Size {
	f.ExtendBaseWidget(f)
	return fyne.NewSize(110, look.ControlHeight)
}
