// Package text shows a text with the marks of its explainability page. Nothing of the page is executed or loaded. It imports Fyne, gui/kit, gui/look,
// gui/present and gui/work; its methods must be called on the UI thread, and none waits.
package text

import (
	"context"
	"os"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/bounded"
	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Source reads a result's text. Its methods block; they are called on workers.
type Source interface {
	// Explanation returns the explainability page as it was sent; client.ErrNoArtifact if there is none.
	Explanation(ctx context.Context, id string) (page []byte, err error)
	// OpenOriginal opens the text itself: the person's own file if it is still the one that was submitted, else the service's copy.
	OpenOriginal(ctx context.Context, id string) (*os.File, error)
}

// Params are the dependencies of a pane.
type Params struct {
	Workers *work.Workers
	Source  Source
	// Copy copies a text to the clipboard; nil for the app's clipboard.
	Copy func(text string)
}

// Pane shows one text.
type Pane struct {
	params   Params
	id       string
	prose    *Prose
	widths   *widths
	passage  int  // index in prose.Passages, -1 before one was chosen
	pageless bool // whether there is no page to choose
	cancel   context.CancelFunc

	summary        *kit.Text
	previous, next *kit.Button
	toggle, copied *kit.Button
	choice         *kit.Select
	notice         *kit.Notice
	below          *kit.Paragraph
	sheet          *sheet
	tools, foot    *fyne.Container
	root           *fyne.Container
	card           *kit.Card
}

// The choices.
const (
	choicePage = iota
	choiceText
)

// New makes an empty pane.
func New(params Params) *Pane {
	p := &Pane{params: params, passage: -1, cancel: func() {}, prose: &Prose{}}
	p.summary = kit.NewText("", kit.TextStyle{Weight: look.WeightBold, Ellipsis: look.EllipsisEnd})
	p.previous = kit.NewButton(kit.Plain, i18n.T("Previous"), nil, func() { p.step(-1) })
	p.previous.SetToolTip(i18n.T("The marked passage before (Shift+N)"))
	p.next = kit.NewButton(kit.Plain, i18n.T("Next"), nil, func() { p.step(1) })
	p.next.SetToolTip(i18n.T("The next marked passage (N)"))
	p.toggle = kit.NewButton(kit.Plain, i18n.T("Hide marks"), nil, p.toggleMarks)
	p.copied = kit.NewButton(kit.Plain, i18n.T("Copy text"), nil, func() { p.copyText(p.prose.Plain()) })
	p.copied.SetToolTip(i18n.T("Copy the whole text, without marks"))
	p.choice = kit.NewSelect(kit.Plain, []string{i18n.T("Page"), i18n.T("Text alone")}, func(int) { p.load() })
	p.notice = kit.NewNotice(look.IconInfo, "", "", nil)
	p.below = kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})
	p.sheet = newSheet(params.Workers)
	p.sheet.onTapped = p.tapped
	p.sheet.onRune = p.TypedRune
	p.sheet.onCopy = p.copyText
	p.card = kit.NewCard(p.sheet.object)
	p.card.SetPadding(0)
	row := newTools(p)
	p.tools = container.New(row, p.summary, p.previous, p.next, p.toggle, p.choice, p.copied, row.more)
	const grow = 2
	p.foot = container.New(layout.NewCustomPaddedLayout(0, look.Space, 0, 0), p.below)
	p.root = container.New(kit.Column{Gap: 2 * look.Space, Grow: grow}, p.tools, p.notice, p.card, p.foot)
	p.fill(&Prose{}, nil)
	return p
}

// Object is the pane's root.
func (p *Pane) Object() fyne.CanvasObject { return p.root }

// Show shows a result's text. For the same result it does nothing, since its text does not change.
func (p *Pane) Show(v present.Viewer) {
	if v.ID == p.id {
		return
	}
	p.Clear()
	p.id = v.ID
	p.load()
}

// Clear empties the pane and cancels what is under way.
func (p *Pane) Clear() {
	p.cancel()
	p.id, p.pageless = "", false
	p.choice.SetOptions(p.choice.Options())
	p.sheet.marks = true
	p.fill(&Prose{}, nil)
}

// load reads the chosen text.
func (p *Pane) load() {
	p.cancel()
	id, alone, source := p.id, p.choice.Selected() == choiceText, p.params.Source
	if id == "" {
		return
	}
	p.fill(&Prose{Summary: i18n.T("Reading the text…")}, nil)
	p.cancel = p.params.Workers.Do(func(ctx context.Context) func() {
		prose, err := read(ctx, source, id, alone)
		if err != nil {
			return nil // cancelled
		}
		characters := map[rune]bool{}
		for i := range prose.Blocks {
			measurable(prose.Blocks[i].Text, characters)
		}
		return func() {
			p.pageless = p.pageless || !alone && !prose.Marked
			p.fill(prose, characters)
		}
	})
}

// read returns the page, or the text itself if alone is set or there is no page. Its only error is ctx's.
func read(ctx context.Context, source Source, id string, alone bool) (*Prose, error) {
	var instead error
	if !alone {
		page, err := source.Explanation(ctx, id)
		prose, why := ProseOf(ctx, page, err)
		if why == nil {
			return prose, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		instead = why
	}
	text, err := readOriginal(ctx, source, id)
	return ProseOfText(ctx, text, err, instead)
}

// readOriginal reads one byte more than is shown, to detect a cut.
func readOriginal(ctx context.Context, source Source, id string) ([]byte, error) {
	file, err := source.OpenOriginal(ctx, id)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	return bounded.ReadUpTo(file, MostProse+1)
}

// fill shows a text, nil for none.
func (p *Pane) fill(prose *Prose, characters map[rune]bool) {
	p.prose, p.passage = prose, -1
	if len(prose.Blocks) > 0 {
		if p.widths == nil {
			p.widths = newWidths()
		}
		p.widths = p.widths.extend(characters)
	}
	p.summary.SetText(prose.Summary)
	p.toggle.SetLabel(toggleLabel(p.sheet.marks))
	kit.SetVisible(p.tools, prose.Summary != "")
	p.say()
	p.notice.SetText(noticeOf(prose))
	kit.SetVisible(p.notice, len(prose.Notices) > 0)
	kit.SetVisible(p.card, len(prose.Blocks) > 0)
	p.sheet.set(prose, p.widths)
	p.root.Refresh()
}

// say shows below the text what is known of the chosen passage, or of all.
func (p *Pane) say() {
	text := p.prose.LegendLine()
	if p.passage >= 0 {
		text = p.prose.MarkLine(p.passage)
	}
	p.tell(text)
}

func (p *Pane) tell(text string) {
	p.below.SetText(text)
	kit.SetVisible(p.foot, text != "")
	p.root.Refresh()
}

// step goes to the next or previous passage, from the last to the first.
func (p *Pane) step(by int) {
	n := len(p.prose.Passages)
	if n == 0 {
		return
	}
	if p.passage < 0 && by < 0 {
		p.passage = 0 // so that the previous one is the last
	}
	p.choose((p.passage + by + n) % n)
}

func (p *Pane) choose(passage int) {
	p.passage = passage
	if !p.sheet.marks {
		p.toggleMarks()
	}
	p.say()
	p.sheet.jump(p.prose.Passages[passage])
}

// tapped shows what was clicked.
func (p *Pane) tapped(mark int, link string) {
	passage := slices.Index(p.prose.Passages, mark)
	switch {
	case passage >= 0 && p.sheet.marks:
		p.choose(passage)
	case mark >= 0 && p.sheet.marks:
		p.tell(i18n.T("An example in the page's legend") + " · " + p.prose.Marks[mark].Says)
	case link != "":
		p.tell(LinkLine(link))
	}
}

func (p *Pane) toggleMarks() {
	p.sheet.marks = !p.sheet.marks
	p.toggle.SetLabel(toggleLabel(p.sheet.marks))
	p.sheet.leaf.Refresh()
	p.tools.Refresh()
}

func toggleLabel(shown bool) string {
	if shown {
		return i18n.T("Hide marks")
	}
	return i18n.T("Show marks")
}

func (p *Pane) copyText(text string) {
	if p.params.Copy != nil {
		p.params.Copy(text)
		return
	}
	fyne.CurrentApp().Clipboard().SetContent(text)
}

func noticeOf(prose *Prose) string { return strings.Join(prose.Notices, " ") }

// TypedRune handles a character; it reports whether it used it.
func (p *Pane) TypedRune(r rune) bool {
	switch {
	case len(p.prose.Passages) == 0:
	case r == 'n':
		p.step(1)
		return true
	case r == 'N':
		p.step(-1)
		return true
	}
	return false
}

// TypedKey scrolls the text by pages; it reports whether it used the key. Arrows scroll only while the text has the focus.
func (p *Pane) TypedKey(e *fyne.KeyEvent) bool {
	if e.Name == fyne.KeyUp || e.Name == fyne.KeyDown {
		return false
	}
	return p.sheet.typedKey(e.Name)
}

// Shortcuts are the keys of this pane.
func (p *Pane) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: i18n.T("N, Shift+N"), Does: i18n.T("Next or previous marked passage")},
		{Keys: kit.Shortcut("C"), Does: i18n.T("Copy what is selected in the text")},
		{Keys: i18n.T("Page Up, Page Down, Home, End"), Does: i18n.T("Scroll the text")},
	}
}
