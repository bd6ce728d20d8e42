package screen

import (
	"image"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
)

const inboxRowHeight float32 = 60

// inboxRow shows one submission: thumbnail, name and size; sign, state and detail; what can be done.
type inboxRow struct {
	widget.BaseWidget
	thumb        *part.Thumb
	name, size   *part.Text
	mark         *part.MarkIcon
	icon         *part.Icon
	state        *part.Text
	detail       *part.Text
	progress     *part.Progress
	retry, close *part.Button

	row present.Row
	act func(id string, a present.Action)
}

func newInboxRow(act func(id string, a present.Action)) *inboxRow {
	small := part.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}
	r := &inboxRow{
		thumb:    part.NewThumb(40, look.IconText),
		name:     part.NewText("", part.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		size:     part.NewText("", small),
		mark:     part.NewMarkIcon(look.MarkNone, 16),
		icon:     part.NewIcon(look.IconArrowUp, look.ColorMuted, look.IconSmall),
		state:    part.NewText("", part.TextStyle{Ellipsis: look.EllipsisEnd}),
		detail:   part.NewText("", small),
		progress: part.NewProgress(),
		act:      act,
	}
	r.retry = part.NewButton(part.Bare, "", look.IconRetry, func() { r.act(r.row.ID, present.Retry) })
	r.retry.SetToolTip("Try again")
	r.close = part.NewButton(part.Bare, "", look.IconClose, func() {
		if slices.Contains(r.row.Actions, present.Cancel) {
			r.act(r.row.ID, present.Cancel)
			return
		}
		r.act(r.row.ID, present.Remove)
	})
	r.ExtendBaseWidget(r)
	return r
}

// set shows a submission; thumb may be nil.
func (r *inboxRow) set(row present.Row, thumb image.Image) {
	r.row = row
	r.thumb.SetIcon(mediumIcon(row.Medium))
	r.thumb.SetImage(thumb)
	r.name.SetText(row.Name)
	r.size.SetText(row.Size)
	r.state.SetText(row.State)
	r.detail.SetText(row.Detail)
	setVisible(r.mark, row.Symbol == present.SymbolMark)
	setVisible(r.icon, row.Symbol != present.SymbolMark)
	r.mark.SetMark(look.Mark(row.Mark))
	switch row.Symbol {
	case present.SymbolProblem:
		r.icon.Set(look.IconWarning, look.ColorText)
	case present.SymbolStopped:
		r.icon.Set(look.IconClose, look.ColorMuted)
	default:
		r.icon.Set(look.IconArrowUp, look.ColorMuted)
	}
	if row.Progress != nil {
		r.progress.SetValue(*row.Progress)
	}
	setVisible(r.progress, row.Progress != nil)
	setVisible(r.retry, slices.Contains(row.Actions, present.Retry))
	cancel, remove := slices.Contains(row.Actions, present.Cancel), slices.Contains(row.Actions, present.Remove)
	setVisible(r.close, cancel || remove)
	r.close.SetToolTip("Remove from this list")
	if cancel {
		r.close.SetToolTip("Cancel")
	}
	r.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (r *inboxRow) CreateRenderer() fyne.WidgetRenderer { return &inboxRowRenderer{row: r} }

type inboxRowRenderer struct{ row *inboxRow }

func (r *inboxRowRenderer) Destroy() {}

func (r *inboxRowRenderer) MinSize() fyne.Size { return fyne.NewSize(480, inboxRowHeight) }

func (r *inboxRowRenderer) Objects() []fyne.CanvasObject {
	w := r.row
	return []fyne.CanvasObject{w.thumb, w.name, w.size, w.mark, w.icon, w.state, w.detail, w.progress, w.retry, w.close}
}

func (r *inboxRowRenderer) Refresh() {
	r.Layout(r.row.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

// Layout gives the name a quarter of the width and the state what the buttons leave.
func (r *inboxRowRenderer) Layout(size fyne.Size) {
	const edge, gap, button = 4 * look.Space, 3 * look.Space, look.ControlHeight
	w := r.row
	x := float32(edge)
	w.thumb.Move(fyne.NewPos(x, (size.Height-40)/2))
	w.thumb.Resize(fyne.NewSize(40, 40))
	x += 40 + gap

	nameWidth := max(140, 0.24*size.Width)
	stack(x, nameWidth, size.Height, w.name, w.size)
	x += nameWidth + gap
	for _, sign := range []fyne.CanvasObject{w.mark, w.icon} {
		sign.Move(fyne.NewPos(x, (size.Height-16)/2))
		sign.Resize(fyne.NewSize(16, 16))
	}
	x += 16 + gap

	right := size.Width - edge
	for _, b := range []fyne.CanvasObject{w.close, w.retry} {
		b.Move(fyne.NewPos(right-button, (size.Height-button)/2))
		b.Resize(fyne.NewSize(button, button))
		right -= button + look.Space
	}
	width := max(0, right-gap-x)
	if w.progress.Visible() {
		stack(x, width, size.Height, w.state, w.progress, w.detail)
		w.progress.Resize(fyne.NewSize(min(width, 190), w.progress.MinSize().Height))
		return
	}
	stack(x, width, size.Height, w.state, w.detail)
}

// stack places lines under each other, centred in a height; an empty text takes no room.
func stack(x, width, height float32, lines ...fyne.CanvasObject) {
	total := float32(0)
	for _, l := range lines {
		total += lineHeight(l)
	}
	y := (height - total) / 2
	for _, l := range lines {
		l.Move(fyne.NewPos(x, y))
		l.Resize(fyne.NewSize(width, l.MinSize().Height))
		y += lineHeight(l)
	}
}

func lineHeight(o fyne.CanvasObject) float32 {
	if text, ok := o.(*part.Text); ok && text.Text() == "" {
		return 0
	}
	return o.MinSize().Height
}
