package viewer

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"assay/client/i18n"
	"assay/client/verdict"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// Filler is a Pane that can fill the window.
type Filler interface {
	Pane
	// SetFull has the pane show its medium alone over all of its room, and returns what stands at the foot of the window meanwhile; nil for nothing.
	// It calls over with true whenever the pointer moves over the medium, and with false when it leaves it. Without full it shows all of its parts again.
	SetFull(full bool, over func(inside bool)) (foot fyne.CanvasObject)
}

// idleAfter is how long what stands over the medium stays while the pointer rests on it, so that nothing covers evidence for good.
const idleAfter = 3 * time.Second

// fullView is the medium over the whole window: the verdict and the name in the corners, and what works the medium at the foot, until the pointer
// rests.
type fullView struct {
	viewer *Viewer
	root   *fyne.Container
	inner  *fyne.Container // hidden until the result that was asked for has been read
	medium *fyne.Container
	over   *fyne.Container // corners and foot
	foot   *fyne.Container

	mark           *kit.MarkIcon
	headline, line *kit.Text
	name           *kit.Text

	pane   Filler // nil: nothing fills the window
	away   bool   // the pointer is on what stands over the medium
	cancel func()
}

func newFullView(v *Viewer) *fullView {
	f := &fullView{viewer: v, cancel: func() {}}
	small := kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisEnd}
	f.mark = kit.NewMarkIcon(look.MarkNone, 22)
	f.headline = kit.NewText("", kit.TextStyle{Weight: look.WeightBold, Ellipsis: look.EllipsisEnd})
	f.line = kit.NewText("", small)
	words := []fyne.CanvasObject{f.headline, f.line}
	if v.Sandbox {
		words = append(words, kit.NewText(i18n.T(present.SandboxNote), small))
	}
	f.name = kit.NewText("", kit.TextStyle{Size: look.SizeSmall, Color: look.ColorMuted, Ellipsis: look.EllipsisMiddle})
	leave := kit.NewButton(kit.Bare, i18n.T("Leave"), look.IconClose, f.end)
	leave.SetToolTip(i18n.T("Esc"))
	said := kit.NewCard(container.NewBorder(nil, nil, container.New(layout.NewCustomPaddedLayout(0, 0, 0, 2.5*look.Space), container.NewCenter(f.mark)), nil,
		container.New(lines{}, words...)))
	name := kit.NewCard(container.NewBorder(nil, nil, nil, leave, container.New(layout.NewCustomPaddedLayout(0, 0, 2*look.Space, look.Space), container.New(lines{}, f.name))))
	said.SetPadding(2.5 * look.Space)
	name.SetPadding(look.Space)
	f.medium, f.foot = container.NewStack(), container.NewStack()
	bar := container.NewStack(kit.NewFill(look.ColorSurface), container.NewBorder(kit.NewLine(), nil, nil, nil,
		container.New(layout.NewCustomPaddedLayout(2*look.Space, 2*look.Space, edge, edge), f.foot)))
	f.over = container.New(fullLayout{}, said, name, bar)
	f.inner = container.NewStack(f.medium, f.over)
	f.root = container.NewStack(kit.NewFill(look.ColorBackground), f.inner)
	return f
}

// on reports whether the medium fills the window.
func (f *fullView) on() bool { return f.pane != nil }

// offered reports whether the medium that is shown can fill the window.
func (f *fullView) offered() bool {
	_, can := f.viewer.pages.current.(Filler)
	return can && f.viewer.Fill != nil
}

// begin fills the window with the medium, and reports whether it can.
func (f *fullView) begin() bool {
	if !f.offered() {
		return false
	}
	pages := f.viewer.pages
	f.pane, f.away = pages.current.(Filler), false
	pages.slot.Objects, pages.tools.Objects = nil, nil
	f.foot.Objects = nil
	foot := f.pane.SetFull(true, f.pointer)
	if foot != nil {
		f.foot.Objects = []fyne.CanvasObject{foot}
	}
	kit.SetVisible(f.over.Objects[2], foot != nil)
	f.medium.Objects = []fyne.CanvasObject{f.pane.Object()}
	f.set(f.viewer.shown)
	f.viewer.Fill(f.root)
	f.wake()
	return true
}

// end shows the viewer again.
func (f *fullView) end() {
	if !f.on() {
		return
	}
	pane := f.pane
	f.pane = nil
	f.cancel()
	f.medium.Objects, f.foot.Objects = nil, nil
	pane.SetFull(false, nil)
	f.viewer.pages.place()
	f.viewer.pages.arrange()
	f.viewer.Fill(nil)
	f.viewer.root.Refresh()
}

// set shows the verdict and the name of a result.
func (f *fullView) set(v present.Viewer) {
	if !f.on() {
		return
	}
	f.inner.Show()
	f.mark.SetMark(look.Mark(v.Verdict.Mark))
	f.headline.SetText(v.Verdict.Headline)
	line := i18n.T(verdict.NoScore)
	if score := v.Verdict.Score; score != nil {
		line = i18n.F("%s of 100", score.Text()) + " · " + i18n.T(present.ScoreMeaning)
	}
	if v.Verdict.Progress != "" {
		line = v.Verdict.Progress + " · " + line
	}
	f.line.SetText(line)
	f.name.SetText(v.Name)
	f.root.Refresh()
}

// pointer is told that the pointer moves over the medium, or has left it.
func (f *fullView) pointer(inside bool) {
	f.away = !inside
	f.wake()
}

// wake shows what stands over the medium, and hides it once nothing has happened for a while. Nothing moves for it.
func (f *fullView) wake() {
	if !f.on() {
		return
	}
	f.cancel()
	kit.SetVisible(f.over, true)
	f.cancel = f.viewer.After(idleAfter, f.rest)
}

// rest hides what stands over the medium, unless somebody is at it.
func (f *fullView) rest() {
	c := fyne.CurrentApp().Driver().CanvasForObject(f.root)
	switch {
	case !f.on():
	case f.away || c != nil && (c.Overlays().Top() != nil || has(f.over, c.Focused())):
		f.wake()
	default:
		f.over.Hide()
	}
}

// has reports whether a control is within an object.
func has(o fyne.CanvasObject, control fyne.Focusable) bool {
	if within, ok := o.(*fyne.Container); ok {
		for _, inner := range within.Objects {
			if has(inner, control) {
				return true
			}
		}
	}
	at, can := o.(fyne.Focusable)
	return can && at == control
}

// typedRune handles a character: the medium's keys are what they are beside the panel.
func (f *fullView) typedRune(r rune) bool {
	f.wake()
	if f.pane.TypedRune(r) {
		return true
	}
	if r == 'f' || r == 'F' {
		f.end()
		return true
	}
	return false
}

// typedKey handles another key.
func (f *fullView) typedKey(e *fyne.KeyEvent) bool {
	f.wake()
	if e.Name == fyne.KeyEscape {
		f.end()
		return true
	}
	return f.viewer.body.Visible() && f.pane.TypedKey(e)
}

// ToggleFull fills the window with the medium, or shows the viewer again.
func (v *Viewer) ToggleFull() {
	if v.full.on() {
		v.full.end()
		return
	}
	v.full.begin()
}

// Full reports whether the medium fills the window.
func (v *Viewer) Full() bool { return v.full.on() }

// Woken shows what stands over a medium that fills the window, after a key that nothing else is told of.
func (v *Viewer) Woken() { v.full.wake() }

// fullLayout puts the verdict into the corner at the left, the name into that at the right, and the bar at the foot.
type fullLayout struct{}

// Layout implements fyne.Layout.
func (fullLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	said, name, bar := objects[0], objects[1], objects[2]
	room := max(0, size.Width-3*edge)
	right := min(name.MinSize().Width, room/3)
	left := min(said.MinSize().Width, room-right)
	kit.PlaceAt(said, edge, edge, left, said.MinSize().Height)
	kit.PlaceAt(name, size.Width-edge-right, edge, right, name.MinSize().Height)
	height := kit.WrappedHeight(bar, size.Width)
	kit.PlaceAt(bar, 0, size.Height-height, size.Width, height)
}

// MinSize implements fyne.Layout. It is zero: the window decides.
func (fullLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// lines lays texts out below each other, in the middle of the height: as wide as the longest where there is room, and shortened where there is not.
type lines struct{}

// Layout implements fyne.Layout.
func (l lines) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := (size.Height - l.MinSize(objects).Height) / 2
	for _, o := range objects {
		kit.PlaceAt(o, 0, y, size.Width, o.MinSize().Height)
		y += o.MinSize().Height
	}
}

// MinSize implements fyne.Layout.
func (lines) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := fyne.Size{}
	for _, o := range objects {
		size = fyne.NewSize(max(size.Width, full(o)+1), size.Height+o.MinSize().Height)
	}
	return size
}
