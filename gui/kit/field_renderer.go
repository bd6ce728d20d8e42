package kit

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"assay/gui/look"
)

// fieldRenderer draws a field that is empty and was not used yet by itself, and every other by the toolkit's entry. The entry would make the toolkit
// read all fonts of the plain style, the emoji among them, with the first window: 27 ms and some 10 MB for two empty fields.
//
// It leaves the mouse wheel to the scroll that the field is in. The toolkit draws the entry's text within a scroll of its own, and the innermost scroll
// under the pointer takes the wheel, even if it can't move: a page would stop scrolling as soon as a field is under the pointer. The entry's scroll
// still moves the text to follow the cursor, but is replaced on screen by a container that only clips.
type fieldRenderer struct {
	field *Field

	entry  fyne.WidgetRenderer // nil while the field draws itself
	scroll *container.Scroll   // the entry's: places the text; not shown

	box, border *canvas.Rectangle
	icon        *canvas.Image
	hint        *canvas.Text

	clip    *container.Clip // of the hint, or of the entry's text
	objects []fyne.CanvasObject
}

func newFieldRenderer(f *Field) *fieldRenderer {
	r := &fieldRenderer{field: f, box: canvas.NewRectangle(nil), border: canvas.NewRectangle(color.Transparent), hint: canvas.NewText("", nil)}
	r.clip = container.NewClip(r.hint)
	r.objects = []fyne.CanvasObject{r.box, r.border, r.clip}
	if f.Icon != nil {
		r.icon = canvas.NewImageFromResource(f.Icon)
		r.icon.FillMode = canvas.ImageFillContain
		r.objects = append(r.objects, r.icon)
	}
	r.style()
	r.useEntry()
	return r
}

// useEntry makes the entry's renderer if the field needs it now.
func (r *fieldRenderer) useEntry() {
	if r.entry != nil || !r.field.used && r.field.Text == "" {
		return
	}
	r.entry = r.field.Entry.CreateRenderer()
	r.objects = slices.Clone(r.entry.Objects())
	for i, o := range r.objects {
		if scroll, ok := o.(*container.Scroll); ok {
			r.scroll, r.clip = scroll, container.NewClip(scroll.Content)
			r.objects[i] = r.clip
		}
	}
	r.Layout(r.field.Size())
}

// Objects implements fyne.WidgetRenderer.
func (r *fieldRenderer) Objects() []fyne.CanvasObject { return r.objects }

// MinSize implements fyne.WidgetRenderer. It is the field's own, which does not depend on what is in it.
func (r *fieldRenderer) MinSize() fyne.Size { return r.field.MinSize() }

// Destroy implements fyne.WidgetRenderer.
func (r *fieldRenderer) Destroy() {
	if r.entry != nil {
		r.entry.Destroy()
	}
}

// Layout implements fyne.WidgetRenderer. What an empty field shows lies where the entry has it.
func (r *fieldRenderer) Layout(size fyne.Size) {
	if r.entry != nil {
		r.entry.Layout(size)
		r.fit()
		return
	}
	line, pad := look.Size(theme.SizeNameInputBorder), look.Size(theme.SizeNameInnerPadding)
	r.box.Move(fyne.NewSquareOffsetPos(line))
	r.box.Resize(size.Subtract(fyne.NewSquareSize(2 * line)))
	r.border.Move(fyne.NewSquareOffsetPos(line / 2))
	r.border.Resize(size.Subtract(fyne.NewSquareSize(line + 0.5)))
	left := float32(0)
	if r.icon != nil {
		side := look.Size(theme.SizeNameInlineIcon)
		r.icon.Move(fyne.NewSquareOffsetPos(pad))
		r.icon.Resize(fyne.NewSquareSize(side))
		left = side + look.Size(theme.SizeNameLineSpacing)
	}
	r.clip.Move(fyne.NewPos(left, line))
	r.clip.Resize(size.Subtract(fyne.NewSize(left+r.trailing(), 2*line)))
	r.hint.Move(fyne.NewPos(pad, pad-line))
	r.hint.Resize(r.hint.MinSize())
}

// trailing is what the entry leaves to the button at the right.
func (r *fieldRenderer) trailing() float32 {
	if r.field.ActionItem == nil {
		return 0
	}
	return r.field.ActionItem.MinSize().Width
}

// Refresh implements fyne.WidgetRenderer.
func (r *fieldRenderer) Refresh() {
	if r.useEntry(); r.entry != nil {
		r.entry.Refresh()
		r.fit()
		return
	}
	r.style()
	r.Layout(r.field.Size())
	for _, o := range []fyne.CanvasObject{r.box, r.border, r.hint} {
		o.Refresh()
	}
}

// style gives an empty field the colours that the entry has, and its hint.
func (r *fieldRenderer) style() {
	border, hint := theme.ColorNameInputBorder, theme.ColorNamePlaceHolder
	if r.field.Disabled() {
		border, hint = theme.ColorNameDisabled, theme.ColorNameDisabled
	}
	radius := look.Size(theme.SizeNameInputRadius)
	r.box.FillColor, r.box.CornerRadius = look.Color(theme.ColorNameInputBackground), radius
	r.border.StrokeColor, r.border.StrokeWidth, r.border.CornerRadius = look.Color(border), look.Size(theme.SizeNameInputBorder), radius
	look.SetText(r.hint, r.field.PlaceHolder, look.WeightRegular.Style())
	r.hint.TextSize, r.hint.Color = look.Size(theme.SizeNameText), look.Color(hint)
	if r.icon != nil {
		r.icon.Resource = r.field.Icon
		r.icon.Refresh()
	}
}

// fit gives the clip the position and size of the entry's scroll.
func (r *fieldRenderer) fit() {
	r.clip.Move(r.scroll.Position())
	r.clip.Resize(r.scroll.Size())
}
