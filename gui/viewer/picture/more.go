package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/look"
	"assay/gui/present"
)

// openMore opens the menu with what is needed less often.
func (t *tools) openMore() {
	over := fyne.CurrentApp().Driver().CanvasForObject(t.more)
	if over == nil {
		return
	}
	menu := widget.NewPopUpMenu(fyne.NewMenu("", t.pane.moreItems()...), over)
	menu.ShowAtRelativePosition(fyne.NewPos(0, t.more.Size().Height+look.Space), t.more)
}

func (p *Pane) moreItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for _, way := range []struct {
		preview present.Preview
		label   i18n.Key
	}{{present.PreviewPlain, "Show as it is"}, {present.PreviewGrey, "Show in grey"}, {present.PreviewBlurred, "Show blurred"}} {
		item := fyne.NewMenuItem(i18n.T(way.label), func() { p.choosePreview(way.preview) })
		item.Checked = p.Preview() == way.preview
		items = append(items, item)
	}
	if p.p.Save == nil && p.p.CopyImage == nil {
		return items
	}
	items = append(items, fyne.NewMenuItemSeparator())
	if p.p.Save != nil {
		save := fyne.NewMenuItem(i18n.T("Save as PNG…"), p.Save)
		save.Disabled = !p.canSave()
		items = append(items, save)
	}
	if p.p.CopyImage != nil {
		copied := fyne.NewMenuItem(i18n.T("Copy as picture"), p.Copy)
		copied.Disabled = !p.canSave()
		items = append(items, copied)
	}
	return items
}
