package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// found scans a folder, and gives the names of files, of folders (with a separator at the end), and of what is unread (with a
// ! before it), each set in order.
func found(t *testing.T, f Folder, own ...string) []string {
	t.Helper()
	r, err := newRules(f.Path, f, own)
	must(t, err)
	var names []string
	must(t, scan(t.Context(), r, "", func(e entry) error {
		switch {
		case e.unread != nil:
			names = append(names, "!"+e.name)
		case e.dir:
			names = append(names, filepath.ToSlash(e.name)+"/")
		default:
			names = append(names, filepath.ToSlash(e.name))
			alone, counts, err := stat(r, e.name)
			if err != nil || !counts || alone != e {
				t.Errorf("looked at alone, %q is %v (%v, %v), not %v", e.name, alone, counts, err, e)
			}
		}
		return nil
	}))
	slices.Sort(names)
	return names
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// counts says what look says of a name.
func counts(t *testing.T, f Folder, name string, own ...string) bool {
	t.Helper()
	r, err := newRules(f.Path, f, own)
	must(t, err)
	_, counts, err := stat(r, filepath.FromSlash(name))
	must(t, err)
	return counts
}

func TestScan(t *testing.T) {
	tree := func(t *testing.T, names ...string) string {
		t.Helper()
		root := t.TempDir()
		for _, name := range names {
			writeAt(t, filepath.Join(root, filepath.FromSlash(name)), "content of "+name)
		}
		return root
	}
	t.Run("files, with subfolders and without", func(t *testing.T) {
		root := tree(t, "a.jpg", "sub/b.jpg", "sub/deep/c.jpg")
		same(t, found(t, Folder{Path: root}), []string{"a.jpg"})
		same(t, found(t, Folder{Path: root, Subfolders: true}), []string{"a.jpg", "sub/", "sub/b.jpg", "sub/deep/", "sub/deep/c.jpg"})
		if counts(t, Folder{Path: root}, "sub") || counts(t, Folder{Path: root}, "sub/b.jpg") {
			t.Error("looked at alone, what lies below counts without subfolders")
		}
	})
	t.Run("what never counts, and what is skipped, wherever it lies", func(t *testing.T) {
		hidden := []string{
			"a.part", ".hidden/a.jpg", "sub/.a.jpg", "clip.download/clip.mov", "sub/clip.tmp/a.jpg", "drafts/a.jpg", "sub/Drafts/deep/b.jpg", "sub/old-1.jpg",
		}
		f := Folder{Path: tree(t, append(hidden, "sub/a.jpg")...), Subfolders: true, Skip: []string{"drafts", "old-*"}}
		same(t, found(t, f), []string{"sub/", "sub/a.jpg"})
		for _, name := range append(hidden, ".hidden", "sub/Drafts", "clip.download") {
			if counts(t, f, name) {
				t.Errorf("looked at alone, %q counts", name)
			}
		}
	})
	t.Run("an empty file does not count", func(t *testing.T) {
		root := tree(t, "a.jpg")
		writeAt(t, filepath.Join(root, "empty.jpg"), "")
		same(t, found(t, Folder{Path: root}), []string{"a.jpg"})
		if counts(t, Folder{Path: root}, "empty.jpg") {
			t.Error("looked at alone, it does")
		}
	})
	t.Run("the app's own folders are passed over, under any name", func(t *testing.T) {
		f := Folder{Path: tree(t, "a.jpg", "app/data/own.jpg", "app/b.jpg"), Subfolders: true}
		own := filepath.Join(f.Path, "app", "data")
		same(t, found(t, f, own, filepath.Join(f.Path, "not there")), []string{"a.jpg", "app/", "app/b.jpg"})
		if counts(t, f, "app/data", own) || counts(t, f, "app/data/own.jpg", own) {
			t.Error("looked at alone, they count")
		}
		if app := filepath.Join(f.Path, "app"); counts(t, f, "app", app) || counts(t, f, "app/b.jpg", app) {
			t.Error("looked at alone, one at the top counts")
		}
	})
	t.Run("from a folder below, which is not reported itself", func(t *testing.T) {
		f := Folder{Path: tree(t, "a.jpg", "sub/b.jpg", "sub/deep/c.jpg", ".no/d.jpg"), Subfolders: true}
		r, err := newRules(f.Path, f, nil)
		must(t, err)
		from := func(below string) (names []string) {
			must(t, scan(t.Context(), r, below, func(e entry) error {
				names = append(names, filepath.ToSlash(e.name))
				return nil
			}))
			return names
		}
		same(t, from("sub"), []string{"sub/b.jpg", "sub/deep", "sub/deep/c.jpg"})
		same(t, from(".no"), nil)
		same(t, from("a.jpg"), nil)
		if err := scan(t.Context(), r, "none", nil); !errors.Is(err, ErrNoFolder) {
			t.Errorf("one that is not there: %v", err)
		}
	})
	t.Run("a folder is reported before what lies in it is read", func(t *testing.T) {
		f := Folder{Path: tree(t, "sub/a.jpg"), Subfolders: true}
		r, err := newRules(f.Path, f, nil)
		must(t, err)
		var names []string
		must(t, scan(t.Context(), r, "", func(e entry) error {
			names = append(names, filepath.ToSlash(e.name))
			if e.dir {
				writeAt(t, filepath.Join(f.Path, e.name, "b.jpg"), "one")
			}
			return nil
		}))
		slices.Sort(names)
		same(t, names, []string{"sub", "sub/a.jpg", "sub/b.jpg"})
	})
	t.Run("size, time and number are those of the file, which keeps its number when it is renamed", func(t *testing.T) {
		root := tree(t, "a.jpg")
		at := time.Unix(1_700_000_000, 123_456_000)
		must(t, os.Chtimes(filepath.Join(root, "a.jpg"), at, at))
		r, err := newRules(root, Folder{Path: root}, nil)
		must(t, err)
		before, _, err := stat(r, "a.jpg")
		must(t, err)
		if before.size != int64(len("content of a.jpg")) || before.time != at.UnixNano() || before.dir {
			t.Errorf("%+v", before)
		}
		must(t, os.Rename(filepath.Join(root, "a.jpg"), filepath.Join(root, "b.jpg")))
		after, _, err := stat(r, "b.jpg")
		must(t, err)
		if before.name = "b.jpg"; before != after {
			t.Errorf("%+v, then %+v", before, after)
		}
		info, err := os.Stat(filepath.Join(root, "b.jpg"))
		must(t, err)
		if fileNumber(info) != after.file {
			t.Error("the number of what was opened is another")
		}
	})
	t.Run("more files than are held in memory at once", func(t *testing.T) {
		root := t.TempDir()
		for n := range 3*readAtOnce + 1 {
			writeAt(t, filepath.Join(root, fmt.Sprintf("%d.jpg", n)), "one")
		}
		equal(t, len(found(t, Folder{Path: root})), 3*readAtOnce+1)
	})
	t.Run("it ends with the error of who is told, and with ctx", func(t *testing.T) {
		f := Folder{Path: tree(t, "a.jpg", "sub/b.jpg"), Subfolders: true}
		r, err := newRules(f.Path, f, nil)
		must(t, err)
		enough := errors.New("enough")
		for _, at := range []string{"a.jpg", "sub", filepath.Join("sub", "b.jpg")} {
			got := scan(t.Context(), r, "", func(e entry) error {
				if e.name == at {
					return enough
				}
				return nil
			})
			if got != enough { //nolint:errorlint // this very one
				t.Errorf("at %s: %v", at, got)
			}
			ctx, cancel := context.WithCancel(t.Context())
			got = scan(ctx, r, "", func(e entry) error {
				if e.name == at {
					cancel()
				}
				return nil
			})
			if at == "sub" && !errors.Is(got, context.Canceled) {
				t.Errorf("cancelled at %s: %v", at, got)
			}
			cancel()
		}
	})
	t.Run("a folder that is not there, and one that is a file", func(t *testing.T) {
		root := tree(t, "a.jpg")
		for path, want := range map[string]error{"none": ErrNoFolder, "a.jpg": ErrNotFolder} {
			f := Folder{Path: filepath.Join(root, path)}
			err := List(t.Context(), f, nil, func(Known) error { return nil })
			var problem *Problem
			if !errors.As(err, &problem) || !errors.Is(problem.Kind, want) || problem.Path != f.Path {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
	t.Run("a folder that goes away while the others are read", func(t *testing.T) {
		f := Folder{Path: tree(t, "one/a.jpg", "two/b.jpg"), Subfolders: true}
		r, err := newRules(f.Path, f, nil)
		must(t, err)
		must(t, scan(t.Context(), r, "", func(e entry) error {
			if e.unread != nil {
				t.Errorf("%s is unread: %v", e.name, e.unread)
			}
			return os.RemoveAll(filepath.Join(f.Path, e.name))
		}))
	})
	t.Run("what is not there any more says so", func(t *testing.T) {
		f := Folder{Path: tree(t, "sub/a.jpg"), Subfolders: true}
		r, err := newRules(f.Path, f, nil)
		must(t, err)
		for _, name := range []string{"b.jpg", "none/b.jpg", "sub/a.jpg/b.jpg"} {
			_, counts, err := stat(r, filepath.FromSlash(name))
			if counts || err != nil && !errors.Is(err, fs.ErrNotExist) || err == nil && name != "sub/a.jpg/b.jpg" {
				t.Errorf("%s: %v, %v", name, counts, err)
			}
		}
	})
	t.Run("the root itself", func(t *testing.T) {
		root := tree(t, "a.jpg")
		r, err := newRules(root, Folder{Path: root}, nil)
		must(t, err)
		if e, counts, err := stat(r, ""); err != nil || !counts || !e.dir {
			t.Errorf("%+v, %v, %v", e, counts, err)
		}
		must(t, os.RemoveAll(root))
		if _, _, err := stat(r, ""); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("gone: %v", err)
		}
	})
}

func TestList(t *testing.T) {
	t.Run("gives the files that count, without their contents", func(t *testing.T) {
		root := t.TempDir()
		writeAt(t, filepath.Join(root, "sub", "a.jpg"), "one")
		writeAt(t, filepath.Join(root, "b.part"), "one")
		var all []Known
		must(t, List(t.Context(), Folder{Path: root, Subfolders: true}, nil, func(k Known) error {
			all = append(all, k)
			return nil
		}))
		if len(all) != 1 || all[0].Name != filepath.Join("sub", "a.jpg") || all[0].Size != 3 || all[0].Time == 0 || all[0].SHA256 != (Sum{}) {
			t.Errorf("%+v", all)
		}
	})
	t.Run("refuses a malformed pattern", func(t *testing.T) {
		if err := List(t.Context(), Folder{Path: t.TempDir(), Only: []string{"["}}, nil, nil); !errors.Is(err, ErrBadPattern) {
			t.Error(err)
		}
	})
}

// BenchmarkScan compares the scan of 10,000 files with what the standard library does for it.
func BenchmarkScan(b *testing.B) {
	root := b.TempDir()
	for n := range 10_000 {
		writeAt(b, filepath.Join(root, fmt.Sprintf("IMG_%05d.jpg", n)), "one")
	}
	r, err := newRules(root, Folder{Path: root, Subfolders: true, Skip: []string{"draft*"}}, []string{b.TempDir()})
	must(b, err)
	b.Run("scan", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			must(b, scan(b.Context(), r, "", func(entry) error { n++; return nil }))
			if n != 10_000 {
				b.Fatal(n)
			}
		}
	})
	b.Run("peer", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			all, err := os.ReadDir(root)
			must(b, err)
			for _, d := range all {
				_, err := d.Info()
				must(b, err)
			}
		}
	})
}
