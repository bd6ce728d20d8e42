package viewer

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
)

// verdictCard says the verdict: mark, headline, what it means, how the models agree, and the ensemble's score.
type verdictCard struct {
	card      *part.Card
	mark      *part.MarkIcon
	headline  *part.Paragraph
	body      *fyne.Container
	agreement *part.Paragraph
	scale     *part.ScoreScale
	source    *part.Text
	shown     present.Viewer
}

const cardMarkSide float32 = 36

func newVerdictCard() *verdictCard {
	c := &verdictCard{
		mark:      part.NewMarkIcon(look.MarkNone, cardMarkSide),
		headline:  part.NewParagraph("", part.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold}),
		body:      container.New(layout.NewCustomPaddedVBoxLayout(look.Space)),
		agreement: part.NewParagraph("", part.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}),
		scale:     part.NewScoreScale(nil, ""),
		source:    part.NewText("", part.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted, Ellipsis: look.EllipsisMiddle}),
	}
	c.scale.OnTapped = func() {
		if source := c.shown.ScoreSource(); source != "" {
			c.source.SetText(source)
			c.source.Show()
			c.card.Refresh()
		}
	}
	words := container.New(layout.NewCustomPaddedVBoxLayout(look.Space), c.headline, c.body, c.agreement)
	score := container.New(layout.NewCustomPaddedVBoxLayout(2*look.Space), c.scale, c.source)
	c.card = part.NewFilledCard(look.ColorNeutralSoft, container.New(cardLayout{}, c.mark, words, score))
	return c
}

func (c *verdictCard) set(v present.Viewer) {
	mark := look.Mark(v.Verdict.Mark)
	c.card.SetFill(look.MarkSoftColor(mark))
	c.mark.SetMark(mark)
	c.headline.SetText(v.Verdict.Headline)
	c.body.RemoveAll()
	for _, paragraph := range v.Body {
		c.body.Add(part.NewParagraph(paragraph, part.TextStyle{}))
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
// a quarter of the width within limits, leaves.
type cardLayout struct{}

const (
	cardGap                            = 4 * look.Space
	cardScoreMin, cardScoreMax float32 = 200, 210
)

func cardWidths(width float32) (words, score float32) {
	score = min(max(0.25*width, cardScoreMin), cardScoreMax)
	return max(0, width-cardMarkSide-score-2*cardGap), score
}

// Layout implements fyne.Layout.
func (cardLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	wordsWidth, scoreWidth := cardWidths(size.Width)
	mark, words, score := objects[0], objects[1], objects[2]
	mark.Resize(fyne.NewSquareSize(cardMarkSide))
	mark.Move(fyne.NewPos(0, (size.Height-cardMarkSide)/2))
	words.Resize(fyne.NewSize(wordsWidth, words.MinSize().Height))
	words.Move(fyne.NewPos(cardMarkSide+cardGap, max(0, (size.Height-words.MinSize().Height)/2)))
	height := score.MinSize().Height
	score.Resize(fyne.NewSize(scoreWidth, height))
	score.Move(fyne.NewPos(size.Width-scoreWidth, (size.Height-height)/2))
}

// MinSize implements fyne.Layout.
func (cardLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	height := cardMarkSide
	for _, o := range objects {
		height = max(height, o.MinSize().Height)
	}
	return fyne.NewSize(cardMarkSide+2*cardGap+cardScoreMin+120, height)
}
