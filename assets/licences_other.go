//go:build !windows

package assets

// linked are the licences of what is linked in besides Go's modules: the system's own libraries are not passed on.
func linked() []Licence { return nil }
