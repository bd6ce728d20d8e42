//go:build unix

package ipc

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestAddress(t *testing.T) {
	perm := func(t *testing.T, path string) fs.FileMode {
		t.Helper()
		facts, err := os.Lstat(path)
		assert.NoError(t, err)
		return facts.Mode().Perm()
	}
	t.Run("the folder and the socket are the user's alone", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // to be closed by Serve
			t.Fatal(err)
		}
		h := serve(t, dir, echo)
		socket := h.server.listener.Addr().String()
		if filepath.Dir(socket) != dir || perm(t, dir) != 0o700 || perm(t, socket) != 0o600 {
			t.Errorf("%s: %v, %v", socket, perm(t, dir), perm(t, socket))
		}
	})
	t.Run("a stale socket, a file in its place and a stale address are no obstacle", func(t *testing.T) {
		for _, stale := range []string{"socket", "file", "address", "no address", "garbled address"} {
			dir := t.TempDir()
			socket := filepath.Join(dir, socketName)
			switch stale {
			case "socket":
				listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", socket)
				assert.NoError(t, err)
				listener.(*net.UnixListener).SetUnlinkOnClose(false)
				assert.NoError(t, errors.Join(listener.Close(), writeAddress(dir, socket)))
			case "file":
				assert.NoError(t, errors.Join(os.WriteFile(socket, nil, 0o600), writeAddress(dir, socket)))
			case "address":
				assert.NoError(t, writeAddress(dir, filepath.Join(dir, "gone", socketName)))
			case "garbled address":
				assert.NoError(t, writeAddress(dir, "\x00\xff"))
			}
			h, err := TakeOrCall(t.Context(), Start{Dir: dir, Request: Request{Op: "echo", Job: given(nil)}, Each: nothing, Wait: noWait(t)})
			if err != nil || h == nil {
				t.Fatalf("%s: %v, %v", stale, h, err)
			}
			if err := h.Serve(t.Context(), echo); err != nil {
				t.Fatalf("%s: %v", stale, err)
			}
			wantEcho(t, dir, stale)
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	for _, c := range []struct {
		name      string
		temporary func(t *testing.T) string
	}{
		{"among the temporary ones", func(t *testing.T) string {
			short, err := os.MkdirTemp("/tmp", "a") //nolint:usetesting // T's own is too long for this
			assert.NoError(t, err)
			t.Cleanup(func() { _ = os.RemoveAll(short) })
			return short
		}},
		{"in /tmp where TMPDIR is too long as well", func(t *testing.T) string {
			long := filepath.Join(t.TempDir(), strings.Repeat("t", 100))
			assert.NoError(t, os.Mkdir(long, 0o700))
			return long
		}},
	} {
		t.Run("for a folder with a long path the socket is in a private one "+c.name, func(t *testing.T) {
			t.Setenv("TMPDIR", c.temporary(t))
			dir := filepath.Join(t.TempDir(), strings.Repeat("d", 120))
			h := serve(t, dir, echo)
			socket := h.server.listener.Addr().String()
			folder := filepath.Dir(socket)
			if len(socket) > maxSocketPath || perm(t, folder) != 0o700 {
				t.Errorf("%s: %v", socket, perm(t, folder))
			}
			t.Setenv("TMPDIR", t.TempDir()) // a later start may have another
			wantEcho(t, dir, "found by its address")
			if err := h.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("left behind: %v", err)
			}
		})
	}
	t.Run("a folder that another user made first is not used", func(t *testing.T) {
		parent := t.TempDir()
		elsewhere := filepath.Join(parent, "elsewhere")
		link := filepath.Join(parent, "link")
		assert.NoError(t, errors.Join(os.Mkdir(elsewhere, 0o700), os.Symlink(elsewhere, link)))
		if _, err := listenAt(t.Context(), filepath.Join(link, socketName)); !errors.Is(err, errNoPlace) {
			t.Errorf("a link: %v", err)
		}
		if os.Geteuid() != 0 {
			t.Skip("only root can make a folder another user's")
		}
		assert.NoError(t, os.Chown(elsewhere, 65534, 65534))
		if _, err := listenAt(t.Context(), filepath.Join(elsewhere, socketName)); !errors.Is(err, errNoPlace) {
			t.Errorf("another user's: %v", err)
		}
		t.Run("nor called", func(t *testing.T) {
			assert.NoError(t, writeAddress(parent, filepath.Join(elsewhere, socketName)))
			if _, err := dial(t.Context(), parent); !errors.Is(err, errNoPlace) {
				t.Errorf("got %v", err)
			}
		})
	})
}
