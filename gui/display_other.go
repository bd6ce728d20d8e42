//go:build !linux

package gui

// chooseDisplay has no choice here: there is one display, which the system opens windows on.
func chooseDisplay() (undo func(), problem string) { return func() {}, "" }
