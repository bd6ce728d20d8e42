package compare

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/gui/kit"
	"assay/gui/look"
)

// card is the verdict of one side: which answer it is, the mark and the words, how the models agree, and the ensemble's score.
type card struct {
	root      *kit.Card
	inner     *fyne.Container
	heading   *kit.Text
	about     *kit.Text
	mark      *kit.MarkIcon
	headline  *kit.Paragraph
	agreement *kit.Paragraph
	brief     *kit.Text // the agreement in one line, which is whole in its tooltip
	scale     *kit.ScoreScale
	source    *kit.Paragraph
	shown     Side
}

const (
	cardMark   float32 = 32
	cardScale  float32 = 210
	cardBrief  float32 = 64  // the least width of a score without its scale
	cardWords  float32 = 90  // the least width of the words
	cardLow    float32 = 340 // the least width at which the words stand beside the score
	cardBeside float32 = 500 // the least width at which the score has its scale
	cardLarge  float32 = 720 // the least width of a large headline
	cardGap    float32 = 3 * look.Space
)

func newCard(laidOut func()) *card {
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}
	c := &card{
		heading: kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		about:   kit.NewText("", small), mark: kit.NewMarkIcon(look.MarkNone, cardMark),
		headline:  kit.NewParagraph("", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}),
		agreement: kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall}),
		brief:     kit.NewText("", small),
		scale:     kit.NewScoreScale(nil, ""), source: kit.NewParagraph("", kit.TextStyle{Size: look.SizeCaption, Color: look.ColorMuted}),
	}
	c.source.Hide()
	c.scale.OnTapped = func() {
		c.source.SetText(c.shown.ScoreSource())
		kit.SetVisible(c.source, c.shown.ScoreSource() != "" && !c.source.Visible())
		laidOut()
	}
	words := container.New(layout.NewCustomPaddedVBoxLayout(look.Space), c.headline, c.agreement)
	score := container.New(layout.NewCustomPaddedVBoxLayout(look.Space), c.scale, c.source)
	body := container.New(&cardLayout{card: c}, c.mark, words, score, c.brief)
	c.inner = container.New(kit.Column{Gap: 2 * look.Space, Grow: 1}, container.New(aboutLayout{}, c.heading, c.about), body)
	c.root = kit.NewFilledCard(look.ColorNeutralSoft, c.inner)
	c.root.SetPadding(3.5 * look.Space)
	return c
}

// fit shows the parts as fits the width: a narrow card has a small headline, and the rest on one line, so that what is compared stays in sight.
func (c *card) fit(width float32) {
	size := look.SizeHeading
	switch {
	case width < cardLow:
		size = look.SizeText
	case width >= cardLarge:
		size = look.SizeVerdict
	}
	c.headline.SetStyle(kit.TextStyle{Size: size, Weight: look.WeightBold})
	c.scale.SetBrief(width < cardBeside)
	c.scale.SetLine(width < cardLow)
	kit.SetVisible(c.agreement, width >= cardLow)
	kit.SetVisible(c.brief, width < cardLow)
}

func (c *card) set(s Side) {
	c.shown = s
	mark := look.Mark(s.Verdict.Mark)
	c.root.SetFill(look.MarkSoftColor(mark))
	c.mark.SetMark(mark)
	c.heading.SetText(s.Heading)
	c.about.SetText(s.About)
	c.headline.SetText(s.Verdict.Headline)
	line := s.Verdict.Agreement
	if s.Verdict.Contradiction != "" {
		line = s.Verdict.Contradiction
	}
	if s.Verdict.Progress != "" {
		line = s.Verdict.Progress + " · " + line
	}
	c.agreement.SetText(line)
	c.brief.SetText(line)
	c.source.Hide()
	if score := s.Verdict.Score; score != nil {
		c.scale.SetScore(&score.Value, score.Text())
	} else {
		c.scale.SetScore(nil, "")
	}
	c.root.Refresh()
}

// aboutLayout puts what is known of an answer behind its name; the name gives way.
type aboutLayout struct{}

// Layout implements fyne.Layout.
func (aboutLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap = 2 * look.Space
	heading, about := textWidth(objects[0]), textWidth(objects[1])
	heading = min(heading, max(size.Width-gap-about, size.Width/3))
	kit.PlaceAt(objects[0], 0, 0, heading, size.Height)
	kit.PlaceAt(objects[1], heading+gap, 0, max(size.Width-heading-gap, 0), size.Height)
}

// textWidth is the width of a whole text, which may be shown shortened.
func textWidth(o fyne.CanvasObject) float32 {
	t, ok := o.(*kit.Text)
	if !ok {
		return o.MinSize().Width
	}
	return look.Measure(t.Text(), look.Size(t.Style().Size), t.Style().Weight.Style()).Width + 1
}

// MinSize implements fyne.Layout.
func (aboutLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, max(objects[0].MinSize().Height, objects[1].MinSize().Height))
}

// cardLayout lays mark, words and score side by side; where there is little width, the score is a number alone, and below the words if there is less.
type cardLayout struct {
	card  *card
	width float32
	score float32 // the width of the score
}

func (l *cardLayout) words() float32 { return max(0, l.width-cardMark-l.score-2*cardGap) }

// Layout implements fyne.Layout.
func (l *cardLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	l.card.fit(l.width)
	mark, words, score := objects[0], objects[1], objects[2]
	if l.width < cardLow {
		l.layoutLow(objects)
		return
	}
	l.score = cardScale
	if l.width < cardBeside {
		l.score = min(max(score.MinSize().Width, cardBrief), l.width/3)
	}
	words.Resize(fyne.NewSize(l.words(), words.MinSize().Height)) // the width first: the height follows from it
	score.Resize(fyne.NewSize(l.score, score.MinSize().Height))
	for _, o := range []struct {
		object   fyne.CanvasObject
		at, wide float32
		high     float32
	}{{mark, 0, cardMark, cardMark}, {words, cardMark + cardGap, l.words(), words.MinSize().Height}, {score, size.Width - l.score, l.score, score.MinSize().Height}} {
		kit.PlaceAt(o.object, o.at, max(0, (size.Height-o.high)/2), o.wide, o.high)
	}
}

// layoutLow puts the score below the headline, and how the models agree behind its number.
func (l *cardLayout) layoutLow(objects []fyne.CanvasObject) {
	mark, words, score, brief := objects[0], objects[1], objects[2], objects[3]
	left := cardMark + 2*look.Space
	high := kit.WrappedHeight(words, max(0, l.width-left))
	row := max(cardMark, high)
	kit.PlaceAt(mark, 0, (row-cardMark)/2, cardMark, cardMark)
	kit.PlaceAt(words, left, (row-high)/2, max(0, l.width-left), high)
	kit.PlaceAt(score, 0, row+look.Space, l.width, kit.WrappedHeight(score, l.width))
	number := l.card.scale.MinSize()
	line := brief.MinSize().Height
	at := number.Width + 3*look.Space
	kit.PlaceAt(brief, at, row+look.Space+number.Height-line-look.Space/2, max(0, l.width-at), line)
}

// MinSize implements fyne.Layout.
func (l *cardLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	words, score := objects[1].MinSize().Height, objects[2].MinSize().Height
	if l.width < cardLow {
		return fyne.NewSize(cardMark+cardWords+2*look.Space, max(cardMark, words)+look.Space+score)
	}
	return fyne.NewSize(cardMark+cardWords+2*look.Space, max(cardMark, words, score))
}

// evenPair lays two objects side by side with equal widths, or one above the other where each would be too narrow for its words.
type evenPair struct{ width float32 }

const pairLeast float32 = 440 // the least width of two cards side by side

// Layout implements fyne.Layout.
func (l *evenPair) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	if size.Width < pairLeast {
		kit.Column{Gap: screenGap, Grow: -1}.Layout(objects, size)
		return
	}
	each := (size.Width - screenGap) / 2
	for i, o := range objects {
		kit.PlaceAt(o, float32(i)*(each+screenGap), 0, each, size.Height)
	}
}

// MinSize implements fyne.Layout.
func (l *evenPair) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	if l.width < pairLeast {
		return fyne.NewSize(max(a.Width, b.Width), a.Height+screenGap+b.Height)
	}
	return fyne.NewSize(max(a.Width, b.Width), max(a.Height, b.Height))
}

// answers lays out what changed, and below it the models beside the medium, which has less than half of the width; where there are no models, the medium
// has all. In a narrow window all is one column, and the medium is the first in it.
type answers struct{ width float32 }

const (
	modelsShare  float32 = 0.57
	modelsMost   float32 = 880 // of the width
	answersLeast float32 = 400 // of the height of models and medium: below it the screen scrolls
	besideLeast  float32 = 600 // of the width for models beside the medium
	mediumLow    float32 = 300 // the height of the medium in a narrow window, all of which fits above the buttons
)

// Layout implements fyne.Layout.
func (l *answers) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	change, models, medium := objects[0], objects[1], objects[2]
	if l.width < besideLeast && models.Visible() {
		high := max(mediumLow, kit.WrappedHeight(medium, size.Width))
		kit.PlaceAt(medium, 0, 0, size.Width, high)
		below := []fyne.CanvasObject{change, models}
		kit.Column{Gap: screenGap, Grow: 1}.Layout(below, fyne.NewSize(size.Width, size.Height-high-screenGap))
		for _, o := range below {
			o.Move(o.Position().AddXY(0, high+screenGap))
		}
		return
	}
	top := float32(0)
	if change.Visible() {
		high := kit.WrappedHeight(change, size.Width)
		kit.PlaceAt(change, 0, 0, size.Width, high)
		top = high + screenGap
	}
	if !models.Visible() {
		kit.PlaceAt(medium, 0, top, size.Width, size.Height-top)
		return
	}
	left := float32(int(min(modelsShare*(size.Width-screenGap), modelsMost)))
	kit.PlaceAt(models, 0, top, left, size.Height-top)
	kit.PlaceAt(medium, left+screenGap, top, size.Width-left-screenGap, size.Height-top)
}

// MinSize implements fyne.Layout.
func (l *answers) MinSize(objects []fyne.CanvasObject) fyne.Size {
	change, models, medium := objects[0], objects[1], objects[2]
	high := medium.MinSize().Height
	switch {
	case l.width < besideLeast && models.Visible():
		high = max(high, mediumLow) + screenGap + models.MinSize().Height
	case l.width < besideLeast:
		high = max(high, mediumLow)
	case !models.Visible():
		high = max(high, answersLeast)
	default:
		high = max(high, answersLeast, models.MinSize().Height)
	}
	if change.Visible() {
		high += change.MinSize().Height + screenGap
	}
	return fyne.NewSize(0, high)
}
