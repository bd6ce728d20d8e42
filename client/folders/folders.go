// Package folders keeps the watched folders: which there are, which files count in each, and what is done with the files that watch announces. It
// imports client, client/intake, client/media, client/store, client/submission and watch, UUIDs and x/sys.
package folders

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/store"
	"assay/client/submission"
	"assay/watch"
)

// Store keeps folders, and what is known of their files, over restarts; *store.Store implements it. When a method returns, its change is on disk.
type Store interface {
	Folders(ctx context.Context) ([]store.Folder, error)
	KeepFolder(ctx context.Context, f store.Folder) error
	RemoveFolder(ctx context.Context, id string) error
	KnownFiles(ctx context.Context, folder string, each func(store.FolderFile) error) error
	AnnouncedContents(ctx context.Context, folder string, contents [][32]byte) ([]bool, error)
	RememberFiles(ctx context.Context, folder string, files []store.FolderFile) error
	ForgetFiles(ctx context.Context, folder string, names []string) error
	FolderCounts(ctx context.Context, path string, since time.Time) (counts map[submission.State]int, lastName string, lastAt time.Time, err error)
	FolderAnswered(ctx context.Context, path string, since time.Time, each func(id, path string) error) error
	Get(ctx context.Context, id string) (sub submission.Submission, ok bool, err error)
	Fact(ctx context.Context, name string) (string, error)
	SetFact(ctx context.Context, name, value string) error
}

// Params are what Folders are built from; Queue and Store are required. Callbacks must return at once.
type Params struct {
	Queue *intake.Queue
	Store Store
	Own   []string // Assay's own folders, which can't be watched
	// Gate is intake.Params.Gate without the gates of the folders themselves. nil: nothing is locked.
	Gate func(s submission.Submission) (gate, lock submission.Gate)
	// LocksUnread is intake.Params.LocksUnread.
	LocksUnread bool
	// TemporaryOnly ignores the folders on record: only those of AddTemporary are watched.
	TemporaryOnly bool
	Hashes        *media.Hashes // shared with the queue, so that a file is read once; nil: its own
	Person        string        // who puts files into the cases of folders; "" where that isn't known
	// Batch is called with each batch of files once it has come to rest. nil: nothing is called.
	Batch func(Batch)
	Now   func() time.Time // nil: time.Now
	// After is time.After, for all waits but the watcher's; nil: time.After.
	After func(d time.Duration) <-chan time.Time
	Log   *slog.Logger
}

func (p *Params) fillIn() {
	if p.Gate == nil {
		p.Gate = func(s submission.Submission) (gate, lock submission.Gate) { return s.Gate, submission.GateSend }
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.After == nil {
		p.After = time.After
	}
	if p.Hashes == nil {
		p.Hashes = media.NewHashes(p.Now)
	}
	if p.Batch == nil {
		p.Batch = func(Batch) {}
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
}

// Folder is a copy of a watched folder's state.
type Folder struct {
	Settings
	ID        string
	Added     time.Time
	Temporary bool // only `assay watch` watches it
	// Lock is the gate that IT has locked for its files, GateSend for none. The stricter of it and Gate holds.
	Lock submission.Gate
	// LocksUnread reports that what IT has locked can't be read: Lock is then Assay's own caution.
	LocksUnread bool
	State       watch.State

	Taken    int          // files announced and accepted since it was added
	Held     int          // submissions that wait for the person's approval
	UnderWay int          // that go on by themselves
	Answered int          // that have a final answer
	Failed   int          // refused, or failed
	LastName string       // of the file that was accepted last, safe to show; "" for none
	LastAt   time.Time    // when
	Problem  i18n.Message // the latest problem that still persists
}

// Folders are the watched folders. Methods may be called on any goroutine; those with a ctx read the disk and block.
type Folders struct {
	Params
	ctx     context.Context
	stop    context.CancelFunc
	workers sync.WaitGroup
	watcher *watch.Watcher
	adding  mutex // held while a folder is added, changed or released
	counts  *countQueue
	batches *gathering
	moves   *moveQueue
	catchUp chan chan struct{} // asks follow to see all changes of submissions until now, and then to close the given channel

	mu    sync.Mutex
	order []*entry // in the order in which they were added
	// removed are those that were removed in this run, for Restore.
	removed map[string]*entry
}

// entry is a watched folder. Folders.mu guards its fields, except changing and taking.
type entry struct {
	record
	changing      mutex      // held while it is changed or removed; locked after Folders.adding
	taking        sync.Mutex // held while files of it are accepted, and while it is released
	released      bool       // it is not watched any more; guarded by taking
	counted       map[submission.State]int
	lastName      string
	lastAt        time.Time
	holders       int          // how many AddTemporary calls were not released
	untilReleased bool         // it is watched only as long as there are holders
	unread        i18n.Message // why its settings could not be read from the store
	untaken       i18n.Message // why its files can't be accepted
	unmoved       i18n.Message // why answered files of it can't be moved
	ungathered    i18n.Message // why its files can't be put into its case
}

func newEntry(k record) *entry { return &entry{record: k, changing: newMutex()} }

// Open begins to watch the folders on record. Close ends it; Queue and Store must stay open until then.
func Open(ctx context.Context, p Params) (*Folders, error) {
	p.fillIn()
	f := &Folders{Params: p, adding: newMutex(), removed: map[string]*entry{}, counts: newCountQueue(), batches: newGathering(), moves: newMoveQueue(), catchUp: make(chan chan struct{})}
	f.ctx, f.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := f.open(ctx); err != nil {
		f.Close()
		return nil, fmt.Errorf("take up the watched folders: %w", err)
	}
	return f, nil
}

func (f *Folders) open(ctx context.Context) error {
	rows, err := f.Store.Folders(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		k, ok := readRecord(row, f.Own)
		switch {
		case k.unfinished, k.removed: // the last run ended while it was added, or nobody can restore it any more
			if err := f.Store.RemoveFolder(ctx, row.ID); err != nil {
				return err
			}
			continue
		case k.temporary, f.TemporaryOnly:
			continue
		}
		e := newEntry(k)
		if !ok {
			e.unread = i18n.M("Assay could not read all settings of this folder. Check them, and save them again.")
		}
		f.order = append(f.order, e)
	}
	if f.watcher, err = watch.Open(watch.Params{Memory: memory{f.Store}, Announce: f.announce, Own: f.Own, Hash: f.hash,
		Changed: func(string) { f.notify() }, Log: f.Log}); err != nil {
		return err
	}
	changed := f.Queue.Events.Subscribe(events.Submission) // before any file is accepted
	f.workers.Go(func() { f.follow(changed) })
	f.workers.Go(f.count)
	f.workers.Go(f.move)
	for _, e := range f.order {
		f.counts.note(e.Path)
		if err := f.watcher.Add(e.watched(e.id)); err != nil {
			e.unread = messageOf(err, i18n.M("Assay could not read all settings of this folder. Check them, and save them again."))
		}
	}
	return nil
}

// hash is watch.Params.Hash.
func (f *Folders) hash(ctx context.Context, file *os.File) (sum watch.Sum, err error) {
	text, err := f.Hashes.Hash(ctx, file, nil)
	if err != nil {
		return sum, err
	}
	return parseSum(text)
}

// All returns the folders, in the order in which they were added. It returns at once.
func (f *Folders) All() []Folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]Folder, 0, len(f.order))
	for _, e := range f.order {
		all = append(all, f.view(e))
	}
	return all
}

// Get returns a folder, by its ID; ok is false for one that is not watched. It returns at once.
func (f *Folders) Get(id string) (folder Folder, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e := f.entry(id); e != nil {
		return f.view(e), true
	}
	return Folder{}, false
}

// GateOf is the gate that the person has set for files of a folder, named by its path: GateSend, which forbids nothing, for one that is not watched.
// It returns at once.
func (f *Folders) GateOf(path string) submission.Gate {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e := f.entryAt(path); e != nil {
		return e.Gate
	}
	return submission.GateSend
}

// Lock is the gate that IT has locked for files of watched folders. It returns at once.
func (f *Folders) Lock() submission.Gate {
	_, lock := f.Gate(submission.Submission{Source: submission.Watched})
	return lock
}

// InForce is the gate that holds for the folder's files: the stricter of its own and the lock.
func (f Folder) InForce() submission.Gate { return submission.Stricter(f.Gate, f.Lock) }

// entry is the folder of an ID, nil for none; f.mu is held.
func (f *Folders) entry(id string) *entry {
	for _, e := range f.order {
		if e.id == id {
			return e
		}
	}
	return nil
}

// entryAt is the folder of a path, nil for none; f.mu is held.
func (f *Folders) entryAt(path string) *entry {
	for _, e := range f.order {
		if e.Path == path {
			return e
		}
	}
	return nil
}

// view copies a folder; f.mu is held.
func (f *Folders) view(e *entry) Folder {
	v := Folder{Settings: e.tidy(), ID: e.id, Added: e.added, Temporary: e.temporary, Lock: f.Lock(), LocksUnread: f.LocksUnread, LastName: e.lastName, LastAt: e.lastAt}
	v.State, _ = f.watcher.State(e.id)
	for state, n := range e.counted {
		v.Taken += n
		switch state {
		case submission.Held:
			v.Held += n
		case submission.Done:
			v.Answered += n
		case submission.Refused, submission.Failed:
			v.Failed += n
		case submission.Cancelled, submission.Stays:
		default:
			v.UnderWay += n
		}
	}
	if v.State.Problem != nil {
		v.State.Problem = problemOf(v.State.Problem, i18n.M("This folder can't be read."))
	}
	v.Problem = e.problem(v.State)
	return v
}

// problem is the most serious problem of a folder that persists; Folders.mu is held.
func (e *entry) problem(state watch.State) i18n.Message {
	var looking i18n.Message
	if state.Problem != nil {
		looking = messageOf(state.Problem, i18n.M("This folder can't be read."))
	}
	switch state.Phase {
	case watch.Gone, watch.Unreadable, watch.Stuck:
		if !looking.IsZero() {
			return looking
		}
	default:
	}
	untaken := e.untaken
	if state.Settling+state.Offered == 0 {
		untaken = i18n.Message{} // the files are gone
	}
	return cmp.Or(untaken, e.unmoved, e.unread, e.ungathered, looking)
}

// notify publishes, in the queue's hub, that a folder has changed.
func (f *Folders) notify() { f.Queue.Events.Publish(events.Event{Topic: events.Folders}) }

// Close stops watching and waits for it. Files that were being accepted are accepted, or announced again after the next Open.
func (f *Folders) Close() {
	f.stop()
	if f.watcher != nil {
		f.watcher.Close()
	}
	f.workers.Wait()
}
