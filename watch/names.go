package watch

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// rules say what counts in a folder. They change no more: a copy is as good, on any goroutine.
type rules struct {
	root       string
	subfolders bool
	only, skip []string // in folded case
	own        []string
}

// newRules compiles what was asked for; root is the path by which the folder is read: f.Path. It reads no disk. The error is
// a *Problem that names the malformed pattern.
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

// compile folds the patterns' case. One that could never match a name is as wrong as a malformed one: who wrote it meant
// something else.
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

// fold makes names that differ in case alone the same. Bytes that are no UTF-8 become one sign each.
func fold(name string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, name)
}

// The names of files that are not complete, or are nobody's: those that browsers, mail programs, office programs and systems
// write beside or instead of the file itself.
var (
	neverEnd   = []string{".tmp", ".temp", ".part", ".partial", ".crdownload", ".download", ".opdownload"}
	neverBegin = []string{".", "~$"}
	neverName  = []string{"thumbs.db", "desktop.ini"}
)

// NamesThatNeverCount are the patterns, without regard to case, of the files and folders that are passed over in every folder.
// Beside these the system's own marks for hidden files do not count either, nor what is empty or no regular file.
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

// never says that a name, of a file or folder, is passed over everywhere.
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

// folderName says that a folder of this name is looked into.
func (r rules) folderName(name string) bool {
	return !never(name) && !matches(r.skip, name)
}

// fileName says that a file of this name counts.
func (r rules) fileName(name string) bool {
	return r.folderName(name) && (len(r.only) == 0 || matches(r.only, name))
}

func matches(patterns []string, name string) bool {
	if len(patterns) == 0 {
		return false
	}
	name = fold(name)
	return slices.ContainsFunc(patterns, func(p string) bool {
		matched, _ := path.Match(p, name) // compile has seen to its form
		return matched
	})
}

// path is where a name below the root lies. It is put together by hand: filepath.Join would clean it, at every file's cost.
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
