// Assay has pictures, clips, recordings and texts checked by a media deepfake-detection service and shows what it said.
package main

import (
	"context"
	"os"

	"assay/client/command"
	"assay/client/report"
	"assay/gui/start"
)

// atExit is called before the program ends: `make profile` has it write what was measured.
var atExit = func() {}

func main() {
	command.UseConsole(os.Args[1:])
	report.UseFonts(start.Fonts())
	ctx, stop := command.EndBySignal(context.Background(), func() { os.Exit(command.ExitFailed) })
	code := command.Main(ctx, command.ThisComputer(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, start.Window)
	stop()
	atExit()
	os.Exit(code)
}
