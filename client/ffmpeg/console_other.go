//go:build !windows

package ffmpeg

import "os/exec"

// withoutConsole has an effect only on Windows.
func withoutConsole(*exec.Cmd) {}
