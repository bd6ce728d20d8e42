//go:build unix

package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

// homeWith makes a home with records and settings, whose modes a test changes.
func homeWith(t *testing.T, modes map[string]fs.FileMode) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "above", "home")
	for _, folder := range []string{home, filepath.Join(home, "https+service.example")} {
		assert.NoError(t, os.MkdirAll(folder, 0o750))
	}
	for _, name := range []string{"settings.json", "https+service.example/assay.db", "https+service.example/assay.db-wal", "https+service.example/lock"} {
		assert.NoError(t, os.WriteFile(filepath.Join(home, name), []byte("{}"), 0o600))
	}
	for name, mode := range modes {
		assert.NoError(t, os.Chmod(filepath.Join(home, name), mode))
	}
	return home
}

const (
	saysWritable = "Other users of this computer may write to Assay's folder"
	saysSwapped  = "could replace Assay's folder"
	saysReadable = "Other users of this computer may read"
	saysRoot     = "Assay runs as root in another user's folder"
	saysRecords  = "Other users of this computer may have changed"
)

func TestAHomeThatOthersMayWriteTo(t *testing.T) {
	for _, at := range []struct {
		name    string
		modes   map[string]fs.FileMode
		warns   string // "" for nothing
		refused bool
	}{
		{"one of their own", nil, "", false},
		{"others may write to it", map[string]fs.FileMode{".": 0o757}, saysWritable, false},
		{"others may write to it, and only remove what is theirs", map[string]fs.FileMode{".": 0o757 | fs.ModeSticky}, "", false},
		{"others may write to the folder above", map[string]fs.FileMode{"..": 0o757}, saysSwapped, false},
		{"others may write to the folder above, and only remove what is theirs", map[string]fs.FileMode{"..": 0o757 | fs.ModeSticky}, "", false},
		{"others may write to the folder above a closed one", map[string]fs.FileMode{"..": 0o757, ".": 0o700}, saysSwapped, false},
		{"others may read the settings", map[string]fs.FileMode{".": 0o755, "settings.json": 0o644}, saysReadable, false},
		{"others may read the records", map[string]fs.FileMode{".": 0o755, "https+service.example": 0o755, "https+service.example/assay.db": 0o604}, saysReadable, false},
		{"others may write the settings", map[string]fs.FileMode{".": 0o755, "settings.json": 0o646}, saysRecords, true},
		{"others may write the records", map[string]fs.FileMode{".": 0o755, "https+service.example": 0o755, "https+service.example/assay.db": 0o602}, saysRecords, true},
		{"others may write the records' journal", map[string]fs.FileMode{".": 0o755, "https+service.example": 0o755, "https+service.example/assay.db-wal": 0o602}, saysRecords, true},
		{"others may write the lock", map[string]fs.FileMode{".": 0o755, "https+service.example": 0o755, "https+service.example/lock": 0o606}, saysRecords, true},
		{"others may put records in the place of the records", map[string]fs.FileMode{".": 0o755, "https+service.example": 0o777}, saysRecords, true},
		{"nobody else reaches what is open in a closed home", map[string]fs.FileMode{".": 0o700, "settings.json": 0o666, "https+service.example": 0o777}, "", false},
		{"nor what is open in a closed folder", map[string]fs.FileMode{".": 0o755, "https+service.example": 0o700, "https+service.example/assay.db": 0o666}, "", false},
	} {
		t.Run(at.name, func(t *testing.T) {
			home := homeWith(t, at.modes)
			for _, link := range []bool{false, true} {
				if link { // the same by another way
					way := filepath.Join(t.TempDir(), "link")
					assert.NoError(t, os.Symlink(home, way))
					home = way
				}
				var said strings.Builder
				_, err := (&Options{Home: home, LogLevel: "error", Stderr: &said, Say: func(sentence string) { said.WriteString(sentence) }}).Begin()
				var misuse *Misuse
				if errors.As(err, &misuse) {
					said.WriteString(misuse.Sentence)
				}
				if warned := at.warns != "" && strings.Contains(said.String(), at.warns); (misuse != nil) != at.refused || warned != (at.warns != "") || at.warns == "" && said.String() != "" {
					t.Errorf("by a link: %v, %v: %s", link, err, said.String())
				}
				if at.refused && !strings.Contains(said.String(), "chmod") {
					t.Errorf("it does not say what to do: %s", said.String())
				}
			}
			h, err := NewHost(t.Context(), &Options{Home: home, LogLevel: "error", Stderr: new(strings.Builder)}, HostParams{})
			var misuse *Misuse
			if refused := errors.As(err, &misuse); refused != at.refused {
				t.Fatalf("the window opens: %v", err)
			}
			if at.refused {
				return
			}
			defer h.Close()
			if said := strings.Join(h.Notices(), "\n"); !strings.Contains(said, at.warns) || at.warns == "" && said != "" {
				t.Errorf("the window says %q", said)
			}
		})
	}
	t.Run("one that is not there yet is made for its user alone", func(t *testing.T) {
		home, said := filepath.Join(t.TempDir(), "new", "home"), new(strings.Builder)
		l, err := (&Options{Home: home, LogLevel: "error", Sandbox: true, Stderr: said, Say: func(sentence string) { said.WriteString(sentence) }}).OpenLookup(t.Context())
		if err != nil || said.String() != "" {
			t.Fatalf("%v: %s", err, said.String())
		}
		l.Close()
		if facts, err := os.Stat(home); err != nil || facts.Mode().Perm() != 0o700 {
			t.Errorf("%v, %v", facts.Mode(), err)
		}
	})
}

// TestLinksInAHome is about settings and records that lie elsewhere.
func TestLinksInAHome(t *testing.T) {
	linked := func(t *testing.T, modes map[string]fs.FileMode, name string) (home, target string) {
		t.Helper()
		home = homeWith(t, modes)
		path := filepath.Join(home, name)
		target = filepath.Join(t.TempDir(), "elsewhere")
		assert.NoError(t, os.Rename(path, target))
		assert.NoError(t, os.Symlink(target, path))
		return home, target
	}
	const records = "https+service.example"
	open := map[string]fs.FileMode{".": 0o755, records: 0o755}
	for _, name := range []string{"settings.json", records, records + "/assay.db"} {
		t.Run("that nobody else may write to: "+name, func(t *testing.T) {
			home, _ := linked(t, open, name)
			if found := examineHome(home, os.Geteuid()); found.refusal != "" {
				t.Errorf("refused: %q", found.refusal)
			}
		})
		t.Run("that others may write to: "+name, func(t *testing.T) {
			home, target := linked(t, open, name)
			if err := os.Chmod(target, 0o777); err != nil { //nolint:gosec // what is wrong with it
				t.Fatal(err)
			}
			if found := examineHome(home, os.Geteuid()); !strings.Contains(found.refusal, saysRecords) {
				t.Errorf("refused: %q", found.refusal)
			}
		})
		for of, give := range map[string]func(home, target string) string{
			"whose target is another user's": func(_, target string) string { return target },
			"which is another user's":        func(home, _ string) string { return filepath.Join(home, name) },
		} {
			t.Run(of+": "+name, func(t *testing.T) {
				if os.Geteuid() != 0 {
					t.Skip("only root can give files to others")
				}
				const own, other = 1000, 65534
				home, target := linked(t, open, name)
				for _, root := range []string{home, target} {
					if err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, _ error) error { return os.Lchown(path, own, own) }); err != nil { //nolint:gosec // nobody else is in a test's folder
						t.Fatal(err)
					}
				}
				assert.NoError(t, os.Lchown(give(home, target), other, other))
				if found := examineHome(home, own); !strings.Contains(found.refusal, "belongs to another user") {
					t.Errorf("refused: %q", found.refusal)
				}
			})
		}
	}
}

func TestAHomeOfAnotherUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to others")
	}
	const own, other = 1000, 65534
	give := func(t *testing.T, home string, owner int, names ...string) {
		t.Helper()
		for _, name := range names {
			assert.NoError(t, os.Lchown(filepath.Join(home, name), owner, owner))
		}
	}
	all := []string{".", "settings.json", "https+service.example", "https+service.example/assay.db", "https+service.example/assay.db-wal", "https+service.example/lock"}
	for _, at := range []struct {
		name    string
		others  []string // what belongs to another user
		uid     int
		refused bool
		warns   string
	}{
		{"their own", nil, own, false, ""},
		{"the folder", []string{"."}, own, true, "belongs to another user"},
		{"all of it", all, own, true, "belongs to another user"},
		{"the settings", []string{"settings.json"}, own, true, "belongs to another user"},
		{"the records' folder", []string{"https+service.example"}, own, true, "belongs to another user"},
		{"the records", []string{"https+service.example/assay.db"}, own, true, "belongs to another user"},
		{"the folder above", []string{".."}, own, false, saysSwapped},
		{"all of it, for root", all, 0, false, saysRoot},
	} {
		t.Run(at.name, func(t *testing.T) {
			home := homeWith(t, nil)
			give(t, home, at.uid, all...)
			give(t, home, other, at.others...)
			found := examineHome(home, at.uid)
			if refused := found.refusal != ""; refused != at.refused {
				t.Fatalf("refused: %q", found.refusal)
			}
			said := found.refusal
			for _, warning := range found.warnings {
				said += warning() + "\n"
			}
			if !strings.Contains(said, at.warns) || at.warns == "" && said != "" {
				t.Errorf("it says %q", said)
			}
		})
	}
	t.Run("a link of another user's to a folder of one's own", func(t *testing.T) {
		home, link := homeWith(t, nil), filepath.Join(t.TempDir(), "link")
		give(t, home, own, all...)
		assert.NoError(t, os.Symlink(home, link))
		give(t, filepath.Dir(link), other, "link")
		if found := examineHome(link, own); !strings.Contains(found.refusal, "belongs to another user") {
			t.Errorf("refused: %q", found.refusal)
		}
	})
}
