//go:build !linux

package gui

import (
	"context"
	"runtime"
)

// chooseFiles reports that there is no dialog for many files here that Assay knows how to ask: the toolkit's takes one.
func chooseFiles(context.Context, string, []string) (paths []string, shown bool) { return nil, false }

// hasTray reports whether the system shows the icons of programs.
func hasTray(context.Context) bool { return runtime.GOOS == "windows" || runtime.GOOS == "darwin" }
