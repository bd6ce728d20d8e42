package results

import (
	"image"
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/thumbs"
)

const (
	rowHeight     float32 = 72
	tileRowHeight float32 = 92 // of a row of thumbnails only
	resultThumb   float32 = 44
)

// rowState is the state of a row.
type rowState struct {
	chosen   bool // shown by the viewer
	focused  bool // the list has the keyboard's focus
	selected bool // for actions on many
	boxed    bool // the box is shown without the pointer, too
}

// rowWidget shows one answered submission, or nothing or bars while it is being read: its thumbnail with three lines beside it; as a tile, the
// thumbnail with the verdict below it, and name and score in the tooltip. A click shows the result; one on the box selects it.
type rowWidget struct {
	kit.Tip
	tile         bool
	ground, bar  *kit.Fill
	hover        *kit.Fill
	ring         *canvas.Rectangle
	bars         [2]*canvas.Rectangle // in place of name and verdict
	thumb        *kit.Thumb
	box          *kit.RowBox
	boxArea      *boxArea
	name, detail *kit.Text
	mark         *kit.MarkIcon
	sign         *kit.Icon // from another device
	human        *kit.Icon // its verdict has changed
	words, score *kit.Text
	voice        *kit.Text // of a clip whose sound has a result of its own, before the detail
	voiceMark    *kit.MarkIcon
	otherVoice   *kit.VoiceMark // on a tile, where the voice has another mark than the picture

	shown shownRow
}

var (
	_ desktop.Hoverable = (*rowWidget)(nil)
	_ fyne.Accessible   = (*rowWidget)(nil)
)

// shownRow is all that a row shows: most updates of a row change nothing, and need not draw it again.
type shownRow struct {
	row    Row
	thumb  image.Image
	state  rowState
	loaded bool
	late   bool // it is not loaded, and bars show that
	detail string
	ground color.Color // of the theme, which may have changed
}

// newRowWidget makes a row; onBox is called for a click on its box.
func newRowWidget(tile bool, onBox func(id string)) *rowWidget {
	wordSize := look.SizeSmall
	if tile {
		wordSize = look.SizeCaption
	}
	r := &rowWidget{
		tile:       tile,
		ground:     kit.NewFill(look.ColorSunk),
		bar:        kit.NewFill(look.ColorAccent),
		hover:      kit.NewFill(look.ColorHover),
		ring:       &canvas.Rectangle{FillColor: color.Transparent, StrokeWidth: 2},
		bars:       [2]*canvas.Rectangle{{CornerRadius: 4}, {CornerRadius: 4}},
		thumb:      kit.NewThumb(resultThumb, look.IconPicture),
		box:        kit.NewRowBox(),
		name:       kit.NewText("", kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		mark:       kit.NewMarkIcon(look.MarkNone, rowMark),
		sign:       kit.NewIcon(look.IconExternal, look.ColorMuted, 12),
		human:      kit.NewIcon(look.IconQuestion, look.ColorText, 12),
		words:      kit.NewText("", kit.TextStyle{Size: wordSize, Ellipsis: look.EllipsisEnd}),
		voice:      kit.NewText("", kit.TextStyle{Size: look.SizeCaption, Ellipsis: look.EllipsisEnd}),
		voiceMark:  kit.NewMarkIcon(look.MarkNone, voiceMark),
		otherVoice: kit.NewVoiceMark(),
		score:      kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Tabular: true}),
		detail:     kit.NewText("", kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}),
	}
	if tile {
		r.thumb = kit.NewThumb(0, nil)
	}
	r.boxArea = newBoxArea(func() { onBox(r.shown.row.ID) })
	r.hover.Hide()
	r.ExtendBaseWidget(r)
	return r
}

// set shows a result; thumb may be nil.
func (r *rowWidget) set(row Row, thumb image.Image, s rowState, now time.Time) {
	shown := shownRow{row: row, thumb: thumb, state: s, loaded: true, detail: row.Detail(now), ground: look.Color(look.ColorBackground)}
	if r.shown == shown {
		return
	}
	r.thumb.SetIcon(thumbs.Icon(row.Medium))
	r.thumb.SetImage(thumb)
	r.name.SetText(row.Name)
	r.mark.SetMark(look.Mark(row.Mark))
	r.words.SetText(row.Words)
	r.score.SetText(row.Score)
	r.detail.SetText(shown.detail)
	r.voice.SetText(row.Voice)
	r.voiceMark.SetMark(look.Mark(row.VoiceMark))
	if r.tile {
		before := ""
		if row.Was != "" {
			before = i18n.F("before: %s", row.Was)
		}
		r.SetToolTip(present.Joined(row.Name, row.Score, before, row.Voice))
	}
	r.show(shown)
}

// setUnread shows a row that is being read: nothing yet, or late, something in its place.
func (r *rowWidget) setUnread(s rowState, late bool) {
	shown := shownRow{state: s, late: late, ground: look.Color(look.ColorBackground)}
	if r.shown == shown {
		return
	}
	r.thumb.SetIcon(nil)
	r.thumb.SetImage(nil)
	r.SetToolTip("")
	r.show(shown)
}

// show lays out what was set. The parts of the row refresh themselves when they change, except for the theme's colours.
func (r *rowWidget) show(s shownRow) {
	same := r.shown.ground == s.ground
	r.shown = s
	if !same {
		r.Refresh()
		return
	}
	r.paint()
	r.place(r.Size())
	canvas.Refresh(r)
}

// CreateRenderer implements fyne.Widget.
func (r *rowWidget) CreateRenderer() fyne.WidgetRenderer {
	r.paint()
	parts := []fyne.CanvasObject{r.ground, r.hover, r.bar, r.ring, r.bars[0], r.bars[1], r.thumb, r.box.CheckMark, r.boxArea,
		r.name, r.mark, r.words, r.score, r.otherVoice, r.voiceMark, r.voice, r.sign, r.human, r.detail}
	least := fyne.NewSize(200, rowHeight)
	if r.tile {
		least = fyne.NewSize(0, tileRowHeight)
	}
	return kit.NewRenderer(parts, least, r.place, func() { r.paint(); r.place(r.Size()) })
}

func (r *rowWidget) paint() {
	s := r.shown
	kit.SetVisible(r.ground, s.state.chosen || s.state.selected)
	kit.SetVisible(r.bar, s.state.chosen)
	kit.SetVisible(r.ring, s.state.chosen && s.state.focused)
	r.ring.StrokeColor = look.Color(look.ColorAccent)
	r.box.Set(s.state.selected, s.loaded && s.state.boxed)
	kit.SetVisible(r.boxArea, s.loaded)
	bar := look.ColorSunk
	if r.ground.Visible() {
		bar = look.ColorBorder
	}
	for _, b := range r.bars {
		b.FillColor = look.Color(bar)
		kit.SetVisible(b, s.late && !r.tile)
	}
	kit.SetVisible(r.thumb, s.loaded || s.late)
	kit.SetVisible(r.mark, s.loaded)
	kit.SetVisible(r.words, s.loaded)
	for _, o := range []fyne.CanvasObject{r.name, r.score, r.detail} {
		kit.SetVisible(o, s.loaded && !r.tile)
	}
	kit.SetVisible(r.voice, s.loaded && !r.tile && s.row.Voice != "")
	kit.SetVisible(r.voiceMark, s.loaded && !r.tile && look.Mark(s.row.VoiceMark) != look.MarkNone)
	other := look.MarkNone
	if s.loaded && r.tile {
		other = look.Mark(s.row.OtherVoice())
	}
	r.otherVoice.SetMark(other)
	kit.SetVisible(r.sign, s.loaded && !r.tile && r.before() == r.sign)
	kit.SetVisible(r.human, s.loaded && !r.tile && r.before() == r.human)
}

// MouseIn implements desktop.Hoverable.
func (r *rowWidget) MouseIn(e *desktop.MouseEvent) {
	r.ToolTipWidget.MouseIn(e)
	r.hover.Show()
	r.box.Point(r.shown.loaded)
	canvas.Refresh(r) // what was never painted can't ask for it
}

// MouseOut implements desktop.Hoverable.
func (r *rowWidget) MouseOut() {
	r.Tip.MouseOut()
	r.hover.Hide()
	r.box.Point(false)
	canvas.Refresh(r)
}

// AccessibilityLabel implements fyne.Accessible.
func (r *rowWidget) AccessibilityLabel() string {
	label := r.shown.row.Name + ", " + r.shown.row.Words
	if r.shown.row.Voice != "" {
		label += ", " + r.shown.row.Voice
	}
	if r.shown.state.selected {
		label = i18n.F("%s (selected)", label)
	}
	return label
}

// AccessibilityRole implements fyne.Accessible.
func (r *rowWidget) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleContainer }

const (
	rowMark   float32 = 14
	voiceMark float32 = 13
	// boxInset is how far the box is inside the thumbnail's corner; boxAround is what counts as the box around it.
	boxInset  float32 = 4
	boxAround float32 = 8
	// scoreBesideWords is the width of the list from which the score is beside the verdict's words; below, it is under them.
	scoreBesideWords float32 = 300
)

func (r *rowWidget) place(size fyne.Size) {
	r.ground.Resize(size)
	r.hover.Resize(size)
	r.bar.Resize(fyne.NewSize(3, size.Height))
	kit.PlaceAt(r.ring, 1, 1, size.Width-2, size.Height-2)
	if r.tile {
		r.placeTile(size)
	} else {
		r.placeLines(size)
	}
	at := r.thumb.Position().AddXY(boxInset, boxInset)
	kit.PlaceAt(r.box.CheckMark, at.X, at.Y, kit.RowCheck, kit.RowCheck)
	const area = kit.RowCheck + 2*boxAround
	kit.PlaceAt(r.boxArea, at.X-boxAround, at.Y-boxAround, area, area)
}

// placeTile places the mark and the verdict's words below the thumbnail.
func (r *rowWidget) placeTile(size fyne.Size) {
	const edge, top, high = 2 * look.Space, float32(7), float32(58)
	kit.PlaceAt(r.thumb, edge, top, size.Width-2*edge, high)
	line := r.words.MinSize().Height
	y := top + high + (size.Height-top-high-line)/2
	kit.PlaceAt(r.mark, edge, y+(line-rowMark)/2, rowMark, rowMark)
	x := edge + rowMark + look.Space
	kit.PlaceAt(r.words, x, y, max(0, size.Width-look.Space-x), line)
	r.otherVoice.PlaceIn(size.Width-edge, top+high)
}

// placeLines places name, verdict and detail beside the thumbnail.
func (r *rowWidget) placeLines(size fyne.Size) {
	const edge, gap, sign, mark = 3 * look.Space, 2.5 * look.Space, float32(12), rowMark
	top := (size.Height - resultThumb) / 2
	kit.PlaceAt(r.thumb, edge, top, resultThumb, resultThumb)
	x := edge + resultThumb + gap
	width := max(0, size.Width-edge-x)
	kit.PlaceAt(r.bars[0], x, size.Height/2-14, 0.7*width, 10)
	kit.PlaceAt(r.bars[1], x, size.Height/2+6, 0.4*width, 8)
	r.stack(x, width, size.Height)
	line, foot := r.words.Position().Y, r.detail.Position().Y
	score := r.score.MinSize()
	r.score.Resize(score)
	words, detail := width-mark-1.5*look.Space, width
	beside, shown := size.Width >= scoreBesideWords, true
	if !beside && r.shown.row.Voice != "" { // under the words it would be taken for the voice's
		beside = r.words.FullWidth() <= words-score.Width-gap
		shown = beside
	}
	kit.SetVisible(r.score, r.shown.loaded && shown)
	switch {
	case beside:
		r.score.Move(fyne.NewPos(size.Width-edge-score.Width, line))
		words -= score.Width + gap
	case shown: // a verdict's words are never cut for its score
		r.score.Move(fyne.NewPos(size.Width-edge-score.Width, foot+(r.detail.MinSize().Height-score.Height)/2))
		detail -= score.Width + gap
	}
	kit.PlaceAt(r.mark, x, line+(r.words.MinSize().Height-mark)/2, mark, mark)
	kit.PlaceAt(r.words, x+mark+1.5*look.Space, line, max(0, words), r.words.MinSize().Height)
	before := r.before()
	if r.shown.row.Voice != "" {
		room := detail
		if before != nil {
			room -= sign + look.Space
		}
		used := r.placeVoice(x, foot, room)
		x, detail = x+used, detail-used
	}
	if before != nil {
		kit.PlaceAt(before, x, foot+(r.detail.MinSize().Height-sign)/2, sign, sign)
		x += sign + look.Space
		detail -= sign + look.Space
	}
	kit.SetVisible(r.detail, r.shown.loaded && (r.shown.row.Voice == "" || detail >= min(leastDetail, r.detail.FullWidth())))
	kit.PlaceAt(r.detail, x, foot, max(0, detail), r.detail.MinSize().Height)
}

// leastDetail is the width from which the detail is shown behind what is said of the voice.
const leastDetail float32 = 60

// placeVoice places what is said of the voice at the beginning of the last line, and returns the width that it takes with the gap after it.
func (r *rowWidget) placeVoice(x, y, width float32) (used float32) {
	line := fyne.NewSize(r.voice.FullWidth(), r.voice.MinSize().Height)
	if r.voiceMark.Visible() {
		kit.PlaceAt(r.voiceMark, x, y+(line.Height-voiceMark)/2, voiceMark, voiceMark)
		used = voiceMark + look.Space
	}
	line.Width = max(0, min(line.Width, width-used))
	kit.PlaceAt(r.voice, x+used, y, line.Width, line.Height)
	return min(width, used+line.Width+2*look.Space)
}

// stack places the three lines in a column, centred in the height.
func (r *rowWidget) stack(x, width, height float32) {
	const gap float32 = 2.5
	lines := []fyne.CanvasObject{r.name, r.words, r.detail}
	total := gap * float32(len(lines)-1)
	for _, line := range lines {
		total += line.MinSize().Height
	}
	y := (height - total) / 2
	for _, line := range lines {
		kit.PlaceAt(line, x, y, width, line.MinSize().Height)
		y += line.MinSize().Height + gap
	}
}

// before is the icon before the last line, nil for none.
func (r *rowWidget) before() *kit.Icon {
	switch {
	case r.shown.row.Was != "":
		return r.human
	case r.shown.row.Elsewhere():
		return r.sign
	}
	return nil
}

// boxArea takes the clicks on a row's box and close to it. It has no hover, so that the pointer stays over the row.
type boxArea struct {
	widget.BaseWidget
	tapped func()
}

func newBoxArea(tapped func()) *boxArea {
	a := &boxArea{tapped: tapped}
	a.ExtendBaseWidget(a)
	return a
}

// Tapped implements fyne.Tappable.
func (a *boxArea) Tapped(*fyne.PointEvent) { a.tapped() }

// CreateRenderer implements fyne.Widget.
func (a *boxArea) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}
