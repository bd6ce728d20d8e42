package inbox

import (
	"image"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/thumbs"
)

// rowWidget shows one submission: box, thumbnail, name and size; sign, state and detail; what can be done. A click opens or selects
// it; the box is a part of the row, not a control of its own, so that all of the row's edge can be clicked.
type rowWidget struct {
	kit.Row
	box            *kit.RowBox
	thumb          *kit.Thumb
	name, size     *kit.Text
	mark           *kit.MarkIcon
	voice          *kit.MarkIcon // of a clip's voice, before the detail
	icon           *kit.Icon
	state, detail  *kit.Text
	hint           *kit.Text
	progress       *kit.Progress
	open, again    *kit.Button // in words
	send, always   *kit.Button // likewise
	keep, retry    *kit.Button // likewise
	use, inCase    *kit.Button // likewise
	change, ending *kit.Button // pause or resume; cancel or remove

	row   Row
	inbox *Screen
	// What was held down, and where the pointer was, as the button went down: a click itself does not tell.
	held fyne.KeyModifier
}

var (
	_ fyne.Tappable      = (*rowWidget)(nil)
	_ desktop.Mouseable  = (*rowWidget)(nil)
	_ desktop.Cursorable = (*rowWidget)(nil)
	_ fyne.Accessible    = (*rowWidget)(nil)
)

func newRowWidget(b *Screen) *rowWidget {
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}
	r := &rowWidget{
		box:      kit.NewRowBox(),
		thumb:    kit.NewThumb(kit.RowThumb, look.IconText),
		name:     kit.NewText("", kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		size:     kit.NewText("", small),
		mark:     kit.NewMarkIcon(look.MarkNone, kit.RowSign),
		voice:    kit.NewMarkIcon(look.MarkNone, voiceSide),
		icon:     kit.NewIcon(look.IconArrowUp, look.ColorMuted, kit.RowSign),
		state:    kit.NewText("", kit.TextStyle{Ellipsis: look.EllipsisEnd}),
		detail:   kit.NewText("", small),
		hint:     kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisMiddle}), // its end is a verdict
		progress: kit.NewProgress(),
		inbox:    b,
	}
	r.open = r.newAction(kit.Plain, present.Open, i18n.T("Open"), nil)
	r.retry = r.newAction(kit.Plain, present.Retry, i18n.T("Try again"), look.IconRetry)
	r.again = r.newAction(kit.Bare, present.ScanAgain, i18n.T("Scan again"), nil)
	r.send = kit.NewButton(kit.Plain, "", nil, func() { r.inbox.act([]string{r.row.ID}, r.row.Sends()) })
	r.always, r.keep = r.newAction(kit.Bare, present.AlwaysCopy, i18n.T("Always do this"), nil), r.newAction(kit.Bare, present.Withhold, i18n.T("Keep here"), nil)
	r.use, r.inCase = r.newAction(kit.Plain, present.TakeOver, i18n.T("Use the answer"), nil), r.newAction(kit.Bare, present.OpenCase, i18n.T("Open the case"), nil)
	r.use.SetToolTip(i18n.T("Use your colleague's answer. Nothing is sent."))
	for _, second := range []*kit.Button{r.again, r.always, r.keep, r.inCase} {
		second.SetMuted(true)
	}
	r.always.SetToolTip(i18n.T("Send the copy, and from now on send such copies without asking"))
	r.keep.SetToolTip(i18n.T("Keep it on this computer"))
	r.change, r.ending = r.newAction(kit.Bare, "", "", look.IconPause), r.newAction(kit.Bare, "", "", look.IconClose)
	r.StartRow(r)
	return r
}

func (r *rowWidget) newAction(kind kit.Kind, a present.Action, label string, icon fyne.Resource) *kit.Button {
	return kit.NewButton(kind, label, icon, func() { r.inbox.act([]string{r.row.ID}, a) })
}

// set shows a submission; thumb may be nil. The row with the cursor is the one that keys act on. What is as before is not drawn
// again: reading an icon once more takes longer than all the rest.
func (r *rowWidget) set(row Row, thumb image.Image, selected, cursor bool) {
	r.row = row
	r.box.Set(selected, cursor || r.inbox.selection.Len() > 0)
	r.Mark(cursor, selected)
	r.thumb.SetIcon(thumbs.Icon(row.Medium))
	if row.Link != "" && row.Medium == present.Unknown {
		r.thumb.SetIcon(look.IconLink)
	}
	r.thumb.SetImage(thumb)
	r.name.SetText(row.Name)
	r.size.SetText(row.Under())
	r.state.SetText(row.State)
	r.detail.SetText(row.Detail)
	r.hint.SetText(row.Hint)
	kit.SetVisible(r.hint, row.Hint != "")
	r.setSign(row)
	if row.Progress != nil {
		r.progress.SetValue(*row.Progress)
	}
	kit.SetVisible(r.progress, row.Progress != nil)
	r.setActions(row)
	r.place(r.Size())
}

// MouseIn implements desktop.Hoverable.
func (r *rowWidget) MouseIn(e *desktop.MouseEvent) {
	r.Row.MouseIn(e)
	r.box.Point(true)
	canvas.Refresh(r) // what was never painted can't ask for it
	r.inbox.pointed()
}

// MouseOut implements desktop.Hoverable.
func (r *rowWidget) MouseOut() {
	r.Row.MouseOut()
	r.box.Point(false)
	canvas.Refresh(r)
}

// underPointer reports whether the pointer is over the row or one of its buttons.
func (r *rowWidget) underPointer() bool {
	return r.box.Pointed() || slices.ContainsFunc(r.buttons(), (*kit.Button).Hovered)
}

// buttons are those of the row, from the right.
func (r *rowWidget) buttons() []*kit.Button {
	return []*kit.Button{r.ending, r.change, r.retry, r.open, r.again, r.keep, r.always, r.inCase, r.send, r.use}
}

func (r *rowWidget) setSign(row Row) {
	kit.SetVisible(r.mark, row.Symbol == SymbolMark)
	kit.SetVisible(r.icon, row.Symbol != SymbolMark)
	r.mark.SetMark(look.Mark(row.Mark))
	r.voice.SetMark(look.Mark(row.VoiceMark))
	kit.SetVisible(r.voice, look.Mark(row.VoiceMark) != look.MarkNone)
	switch row.Symbol {
	case SymbolProblem:
		r.icon.Set(look.IconWarning, look.ColorText)
	case SymbolStopped:
		r.icon.Set(look.IconClose, look.ColorMuted)
	case SymbolHeld:
		r.icon.Set(look.IconQuestion, look.ColorText)
	case SymbolStays:
		r.icon.Set(look.IconLock, look.ColorMuted)
	case SymbolPaused:
		r.icon.Set(look.IconPause, look.ColorMuted)
	default:
		r.icon.Set(look.IconArrowUp, look.ColorMuted)
	}
}

func (r *rowWidget) setActions(row Row) {
	offered := func(a present.Action) bool { return slices.Contains(row.Offered, a) }
	r.send.SetLabel(row.ApproveWords())
	switch row.Sends() {
	case present.SendCopy:
		r.send.SetToolTip(i18n.T("Make the copy on this computer, and send it"))
	case present.SendAnyway:
		r.send.SetToolTip(i18n.T("Send it for an answer of your own"))
	default:
		r.send.SetToolTip(i18n.T("See what would leave this computer (S)"))
	}
	kit.SetVisible(r.send, offered(row.Sends()))
	kit.SetVisible(r.keep, offered(present.Withhold))
	kit.SetVisible(r.use, offered(present.TakeOver))
	kit.SetVisible(r.retry, row.Can(present.Retry))
	r.setAction(r.change, row, []offer{
		{present.Pause, look.IconPause, i18n.T("Pause")},
		{present.Resume, look.IconPlay, i18n.T("Resume")},
	})
	r.setAction(r.ending, row, []offer{
		{present.Cancel, look.IconClose, i18n.T("Cancel")},
		{present.Remove, look.IconClose, i18n.T("Remove from this list")},
	})
}

type offer struct {
	action present.Action
	icon   fyne.Resource
	tip    string
}

// setAction gives a button the first action that the row offers, and hides it where it offers none.
func (r *rowWidget) setAction(b *kit.Button, row Row, offers []offer) {
	for _, o := range offers {
		if row.Can(o.action) {
			b.SetIcon(o.icon)
			b.SetToolTip(o.tip)
			b.OnTapped = func() { r.inbox.act([]string{r.row.ID}, o.action) }
			b.Show()
			return
		}
	}
	b.Hide()
}

// MouseDown implements desktop.Mouseable.
func (r *rowWidget) MouseDown(e *desktop.MouseEvent) { r.held = e.Modifier }

// MouseUp implements desktop.Mouseable.
func (r *rowWidget) MouseUp(*desktop.MouseEvent) {}

// Tapped implements fyne.Tappable.
func (r *rowWidget) Tapped(e *fyne.PointEvent) {
	held := r.held
	r.held = 0
	r.inbox.clicked(r.row.ID, e.Position.X < kit.RowEdge+kit.RowCheck+kit.RowGap, held)
}

// Cursor implements desktop.Cursorable.
func (r *rowWidget) Cursor() desktop.Cursor {
	if r.row.Can(present.Open) {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// AccessibilityLabel implements fyne.Accessible.
func (r *rowWidget) AccessibilityLabel() string {
	name := r.row.Name
	if r.row.Care().Watched {
		name = i18n.F("%s, from %s", name, r.row.From)
	}
	label := name + ": " + r.row.State
	if r.row.Detail != "" {
		label += ", " + r.row.Detail
	}
	if r.box.State() == kit.Checked {
		label = i18n.F("%s (selected)", label)
	}
	return label
}

// CreateRenderer implements fyne.Widget.
func (r *rowWidget) CreateRenderer() fyne.WidgetRenderer {
	return r.DrawRow(fyne.NewSize(300, rowHeight), r.place, r.box.CheckMark, r.thumb, r.name, r.size, r.mark, r.icon, r.state, r.voice, r.detail, r.hint, r.progress,
		r.again, r.open, r.keep, r.always, r.inCase, r.send, r.use, r.retry, r.change, r.ending)
}

const (
	rowHeight float32 = 56
	voiceSide float32 = 13
	rowOne    float32 = 560 // below it, name and state stand in one column, so that buttons leave the state its words
	rowLeast  float32 = 140 // of the state's words; where its buttons leave less, name and state stand in one column as well
	rowNarrow float32 = 480 // below it, there is no thumbnail, and no button for what a click on the row does
)

// place gives the name a quarter of the width and the state what the actions leave. Those in icons have a place of their own at
// the right; those in words stand before them, or in the place of the icon that is not there.
func (r *rowWidget) place(size fyne.Size) {
	r.PlaceRow(size)
	narrow := size.Width < rowNarrow
	offered := func(a present.Action) bool { return !narrow && slices.Contains(r.row.Offered, a) }
	kit.SetVisible(r.open, offered(present.Open)) // a click on the row does it, too
	kit.SetVisible(r.again, offered(present.ScanAgain))
	kit.SetVisible(r.always, offered(present.AlwaysCopy))
	kit.SetVisible(r.inCase, offered(present.OpenCase))
	kit.SetVisible(r.thumb, !narrow)
	right := r.placeActions(size)
	nameWidth := max(140, 0.24*size.Width)
	one := size.Width < rowOne || right-rowLeast < kit.RowEdge+kit.RowCheck+kit.RowThumb+nameWidth+kit.RowSign+5*kit.RowGap
	kit.SetVisible(r.size, !one)
	kit.SetVisible(r.hint, !one && r.row.Hint != "")
	kit.SetVisible(r.detail, true)
	x := kit.RowEdge
	kit.PlaceInRow(r.box.CheckMark, x, size.Height, kit.RowCheck, kit.RowCheck)
	x += kit.RowCheck + kit.RowGap
	if !narrow {
		kit.PlaceInRow(r.thumb, x, size.Height, kit.RowThumb, kit.RowThumb)
		x += kit.RowThumb + kit.RowGap
	}
	if one {
		r.placeColumn(x, max(0, right-kit.RowGap-x), size.Height)
		return
	}

	kit.StackLines(x, nameWidth, size.Height, r.name, r.size, r.hint)
	hint, beneath := x, kit.LineHeight(r.hint) // which takes the width of both columns
	x += nameWidth + kit.RowGap
	kit.PlaceInRow(r.mark, x, size.Height-beneath, kit.RowSign, kit.RowSign)
	kit.PlaceInRow(r.icon, x, size.Height-beneath, kit.RowSign, kit.RowSign)
	x += kit.RowSign + kit.RowGap

	width := max(0, right-kit.RowGap-x)
	if r.progress.Visible() {
		kit.StackLines(x, width, size.Height, r.state, r.progress, r.detail)
		r.progress.Resize(fyne.NewSize(min(width, 190), r.progress.MinSize().Height))
		// The bar keeps off the letters.
		r.state.Move(r.state.Position().SubtractXY(0, 2))
		r.detail.Move(r.detail.Position().AddXY(0, 2))
		return
	}
	kit.StackLines(x, width, size.Height-beneath, r.state, r.detail)
	r.placeVoice()
	r.hint.Resize(fyne.NewSize(max(0, x+width-hint), r.hint.Size().Height))
}

// placeVoice puts the sign of a voice before what else there is to say.
func (r *rowWidget) placeVoice() {
	if !r.voice.Visible() {
		return
	}
	at, size := r.detail.Position(), r.detail.Size()
	kit.PlaceAt(r.voice, at.X, at.Y+(size.Height-voiceSide)/2, voiceSide, voiceSide)
	kit.PlaceAt(r.detail, at.X+voiceSide+look.Space, at.Y, max(0, size.Width-voiceSide-look.Space), size.Height)
}

// placeColumn lays the name out above the state, and above the progress or what else there is to say.
func (r *rowWidget) placeColumn(x, width, height float32) {
	const indent = kit.RowSign + 1.5*look.Space
	if r.progress.Visible() {
		kit.StackLines(x, width, height, r.name, r.state, r.progress)
	} else {
		kit.StackLines(x, width, height, r.name, r.state, r.detail)
		r.placeVoice()
	}
	kit.SetVisible(r.detail, !r.progress.Visible())
	line := r.state.Position().Y + r.state.Size().Height/2
	for _, o := range []fyne.CanvasObject{r.mark, r.icon} {
		kit.PlaceAt(o, x, line-kit.RowSign/2, kit.RowSign, kit.RowSign)
	}
	r.state.Move(r.state.Position().AddXY(indent, 0))
	r.state.Resize(fyne.NewSize(max(0, width-indent), r.state.Size().Height))
}

// placeActions lays out the buttons from the right, and returns where they begin.
func (r *rowWidget) placeActions(size fyne.Size) (right float32) {
	const button = look.ControlHeight
	right = size.Width - 2.5*look.Space
	if r.ending.Visible() {
		kit.PlaceInRow(r.ending, right-button, size.Height, button, button)
		right -= button
	}
	if r.change.Visible() {
		kit.PlaceInRow(r.change, right-button, size.Height, button, button)
		right -= button
	}
	right -= look.Space
	for _, words := range r.buttons()[2:] {
		if words.Visible() {
			width := words.MinSize().Width
			kit.PlaceInRow(words, right-width, size.Height, width, button)
			right -= width + look.Space
		}
	}
	return right
}
