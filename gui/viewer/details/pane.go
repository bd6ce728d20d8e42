// Package details is the viewer's Details page: what a file says of itself, and how it was sent. It is composed of gui/kit with data from
// gui/present; its exported methods must be called on the UI thread and read nothing themselves.
package details

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// Source reads details. It reads the disk, and may fetch the service's copy of a file.
type Source interface {
	Details(ctx context.Context, id string) (Details, error)
}

// Params are the dependencies of a pane.
type Params struct {
	Workers *work.Workers
	Source  Source
	Copy    func(text string) // copies a text to the clipboard; nil for the window's clipboard
}

// Pane shows the details of one result.
type Pane struct {
	workers *work.Workers
	source  Source
	root    *fyne.Container
	body    *fyne.Container
	notice  *kit.Notice
	reading *kit.Text
	problem *kit.Notice // why the file's own facts are missing, while the rest is shown
	sheet   *sheet
	scroll  *container.Scroll

	shown  string // ID of the result that is shown or being read, "" for none
	cancel context.CancelFunc
}

// New makes an empty pane.
func New(p Params) *Pane {
	if p.Copy == nil {
		p.Copy = func(text string) { fyne.CurrentApp().Clipboard().SetContent(text) }
	}
	d := &Pane{workers: p.Workers, source: p.Source, cancel: func() {}}
	d.sheet = newSheet(p.Copy)
	d.scroll = container.NewVScroll(d.sheet)
	d.scroll.OnScrolled = func(fyne.Position) { d.updateView() }
	d.sheet.reveal = func(top, bottom float32) {
		offset := min(d.scroll.Offset.Y, top)
		offset = max(offset, bottom-d.scroll.Size().Height)
		if offset != d.scroll.Offset.Y {
			d.scroll.ScrollToOffset(fyne.NewPos(0, offset))
			d.updateView()
		}
	}
	d.problem = kit.NewNotice(look.IconInfo, "", i18n.T("Try again"), func() { d.load(d.shown) })
	d.notice = kit.NewNotice(look.IconWarning, "", i18n.T("Try again"), func() { d.load(d.shown) })
	d.reading = kit.NewText(i18n.T("Reading the file…"), kit.TextStyle{Color: look.ColorMuted})
	d.body = container.New(kit.Column{Gap: 2 * look.Space, Grow: 1}, d.problem, container.New(&viewport{d}, d.scroll))
	d.root = container.NewStack(d.body, container.New(kit.Column{Grow: -1}, d.notice, d.reading))
	d.Clear()
	return d
}

// viewport lays out the scroll and sets which part of the sheet is in sight.
type viewport struct{ pane *Pane }

// Layout implements fyne.Layout. The sheet first gets its width, from which its height follows, and in the end how much of it is seen.
func (v *viewport) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	v.pane.sheet.arrange(size.Width)
	v.pane.scroll.Move(fyne.NewPos(0, 0))
	v.pane.scroll.Resize(size)
	v.pane.updateView()
}

// MinSize implements fyne.Layout.
func (v *viewport) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 120) }

// Object is the pane's root.
func (p *Pane) Object() fyne.CanvasObject { return p.root }

// Show shows a result's details. For the same result it reads them again, and shows the old ones meanwhile.
func (p *Pane) Show(v present.Viewer) {
	if p.shown != v.ID {
		p.Clear()
		p.reading.Show()
	}
	p.load(v.ID)
}

// Clear empties the pane and cancels what is under way.
func (p *Pane) Clear() {
	p.cancel()
	p.shown = ""
	p.sheet.set(Details{})
	p.scroll.ScrollToTop()
	p.updateView()
	p.body.Hide()
	p.notice.Hide()
	p.reading.Hide()
	p.root.Refresh()
}

func (p *Pane) load(id string) {
	p.cancel()
	p.shown = id
	p.notice.Hide()
	p.cancel = p.workers.Do(func(ctx context.Context) func() {
		d, err := p.source.Details(ctx, id)
		if err != nil {
			return func() { p.fail(i18n.F("The details can't be shown. %s", present.Problem(err))) }
		}
		return func() { p.fill(d) }
	})
}

func (p *Pane) fail(sentence string) {
	p.reading.Hide()
	p.body.Hide()
	p.notice.SetText(sentence)
	p.notice.Show()
	p.root.Refresh()
}

func (p *Pane) fill(d Details) {
	p.reading.Hide()
	p.notice.Hide()
	p.problem.SetText(d.Problem)
	kit.SetVisible(p.problem, d.Problem != "")
	p.sheet.set(d)
	p.body.Show()
	p.root.Refresh()
	p.scroll.Refresh()
	p.updateView()
}

// updateView sets which part of the sheet is in sight: the scroll calls it only when the mouse has moved it.
func (p *Pane) updateView() { p.sheet.setView(p.scroll.Offset.Y, p.scroll.Size().Height) }

// TypedRune implements viewer.Pane; it uses no character.
func (p *Pane) TypedRune(rune) bool { return false }

// TypedKey moves among the rows while the sheet does not have the focus.
func (p *Pane) TypedKey(e *fyne.KeyEvent) bool {
	return p.body.Visible() && p.sheet.typed(e.Name)
}

// Shortcuts are the keys of this pane.
func (p *Pane) Shortcuts() []present.Shortcut {
	return []present.Shortcut{{Keys: "↑ ↓", Does: i18n.T("Next or previous row")}, {Keys: i18n.T("Enter"), Does: i18n.T("Copy the row's value")}}
}

var _ fyne.Layout = (*viewport)(nil)
