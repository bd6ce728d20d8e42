package feedback

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// sides lays the second object out at the right, and gives the first the rest of the width. Where there is little height, the third is between them, if there
// is room for it.
type sides struct {
	bar   *Bar
	label float32 // the width of the label that is hidden where there is little width
}

func newSides(b *Bar) sides {
	if !b.scan.Visible() {
		return sides{bar: b}
	}
	b.scan.SetLabel(i18n.T(scanAgain))
	label := b.scan.MinSize().Width
	b.scan.SetLabel("")
	return sides{b, label - b.scan.MinSize().Width}
}

// narrowBelow is the width below which the bar shows less text, also where all of it has room.
const narrowBelow float32 = 540

const sidesGap = 2 * look.Space

// width is the least width of both, with the label or without.
func (s sides) width(objects []fyne.CanvasObject, labelled bool) float32 {
	width := objects[0].MinSize().Width
	if !objects[1].Visible() {
		return width
	}
	width += sidesGap + objects[1].MinSize().Width
	if !s.bar.scan.Visible() {
		return width
	}
	switch shown := s.bar.scan.Label() != ""; {
	case labelled && !shown:
		width += s.label
	case shown && !labelled:
		width -= s.label
	}
	return width
}

// inLine is the width in which the question and all buttons, with their labels, have room in one line.
func (s sides) inLine(objects []fyne.CanvasObject) float32 {
	b := s.bar
	if !b.textPlace.Visible() || !b.choices.Visible() {
		return 0
	}
	return s.width(objects, true) - objects[0].MinSize().Width + b.textPlace.MinSize().Width + 2*look.Space + b.choices.MinSize().Width
}

// Layout implements fyne.Layout.
func (s sides) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left, right := objects[0], objects[1]
	if s.bar.inOneRow() {
		s.bar.oneRow(left, right, size)
		return
	}
	s.bar.setNarrow(size.Width < max(narrowBelow, s.width(objects, true), s.inLine(objects)))
	width := size.Width
	if right.Visible() {
		side := right.MinSize()
		right.Resize(side)
		right.Move(fyne.NewPos(size.Width-side.Width, 0))
		width -= side.Width + sidesGap
	}
	if least, two := s.twoLines(objects); two && size.Width < s.width(objects, false) {
		width = max(least, size.Width) // the choices have the line below the question to themselves
	}
	left.Move(fyne.NewPos(0, 0))
	left.Resize(fyne.NewSize(max(0, width), size.Height))
}

// twoLines is the least width with the question beside the second object, and the choices on a line of their own; ok is false where nothing is asked.
func (s sides) twoLines(objects []fyne.CanvasObject) (least float32, ok bool) {
	b := s.bar
	if !b.textPlace.Visible() || !b.choices.Visible() {
		return 0, false
	}
	first := s.width(objects, false) - objects[0].MinSize().Width + b.textPlace.MinSize().Width
	return max(first, b.choices.MinSize().Width), true
}

// MinSize implements fyne.Layout.
func (s sides) MinSize(objects []fyne.CanvasObject) fyne.Size {
	height := objects[0].MinSize().Height
	if objects[1].Visible() {
		height = max(height, objects[1].MinSize().Height)
	}
	if s.bar.inOneRow() {
		if s.bar.aside.Visible() {
			height = max(height, s.bar.aside.MinSize().Height)
		}
		return fyne.NewSize(objects[0].MinSize().Width, height)
	}
	width := s.width(objects, false)
	if least, two := s.twoLines(objects); two {
		width = min(width, least)
	}
	return fyne.NewSize(width, height)
}

// SetLow has what is asked stand in one row, where there is little height, or as usual.
func (b *Bar) SetLow(low bool) {
	if b.low == low {
		return
	}
	b.low = low
	b.fill()
}

// inOneRow reports whether the answers, what goes with them and the actions stand in one row.
func (b *Bar) inOneRow() bool { return b.low && b.shown.Phase == FeedbackOpen }

// Room is the height that the bar needs while it asks. What it shows for the seconds in which feedback can be undone, or because the person asked for it, stands
// over what is above it, so that nothing moves.
func (b *Bar) Room() float32 {
	now := b.root.MinSize().Height
	switch {
	case b.form.root.Visible(), b.commentLine.Visible(), b.shown.Phase == FeedbackUndo, b.shown.Phase == FeedbackSending:
		if b.asked > 0 {
			return min(b.asked, now)
		}
	case b.shown.Phase == FeedbackOpen:
		b.asked = now
	}
	return now
}

// labels is how much the buttons say where all stand in one row.
type labels int

const (
	fullLabels  labels = iota
	shortLabels        // scanning again and the answers do with less
	fewLabels          // the actions are icons alone
)

// spell gives the buttons their labels and icons. What is without a label says it in its tooltip.
func (b *Bar) spell(l labels) {
	scan, report, yes, no := i18n.T(scanAgain), i18n.T("Report…"), fyne.Resource(look.IconCheck), fyne.Resource(look.IconClose)
	if l != fullLabels {
		scan = ""
	}
	if l >= shortLabels {
		yes, no = nil, nil
	}
	if l == fewLabels {
		report = ""
	}
	b.scan.SetLabel(scan)
	b.report.SetLabel(report)
	b.agree.SetIcon(yes)
	b.disagree.SetIcon(no)
}

// showAside shows what beneath says beside the answers, or beneath them.
func (b *Bar) showAside(beside bool) {
	kit.SetVisible(b.aside, beside)
	kit.SetVisible(b.beneath, !beside)
}

// asideLines is how many lines the sentence between the answers and the actions has at best, which is as high as a button, and at most.
var asideLines = []int{2, 3}

// asideLeast is the least width of that sentence: below it, words would be cut.
const asideLeast float32 = 110

// oneRow lays out the answers, the sentence beside them, and the actions. Where it is too narrow, buttons do with less, then the sentence stands beneath.
func (b *Bar) oneRow(left, right fyne.CanvasObject, size fyne.Size) {
	rest := func() float32 {
		side := float32(0)
		if right.Visible() {
			side = right.MinSize().Width + sidesGap
		}
		return size.Width - left.MinSize().Width - side
	}
	fits := func(width float32, lines int) bool {
		return width >= asideLeast && len(kit.BreakLines(b.aside.Text(), width, look.Size(look.SizeCaption), fyne.TextStyle{})) <= lines
	}
	beside := false
	if b.aside.Text() != "" {
		for _, lines := range asideLines {
			for l := fullLabels; l <= shortLabels && !beside; l++ {
				b.spell(l)
				beside = fits(rest()-2*sidesGap, lines)
			}
		}
	}
	for l := fullLabels; !beside && l <= fewLabels; l++ {
		b.spell(l)
		if rest() >= 0 {
			break
		}
	}
	b.showAside(beside)
	height := max(size.Height, look.ControlHeight)
	kit.PlaceAt(left, 0, (height-left.MinSize().Height)/2, left.MinSize().Width, left.MinSize().Height)
	kit.PlaceAt(right, size.Width-right.MinSize().Width, (height-right.MinSize().Height)/2, right.MinSize().Width, right.MinSize().Height)
	if beside {
		width := rest() - 2*sidesGap
		lines := kit.WrappedHeight(b.aside, width)
		kit.PlaceAt(b.aside, left.MinSize().Width+sidesGap, (height-lines)/2, width, lines)
	}
}
