package viewer

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/client/verdict"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// head shows, in one line, the name of the result, the person's own tags and note, its facts as room allows, the cases that it is in, and the button of the
// panel.
type head struct {
	viewer  *Viewer
	root    *fyne.Container
	name    *kit.Text
	facts   *kit.Text
	note    *viewerNote
	graphic *kit.Button     // marks it as graphic, or takes that away
	copied  *kit.Chip       // says that a copy was analysed, and opens what is known of it
	theirs  *kit.Chip       // says whose answer it is, and opens what is known of that
	near    *kit.Chip       // what is nearly the same, where there is no row for it
	cases   *fyne.Container // a chip for the first, which opens it, and one for the others
	shown   []present.Case
}

func newHead(v *Viewer) *head {
	h := &head{
		viewer: v,
		name:   kit.NewText("", kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightMedium, Ellipsis: look.EllipsisMiddle}),
		facts:  kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}),
		note:   newViewerNote(v.saveNote),
		cases:  container.New(layout.NewCustomPaddedHBoxLayout(1.5 * look.Space)),
	}
	h.copied = kit.NewChip(look.MarkNone, i18n.T("A copy was analysed"), func() { v.pages.open(detailsPage) })
	h.copied.Hide()
	h.theirs = kit.NewChip(look.MarkNone, "", func() { v.pages.open(detailsPage) })
	h.theirs.SetToolTip(i18n.T("A colleague at the desk shared this answer. Nothing was sent from this computer."))
	h.theirs.Hide()
	h.near = kit.NewChip(look.MarkNone, "", h.openNear)
	h.near.Hide()
	h.graphic = kit.NewButton(kit.Bare, "", look.IconCovered, func() { v.SetGraphic(v.shown.ID, !v.shown.Graphic) })
	h.graphic.Hide()
	panel := kit.NewButton(kit.Bare, "", look.IconPanel, v.pages.fold)
	panel.SetToolTip(i18n.T("Show or hide the panel with models, details, data and history (P)"))
	chips := container.New(layout.NewCustomPaddedHBoxLayout(1.5*look.Space), h.near, h.theirs, h.copied, h.cases)
	actions := container.New(layout.NewCustomPaddedHBoxLayout(0), container.NewCenter(chips), h.graphic)
	if v.AddToCase != nil {
		add := kit.NewButton(kit.Bare, "", look.IconCases, func() { v.AddToCase(v.shown.ID) })
		add.SetToolTip(i18n.T("Add it to a case (C)"))
		actions.Add(add)
	}
	if v.EditTags != nil {
		tags := kit.NewButton(kit.Bare, "", look.IconTag, func() { v.EditTags(v.shown.ID) })
		tags.SetToolTip(i18n.T("Tags…"))
		actions.Add(tags)
	}
	actions.Add(h.note.button)
	actions.Add(panel)
	h.root = container.New(headLayout{h.cases}, h.name, h.note.text, h.facts, actions, h.note.field)
	return h
}

// headLayout lays out name, note and facts from the left, in this order as room allows, and the actions at the right. The field of the note is over
// the first three. The chips of cases are left out where there is no room for them.
type headLayout struct{ cases *fyne.Container }

// headLeast is the width that a name has at least.
const headLeast float32 = 100

// others is the width of the actions without the chips of cases.
func (l headLayout) others(actions fyne.CanvasObject) float32 {
	width := actions.MinSize().Width
	if l.cases.Visible() {
		width -= l.cases.MinSize().Width
	}
	return width
}

// Layout implements fyne.Layout.
func (l headLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	actions, field := objects[3], objects[4]
	kit.SetVisible(l.cases, l.others(actions)+l.cases.MinSize().Width+headLeast <= size.Width)
	side := actions.MinSize().Width
	kit.PlaceAt(actions, size.Width-side, 0, side, size.Height)
	rest := max(0, size.Width-side-3*look.Space)
	kit.PlaceAt(field, 0, 0, rest, size.Height)
	x := float32(0)
	for i, o := range objects[:3] {
		text := o.(*kit.Text)
		width := min(text.FullWidth()+1, rest-x)
		if i > 0 && width < min(text.FullWidth(), 80) || !o.Visible() && i < 2 {
			width = 0
		}
		if i == 2 { // without room, not even the mark of what is left out
			kit.SetVisible(o, width > 0)
		}
		kit.PlaceAt(o, x, (size.Height-o.MinSize().Height)/2, max(0, width), o.MinSize().Height)
		if width > 0 {
			x += width + 3*look.Space
		}
	}
}

// MinSize implements fyne.Layout.
func (l headLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.others(objects[3])+headLeast, look.ControlHeight)
}

// set shows the head of another result, or what changed in the same one.
func (h *head) set(v present.Viewer, another bool) {
	h.name.SetText(v.Name)
	h.facts.SetText(v.Facts)
	h.copied.SetToolTip(v.Copy)
	kit.SetVisible(h.copied, v.Copy != "")
	if kit.SetVisible(h.theirs, v.By != ""); v.By != "" {
		h.theirs.Set(i18n.F("%s's answer", v.By), false)
	}
	h.setGraphic(v)
	h.note.tags = v.Tags
	if another || !h.note.field.Visible() {
		h.note.set(v.Note)
	}
	if slices.Equal(h.shown, v.Cases) {
		return
	}
	h.shown = v.Cases
	h.cases.RemoveAll()
	if len(v.Cases) == 0 {
		return
	}
	first := v.Cases[0]
	chip := kit.NewChip(look.MarkNone, shortened(first.Title), func() { h.viewer.OpenCase(first.ID) })
	chip.SetToolTip(i18n.F("Open the case “%s”", first.Title))
	h.cases.Add(chip)
	if more := len(v.Cases) - 1; more > 0 {
		chip := kit.NewChip(look.MarkNone, "+"+i18n.Count(more), h.listCases)
		chip.SetToolTip(i18n.T("Other cases with this result"))
		h.cases.Add(chip)
	}
}

// setNear says by a chip that something is nearly the same, if there is no row that does.
func (h *head) setNear(all []present.Near, alone bool) {
	kit.SetVisible(h.near, len(all) > 0 && alone)
	if len(all) == 0 {
		return
	}
	label, tip := i18n.T("Nearly the same"), all[0].Sentence+"\n"+all[0].Words
	if more := len(all) - 1; more > 0 {
		label += " · " + i18n.Count(len(all))
		tip += "\n" + verdict.AndMore(more)
	}
	h.near.Set(label, false)
	h.near.SetToolTip(tip + "\n" + i18n.T(present.NearNote))
}

// openNear shows what is nearly the same: the one beside what is shown, or all in a list.
func (h *head) openNear() {
	all := h.viewer.shown.Near
	if len(all) > 1 {
		h.viewer.ListNear(h.viewer.shown.ID, all)
		return
	}
	h.viewer.CompareNear(h.viewer.shown.ID, all[0])
}

// listCases offers to open the cases that have no chip of their own.
func (h *head) listCases() {
	over := fyne.CurrentApp().Driver().CanvasForObject(h.cases)
	if over == nil {
		return
	}
	var items []*fyne.MenuItem
	for _, c := range h.shown[1:] {
		items = append(items, fyne.NewMenuItem(c.Title, func() { h.viewer.OpenCase(c.ID) }))
	}
	widget.NewPopUpMenu(fyne.NewMenu("", items...), over).ShowAtRelativePosition(fyne.NewPos(0, h.cases.Size().Height+look.Space), h.cases)
}

// setGraphic shows whether what has a picture is marked as graphic.
func (h *head) setGraphic(v present.Viewer) {
	tip := i18n.T("Mark as graphic: the picture stays covered until somebody clicks to see it")
	if v.Graphic {
		tip = i18n.T("It was marked as graphic, and its picture is covered until somebody asks to see it. Click to take the mark away.")
	}
	h.graphic.SetMuted(!v.Graphic)
	h.graphic.SetToolTip(tip)
	kit.SetVisible(h.graphic, h.viewer.SetGraphic != nil && (v.Medium == present.Picture || v.Medium == present.Clip))
}

// shortened leaves out the end of a case's title that is too long for a chip, which shows it in full in its tooltip.
func shortened(words string) string {
	const longest = 24
	if runes := []rune(words); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return words
}
