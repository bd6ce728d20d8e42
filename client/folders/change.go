package folders

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"assay/client/i18n"
	"assay/watch"
)

// errUnknown is for an ID of no folder.
func errUnknown() error { return &Problem{Text: i18n.T("This folder is not watched any more.")} }

// Change gives a folder, named by its ID, other settings; its Path stays. They hold at once: a gate for what is taken from now
// on. Files that stand there and count from now on are left alone, as if they had stood there when it was added. The error is a
// *Problem, or the store's.
func (f *Folders) Change(ctx context.Context, id string, s Settings) error {
	if err := f.lock(ctx, f.adding); err != nil {
		return err
	}
	defer f.adding.unlock()
	e, err := f.lockEntry(ctx, id)
	if err != nil {
		return err
	}
	defer e.changing.unlock()
	return f.alter(ctx, e, s.tidy(), e.temporary)
}

// SetPaused pauses watching a folder, named by its ID, or goes on with it, whatever else its settings are by then. It waits for no
// other folder that is being added or changed.
func (f *Folders) SetPaused(ctx context.Context, id string, paused bool) error {
	e, err := f.lockEntry(ctx, id)
	if err != nil {
		return err
	}
	defer e.changing.unlock()
	s := e.Settings
	s.Paused = paused
	return f.alter(ctx, e, s, e.temporary)
}

// alter gives a folder other settings; the caller has its turn, so that nobody else changes them, and that of adding where more of it is
// to count. What needs the disk is looked at only where it changes, so that a folder which is not there can be paused all the same.
func (f *Folders) alter(ctx context.Context, e *entry, s Settings, temporary bool) error {
	next := e.record
	s.Path = e.Path
	if s.MoveTo != "" {
		s.MoveTo = filepath.Clean(s.MoveTo)
	}
	if err := s.check(); err != nil {
		return err
	}
	if s.MoveTo != e.MoveTo {
		if err := f.caughtUp(ctx); err != nil { // what was answered before stays where it is
			return err
		}
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
	next.Settings, next.temporary = s, temporary
	if others {
		if err := f.baselineWider(ctx, e.record, next); err != nil {
			return err
		}
	}
	if err := f.save(ctx, next); err != nil {
		return err
	}
	f.mu.Lock()
	e.record, e.unread = next, ""
	if !temporary {
		e.untilReleased = false
	}
	watched := e.watched(e.id)
	f.mu.Unlock()
	defer f.moves.look(e.Path)
	defer f.notify()
	if !others {
		return problemOf(f.watcher.Change(watched), i18n.F("The folder %s can't be changed.", shown(e.Path)))
	}
	f.watcher.Remove(e.id) // it is to read anew what is remembered
	return problemOf(f.watcher.Add(watched), i18n.F("The folder %s can't be changed.", shown(e.Path)))
}

// baselineWider remembers the files that count under the next settings of a folder and not under those of now.
func (f *Folders) baselineWider(ctx context.Context, now, next record) error {
	wider := map[string]watch.Known{}
	if err := f.list(ctx, next.Settings, func(files []watch.Known) error {
		for _, known := range files {
			wider[known.Name] = known
		}
		return nil
	}); err != nil {
		return err
	}
	// Those of now are listed afterwards: what arrives in between is new, and must not be taken for old.
	if err := f.list(ctx, now.Settings, func(files []watch.Known) error {
		for _, known := range files {
			delete(wider, known.Name)
		}
		return nil
	}); err != nil {
		return err
	}
	for files := range slices.Chunk(slices.Collect(maps.Values(wider)), listedAtOnce) {
		if err := (memory{f.Store}).Remember(ctx, next.id, files); err != nil {
			return err
		}
	}
	return nil
}

// Remove ends watching a folder at once: no file of it is taken any more once this has returned, which waits for no other folder
// that is being added or changed. What was taken stays. Restore takes it back.
func (f *Folders) Remove(ctx context.Context, id string) error {
	e, err := f.lockEntry(ctx, id)
	if err != nil {
		return err
	}
	defer e.changing.unlock()
	gone := e.record
	gone.removed = true
	if err := f.save(ctx, gone); err != nil { // what is remembered of its files stays until the next start
		return err
	}
	f.mu.Lock()
	f.removed[id] = e // before it can be added anew
	f.mu.Unlock()
	f.stopWatching(e)
	return nil
}

// Restore takes the last Remove of a folder back, in the same run: it has the settings that it had, and what came meanwhile is
// taken. The error is a *Problem, or the store's.
func (f *Folders) Restore(ctx context.Context, id string) error {
	if err := f.lock(ctx, f.adding); err != nil {
		return err
	}
	defer f.adding.unlock()
	f.mu.Lock()
	gone := f.removed[id]
	over := gone != nil && gone.untilReleased && gone.holders == 0 // it was watched for somebody who has ended since
	f.mu.Unlock()
	if gone == nil || over {
		return &Problem{Text: i18n.T("This folder can't be brought back any more. Add it again.")}
	}
	if err := f.overlap(ctx, gone.Settings, f.others("")); err != nil {
		return err
	}
	if err := f.save(ctx, gone.record); err != nil {
		return err
	}
	f.mu.Lock()
	delete(f.removed, id)
	f.mu.Unlock()
	e := newEntry(gone.record)
	f.mu.Lock()
	e.counted, e.lastName, e.lastAt, e.holders, e.untilReleased = gone.counted, gone.lastName, gone.lastAt, gone.holders, gone.untilReleased
	f.mu.Unlock()
	return f.startWatching(e)
}
