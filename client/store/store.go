// Package store is the one durable file: submissions, results, cases, artifacts, feedback, watched folders and the custody log.
// It imports client, client/bounded, client/events and client/submission, SQLite and UUIDs.
package store

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"assay/client/custody"
	"assay/client/events"
)

// fileName is the database's, inside the store's folder.
const fileName = "assay.db"

// Exists reports whether a folder has records.
func Exists(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, fileName))
	return err == nil
}

// DefaultVaultCap is how many bytes of artifacts are kept by default.
const DefaultVaultCap = 2 << 30

// Begin puts a store's file into a folder that has none. Only tests set it, by storetest.Quick; nil: the file is made anew.
var Begin func(folder string) error

// Options of a Store; the zero value may be used.
type Options struct {
	Now      func() time.Time // nil: time.Now
	Log      *slog.Logger     // nil: nothing is logged
	Sandbox  bool             // the answers are the sandbox's: those of colleagues count only where theirs are, too
	VaultCap int64            // in bytes, of all artifacts together; 0: DefaultVaultCap
	// Events gets events.Case when a case has changed, and events.Submission when one was marked as graphic or its voice was answered, and
	// events.Results when lists show something else by that. nil: nothing.
	Events *events.Hub
}

// Store keeps everything that outlives a run. When a method returns without an error, its change is on disk. Every method may be called on any
// goroutine and blocks on the disk, so none belongs on the UI thread. Only one process at a time may have a folder open; the store does not check
// that.
type Store struct {
	options  Options
	folder   string
	setAside string

	newer  *Newer // the file is a newer Assay's, and only read; nil: it can be written to
	forget func() // with newer: closes it

	unclosed  bool // the last run did not close the file
	unchecked bool // and it is too large to be checked while a person waits

	writing  chan struct{} // holds one token: whoever has it may write
	joining  sync.Mutex
	waiting  []*joined     // writes that the next one takes along
	writer   *connection   // for whoever has the token
	head     custody.Head  // for whoever has the token
	tree     *custody.Tree // for whoever has the token; nil: not read, or not built yet
	written  atomic.Int64  // how many transactions there were since parts of the search index were merged
	longest  atomic.Int64  // the longest distance of a key from its date, in microseconds
	readers  *connection
	listings listings
	vault    vault

	treeBuilt chan struct{} // closed once the custody log's tree is built, or can't be

	work   sync.WaitGroup // what is done after the start, beside everything else
	ctx    context.Context
	stop   context.CancelFunc
	closed sync.Once
}

// Open opens the store in a folder, which it makes if it is missing. A damaged file is set aside (see SetAside) and a new one begun. If the file
// can't be opened for another reason (a folder that can't be written to, a full disk, a file of a newer Assay), the error is an *Error, and nothing
// was changed.
func Open(ctx context.Context, folder string, o Options) (*Store, error) {
	s, err := prepare(ctx, folder, o)
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		s.stop()
		return nil, err
	}
	s.writing <- struct{}{}
	now := s.options.Now()
	s.work.Go(func() { s.tidy(now) })
	s.work.Go(s.buildTree)
	return s, nil
}

// prepare makes a Store that is not open yet.
func prepare(ctx context.Context, folder string, o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.VaultCap == 0 {
		o.VaultCap = DefaultVaultCap
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, failure("open the history", err)
	}
	s := &Store{options: o, folder: folder, writing: make(chan struct{}, 1), treeBuilt: make(chan struct{}), vault: vault{run: uuid.NewString()}}
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	return s, nil
}

func (s *Store) open(ctx context.Context) error {
	const op = "open the history"
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // a step that has begun is finished
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return failure(op, err)
	}
	if Begin != nil && !Exists(s.folder) {
		if err := Begin(s.folder); err != nil {
			return failure(op, err)
		}
	}
	err := s.connect(ctx)
	if err != nil && kindOf(err) == ErrDamaged { //nolint:errorlint // kindOf gives this very error
		s.options.Log.Error("the history is damaged and is set aside", "error", err)
		if s.setAside, err = setAside(s.folder, s.options.Now()); err != nil {
			return failure("set the damaged history aside", err)
		}
		err = s.connect(ctx)
	}
	if err != nil {
		return failure(op, err)
	}
	return nil
}

// connect opens the file and brings it up to date. For a damaged file the error is ErrDamaged, and the file is closed.
func (s *Store) connect(ctx context.Context) (err error) {
	path := filepath.Join(s.folder, fileName)
	if newer := checkVersion(ctx, path); newer != nil {
		return newer
	}
	found, err := inspect(path)
	if err != nil {
		return err
	}
	if s.writer, err = connectTo(ctx, path, writes); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = s.writer.close()
		}
	}()
	if err := migrate(ctx, s.writer, found.begun); err != nil {
		return err
	}
	s.unclosed = found.unclean
	if s.unchecked, err = s.writer.check(ctx, found); err != nil {
		return err
	}
	longest, err := s.writer.number(ctx, "SELECT longest FROM shift")
	if err != nil {
		return err
	}
	s.longest.Store(longest)
	if s.readers, err = connectTo(ctx, path, reads); err != nil {
		return err
	}
	return forgetSuspicion(path)
}

// SetAside is the name under which Open left a damaged file in the store's folder, "" where there was none.
func (s *Store) SetAside() string { return s.setAside }

// Close waits for what is being written, and closes the file. The store is of no use afterwards.
func (s *Store) Close() error {
	var err error
	s.closed.Do(func() {
		s.stop()
		if s.newer != nil {
			s.forget()
			return
		}
		<-s.writing // never given back: nothing is written any more
		s.work.Wait()
		err = errors.Join(s.readers.close(), s.writer.close())
	})
	return failure("close the history", err)
}
