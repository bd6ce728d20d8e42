package inbox_test

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/intake"
	"assay/gui/inbox"
)

func TestPastedText(t *testing.T) {
	root, address := "/", "file:///"
	if runtime.GOOS == "windows" {
		root, address = `C:\`, "file:///C:/"
	}
	at := func(names ...string) string { return root + filepath.Join(names...) }
	for _, c := range []struct {
		name, text string
		want       inbox.Pasted
	}{
		{"nothing is nothing", "", inbox.Pasted{}},
		{"empty lines are nothing", " \n\r\n\t\n", inbox.Pasted{}},
		{"a link", " https://example.org/clip ", inbox.Pasted{Links: []string{"https://example.org/clip"}}},
		{"links, a line each, whatever ends the lines", "https://example.org/a\r\nhttp://example.org/b?c=d#e\rhttps://example.org/f\n\n",
			inbox.Pasted{Links: []string{"https://example.org/a", "http://example.org/b?c=d#e", "https://example.org/f"}}},
		{"a whole path, which may have spaces", at("home", "my picture.jpg"), inbox.Pasted{Paths: []string{at("home", "my picture.jpg")}}},
		{"a path in quotes, as file managers copy it", `"` + at("home", "a.jpg") + `"` + "\n'" + at("b") + "'", inbox.Pasted{Paths: []string{at("home", "a.jpg"), at("b")}}},
		{"an address of a file", address + "home/my%20picture.jpg\nfile://localhost" + strings.TrimPrefix(address, "file://") + "b",
			inbox.Pasted{Paths: []string{at("home", "my picture.jpg"), at("b")}}},
		{"links and paths together", "https://example.org/a\n" + at("b.jpg"), inbox.Pasted{Links: []string{"https://example.org/a"}, Paths: []string{at("b.jpg")}}},
		{"anything else, and nothing of it is taken", "https://example.org/a\nand this", inbox.Pasted{Other: true}},
		{"a sentence with a link", "See https://example.org/a", inbox.Pasted{Other: true}},
		{"a path that is not whole", "pictures/a.jpg", inbox.Pasted{Other: true}},
		{"a file on another computer", "file://server/share/a.jpg", inbox.Pasted{Other: true}},
		{"an address whose end would be left out", address + "photo#2.jpg", inbox.Pasted{Other: true}},
		{"an address of another kind", "ftp://example.org/a", inbox.Pasted{Other: true}},
		{"an address that would run something", "javascript:alert(1)", inbox.Pasted{Other: true}},
		{"a path with a control character", address + "a%0Ab", inbox.Pasted{Other: true}},
		{"a list without end", strings.Repeat("https://example.org/a\n", 20_000), inbox.Pasted{Other: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, inbox.PastedText(c.text))
		})
	}
}

func FuzzPastedText(f *testing.F) {
	for _, text := range []string{"", "https://example.org/a\r\nhttp://b", `"C:\a b.jpg"`, "file:///a%00b", "'/a'", "\"", "https://%zz", "/../..", "file:relative"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := inbox.PastedText(text)
		if p.Other && len(p.Links)+len(p.Paths) > 0 {
			t.Error("something is taken of what was not understood")
		}
		for _, link := range p.Links {
			if !strings.HasPrefix(link, "http://") && !strings.HasPrefix(link, "https://") {
				t.Errorf("link %q", link)
			}
		}
		for _, path := range p.Paths {
			if !filepath.IsAbs(path) || filepath.Clean(path) != path {
				t.Errorf("path %q", path)
			}
		}
		for _, taken := range append(p.Links, p.Paths...) {
			if strings.ContainsAny(taken, "\x00\n\r") {
				t.Errorf("%q holds a control character", taken)
			}
		}
	})
}

func TestAcceptedText(t *testing.T) {
	for _, c := range []struct {
		name string
		of   intake.Accepted
		want string
	}{
		{"files say nothing: each has its row", intake.Accepted{IDs: []string{"a", "b"}}, ""},
		{"a folder", intake.Accepted{IDs: []string{"a", "b"}, Folders: 1}, "2 files added."},
		{"one file", intake.Accepted{IDs: []string{"a"}, Folders: 1}, "1 file added."},
		{"an empty folder", intake.Accepted{Folders: 1}, "No file added: there is none in it."},
		{"a folder of other things", intake.Accepted{Folders: 1, Unsupported: 3}, "No file added. Left out: 3 of a type that is not supported."},
		{"their kinds are named", intake.Accepted{Folders: 1, Unsupported: 3, Kinds: []string{".psd", ".docx"}}, "No file added. Left out: 3 of a type that is not supported (.psd, .docx)."},
		{"pipes and links", intake.Accepted{IDs: []string{"a"}, Folders: 1, Links: 2, Special: 1},
			"1 file added. Left out: 2 that only point to another place, 1 that is a pipe or a device."},
		{"what was left out, by reason", intake.Accepted{IDs: []string{"a"}, Folders: 2, Hidden: 2, Unsupported: 1, Unreadable: 4},
			"1 file added. Left out: 1 of a type that is not supported, 2 hidden, 4 can't be read."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := inbox.AcceptedText(c.of); got != c.want {
				t.Errorf("it says %q, not %q", got, c.want)
			}
		})
	}
}
