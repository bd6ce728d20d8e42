//go:build !windows

package intake

// hiddenBySystem reports what a name does not tell; here names tell it.
func hiddenBySystem(string) bool { return false }
