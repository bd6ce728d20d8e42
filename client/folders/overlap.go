package folders

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/client/i18n"
)

// location is where a folder is on the disk.
type location struct {
	Settings
	resolved string      // its path without symbolic links, or as it is where that is not known
	info     fs.FileInfo // nil where it is missing
}

// otherwiseAfter is how long a disk may take to resolve a folder's location. A folder on a share that does not answer is compared by its path.
const otherwiseAfter = 2 * time.Second

// locationOf reads the disk, which may never answer.
func locationOf(s Settings) location {
	p := location{Settings: s, resolved: filepath.Clean(s.Path)}
	if resolved, err := filepath.EvalSymlinks(s.Path); err == nil {
		p.resolved = resolved
	}
	p.info, _ = os.Stat(p.resolved) // nil if it is missing
	return p
}

// answered runs do on another goroutine, since a dead share may block it for ever, and returns its result; ok is false where ctx or late came first.
func answered[T any](ctx context.Context, late <-chan time.Time, do func() T) (got T, ok bool) {
	answer := make(chan T, 1)
	go func() { answer <- do() }()
	select {
	case got = <-answer:
		return got, true
	case <-ctx.Done():
	case <-late:
	}
	return got, false
}

// overlap returns a *Problem if a folder overlaps a watched one, else nil. others does not hold the folder itself. It reads the disk.
func (f *Folders) overlap(ctx context.Context, s Settings, others []Settings) error {
	mine, ok := answered(ctx, nil, func() location { return locationOf(s) })
	if !ok {
		return ctx.Err()
	}
	late := f.After(otherwiseAfter)
	asked := make([]chan location, len(others))
	for i, other := range others { // all at once: several shares that do not answer cost one wait only
		asked[i] = make(chan location, 1)
		go func() { asked[i] <- locationOf(other) }()
	}
	over := false
	for i, other := range others {
		theirs := location{Settings: other, resolved: filepath.Clean(other.Path)}
		if over {
			select {
			case theirs = <-asked[i]:
			default:
			}
		} else {
			select {
			case theirs = <-asked[i]:
			case <-late:
				over = true
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err := collide(mine, theirs); err != nil {
			return err
		}
	}
	return nil
}

// collide returns a *Problem if two folders overlap.
func collide(mine, theirs location) error {
	switch {
	case mine.is(theirs.resolved, theirs.info):
		if filepath.Clean(mine.Path) == filepath.Clean(theirs.Path) {
			return &Problem{Message: i18n.M("The folder %s is already watched.", shown(mine.Path))}
		}
		return &Problem{Message: i18n.M("The folder %s is the same as %s, which is already watched.", shown(mine.Path), shown(theirs.Path))}
	case theirs.Subfolders && mine.below(theirs):
		return &Problem{Message: i18n.M("The folder %s is inside %s, which Assay already watches with its subfolders.",
			shown(mine.Path), shown(theirs.Path))}
	case mine.Subfolders && theirs.below(mine):
		return &Problem{Message: i18n.M("The folder %s contains %s, which is already watched. Leave out its subfolders, or remove the other folder first.",
			shown(mine.Path), shown(theirs.Path))}
	}
	return nil
}

// is reports whether a folder has this resolved path, or is the same on disk.
func (p location) is(resolved string, info fs.FileInfo) bool {
	return p.resolved == resolved || p.info != nil && info != nil && os.SameFile(p.info, info)
}

// below reports whether a folder is inside another. It compares each of the parent folders on disk, so that it finds them under another name, or in
// other case.
func (p location) below(other location) bool {
	if p.info == nil { // then its parents can't be examined either
		return within(other.resolved, p.resolved)
	}
	for folder := filepath.Dir(p.resolved); ; folder = filepath.Dir(folder) {
		info, err := os.Stat(folder)
		if err != nil {
			info = nil
		}
		if other.is(folder, info) {
			return true
		}
		if folder == filepath.Dir(folder) {
			return false
		}
	}
}

// within reports whether a path is inside a folder, by comparing the texts.
func within(folder, path string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && below != "." && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator))
}
