//go:build !windows

package sound

import (
	"errors"
	"os"
)

// createNameless makes a file that nothing is left of once it is closed, however Assay ends: it loses its name while it is open.
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
