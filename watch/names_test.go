package watch

import (
	"errors"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	compiled := func(t *testing.T, f Folder) rules {
		t.Helper()
		f.Path = "/in"
		r, err := newRules(f.Path, f, nil)
		must(t, err)
		return r
	}
	t.Run("what is being downloaded, hidden, or written by a program for itself never counts", func(t *testing.T) {
		all := compiled(t, Folder{})
		for _, name := range []string{
			"a.tmp", "a.TMP", "a.jpg.temp", "a.mov.part", "a.partial", "a.crdownload", "a.Download", "a.opdownload", "~$letter.docx",
			".~lock.a.odt#", ".hidden.jpg", ".DS_Store", "._a.jpg", "Thumbs.db", "thumbs.DB", "desktop.ini", ".part",
		} {
			if all.fileName(name) || all.folderName(name) {
				t.Errorf("%q counts", name)
			}
		}
		for _, name := range append([]string{"a.jpg", "tmp", "part", "a.tmp.jpg", "~a.jpg", "a~$.jpg", "thumbs.db.jpg", "a.", "A.PARTY"}, oddTestNames...) {
			if !all.fileName(name) || !all.folderName(name) {
				t.Errorf("%q does not count", name)
			}
		}
	})
	t.Run("the names that never count can be asked for", func(t *testing.T) {
		named := compiled(t, Folder{Skip: NamesThatNeverCount()})
		for _, name := range []string{"a.tmp", ".a", "~$a", "Thumbs.db", "a.Download"} {
			if !matches(named.skip, name) {
				t.Errorf("%q is not among them", name)
			}
		}
		if matches(named.skip, "a.jpg") {
			t.Error("a.jpg is among them")
		}
	})
	t.Run("only what a pattern names counts; folders are looked into all the same", func(t *testing.T) {
		r := compiled(t, Folder{Only: []string{"*.jp*g", "IMG_[0-9]?.*"}})
		for name, counts := range map[string]bool{
			"a.jpg": true, "A.JPEG": true, "img_12.mov": true, "IMG_12.MOV": true, "a.png": false, "IMG_1.mov": false, "a.jpg.part": false,
		} {
			if r.fileName(name) != counts {
				t.Errorf("%q: %v", name, !counts)
			}
		}
		if !r.folderName("pictures") {
			t.Error("a folder is not looked into")
		}
	})
	t.Run("what a pattern skips does not, files and folders", func(t *testing.T) {
		r := compiled(t, Folder{Skip: []string{"draft*", "ÄLTER", `\[x\]*`}, Only: []string{"*"}})
		for name, counts := range map[string]bool{
			"Draft-1.jpg": false, "älter": false, "[X]1": false, "x.jpg": true, "draf": true,
		} {
			if r.fileName(name) != counts || r.folderName(name) != counts {
				t.Errorf("%q: %v", name, !counts)
			}
		}
	})
	t.Run("bytes that are no UTF-8 are matched too", func(t *testing.T) {
		r := compiled(t, Folder{Only: []string{"?*.jpg"}})
		if !r.fileName("\xff\xfe.JPG") || r.fileName("\xff\xfe.png") {
			t.Error("they are not")
		}
	})
	t.Run("a pattern that can match nothing is refused by name", func(t *testing.T) {
		for _, pattern := range []string{"[", "a[]", "[a-", `a\`, "", "  ", "sub/*.jpg", "*[^]"} {
			for _, f := range []Folder{{Only: []string{"*.jpg", pattern}}, {Skip: []string{pattern}}} {
				_, err := newRules("/in", f, nil)
				var problem *Problem
				if !errors.As(err, &problem) || !errors.Is(problem.Kind, ErrBadPattern) || problem.Pattern != pattern {
					t.Errorf("%q: %v", pattern, err)
					continue
				}
				if !errors.Is(err, ErrBadPattern) || !strings.Contains(err.Error(), pattern) {
					t.Errorf("%q: %v", pattern, err)
				}
			}
		}
	})
	t.Run("a path is the root and the name", func(t *testing.T) {
		for root, want := range map[string]string{"/": "/a.jpg", "/in": "/in/a.jpg"} {
			if got := (rules{root: root}).path("a.jpg"); strings.ReplaceAll(got, `\`, "/") != want {
				t.Errorf("%q, not %q", got, want)
			}
		}
	})
}

// oddTestNames are names that some systems do not take, and that count where they stand.
var oddTestNames = []string{
	"a\nb.jpg", "\xff\xfe.jpg", "\u202egpj.exe.jpg", "e\u0301.jpg", "\u00e9.jpg", " .jpg", "-rf.jpg", `back\slash.jpg`,
	strings.Repeat("n", 251) + ".jpg", "*?[.jpg", "a\tb.jpg",
}
