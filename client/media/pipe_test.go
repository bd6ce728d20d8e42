//go:build unix

package media

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"assay/client/assert"
)

func TestPipesNeverHang(t *testing.T) {
	pipe := func(t *testing.T, path string) {
		t.Helper()
		assert.NoError(t, syscall.Mkfifo(path, 0o600))
	}
	t.Run("a pipe is refused", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.jpg")
		pipe(t, path)
		_, err := Limits(nil).Inspect(t.Context(), path)
		refused(t, err, Special)
	})
	t.Run("a socket is refused", func(t *testing.T) {
		t.Chdir(t.TempDir()) // a socket's path is short
		var config net.ListenConfig
		listener, err := config.Listen(t.Context(), "unix", "a.jpg")
		assert.NoError(t, err)
		defer listener.Close() //nolint:errcheck // nothing was sent
		_, err = Limits(nil).Inspect(t.Context(), "a.jpg")
		refused(t, err, Special)
	})
	t.Run("a pipe that takes the file's place between two looks", func(t *testing.T) {
		_, err := Limits(nil).inspect(t.Context(), write(t, "a.jpg", 1), func(path string) (*os.File, error) {
			assert.NoError(t, os.Remove(path))
			pipe(t, path)
			return openFile(path)
		})
		refused(t, err, Special)
	})
	t.Run("a pipe that takes the file's place before it is sent", func(t *testing.T) {
		f := inspected(t, write(t, "a.jpg", 1))
		assert.NoError(t, os.Remove(f.Path))
		pipe(t, f.Path)
		var changed *Changed
		if _, err := Open(f); !errors.As(err, &changed) || !changed.AnotherFileThere {
			t.Errorf("error %v, want a *Changed", err)
		}
	})
	t.Run("links that lead in a circle, or nowhere", func(t *testing.T) {
		t.Chdir(t.TempDir())
		assert.NoError(t, errors.Join(os.Symlink("b.jpg", "a.jpg"), os.Symlink("a.jpg", "b.jpg"), os.Symlink("gone.jpg", "c.jpg")))
		_, err := Limits(nil).Inspect(t.Context(), "a.jpg")
		refused(t, err, Unreadable)
		_, err = Limits(nil).Inspect(t.Context(), "c.jpg")
		refused(t, err, Missing)
	})
}
