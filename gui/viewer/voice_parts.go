package viewer

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/client/verdict"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// voiced is a Pane that knows what was reported of the parts of its sound, and goes to them.
type voiced interface {
	OnVoice(told func(present.Timeline))
	ChooseVoice(lane, i int)
}

// voiceMost is how many parts are listed; all of them are in the lane below the waveform.
const voiceMost = 6

// voiceParts are the parts of a clip's voice, the strongest first. A click goes to one.
type voiceParts struct {
	root, rows *fyne.Container
	more       *kit.Text
	choose     func(lane, i int)
}

func newVoiceParts(choose func(lane, i int)) *voiceParts {
	v := &voiceParts{choose: choose, rows: container.New(kit.Column{Grow: -1})}
	v.more = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})
	title := kit.NewText(i18n.T("Voice parts, strongest first"), kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd})
	v.root = container.New(kit.Column{Gap: look.Space, Grow: -1}, title, v.rows, v.more)
	v.root.Hide()
	return v
}

// set shows the parts of a timeline's first lane; a voice has one.
func (v *voiceParts) set(t present.Timeline) {
	v.rows.RemoveAll()
	var order []int
	if len(t.Lanes) > 0 {
		order = slices.DeleteFunc(t.Lanes[0].Strongest(), func(i int) bool { // which of them is strong isn't known
			s := t.Lanes[0].Spans[i]
			return s.Decision.IsZero() && s.Score == nil
		})
	}
	kit.SetVisible(v.root, len(order) > 0)
	if len(order) == 0 {
		return
	}
	for _, i := range order[:min(len(order), voiceMost)] {
		v.rows.Add(newPartRow(t.Lanes[0].Spans[i], func() { v.choose(0, i) }))
	}
	kit.SetVisible(v.more, len(order) > voiceMost)
	v.more.SetText(verdict.AndMore(len(order) - voiceMost))
}

// partRow is one part: its mark, when it is, the decision in words as room allows, and its number.
type partRow struct {
	kit.Control
	part     present.Span
	onTapped func()
}

func newPartRow(part present.Span, onTapped func()) *partRow {
	r := &partRow{part: part, onTapped: onTapped}
	r.ExtendBaseWidget(r)
	r.SetToolTip(part.Label() + "\n" + part.Source())
	return r
}

// Tapped implements fyne.Tappable.
func (r *partRow) Tapped(*fyne.PointEvent) { r.onTapped() }

// AccessibilityLabel implements fyne.Accessible.
func (r *partRow) AccessibilityLabel() string { return r.part.Label() }

// CreateRenderer implements fyne.Widget.
func (r *partRow) CreateRenderer() fyne.WidgetRenderer {
	number := "–"
	if r.part.Score != nil {
		number = r.part.Score.Text
	}
	ring, ground := &canvas.Rectangle{CornerRadius: look.RadiusControl}, &canvas.Rectangle{CornerRadius: look.RadiusControl}
	mark := kit.NewMarkIcon(look.Mark(r.part.Mark), partMark)
	time := kit.NewText(r.part.Time(), kit.TextStyle{Tabular: true})
	word := kit.NewText(r.part.Word, kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	score := kit.NewText(number, kit.TextStyle{Tabular: true})
	place := func(size fyne.Size) {
		const over, line = 2 * look.Space, 2 // the ground is wider than the texts, which stand below the others of the panel
		kit.PlaceAt(ring, -over, 0, size.Width+2*over, size.Height)
		kit.PlaceAt(ground, line-over, line, size.Width+2*(over-line), size.Height-2*line)
		kit.PlaceInRow(mark, 0, size.Height, partMark, partMark)
		x := partMark + 2*look.Space
		kit.PlaceInRow(time, x, size.Height, time.MinSize().Width, time.MinSize().Height)
		x += time.MinSize().Width + 2*look.Space
		right := size.Width - score.MinSize().Width
		kit.PlaceInRow(word, x, size.Height, max(0, right-x-2*look.Space), word.MinSize().Height)
		kit.PlaceInRow(score, right, size.Height, score.MinSize().Width, score.MinSize().Height)
	}
	inner := kit.NewRenderer([]fyne.CanvasObject{ring, ground, mark, time, word, score}, fyne.Size{}, place, func() {
		ring.FillColor, ring.Hidden = look.Color(look.ColorAccent), !r.Focused() || !kit.ByKeyboard()
		ground.FillColor, ground.Hidden = look.Color(look.ColorHover), !r.Hovered() && ring.Hidden
		if !ring.Hidden {
			ground.FillColor = look.Color(look.ColorSurface)
		}
		place(r.Size())
	})
	inner.Refresh()
	return partRenderer{inner, time}
}

const partMark float32 = 14

type partRenderer struct {
	fyne.WidgetRenderer
	time *kit.Text
}

// MinSize implements fyne.WidgetRenderer.
func (r partRenderer) MinSize() fyne.Size {
	return fyne.NewSize(0, r.time.MinSize().Height+2*look.Space)
}
