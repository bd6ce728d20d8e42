package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// asSomebodyElse runs what it is given with the rights of a user who owns nothing: for root, no folder is closed.
func asSomebodyElse(t *testing.T, run func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		run()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	must(t, unix.Setfsuid(65534)) // of this thread alone
	defer func() { must(t, unix.Setfsuid(0)) }()
	run()
}

func TestNoAccess(t *testing.T) {
	tree := func(t *testing.T) Folder {
		t.Helper()
		root := t.TempDir()
		for _, way := range []string{root, filepath.Dir(root)} {
			must(t, os.Chmod(way, 0o755)) //nolint:gosec // for somebody else
		}
		for _, name := range []string{"a.jpg", "closed/b.jpg", "open/c.jpg"} {
			writeAt(t, filepath.Join(root, name), "content")
			must(t, os.Chmod(filepath.Dir(filepath.Join(root, name)), 0o755)) //nolint:gosec // for somebody else
		}
		return Folder{Path: root, Subfolders: true}
	}
	closes := func(t *testing.T, dir string, mode fs.FileMode) {
		t.Helper()
		must(t, os.Chmod(dir, mode))
		t.Cleanup(func() { _ = os.Chmod(dir, 0o755) }) //nolint:gosec // as it was
	}
	for name, mode := range map[string]fs.FileMode{"no rights": 0, "not to be listed": 0o111, "not to be looked into": 0o444} {
		t.Run("a folder: "+name, func(t *testing.T) {
			f := tree(t)
			asSomebodyElse(t, func() {
				must(t, List(t.Context(), f, nil, func(Known) error { return nil }))
			})
			closes(t, f.Path, mode)
			asSomebodyElse(t, func() {
				for call, err := range map[string]error{
					"list":  List(t.Context(), f, nil, func(Known) error { return errors.New("a file was found") }),
					"check": func() error { _, err := Check(f.Path, nil); return err }(),
				} {
					if !errors.Is(err, ErrNoAccess) {
						t.Errorf("%s: %v", call, err)
					}
				}
			})
		})
		t.Run("a folder below is reported as unread, the others are read: "+name, func(t *testing.T) {
			f := tree(t)
			closes(t, filepath.Join(f.Path, "closed"), mode)
			asSomebodyElse(t, func() {
				r, err := newRules(f.Path, f, nil)
				must(t, err)
				var names []string
				must(t, scan(t.Context(), r, "", func(e entry) error {
					if e.unread != nil {
						if !e.dir || !errors.Is(e.unread, ErrNoAccess) {
							t.Errorf("%+v", e)
						}
						e.name = "!" + e.name
					}
					names = append(names, e.name)
					return nil
				}))
				slices.Sort(names)
				same(t, names, []string{"!closed", "a.jpg", "closed", "open", "open/c.jpg"})
			})
		})
	}
	t.Run("a file in a folder that can't be looked into is not taken for gone", func(t *testing.T) {
		f := tree(t)
		closes(t, filepath.Join(f.Path, "closed"), 0)
		asSomebodyElse(t, func() {
			r, err := newRules(f.Path, f, nil)
			must(t, err)
			if _, counts, err := stat(r, "closed/b.jpg"); counts || !errors.Is(err, fs.ErrPermission) || isGone(err) {
				t.Errorf("%v, %v", counts, err)
			}
		})
	})
	t.Run("a link to a file that can't be looked at does not count, and makes nothing unread", func(t *testing.T) {
		f := tree(t)
		must(t, os.Symlink("closed/b.jpg", filepath.Join(f.Path, "link.jpg")))
		closes(t, filepath.Join(f.Path, "closed"), 0)
		asSomebodyElse(t, func() {
			if counts(t, f, "link.jpg") {
				t.Error("it counts")
			}
		})
	})
	t.Run("a file that can't be opened", func(t *testing.T) {
		f := tree(t)
		path := filepath.Join(f.Path, "a.jpg")
		must(t, os.Chmod(path, 0))
		asSomebodyElse(t, func() {
			if _, err := openForReading(path); !errors.Is(err, fs.ErrPermission) {
				t.Error(err)
			}
		})
	})
}

func TestOddFolders(t *testing.T) {
	t.Run("folders nested deeper than a path can be long are passed over, and the rest is read", func(t *testing.T) {
		f := Folder{Path: t.TempDir(), Subfolders: true}
		writeAt(t, filepath.Join(f.Path, "z.jpg"), "content")
		at, err := os.OpenRoot(f.Path)
		must(t, err)
		name := strings.Repeat("d", 250)
		for range 20 {
			must(t, at.Mkdir(name, 0o755))
			next, err := at.OpenRoot(name)
			must(t, err)
			_ = at.Close()
			at = next
		}
		must(t, at.WriteFile("deep.jpg", []byte("content"), 0o600))
		_ = at.Close()
		var files []string
		must(t, List(t.Context(), f, nil, func(k Known) error {
			files = append(files, k.Name)
			return nil
		}))
		same(t, files, []string{"z.jpg"})
	})
	t.Run("another volume mounted below the root is a part of it; the root mounted below itself ends", func(t *testing.T) {
		f := Folder{Path: t.TempDir(), Subfolders: true}
		writeAt(t, filepath.Join(f.Path, "a.jpg"), "content")
		for _, name := range []string{"disk", "self"} {
			must(t, os.Mkdir(filepath.Join(f.Path, name), 0o750))
		}
		mount := func(name, from, kind string, flags uintptr) {
			at := filepath.Join(f.Path, name)
			if err := syscall.Mount(from, at, kind, flags, ""); err != nil {
				t.Skip("mounting is not allowed here:", err)
			}
			t.Cleanup(func() { _ = syscall.Unmount(at, syscall.MNT_DETACH) })
		}
		mount("self", f.Path, "", syscall.MS_BIND)
		mount("disk", "none", "tmpfs", 0)
		writeAt(t, filepath.Join(f.Path, "disk", "b.jpg"), "content")
		same(t, found(t, f), []string{"a.jpg", "disk/", "disk/b.jpg", "self/", "self/a.jpg", "self/disk/", "self/self/"})
	})
}
