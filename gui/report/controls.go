package report

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/client/report"
	"assay/gui/kit"
	"assay/gui/look"
)

// controls are how the report is written.
type controls struct {
	root    *fyne.Container
	sheet   *Sheet
	formats []Format
	format  *kit.Select
	means   *kit.Paragraph
	all     []control
	keyless bool // a bundle could not be sealed
}

// control is one choice.
type control struct {
	object fyne.CanvasObject
	use    fyne.Disableable // nil for words alone
	show   func(now Choice)
	offers func(f Format) bool // whether a format has it; nil: each has
}

func newControls(s *Sheet) *controls {
	c := &controls{sheet: s, formats: s.subject.formats()}
	said := make([]string, len(c.formats))
	for i, f := range c.formats {
		said[i] = f.Words + " (" + f.Ending + ")"
	}
	c.format = newMenu(said, func(i int) { c.set(func(now *Choice) { now.Format = c.formats[i].Ending }) })
	c.means = kit.NewHint("")
	paged := func(f Format) bool { return f.Paged }
	bundled := func(f Format) bool { return f.Bundle }
	stamps := s.Authorities()
	c.all = []control{
		menuOf(c, i18n.T("Pictures"), s.subject.pictures(), func(now *Choice) *report.Media { return &now.Media }, func(f Format) bool { return f.Paged && !f.Bundle }),
		menuOf(c, i18n.T("Included files"), files(), func(now *Choice) *report.Media { return &now.Files }, bundled),
		menuOf(c, i18n.T("File names"), s.subject.names(), func(now *Choice) *report.Names { return &now.Names }, nil),
		menuOf(c, i18n.T("Language"), languages(), func(now *Choice) *string { return &now.Language }, nil),
		c.checkOf(i18n.T("Notes and tags"), true, func(now *Choice) *bool { return &now.NoNotes }, nil),
		c.checkOf(i18n.T("Heatmaps"), true, func(now *Choice) *bool { return &now.NoHeatmaps }, paged),
		c.checkOf(i18n.T("Timelines"), true, func(now *Choice) *bool { return &now.NoTimelines }, paged),
		c.checkOf(i18n.T("What the file says about itself"), true, func(now *Choice) *bool { return &now.NoFile }, paged),
		c.checkOf(i18n.T("Add a byte order mark"), false, func(now *Choice) *bool { return &now.ByteOrderMark }, func(f Format) bool { return f.Ending == ".csv" }),
		c.checkOf(i18n.T("Add a time stamp"), false, func(now *Choice) *bool { return &now.Stamp }, func(f Format) bool { return f.Bundle && len(stamps) > 0 }),
		{object: kit.NewHint(i18n.F("For the time stamp, only a hash goes to %s.", strings.Join(stamps, ", "))), offers: func(f Format) bool { return f.Bundle && s.choice.Stamp && len(stamps) > 0 }},
		c.checkOf(i18n.T("Leave out the seal"), false, func(now *Choice) *bool { return &now.Unsealed }, func(f Format) bool { return f.Bundle && c.keyless }),
	}
	column := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1})
	for _, text := range []string{s.subject.careful(), s.subject.remark()} {
		if text != "" {
			column.Add(kit.NewNotice(look.IconInfo, text, "", nil))
		}
	}
	column.Add(labelled(i18n.T("Format"), c.format, c.means))
	for _, one := range c.all {
		column.Add(one.object)
	}
	const besidePreview = (look.ControlHeight - 4.5*look.Space) / 2 // the first name stands beside that of the preview
	c.root = kit.NewScroll(container.New(noWidth{of: layout.NewCustomPaddedLayout(besidePreview, 0, 0, 2*look.Space)}, column))
	c.show()
	return c
}

// noWidth is a layout that asks for no width: its objects have the width that there is.
type noWidth struct{ of fyne.Layout }

// Layout implements fyne.Layout.
func (l noWidth) Layout(objects []fyne.CanvasObject, size fyne.Size) { l.of.Layout(objects, size) }

// MinSize implements fyne.Layout.
func (l noWidth) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, l.of.MinSize(objects).Height)
}

// offerUnsealed offers, or not, to write a bundle without a seal.
func (c *controls) offerUnsealed(keyless bool) {
	c.keyless = c.keyless || keyless
	c.show()
}

func newMenu(words []string, set func(i int)) *kit.Select {
	menu := kit.NewSelect(kit.Plain, words, set)
	menu.MaxWidth = choicesWidth - 12*look.Space
	return menu
}

// menuOf is a menu of the values of one field.
func menuOf[T comparable](c *controls, name string, all []item[T], field func(*Choice) *T, offers func(Format) bool) control {
	menu := newMenu(words(all), func(i int) { c.set(func(now *Choice) { *field(now) = all[i].is }) })
	return control{labelled(name, menu, nil), menu, func(now Choice) { menu.Select(index(all, *field(&now))) }, offers}
}

// checkOf is a box for one field, which is ticked while the field is false, if inverted.
func (c *controls) checkOf(name string, inverted bool, field func(*Choice) *bool, offers func(Format) bool) control {
	check := kit.NewWrappingCheck(name, func(on bool) { c.set(func(now *Choice) { *field(now) = on != inverted }) })
	return control{kit.Outdented(check), check, func(now Choice) { check.SetChecked(*field(&now) != inverted) }, offers}
}

// labelled is a control below its name, with a hint or without.
func labelled(name string, control, hint fyne.CanvasObject) fyne.CanvasObject {
	column := container.New(kit.Column{Gap: look.Space, Grow: -1}, kit.NewText(name, kit.TextStyle{Weight: look.WeightMedium}), control)
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
	free := c.sheet.phase == choosing || c.sheet.phase == written
	c.format.Select(slices.Index(c.formats, f))
	c.means.SetText(f.Means)
	kit.SetEnabled(c.format, free)
	for _, one := range c.all {
		kit.SetVisible(one.object, one.offers == nil || one.offers(f))
		if one.use != nil {
			one.show(now)
			kit.SetEnabled(one.use, free)
		}
	}
	c.root.Refresh()
}
