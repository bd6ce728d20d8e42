//go:build headless

package start

import (
	_ "time/tzdata" // a container's root has no zones of its own

	"assay/assets/reportfonts"
	"assay/client/command"
	"assay/client/report"
)

// Window opens the window; nil where this build has none.
var Window command.Window

// Fonts are those of reports as PDF: the same in both builds.
func Fonts() report.Fonts {
	return report.Fonts{Regular: reportfonts.Regular, Bold: reportfonts.Bold, Mono: reportfonts.Mono}
}
