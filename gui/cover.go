package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// coverKey covers the whole window at once, and takes the cover away again.
var coverKey = desktop.CustomShortcut{KeyName: fyne.KeyH, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift}

// coverKeyName is the key's name for the person.
func coverKeyName() string { return kit.Shortcut(i18n.T("Shift") + "+H") }

// cover hides all that the window shows behind one opaque layer, over sheets, menus and dialogs too, until the person goes on. It belongs to the UI
// thread.
type cover struct {
	app     *app
	layer   *coverLayer
	focused fyne.Focusable // what had the focus before
}

// toggle covers the window, or uncovers it.
func (c *cover) toggle() {
	if c.layer != nil {
		c.lift()
		return
	}
	c.put()
}

// put covers the window, unless it is covered.
func (c *cover) put() {
	a := c.app
	if c.layer != nil || a.stopped {
		return
	}
	canvas := a.window.Canvas()
	c.focused = canvas.Focused()
	c.layer = newCoverLayer(c)
	canvas.Overlays().Add(c.layer) // its button has no focus: a stray Space or Enter uncovers nothing
	a.viewer.Leave()               // sound stops, and what was uncovered is covered again
	a.compared.Leave()
	a.review.sheet.Leave()
	a.parts.Leave()
}

// lift takes the cover away. What had the focus gets it back.
func (c *cover) lift() {
	if c.layer == nil {
		return
	}
	canvas := c.app.window.Canvas()
	canvas.Overlays().Remove(c.layer)
	c.layer = nil
	if c.focused != nil {
		canvas.Focus(c.focused)
	}
	c.focused = nil
}

// coverLayer fills the window with one colour and the button that goes on. Clicks beside the button do nothing.
type coverLayer struct {
	widget.BaseWidget
	cover   *cover
	goOn    *kit.Button
	content *fyne.Container
}

func newCoverLayer(c *cover) *coverLayer {
	l := &coverLayer{cover: c, goOn: kit.NewButton(kit.Primary, i18n.T("Go on"), nil, c.lift)}
	centred := func(words string, style kit.TextStyle) fyne.CanvasObject {
		return container.NewCenter(kit.NewText(words, style))
	}
	l.content = container.NewStack(kit.NewFill(look.ColorBackground), container.NewCenter(container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		centred(i18n.T("Everything is covered"), kit.TextStyle{Size: look.SizeHeading, Weight: look.WeightBold}),
		centred(i18n.F("Sound has stopped. Uploads continue. To go on, you can also press %s.", coverKeyName()), kit.TextStyle{Color: look.ColorMuted}),
		container.NewCenter(l.goOn))))
	l.ExtendBaseWidget(l)
	return l
}

// CreateRenderer implements fyne.Widget.
func (l *coverLayer) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(l.content) }

// MinSize implements fyne.CanvasObject. It is small: the window decides.
func (l *coverLayer) MinSize() fyne.Size { return fyne.NewSize(1, 1) }

// Tapped implements fyne.Tappable: a click that misses the button reaches nothing below.
func (l *coverLayer) Tapped(*fyne.PointEvent) {}
