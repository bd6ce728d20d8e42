// Package tree shows JSON of any shape and size as a searchable tree. It may import Fyne, client (for what may be shown of signed URLs),
// client/jsontree, and gui/look, gui/kit, gui/present and gui/work.
package tree

import (
	"context"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/client/jsontree"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Document is a JSON document of a result.
type Document struct {
	Label  string // on the tab, such as "Details of the analysis"
	Absent string // the sentence to show if a result has none
	// Load returns the bytes as they were sent, which must not be changed. It blocks, and is called on a worker. fs.ErrNotExist or
	// client.ErrNoArtifact means that there is none.
	Load func(ctx context.Context, id string) ([]byte, error)
	// For reports whether a result can have it; nil: every one can.
	For func(v present.Viewer) bool
}

// Params are the dependencies of a pane.
type Params struct {
	Workers   *work.Workers
	Documents []Document // the first is the answer, in which Reveal searches
}

// Pane shows a result's documents as trees, one at a time. Show loads, so call it once the pane is in sight.
type Pane struct {
	workers *work.Workers
	all     []Document
	has     []int // indices into all of the documents of the result

	root     *fyne.Container
	choice   *kit.Segmented
	notice   *kit.Notice
	card     *kit.Card
	rows     *rows
	search   *kit.SearchField
	hits     *kit.Text
	previous *kit.Button
	next     *kit.Button
	long     *kit.Paragraph
	foot     *fyne.Container
	path     *kit.Text
	copyText *kit.Button
	copyPath *kit.Button

	shown   present.Viewer
	open    *jsontree.Document // nil while there is none
	text    []byte             // the bytes of open
	fault   string             // why it can't be shown, "" if it can
	pending string             // the path to reveal once it is read
	waiting bool               // whether pending is set; it may be ""
	quiet   bool               // whether nobody asked for it: no message if it is not found

	found      []jsontree.Node
	searching  bool
	more       bool // whether there may be more matches than are kept
	cancelLoad context.CancelFunc
	cancelFind context.CancelFunc
	cancelGo   context.CancelFunc
	cancelCopy context.CancelFunc
}

// New makes an empty pane.
func New(params Params) *Pane {
	none := func() {}
	p := &Pane{workers: params.Workers, all: params.Documents, cancelLoad: none, cancelFind: none, cancelGo: none, cancelCopy: none}
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted}
	p.choice = kit.NewSegmented(nil, func(int) { p.load() })
	p.notice = kit.NewNotice(look.IconInfo, "", "", nil)
	p.rows = newRows()
	p.rows.onChosen, p.rows.onRune, p.rows.onShortcut = p.chose, p.TypedRune, p.shortcut
	p.card = kit.NewCard(container.NewClip(p.rows))
	p.card.SetPadding(look.Space)
	p.search = kit.NewSearchField(i18n.T("Search keys and values"), func(string) { p.find() })
	p.search.OnDone = p.focus
	p.hits = kit.NewText("", small)
	p.previous = kit.NewButton(kit.Bare, "", look.IconArrowUp, func() { p.step(-1) })
	p.previous.SetToolTip(i18n.T("Previous match (Shift+N)"))
	p.next = kit.NewButton(kit.Bare, "", look.IconChevronDown, func() { p.step(1) })
	p.next.SetToolTip(i18n.T("Next match (N)"))
	p.long = kit.NewParagraph("", kit.TextStyle{Size: look.SizeSmall, Mono: true})
	pathStyle := small
	pathStyle.Mono, pathStyle.Ellipsis, pathStyle.MinWidth = true, look.EllipsisMiddle, 80
	p.path = kit.NewText("", pathStyle)
	p.copyText = kit.NewButton(kit.Plain, i18n.T("Copy value"), nil, p.copyValue)
	p.copyPath = kit.NewButton(kit.Plain, i18n.T("Copy path"), nil, p.copyItsPath)

	line := func(objects ...fyne.CanvasObject) *fyne.Container {
		return container.New(layout.NewCustomPaddedHBoxLayout(look.Space), objects...)
	}
	seeking := container.NewBorder(nil, nil, nil, line(container.NewCenter(p.hits), p.previous, p.next), p.search)
	head := container.New(&besides{grows: 1, narrow: 620}, p.choice, seeking)
	p.foot = container.New(&besides{grows: 0, narrow: 420}, container.NewVBox(layout.NewSpacer(), p.path, layout.NewSpacer()), line(p.copyText, p.copyPath))
	const cardAt = 2
	p.root = container.New(kit.Column{Gap: 2 * look.Space, Grow: cardAt}, head, p.notice, p.card, p.long, p.foot)
	p.Clear()
	return p
}

// Object is the pane's root.
func (p *Pane) Object() fyne.CanvasObject { return p.root }

// Show shows another result's documents, beginning with the same kind as before if it has that. For the result that is shown, it reads them again if
// the result changed.
func (p *Pane) Show(v present.Viewer) {
	if p.shown.ID == v.ID {
		if !reflect.DeepEqual(p.shown, v) {
			p.shown = v
			p.reload()
		}
		return
	}
	label := ""
	if at := p.choice.Selected(); at < len(p.has) {
		label = p.all[p.has[at]].Label
	}
	p.Clear()
	p.shown = v
	var labels []string
	chosen := 0
	for i, d := range p.all {
		if d.For != nil && !d.For(v) {
			continue
		}
		if d.Label == label {
			chosen = len(p.has)
		}
		p.has = append(p.has, i)
		labels = append(labels, d.Label)
	}
	p.choice.SetOptions(labels)
	kit.SetVisible(p.choice, len(labels) > 1)
	if chosen > 0 {
		p.choice.Select(chosen) // which loads it
		return
	}
	p.load()
}

// Clear empties the pane and releases its documents.
func (p *Pane) Clear() {
	p.cancelLoad()
	p.shown, p.has, p.waiting = present.Viewer{}, nil, false
	p.choice.SetOptions(nil)
	p.choice.Hide()
	p.search.SetText("")
	p.put(nil, nil)
	p.say("")
}

// Reveal opens the answer at a field, such as models[2].finalScore, chooses and marks it.
func (p *Pane) Reveal(path string) { p.RevealIn(0, path) }

// RevealIn does the same in the document with an index in Params.
func (p *Pane) RevealIn(document int, path string) {
	for at, i := range p.has {
		if i != document {
			continue
		}
		p.pending, p.waiting, p.quiet = path, true, false
		if at != p.choice.Selected() {
			p.choice.Select(at)
			return
		}
		p.goToPending()
		return
	}
}

// put replaces the document; nil for none.
func (p *Pane) put(d *jsontree.Document, text []byte) {
	p.cancelFind()
	p.cancelGo()
	p.cancelCopy()
	p.open, p.text, p.fault = d, text, ""
	p.found, p.searching, p.more = nil, false, false
	name := ""
	if at := p.choice.Selected(); d != nil && at < len(p.has) {
		name = p.all[p.has[at]].Label
	}
	p.rows.set(name, d)
	kit.SetVisible(p.card, d != nil)
	kit.SetVisible(p.foot, d != nil)
	p.chose()
	p.showHits()
}

// say shows a sentence above the tree; "" for none.
func (p *Pane) say(sentence string) {
	p.notice.SetIcon(look.IconInfo)
	p.notice.SetAction("", nil)
	p.notice.SetText(sentence)
	kit.SetVisible(p.notice, sentence != "")
	p.root.Refresh()
}

// besides lays two objects side by side, or below each other if there is too little width; the one that grows takes the rest of the line.
type besides struct {
	grows  int
	narrow float32
	width  float32
}

// Layout implements fyne.Layout.
func (b *besides) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	b.width = size.Width
	first, second := objects[0], objects[1]
	a, z := first.MinSize(), second.MinSize()
	switch {
	case !first.Visible():
		put(second, 0, 0, size.Width, z.Height)
	case size.Width < b.narrow:
		put(first, 0, 0, size.Width, a.Height)
		put(second, 0, a.Height+2*look.Space, size.Width, z.Height)
	default:
		const gap = 4 * look.Space
		left := a.Width
		if b.grows == 0 {
			left = size.Width - z.Width - gap
		}
		put(first, 0, 0, left, size.Height)
		put(second, left+gap, 0, size.Width-left-gap, size.Height)
	}
}

// MinSize implements fyne.Layout.
func (b *besides) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, z := objects[0].MinSize(), objects[1].MinSize()
	if !objects[0].Visible() {
		return z
	}
	if b.width < b.narrow {
		return fyne.NewSize(max(a.Width, z.Width), a.Height+2*look.Space+z.Height)
	}
	return fyne.NewSize(max(a.Width, z.Width), max(a.Height, z.Height))
}
