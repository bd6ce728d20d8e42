package viewer

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// cards are the verdict cards: the result's, and for a clip that of its extracted sound, so that a cloned voice under real pictures is noticed at
// once.
type cards struct {
	root   *fyne.Container
	main   *verdictCard
	side   *verdictCard
	notice *kit.Notice
	sound  *present.Viewer
	small  bool // whether there is little width
}

func newCards(reveal func(field string), laidOut func()) *cards {
	c := &cards{main: newVerdictCard(reveal, laidOut), side: newVerdictCard(nil, laidOut), notice: kit.NewNotice(look.IconInfo, "", "", nil)}
	c.side.card.Hide()
	c.notice.Hide()
	c.root = container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, container.New(&pair{gap: 3 * look.Space, onWidth: func(w float32) { c.setSmall(w < pairWide) }}, c.main.card, c.side.card), c.notice)
	return c
}

// show shows the verdict of a result, and of its sound if it has one.
func (c *cards) show(v present.Viewer, sound *present.Viewer) {
	c.sound = sound
	c.notice.Hide()
	if sound == nil {
		c.main.set(v, v.Verdict.Headline, c.small)
		c.side.card.Hide()
	} else {
		c.main.set(v, i18n.F("Picture: %s", v.Verdict.After), true)
		c.side.set(*sound, i18n.F("Voice: %s", sound.Verdict.After), true)
		c.side.card.Show()
	}
	c.root.Refresh()
}

// setSmall adapts a single card to little width.
func (c *cards) setSmall(small bool) {
	if c.small == small {
		return
	}
	c.small = small
	if c.sound == nil {
		c.main.setSmall(small)
	}
}

// say shows a sentence below the cards.
func (c *cards) say(sentence string) {
	c.notice.SetText(sentence)
	c.notice.Show()
	c.root.Refresh()
}

// pair lays two objects side by side with equal widths, or below each other if there is little width; the first alone if the second is hidden.
type pair struct {
	gap, width float32
	onWidth    func(float32) // called with the width before each layout; may be nil
}

// pairWide is the least width at which two cards are side by side.
const pairWide float32 = 640

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
	if p.onWidth != nil {
		p.onWidth(size.Width)
	}
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

// verdictCard shows the verdict: mark, headline, what it means, how the models agree, and the ensemble's score.
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

// newVerdictCard makes an empty card. reveal shows a field of the answer; it may be nil. laidOut is called when the card's height may have changed.
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

// setSmall adapts the card to little width.
func (c *verdictCard) setSmall(small bool) {
	c.layout.compact = small
	size := look.SizeVerdict
	if small {
		size = look.SizeHeading
	}
	c.headline.SetStyle(kit.TextStyle{Size: size, Weight: look.WeightBold})
	c.inner.Refresh()
}

// set shows a verdict below a headline; small is for a card with little width.
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

// cardLayout lays mark, words and score side by side, mark and score vertically centred. The score has a quarter of the width within limits, the
// words have the rest. If it is compact and narrow, the score is below the words.
type cardLayout struct {
	flat    func(bool) // sets whether the score's scale is beside its number
	compact bool       // for little width
	width   float32
}

// beneath reports whether the score is below the words.
func (l *cardLayout) beneath() bool { return l.compact && l.width < cardBeneath }

const (
	cardGap                            = 4 * look.Space
	cardScoreMin, cardScoreMax float32 = 200, 210
	cardBeneath                float32 = 560
)

// widths returns the widths of the words and of the score.
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
