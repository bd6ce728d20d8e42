//go:build windows || darwin

package gui

// NoDisplay says why no window can open here, "" where one can.
func NoDisplay() string { return "" }
