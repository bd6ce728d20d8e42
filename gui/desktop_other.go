//go:build !linux

package gui

import (
	"context"
	"runtime"
)

// hasTray reports whether the system shows tray icons.
func hasTray(context.Context) bool { return runtime.GOOS == "windows" || runtime.GOOS == "darwin" }
