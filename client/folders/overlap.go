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

// location is where a folder lies on the disk.
type location struct {
	Settings
	resolved string      // its path without links, or as it is where that can't be told
	info     fs.FileInfo // nil where it is not there
}

// otherwiseAfter is how long another folder may take to say where it lies. One on a share that does not answer is compared by
// its path.
const otherwiseAfter = 2 * time.Second

// locationOf reads the disk, which may never answer.
func locationOf(s Settings) location {
	p := location{Settings: s, resolved: filepath.Clean(s.Path)}
	if resolved, err := filepath.EvalSymlinks(s.Path); err == nil {
		p.resolved = resolved
	}
	p.info, _ = os.Stat(p.resolved) // nil, if it is not there
	return p
}

// answered calls do beside the caller, since a dead share may keep it for ever, and returns what it gave; ok is false where ctx
// or the waiting ended first.
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

// overlap says how a folder and those that are watched are in each other's way: a *Problem, or nil. others holds no folder of
// the same ID. It reads the disk.
func (f *Folders) overlap(ctx context.Context, s Settings, others []Settings) error {
	mine, ok := answered(ctx, nil, func() location { return locationOf(s) })
	if !ok {
		return ctx.Err()
	}
	late := f.After(otherwiseAfter)
	asked := make([]chan location, len(others))
	for i, other := range others { // all at once: one share that does not answer costs no more than one wait
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

// collide says how two folders are in each other's way.
func collide(mine, theirs location) error {
	switch {
	case mine.is(theirs.resolved, theirs.info):
		if filepath.Clean(mine.Path) == filepath.Clean(theirs.Path) {
			return &Problem{Text: i18n.F("The folder %s is watched already.", shown(mine.Path))}
		}
		return &Problem{Text: i18n.F("The folder %s is the same as %s, which is watched already.", shown(mine.Path), shown(theirs.Path))}
	case theirs.Subfolders && mine.below(theirs):
		return &Problem{Text: i18n.F("The folder %s is inside %s, which is watched with the folders in it. What arrives here is taken already.",
			shown(mine.Path), shown(theirs.Path))}
	case mine.Subfolders && theirs.below(mine):
		return &Problem{Text: i18n.F("The folder %s holds %s, which is watched already. Leave out the folders in it, or remove the other one first.",
			shown(mine.Path), shown(theirs.Path))}
	}
	return nil
}

// is reports whether a folder is the one of this path, or of these facts of the disk's.
func (p location) is(resolved string, info fs.FileInfo) bool {
	return p.resolved == resolved || p.info != nil && info != nil && os.SameFile(p.info, info)
}

// below reports whether a folder lies inside another. A system that knows no case, or another name for a folder on the way,
// is seen through by asking for each of the folders above.
func (p location) below(other location) bool {
	if p.info == nil { // nor would those above answer
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

// within reports whether a path lies inside a folder, by its letters alone.
func within(folder, path string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && below != "." && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator))
}
