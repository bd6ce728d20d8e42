package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/config"
	"assay/client/submission"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// page is a section of the settings: cards in a column, which scrolls.
type page struct {
	settings *Screen
	root     *fyne.Container // the scroll
	scroll   *container.Scroll
	cards    *fyne.Container
	columns  []*fyne.Container // of the cards

	fills    []func() // show the present values
	opened   func()   // called each time the page is shown; nil: nothing
	typedKey func(*fyne.KeyEvent) (taken bool)
	cancels  []func() // end the work under way
}

const pageWidth float32 = 640

func newPage(s *Screen, title string) *page {
	p := &page{settings: s}
	p.cards = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, kit.NewParagraph(title, kit.TextStyle{Size: look.SizeVerdict, Weight: look.WeightBold}))
	p.root = kit.NewScroll(container.New(kit.MiddleColumn{Width: pageWidth, Left: true}, p.cards))
	p.scroll = p.root.Objects[0].(*container.Scroll)
	return p
}

// card adds a card of rows.
func (p *page) card(rows ...fyne.CanvasObject) *kit.Card {
	column := container.New(kit.Column{Gap: 5 * look.Space, Grow: -1}, rows...)
	card := kit.NewCard(column)
	card.SetPadding(5 * look.Space)
	p.cards.Add(card)
	p.columns = append(p.columns, column)
	kit.RevealWhenReached(column, func(o fyne.CanvasObject) { kit.RevealIn(p.scroll, o) })
	return card
}

// fill shows the present values.
func (p *page) fill() {
	for _, fill := range p.fills {
		fill()
	}
	p.layOut()
}

// layOut makes room for what was shown or hidden.
func (p *page) layOut() { kit.RelayoutTwice(p.root, p.columns...) }

// run does work on a worker and then calls show, unless the screen is closed by then.
func (p *page) run(work func(ctx context.Context) (show func())) (cancel func()) {
	cancel = p.settings.Workers.Do(func(ctx context.Context) func() {
		show := work(ctx)
		return func() {
			show()
			p.layOut()
		}
	})
	p.cancels = append(p.cancels, cancel)
	return cancel
}

func (p *page) stop() {
	for _, cancel := range p.cancels {
		cancel()
	}
	p.cancels = nil
}

// row is a setting's control with its texts: a hint, why it can't be changed, and what was wrong with a change.
type row struct {
	page    *page
	key     config.Key
	root    *fyne.Container
	fixed   *fyne.Container // says why the person can't change it
	why     *kit.Paragraph
	lacking *fyne.Container // says what this computer lacks for it
	lacks   *kit.Paragraph
	refused *fyne.Container // says what was wrong with a change
	problem *kit.Paragraph
	control fyne.CanvasObject
	enable  func(bool)
	reason  string                // why it can't be changed on this computer; "" where it can be
	fill    func(config.Settings) // shows the value
}

// newRow makes a row of a control under its title; title is "" for a control that has its own. enable makes the control available or not.
func (p *page) newRow(key config.Key, title, hint string, control fyne.CanvasObject, enable func(bool), fill func(config.Settings)) *row {
	r := &row{page: p, key: key, enable: enable, fill: fill, problem: kit.NewRefusal(), control: control}
	r.root = container.New(kit.Column{Gap: look.Space, Grow: -1})
	if title != "" {
		r.root.Add(kit.NewParagraph(title, kit.TextStyle{Weight: look.WeightBold}))
	}
	r.root.Add(control)
	if hint != "" {
		r.root.Add(r.indented(kit.NewHint(hint)))
	}
	r.why, r.lacks = kit.NewHint(""), kit.NewHint("")
	r.fixed = r.indented(kit.NewLockedLine(r.why))
	r.refused = r.indented(r.problem)
	r.lacking = r.indented(r.lacks)
	r.root.Add(r.fixed)
	r.root.Add(r.lacking)
	r.root.Add(r.refused)
	kit.SetVisible(r.refused, false)
	p.fills = append(p.fills, r.show)
	return r
}

// indented aligns a text with a tick's words, not with its box.
func (r *row) indented(o fyne.CanvasObject) *fyne.Container {
	left := float32(0)
	if _, tick := r.control.(*fyne.Container); tick && r.isTick() {
		left = 6 * look.Space
	}
	return container.New(layout.NewCustomPaddedLayout(0, 0, left, 0), o)
}

func (r *row) isTick() bool {
	c, ok := r.control.(*fyne.Container)
	if !ok || len(c.Objects) != 1 {
		return false
	}
	_, ok = c.Objects[0].(*kit.Check)
	return ok
}

// show shows the value, and whether it can be changed.
func (r *row) show() {
	why, fixed := OriginWords(r.page.settings.Origin(r.key))
	r.why.SetText(why)
	kit.SetVisible(r.fixed, fixed)
	r.lacks.SetText(r.reason)
	kit.SetVisible(r.lacking, !fixed && r.reason != "")
	r.enable(!fixed && r.reason == "")
	r.fill(r.page.settings.Settings())
}

// change makes a change of the person's. If it is refused, the old value is shown again, with the reason below.
func (r *row) change(do func(*config.Settings)) {
	r.page.settings.change(do, r.changed)
}

// changed shows the outcome of a change.
func (r *row) changed(err error) {
	r.refuse(err)
	r.page.layOut()
}

func (r *row) refuse(err error) {
	sentence := ""
	if err != nil {
		sentence = present.Problem(err)
	}
	kit.Refuse(r.problem, sentence)
	kit.SetVisible(r.refused, sentence != "")
}

// choiceRow is the row of a setting of a few values, chosen from a menu.
func choiceRow[T comparable](p *page, key config.Key, title, hint string, choices Choice[T], words func(T) string,
	value func(*config.Settings) *T) *row {
	control := kit.NewSelect(kit.Plain, choices.Words, nil)
	control.MaxWidth = 420
	var r *row
	filling := false
	fill := func(now config.Settings) {
		filling = true
		defer func() { filling = false }()
		at := choices.Place(*value(&now), words)
		if len(control.Options()) != len(choices.Words) {
			control.SetOptions(choices.Words)
		}
		control.Select(at)
	}
	control.OnChanged = func(i int) {
		if !filling {
			r.change(func(s *config.Settings) { *value(s) = choices.Values[i] })
		}
	}
	r = p.newRow(key, title, hint, container.New(&kit.Flow{}, control), func(on bool) { kit.SetEnabled(control, on) }, fill)
	return r
}

// tickRow is the row of a setting that is on or off.
func tickRow(p *page, key config.Key, words, hint string, value func(*config.Settings) *bool) *row {
	var r *row
	tick := kit.NewWrappingCheck(words, func(ticked bool) { r.change(func(s *config.Settings) { *value(s) = ticked }) })
	r = p.newRow(key, "", hint, container.New(layout.NewCustomPaddedLayout(0, 0, -1.5*look.Space, 0), tick), func(on bool) { kit.SetEnabled(tick, on) },
		func(now config.Settings) { tick.SetChecked(*value(&now)) })
	return r
}

// gateRow is the row of the gate of one source.
func gateRow(p *page, key config.Key, title, hint string, value func(*config.Settings) *submission.Gate) *row {
	return optionRow(p, key, title, hint, GateChoices(), GateValues(), value)
}

// optionRow is the row of a setting of a few values that are explained one by one.
func optionRow[T comparable](p *page, key config.Key, title, hint string, options []present.Option, values []T, value func(*config.Settings) *T) *row {
	var r *row
	filling := false
	control := kit.NewOptions(options, func(i int) {
		if !filling {
			r.change(func(s *config.Settings) { *value(s) = values[i] })
		}
	})
	enable := func(on bool) {
		for i := range values {
			control.SetDisabled(i, !on)
		}
	}
	r = p.newRow(key, title, hint, kit.Outdented(control), enable, func(now config.Settings) {
		filling = true
		defer func() { filling = false }()
		enable(true) // Select does not choose a disabled one
		for i, v := range values {
			if v == *value(&now) {
				control.Select(i)
			}
		}
		if why, fixed := OriginWords(p.settings.Origin(key)); fixed && why != "" {
			enable(false)
		}
	})
	return r
}
