//go:build !headless

package start

import (
	"assay/client/command"
	"assay/client/report"
	"assay/gui"
)

// Window opens the window; nil where this build has none.
var Window command.Window = gui.Run

// Fonts are those of reports as PDF: the same in both builds.
func Fonts() report.Fonts { return gui.ReportFonts() }
