//go:build !windows

package ffmpeg

import "os/exec"

// withoutConsole is for Windows alone.
func withoutConsole(*exec.Cmd) {}
