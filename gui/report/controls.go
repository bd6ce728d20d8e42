package report

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// controls are how the report is written.
type controls struct {
	root     *fyne.Container
	sheet    *Sheet
	formats  []Format
	format   *kit.Select
	means    *kit.Paragraph
	pictures *kit.Select
	paged    *fyne.Container // what only pages have
	mark     *kit.Check
	notes    *fyne.Container
}

func newControls(s *Sheet) *controls {
	c := &controls{sheet: s, formats: s.subject.formats()}
	words := make([]string, len(c.formats))
	for i, f := range c.formats {
		words[i] = f.Words + " (" + f.Ending + ")"
	}
	c.format = kit.NewSelect(kit.Plain, words, func(i int) { c.set(func(now *Choice) { now.Format = c.formats[i].Ending }) })
	c.format.MaxWidth = choicesWidth - 12*look.Space
	c.means = kit.NewHint("")
	c.pictures = kit.NewSelect(kit.Plain, s.subject.pictureOptions(), func(i int) { c.set(func(now *Choice) { now.Media = pictureChoices[i] }) })
	c.pictures.MaxWidth = choicesWidth - 12*look.Space
	c.mark = kit.NewCheck(i18n.T("With a byte order mark"), func(on bool) { c.set(func(now *Choice) { now.ByteOrderMark = on }) })
	c.paged = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1}, labelled(i18n.T("Pictures"), c.pictures, nil))
	c.notes = container.New(kit.Column{Gap: 3 * look.Space, Grow: -1})
	for _, text := range []string{s.subject.careful(), s.subject.remark()} {
		if text != "" {
			c.notes.Add(kit.NewNotice(look.IconInfo, text, "", nil))
		}
	}
	kit.SetVisible(c.notes, len(c.notes.Objects) > 0)
	const besidePreview = (look.ControlHeight - 4.5*look.Space) / 2 // the first name stands beside that of the preview
	c.root = kit.NewScroll(container.New(layout.NewCustomPaddedLayout(besidePreview, 0, 0, 2*look.Space), container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		labelled(i18n.T("Format"), c.format, c.means), c.paged, kit.Outdented(c.mark), c.notes)))
	c.show()
	return c
}

// labelled is a control below its name, with a hint or without.
func labelled(name string, control fyne.CanvasObject, hint fyne.CanvasObject) fyne.CanvasObject {
	column := container.New(kit.Column{Gap: 1.5 * look.Space, Grow: -1}, kit.NewText(name, kit.TextStyle{Weight: look.WeightMedium}), control)
	if hint != nil {
		column.Add(hint)
	}
	return column
}

// set changes the choice.
func (c *controls) set(change func(*Choice)) {
	before := c.sheet.choice
	if change(&c.sheet.choice); c.sheet.choice != before {
		c.sheet.changed()
	}
}

// show shows the present choice.
func (c *controls) show() {
	now := c.sheet.choice
	f := c.sheet.subject.format(now)
	c.format.Select(slices.Index(c.formats, f))
	c.means.SetText(f.Means)
	c.pictures.Select(max(0, slices.Index(pictureChoices, now.Media)))
	c.mark.SetChecked(now.ByteOrderMark)
	kit.SetVisible(c.paged, f.Paged)
	kit.SetVisible(c.mark, f.Ending == ".csv")
	busy := c.sheet.phase == writing || c.sheet.phase == reading
	for _, control := range []fyne.Disableable{c.format, c.pictures, c.mark} {
		kit.SetEnabled(control, !busy)
	}
	c.root.Refresh()
}
