package picture

import (
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// Mode is how photo and heatmap are shown together.
type Mode int

// The modes in the order of the menu.
const (
	Original   Mode = iota // the photo alone
	Overlay                // the heatmap over the photo
	Swipe                  // the photo at the left of a divider, the heatmap over it at the right
	Blink                  // the photo, and the heatmap over it, in turns
	SideBySide             // the photo at the left, the heatmap at the right
)

var modeKeys = []i18n.Key{"Original", "Overlay", "Swipe", "Blink", "Side by side"}

// String is the mode's name on screen.
func (m Mode) String() string {
	if m < 0 || int(m) >= len(modeKeys) {
		return ""
	}
	return i18n.T(modeKeys[m])
}

// modeNames are the names of all modes.
func modeNames() []string {
	names := make([]string, len(modeKeys))
	for i := range modeKeys {
		names[i] = Mode(i).String()
	}
	return names
}

// lays reports whether the heatmap is laid over the photo, for which both must have the same shape.
func (m Mode) lays() bool { return m == Overlay || m == Swipe || m == Blink }

// setMode changes the mode. It ignores a mode without a heatmap to show, or that would show it in the wrong places.
func (p *Pane) setMode(m Mode) {
	p.tools.modes.Select(int(m))
}

// applyMode is called by the tools.
func (p *Pane) applyMode(m Mode) {
	p.stage.setMode(m)
	p.tools.showMode(m)
	p.loadHeatmap()
	p.applyCaption()
	p.applyBlink()
}

// model is the model of the chosen heatmap, the zero value for none.
func (p *Pane) model() plain.Text {
	if at := p.tools.models.Selected(); at < len(p.shown.Heatmaps) {
		return p.shown.Heatmaps[at]
	}
	return plain.Text{}
}

// opacity is the heatmap's opacity in percent.
func (p *Pane) opacity() int { return int(math.Round(p.stage.opacity * 100)) }

// setOpacity changes it, from 0 (the photo as it is) to 100 (the heatmap as sent).
func (p *Pane) setOpacity(percent int) { p.tools.opacity.SetValue(float64(percent)) }

// changeOpacity makes the heatmap stronger or weaker by steps of a tenth.
func (p *Pane) changeOpacity(steps int) { p.setOpacity(p.opacity() + steps*opacityStep) }

// toggleOverlay switches between the photo alone and the heatmap over it.
func (p *Pane) toggleOverlay() {
	if p.stage.mode == Overlay {
		p.setMode(Original)
		return
	}
	p.setMode(Overlay)
}

// zoom is the number of screen pixels per pixel of the photo, 0 if nothing is shown; fits reports whether it follows the window.
func (p *Pane) zoom() (zoom float64, fits bool) {
	if p.stage.photo == nil || p.stage.size.Width < 1 {
		return 0, true
	}
	v, _ := p.stage.views()
	return p.stage.camera.actual(p.stage.photo.Source, v.frame()), p.stage.camera.zoom == 0
}

// percentText is a zoom in the words of the screen.
func percentText(zoom float64) string {
	if zoom < 0.1 {
		return strconv.FormatFloat(math.Round(zoom*1000)/10, 'f', -1, 64) + " %"
	}
	return strconv.Itoa(int(math.Round(zoom*100))) + " %"
}

// setBoxes shows or hides the boxes, if there are any.
func (p *Pane) setBoxes(shown bool) {
	p.stage.boxes.show(shown && len(p.stage.boxes.marks) > 0)
	p.tools.showBoxes()
}

// SetPreview sets how the picture is shown until the person asks to see it as it is. It does not call OnPreview.
func (p *Pane) SetPreview(preview present.Preview) {
	p.stage.setPreview(preview)
	switch preview {
	case present.PreviewGrey:
		p.previewed.SetText(i18n.T("Shown in grey."))
		p.previewed.Action().SetLabel(i18n.T("Show in colour"))
	case present.PreviewBlurred:
		p.previewed.SetText(i18n.T("Covered, in case it is disturbing.") + " " + i18n.T("Hold the picture to look."))
		p.previewed.Action().SetLabel(i18n.T("Show"))
	}
	kit.SetVisible(p.previewed, preview != present.PreviewPlain)
	p.root.Refresh()
}

// showPlain shows the picture as it is, or grey first where the person is most careful.
func (p *Pane) showPlain() { p.choosePreview(present.PreviewPlain) }

// choosePreview applies the person's choice.
func (p *Pane) choosePreview(preview present.Preview) {
	if p.p.OnPreview == nil {
		p.SetPreview(preview)
		return
	}
	p.p.OnPreview(preview) // which sets the preview: who is most careful sees it in grey first
}

// How far from the edges of the window words and notices stay that lie over the picture, below the verdict and above the tools.
const (
	fullHeadroom float32 = 20 * look.Space
	fullRise     float32 = 18 * look.Space
)

// SetFull implements viewer.Filler: only the picture is left, and the tools, with what the heatmap means, are what stands at the foot.
func (p *Pane) SetFull(full bool, over func(inside bool)) fyne.CanvasObject {
	p.stage.onPointer, p.stage.headroom, p.notices.rise = over, fullHeadroom, fullRise
	if !full {
		p.stage.onPointer, p.stage.headroom, p.notices.rise = func(bool) {}, 0, 0
		p.root.Objects[captionAt] = p.caption
		p.root.Refresh()
		return nil
	}
	spacer := layout.NewSpacer()
	spacer.Hide()
	p.root.Objects[captionAt] = spacer
	p.root.Refresh()
	return container.New(kit.Column{Gap: look.Space, Grow: -1}, p.caption, p.tools.object)
}
