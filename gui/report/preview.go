package report

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// preview shows what will be written: page for page, the beginning of a table, or the beginning of a text.
type preview struct {
	root    *fyne.Container
	sheet   *Sheet
	title   *kit.Text
	place   *kit.Text
	pager   *fyne.Container
	before  *kit.Button
	after   *kit.Button
	content *fyne.Container // in the scroll
	scroll  *container.Scroll
	paper   *kit.Card

	at     int // which page is shown
	cancel context.CancelFunc
}

// How much of a table or of a text is shown.
const (
	tableRows = 20
	textBytes = 6000
)

func newPreview(s *Sheet) *preview {
	p := &preview{sheet: s, cancel: func() {}}
	p.title = kit.NewText(i18n.T("Preview"), kit.TextStyle{Weight: look.WeightMedium})
	p.place = kit.NewText("", kit.TextStyle{Color: look.ColorMuted})
	p.before = kit.NewButton(kit.Bare, i18n.T("Previous"), nil, func() { p.turn(-1) })
	p.after = kit.NewButton(kit.Bare, i18n.T("Next"), nil, func() { p.turn(1) })
	centre := func(o fyne.CanvasObject) fyne.CanvasObject { return container.NewCenter(o) }
	p.pager = container.NewHBox(centre(p.place), p.before, p.after)
	p.content = container.NewStack()
	p.scroll = container.NewVScroll(p.content)
	p.paper = kit.NewCard(container.New(fitted{}, p.scroll))
	p.paper.SetPadding(0)
	head := container.New(kit.AtLeast(look.ControlHeight), container.NewBorder(nil, nil, centre(p.title), p.pager))
	p.root = container.New(kit.Column{Gap: look.Space, Grow: 1}, head, p.paper)
	p.say(i18n.T("Reading…"))
	p.showPlace()
	return p
}

// fitted lays out a scroll, and again once what wraps in it has its width.
type fitted struct{}

// Layout implements fyne.Layout.
func (fitted) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	scroll := objects[0].(*container.Scroll)
	scroll.Resize(size)
	if scroll.Direction == container.ScrollVerticalOnly && scroll.Content.MinSize().Height != scroll.Content.Size().Height {
		scroll.Refresh()
	}
}

// MinSize implements fyne.Layout. The sheet decides on the height.
func (fitted) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(120, 80) }

// say shows a sentence in place of the preview.
func (p *preview) say(sentence string) {
	p.set(container.New(layout.NewCustomPaddedLayout(6*look.Space, 6*look.Space, 6*look.Space, 6*look.Space),
		kit.NewParagraph(sentence, kit.TextStyle{Color: look.ColorMuted})), container.ScrollVerticalOnly)
}

// set shows something; what was shown before stays until then.
func (p *preview) set(o fyne.CanvasObject, direction container.ScrollDirection) {
	p.content.Objects = []fyne.CanvasObject{o}
	p.scroll.Direction = direction
	p.scroll.Offset = fyne.NewPos(0, 0)
	p.content.Refresh()
	p.scroll.Refresh()
	p.paper.Refresh()
}

// pages is how many pages there are to turn.
func (p *preview) pages() int {
	s := p.sheet
	if !s.subject.format(s.choice).Paged {
		return 1
	}
	n := s.subject.Results
	if s.subject.Case {
		n++
	}
	return n
}

// turn shows another page.
func (p *preview) turn(by int) {
	to := min(max(p.at+by, 0), p.pages()-1)
	if to != p.at {
		p.at = to
		p.load()
	}
}

// typedKey turns and scrolls pages.
func (p *preview) typedKey(e *fyne.KeyEvent) bool {
	step := p.scroll.Size().Height - 10*look.Space
	switch e.Name {
	case fyne.KeyPageDown:
	case fyne.KeyPageUp:
		step = -step
	case fyne.KeyDown:
		step = 10 * look.Space
	case fyne.KeyUp:
		step = -10 * look.Space
	case fyne.KeyRight:
		p.sideways(1)
		return true
	case fyne.KeyLeft:
		p.sideways(-1)
		return true
	default:
		return false
	}
	most := max(0, p.scroll.Content.Size().Height-p.scroll.Size().Height)
	p.scroll.ScrollToOffset(fyne.NewPos(p.scroll.Offset.X, min(max(0, p.scroll.Offset.Y+step), most)))
	return true
}

// sideways turns pages, or scrolls a table.
func (p *preview) sideways(by int) {
	if p.pages() > 1 {
		p.turn(by)
		return
	}
	most := max(0, p.scroll.Content.Size().Width-p.scroll.Size().Width)
	p.scroll.ScrollToOffset(fyne.NewPos(min(max(0, p.scroll.Offset.X+float32(by)*widestColumn), most), p.scroll.Offset.Y))
}

// showPlace says which page is shown.
func (p *preview) showPlace() {
	n := p.pages()
	p.at = min(p.at, max(n-1, 0))
	p.place.SetText(i18n.F("%s of %s", i18n.Count(p.at+1), i18n.Count(n)))
	kit.SetVisible(p.pager, n > 1)
	kit.SetEnabled(p.before, p.at > 0)
	kit.SetEnabled(p.after, p.at < n-1)
	p.root.Refresh()
}

// load reads what the present choice gives, and shows it.
func (p *preview) load() {
	p.cancel()
	s := p.sheet
	p.showPlace()
	if s.subject.Results == 0 {
		p.say(i18n.T("There is no answer yet, so there is nothing to save."))
		return
	}
	source, at, o := s.source, p.at, s.choice.options(s.made)
	format := s.subject.format(s.choice)
	p.cancel = s.Workers.Do(func(ctx context.Context) func() {
		var show func() (fyne.CanvasObject, container.ScrollDirection)
		var err error
		switch format.Ending {
		case ".csv", ".xlsx":
			var head []string
			var rows [][]string
			head, rows, err = source.Table(ctx, o, tableRows)
			show = func() (fyne.CanvasObject, container.ScrollDirection) {
				return drawSheet(head, rows, s.subject.Results), container.ScrollBoth
			}
		case ".json", ".ndjson":
			var text string
			var whole bool
			text, whole, err = source.Beginning(ctx, "report"+format.Ending, o, textBytes)
			show = func() (fyne.CanvasObject, container.ScrollDirection) {
				return drawText(text, whole), container.ScrollVerticalOnly
			}
		default:
			var page Page
			page, err = source.Page(ctx, at, o)
			show = func() (fyne.CanvasObject, container.ScrollDirection) {
				return drawPage(page), container.ScrollVerticalOnly
			}
		}
		return func() {
			if err != nil {
				p.say(present.Problem(err))
				return
			}
			p.set(show())
		}
	})
}
