package folders

import (
	"context"
	"path/filepath"

	"assay/client/i18n"
	"assay/client/store"
)

// AddTemporary is Add for `assay watch`: the folder is watched until Release was called as often, and the next Open does not watch it. What is known
// of its files is kept, so that begin only matters the first time: later, files that are new since it was last watched are accepted. A folder that
// was added by Add keeps its settings.
func (f *Folders) AddTemporary(ctx context.Context, s Settings, begin Begin) (id string, err error) {
	if err := f.reach(ctx, s.Path); err != nil {
		return "", err
	}
	if err := f.lock(ctx, f.adding); err != nil {
		return "", err
	}
	defer f.adding.unlock()
	if s.Path, err = filepath.Abs(s.Path); err != nil {
		return "", problemOf(err, i18n.M("This folder can't be found."))
	}
	id = folderID(s.Path)
	f.mu.Lock()
	if e := f.entry(id); e != nil {
		e.holders++
		f.mu.Unlock()
		return id, nil
	}
	f.mu.Unlock()
	earlier, known, err := f.earlier(ctx, id)
	if err != nil {
		return "", err
	}
	e := newEntry(earlier)
	if !known || earlier.temporary {
		if s, err = f.validate(ctx, s, ""); err != nil {
			return "", err
		}
	}
	switch {
	case !known:
		if e, err = f.begin(ctx, s, begin, nil, true); err != nil {
			return "", err
		}
	case earlier.temporary:
		e.Settings = s
		if !s.sameFiles(earlier.Settings) {
			if err := f.baselineWider(ctx, earlier, e.record); err != nil {
				return "", err
			}
		}
		if s.MoveTo != earlier.MoveTo {
			e.moveSince = f.Now().Round(0)
		}
		if err := f.save(ctx, e.record); err != nil {
			return "", err
		}
	}
	e.holders, e.untilReleased = 1, true
	return id, f.startWatching(e)
}

// earlier is what is on record of a folder; false: nothing, or nothing of use.
func (f *Folders) earlier(ctx context.Context, id string) (k record, known bool, err error) {
	rows, err := f.Store.Folders(ctx)
	if err != nil {
		return k, false, err
	}
	for _, row := range rows {
		if row.ID == id {
			return usable(row, f.Own)
		}
	}
	return k, false, nil
}

func usable(row store.Folder, own []string) (k record, known bool, err error) {
	k, _ = readRecord(row, own)
	return k, !k.unfinished && !k.removed, nil
}

// Release ends one AddTemporary: a folder without holders that was not added by Add is not watched any more. Once it has returned, no file of such a
// folder is accepted any more.
func (f *Folders) Release(ctx context.Context, id string) error {
	if err := f.lock(ctx, f.adding); err != nil {
		return err
	}
	defer f.adding.unlock()
	f.mu.Lock()
	e := f.entry(id)
	if e == nil {
		e = f.removed[id] // if that is restored, it has one holder less
	}
	over := false
	if e != nil && e.holders > 0 {
		e.holders--
		over = e.untilReleased && e.holders == 0 && e == f.entry(id)
	}
	f.mu.Unlock()
	if over {
		f.stopWatching(e)
	}
	return nil
}
