package ffmpeg

import (
	"os/exec"
	"syscall"
)

// createNoWindow is Windows's CREATE_NO_WINDOW.
const createNoWindow = 0x08000000

// withoutConsole keeps a program of the console from opening a window for itself, which it does where Assay has none to share.
func withoutConsole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow}
}
