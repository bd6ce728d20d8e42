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
	scale     *kit.ScoreScale
	source    *kit.Paragraph
	shown     Side
	large     bool
}

const (
	cardMark   float32 = 32
	cardScale  float32 = 210
	cardBrief  float32 = 64  // the least width of a score without its scale
	cardWords  float32 = 90  // the least width of the words
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
	body := container.New(&cardLayout{brief: c.scale.SetBrief, large: c.setLarge}, c.mark, words, score)
	c.inner = container.New(kit.Column{Gap: 2 * look.Space, Grow: 1}, container.New(aboutLayout{}, c.heading, c.about), body)
	c.root = kit.NewFilledCard(look.ColorNeutralSoft, c.inner)
	c.root.SetPadding(3.5 * look.Space)
	return c
}

func (c *card) setLarge(large bool) {
	if c.large == large {
		return
	}
	c.large = large
	size := look.SizeHeading
	if large {
		size = look.SizeVerdict
	}
	c.headline.SetStyle(kit.TextStyle{Size: size, Weight: look.WeightBold})
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

// cardLayout lays mark, words and score side by side; where there is little width, the score is a number alone.
type cardLayout struct {
	brief func(bool) // sets whether the score is shown without its scale
	large func(bool) // sets whether the headline is large
	width float32
	score float32 // the width of the score
}

func (l *cardLayout) words() float32 { return max(0, l.width-cardMark-l.score-2*cardGap) }

// Layout implements fyne.Layout.
func (l *cardLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	l.brief(l.width < cardBeside)
	l.large(l.width >= cardLarge)
	mark, words, score := objects[0], objects[1], objects[2]
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

// MinSize implements fyne.Layout.
func (l *cardLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(cardMark+cardWords+cardBrief+2*cardGap, max(cardMark, objects[1].MinSize().Height, objects[2].MinSize().Height))
}

// evenPair lays two objects side by side with equal widths.
type evenPair struct{}

// Layout implements fyne.Layout.
func (*evenPair) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	each := (size.Width - screenGap) / 2
	for i, o := range objects {
		kit.PlaceAt(o, float32(i)*(each+screenGap), 0, each, size.Height)
	}
}

// MinSize implements fyne.Layout.
func (*evenPair) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(2*max(a.Width, b.Width)+screenGap, max(a.Height, b.Height))
}

// halves lays the models beside the medium, which has less than half of the width; where there are no models, the medium has all.
type halves struct{}

const (
	modelsShare float32 = 0.57
	modelsMost  float32 = 880 // of the width
	halvesLeast float32 = 400 // of the height: below it the screen scrolls
)

// Layout implements fyne.Layout.
func (halves) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	models, medium := objects[0], objects[1]
	if !models.Visible() {
		kit.PlaceAt(medium, 0, 0, size.Width, size.Height)
		return
	}
	left := float32(int(min(modelsShare*(size.Width-screenGap), modelsMost)))
	kit.PlaceAt(models, 0, 0, left, size.Height)
	kit.PlaceAt(medium, left+screenGap, 0, size.Width-left-screenGap, size.Height)
}

// MinSize implements fyne.Layout.
func (halves) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, halvesLeast)
	for _, o := range objects {
		if o.Visible() {
			size.Height = max(size.Height, o.MinSize().Height)
		}
	}
	return size
}
