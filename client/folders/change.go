package folders

import (
	"context"
	"fmt"
	"path/filepath"

	"assay/watch"
)

// errUnknown is for an ID of no folder.
func errUnknown() error { return &Problem{Text: "This folder is not watched any more."} }

// Change gives a folder, named by its ID, other settings; its Path stays. They hold at once: a gate for what is taken from now
// on. Files that stand there and count from now on are left alone, as if they had stood there when it was added. The error is a
// *Problem, or the store's.
func (f *Folders) Change(ctx context.Context, id string, s Settings) error {
	if err := f.take(ctx); err != nil {
		return err
	}
	defer f.give()
	f.mu.Lock()
	e := f.entry(id)
	f.mu.Unlock()
	if e == nil {
		return errUnknown()
	}
	return f.alter(ctx, e, s.tidy(), e.passing)
}

// alter gives a folder other settings; the caller holds the token of adding, so that nobody else changes them. What needs the
// disk is looked at only where it changes, so that a folder which is not there can be paused all the same.
func (f *Folders) alter(ctx context.Context, e *entry, s Settings, passing bool) error {
	next := e.kept
	s.Path = e.Path
	if s.MoveTo != "" {
		s.MoveTo = filepath.Clean(s.MoveTo)
	}
	if err := s.check(); err != nil {
		return err
	}
	if s.MoveTo != e.MoveTo {
		next.moveSince = f.Now().Round(0)
		if s.MoveTo != "" {
			err, ok := answered(ctx, nil, func() error { return f.checkTarget(s) })
			if !ok {
				return ctx.Err()
			}
			if err != nil {
				return err
			}
		}
	}
	if s.Subfolders && !e.Subfolders {
		if err := f.overlap(ctx, s, f.others(e.id)); err != nil {
			return err
		}
	}
	others := !s.sameFiles(e.Settings)
	next.Settings, next.passing = s, passing
	if others {
		if err := f.leaveWider(ctx, e.kept, next); err != nil {
			return err
		}
	}
	if err := f.keep(ctx, next); err != nil {
		return err
	}
	f.mu.Lock()
	e.kept, e.unread = next, ""
	if !passing {
		e.lent = false
	}
	watched := e.watched(e.id)
	f.mu.Unlock()
	defer f.moves.look(e.Path)
	defer f.tell()
	if !others {
		return problemOf(f.watcher.Change(watched), fmt.Sprintf("The folder %s can't be changed.", shown(e.Path)))
	}
	f.watcher.Remove(e.id) // it is to read anew what is remembered
	return problemOf(f.watcher.Add(watched), fmt.Sprintf("The folder %s can't be changed.", shown(e.Path)))
}

// leaveWider remembers the files that count under the next settings of a folder and not under those of now.
func (f *Folders) leaveWider(ctx context.Context, now, next kept) error {
	before := map[string]bool{}
	if err := f.list(ctx, now.Settings, func(files []watch.Known) error {
		for _, known := range files {
			before[known.Name] = true
		}
		return nil
	}); err != nil {
		return err
	}
	return f.leaveAlone(ctx, next, func(name string) bool { return !before[name] })
}

// Remove ends watching a folder at once: no file of it is taken any more once this has returned. What was taken stays. Restore
// takes it back.
func (f *Folders) Remove(ctx context.Context, id string) error {
	if err := f.take(ctx); err != nil {
		return err
	}
	defer f.give()
	f.mu.Lock()
	e := f.entry(id)
	f.mu.Unlock()
	if e == nil {
		return errUnknown()
	}
	gone := e.kept
	gone.removed = true
	if err := f.keep(ctx, gone); err != nil { // what is remembered of its files stays until the next start
		return err
	}
	f.leave(e)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.removed[id] = e
	return nil
}

// Restore takes the last Remove of a folder back, in the same run: it has the settings that it had, and what came meanwhile is
// taken. The error is a *Problem, or the store's.
func (f *Folders) Restore(ctx context.Context, id string) error {
	if err := f.take(ctx); err != nil {
		return err
	}
	defer f.give()
	f.mu.Lock()
	gone := f.removed[id]
	f.mu.Unlock()
	if gone == nil {
		return &Problem{Text: "This folder can't be brought back any more. Add it again."}
	}
	if err := f.overlap(ctx, gone.Settings, f.others("")); err != nil {
		return err
	}
	if err := f.keep(ctx, gone.kept); err != nil {
		return err
	}
	f.mu.Lock()
	delete(f.removed, id)
	f.mu.Unlock()
	return f.enter(&entry{kept: gone.kept, counted: gone.counted, lastName: gone.lastName, lastAt: gone.lastAt, holders: gone.holders, lent: gone.lent})
}
