//go:build unix

package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestScanOfWhatIsNoPlainFile(t *testing.T) {
	link := func(t *testing.T, to, at string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(at), 0o750))
		must(t, os.Symlink(to, at))
	}
	t.Run("pipes and devices", func(t *testing.T) {
		root := t.TempDir()
		must(t, syscall.Mkfifo(filepath.Join(root, "pipe.jpg"), 0o600))
		must(t, os.Symlink("pipe.jpg", filepath.Join(root, "to-pipe.jpg")))
		must(t, os.Symlink("/dev/null", filepath.Join(root, "null.jpg")))
		// A device of its own, where one may be made.
		_ = syscall.Mknod(filepath.Join(root, "device.jpg"), syscall.S_IFCHR|0o600, 1<<8|3)
		writeAt(t, filepath.Join(root, "a.jpg"), "one")
		same(t, found(t, Folder{Path: root, Subfolders: true}), []string{"a.jpg"})
		for _, name := range []string{"pipe.jpg", "to-pipe.jpg", "null.jpg"} {
			if counts(t, Folder{Path: root}, name) {
				t.Errorf("looked at alone, %s counts", name)
			}
		}
	})
	t.Run("a link to a file in the root counts as that file", func(t *testing.T) {
		f := Folder{Path: t.TempDir(), Subfolders: true}
		file := filepath.Join(f.Path, "a.jpg")
		writeAt(t, file, "content")
		link(t, "../a.jpg", filepath.Join(f.Path, "sub", "relative.jpg"))
		link(t, file, filepath.Join(f.Path, "absolute.jpg"))
		link(t, "absolute.jpg", filepath.Join(f.Path, "twice.jpg"))
		same(t, found(t, f), []string{"a.jpg", "absolute.jpg", "sub/", "sub/relative.jpg", "twice.jpg"})
		r, err := newRules(f.Path, f, nil)
		must(t, err)
		it, _, err := stat(r, "a.jpg")
		must(t, err)
		twice, _, err := stat(r, "twice.jpg")
		must(t, err)
		if it.name = "twice.jpg"; it != twice {
			t.Errorf("%+v, not %+v", twice, it)
		}
	})
	t.Run("a link's own name decides, and that its target is not passed over everywhere", func(t *testing.T) {
		f := Folder{Path: t.TempDir(), Subfolders: true, Only: []string{"*.jpg"}}
		for _, name := range []string{"blob", "a.jpg.part", ".git/objects/1", "own/1"} {
			writeAt(t, filepath.Join(f.Path, name), "content")
		}
		link(t, "blob", filepath.Join(f.Path, "blob.jpg"))
		link(t, "blob", filepath.Join(f.Path, "blob.png"))
		link(t, "a.jpg.part", filepath.Join(f.Path, "part.jpg"))
		link(t, ".git/objects/1", filepath.Join(f.Path, "git.jpg"))
		link(t, "own/1", filepath.Join(f.Path, "own.jpg"))
		same(t, found(t, f, filepath.Join(f.Path, "own")), []string{"blob.jpg"})
	})
	t.Run("links out of the folder, to folders, to nothing and round in a circle do not count", func(t *testing.T) {
		f := Folder{Path: filepath.Join(t.TempDir(), "in"), Subfolders: true}
		writeAt(t, f.Path+"-other/secret.jpg", "secret")
		writeAt(t, filepath.Join(f.Path, "sub", "a.jpg"), "content")
		out := map[string]string{
			"out.jpg": "../in-other/secret.jpg", "outside": "../in-other", "sub/up": "..", "sub/loop": "../sub", "self": "self", "one": "two", "two": "one",
			"nothing.jpg": "none.jpg", "through.jpg": "sub/a.jpg/b.jpg", "abs.jpg": f.Path + "-other/secret.jpg",
			"out-and-in.jpg": "../in-other/back", "in.jpg": "outside/secret.jpg",
		}
		for at, to := range out {
			link(t, to, filepath.Join(f.Path, at))
		}
		same(t, found(t, f), []string{"sub/", "sub/a.jpg"})
		for name := range out {
			if name != "out-and-in.jpg" && counts(t, f, name) {
				t.Errorf("looked at alone, %s counts", name)
			}
		}
		for _, name := range []string{"outside/secret.jpg", "sub/up/sub/a.jpg", "sub/loop/a.jpg"} {
			if counts(t, f, name) {
				t.Errorf("by way of a link, %s counts", name)
			}
		}
	})
	t.Run("the root may be a link to a folder", func(t *testing.T) {
		f := Folder{Path: filepath.Join(t.TempDir(), "link"), Subfolders: true}
		target := t.TempDir()
		writeAt(t, filepath.Join(target, "sub", "a.jpg"), "content")
		link(t, filepath.Join(target, "sub", "a.jpg"), filepath.Join(target, "b.jpg"))
		must(t, os.Symlink(target, f.Path))
		same(t, found(t, f), []string{"b.jpg", "sub/", "sub/a.jpg"})
	})
	t.Run("a folder that a link takes the place of is not followed", func(t *testing.T) {
		f := Folder{Path: t.TempDir(), Subfolders: true}
		outside := t.TempDir()
		writeAt(t, filepath.Join(outside, "secret.jpg"), "secret")
		writeAt(t, filepath.Join(f.Path, "sub", "a.jpg"), "content")
		r, err := newRules(f.Path, f, nil)
		must(t, err)
		must(t, scan(t.Context(), r, "", func(e entry) error {
			if !e.dir {
				t.Errorf("found %s", e.name)
				return nil
			}
			must(t, os.RemoveAll(filepath.Join(f.Path, "sub")))
			return os.Symlink(outside, filepath.Join(f.Path, "sub"))
		}))
	})
	t.Run("names are bytes", func(t *testing.T) {
		root := t.TempDir()
		want := map[string]bool{}
		for _, name := range oddTestNames {
			if err := os.WriteFile(filepath.Join(root, name), []byte("one"), 0o600); errors.Is(err, syscall.EILSEQ) {
				continue // this system's names are text
			}
			want[name] = true
		}
		must(t, List(t.Context(), Folder{Path: root}, nil, func(k Known) error {
			if !want[k.Name] {
				t.Errorf("%q", k.Name)
			}
			delete(want, k.Name)
			return nil
		}))
		for name := range want {
			t.Errorf("%q was not found", name)
		}
	})
}

func TestOpenForReading(t *testing.T) {
	t.Run("a file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.jpg")
		writeAt(t, path, "one")
		f, err := openForReading(path)
		must(t, err)
		defer f.Close() //nolint:errcheck // it was only read
		text := make([]byte, 3)
		if n, err := f.Read(text); n != 3 || err != nil {
			t.Error(n, err)
		}
	})
	t.Run("a pipe without a writer, a device and a folder are refused at once", func(t *testing.T) {
		pipe := filepath.Join(t.TempDir(), "pipe.jpg")
		must(t, syscall.Mkfifo(pipe, 0o600))
		for _, path := range []string{pipe, "/dev/null", t.TempDir()} {
			f, err := openForReading(path)
			if f != nil || !errors.Is(err, errNotRegular) {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
	t.Run("one that took the file's place a moment ago is refused and closed", func(t *testing.T) {
		pipe := filepath.Join(t.TempDir(), "pipe.jpg")
		must(t, syscall.Mkfifo(pipe, 0o600))
		f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		must(t, err)
		if got, err := regular(f); got != nil || !errors.Is(err, errNotRegular) {
			t.Error(err)
		}
		if _, err := f.Stat(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("it is open: %v", err)
		}
	})
	t.Run("nothing", func(t *testing.T) {
		if _, err := openForReading(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
}
