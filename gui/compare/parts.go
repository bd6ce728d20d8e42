package compare

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client"
	"assay/client/i18n"
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/viewer/recording"
	"assay/gui/work"
)

// partsPane shows what was reported of the parts of a recording or clip in two answers, one above the other over one axis of seconds.
type partsPane struct {
	askers  *work.Workers
	source  Source
	root    *fyne.Container
	column  *fyne.Container
	names   [2]*kit.Text
	lanes   [2]*chart.Lanes
	none    [2]*kit.Paragraph
	said    *kit.Paragraph // the field of the answer that the chosen part is from
	problem *kit.Notice
	shown   [2]present.Viewer
	parts   Parts
	cancel  context.CancelFunc
}

// NewParts makes the pane for recordings and clips. What it reads may come from the service: askers wait for that.
func NewParts(askers *work.Workers, source Source) Pane {
	p := &partsPane{askers: askers, source: source, cancel: func() {}, said: kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}),
		problem: kit.NewNotice(look.IconWarning, "", i18n.T("Try again"), nil)}
	p.problem.SetAction(i18n.T("Try again"), p.load)
	title := kit.NewText(i18n.T("Parts, over the same seconds"), kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold, Ellipsis: look.EllipsisEnd})
	objects := []fyne.CanvasObject{title, p.problem}
	for i := range p.lanes {
		p.names[i] = kit.NewText("", kit.TextStyle{Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle})
		p.lanes[i] = chart.NewLanes()
		p.lanes[i].Clock, p.lanes[i].Gutter = present.ClockTick, chart.Gutter()
		p.lanes[i].OnTapped = func(lane, span int) { p.choose(i, lane, span) }
		p.none[i] = kit.NewParagraph("", kit.TextStyle{Color: look.ColorMuted})
		objects = append(objects, p.names[i], p.lanes[i], p.none[i])
	}
	p.column = container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, append(objects, p.said)...)
	p.root = kit.NewScroll(p.column)
	return p
}

// Object implements Pane.
func (p *partsPane) Object() fyne.CanvasObject { return p.root }

// ShowBoth implements Pane.
func (p *partsPane) ShowBoth(first, second present.Viewer, names [2]string) {
	p.Clear()
	p.shown = [2]present.Viewer{first, second}
	for i, name := range names {
		p.names[i].SetText(name)
	}
	p.load()
}

func (p *partsPane) load() {
	p.problem.Hide()
	p.said.SetText(i18n.T("Reading what was reported of the parts…"))
	p.root.Refresh()
	ids := [2]string{p.shown[0].ID, p.shown[1].ID}
	p.cancel = p.askers.Do(func(ctx context.Context) func() {
		var read [2]*client.AggregationData
		for i, id := range ids {
			var err error
			if read[i], err = p.source.Aggregation(ctx, id); err != nil && !errors.Is(err, client.ErrNoArtifact) {
				return func() { p.fail(err) }
			}
		}
		parts := PartsOf(read[0], read[1])
		return func() { p.fill(parts) }
	})
}

func (p *partsPane) fail(err error) {
	p.said.SetText("")
	p.problem.SetText(i18n.F("What was reported of the parts can't be read. %s", present.Problem(err)))
	p.problem.Show()
	p.root.Refresh()
}

func (p *partsPane) fill(parts Parts) {
	p.parts = parts
	some := false
	for i, t := range parts.Sides {
		p.lanes[i].SetLanes(recording.LanesOf(t, p.shown[i].Verdict.Provisional), parts.Length)
		kit.SetVisible(p.lanes[i], len(t.Lanes) > 0)
		p.none[i].SetText(parts.None[i])
		kit.SetVisible(p.none[i], parts.None[i] != "")
		some = some || len(t.Lanes) > 0
	}
	p.said.SetText("")
	if some {
		p.said.SetText(i18n.T(recording.ChooseHint))
	}
	p.root.Refresh()
}

// choose says where a part's numbers stand in its answer, and shows the same moment in the other one.
func (p *partsPane) choose(side, lane, span int) {
	chosen := p.parts.Sides[side].Lanes[lane].Spans[span]
	p.said.SetText(p.names[side].Text() + "\n" + recording.SourceOf(chosen))
	p.lanes[1-side].Choose(-1, -1)
	for _, l := range p.lanes {
		l.SetMoment(chosen.Start)
	}
	p.root.Refresh()
}

// Clear implements Pane.
func (p *partsPane) Clear() {
	p.cancel()
	p.shown, p.parts = [2]present.Viewer{}, Parts{}
	p.problem.Hide()
	p.said.SetText("")
	for i, l := range p.lanes {
		l.SetLanes(nil, 0)
		l.SetMoment(-1)
		l.Hide()
		p.none[i].Hide()
	}
}

// TypedRune implements Pane; it uses no key.
func (*partsPane) TypedRune(rune) bool { return false }

// TypedKey implements Pane; it uses no key.
func (*partsPane) TypedKey(*fyne.KeyEvent) bool { return false }

// Shortcuts implements Pane; there are none.
func (*partsPane) Shortcuts() []present.Shortcut { return nil }
