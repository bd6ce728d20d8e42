// Package session is the composition root of the window and the subcommands: the folder of everything that Assay keeps and who may open it, settings,
// keys and log, and one service with its client, records, queue, vault, feedback, watched folders and the fetching of its list. It imports the
// packages of client but for command, and is alone with that in starting the sandbox.
package session

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"assay/client"
	"assay/client/config"
	"assay/client/copies"
	"assay/client/events"
	"assay/client/feedback"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/nearly"
	"assay/client/pull"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
)

// Session is a service with its records and its queue. Only the process that holds the folder has one.
type Session struct {
	Queue  *intake.Queue
	Store  *store.Store
	Client *client.Client
	Pull   *pull.Puller // brings the service's own list into the store
	// Vault keeps the artifacts of results; it is nil only in tests: then none are kept.
	Vault *vault.Fetcher
	// Feedback keeps the person's feedback on results and sends it.
	Feedback *feedback.Sender
	// Nearly finds what is nearly the same as something that was checked before. It works from Resume on; it is nil only in tests.
	Nearly *nearly.Finder
	// Folders are the watched folders, nil before Watch.
	Folders *folders.Folders
	Sandbox bool   // results come from the sandbox, which must be shown
	Address string // of the service, as it is shown
	Folder  string // of the records
	Log     *slog.Logger

	Events *events.Hub // the changes of all these

	hashes     *media.Hashes // shared by queue and folders, so that a file is read once
	clock      Clock
	own        []string        // Assay's own folders, which can't be watched
	ctx        context.Context // ends when the session closes
	background sync.WaitGroup
	resuming   sync.Once
	closers    []func()
	settings   *config.Config
	logKeys    logKeys                         // sign the custody log
	watched    atomic.Pointer[folders.Folders] // Folders, for the queue, which is opened before them
	applied    applied                         // the settings that were last given to it
	desk       deskLoop

	mu      sync.Mutex // guards what follows
	handed  []Handed
	notice  i18n.Message // see Notice
	problem i18n.Message // the vault's problem, as it was when last read
	batches []folders.Batch
}

// How many answers are checked at the start for artifacts that are not in the vault yet.
const (
	recentMost   = 200
	recentWithin = 7 * 24 * time.Hour
)

// Open opens the records of the service and goes on with what they hold. The caller holds the folder. Close closes the service, too.
func Open(ctx context.Context, from *Service) (s *Session, err error) {
	s = &Session{Sandbox: from.Sandbox, Folder: from.Folder, Log: from.Log, Events: from.Events, hashes: media.NewHashes(time.Now), clock: from.Machine.Clock,
		own: []string{filepath.Dir(from.Folder)}}
	defer func() {
		if err != nil {
			s.Close()
			s = nil
		}
	}()
	s.closers = append(s.closers, from.Close)
	if err := store.CheckVersion(ctx, from.Folder); err != nil { // before the sandbox begins to write beside it
		return s, err
	}
	if err := from.Connect(ctx); err != nil {
		return s, err
	}
	s.Client, s.Address = from.Client, from.Client.Address()
	settings := from.Config.Settings()
	s.settings = from.Config
	s.applied = applied{uploads: settings.Uploads, storage: settings.Storage, network: from.network()}
	if s.Store, err = store.Open(ctx, from.Folder, store.Options{Now: s.clock.Now, Log: s.Log, Sandbox: from.Sandbox, VaultCap: vaultCap(settings.Storage), Events: s.Events}); err != nil {
		return s, err
	}
	s.closers = append(s.closers, func() {
		if err := s.Store.Close(); err != nil {
			s.Log.Error("close the records", "error", err)
		}
	})
	s.logKeys = logKeys{from}
	s.closers = append(s.closers, func() { // once nothing is added to it any more
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), signingPatience)
		defer cancel()
		s.signCustody(ctx)
	})
	s.Vault = vault.New(vault.Params{
		Client: s.Client, Vault: s.Store, Log: s.Log,
		Events: s.Events, Now: s.clock.Now, Wait: s.clock.Wait,
	})
	s.closers = append(s.closers, s.Vault.Close)
	if s.Feedback, err = feedback.Open(ctx, feedback.Params{Store: s.Store, Client: s.Client, Log: s.Log, Events: s.Events, Now: s.clock.Now, Wait: s.clock.Wait}); err != nil {
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
		Copies:            s.copies,
		Copier:            copies.In(filepath.Join(from.Folder, "copies")),
		UploadURLsExpired: from.moved,
		Hashes:            s.hashes,
		Events:            s.Events,
		Answered:          s.Vault.Fetch,
		Elsewhere:         s.checkedElsewhere,
		Now:               s.clock.Now,
		Wait:              s.clock.Wait,
		Log:               s.Log,
	}); err != nil {
		return s, err
	}
	s.closers = append(s.closers, s.Queue.Close)
	s.Nearly = nearly.New(nearly.Params{
		Store: s.Store, Queue: s.Queue, Events: s.Events, Busy: func() bool { return s.Queue.Totals().Active() > 0 }, Now: s.clock.Now, Log: s.Log,
	})
	s.closers = append(s.closers, s.Nearly.Close)
	s.Pull = pull.New(pull.Params{
		Client: s.Client, Store: s.Store, Account: s.Client.Address(), Claimed: s.Queue.Claims, OnUnfinished: s.Queue.Adopt, Events: s.Events, Now: s.clock.Now, Log: s.Log,
	})
	s.closers = append(s.closers, s.Pull.Close)
	var stop context.CancelFunc
	s.ctx, stop = context.WithCancel(context.WithoutCancel(ctx))
	s.closers = append(s.closers, func() {
		stop()
		s.background.Wait()
	})
	s.background.Go(func() { s.signCustody(s.ctx) })
	if err := s.OpenDesk(ctx); err != nil { // the records are of use without it
		s.Log.Error("open the desk", "error", err)
	}
	s.closers = append(s.closers, s.closeDesk)
	if from.window != nil { // no call must wait for a key any more
		s.closers = append(s.closers, from.window.stop)
	}
	return s, nil
}

// batchesAtMost bounds the batches that are kept until Batches is called.
const batchesAtMost = 8

// Watch begins to watch the folders on record, or none of them if temporaryOnly. Close ends it.
func (s *Session) Watch(ctx context.Context, temporaryOnly bool) error {
	watched, err := folders.Open(ctx, folders.Params{
		Queue:         s.Queue,
		Store:         s.Store,
		Hashes:        s.hashes,
		Own:           s.own,
		Gate:          s.settings.Gate,
		LocksUnread:   s.settings.LocksUnread(),
		TemporaryOnly: temporaryOnly,
		Person:        Person(),
		Batch:         s.addBatch,
		Now:           s.clock.Now,
		Log:           s.Log,
	})
	if err != nil {
		return err
	}
	s.Folders = watched
	s.watched.Store(watched)
	s.closers = append(s.closers, watched.Close)
	return nil
}

// gate is intake.Params.Gate: what the settings say, and for a file of a watched folder what the folder's settings say now.
func (s *Session) gate(sub submission.Submission) (gate, lock submission.Gate) {
	if watched := s.watched.Load(); watched != nil && sub.Source == submission.Watched {
		sub.Gate = submission.Stricter(sub.Gate, watched.GateOf(sub.Folder))
	}
	return s.settings.Gate(sub)
}

// copies is intake.Params.Copies.
func (s *Session) copies() submission.CopyRule {
	if s.settings.Settings().Copies == string(submission.CopiesAlways) {
		return submission.CopiesAlways
	}
	return submission.CopiesAsk
}

// Resume goes on fetching the artifacts that were not in the vault when the last run ended, and retries what waits whenever the queue is resumed,
// since the network, the key or the disk is then back. It begins to make fingerprints. It returns at once; Close ends it. Calls after the first do nothing.
func (s *Session) Resume() {
	if s.Nearly != nil {
		s.Nearly.Start()
	}
	if s.Vault != nil {
		s.resuming.Do(s.resume)
	}
}

func (s *Session) resume() {
	s.background.Go(func() {
		changes := s.Events.Subscribe(events.Queue)
		defer changes.Close()
		lately, err := s.recentAnswers(s.ctx)
		if err == nil {
			_, err = s.Vault.FetchMissing(s.ctx, lately)
		}
		if err != nil && s.ctx.Err() == nil {
			s.Log.Error("look for what is missing in the vault", "error", err)
		}
		for before := intake.Running; ; {
			select {
			case <-changes.Ready():
				changes.Take()
				last, now := before, s.Queue.QueueStatus().Cause
				if before = now; now == intake.Running && last != intake.Busy {
					s.Vault.TryNow()
					s.Feedback.TryNow()
				}
			case <-s.ctx.Done():
				return
			}
		}
	})
}

// LentFolder is for copies that other programs open; "" for a session without a folder.
func (s *Session) LentFolder() string { return s.below("lent") }

// PastedFolder is for pictures that were pasted; "" for a session without a folder.
func (s *Session) PastedFolder() string { return s.below("pasted") }

func (s *Session) below(name string) string {
	if s.Folder == "" {
		return ""
	}
	return filepath.Join(s.Folder, name)
}

// Keep fetches a result's artifacts into the vault, unless they are there. It returns at once.
func (s *Session) Keep(sub submission.Submission) {
	if s.Vault != nil {
		s.Vault.Fetch(sub)
	}
}

// Settle waits until the artifacts of the answers are fetched, for as long as some arrive and ctx allows; the next run fetches the rest.
func (s *Session) Settle(ctx context.Context) { s.Vault.Settle(ctx) }

func (s *Session) recentAnswers(ctx context.Context) ([]submission.Submission, error) {
	rows, _, err := s.Store.Page(ctx, store.Query{}, store.Cursor{}, recentMost)
	if err != nil {
		return nil, err
	}
	var lately []submission.Submission
	for _, row := range rows {
		if row.Source == submission.Service || s.clock.now().Sub(row.Answered) > recentWithin {
			continue // of what another device submitted, artifacts are kept once it is opened
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

// Close stops all work and waits for it, in the reverse order of opening.
func (s *Session) Close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers = nil
}

// SetAside is the name under which damaged records were set aside, which the person must be told; "" for none.
func (s *Session) SetAside() string { return s.Store.SetAside() }

// handOver keeps what a later start of the window handed over.
func (s *Session) handOver(h Handed) {
	s.mu.Lock()
	s.handed = append(s.handed, h)
	s.mu.Unlock()
	s.Events.Publish(events.Event{Topic: events.Handed})
}

// Handed is what later starts of the window handed over since the last call.
func (s *Session) Handed() []Handed {
	s.mu.Lock()
	defer s.mu.Unlock()
	handed := s.handed
	s.handed = nil
	return handed
}

// say keeps a message for Notice.
func (s *Session) say(message i18n.Message) {
	s.mu.Lock()
	s.notice = message
	s.mu.Unlock()
	s.Events.Publish(events.Event{Topic: events.Notice})
}

// Notice is what to show about the session: why artifacts can't be kept, or which setting could not be applied. It says nothing where all is well,
// also once artifacts can be kept again.
func (s *Session) Notice() i18n.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Vault != nil {
		if problem := s.Vault.Problem(); problem != s.problem {
			s.problem, s.notice = problem, problem
		}
	}
	return s.notice
}

// addBatch keeps a batch from a watched folder until Batches is called: the latest few.
func (s *Session) addBatch(b folders.Batch) {
	s.mu.Lock()
	s.batches = append(s.batches, b)
	s.batches = s.batches[max(0, len(s.batches)-batchesAtMost):]
	s.mu.Unlock()
	s.Events.Publish(events.Event{Topic: events.Batch})
}

// Batches are the batches from watched folders since the last call.
func (s *Session) Batches() []folders.Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	batches := s.batches
	s.batches = nil
	return batches
}

// Service is the service that the session is of.
func (s *Session) Service() *Service { return s.logKeys.Service }
