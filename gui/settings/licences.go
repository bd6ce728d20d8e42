package settings

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// licencePanes show the names of all parts of Assay, and beside them the licence text of the chosen one.
type licencePanes struct {
	licences []Licence
	list     *kit.SideList
	names    *container.Scroll // of the list
	name     *kit.Paragraph
	version  *kit.Paragraph
	text     *kit.LongText
	chosen   *fyne.Container // name and version, above the text
	root     *fyne.Container
}

// showLicences shows the licences of the parts of Assay.
func showLicences(s *kit.Sheet, licences []Licence) {
	p := newLicencePanes(s.Canvas(), licences)
	s.Show(kit.SheetContent{
		Title:    i18n.T("Licences"),
		Body:     p.root,
		Buttons:  []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Close"), nil, s.Close)},
		First:    p.list,
		Width:    licencesWidth,
		TypedKey: p.typedKey,
	})
}

func newLicencePanes(c fyne.Canvas, licences []Licence) *licencePanes {
	p := &licencePanes{
		licences: licences,
		name:     kit.NewParagraph("", kit.TextStyle{Weight: look.WeightBold}),
		version:  kit.NewHint(""),
		text:     kit.NewLongText("", kit.TextStyle{Size: look.SizeSmall}),
	}
	names := make([]string, len(licences))
	for i, l := range licences {
		names[i] = strings.TrimPrefix(l.Name, "github.com/") // most begin with it; the whole name is above the text
	}
	p.list = kit.NewSideList(names, p.choose)
	list := kit.NewScroll(container.New(licenceMargin{}, p.list))
	p.names = list.Objects[0].(*container.Scroll)
	p.chosen = container.New(kit.Column{Gap: look.Space, Grow: 3}, p.name, p.version, container.New(kit.AtLeast(2*look.Space)), p.text)
	p.root = container.New(&licenceLayout{canvas: c}, list, kit.NewLine(), p.chosen)
	p.fill(0)
	return p
}

// choose shows a licence from its top, and marks its name in the list.
func (p *licencePanes) choose(i int) {
	p.fill(i)
	kit.Relayout(p.chosen) // the name may take another number of lines
	row := p.list.MinSize().Height / float32(len(p.licences))
	revealSpan(p.names, float32(i)*row, row)
}

func (p *licencePanes) fill(i int) {
	l := p.licences[i]
	p.name.SetText(l.Name)
	p.version.SetText(l.Version)
	kit.SetVisible(p.version, l.Version != "")
	p.text.SetText(l.Text)
}

// typedKey pages through the text, while the list or a button has the focus.
func (p *licencePanes) typedKey(e *fyne.KeyEvent) bool {
	if e.Name != fyne.KeyPageDown && e.Name != fyne.KeyPageUp {
		return false
	}
	p.text.TurnPage(e.Name == fyne.KeyPageDown)
	return true
}

// revealSpan scrolls just enough to show a span of the content.
func revealSpan(s *container.Scroll, top, height float32) {
	switch offset, seen := s.Offset.Y, s.Size().Height; {
	case top < offset:
		s.ScrollToOffset(fyne.NewPos(0, top))
	case top+height > offset+seen:
		s.ScrollToOffset(fyne.NewPos(0, top+height-seen))
	}
}

const (
	licencesWidth     float32 = 900
	licenceNamesWidth float32 = 220
	licenceGap        float32 = 4 * look.Space // on either side of the line between names and text
)

// licenceLayout lays the names, a line and the text out side by side, as high as the window has room for, so that the sheet itself need not scroll.
type licenceLayout struct{ canvas fyne.Canvas }

// Layout implements fyne.Layout.
func (*licenceLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	line := licenceNamesWidth + licenceGap
	kit.PlaceAt(objects[0], 0, 0, licenceNamesWidth, size.Height)
	kit.PlaceAt(objects[1], line, 0, look.Hairline, size.Height)
	text := line + look.Hairline + licenceGap
	kit.PlaceAt(objects[2], text, 0, max(0, size.Width-text), size.Height)
}

// MinSize implements fyne.Layout.
func (l *licenceLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	const (
		titleAndFoot    = 22 * look.Space
		lowest, highest = 200, 620
	)
	room := l.canvas.Size().Height - 2*(kit.SheetEdge+kit.SheetPad+kit.SheetGap+kit.SheetInset) - titleAndFoot
	return fyne.NewSize(0, max(lowest, min(room, highest)))
}

// licenceMargin keeps the names clear of the scroll bar at their right; they take the rest of the width.
type licenceMargin struct{}

const licenceBar float32 = 3 * look.Space

// Layout implements fyne.Layout.
func (licenceMargin) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := size.Width - licenceBar
	kit.PlaceAt(objects[0], 0, 0, width, kit.WrappedHeight(objects[0], width))
}

// MinSize implements fyne.Layout.
func (licenceMargin) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, objects[0].MinSize().Height)
}
