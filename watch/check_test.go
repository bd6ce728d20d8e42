package watch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestCheck(t *testing.T) {
	refused := func(t *testing.T, path string, want error, own ...string) {
		t.Helper()
		clean, err := Check(path, own)
		var problem *Problem
		if !errors.As(err, &problem) || !errors.Is(problem.Kind, want) || clean != "" {
			t.Errorf("%s: %q, %v; not %v", path, clean, err, want)
		}
	}
	t.Run("a folder, absolute and cleaned", func(t *testing.T) {
		dir := t.TempDir()
		must(t, os.Mkdir(filepath.Join(dir, "in"), 0o750))
		t.Chdir(dir)
		dir, err := os.Getwd()
		must(t, err)
		for _, path := range []string{"in", "./in/", "in/../in", filepath.Join(dir, "in")} {
			if clean, err := Check(path, []string{t.TempDir()}); err != nil || clean != filepath.Join(dir, "in") {
				t.Errorf("%s: %q, %v", path, clean, err)
			}
		}
	})
	t.Run("nothing, a file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "a.jpg")
		writeAt(t, file, "one")
		refused(t, "", ErrNoFolder)
		refused(t, file, ErrNotFolder)
		refused(t, filepath.Join(t.TempDir(), "none"), ErrNoFolder)
		refused(t, filepath.Join(t.TempDir(), "none\x00"), ErrUnreadable)
	})
	t.Run("the app's own folder, one inside it and one around it", func(t *testing.T) {
		dir := t.TempDir()
		own := filepath.Join(dir, "app", "data")
		inside := filepath.Join(own, "vault")
		must(t, os.MkdirAll(inside, 0o750))
		beside := filepath.Join(dir, "app", "data-2")
		must(t, os.Mkdir(beside, 0o750))
		for _, path := range []string{own, inside, filepath.Dir(own), dir} {
			refused(t, path, ErrOwnFolder, own)
		}
		if _, err := Check(beside, []string{own}); err != nil {
			t.Errorf("beside: %v", err)
		}
	})
	t.Run("the app's own folder that is not there yet", func(t *testing.T) {
		dir := t.TempDir()
		refused(t, dir, ErrOwnFolder, filepath.Join(dir, "app", "data"))
		if _, err := Check(dir, []string{dir + "-2"}); err != nil {
			t.Error(err)
		}
	})
	t.Run("the app's own folder under another name", func(t *testing.T) {
		own, link := filepath.Join(t.TempDir(), "app"), filepath.Join(t.TempDir(), "link")
		must(t, os.Mkdir(own, 0o750))
		if err := os.Symlink(own, link); err != nil {
			t.Skip("this system makes no links for us:", err)
		}
		refused(t, link, ErrOwnFolder, own)
		refused(t, own, ErrOwnFolder, link)
		refused(t, own, ErrOwnFolder, filepath.Join(link, "data"))
		refused(t, filepath.Dir(own), ErrOwnFolder, filepath.Join(link, "data"))
	})
	t.Run("a link to a folder stays a link", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(t.TempDir(), link); err != nil {
			t.Skip("this system makes no links for us:", err)
		}
		if clean, err := Check(link, nil); err != nil || clean != link {
			t.Errorf("%q, %v", clean, err)
		}
	})
}

func TestProblem(t *testing.T) {
	t.Run("what the system's errors mean", func(t *testing.T) {
		for _, c := range []struct{ err, want error }{
			{fs.ErrNotExist, ErrNoFolder},
			{fs.ErrPermission, ErrNoAccess},
			{syscall.ENOTDIR, ErrNotFolder},
			{errors.New("other"), ErrUnreadable},
			{errNoRoom, ErrWatchLimit},
			{errNoEvents, ErrNoEvents},
			{silent[0], ErrNotAnswering},
		} {
			wrapped := &fs.PathError{Op: "open", Path: "/in", Err: c.err}
			p := problemOf("/in", wrapped)
			if !errors.Is(p.Kind, c.want) || !errors.Is(p, c.want) || !errors.Is(p, c.err) || p.Path != "/in" {
				t.Errorf("%v: %v", c.err, p)
			}
			if problemOf("/other", p) != p {
				t.Errorf("%v: it did not stay what it was", c.err)
			}
			if text := p.Error(); !strings.Contains(text, "/in") || !strings.Contains(text, c.err.Error()) {
				t.Errorf("the log reads %q", text)
			}
		}
	})
	t.Run("one without an error of the system's", func(t *testing.T) {
		p := &Problem{Kind: ErrOwnFolder, Path: "/in"}
		if !errors.Is(p, ErrOwnFolder) || errors.Is(p, fs.ErrNotExist) || len(p.Unwrap()) != 1 {
			t.Error(p)
		}
	})
}
