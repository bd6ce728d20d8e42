package config

import (
	"os"
	"path/filepath"
)

// ManagedPath is where the system's administrators put their settings: beside the program, such as in Program Files, where nobody else
// may write. In %ProgramData% anybody may make a folder that is not there yet.
func ManagedPath() string {
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Join(filepath.Dir(program), "managed.json")
}
