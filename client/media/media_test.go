package media

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
)

// changedAt is when every file of these tests was last changed.
var changedAt = time.Date(2026, 3, 4, 5, 6, 7, 89_000_000, time.UTC)

// write makes a file of that size without writing it out: sparse, so that 250 MB cost nothing.
func write(t *testing.T, name string, size int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	assert.NoError(t, os.WriteFile(path, nil, 0o600))
	assert.NoError(t, os.Truncate(path, size))
	touch(t, path, changedAt)
	return path
}

func writeBytes(t *testing.T, path, contents string) {
	t.Helper()
	assert.NoError(t, os.WriteFile(path, []byte(contents), 0o600))
	touch(t, path, changedAt)
}

func touch(t *testing.T, path string, at time.Time) {
	t.Helper()
	assert.NoError(t, os.Chtimes(path, at, at))
}

// inspected is a file that may be sent.
func inspected(t *testing.T, path string) File {
	t.Helper()
	f, err := Limits(nil).Inspect(t.Context(), path)
	assert.NoError(t, err)
	return f
}

// refused checks that err is a *Refusal of that code, in those words where there are any.
func refused(t *testing.T, err error, code Code, says ...string) {
	t.Helper()
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("error %v, want a *Refusal", err)
	}
	if refusal.Code != code {
		t.Fatalf("refused as %q (%v), want %q", refusal.Code, err, code)
	}
	if len(says) > 0 && err.Error() != says[0] {
		t.Errorf("says %q, want %q", err, says[0])
	}
}

// denied stands for a file system that does not let this person read: as root, real permissions would.
func denied(path string) (*os.File, error) {
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
}
