package ffmpeg

import (
	"os/exec"
	"syscall"
)

// createNoWindow is Windows's CREATE_NO_WINDOW.
const createNoWindow = 0x08000000

// withoutConsole keeps a console program from opening a window, which it does because Assay has no console to share.
func withoutConsole(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow}
}
