package tree

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/i18n"
	"assay/client/jsontree"
	"assay/gui/kit"
	"assay/gui/present"
)

const (
	// copyLimit is how many bytes of a value are copied: more would block the program that it is pasted into.
	copyLimit = 8 << 20
	// longLimit is how many characters of a text that does not fit in its row are shown below the tree.
	longLimit = 280
)

// chose shows the path of the chosen row, and more of its value if that is long.
func (p *Pane) chose() {
	row := p.rows.chosenRow()
	p.path.SetText("")
	p.long.SetText("")
	p.long.Hide()
	if row.Node.Kind == jsontree.None {
		return
	}
	place := p.place(row)
	p.path.SetText(shortened(place))
	if place == "" || row.Node.Kind == jsontree.Unread {
		p.copyPath.Disable()
	} else {
		p.copyPath.Enable()
	}
	if !row.Node.HasChildren() {
		columns := int(p.rows.Size().Width*0.5/columnWidth()) - 2*row.Depth
		if _, whole := p.open.Preview(row.Node, max(20, columns)); !whole {
			text, _ := p.open.Preview(row.Node, longLimit)
			p.long.SetText(text)
			p.long.Show()
		}
	}
	p.showHits()
}

// place is the path of a chosen row, "" for the whole document.
func (p *Pane) place(row jsontree.Row) string {
	if row.Node.Kind == jsontree.Unread {
		return i18n.T("From here on, this is not JSON")
	}
	return p.open.Path(p.rows.outline.TrailOf(p.rows.chosen))
}

// longestPath is how many characters of a path are shown, since values can be nested thousands deep.
const longestPath = 240

func shortened(path string) string {
	runes := []rune(path)
	if len(runes) <= longestPath {
		return path
	}
	return string(runes[:longestPath/2]) + "…" + string(runes[len(runes)-longestPath/2:])
}

// copyValue copies the chosen value: a string as its text, anything else as JSON; of URLs, only what may be shown.
func (p *Pane) copyValue() {
	read, node := p.open, p.rows.chosenRow().Node
	if read == nil || node.Kind == jsontree.None {
		return
	}
	p.cancelCopy()
	p.cancelCopy = p.workers.Do(func(context.Context) func() {
		text, whole := read.Pretty(node, copyLimit)
		return func() {
			fyne.CurrentApp().Clipboard().SetContent(text)
			p.path.SetText(copied(text, whole))
		}
	})
}

func copied(text string, whole bool) string {
	if !whole {
		return i18n.F("The first %s were copied.", i18n.Size(copyLimit))
	}
	return i18n.N(len([]rune(text)), "%s characters were copied.", "%s characters were copied.")
}

func (p *Pane) copyItsPath() {
	row := p.rows.chosenRow()
	if p.open == nil || row.Node.Kind == jsontree.None || p.copyPath.Disabled() {
		return
	}
	fyne.CurrentApp().Clipboard().SetContent(p.place(row))
	p.path.SetText(i18n.T("The path was copied."))
}

// focus gives the tree the focus.
func (p *Pane) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p.rows); c != nil && p.card.Visible() {
		c.Focus(p.rows)
	}
}

func (p *Pane) focusSearch() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p.search); c != nil {
		c.Focus(p.search)
	}
}

// TypedRune handles characters while the tree has the focus: they have other meanings elsewhere.
func (p *Pane) TypedRune(r rune) bool {
	if !p.rows.focused {
		return false
	}
	switch {
	case r == '/':
		p.focusSearch()
	case r == 'n' && len(p.found) > 0:
		p.step(1)
	case r == 'N' && len(p.found) > 0:
		p.step(-1)
	default:
		return false
	}
	return true
}

// TypedKey handles the keys of a tree.
func (p *Pane) TypedKey(e *fyne.KeyEvent) bool { return p.rows.key(e.Name) }

// shortcut handles the tree's own shortcuts.
func (p *Pane) shortcut(s fyne.Shortcut) bool {
	if _, isCopy := s.(*fyne.ShortcutCopy); isCopy {
		p.copyValue()
		return true
	}
	if held, ok := s.(*desktop.CustomShortcut); ok && held.KeyName == fyne.KeyF && held.Modifier == fyne.KeyModifierShortcutDefault {
		p.focusSearch()
		return true
	}
	return false
}

// Shortcuts are the keys of this pane.
func (p *Pane) Shortcuts() []present.Shortcut {
	return []present.Shortcut{
		{Keys: i18n.T("Up Down Home End PgUp PgDn"), Does: i18n.T("Move in the tree")},
		{Keys: i18n.T("Right, Left"), Does: i18n.T("Open, close, go in or out")},
		{Keys: i18n.T("Enter"), Does: i18n.T("Open or close")},
		{Keys: i18n.F("/ or %s", kit.Shortcut("F")), Does: i18n.T("Search keys and values, from the tree")},
		{Keys: i18n.T("N, Shift+N"), Does: i18n.T("Next or previous match")},
		{Keys: kit.Shortcut("C"), Does: i18n.T("Copy the value")},
	}
}
