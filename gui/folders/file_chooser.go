package folders

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// fileChooser is the list of files that a folder holds, to tick those that are taken.
type fileChooser struct {
	root   *fyne.Container
	foot   fyne.CanvasObject
	card   *card
	all    *kit.Check
	listed *kit.Text
	list   *fileList

	files  []File
	ticked map[string]bool // by path
	count  int
	bytes  int64
}

func newFileChooser(c *card) *fileChooser {
	h := &fileChooser{card: c, ticked: map[string]bool{}}
	h.all = kit.NewCheck("", h.tickAll)
	h.listed = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd, Align: fyne.TextAlignTrailing})
	h.list = newFileList(h)
	head := container.NewBorder(nil, nil, kit.Outdented(h.all), nil, h.listed)
	card := kit.NewCard(container.NewThemeOverride(h.list, kit.CloseRows{}))
	card.SetPadding(0)
	h.root = container.New(kit.Column{Gap: look.Space, Grow: 1}, head, card)
	h.foot = container.NewBorder(nil, nil, nil, kit.NewButton(kit.Primary, i18n.T("Done"), nil, func() { c.choose(false) }))
	h.root.Hide()
	h.foot.Hide()
	h.sum()
	return h
}

// set shows what was found. What was ticked before stays so where it is still there.
func (h *fileChooser) set(inside Inside) {
	h.files = inside.Newest
	h.listed.SetText(inside.Listed())
	h.sum()
	h.list.Refresh()
}

// sum counts what is ticked.
func (h *fileChooser) sum() {
	h.count, h.bytes = 0, 0
	for _, f := range h.files {
		if h.ticked[f.Path] {
			h.count++
			h.bytes += f.Bytes
		}
	}
	h.all.SetLabel(ChosenWords(h.count, h.bytes))
	switch h.count {
	case 0:
		h.all.SetState(kit.Unchecked)
	case len(h.files):
		h.all.SetState(kit.Checked)
	default:
		h.all.SetState(kit.Partly)
	}
}

func (h *fileChooser) tickAll(ticked bool) {
	for _, f := range h.files {
		h.ticked[f.Path] = ticked
	}
	h.sum()
	h.list.Refresh()
	h.card.changed(false)
}

func (h *fileChooser) toggle(i int) {
	if i < 0 || i >= len(h.files) {
		return
	}
	path := h.files[i].Path
	h.ticked[path] = !h.ticked[path]
	h.sum()
	h.list.RefreshItem(i)
	h.card.changed(false)
}

// paths are those that are ticked and listed, in the list's order.
func (h *fileChooser) paths() []string {
	var paths []string
	for _, f := range h.files {
		if h.ticked[f.Path] {
			paths = append(paths, f.Path)
		}
	}
	return paths
}
