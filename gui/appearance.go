package gui

import (
	"os"
	"strconv"

	"fyne.io/fyne/v2"

	"assay/client/config"
	"assay/gui/look"
)

// scaleVariable is where the toolkit reads how large everything is, again each time that a theme is set.
const scaleVariable = "FYNE_SCALE"

// appearance has the window look as the settings say. It belongs to the UI thread.
type appearance struct {
	app   fyne.App
	fixed bool // its scale is, by the environment that Assay was started with
	set   bool
	theme string
	scale float64
}

// newAppearance makes one; locked says that IT has set the scale, which the environment does not change then.
func newAppearance(a fyne.App, locked bool) *appearance {
	return &appearance{app: a, fixed: os.Getenv(scaleVariable) != "" && !locked}
}

// apply shows the theme and the scale at once, on what is on screen already too.
func (l *appearance) apply(now config.Appearance) {
	if l.set && l.theme == now.Theme && l.scale == now.Scale {
		return
	}
	l.set, l.theme, l.scale = true, now.Theme, now.Scale
	if !l.fixed {
		l.setScale(now.Scale)
	}
	l.app.Settings().SetTheme(look.New(look.Mode(now.Theme)))
}

// setScale tells the toolkit; 0 is the system's own scale. It fails for a name or value that the system does not take, and these are
// none.
func (l *appearance) setScale(scale float64) {
	if scale == 0 {
		_ = os.Unsetenv(scaleVariable)
		return
	}
	_ = os.Setenv(scaleVariable, strconv.FormatFloat(scale, 'f', -1, 64))
}
