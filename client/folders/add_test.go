package folders_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/folders"
	"assay/client/submission"
)

func TestWhatAFolderHoldsWhenItIsAdded(t *testing.T) {
	fill := func(t *testing.T) (in string, chosen string) {
		in = t.TempDir()
		write(t, filepath.Join(in, "a.txt"), "first")
		write(t, filepath.Join(in, "picture.xmp"), "not supported")
		write(t, filepath.Join(in, ".hidden.txt"), "hidden")
		write(t, filepath.Join(in, "empty.txt"), "")
		return in, write(t, filepath.Join(in, "sub", "b.txt"), "second")
	}
	for _, c := range []struct {
		name  string
		begin folders.Begin
		want  []string
	}{
		{"is left alone", folders.OnlyNew, nil},
		{"is taken", folders.All, []string{"a.txt done", "b.txt done"}},
		{"is taken as far as it was chosen", folders.Chosen, []string{"b.txt done"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := setup(t)
			in, chosen := fill(t)
			id := d.add(sends(in), c.begin, chosen)
			write(t, filepath.Join(in, "new.txt"), "third")
			want := append([]string{"new.txt done"}, c.want...)
			d.becomes(want...)
			d.until("all are counted", func() bool { return d.folder(id).Answered == len(want) })
			d = d.again()
			write(t, filepath.Join(in, "newer.txt"), "fourth")
			d.becomes(append(want, "newer.txt done")...)
		})
	}
	t.Run("is announced once it is complete, if it was half written", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		half, err := os.Create(filepath.Join(in, "half.txt"))
		assert.NoError(t, err)
		if _, err := half.WriteString("the first half, "); err != nil {
			t.Fatal(err)
		}
		d.add(sends(in), folders.OnlyNew)
		write(t, filepath.Join(in, "whole.txt"), "whole")
		d.becomes("whole.txt done")
		if _, err := half.WriteString("the second half"); err != nil {
			t.Fatal(err)
		}
		assert.NoError(t, half.Close())
		d.becomes("whole.txt done", "half.txt done")
		if want := []string{"the first half, the second half", "whole"}; !slices.Equal(d.service.contents(), want) {
			t.Errorf("%q was sent, want %q", d.service.contents(), want)
		}
	})
	t.Run("is counted, and the newest listed", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		now := time.Now()
		const many = folders.InsideListed + 20
		var size int64
		for n := range many {
			path := write(t, filepath.Join(in, fmt.Sprintf("%d.txt", n)), fmt.Sprintf("statement %d", n))
			at := now.Add(-time.Duration((n*7)%many) * time.Minute)
			assert.NoError(t, os.Chtimes(path, at, at))
			size += int64(len(fmt.Sprintf("statement %d", n)))
		}
		write(t, filepath.Join(in, "other.xmp"), "not supported")
		inside, err := d.Look(t.Context(), sends(in))
		assert.NoError(t, err)
		if inside.Files != many || inside.Bytes != size || len(inside.Newest) != folders.InsideListed {
			t.Errorf("%d files of %d bytes, %d listed", inside.Files, inside.Bytes, len(inside.Newest))
		}
		for n := range inside.Newest {
			if want := now.Add(-time.Duration(n) * time.Minute); !inside.Newest[n].Time.Equal(want) {
				t.Fatalf("number %d is of %v, want %v", n, inside.Newest[n].Time, want)
			}
		}
		if first := inside.Newest[0]; first.Name != "0.txt" || first.Path != filepath.Join(in, "0.txt") || first.Size != int64(len("statement 0")) {
			t.Errorf("the first is %+v", first)
		}
		if all := d.All(); len(all) > 0 || len(d.inbox()) > 0 {
			t.Error("looking at a folder watches it")
		}
	})
}

func TestFoldersThatAreInEachOthersWay(t *testing.T) {
	root := t.TempDir()
	outer := filepath.Join(root, "outer")
	inner := filepath.Join(outer, "middle", "inner")
	assert.NoError(t, os.MkdirAll(inner, 0o700))
	link := filepath.Join(root, "link")
	if err := os.Symlink(outer, link); err != nil {
		t.Skip("no links here:", err)
	}
	flat := func(path string) folders.Settings { s := sends(path); s.Subfolders = false; return s }
	for _, c := range []struct {
		name          string
		first, second folders.Settings
		want          string // "": they are not
	}{
		{"twice the same", sends(outer), sends(outer), "is already watched"},
		{"the same by a link", sends(outer), sends(link), "is the same as “" + outer + "”"},
		{"one inside another", sends(outer), sends(inner), "is inside “" + outer + "”"},
		{"one inside another, by a link", sends(outer), sends(filepath.Join(link, "middle")), "is inside “" + outer + "”"},
		{"one around another", sends(inner), sends(outer), "contains “" + inner + "”"},
		{"one around another, by a link", sends(inner), sends(link), "contains “" + inner + "”"},
		{"one inside another that leaves out the folders in it", flat(outer), sends(inner), ""},
		{"one around another without the folders in it", sends(inner), flat(outer), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := setup(t)
			d.add(c.first, folders.OnlyNew)
			_, err := d.Add(t.Context(), c.second, folders.OnlyNew, nil)
			if c.want == "" {
				if err != nil || len(d.All()) != 2 {
					t.Errorf("%v, and %+v are watched", err, d.All())
				}
				return
			}
			if got := sentence(t, err); !strings.Contains(got, c.want) {
				t.Errorf("%q does not say %q", got, c.want)
			}
			if len(d.All()) != 1 {
				t.Errorf("%+v are watched", d.All())
			}
		})
	}
	t.Run("once the folders in one are to count", func(t *testing.T) {
		d := setup(t)
		d.add(sends(inner), folders.OnlyNew)
		id := d.add(flat(outer), folders.OnlyNew)
		if err := d.Change(t.Context(), id, sends(outer)); !strings.Contains(sentence(t, err), "contains “"+inner+"”") {
			t.Errorf("%v", err)
		}
	})
}

func TestAHundredFolders(t *testing.T) {
	d, root := setup(t), t.TempDir()
	var want []string
	for n := range 100 {
		in := filepath.Join(root, fmt.Sprint(n))
		assert.NoError(t, os.MkdirAll(in, 0o700))
		s := sends(in)
		s.Gate = submission.GateNever
		d.add(s, folders.OnlyNew)
	}
	for n := range 100 {
		write(t, filepath.Join(root, fmt.Sprint(n), fmt.Sprintf("%d.txt", n)), fmt.Sprint(n))
		want = append(want, fmt.Sprintf("%d.txt stays", n))
	}
	d.becomes(want...)
	d.until("all are counted", func() bool {
		return !slices.ContainsFunc(d.All(), func(f folders.Folder) bool { return f.Taken != 1 })
	})
	for n, f := range d.All() {
		if filepath.Base(f.Path) != fmt.Sprint(n) {
			t.Fatalf("number %d is %s", n, f.Path)
		}
	}
	d = d.again()
	d.until("all are counted again", func() bool {
		return len(d.All()) == 100 && !slices.ContainsFunc(d.All(), func(f folders.Folder) bool {
			return f.Taken != 1 || f.LastName == "" || f.LastAt.IsZero()
		})
	})
}

func TestNamesInAnyEncoding(t *testing.T) {
	d, root := setup(t), t.TempDir()
	in := filepath.Join(root, "Ordner \xfcber \xe9t\xe9")
	name := "caf\xe9 \xff.txt"
	if err := os.MkdirAll(in, 0o700); err != nil {
		t.Skip("the file system takes no such name:", err)
	}
	id := d.add(sends(in), folders.OnlyNew)
	path := write(t, filepath.Join(in, name), "bytes are bytes")
	d.until("it is answered", func() bool { return d.folder(id).Answered == 1 })
	if s := d.queue.All()[0]; s.Path != path || s.Folder != in {
		t.Errorf("it lies at %q in %q", s.Path, s.Folder)
	}
	d = d.again()
	if got := d.folder(id); got.Path != in {
		t.Errorf("the folder is %q", got.Path)
	}
	write(t, filepath.Join(in, "n\xe4chstes.txt"), "more bytes")
	d.until("the next is answered, and the first not once more", func() bool { return d.folder(id).Answered == 2 && d.folder(id).Taken == 2 })
}

func TestLookingEndsWithItsContext(t *testing.T) {
	d, in := setup(t), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Look(ctx, sends(in)); err == nil {
		t.Error("it goes on")
	}
	if _, err := d.Add(ctx, sends(in), folders.OnlyNew, nil); err == nil {
		t.Error("it goes on")
	}
}
