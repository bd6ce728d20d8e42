//go:build windows || darwin

package gui

// noDisplay says why no window can open here, "" where one can.
func noDisplay() string { return "" }
