package inbox

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// dropStrip is the thin drop target above the table. In its words' place stands what the person has to know or to decide, so that no row moves when
// that comes and goes.
type dropStrip struct {
	object *kit.DropTarget
	body   *fyne.Container

	disc              fyne.CanvasObject
	heading           fyne.CanvasObject
	gate              *kit.Text
	change            *kit.Button // of the gate
	sending           Sending
	title             *kit.Text // of the notice
	text              *kit.Paragraph
	icon              *kit.Icon
	first, second     *kit.Button
	field             fyne.CanvasObject
	entry             fyne.Focusable
	folder, chooseOne *kit.Button
	shown             stripNotice
}

// stripNotice is what stands in the strip in place of its own words; the zero value is none.
type stripNotice struct {
	icon          look.Icon
	title, text   string
	cut           bool // the title may be cut: it is shown in full once the text is dismissed
	first, second stripAction
}

func (n stripNotice) none() bool { return n.title == "" && n.text == "" }

// stripAction is a button of a notice; none without a label.
type stripAction struct {
	label string
	icon  fyne.Resource
	do    func()
}

const (
	discSide  float32 = 40
	stripGap  float32 = 2 * look.Space
	stripSign float32 = 20
	ownLeast  float32 = 28 * look.Space // the least width of its own words
)

// newStrip makes the strip, with the other ways in.
func (b *Screen) newStrip() *dropStrip {
	s := &dropStrip{
		disc: kit.NewRoundIcon(look.IconArrowUp, discSide),
		heading: kit.NewWording(kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd},
			i18n.T("Drop pictures, clips, recordings or texts anywhere in this window"), i18n.T("Drop files anywhere in this window"), i18n.T("Drop files here")),
		gate:      kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}),
		change:    kit.NewButton(kit.Link, "", nil, nil),
		title:     kit.NewText("", kit.TextStyle{Weight: look.WeightBold, Ellipsis: look.EllipsisEnd}),
		text:      kit.NewParagraph("", kit.TextStyle{}),
		icon:      kit.NewIcon(look.IconInfo, look.ColorText, stripSign),
		first:     kit.NewButton(kit.Plain, "", nil, nil),
		second:    kit.NewButton(kit.Plain, "", nil, nil),
		folder:    kit.NewButton(kit.Plain, "", look.IconFolders, b.ChooseFolder),
		chooseOne: kit.NewButton(kit.Primary, i18n.T("Choose files…"), nil, b.Choose),
	}
	s.folder.SetToolTip(i18n.T("Choose a folder…"))
	s.field, s.entry = b.newLinkField()
	s.change.OnTapped = func() { b.SetAsksFirst(!s.sending.Asks()) }
	s.body = container.New(stripLayout{s}, s.disc, s.heading, s.gate, s.change, s.icon, s.title, s.text, s.first, s.second, s.field, s.folder, s.chooseOne)
	s.object = kit.NewDropStrip(s.body)
	s.object.SetPadding(3 * look.Space)
	s.show(stripNotice{})
	return s
}

// setSending shows what happens to what is handed over.
func (s *dropStrip) setSending(now Sending) {
	s.sending = now
	s.change.SetLabel(now.Switch())
	s.show(s.shown)
}

// show shows a notice, or the strip's own words.
func (s *dropStrip) show(n stripNotice) {
	s.shown = n
	own := n.none()
	for _, o := range []fyne.CanvasObject{s.disc, s.heading, s.gate} {
		kit.SetVisible(o, own)
	}
	kit.SetVisible(s.change, own && s.change.Label() != "")
	kit.SetVisible(s.icon, !own)
	kit.SetVisible(s.title, n.title != "")
	kit.SetVisible(s.text, n.text != "")
	if !own {
		s.icon.Set(n.icon, look.ColorText)
	}
	s.title.SetText(n.title)
	s.text.SetText(n.text)
	for button, action := range map[*kit.Button]stripAction{s.first: n.first, s.second: n.second} {
		kit.SetVisible(button, action.label != "")
		button.OnTapped = action.do
		button.SetIcon(action.icon)
		button.SetLabel(action.label)
	}
	kit.Relayout(s.body)
}

// stripLayout lays out disc, words, the notice's buttons, and the ways in at the right. Where the words have no room beside the ways in, they take that
// of the field for links (a link can still be pasted) and then of the folder's button, and a notice then that of the buttons; but never from somebody who
// types a link.
type stripLayout struct{ *dropStrip }

// Layout implements fyne.Layout.
func (l stripLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	x := discSide + 3*look.Space
	kit.PlaceInRow(l.disc, 0, size.Height, discSide, discSide)
	kit.PlaceInRow(l.icon, (discSide-stripSign)/2, size.Height, stripSign, stripSign)
	ways := []fyne.CanvasObject{l.chooseOne, l.folder, l.field}
	c := fyne.CurrentApp().Driver().CanvasForObject(l.body)
	typing := c != nil && c.Focused() == l.entry
	kept := len(ways)
	if l.shown.none() {
		if !typing && size.Width < x+ownLeast+2*stripGap+widthOf(ways) {
			kept--
			kit.SetVisible(l.field, false)
		}
		if kept == 2 && size.Width < x+ownLeast+2*stripGap+widthOf(ways[:kept]) {
			kept--
			kit.SetVisible(l.folder, false)
		}
		l.placeOwn(x, l.placeWays(size, ways[:kept])-2*stripGap-x, size.Height)
		return
	}
	if !typing {
		for kept > 0 && !l.fits(size.Width-widthOf(ways[:kept])-2*stripGap-x, size.Height) {
			kept--
			if kept == 1 {
				kept = 0 // the two buttons go together
			}
		}
	}
	right := l.placeWays(size, ways[:kept])
	for _, o := range ways[kept:] {
		kit.SetVisible(o, false)
	}
	if kept > 0 {
		right -= 2 * stripGap
	}
	for _, button := range []*kit.Button{l.second, l.first} {
		if button.Visible() {
			width := button.MinSize().Width
			kit.PlaceInRow(button, right-width, size.Height, width, look.ControlHeight)
			right -= width + stripGap
		}
	}
	room := max(0, right-stripGap-x)
	height := l.noticeHeight(room)
	y := (size.Height - height) / 2
	if l.title.Visible() {
		line := l.title.MinSize().Height
		kit.PlaceAt(l.title, x, y, room, line)
		y, height = y+line, height-line
	}
	kit.PlaceAt(l.text, x, y, room, height)
}

// placeOwn lays out the strip's own words.
func (l stripLayout) placeOwn(x, room, height float32) {
	link := float32(0)
	if l.change.Visible() {
		link = l.change.MinSize().Width
	}
	for _, wording := range l.sending.Words() {
		if link > 0 {
			wording += " ·"
		}
		if l.gate.SetText(wording); l.gate.FullWidth()+link <= room {
			break
		}
	}
	kit.StackLines(x, max(0, room), height, l.heading, l.gate)
	line := l.gate.MinSize().Height
	words := max(0, min(l.gate.FullWidth(), room-link))
	l.gate.Resize(fyne.NewSize(words, line))
	kit.PlaceAt(l.change, x+words, l.gate.Position().Y+(line-l.change.MinSize().Height)/2, link, l.change.MinSize().Height)
}

// placeWays lays out ways in from the right, and returns where they begin.
func (l stripLayout) placeWays(size fyne.Size, ways []fyne.CanvasObject) float32 {
	right := size.Width
	for i, o := range ways {
		kit.SetVisible(o, true)
		width := o.MinSize().Width
		if i > 0 {
			right -= stripGap
		}
		kit.PlaceInRow(o, right-width, size.Height, width, look.ControlHeight)
		right -= width
	}
	return right
}

// widthOf is the width of objects beside each other.
func widthOf(objects []fyne.CanvasObject) (width float32) {
	for i, o := range objects {
		if i > 0 {
			width += stripGap
		}
		width += o.MinSize().Width
	}
	return width
}

// fits reports whether the notice and its buttons have room in a width and a height.
func (l stripLayout) fits(width, height float32) bool {
	for _, button := range []*kit.Button{l.first, l.second} {
		if button.Visible() {
			width -= button.MinSize().Width + stripGap
		}
	}
	if l.title.Visible() && !l.shown.cut && l.title.FullWidth() > width {
		return false
	}
	return width > 0 && l.noticeHeight(width) <= height
}

// noticeHeight is that of the notice's words in a width.
func (l stripLayout) noticeHeight(width float32) (height float32) {
	if l.title.Visible() {
		height += l.title.MinSize().Height
	}
	if l.text.Visible() {
		height += kit.WrappedHeight(l.text, width)
	}
	return height
}

// MinSize implements fyne.Layout: the height is that of two lines, whatever stands there.
func (l stripLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	words := max(l.heading.MinSize().Height+l.gate.MinSize().Height, 2*l.title.MinSize().Height)
	width := discSide + 3*look.Space + ownLeast + 2*stripGap + widthOf([]fyne.CanvasObject{l.chooseOne})
	return fyne.NewSize(width, max(discSide, look.ControlHeight, words))
}
