//go:build !windows && !darwin

package watch

import "io/fs"

// hidden is false: on these systems the name alone says it.
func hidden(_ fs.FileInfo) bool { return false }
