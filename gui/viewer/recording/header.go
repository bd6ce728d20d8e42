package recording

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// header is the row of player controls.
type header struct {
	root        *fyne.Container
	play        *kit.Button
	moment, of  *kit.Text
	frame       *kit.Text   // "· frame 230" of a clip
	digits      int         // of its number
	back, on    *kit.Button // a frame; nil for a recording
	worst       *kit.Button
	loop        *kit.Chip
	mute        *kit.Button // sound on or off
	volume      *kit.Slider
	times       *fyne.Container
	left, right *fyne.Container
	toWorst     *fyne.Container // contains worst; hidden if there is none
	worstName   string
}

const volumeStart = 100

const wholeLoop = "Loop the whole recording, or the part you choose (L)"

func newHeader(p *Pane) *header {
	h := &header{}
	h.play = kit.NewButton(kit.Primary, "", look.IconPlay, p.toggle)
	h.moment = kit.NewText(present.Clock(0), kit.TextStyle{Tabular: true, Weight: look.WeightBold})
	h.of = kit.NewText("", kit.TextStyle{Tabular: true, Color: look.ColorMuted})
	h.frame = kit.NewText("", kit.TextStyle{Tabular: true, Color: look.ColorMuted})
	h.frame.Hide()
	h.worst = kit.NewButton(kit.Plain, "", look.IconFlag, p.goToWorst)
	h.loop = kit.NewChip(look.MarkNone, i18n.T("Loop part"), p.toggleLoop)
	h.loop.SetToolTip(i18n.T(wholeLoop))
	h.mute = kit.NewButton(kit.Plain, "", look.IconSound, p.toggleMute)
	h.setMuted(false)
	h.volume = kit.NewSlider(volumeStart, p.setVolume)
	h.volume.Name = i18n.T("Volume")
	numbered := centred(h.frame)
	h.times = container.New(layout.NewCustomPaddedHBoxLayout(1.5*look.Space), centred(h.moment), centred(h.of), numbered)
	h.toWorst = centred(h.worst)
	h.left = container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), h.play, h.times)
	loop := centred(h.loop)
	h.right = container.New(layout.NewCustomPaddedHBoxLayout(rightGap), h.toWorst, loop, h.mute)
	of := h.times.Objects[1]
	spare := []func(kept bool){keeping(loop), keeping(numbered), keeping(of), h.nameWorst}
	if p.Step != nil {
		h.back = kit.NewButton(kit.Plain, "", look.IconStepBack, func() { p.Step(-1) })
		h.on = kit.NewButton(kit.Plain, "", look.IconStepOn, func() { p.Step(1) })
		h.back.SetToolTip(i18n.T("One frame back (,)"))
		h.on.SetToolTip(i18n.T("One frame forward (.)"))
		h.left.Objects = []fyne.CanvasObject{h.back, h.play, h.on, h.times}
		h.right.Objects = append(h.right.Objects, p.Tools...)
	} else {
		volume := container.NewGridWrap(fyne.NewSize(92, look.ControlHeight), h.volume)
		h.right.Objects = append(h.right.Objects, volume)
		spare = append([]func(kept bool){keeping(volume)}, spare...)
	}
	h.root = container.New(ends{spare: spare}, h.left, h.right)
	h.setPlaying(false)
	h.setWorst(nil)
	return h
}

// centred puts a low object vertically in the middle of a control's height.
func centred(o fyne.CanvasObject) *fyne.Container {
	return container.New(kit.AtLeast(look.ControlHeight), container.NewVBox(layout.NewSpacer(), o, layout.NewSpacer()))
}

func (h *header) setPlaying(playing bool) {
	if playing {
		h.play.SetIcon(look.IconPause)
		h.play.SetToolTip(i18n.T("Pause (Space)"))
		return
	}
	h.play.SetIcon(look.IconPlay)
	h.play.SetToolTip(i18n.T("Play (Space)"))
}

// setMuted shows whether sound is heard.
func (h *header) setMuted(muted bool) {
	if muted {
		h.mute.SetIcon(look.IconMute)
		h.mute.SetToolTip(i18n.T("Sound is off: turn it on (M)"))
		return
	}
	h.mute.SetIcon(look.IconSound)
	h.mute.SetToolTip(i18n.T("Turn the sound off (M)"))
}

// setTime shows a moment and the length, in seconds; a length of 0 is unknown.
func (h *header) setTime(seconds, length float64) {
	h.moment.SetText(present.ClockOf(seconds, length))
	of := ""
	if length > 0 {
		of = "/ " + present.Clock(length)
	}
	if of != h.of.Text() {
		h.of.SetText(of)
		h.root.Refresh() // its width changed
	}
}

// setFrame shows the number of a clip's frame.
func (h *header) setFrame(n int) {
	words := "· " + i18n.F("frame %s", strconv.Itoa(n))
	if words == h.frame.Text() {
		return
	}
	h.frame.SetText(words)
	if !h.frame.Visible() || h.digits != len(words) {
		h.digits = len(words)
		h.frame.Show()
		h.root.Refresh() // its width changed
	}
}

// setWorst names the part that the button goes to; nil hides the button.
func (h *header) setWorst(w *present.Worst) {
	kit.SetVisible(h.toWorst, w != nil)
	if h.worstName = ""; w != nil {
		h.worstName = w.Label
		h.worst.SetToolTip(w.Label + "\n" + w.Why + " (W)")
	}
	h.root.Refresh()
}

// nameWorst shows the button to the strongest part with its name, or with its icon alone.
func (h *header) nameWorst(named bool) {
	if named {
		h.worst.SetLabel(h.worstName)
		return
	}
	h.worst.SetLabel("")
}

// keeping shows or hides an object.
func keeping(o fyne.CanvasObject) func(kept bool) {
	return func(kept bool) { kit.SetVisible(o, kept) }
}

// setEnabled enables or disables the player's controls.
func (h *header) setEnabled(enabled bool) {
	if enabled {
		h.play.Enable()
		h.volume.Enable()
		return
	}
	h.play.Disable()
	h.volume.Disable()
}

// rightGap is between the controls at the right.
const rightGap = 2 * look.Space

// ends lays one row of objects at the left and one at the right. Where there is little width, it does without what is spare, in this order: each has a
// key, or says what is said elsewhere.
type ends struct{ spare []func(kept bool) }

const endsApart = 3 * look.Space

// Layout implements fyne.Layout.
func (e ends) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, keep := range e.spare {
		keep(true)
	}
	for _, keep := range e.spare {
		if objects[0].MinSize().Width+endsApart+objects[1].MinSize().Width <= size.Width {
			break
		}
		keep(false)
	}
	left, right := objects[0].MinSize().Width, objects[1].MinSize().Width
	kit.PlaceAt(objects[0], 0, 0, left, size.Height)
	kit.PlaceAt(objects[1], size.Width-right, 0, right, size.Height)
}

// MinSize implements fyne.Layout. It has no width: it does with what there is.
func (ends) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, look.ControlHeight) }

// ChooseHint is shown, translated, in place of a part's source while none is chosen.
const ChooseHint = "Choose a part to see its numbers in the answer."

// LanesOf converts a timeline to lanes with the same indices. If it is provisional, the lanes have no verdict's colour.
func LanesOf(t present.Timeline, provisional bool) []chart.Lane {
	lanes := make([]chart.Lane, len(t.Lanes))
	for i, lane := range t.Lanes {
		title := lane.Title
		if provisional {
			title = i18n.F("%s, provisional", title)
		}
		note := title + " · " + i18n.T("hatched: not reported") + "\n" + lane.Counts()
		lanes[i] = chart.Lane{Title: lane.Name, Note: note, Spans: make([]chart.Span, len(lane.Spans))}
		for j, s := range lane.Spans {
			lanes[i].Spans[j] = spanOf(s, provisional)
		}
	}
	return lanes
}

func spanOf(s present.Span, provisional bool) chart.Span {
	out := chart.Span{Start: s.Start, End: s.End, Mark: look.Mark(s.Mark), Texts: []string{s.Word}, Tip: s.Label() + "\n" + s.Source()}
	if provisional {
		out.Mark = look.MarkNone
	}
	if s.Score != nil {
		out.Texts = []string{s.Word + " · " + s.Score.Text, s.Score.Text}
	}
	return out
}

// SourceOf says in a line what was reported of a part, and in which field of the answer.
func SourceOf(s present.Span) string {
	return strings.ReplaceAll(s.Label()+" · "+s.Source(), "\n", " · ")
}

// NewSource makes the line for SourceOf; the whole is in the part's tooltip.
func NewSource() *kit.Text {
	return kit.NewText("", kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
}

// showSource shows where the numbers of the chosen part stand, or a hint to choose one for "". It has its room as long as there are parts.
func (p *Pane) showSource(text string) {
	if p.OnSource != nil {
		p.source.Hide()
		if text != "" {
			p.OnSource(text)
		}
		return
	}
	if text == "" {
		text = i18n.T(ChooseHint)
	}
	p.source.SetText(text)
	kit.SetVisible(p.source, len(p.timeline.Lanes) > 0)
}
