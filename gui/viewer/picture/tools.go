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

// tools is the row above the picture: the mode, the heatmap's model and opacity, the zoom, boxes, and a menu with the rest.
type tools struct {
	pane   *Pane
	object *fyne.Container

	modes      *kit.Segmented
	fewModes   *kit.Select // replaces the row of modes if there is little room
	offered    []Mode      // the modes in fewModes
	models     *kit.Select
	opacity    *kit.Slider
	percent    *kit.Text
	zoom       *kit.Select
	boxes      *kit.Chip
	more       *kit.Button
	choice     *fyne.Container     // of the heatmap
	strength   *fyne.Container     // of its opacity
	without    *kit.Text           // shown if there is no heatmap
	words      []fyne.CanvasObject // hidden if there is little room
	withoutBox *fyne.Container
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
	t.without = kit.NewText(i18n.T(withoutLong), kit.TextStyle{Color: look.ColorMuted})
	t.zoom = kit.NewSelect(kit.Bare, nil, nil)
	t.boxes = kit.NewChip(look.MarkNone, "", func() { p.setBoxes(!p.stage.boxes.visible()) })
	t.more = kit.NewButton(kit.Bare, i18n.T("More…"), nil, t.openMore)
	button := func(label, tip string, in bool) *kit.Button {
		b := kit.NewButton(kit.Bare, label, nil, func() { p.stage.zoomStep(in) })
		b.SetToolTip(tip)
		return b
	}
	muted := kit.TextStyle{Color: look.ColorMuted}
	t.words = []fyne.CanvasObject{centred(kit.NewText(i18n.T("Heatmap"), muted)), centred(kit.NewText(i18n.T("Opacity"), muted))}
	t.choice = group(2*look.Space, t.words[0], t.models)
	t.strength = group(2*look.Space, t.words[1],
		container.NewGridWrap(fyne.NewSize(120, look.ControlHeight), t.opacity), centred(container.New(kit.FixedWidth(40), t.percent)))
	t.zoomGroup = group(0, button("−", i18n.T("Zoom out"), false), t.zoom, button("+", i18n.T("Zoom in"), true))
	t.boxesGroup = group(0, centred(t.boxes))
	t.withoutBox = centred(t.without)
	t.object = container.New(&toolsLayout{flow: kit.Flow{Gap: 3 * look.Space, Line: 1.5 * look.Space}, tools: t},
		t.modes, t.fewModes, t.choice, t.strength, t.withoutBox, t.zoomGroup, t.boxesGroup, t.more)
	return t
}

// Why there is no heatmap.
const (
	withoutLong  = "No heatmap: one can come with a single model that says FAKE"
	withoutShort = "No heatmap with this result"
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
	kit.SetVisible(t.withoutBox, p.shown.ID != "" && !heatmaps)
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
	kit.SetVisible(t.boxesGroup, len(marks.marks) > 0)
	t.boxes.Set(i18n.F("Boxes %s", i18n.Count(marks.all)), marks.visible())
	tip := i18n.T("Show the parts of the picture that models marked")
	if marks.visible() {
		tip = i18n.T("Hide the parts of the picture that models marked")
	}
	t.boxes.SetToolTip(tip)
	t.object.Refresh()
}

// toolsLayout is a flow in which a menu replaces the modes if their row is wider than the pane.
type toolsLayout struct {
	flow  kit.Flow
	tools *tools
}

// Layout implements fyne.Layout.
func (l *toolsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	wide := size.Width >= l.tools.modes.MinSize().Width
	if wide != l.tools.modes.Visible() {
		kit.SetVisible(l.tools.modes, wide)
		kit.SetVisible(l.tools.fewModes, !wide)
	}
	l.showWords(size.Width)
	l.tools.without.SetText(i18n.T(withoutLong))
	if size.Width < l.tools.modes.MinSize().Width+l.flow.Gap+l.tools.without.MinSize().Width {
		l.tools.without.SetText(i18n.T(withoutShort))
	}
	l.flow.Layout(objects, size)
}

// showWords shows the words before the choices if mode, heatmap and opacity then still fit on one line.
func (l *toolsLayout) showWords(width float32) {
	t := l.tools
	show := func(visible bool) {
		for _, word := range t.words {
			kit.SetVisible(word, visible)
		}
	}
	show(true)
	if t.modes.MinSize().Width+t.choice.MinSize().Width+t.strength.MinSize().Width+2*l.flow.Gap > width {
		show(false)
	}
}

// MinSize implements fyne.Layout.
func (l *toolsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := l.flow.MinSize(objects)
	size.Width = l.tools.fewModes.MinSize().Width
	for _, o := range objects {
		if o.Visible() && o != fyne.CanvasObject(l.tools.modes) && o != fyne.CanvasObject(l.tools.withoutBox) {
			size.Width = max(size.Width, o.MinSize().Width)
		}
	}
	return size
}

// openMore opens the menu of less frequent actions.
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
	}{{present.PreviewPlain, "Show as it is"}, {present.PreviewGrey, "Show in grey"}, {present.PreviewBlurred, "Cover"}} {
		item := fyne.NewMenuItem(i18n.T(way.label), func() { p.choosePreview(way.preview) })
		item.Checked = p.stage.preview == way.preview
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
