package cases

import (
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/thumbs"
)

// tile shows an item: its picture, its name, and the verdict or how far it is.
type tile struct {
	widget.BaseWidget
	ground  *canvas.Rectangle
	picture *canvas.Image
	icon    *kit.Icon
	ring    *canvas.Rectangle
	name    *kit.Text
	mark    *kit.MarkIcon
	voice   *kit.VoiceMark
	words   [2]*kit.Text
	lines   int                  // that the words have room for
	remove  [2]fyne.CanvasObject // under the pointer: a disc and its cross

	item Item
}

var _ fyne.Accessible = (*tile)(nil)

// removeSide is the side of the place that removes an item, in the picture's corner.
const removeSide float32 = 24

const tileRadius float32 = 8

func newTile() *tile {
	t := &tile{
		ground:  &canvas.Rectangle{CornerRadius: tileRadius},
		picture: &canvas.Image{FillMode: canvas.ImageFillCover, ScaleMode: canvas.ImageScaleFastest, CornerRadius: tileRadius},
		ring:    &canvas.Rectangle{CornerRadius: tileRadius + 2, StrokeWidth: 2},
		icon:    kit.NewIcon(nil, look.ColorMuted, 24),
		name:    kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		mark:    kit.NewMarkIcon(look.MarkNone, 13),
		voice:   kit.NewVoiceMark(),
		words:   [2]*kit.Text{kit.NewText("", kit.TextStyle{Size: look.SizeCaption, Ellipsis: look.EllipsisEnd}), kit.NewText("", kit.TextStyle{Size: look.SizeCaption, Ellipsis: look.EllipsisEnd})},
		remove:  [2]fyne.CanvasObject{canvas.NewCircle(nil), kit.NewIcon(look.IconClose, look.ColorText, 14)}}
	t.ExtendBaseWidget(t)
	return t
}

// set shows an item; one without an ID is being read. removable shows the place that removes it.
func (t *tile) set(lines int, item Item, picture image.Image, ringed, removable bool) {
	t.lines = lines
	kit.SetVisible(t.ring, ringed)
	for _, o := range t.remove {
		kit.SetVisible(o, removable)
	}
	if t.item != item {
		t.item = item
		t.name.SetText(item.Name)
		t.mark.SetMark(look.Mark(item.Mark))
		t.voice.SetMark(look.Mark(item.OtherVoice))
		if item.ID != "" {
			t.icon.Set(thumbs.Icon(item.Medium), look.ColorMuted)
		} else {
			t.icon.Set(nil, look.ColorMuted)
		}
	}
	t.setPicture(picture)
	t.place(t.Size())
}

// setPicture shows a picture, or the medium's icon for nil.
func (t *tile) setPicture(picture image.Image) {
	if t.picture.Image == picture && t.picture.Visible() == (picture != nil) {
		return
	}
	t.picture.Image = picture
	kit.SetVisible(t.picture, picture != nil)
	kit.SetVisible(t.icon, picture == nil)
	t.picture.Refresh()
}

// AccessibilityLabel implements fyne.Accessible.
func (t *tile) AccessibilityLabel() string { return t.item.label() }

// AccessibilityRole implements fyne.Accessible.
func (t *tile) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (t *tile) CreateRenderer() fyne.WidgetRenderer {
	t.paint()
	return kit.NewRenderer([]fyne.CanvasObject{t.ground, t.icon, t.picture, t.voice, t.remove[0], t.remove[1], t.ring, t.name, t.mark, t.words[0], t.words[1]}, fyne.NewSize(tileNarrow, tileWords), t.place,
		func() { t.paint(); t.place(t.Size()) })
}

func (t *tile) paint() {
	t.ground.FillColor = look.Color(look.ColorSunk)
	t.ring.StrokeColor = look.Color(look.ColorAccent)
	t.remove[0].(*canvas.Circle).FillColor = look.Color(look.ColorSurface)
}

func (t *tile) place(size fyne.Size) {
	high := max(0, size.Height-tileWords-float32(max(t.lines, 1)-1)*tileLine())
	kit.PlaceAt(t.ground, 0, 0, size.Width, high)
	kit.PlaceAt(t.picture, 0, 0, size.Width, high)
	kit.PlaceAt(t.ring, -2, -2, size.Width+4, high+4)
	for _, o := range t.remove {
		kit.PlaceAt(o, size.Width-removeSide-look.Space, look.Space, removeSide, removeSide)
	}
	t.voice.PlaceIn(size.Width, high)
	kit.PlaceAt(t.icon, (size.Width-24)/2, (high-24)/2, 24, 24)
	name, line := t.name.MinSize().Height, tileLine()
	y := high + look.Space
	kit.PlaceAt(t.name, 0, y, size.Width, name)
	y += name + 2
	left := float32(0)
	if t.item.Mark != "" {
		kit.PlaceAt(t.mark, 0, y+(line-tileMark)/2, tileMark, tileMark)
		left = tileMark + look.Space
	}
	width := max(0, size.Width-left)
	first, rest := t.item.Words, ""
	if t.lines > 1 && width > 0 {
		first, rest, _ = kit.FirstLine(t.item.Words, width, look.Size(look.SizeCaption), fyne.TextStyle{})
	}
	for i, words := range []string{first, rest} {
		t.words[i].SetText(words)
		kit.PlaceAt(t.words[i], left, y+float32(i)*line, width, line)
	}
}

// tileLine is the height of a line of the words.
func tileLine() float32 {
	return look.Measure("M", look.Size(look.SizeCaption), fyne.TextStyle{}).Height
}

// wordsLines is how many lines the verdicts' words need at a width, in the person's language: all tiles have room for as many, so that none is cut and
// none moves.
func wordsLines(width float32) int {
	for _, words := range statusWords() {
		if look.Measure(words, look.Size(look.SizeCaption), fyne.TextStyle{}).Width > width-tileMark-look.Space {
			return 2
		}
	}
	return 1
}
