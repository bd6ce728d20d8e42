package picture

import (
	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// toolsRow lays the tools out in one row. Where it is too narrow, words go first, then the model's name is shortened, the modes become a menu, and what is
// used least goes into the menu with the rest.
type toolsRow struct {
	tools  *tools
	boxes  bool    // the boxes have a place in the row; else they are in the menu
	zoom   bool    // so has the zoom
	slider float32 // the width of the slider
	model  float32 // the least width of the choice of a model
	gap    float32
}

const (
	sliderWidth float32 = 112
	sliderLeast float32 = 56
	modelWhole  float32 = 220 // for the choice of a model: enough for most names
	modelLeast  float32 = 96  // its name is then shortened

	// With a large text in the smallest window.
	sliderTiny float32 = 32
	modelTiny  float32 = 80
)

// Layout implements fyne.Layout.
func (r *toolsRow) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	t := r.tools
	r.slider, r.model, r.gap = sliderWidth, modelWhole, 3*look.Space
	r.spell(true)
	r.showAll(true, true, true)
	for _, tighten := range []func(){
		func() { r.spell(false) },
		func() { r.slider, r.gap = sliderLeast, 2*look.Space },
		func() { r.model = modelLeast },
		func() { r.showAll(true, false, true) },
		func() { r.showAll(false, true, true) },
		func() { r.showAll(false, false, true) },
		func() { r.showAll(false, false, false) },
		func() { r.slider, r.model = sliderTiny, modelTiny },
	} {
		if r.least() <= size.Width {
			break
		}
		tighten()
	}
	right := size.Width
	for _, o := range []fyne.CanvasObject{t.more, t.full, t.boxesGroup, t.zoomGroup} {
		if o.Visible() {
			least := o.MinSize()
			kit.PlaceAt(o, right-least.Width, (size.Height-least.Height)/2, least.Width, least.Height)
			right -= least.Width + r.gap
		}
	}
	left := float32(0)
	for _, o := range r.leading() {
		width := o.MinSize().Width
		switch o {
		case fyne.CanvasObject(t.choice):
			rest := right - left
			if t.strength.Visible() {
				rest -= r.strengthWidth() + r.gap
			}
			width = min(width, max(r.model, rest))
		case fyne.CanvasObject(t.strength):
			width = r.strengthWidth()
		case fyne.CanvasObject(t.without):
			width = max(0, right-left)
			t.without.SetText(i18n.T(withoutLong))
			if t.without.FullWidth() > width {
				t.without.SetText(i18n.T(withoutShort))
			}
		}
		height := o.MinSize().Height
		kit.PlaceAt(o, left, (size.Height-height)/2, width, height)
		left += width + r.gap
	}
}

// leading are the tools at the left that are visible.
func (r *toolsRow) leading() (all []fyne.CanvasObject) {
	t := r.tools
	for _, o := range []fyne.CanvasObject{t.modes, t.fewModes, t.choice, t.strength, t.without} {
		if o.Visible() {
			all = append(all, o)
		}
	}
	return all
}

// strengthWidth is the width of the slider with its words.
func (r *toolsRow) strengthWidth() float32 {
	return r.tools.strength.MinSize().Width - r.tools.opacity.MinSize().Width + r.slider
}

// least is the width in which the tools have room as they are, the model's name shortened.
func (r *toolsRow) least() (width float32) {
	t := r.tools
	for _, o := range append(r.leading(), t.zoomGroup, t.boxesGroup, t.full, t.more) {
		if !o.Visible() {
			continue
		}
		switch wanted := o.MinSize().Width; o {
		case fyne.CanvasObject(t.choice):
			width += wanted - t.models.MinSize().Width + min(t.models.MinSize().Width, r.model)
		case fyne.CanvasObject(t.strength):
			width += r.strengthWidth()
		case fyne.CanvasObject(t.without):
			width += 80
		default:
			width += wanted
		}
		width += r.gap
	}
	return width - r.gap
}

// spell shows the words before the choices.
func (r *toolsRow) spell(visible bool) {
	t := r.tools
	for _, word := range t.words {
		kit.SetVisible(word, visible)
	}
	t.more.SetLabel("")
	if visible {
		t.more.SetLabel(i18n.T("More"))
	}
}

// showAll shows the modes as a row or as a menu, and whether boxes and zoom are in the row or in the menu with the rest.
func (r *toolsRow) showAll(modes, boxes, zoom bool) {
	t := r.tools
	r.boxes, r.zoom = boxes, zoom
	kit.SetVisible(t.modes, modes)
	kit.SetVisible(t.fewModes, !modes)
	kit.SetVisible(t.zoomGroup, zoom)
	kit.SetVisible(t.boxesGroup, boxes && len(t.pane.stage.boxes.marks) > 0)
	kit.SetVisible(t.full, t.pane.p.ToggleFull != nil)
}

// MinSize implements fyne.Layout.
func (r *toolsRow) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(r.tools.fewModes.MinSize().Width+look.ControlHeight, look.ControlHeight)
}

// leftOut are the tools that have no room in the row, for the menu with the rest.
func (t *tools) leftOut() (items []*fyne.MenuItem) {
	p := t.pane
	if !t.row.zoom {
		items = append(items, fyne.NewMenuItem(i18n.T("Zoom in"), func() { p.stage.zoomStep(true) }),
			fyne.NewMenuItem(i18n.T("Zoom out"), func() { p.stage.zoomStep(false) }), fyne.NewMenuItem(i18n.T("Fit"), func() { p.stage.zoom(0) }))
	}
	if !t.row.boxes && len(p.stage.boxes.marks) > 0 {
		shown := fyne.NewMenuItem(t.boxes.Label(), func() { p.setBoxes(!p.stage.boxes.visible()) })
		shown.Checked = p.stage.boxes.visible()
		items = append(items, shown)
	}
	if len(items) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	return items
}
