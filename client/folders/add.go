package folders

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"

	"assay/client/i18n"
	"assay/watch"
)

// Begin says what to do with the files that are in a folder when it is added.
type Begin string

// The values of Begin.
const (
	OnlyNew Begin = "new"    // they are left alone
	All     Begin = "all"    // they are accepted
	Chosen  Begin = "chosen" // the chosen ones are accepted
)

// idSpace is the UUID namespace of folders and of the submissions of their files.
var idSpace = uuid.NewSHA1(uuid.NameSpaceURL, []byte("assay:watched-folders"))

// folderID is the ID of the folder with a path.
func folderID(path string) string { return uuid.NewSHA1(idSpace, []byte(path)).String() }

// Add begins to watch a folder. chosen are paths of files in it, for Begin Chosen. The error is a *Problem, or the store's.
func (f *Folders) Add(ctx context.Context, s Settings, begin Begin, chosen []string) (id string, err error) {
	if err := f.reach(ctx, s.Path); err != nil {
		return "", err
	}
	if err := f.lock(ctx, f.adding); err != nil {
		return "", err
	}
	defer f.adding.unlock()
	if id, ok := f.temporaryAt(s.Path); ok { // what is old in it is known already
		e, err := f.lockEntry(ctx, id)
		if err != nil {
			return "", err
		}
		defer e.changing.unlock()
		return id, f.alter(ctx, e, s.tidy(), false)
	}
	if s, err = f.validate(ctx, s, ""); err != nil {
		return "", err
	}
	e, err := f.begin(ctx, s, begin, chosen, false)
	if err != nil {
		return "", err
	}
	return e.id, f.startWatching(e)
}

// temporaryAt is the folder of a path that only `assay watch` watches.
func (f *Folders) temporaryAt(path string) (id string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := f.entryAt(filepath.Clean(path))
	if e == nil || !e.temporary {
		return "", false
	}
	return e.id, true
}

// mutex is a lock whose waiting can be cancelled: it holds one token.
type mutex chan struct{}

func newMutex() mutex {
	t := make(mutex, 1)
	t.unlock()
	return t
}

// lock waits for a mutex until ctx ends, or until Close. The error is a *Problem, or ctx's.
func (f *Folders) lock(ctx context.Context, t mutex) error {
	select {
	case <-t:
	case <-ctx.Done():
		return ctx.Err()
	}
	if f.ctx.Err() != nil {
		t.unlock()
		return &Problem{Message: i18n.M("Assay is closing."), Err: f.ctx.Err()}
	}
	return nil
}

func (t mutex) unlock() { t <- struct{}{} }

// lockEntry locks a watched folder, by its ID. The error is a *Problem, or ctx's.
func (f *Folders) lockEntry(ctx context.Context, id string) (*entry, error) {
	f.mu.Lock()
	e := f.entry(id)
	f.mu.Unlock()
	if e == nil {
		return nil, errUnknown()
	}
	if err := f.lock(ctx, e.changing); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.entry(id) != e { // it was removed meanwhile
		e.changing.unlock()
		return nil, errUnknown()
	}
	return e, nil
}

// begin writes a new folder to the store, and the files in it that are to be left alone. If it is interrupted, the folder is not added: its row is
// marked as unfinished until the last file is written.
func (f *Folders) begin(ctx context.Context, s Settings, begin Begin, chosen []string, temporary bool) (*entry, error) {
	e := newEntry(record{Settings: s, id: folderID(s.Path), added: f.Now().Round(0), temporary: temporary, unfinished: true})
	if s.MoveTo != "" {
		e.moveSince = e.added
	}
	if err := f.Store.RemoveFolder(ctx, e.id); err != nil { // what is left from an earlier time
		return nil, err
	}
	earlier, _, _, err := f.Store.FolderCounts(ctx, s.Path, time.Time{})
	if err != nil {
		return nil, err
	}
	e.again = len(earlier) > 0
	f.mu.Lock()
	delete(f.removed, e.id)
	f.mu.Unlock()
	if begin != All {
		if err := f.save(ctx, e.record); err != nil {
			return nil, err
		}
		taken := map[string]bool{}
		for _, path := range chosen {
			taken[filepath.Clean(path)] = begin == Chosen
		}
		if err := f.baseline(ctx, e.record, func(name string) bool { return !taken[filepath.Join(s.Path, name)] }); err != nil {
			f.discard(ctx, e.id)
			return nil, err
		}
	}
	e.unfinished = false
	if err := f.save(ctx, e.record); err != nil {
		f.discard(ctx, e.id)
		return nil, err
	}
	return e, nil
}

// baseline records the files that count in a folder now and for which old is true, as if they had been announced.
func (f *Folders) baseline(ctx context.Context, k record, old func(name string) bool) error {
	return f.list(ctx, k.Settings, func(files []watch.Known) error {
		files = slices.DeleteFunc(files, func(known watch.Known) bool { return !old(known.Name) })
		if len(files) == 0 {
			return nil
		}
		return memory{f.Store}.Remember(ctx, k.id, files)
	})
}

// save writes a folder to the store.
func (f *Folders) save(ctx context.Context, k record) error {
	row, err := k.row()
	if err != nil {
		return err
	}
	return f.Store.KeepFolder(ctx, row)
}

// discard removes a folder from the store that was not added after all. If that fails, the next start does it.
func (f *Folders) discard(ctx context.Context, id string) {
	if err := f.Store.RemoveFolder(context.WithoutCancel(ctx), id); err != nil {
		f.Log.Warn("a folder that was not added could not be dropped", "error", err)
	}
}

// startWatching begins to watch a folder that is in the store.
func (f *Folders) startWatching(e *entry) error {
	f.mu.Lock()
	at, _ := slices.BinarySearchFunc(f.order, e, func(a, b *entry) int { return a.added.Compare(b.added) })
	f.order = slices.Insert(f.order, at, e)
	watched := e.watched(e.id)
	f.mu.Unlock()
	if err := f.watcher.Add(watched); err != nil { // the watcher is closed: all else was checked before
		return problemOf(err, i18n.M("Assay is closing."))
	}
	f.counts.note(e.Path)
	f.moves.look(e.Path)
	f.notify()
	return nil
}

// stopWatching stops watching a folder: once it has returned, no file of it is accepted any more.
func (f *Folders) stopWatching(e *entry) {
	f.watcher.Remove(e.id)
	e.taking.Lock() // a file may be being accepted
	e.released = true
	e.taking.Unlock()
	f.mu.Lock()
	f.order = slices.DeleteFunc(f.order, func(o *entry) bool { return o == e })
	f.mu.Unlock()
	f.notify()
}

// validate checks whether a folder can be watched with these settings, and returns them tidied. id is the ID of the folder itself, which is not
// compared with its own settings; "" for a new one. The error is a *Problem, or ctx's. It reads the disk, and returns early when ctx ends.
func (f *Folders) validate(ctx context.Context, s Settings, id string) (Settings, error) {
	s = s.tidy()
	type checked struct {
		clean string
		err   error
	}
	c, ok := answered(ctx, nil, func() checked {
		clean, err := watch.Check(s.Path, f.Own)
		return checked{clean, err}
	})
	if !ok {
		return s, ctx.Err()
	}
	if c.err != nil {
		return s, problemOf(c.err, i18n.M("The folder %s can't be watched.", shown(s.Path)))
	}
	s.Path = c.clean
	if err := s.check(); err != nil {
		return s, err
	}
	if s.MoveTo != "" {
		err, ok := answered(ctx, nil, func() error { return f.checkTarget(s) })
		if !ok {
			return s, ctx.Err()
		}
		if err != nil {
			return s, err
		}
		s.MoveTo = filepath.Clean(s.MoveTo)
	}
	return s, f.overlap(ctx, s, f.others(id))
}

// reach waits until the disk of a folder answers, with whatever result, so that a dead share delays the adding of its own folder and of no other.
func (f *Folders) reach(ctx context.Context, path string) error {
	if _, ok := answered(ctx, nil, func() error { _, err := os.Stat(path); return err }); !ok {
		return ctx.Err()
	}
	return nil
}

// others are the settings of all watched folders but one.
func (f *Folders) others(id string) []Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []Settings
	for _, e := range f.order {
		if e.id != id {
			all = append(all, e.Settings)
		}
	}
	return all
}

// checkTarget returns a *Problem if files can't be moved to MoveTo, else nil.
func (f *Folders) checkTarget(s Settings) error {
	if err := s.checkMoveTo(f.Own); err != nil {
		return err
	}
	name := shown(s.MoveTo)
	target, err := os.Stat(s.MoveTo)
	switch {
	case os.IsNotExist(err):
		return &Problem{Message: i18n.Sentences(i18n.M("The folder %s does not exist.", name), i18n.M(chooseOther)), Err: err}
	case err != nil:
		return &Problem{Message: i18n.Sentences(i18n.M("The folder %s can't be read.", name), i18n.M(chooseOther)), Err: err}
	case !target.IsDir():
		return &Problem{Message: i18n.Sentences(i18n.M("%s is a file, not a folder.", name), i18n.M(chooseOther))}
	}
	source, err := os.Stat(s.Path)
	if err != nil {
		return &Problem{Message: i18n.M("The folder %s can't be read.", shown(s.Path)), Err: err}
	}
	if os.SameFile(source, target) {
		return &Problem{Message: i18n.Sentences(i18n.M("The folder %s is the watched folder itself.", name), i18n.M(chooseOther))}
	}
	same, err := sameVolume(s.Path, s.MoveTo)
	if err != nil {
		return &Problem{Message: i18n.Sentences(i18n.M("The folder %s can't be read.", name), i18n.M(chooseOther)), Err: err}
	}
	if !same {
		return &Problem{Message: i18n.Sentences(i18n.M("The folder %s is on another disk. Assay moves files only within one disk, so that no file is ever left half moved.", name), i18n.M(chooseOther))}
	}
	return nil
}
