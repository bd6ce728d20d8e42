package picture

import (
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// tools is the row above the picture: the mode, the heatmap's model and opacity at the left; the zoom, boxes, the view over the whole window, and a
// menu with the rest at the right.
type tools struct {
	pane   *Pane
	object *fyne.Container
	row    *toolsRow

	modes      *kit.Segmented
	fewModes   *kit.Select // replaces the row of modes if there is little room
	offered    []Mode      // the modes in fewModes
	models     *kit.Select
	opacity    *kit.Slider
	percent    *kit.Text
	zoom       *kit.Select
	boxes      *kit.Chip
	full       *kit.Button
	more       *kit.Button
	choice     *fyne.Container     // of the heatmap
	strength   *fyne.Container     // of its opacity
	without    *kit.Text           // shown if there is no heatmap
	words      []fyne.CanvasObject // hidden if there is little room
	zoomGroup  *fyne.Container
	boxesGroup *fyne.Container
	zooms      []float64 // the entries of zoom
}

func newTools(p *Pane) *tools {
	t := &tools{pane: p}
	t.modes = kit.NewSegmented(modeNames(), func(i int) { p.applyMode(Mode(i)) })
	t.fewModes = kit.NewSelect(kit.Plain, nil, func(i int) { t.modes.Select(int(t.offered[i])) })
	t.fewModes.Hide()
	t.models = kit.NewSelect(kit.Plain, nil, func(int) { p.loadHeatmap() })
	t.percent = kit.NewText("", kit.TextStyle{Tabular: true})
	t.opacity = kit.NewSlider(opacityStart, func(value float64) {
		t.percent.SetText(percentOf(value))
		p.stage.setOpacity(value / 100)
	})
	t.opacity.Name = i18n.T("Opacity of the heatmap")
	t.percent.SetText(percentOf(opacityStart))
	t.without = kit.NewText("", kit.TextStyle{Color: look.ColorMuted, Ellipsis: look.EllipsisEnd})
	t.zoom = kit.NewSelect(kit.Bare, nil, nil)
	t.boxes = kit.NewChip(look.MarkNone, "", func() { p.setBoxes(!p.stage.boxes.visible()) })
	t.full = kit.NewButton(kit.Plain, "", look.IconFull, p.p.ToggleFull)
	t.full.SetToolTip(i18n.T("Fill the window with the picture, or go back (F)"))
	t.more = kit.NewButton(kit.Plain, "", look.IconMore, t.openMore)
	t.more.SetToolTip(i18n.T("Cover, save, copy"))
	button := func(label, tip string, in bool) *kit.Button {
		b := kit.NewButton(kit.Bare, label, nil, func() { p.stage.zoomStep(in) })
		b.SetToolTip(tip)
		return b
	}
	muted := kit.TextStyle{Color: look.ColorMuted}
	t.words = []fyne.CanvasObject{centred(kit.NewText(i18n.T("Heatmap"), muted)), centred(kit.NewText(i18n.T("Opacity"), muted))}
	t.choice = container.NewBorder(nil, nil, padded(t.words[0]), nil, t.models)
	t.strength = container.NewBorder(nil, nil, padded(t.words[1]), centred(container.New(kit.FixedWidth(40), t.percent)),
		container.New(layout.NewCustomPaddedLayout(0, 0, 0, 2*look.Space), t.opacity))
	t.zoomGroup = group(0, button("−", i18n.T("Zoom out"), false), t.zoom, button("+", i18n.T("Zoom in"), true))
	t.boxesGroup = group(0, centred(t.boxes))
	t.row = &toolsRow{tools: t}
	t.object = container.New(t.row, t.modes, t.fewModes, t.choice, t.strength, t.without, t.zoomGroup, t.boxesGroup, t.full, t.more)
	return t
}

// padded keeps a word from what it names.
func padded(o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(layout.NewCustomPaddedLayout(0, 0, 0, 2*look.Space), o)
}

// Why there is no heatmap.
const (
	withoutLong  = "No heatmap. The service sends one only for a model that says FAKE."
	withoutShort = "No heatmap"
)

func percentOf(value float64) string { return i18n.Percent(math.Trunc(value), 0) }

func centred(o fyne.CanvasObject) *fyne.Container {
	return container.New(kit.AtLeast(look.ControlHeight), container.NewVBox(layout.NewSpacer(), o, layout.NewSpacer()))
}

func group(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(layout.NewCustomPaddedHBoxLayout(gap), objects...)
}

// fill sets the choices for another picture, with no heatmap shown.
func (t *tools) fill() {
	p := t.pane
	heatmaps := len(p.shown.Heatmaps) > 0
	names := make([]string, len(p.shown.Heatmaps))
	for i, model := range p.shown.Heatmaps {
		names[i] = model.String()
	}
	t.models.SetOptions(names)
	kit.SetVisible(t.choice, heatmaps)
	kit.SetVisible(t.strength, heatmaps)
	kit.SetVisible(t.without, p.shown.ID != "" && !heatmaps)
	t.allowModes()
	t.showMode(p.stage.mode)
	t.showZoom()
	t.showBoxes()
	kit.SetVisible(t.object, p.shown.ID != "" || p.stage.photo != nil)
	t.object.Refresh()
}

// allowModes enables the modes that have something to show: those that lay the heatmap over the photo only if both have the same shape.
func (t *tools) allowModes() {
	heatmaps := len(t.pane.shown.Heatmaps) > 0
	t.offered = t.offered[:0]
	var names []string
	for m := Original; m <= SideBySide; m++ {
		allowed := m == Original || heatmaps && (!m.lays() || !t.pane.stage.differs() && !t.pane.stage.earlierDiffers())
		t.modes.SetDisabled(int(m), !allowed)
		if allowed {
			t.offered, names = append(t.offered, m), append(names, m.String())
		}
	}
	choose(t.fewModes, names, slices.Index(t.offered, t.pane.stage.mode))
}

// showMode shows the current mode.
func (t *tools) showMode(m Mode) {
	if m == Original || t.pane.stage.alone() && (t.pane.against == nil || t.pane.stage.earlierAlone()) {
		t.opacity.Disable() // it would have no effect
	} else {
		t.opacity.Enable()
	}
	t.modes.Select(int(m))
	choose(t.fewModes, t.fewModes.Options(), slices.Index(t.offered, m))
}

// choose sets the options of a select and the chosen one, without calling OnChanged.
func choose(s *kit.Select, options []string, i int) {
	onChanged := s.OnChanged
	s.OnChanged = nil
	s.SetOptions(options)
	s.Select(i)
	s.OnChanged = onChanged
}

// chooseModel chooses a model by name, which calls OnChanged.
func (t *tools) chooseModel(name plain.Text) {
	t.models.Select(slices.Index(t.pane.shown.Heatmaps, name))
}

// showZoom shows the current zoom.
func (t *tools) showZoom() {
	t.zooms = []float64{0, 1, 2, 4, 8, 16}
	options := make([]string, len(t.zooms))
	options[0] = i18n.T("Fit")
	for i, zoom := range t.zooms[1:] {
		options[i+1] = percentText(zoom)
	}
	now, fits := t.pane.zoom()
	at := slices.Index(t.zooms, now)
	if fits {
		at = 0
	}
	if at < 0 {
		at = len(options)
		t.zooms, options = append(t.zooms, now), append(options, percentText(now))
	}
	wide := t.zoom.MinSize().Width
	t.zoom.OnChanged = nil
	t.zoom.SetOptions(options)
	t.zoom.Select(at)
	t.zoom.OnChanged = func(i int) { t.pane.stage.zoom(t.zooms[i]) }
	if t.zoom.MinSize().Width != wide {
		t.object.Refresh()
	}
}

// showBoxes shows whether boxes are drawn.
func (t *tools) showBoxes() {
	marks := t.pane.stage.boxes
	kit.SetVisible(t.boxesGroup, len(marks.marks) > 0 && t.row.boxes)
	t.boxes.Set(i18n.F("Boxes %s", i18n.Count(marks.all)), marks.visible())
	tip := i18n.T("Show the parts of the picture that models marked")
	if marks.visible() {
		tip = i18n.T("Hide the parts of the picture that models marked")
	}
	t.boxes.SetToolTip(tip)
	t.object.Refresh()
}

// openMore opens the menu of less frequent actions.
func (t *tools) openMore() {
	over := fyne.CurrentApp().Driver().CanvasForObject(t.more)
	if over == nil {
		return
	}
	menu := widget.NewPopUpMenu(fyne.NewMenu("", t.pane.moreItems()...), over)
	menu.ShowAtRelativePosition(fyne.NewPos(t.more.Size().Width-menu.MinSize().Width, t.more.Size().Height+look.Space), t.more)
}

func (p *Pane) moreItems() []*fyne.MenuItem {
	items := p.tools.leftOut()
	for _, way := range []struct {
		preview present.Preview
		label   i18n.Key
	}{{present.PreviewPlain, "Show as it is"}, {present.PreviewGrey, "Show in grey"}, {present.PreviewBlurred, "Cover"}} {
		item := fyne.NewMenuItem(i18n.T(way.label), func() { p.choosePreview(way.preview) })
		item.Checked = p.stage.preview == way.preview
		items = append(items, item)
	}
	if p.p.CoverAll != nil {
		items = append(items, fyne.NewMenuItem(i18n.T("Cover everything")+" ("+kit.Shortcut(i18n.T("Shift")+"+H")+")", p.p.CoverAll))
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
