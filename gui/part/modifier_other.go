//go:build !darwin

package part

const usualModifier = "Ctrl"
