package viewer

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// cards are the verdict's card, and beside a clip's that of its extracted sound, so that a voice clone under real pictures is seen
// at once.
type cards struct {
	root   *fyne.Container
	main   *verdictCard
	side   *verdictCard
	notice *kit.Notice
	sound  *present.Viewer
	small  bool // there is little width
}

func newCards(reveal func(field string), laidOut func()) *cards {
	c := &cards{main: newVerdictCard(reveal, laidOut), side: newVerdictCard(nil, laidOut), notice: kit.NewNotice(look.IconInfo, "", "", nil)}
	c.side.card.Hide()
	c.notice.Hide()
	c.root = container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, container.New(&pair{gap: 3 * look.Space, onWidth: func(w float32) { c.setSmall(w < pairWide) }}, c.main.card, c.side.card), c.notice)
	return c
}

// show says a result's verdict, and that of its sound where there is one.
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

// setSmall has a single card make do with little width.
func (c *cards) setSmall(small bool) {
	if c.small == small {
		return
	}
	c.small = small
	if c.sound == nil {
		c.main.setSmall(small)
	}
}

// say puts a sentence under the cards.
func (c *cards) say(sentence string) {
	c.notice.SetText(sentence)
	c.notice.Show()
	c.root.Refresh()
}

// pair lays two objects side by side in equal parts, or the first alone where the second is hidden; under each other where there is
// little room.
type pair struct {
	gap, width float32
	onWidth    func(float32) // told of the width before anything is laid out; nil: nobody is
}

// pairWide is from where on two cards stand side by side.
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
