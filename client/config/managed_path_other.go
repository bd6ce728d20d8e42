//go:build !windows && !darwin

package config

// ManagedPath is where the system's administrators put their settings.
func ManagedPath() string { return "/etc/assay/managed.json" }
