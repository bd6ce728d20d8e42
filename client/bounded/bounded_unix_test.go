//go:build unix

package bounded_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"assay/client/assert"
	"assay/client/bounded"
)

func TestNoPipeOrDeviceIsRead(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	assert.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{pipe, "/dev/zero", "/dev/null"} {
		if _, err := bounded.ReadFile(path, 10); !isRefusal(err, 0) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
