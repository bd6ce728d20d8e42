package text

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// tools lays out what can be done with the text in one row. Where it is too narrow, going to the passages before and after is by icons, and what is used least
// goes into a menu.
type tools struct {
	pane *Pane
	more *kit.Button
	room int // how many of those of inMenu have a place in the row
}

func newTools(p *Pane) *tools {
	t := &tools{pane: p}
	t.more = kit.NewButton(kit.Plain, "", look.IconMore, t.open)
	t.more.SetToolTip(i18n.T("More"))
	t.more.Hide()
	return t
}

const (
	toolsGap             = 2 * look.Space
	summaryLeast float32 = 80 // of the sentence on how much is marked, which is then shortened
)

// choosable reports whether there is a page beside the text.
func (p *Pane) choosable() bool {
	return len(p.prose.Blocks) > 0 && !p.pageless || p.choice.Selected() == choiceText
}

func (p *Pane) marked() bool { return len(p.prose.Passages) > 0 }

// inMenu are the tools that go into the menu, those that do last first.
func (t *tools) inMenu() (all []fyne.CanvasObject) {
	p := t.pane
	if p.marked() {
		all = append(all, p.toggle)
	}
	if p.choosable() {
		all = append(all, p.choice)
	}
	if len(p.prose.Blocks) > 0 {
		all = append(all, p.copied)
	}
	return all
}

// spell has the steps between passages in words, or as icons.
func (t *tools) spell(words bool) {
	p := t.pane
	previous, next := "", ""
	icons := []fyne.Resource{look.IconChevronLeft, look.IconChevronRight}
	if words {
		previous, next, icons = i18n.T("Previous"), i18n.T("Next"), []fyne.Resource{nil, nil}
	}
	p.previous.SetLabel(previous)
	p.next.SetLabel(next)
	p.previous.SetIcon(icons[0])
	p.next.SetIcon(icons[1])
}

// Layout implements fyne.Layout.
func (t *tools) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	all := t.inMenu()
	t.place(true, len(all))
	if t.width(objects, t.pane.summary.FullWidth()) > size.Width {
		for room := len(all); room >= 0; room-- {
			t.place(false, room)
			if t.width(objects, summaryLeast) <= size.Width {
				break
			}
		}
	}
	left := size.Width - t.width(objects, 0)
	x := float32(0)
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		width, height := o.MinSize().Width, o.MinSize().Height
		if i == 0 {
			width = max(0, min(t.pane.summary.FullWidth()+1, left))
		}
		kit.PlaceAt(o, x, (size.Height-height)/2, width, height)
		x += width + toolsGap
	}
}

// place shows that many of the tools that the menu can have, and the menu if it has any.
func (t *tools) place(words bool, room int) {
	p, all := t.pane, t.inMenu()
	t.spell(words)
	kit.SetVisible(p.previous, p.marked())
	kit.SetVisible(p.next, p.marked())
	for _, o := range []fyne.CanvasObject{p.toggle, p.choice, p.copied} {
		kit.SetVisible(o, false)
	}
	for _, o := range all[:room] {
		kit.SetVisible(o, true)
	}
	kit.SetVisible(t.more, room < len(all))
	t.room = room
}

// width is that of all that is visible, with the sentence as wide as this.
func (t *tools) width(objects []fyne.CanvasObject, summary float32) float32 {
	width := summary
	for _, o := range objects[1:] {
		if o.Visible() {
			width += toolsGap + o.MinSize().Width
		}
	}
	return width
}

// MinSize implements fyne.Layout.
func (*tools) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(3*(look.ControlHeight+toolsGap), look.ControlHeight)
}

// open opens the menu with what has no place in the row.
func (t *tools) open() {
	over := fyne.CurrentApp().Driver().CanvasForObject(t.more)
	if over == nil {
		return
	}
	var items []*fyne.MenuItem
	for _, o := range t.inMenu()[t.room:] {
		switch p := t.pane; o {
		case fyne.CanvasObject(p.toggle):
			items = append(items, fyne.NewMenuItem(p.toggle.Label(), p.toggleMarks))
		case fyne.CanvasObject(p.copied):
			items = append(items, fyne.NewMenuItem(p.copied.Label(), func() { p.copyText(p.prose.Plain()) }))
		default:
			for i, option := range p.choice.Options() {
				item := fyne.NewMenuItem(option, func() { p.choice.Select(i) })
				item.Checked = p.choice.Selected() == i
				items = append(items, item)
			}
		}
	}
	menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), over)
	menu.ShowAtRelativePosition(fyne.NewPos(t.more.Size().Width-menu.MinSize().Width, t.more.Size().Height+look.Space), t.more)
}
