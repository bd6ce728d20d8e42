package watch

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// rules say what counts in a folder. They never change, so that copies may be used on any goroutine.
type rules struct {
	root       string
	subfolders bool
	only, skip []string // in folded case
	own        []string
}

// newRules compiles a folder's patterns; root is the path by which the folder is read. It reads no disk. The error is a *Problem that names the
// malformed pattern.
func newRules(root string, f Folder, own []string) (rules, error) {
	r := rules{root: root, subfolders: f.Subfolders, own: own}
	var err error
	if r.only, err = compile(f.Path, f.Only); err != nil {
		return rules{}, err
	}
	if r.skip, err = compile(f.Path, f.Skip); err != nil {
		return rules{}, err
	}
	return r, nil
}

// compile folds the case of patterns. One that could never match a name is an error, like a malformed one: it is not what its writer meant.
func compile(folder string, patterns []string) ([]string, error) {
	folded := make([]string, 0, len(patterns))
	for _, pattern := range patterns {
		p := fold(pattern)
		_, err := path.Match(p, "name")
		if err != nil || strings.TrimSpace(p) == "" || strings.Contains(p, "/") {
			return nil, &Problem{Kind: ErrBadPattern, Path: folder, Pattern: pattern, Err: err}
		}
		folded = append(folded, p)
	}
	return folded, nil
}

// fold makes names equal that differ in case alone. Each invalid byte becomes one character.
func fold(name string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, name)
}

// The names of files that are incomplete or nobody's: those that browsers, mail programs, office programs and systems write beside the file itself,
// or in its place for a time.
var (
	neverEnd   = []string{".tmp", ".temp", ".part", ".partial", ".crdownload", ".download", ".opdownload"}
	neverBegin = []string{".", "~$"}
	neverName  = []string{"thumbs.db", "desktop.ini"}
)

// NamesThatNeverCount are the patterns, without regard to case, of files and folders that are skipped everywhere. Files and folders with the system's
// hidden attribute, empty files and what is no regular file do not count either.
func NamesThatNeverCount() []string {
	var patterns []string
	for _, end := range neverEnd {
		patterns = append(patterns, "*"+end)
	}
	for _, begin := range neverBegin {
		patterns = append(patterns, begin+"*")
	}
	return append(patterns, neverName...)
}

// never reports whether a file or folder of this name is skipped everywhere.
func never(name string) bool {
	for _, begin := range neverBegin {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	for _, end := range neverEnd {
		if len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end) {
			return true
		}
	}
	return slices.ContainsFunc(neverName, func(n string) bool { return strings.EqualFold(n, name) })
}

// folderName reports whether a folder of this name is scanned.
func (r rules) folderName(name string) bool {
	return !never(name) && !matches(r.skip, name)
}

// fileName reports whether a file of this name counts.
func (r rules) fileName(name string) bool {
	return r.folderName(name) && (len(r.only) == 0 || matches(r.only, name))
}

func matches(patterns []string, name string) bool {
	if len(patterns) == 0 {
		return false
	}
	name = fold(name)
	return slices.ContainsFunc(patterns, func(p string) bool {
		matched, _ := path.Match(p, name) // compile has checked the pattern
		return matched
	})
}

// path is the path of a name below the root. It is concatenated: filepath.Join would clean it, at a cost for every file.
func (r rules) path(name string) string {
	switch {
	case name == "":
		return r.root
	case os.IsPathSeparator(r.root[len(r.root)-1]):
		return r.root + name
	default:
		return r.root + string(filepath.Separator) + name
	}
}
