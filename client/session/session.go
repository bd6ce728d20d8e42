package command

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"assay/client"
	"assay/client/config"
	"assay/client/copies"
	"assay/client/feedback"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
)

// Session is a service with its records and a queue in front of it. Only the process that holds the folder has one.
type Session struct {
	Queue  *intake.Queue
	Store  *store.Store
	Client *client.Client
	Pull   *Pulling
	// Feedback keeps the desk's judgements, and sends them.
	Feedback *feedback.Sender
	// Folders are the watched folders, once Watch was called.
	Folders *folders.Folders
	Sandbox bool   // results come from the sandbox, which must be said
	Address string // of the service, for the screen
	Folder  string // of the records
	Log     *slog.Logger

	// Opened receives what later starts of the window have handed over; of several, the last is there.
	Opened chan intake.Accepted
	// Troubles receives why copies of what stands behind the answers can't be kept, and "" once they can again; likewise.
	Troubles chan string
	// Judged receives after judgements on results have come to stand differently; of several changes, one may be told.
	Judged chan struct{}
	// Heard receives after the result of a clip's sound has been kept, likewise; Kept after anything that stands behind a result has.
	Heard, Kept chan struct{}
	// Batches receives what came of files from watched folders.
	Batches chan folders.Batch

	hashes     *media.Hashes // for queue and folders, so that a file is read once
	own        []string      // folders of Assay's own, which are not watched
	keeper     *vault.Keeper
	ctx        context.Context // ends when the session closes
	background sync.WaitGroup
	closers    []func()
	settings   *config.Config
	watched    atomic.Pointer[folders.Folders] // Folders, for the queue, which is there before them
	applied    applied                         // the settings
}

// How far back the answers are looked through for artifacts that were not kept yet.
const (
	keptLately = 200
	keptWithin = 7 * 24 * time.Hour
)

// openSession opens the records of the service and takes up what they hold. The caller holds the folder.
func openSession(ctx context.Context, from *service) (s *Session, err error) {
	s = &Session{Sandbox: from.sandbox, Folder: from.folder, Log: from.log, Opened: make(chan intake.Accepted, 1), Troubles: make(chan string, 1), Judged: make(chan struct{}, 1),
		Heard: make(chan struct{}, 1), Kept: make(chan struct{}, 1), Batches: make(chan folders.Batch, batchesAtMost), hashes: media.NewHashes(time.Now),
		own: []string{filepath.Dir(from.folder)}}
	defer func() {
		if err != nil {
			s.Close()
			s = nil
		}
	}()
	s.closers = append(s.closers, from.close)
	if err := from.connect(ctx); err != nil {
		return s, err
	}
	s.Client, s.Address = from.client, from.client.Address()
	settings := from.config.Settings()
	s.settings = from.config
	s.applied = applied{uploads: settings.Uploads, storage: settings.Storage, network: from.network()}
	if s.Store, err = store.Open(ctx, from.folder, store.Options{Log: s.Log, VaultCap: vaultCap(settings.Storage)}); err != nil {
		return s, err
	}
	s.closers = append(s.closers, func() {
		if err := s.Store.Close(); err != nil {
			s.Log.Error("close the records", "error", err)
		}
	})
	s.keeper = vault.New(vault.Params{
		Client: s.Client, Vault: s.Store, Log: s.Log,
		OnKept:    func(string) { replace(s.Kept, struct{}{}) },
		OnAudio:   func(submission.Submission, *client.Result) { replace(s.Heard, struct{}{}) },
		OnTrouble: func(sentence string) { replace(s.Troubles, sentence) },
	})
	s.closers = append(s.closers, s.keeper.Close)
	if s.Feedback, err = feedback.Open(ctx, feedback.Params{Store: s.Store, Client: s.Client, Log: s.Log, OnChange: func(string) { replace(s.Judged, struct{}{}) }}); err != nil {
		return s, err
	}
	s.closers = append(s.closers, s.Feedback.Close)
	if s.Queue, err = intake.Open(ctx, intake.Params{
		Service:           s.Client,
		Store:             s.Store,
		Pacer:             s.Client.Pacer(),
		PollMin:           from.poll(),
		Uploads:           settings.Uploads,
		Gate:              s.gate,
		LocksUnread:       s.settings.LocksUnread(),
		Copier:            copies.In(filepath.Join(from.folder, "copies")),
		UploadURLsExpired: from.moved,
		Hashes:            s.hashes,
		Answered:          s.keeper.Take,
		Log:               s.Log,
	}); err != nil {
		return s, err
	}
	s.closers = append(s.closers, s.Queue.Close)
	s.Pull = newPulling(s.Client, s.Store, s.Queue, s.Log)
	s.closers = append(s.closers, s.Pull.Close)
	var stop context.CancelFunc
	s.ctx, stop = context.WithCancel(context.WithoutCancel(ctx))
	s.closers = append(s.closers, func() {
		stop()
		s.background.Wait()
	})
	if from.window != nil { // no call waits for a key any more
		s.closers = append(s.closers, from.window.stop)
	}
	return s, nil
}

// batchesAtMost bounds the batches that nobody has taken yet.
const batchesAtMost = 8

// Watch begins to watch folders: the kept ones, unless passingOnly. Close ends it.
func (s *Session) Watch(ctx context.Context, passingOnly bool) error {
	watched, err := folders.Open(ctx, folders.Params{
		Queue:       s.Queue,
		Store:       s.Store,
		Hashes:      s.hashes,
		Own:         s.own,
		Gate:        s.settings.Gate,
		PassingOnly: passingOnly,
		Batch: func(b folders.Batch) {
			select {
			case s.Batches <- b:
			default: // nobody listens
			}
		},
		Log: s.Log,
	})
	if err != nil {
		return err
	}
	s.Folders = watched
	s.watched.Store(watched)
	s.closers = append(s.closers, watched.Close)
	return nil
}

// gate is intake.Params.Gate: what the settings say, and of a watched folder's file what its folder does by now.
func (s *Session) gate(sub submission.Submission) (gate, lock submission.Gate) {
	if watched := s.watched.Load(); watched != nil && sub.Source == submission.Watched {
		sub.Gate = submission.Stricter(sub.Gate, watched.GateOf(sub.Folder))
	}
	return s.settings.Gate(sub)
}

// GoOnKeeping takes up the artifacts that were not kept when the last run ended, and tries what waits whenever the queue goes
// on: the network, the key or the disk is back then. It returns at once; Close ends it.
func (s *Session) GoOnKeeping() {
	s.background.Go(func() {
		changes := s.Queue.Watch()
		defer changes.Close()
		lately, err := s.answeredLately(s.ctx)
		if err == nil {
			_, err = s.keeper.Missing(s.ctx, lately)
		}
		if err != nil && s.ctx.Err() == nil {
			s.Log.Error("look for what is missing in the vault", "error", err)
		}
		for before := intake.Running; ; {
			select {
			case <-changes.Ready():
				last, now := before, s.Queue.QueueStatus().Cause
				if before = now; changes.Take().Status && now == intake.Running && last != intake.Busy {
					s.keeper.TryNow()
					s.Feedback.TryNow()
				}
			case <-s.ctx.Done():
				return
			}
		}
	})
}

// Keep puts what stands behind a result into the vault, where it is not yet. It returns at once.
func (s *Session) Keep(sub submission.Submission) { s.keeper.Take(sub) }

// settleFor is how long a subcommand waits at its end for the copies of what stands behind the answers, where those come in.
const settleFor = time.Minute

// settle waits for these copies, and says so where it takes a while: what is missing then is taken up by the next run.
func (s *Session) settle(ctx context.Context, said io.Writer) {
	ctx, cancel := context.WithTimeout(ctx, settleFor)
	defer cancel()
	defer time.AfterFunc(remindTick, func() {
		say(said, i18n.T("The pictures and details behind the answers are being kept."))
	}).Stop()
	s.keeper.Settle(ctx)
}

func (s *Session) answeredLately(ctx context.Context) ([]submission.Submission, error) {
	rows, _, err := s.Store.Page(ctx, store.Query{}, store.Cursor{}, keptLately)
	if err != nil {
		return nil, err
	}
	var lately []submission.Submission
	for _, row := range rows {
		if row.Source == submission.Service || time.Since(row.Answered) > keptWithin {
			continue // what another device submitted is kept once it is looked at
		}
		sub, ok, err := s.Store.Get(ctx, row.ID)
		if err != nil {
			return nil, err
		}
		if ok {
			lately = append(lately, sub)
		}
	}
	return lately, nil
}

// Close stops the work and waits for it, the last opened first.
func (s *Session) Close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers = nil
}

// SetAside is the name under which damaged records of earlier runs were set aside, which must be said; "" for none.
func (s *Session) SetAside() string { return s.Store.SetAside() }

// replace puts a value into a channel of one place; one that nobody has taken yet goes.
func replace[T any](c chan T, value T) {
	for {
		select {
		case c <- value:
			return
		default:
		}
		select {
		case <-c:
		default:
		}
	}
}

// sessionTaker is a session as scan and later starts see it.
type sessionTaker struct{ *Session }

// Get implements taker.
func (s sessionTaker) Get(ctx context.Context, id string) (submission.Submission, bool, error) {
	if sub, ok := s.Queue.Get(id); ok {
		return sub, true, nil
	}
	return s.Store.Get(ctx, id)
}

// Accept implements taker.
func (s sessionTaker) Accept(ctx context.Context, given []string, o intake.Options) (intake.Accepted, error) {
	return s.Queue.Accept(ctx, intake.Inputs(given...), o)
}

// Watch implements taker.
func (s sessionTaker) Watch() changes { return s.Queue.Watch() }

// Standing implements taker.
func (s sessionTaker) Standing() intake.QueueStatus {
	standing := s.Queue.QueueStatus()
	if standing.Cause == intake.PausedAll {
		standing.Reason = i18n.T("Everything is paused: resume it in Assay's window.")
		standing.Why = standing.Reason
	}
	return standing
}

// Stopped implements taker.
func (s sessionTaker) Stopped(id string) bool { return s.Queue.Stopped(id) }

// FromSandbox implements taker.
func (s sessionTaker) FromSandbox() bool { return s.Sandbox }
