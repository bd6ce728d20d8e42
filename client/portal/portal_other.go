//go:build !linux

package portal

import "context"

// OpenFiles reports that there is no such dialog.
func OpenFiles(context.Context, string, ...Filter) (paths []string, shown bool) { return nil, false }

// OpenFile reports that there is no such dialog.
func OpenFile(context.Context, string, ...Filter) (path string, shown bool) { return "", false }

// OpenFolder reports that there is no such dialog.
func OpenFolder(context.Context, string) (path string, shown bool) { return "", false }

// SaveFile reports that there is no such dialog.
func SaveFile(context.Context, string, string) (path string, shown bool) { return "", false }

// Autostart returns ErrNone.
func Autostart(context.Context, string, []string, bool) error { return ErrNone }
