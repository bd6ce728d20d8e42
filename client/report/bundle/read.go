package bundle

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"assay/client/bounded"
)

// Limits of what is read. Bundles come from strangers: a larger one is not read at all.
const (
	mostFiles    = 1 << 20  // of a bundle
	mostDepth    = 16       // of its folders
	longestPath  = 1000     // of a path in it, in bytes
	longestPart  = 255      // of a part of such a path, in bytes
	largestList  = 1 << 27  // of a manifest, or of the directory of a zip, in bytes
	largestSmall = 64 << 20 // of another file that is kept in memory
)

// file is one of a bundle's files, as it is found.
type file struct {
	name string // its path from the bundle's own folder, with slashes
	size int64  // bytes
	open func() (io.ReadCloser, error)
}

// source is what a bundle is read from.
type source struct {
	files []file // those that can be read, in the order in which they are found
	// findings are what is no file, or has a name that a bundle can't have: none of it is opened.
	findings []Finding
	close    func() error
}

// openSource lists the files of a folder or a zip. It writes nothing, and opens nothing but the folders or the zip. Its error is a *ReadError.
func openSource(where string) (*source, error) {
	facts, err := os.Stat(where)
	switch {
	case err != nil:
		return nil, &ReadError{Problem: notFound(err), Err: err}
	case facts.IsDir():
		return openFolder(where)
	case !facts.Mode().IsRegular():
		return nil, &ReadError{Problem: NoBundle}
	}
	return openZip(where)
}

// notFound tells a file that is not there from one that can't be read.
func notFound(err error) Problem {
	if errors.Is(err, fs.ErrNotExist) {
		return NotThere
	}
	return Unreadable
}

// Split takes the bundles out of the paths, and links, that were handed over. It reads the disk.
func Split(given []string) (rest, bundles []string) {
	for _, path := range given {
		if Is(path) {
			bundles = append(bundles, path)
		} else {
			rest = append(rest, path)
		}
	}
	return rest, bundles
}

// Is reports whether a path is that of a bundle, whole or not: a folder or a zip with what makes it one of Assay's. It reads the disk.
func Is(where string) bool {
	facts, err := os.Stat(where)
	if err != nil || !facts.IsDir() && (!facts.Mode().IsRegular() || !isZip(where)) {
		return false
	}
	if facts.IsDir() { // which may be of millions of files that are none's business
		if inside, err := os.Lstat(filepath.Join(where, BagItFile)); err != nil || !inside.Mode().IsRegular() {
			return false
		}
		about, err := bounded.ReadFile(filepath.Join(where, InfoFile), longestHead)
		_, noSeal := os.Lstat(filepath.Join(where, SealFolder))
		return noSeal == nil || err == nil && isOurs(&source{}, parseInfo(about))
	}
	s, err := openZip(where)
	if err != nil {
		return false
	}
	defer s.close() //nolint:errcheck // only read from
	_, there := s.find(BagItFile)
	about, _ := s.find(InfoFile)
	var text []byte
	if about.open != nil {
		text, _ = about.read(longestHead) // what can't be read says nothing
	}
	return there && isOurs(s, parseInfo(text))
}

// find is the file of a name.
func (s *source) find(name string) (file, bool) {
	for _, f := range s.files {
		if f.name == name {
			return f, true
		}
	}
	return file{}, false
}

// read reads one of the source's files whole.
func (f file) read(most int64) ([]byte, error) {
	if f.size > most {
		return nil, &bounded.Refusal{Most: most}
	}
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // only read from
	return bounded.ReadAll(r, most)
}

// devices are names that Windows has for devices, whatever follows a point.
var devices = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true, "conin$": true, "conout$": true,
	"com0": true, "com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt0": true, "lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
	"com¹": true, "com²": true, "com³": true, "lpt¹": true, "lpt²": true, "lpt³": true,
}

// fitsEverywhere reports whether a path can be that of a file in a bundle: below the bundle's folder, and the same file on every system.
func fitsEverywhere(name string) bool {
	if len(name) > longestPath || !utf8.ValidString(name) || strings.Count(name, "/") >= mostDepth {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		stem, _, _ := strings.Cut(strings.ToLower(part), ".")
		switch {
		case part == "", part == ".", part == "..", len(part) > longestPart, devices[strings.TrimRight(stem, " ")],
			strings.HasSuffix(part, "."), strings.HasSuffix(part, " "), strings.HasPrefix(part, " "),
			strings.ContainsAny(part, `\:*?"<>|`), strings.ContainsFunc(part, unicode.IsControl):
			return false
		}
	}
	return true
}

// folded is the same for two names that some system takes for the same.
func folded(name string) string { return strings.ToLower(strings.ToUpper(norm.NFC.String(name))) }

// lister makes the list of a source's files.
type lister struct {
	source
	seen map[string]string // by folded
}

// add adds a file, unless its name does not fit or is that of another one in disguise. It returns false once there are too many.
func (l *lister) add(f file) (more bool) {
	if len(l.seen)+len(l.findings) >= mostFiles {
		return false
	}
	key := folded(f.name)
	_, twin := l.seen[key]
	switch {
	case !fitsEverywhere(f.name):
		l.findings = append(l.findings, finding(NameRefused, f.name))
	case twin:
		l.findings = append(l.findings, finding(NameTwice, f.name))
	default:
		l.seen[key] = f.name
		l.files = append(l.files, f)
	}
	return true
}
