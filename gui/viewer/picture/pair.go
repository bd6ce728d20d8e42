package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// Pair shows two pictures side by side, with zoom and pan in step. Its methods must be called on the UI thread.
type Pair struct {
	panes [2]*Pane
	root  *fyne.Container
	tools *fyne.Container
	moves bool // one stage follows the other
}

// NewPair makes an empty one. Of params, Save and CopyImage are not used.
func NewPair(params Params) *Pair {
	params.Save, params.CopyImage, params.WithoutBoxes = nil, nil, true
	p := &Pair{}
	halves := container.New(besideOther{})
	onPreview := params.OnPreview
	for i := range p.panes {
		params.OnPreview = func(chosen present.Preview) {
			if onPreview == nil {
				p.SetPreview(chosen) // what one shows, the other does too
				return
			}
			onPreview(chosen) // which sets the preview of both
		}
		pane := New(params)
		pane.Tools()
		pane.caption.Hide() // no heatmap is shown here
		pane.stage.onRune = p.TypedRune
		p.panes[i] = pane
		halves.Add(pane.Object())
	}
	p.panes[0].stage.onMoved = func() { p.follow(p.panes[1].stage, p.panes[0].stage) }
	p.panes[1].stage.onMoved = func() { p.follow(p.panes[0].stage, p.panes[1].stage) }
	button := func(label, tip string, r rune) *kit.Button {
		b := kit.NewButton(kit.Plain, label, nil, func() { p.TypedRune(r) })
		b.SetToolTip(tip)
		return b
	}
	p.tools = container.New(layout.NewCustomPaddedHBoxLayout(2*look.Space), centred(kit.NewText(i18n.T("Zoom and position are the same in both."), kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted})),
		layout.NewSpacer(), button("−", i18n.T("Zoom out"), '-'), button(i18n.T("Fit"), "", '0'), button("+", i18n.T("Zoom in"), '+'))
	p.root = container.New(kit.Column{Gap: 2 * look.Space, Grow: 0}, halves, p.tools)
	return p
}

// besideOther lays out two objects with the same width.
type besideOther struct{}

// Layout implements fyne.Layout.
func (besideOther) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	each := (size.Width - 3*look.Space) / 2
	for i, o := range objects {
		kit.PlaceAt(o, float32(i)*(size.Width-each), 0, each, size.Height)
	}
}

// MinSize implements fyne.Layout.
func (besideOther) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.NewSize(0, 0)
	for _, o := range objects {
		size = size.Max(o.MinSize())
	}
	return fyne.NewSize(2*size.Width+3*look.Space, size.Height)
}

// follow shows in one stage the part that the other one shows: the same zoom relative to the fit, around the same place.
func (p *Pair) follow(to, from *stage) {
	if p.moves || to.photo == nil || from.photo == nil {
		return
	}
	p.moves = true
	defer func() { p.moves = false }()
	next := camera{centre: from.camera.centre}
	if from.camera.zoom != 0 {
		a, _ := from.views()
		b, _ := to.views()
		next.zoom = from.camera.zoom / fitZoom(from.photo.Source, a.frame()) * fitZoom(to.photo.Source, b.frame())
	}
	to.setCamera(next)
}

// Object is what to lay out.
func (p *Pair) Object() fyne.CanvasObject { return p.root }

// ShowBoth shows two pictures. Their names stand above them, where their verdicts are.
func (p *Pair) ShowBoth(first, second present.Viewer, _ [2]string) {
	for i, v := range []present.Viewer{first, second} {
		v.Heatmaps = nil // each file keeps its own, in its own viewer
		p.panes[i].Clear()
		p.panes[i].Show(v)
	}
}

// Clear empties both.
func (p *Pair) Clear() {
	for _, pane := range p.panes {
		pane.Clear()
	}
}

// Stop stops what runs, when the pair goes out of sight.
func (p *Pair) Stop() {
	for _, pane := range p.panes {
		pane.Stop()
	}
}

// SetPreview sets how disturbing material is shown.
func (p *Pair) SetPreview(preview present.Preview) {
	for _, pane := range p.panes {
		pane.SetPreview(preview)
	}
}

// TypedRune handles a character, and reports whether it used it.
func (p *Pair) TypedRune(r rune) bool {
	switch r {
	case '+', '=', '-', '−', '_', '0', 'g':
		return p.leader().TypedRune(r)
	}
	return false
}

// TypedKey handles another key, and reports whether it used it.
func (p *Pair) TypedKey(e *fyne.KeyEvent) bool { return p.leader().TypedKey(e) }

// leader is the pane that a key moves: the other one follows it.
func (p *Pair) leader() *Pane {
	if p.panes[1].stage.focused || p.panes[0].stage.photo == nil {
		return p.panes[1]
	}
	return p.panes[0]
}

// Shortcuts are the keys.
func (p *Pair) Shortcuts() []present.Shortcut { return zoomShortcuts() }
