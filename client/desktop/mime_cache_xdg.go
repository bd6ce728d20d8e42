//go:build unix && !darwin

package desktop

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/client/bounded"
)

// cacheName is the file in which GNOME, Xfce and others look up which entries take a type of file. A program of theirs makes it of the
// entries, but Assay starts no programs, so it writes its own lines.
const cacheName = "mimeinfo.cache"

const cacheHead = "[MIME Cache]"

// cache writes Assay into the person's cache, or takes it out. Where no program was chosen for a type, these desktops open a file with
// the first one of the person's cache, and a double click must never send a file: so all that the system knows of is named before it.
func (e Entries) cache(on bool, path string) error {
	text, err := bounded.ReadFile(path, largestEntry)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil && !on {
		return nil
	}
	own := parseCache(string(text))
	var system []map[string][]string
	for _, folder := range e.systemFolders() {
		text, err := bounded.ReadFile(filepath.Join(folder, "applications", cacheName), largestEntry)
		if err == nil { // else it names nobody
			system = append(system, parseCache(string(text)))
		}
	}
	for _, kind := range mimeTypes {
		entries := slices.DeleteFunc(own[kind], func(name string) bool {
			_, err := os.Lstat(filepath.Join(filepath.Dir(path), name))
			return name == entryName || err != nil // named by an earlier call alone
		})
		if on {
			for _, others := range system {
				for _, other := range others[kind] {
					if other != entryName && !slices.Contains(entries, other) {
						entries = append(entries, other)
					}
				}
			}
			entries = append(entries, entryName)
		}
		own[kind] = entries
	}
	content := writeCache(own)
	if !on && content == cacheHead+"\n" {
		return remove(path)
	}
	return put(path, []byte(content))
}

// parseCache reads which entries take which type, in their order.
func parseCache(text string) map[string][]string {
	entries := map[string][]string{}
	for line := range strings.Lines(text) {
		kind, names, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.HasPrefix(kind, "#") || strings.HasPrefix(kind, "[") {
			continue
		}
		for name := range strings.SplitSeq(names, ";") {
			if name != "" {
				entries[kind] = append(entries[kind], name)
			}
		}
	}
	return entries
}

func writeCache(entries map[string][]string) string {
	lines := []string{cacheHead}
	for kind, names := range entries {
		if len(names) > 0 {
			lines = append(lines, kind+"="+strings.Join(names, ";")+";")
		}
	}
	slices.Sort(lines[1:])
	return strings.Join(lines, "\n") + "\n"
}
