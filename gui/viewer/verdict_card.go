package viewer

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// verdictCard says the verdict: mark, headline, what it means, how the models agree, and the ensemble's score.
type verdictCard struct {
	card      *kit.Card
	mark      *kit.MarkIcon
	headline  *kit.Paragraph
	body      *fyne.Container
	agreement *kit.Paragraph
	scale     *kit.ScoreScale
	source    *kit.Paragraph
	layout    *cardLayout
	inner     *fyne.Container
	shown     present.Viewer
}

const cardMarkSide float32 = 36

// newVerdictCard makes an empty card. reveal shows a field of the answer; it may be nil. laidOut is told that the card may need another
// height.
func newVerdictCard(reveal func(field string), laidOut func()) *verdictCard {
	c := &verdictCard{
		mark:      kit.NewMarkIcon(look.MarkNone, cardMarkSide),
		headline:  kit.NewParagraph("", kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold}),
		body:      container.New(layout.NewCustomPaddedVBoxLayout(look.Space)),
		agreement: kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}),
		scale:     kit.NewScoreScale(nil, ""),
		source:    kit.NewParagraph("", kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted}),
	}
	c.scale.OnTapped = func() {
		source := c.shown.ScoreSource()
		if source == "" {
			return
		}
		if c.source.Visible() && reveal != nil {
			reveal(c.shown.Verdict.Score.Field) // asked twice: in its place among the data
			return
		}
		c.source.SetText(source)
		c.source.Show()
		c.card.Refresh()
		laidOut()
	}
	words := container.New(layout.NewCustomPaddedVBoxLayout(look.Space), c.headline, c.body, c.agreement)
	score := container.New(layout.NewCustomPaddedVBoxLayout(2*look.Space), c.scale, c.source)
	c.layout = &cardLayout{flat: c.scale.SetFlat}
	c.inner = container.New(c.layout, c.mark, words, score)
	c.card = kit.NewFilledCard(look.ColorNeutralSoft, c.inner)
	c.card.SetPadding(3.5 * look.Space)
	return c
}

// setSmall has the card make do with little width.
func (c *verdictCard) setSmall(small bool) {
	c.layout.compact = small
	size := look.SizeVerdict
	if small {
		size = look.SizeHeading
	}
	c.headline.SetStyle(kit.TextStyle{Size: size, Weight: look.WeightBold})
	c.inner.Refresh()
}

// set says a verdict under a headline; small for a card that has little width.
func (c *verdictCard) set(v present.Viewer, headline string, small bool) {
	c.setSmall(small)
	mark := look.Mark(v.Verdict.Mark)
	c.card.SetFill(look.MarkSoftColor(mark))
	c.mark.SetMark(mark)
	c.headline.SetText(headline)
	c.body.RemoveAll()
	for _, paragraph := range v.Body {
		c.body.Add(kit.NewParagraph(paragraph, kit.TextStyle{}))
	}
	line := v.Verdict.Agreement
	if v.Verdict.Progress != "" {
		line = v.Verdict.Progress + " · " + line
	}
	c.agreement.SetText(line)
	c.shown = v
	c.source.Hide()
	if score := v.Verdict.Score; score != nil {
		c.scale.SetScore(&score.Value, score.Text())
	} else {
		c.scale.SetScore(nil, "")
	}
	c.card.Refresh()
}

// cardLayout lays mark, words and score side by side, mark and score centred in the height; the words get what the score,
// a quarter of the width within limits, leaves. Compact and narrow, the score lies beneath the words.
type cardLayout struct {
	flat    func(bool) // puts the score's scale beside its number
	compact bool       // where there is little width
	width   float32
}

// beneath reports whether the score lies beneath the words.
func (l *cardLayout) beneath() bool { return l.compact && l.width < cardBeneath }

const (
	cardGap                            = 4 * look.Space
	cardScoreMin, cardScoreMax float32 = 200, 210
	cardBeneath                float32 = 560
)

// widths are those of the words and the score.
func (l *cardLayout) widths() (words, score float32) {
	if l.beneath() {
		rest := max(0, l.width-cardMarkSide-cardGap)
		return rest, rest
	}
	score = min(max(0.25*l.width, cardScoreMin), cardScoreMax)
	return max(0, l.width-cardMarkSide-score-2*cardGap), score
}

// Layout implements fyne.Layout.
func (l *cardLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	l.flat(l.beneath())
	wordsWidth, scoreWidth := l.widths()
	mark, words, score := objects[0], objects[1], objects[2]
	mark.Resize(fyne.NewSquareSize(cardMarkSide))
	words.Resize(fyne.NewSize(wordsWidth, words.MinSize().Height))
	score.Resize(fyne.NewSize(scoreWidth, score.MinSize().Height))
	left := cardMarkSide + cardGap
	if l.beneath() {
		mark.Move(fyne.NewPos(0, 0))
		words.Move(fyne.NewPos(left, 0))
		score.Move(fyne.NewPos(left, size.Height-score.Size().Height))
		return
	}
	mark.Move(fyne.NewPos(0, (size.Height-cardMarkSide)/2))
	words.Move(fyne.NewPos(left, max(0, (size.Height-words.MinSize().Height)/2)))
	score.Move(fyne.NewPos(size.Width-scoreWidth, (size.Height-score.Size().Height)/2))
}

// MinSize implements fyne.Layout.
func (l *cardLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if l.beneath() {
		height := objects[1].MinSize().Height + 2*look.Space + objects[2].MinSize().Height
		return fyne.NewSize(cardMarkSide+cardGap+cardScoreMin, max(cardMarkSide, height))
	}
	height := cardMarkSide
	for _, o := range objects {
		height = max(height, o.MinSize().Height)
	}
	return fyne.NewSize(cardMarkSide+2*cardGap+cardScoreMin+120, height)
}
