//go:build !windows

package sound

import (
	"errors"
	"os"
)

// createNameless makes a file that vanishes when it is closed or Assay ends, even by a crash: its name is removed while it is open.
func createNameless(dir string) (*os.File, error) {
	made, err := os.CreateTemp(dir, "assay-sound-*.pcm")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(made.Name()); err != nil {
		return nil, errors.Join(err, made.Close())
	}
	return made, nil
}
