package gui

import (
	"os"
	"strconv"

	"fyne.io/fyne/v2"

	"assay/client/config"
	"assay/gui/kit"
	"assay/gui/look"
)

// scaleVariable is the environment variable from which the toolkit reads the text size, whenever a theme is set.
const scaleVariable = "FYNE_SCALE"

// userScale is the text size in use, 1 for 100 %.
func userScale() float32 {
	scale, err := strconv.ParseFloat(os.Getenv(scaleVariable), 32)
	if err != nil || scale <= 0 {
		return 1
	}
	return float32(scale)
}

// appearance applies the settings of the window's look. It belongs to the UI thread.
type appearance struct {
	app    fyne.App
	window fyne.Window // nil before there is one
	fixed  bool        // the text size is set by the environment
	set    bool
	theme  string
	scale  float64
}

// newAppearance makes one; locked says that IT has set the text size, which then overrules the environment.
func newAppearance(a fyne.App, locked bool) *appearance {
	return &appearance{app: a, fixed: os.Getenv(scaleVariable) != "" && !locked}
}

// apply applies colours, text size and motion at once, also to what is shown already.
func (l *appearance) apply(now config.Appearance) {
	kit.ReduceMotion(now.ReduceMotion)
	if l.set && l.theme == now.Theme && l.scale == now.Scale {
		return
	}
	scales := l.set && !l.fixed && l.scale != now.Scale
	l.set, l.theme, l.scale = true, now.Theme, now.Scale
	apply := func() { l.app.Settings().SetTheme(look.New(look.Mode(now.Theme))) }
	if scales && l.window != nil && !l.window.FullScreen() {
		l.rescale(now.Scale, apply)
		return
	}
	if !l.fixed {
		setScale(now.Scale)
	}
	apply()
}

// rescale changes the text size and leaves the window's size on the screen as it is. The toolkit would keep the number of units instead, so that a
// window at 200 % would be twice as large, and its content would be laid out for that size until the system has answered. So the content gets its
// new size first.
func (l *appearance) rescale(scale float64, apply func()) {
	c := l.window.Canvas()
	before, factor, user := c.Size(), c.Scale(), userScale()
	setScale(scale)
	if sized, ok := c.(interface{ Resize(fyne.Size) }); ok {
		sized.Resize(times(before, user/userScale()))
	}
	apply()
	l.window.Resize(times(before, factor/c.Scale())) // exactly: the toolkit rounds the scale
}

func times(size fyne.Size, factor float32) fyne.Size {
	return fyne.NewSize(size.Width*factor, size.Height*factor)
}

// setScale sets the toolkit's scale; 0 is the system's own. It can't fail: the system accepts these names and values.
func setScale(scale float64) {
	if scale == 0 {
		_ = os.Unsetenv(scaleVariable)
		return
	}
	_ = os.Setenv(scaleVariable, strconv.FormatFloat(scale, 'f', -1, 64))
}
