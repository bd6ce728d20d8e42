package config

// ManagedPath is where the system's administrators put their settings.
func ManagedPath() string { return "/Library/Application Support/Assay/managed.json" }
