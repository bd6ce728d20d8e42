package review

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// checkedView says which colleagues have checked what would be sent, with a link to the case.
type checkedView struct {
	object           *fyne.Container
	mark             *kit.MarkIcon
	headline, detail *kit.Paragraph
	open             *kit.Button
	caseID           string
}

const checkedMark float32 = 20

func newCheckedView(openCase func(id string)) *checkedView {
	c := &checkedView{
		mark:     kit.NewMarkIcon(look.MarkNone, checkedMark),
		headline: kit.NewParagraph("", kit.TextStyle{Weight: look.WeightBold}),
		detail:   kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}),
	}
	c.open = kit.NewButton(kit.Link, i18n.T("Open the case"), nil, func() { openCase(c.caseID) })
	c.object = container.New(checkedLayout{}, c.mark, c.headline, c.detail, c.open)
	return c
}

func (c *checkedView) set(v CheckedContent) {
	kit.SetVisible(c.object, v.Headline != "")
	kit.SetVisible(c.mark, look.Mark(v.Mark) != look.MarkNone)
	c.mark.SetMark(look.Mark(v.Mark))
	c.headline.SetText(v.Headline)
	c.detail.SetText(v.Detail)
	c.caseID = v.Case.ID
	kit.SetVisible(c.open, v.Case.ID != "")
	c.open.SetToolTip(v.Case.Title)
}

// checkedLayout puts the mark before the lines, which are below each other.
type checkedLayout struct{}

// Layout implements fyne.Layout.
func (checkedLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x, y := float32(0), float32(0)
	if mark := objects[0]; mark.Visible() {
		kit.PlaceAt(mark, 0, 0, checkedMark, checkedMark)
		x = checkedMark + 2*look.Space
	}
	for _, o := range objects[1:3] {
		height := kit.WrappedHeight(o, size.Width-x)
		kit.PlaceAt(o, x, y, size.Width-x, height)
		y += height
	}
	link := objects[3].MinSize()
	kit.PlaceAt(objects[3], x, y, min(link.Width, size.Width-x), link.Height)
}

// MinSize implements fyne.Layout: the height follows from the width of the last layout.
func (checkedLayout) MinSize(objects []fyne.CanvasObject) (least fyne.Size) {
	for _, o := range objects[1:] {
		if o.Visible() {
			least.Height += o.MinSize().Height
		}
	}
	return least
}
