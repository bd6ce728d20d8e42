//go:build !linux

package gui

import (
	"context"
	"runtime"
)

// chooseFiles reports that there is no dialog for many files that Assay can use here: the toolkit's takes one.
func chooseFiles(context.Context, string, []string) (paths []string, shown bool) { return nil, false }

// hasTray reports whether the system shows tray icons.
func hasTray(context.Context) bool { return runtime.GOOS == "windows" || runtime.GOOS == "darwin" }
