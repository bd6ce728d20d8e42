package folders

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"assay/client/i18n"
	"assay/watch"
)

// errUnknown is the error for an ID of no folder.
func errUnknown() error { return &Problem{Message: i18n.M("This folder is not watched any more.")} }

// Change gives a folder, by its ID, other settings; its Path stays. They hold at once; the gate, for what is accepted from now on. Files that are
// there already and count from now on are left alone, as if they had been there when the folder was added. The error is a *Problem, or the store's.
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

// SetPaused pauses or resumes watching a folder, by its ID; its other settings stay as they are. It waits for no other folder that is being added or
// changed.
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

// alter gives a folder other settings; the caller holds e.changing, and f.adding too if more files of it are to count. The disk is only asked about
// settings that change, so that a folder which is not there can be paused.
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
	e.record, e.unread, e.ungathered = next, i18n.Message{}, i18n.Message{}
	if !temporary {
		e.untilReleased = false
	}
	watched := e.watched(e.id)
	f.mu.Unlock()
	defer f.moves.look(e.Path)
	defer f.notify()
	if !others {
		return problemOf(f.watcher.Change(watched), i18n.M("The folder %s can't be changed.", shown(e.Path)))
	}
	f.watcher.Remove(e.id) // the watcher is to read again what is on record
	return problemOf(f.watcher.Add(watched), i18n.M("The folder %s can't be changed.", shown(e.Path)))
}

// baselineWider records the files that count under the settings next of a folder and not under now.
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
	// Those that count now are listed afterwards: what arrives in between is new, and must not be taken for old.
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

// Remove stops watching a folder: once it has returned, no file of it is accepted any more; it waits for no other folder that is being added or
// changed. Accepted files stay in the queue. Restore undoes it.
func (f *Folders) Remove(ctx context.Context, id string) error {
	e, err := f.lockEntry(ctx, id)
	if err != nil {
		return err
	}
	defer e.changing.unlock()
	gone := e.record
	gone.removed = true
	if err := f.save(ctx, gone); err != nil { // what is on record of its files stays until the next start
		return err
	}
	f.mu.Lock()
	f.removed[id] = e // before it can be added again
	f.mu.Unlock()
	f.stopWatching(e)
	return nil
}

// Restore undoes the last Remove of a folder, in the same run: it has its old settings, and files that came meanwhile are accepted. The error is a
// *Problem, or the store's.
func (f *Folders) Restore(ctx context.Context, id string) error {
	if err := f.lock(ctx, f.adding); err != nil {
		return err
	}
	defer f.adding.unlock()
	f.mu.Lock()
	gone := f.removed[id]
	over := gone != nil && gone.untilReleased && gone.holders == 0 // it was only watched for a subcommand that has ended since
	f.mu.Unlock()
	if gone == nil || over {
		return &Problem{Message: i18n.M("This folder can't be brought back any more. Add it again.")}
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
