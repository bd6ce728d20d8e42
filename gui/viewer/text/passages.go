package text

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/present"
)

// step goes to the next passage or the one before, and round at the ends.
func (p *Pane) step(by int) {
	n := len(p.prose.Passages)
	if n == 0 {
		return
	}
	if p.passage < 0 && by < 0 {
		p.passage = 0 // the last is before the first
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

// tapped tells what stands under a tap.
func (p *Pane) tapped(mark int, link string) {
	passage := slices.Index(p.prose.Passages, mark)
	switch {
	case passage >= 0 && p.sheet.marks:
		p.choose(passage)
	case mark >= 0 && p.sheet.marks:
		p.tell(i18n.T("An example in the page's legend") + " · " + p.prose.Marks[mark].Says)
	case link != "":
		p.tell(present.LinkLine(link))
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

func noticeOf(prose *present.Prose) string { return strings.Join(prose.Notices, " ") }
