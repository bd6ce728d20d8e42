//go:build !linux && !windows

package gui

import (
	"context"
	"runtime"
)

// trayOnUI says that the tray is called on the UI thread.
const trayOnUI = true

func hasTray(context.Context) bool { return runtime.GOOS == "darwin" }

// trayImage is a picture as the tray takes it.
func trayImage(png []byte) []byte { return png }
