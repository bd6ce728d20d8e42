//go:build !linux && !darwin && !windows

package watch

// isNetwork is false: this system is not asked.
func isNetwork(_ string) bool { return false }
