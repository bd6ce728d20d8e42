package bundle

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// openFolder lists a folder's files. Links, pipes and devices in it are findings: nothing outside the folder is read, and nothing is waited for.
func openFolder(where string) (*source, error) {
	root, err := os.OpenRoot(where)
	if err != nil {
		return nil, &ReadError{Problem: Unreadable, Err: err}
	}
	w := walker{root: root, lister: lister{source: source{close: root.Close}, seen: map[string]string{}}}
	if err := w.walk("", 0); err != nil {
		_ = root.Close() // only read from
		return nil, err
	}
	return &w.source, nil
}

type walker struct {
	lister
	root *os.Root
}

// atATime is how many names are read of a folder at a time, which may have millions.
const atATime = 1000

// walk lists a folder below the root, "" for the root itself.
func (w *walker) walk(folder string, depth int) error {
	opened, err := w.root.Open(orHere(folder))
	if err != nil {
		w.findings = append(w.findings, finding(FileUnread, folder))
		return nil
	}
	var below []string
	for err == nil {
		var entries []fs.DirEntry
		entries, err = opened.ReadDir(atATime)
		for _, entry := range entries {
			name := entry.Name()
			if folder != "" {
				name = folder + "/" + name
			}
			var more bool
			switch {
			case entry.IsDir() && depth+1 < mostDepth && len(name) <= longestPath:
				below = append(below, name)
				more = len(below)+len(w.seen) < mostFiles
			case !entry.Type().IsRegular(): // or a folder that is too deep
				w.findings = append(w.findings, finding(NoFile, name))
				more = len(w.findings) < mostFiles
			default:
				more = w.addFile(name, entry)
			}
			if !more {
				_ = opened.Close() // only read from
				return &ReadError{Problem: TooLarge}
			}
		}
	}
	_ = opened.Close() // only read from
	if !errors.Is(err, io.EOF) {
		w.findings = append(w.findings, finding(FileUnread, folder))
	}
	for _, name := range below {
		if err := w.walk(name, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// orHere names the folder itself.
func orHere(folder string) string {
	if folder == "" {
		return "."
	}
	return folder
}

// addFile adds a file of a folder.
func (w *walker) addFile(name string, entry fs.DirEntry) (more bool) {
	facts, err := entry.Info()
	if err != nil {
		w.findings = append(w.findings, finding(FileUnread, name))
		return len(w.findings) < mostFiles
	}
	return w.add(file{name: name, size: facts.Size(), open: func() (io.ReadCloser, error) { return w.open(name) }})
}

// open opens a file, unless a pipe or a device has taken its place.
func (w *walker) open(name string) (io.ReadCloser, error) {
	opened, err := w.root.OpenFile(name, readFlags, 0)
	if err != nil {
		return nil, err
	}
	if facts, err := opened.Stat(); err != nil || !facts.Mode().IsRegular() {
		return nil, errors.Join(err, opened.Close(), errNoFile)
	}
	return opened, nil
}

// errNoFile is of what is no regular file.
var errNoFile = errors.New("not a regular file")
