package viewer

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// cards are the verdict cards: the result's, and for a clip that of its extracted sound, so that a cloned voice under real pictures is noticed at
// once.
type cards struct {
	root       *fyne.Container
	main, side *verdictCard
	sound      *present.Viewer
}

func newCards(source, soundSource func(present.Viewer)) *cards {
	c := &cards{main: newVerdictCard(source), side: newVerdictCard(soundSource)}
	c.side.card.Hide()
	c.root = container.New(&pair{gap: 3 * look.Space}, c.main.card, c.side.card)
	return c
}

// show shows the verdict of a result, and of its sound if it has one.
func (c *cards) show(v present.Viewer, sound *present.Viewer) {
	c.sound = sound
	if sound == nil {
		c.main.set(v, v.Verdict.Headline)
		c.side.card.Hide()
	} else {
		c.main.set(v, i18n.F("Picture: %s", v.Verdict.After))
		c.side.set(*sound, i18n.F("Voice: %s", sound.Verdict.After))
		c.side.card.Show()
	}
	c.root.Refresh()
}

// setTightness has each card as usual, or in few lines, where there is little height. What is shortened then is told by its tooltip.
func (c *cards) setTightness(t tightness) {
	for _, card := range []*verdictCard{c.main, c.side} {
		card.setTightness(t)
	}
}

// pair lays two objects side by side with equal widths, or below each other if there is little width; the first alone if the second is hidden.
type pair struct {
	gap, width float32
}

// pairWide is the least width at which two cards are side by side.
const pairWide float32 = 560

func (p *pair) halves(objects []fyne.CanvasObject) (n int, each float32) {
	switch {
	case !objects[1].Visible():
		return 1, p.width
	case p.width < pairWide:
		return 1, p.width
	}
	return 2, (p.width - p.gap) / 2
}

// Layout implements fyne.Layout. What wraps knows its height only once it has a width, hence the first pass.
func (p *pair) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	p.width = size.Width
	n, each := p.halves(objects)
	for _, o := range objects {
		o.Resize(fyne.NewSize(each, o.Size().Height))
	}
	if n == 2 {
		for i, o := range objects {
			o.Move(fyne.NewPos(float32(i)*(each+p.gap), 0))
			o.Resize(fyne.NewSize(each, size.Height))
		}
		return
	}
	y := float32(0)
	for _, o := range objects {
		if o.Visible() {
			height := o.MinSize().Height
			o.Move(fyne.NewPos(0, y))
			o.Resize(fyne.NewSize(each, height))
			y += height + 2*look.Space
		}
	}
}

// MinSize implements fyne.Layout.
func (p *pair) MinSize(objects []fyne.CanvasObject) fyne.Size {
	n, _ := p.halves(objects)
	size := fyne.NewSize(0, 0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		minimum := o.MinSize()
		size.Width = max(size.Width, minimum.Width)
		switch {
		case n == 2:
			size.Height = max(size.Height, minimum.Height)
		case size.Height > 0:
			size.Height += 2*look.Space + minimum.Height
		default:
			size.Height = minimum.Height
		}
	}
	return size
}

// verdictCard shows the verdict, as low as it can be: mark, headline, how the models agree, what it means, and the ensemble's score.
type verdictCard struct {
	card      *kit.Card
	mark      *kit.MarkIcon
	headline  *kit.Paragraph
	agreement *kit.Paragraph
	body      *fyne.Container // of paragraphs
	lines     *fyne.Container // agreement and body in a line each, where there is little width
	rest      *kit.Text       // agreement and body in one line, where there is little of both
	brief     *fyne.Container // headline, and the rest, in a line each, where there is very little height
	tightness tightness
	scale     *kit.ScoreScale
	layout    *cardLayout
	inner     *fyne.Container
	shown     present.Viewer
}

const cardMarkSide float32 = 32

// newVerdictCard makes an empty card. source is called with the score's field and its value as sent, once the person asks for it.
func newVerdictCard(source func(v present.Viewer)) *verdictCard {
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	c := &verdictCard{
		mark:      kit.NewMarkIcon(look.MarkNone, cardMarkSide),
		headline:  kit.NewParagraph("", kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold}),
		agreement: kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall}),
		body:      container.New(kit.Column{Grow: -1}),
		lines:     container.New(kit.Column{Grow: -1}),
		brief:     container.New(kit.Column{Grow: -1}),
		scale:     kit.NewScoreScale(nil, ""),
	}
	c.body.Add(kit.NewParagraph("", small))
	c.scale.OnTapped = func() { source(c.shown) }
	c.rest = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Ellipsis: look.EllipsisEnd})
	c.lines.Hide()
	c.rest.Hide()
	c.brief.Hide()
	c.layout = &cardLayout{fit: c.fit, words: container.New(kit.Column{Grow: -1}, c.headline, c.agreement, c.body, c.lines, c.rest, c.brief)}
	c.inner = container.New(c.layout, c.mark, c.layout.words, c.scale)
	c.card = kit.NewFilledCard(look.ColorNeutralSoft, c.inner)
	c.card.SetPadding(cardPadding)
	return c
}

func (c *verdictCard) setTightness(t tightness) {
	if c.tightness == t {
		return
	}
	c.tightness = t
	padding := cardPadding
	if t != roomy {
		padding = 1.5 * look.Space
	}
	c.card.SetPadding(padding)
	c.fit(c.layout.width)
	c.inner.Refresh()
}

// fit adapts the card to its room. With little width, or very little height, it has a line for what is not the headline, which shows the whole as its tooltip, and
// leaves the room to the medium.
func (c *verdictCard) fit(width float32) {
	size, narrow, least := look.SizeVerdict, width < narrowBelow, c.tightness == tighter
	switch {
	case narrow || c.tightness != roomy:
		size = look.SizeText
	case width < slimBelow:
		size = look.SizeHeading
	}
	c.headline.SetStyle(kit.TextStyle{Size: size, Weight: look.WeightBold})
	c.scale.SetSlim(width < slimBelow || c.tightness != roomy)
	c.scale.SetBrief(width < briefBelow)
	c.scale.SetLine(least)
	kit.SetVisible(c.headline, !least)
	kit.SetVisible(c.agreement, !narrow && !least && c.agreement.Text() != "")
	kit.SetVisible(c.body, !narrow && !least)
	one := narrow && c.tightness == tight
	kit.SetVisible(c.lines, narrow && !one && !least)
	kit.SetVisible(c.rest, one)
	kit.SetVisible(c.brief, least)
}

// set shows a verdict below a headline.
func (c *verdictCard) set(v present.Viewer, headline string) {
	mark := look.Mark(v.Verdict.Mark)
	c.card.SetFill(look.MarkSoftColor(mark))
	c.mark.SetMark(mark)
	c.headline.SetText(headline)
	line := v.Verdict.Agreement
	if v.Verdict.Progress != "" {
		line = v.Verdict.Progress + " · " + line
	}
	c.agreement.SetText(line)
	c.body.RemoveAll()
	c.lines.RemoveAll()
	if line != "" {
		c.lines.Add(kit.NewText(line, kit.TextStyle{Size: look.SizeSmall, Ellipsis: look.EllipsisEnd}))
	}
	for _, paragraph := range v.Body {
		c.body.Add(kit.NewParagraph(paragraph, kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}))
		c.lines.Add(kit.NewText(paragraph, kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}))
	}
	rest := v.Body
	if line != "" {
		rest = append([]string{line}, rest...)
	}
	c.rest.SetText(strings.Join(rest, " · "))
	c.brief.Objects = []fyne.CanvasObject{kit.NewText(headline, kit.TextStyle{Weight: look.WeightBold, Ellipsis: look.EllipsisEnd}),
		kit.NewText(c.rest.Text(), c.rest.Style())}
	c.fit(c.layout.width)
	c.shown = v
	if score := v.Verdict.Score; score != nil {
		c.scale.SetScore(&score.Value, score.Text())
	} else {
		c.scale.SetScore(nil, "")
	}
	kit.RelayoutTwice(c.inner)
	c.card.Refresh()
}

// cardLayout lays mark, words and score side by side, centred, and tells the card its width.
type cardLayout struct {
	fit   func(width float32)
	words *fyne.Container
	width float32
}

const (
	cardGap             = 3.5 * look.Space
	cardPadding float32 = 2.5 * look.Space
	slimBelow   float32 = 700
	narrowBelow float32 = 480 // half of a clip's pair in all but large windows
	briefBelow  float32 = 360
	wordsLeast  float32 = 90
)

// Layout implements fyne.Layout. What wraps knows its height only once it has a width, hence the second pass.
func (l *cardLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if size.Width != l.width {
		l.width = size.Width
		l.fit(size.Width)
	}
	mark, words, score := objects[0], objects[1], objects[2]
	side := score.MinSize()
	width := max(wordsLeast, size.Width-cardMarkSide-side.Width-2*cardGap)
	height := kit.WrappedHeight(words, width)
	kit.PlaceAt(mark, 0, (size.Height-cardMarkSide)/2, cardMarkSide, cardMarkSide)
	kit.PlaceAt(words, cardMarkSide+cardGap, max(0, (size.Height-height)/2), width, height)
	kit.PlaceAt(score, size.Width-side.Width, max(0, (size.Height-side.Height)/2), side.Width, side.Height)
}

// MinSize implements fyne.Layout.
func (l *cardLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	score := objects[2].MinSize()
	return fyne.NewSize(cardMarkSide+2*cardGap+score.Width+wordsLeast, max(cardMarkSide, score.Height, objects[1].MinSize().Height))
}
