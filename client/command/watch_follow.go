package command

import (
	"context"
	"errors"
	"sync"
	"time"

	"assay/client/events"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/submission"
	"assay/watch"
)

// Intervals and patience.
var (
	lookPause    = time.Second      // after a change of the folders, before their states are looked at: what lasts no longer is not said
	addPatience  = 2 * time.Second  // for a folder to be added, before the next is added at the same time: a dead share takes minutes
	addPause     = 10 * time.Second // before a folder that was being watched is tried again
	refusedPause = 15 * time.Minute // before the service is asked again after it refused the key, or had no uploads left
)

// watch does the job of a start of `assay watch`, here or in another process, until ctx ends.
func (o *operations) watch(ctx context.Context, job watchJob, emit func(watchEvent) error) error {
	q, able := o.queue.(folderQueue)
	if !able {
		return ipc.OtherVersion()
	}
	f := watchTracker{
		queue: q, job: job, alone: !o.window, emit: emit, after: o.after,
		changes: q.Hub().Subscribe(events.Submission, events.Queue, events.Folders), // subscribed before the first check, so that no change is missed
		watched: map[string]*followedFolder{}, said: map[string]submission.State{}, added: make(chan addedFolder),
	}
	defer f.changes.Close()
	for id, state := range job.Said {
		f.said[id] = state
	}
	if job.Said == nil { // before a folder is added: what it brings is new, however soon it ends
		for _, s := range q.Inbox() {
			if s.Folder != "" && hasEnd(s.State) {
				f.before = append(f.before, s)
			}
		}
	}
	var err error
	if f.folders, err = o.openFolders(ctx, q); err != nil {
		return err
	}
	return f.run(ctx)
}

// watchTracker is one call of watch. Its fields belong to the goroutine of run, except ids.
type watchTracker struct {
	queue   folderQueue
	folders watchedFolders
	job     watchJob
	alone   bool // no window is open: nobody is there to resume the queue
	emit    func(watchEvent) error
	after   func(time.Duration) <-chan time.Time
	changes *events.Subscription
	watched map[string]*followedFolder // by path
	said    map[string]submission.State
	before  []submission.Submission // submissions from earlier runs, of all folders, of which nothing more is to be said
	added   chan addedFolder

	reported   bool         // why the queue waits was said
	cause      intake.Cause // the cause last said
	reminder   reminder
	again      <-chan time.Time // receives when a queue that the service refused is to try again
	folderLook <-chan time.Time // receives when the folders' states are to be looked at; nil: none has changed

	mu  sync.Mutex // guards ids
	ids []string   // of the folders that were added
}

// followedFolder is a watched folder whose files are followed.
type followedFolder struct {
	id       string
	given    string
	reported bool // its state was said
	stood    string
}

// addedFolder is the outcome of adding a folder.
type addedFolder struct {
	given string
	id    string
	err   error
}

func (f *watchTracker) run(ctx context.Context) error {
	defer f.release(context.WithoutCancel(ctx))
	ctx, stop := context.WithCancel(ctx)
	var adding sync.WaitGroup
	defer adding.Wait()
	defer stop()
	adding.Go(func() { f.addAll(ctx) })
	remind := f.after(remindTick)
	for {
		var err error
		select {
		case a := <-f.added:
			err = f.begin(ctx, a)
		case <-f.changes.Ready():
			err = f.lookAt(ctx, f.changes.Take())
		case <-f.folderLook:
			f.folderLook = nil
			err = f.sayFolders()
		case <-remind:
			err = f.remind()
			remind = f.after(remindTick)
		case <-f.again:
			f.again = nil
			f.queue.TryAgain()
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err == nil {
			err = f.sayStatus()
		}
		if err != nil {
			return err
		}
	}
}

// addAll adds the folders in their order, so that of two that can't both be watched it is always the first that is.
func (f *watchTracker) addAll(ctx context.Context) {
	var each sync.WaitGroup
	defer each.Wait()
	for _, given := range f.job.Given {
		done := make(chan struct{})
		each.Go(func() {
			defer close(done)
			f.add(ctx, given)
		})
		select {
		case <-done:
		case <-f.after(addPatience):
		case <-ctx.Done():
			return
		}
	}
}

// add adds a folder; one that was being watched before is tried until it can be added.
func (f *watchTracker) add(ctx context.Context, given string) {
	begin := folders.OnlyNew
	if f.job.All {
		begin = folders.All
	}
	for {
		id, err := f.folders.AddTemporary(ctx, f.job.settings(given), begin)
		if err == nil {
			f.mu.Lock()
			f.ids = append(f.ids, id)
			f.mu.Unlock()
		}
		select {
		case f.added <- addedFolder{given: given, id: id, err: err}:
		case <-ctx.Done():
			return
		}
		if err == nil || !f.job.Began {
			return
		}
		select {
		case <-f.after(addPause):
		case <-ctx.Done():
			return
		}
	}
}

// release ends the watching of the folders that were added.
func (f *watchTracker) release(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range f.ids {
		_ = f.folders.Release(ctx, id) // it is not watched any more, even if that could not be written
	}
}

// begin says that a folder is watched from now on, and follows its files; or says why it is not.
func (f *watchTracker) begin(ctx context.Context, a addedFolder) error {
	e := &folderEvent{Given: []byte(a.given)}
	if a.err != nil {
		var problem *folders.Problem
		if !errors.As(a.err, &problem) && !f.job.Began {
			return a.err // a fault of the records, not of this folder
		}
		e.Failed = !f.job.Began
		e.Sentence = folderText(a.given, i18n.Sentence(a.err))
		return f.emit(watchEvent{Folder: e})
	}
	folder, ok := f.folders.Get(a.id)
	if !ok { // it was removed in the window since: sayFolders reports that
		folder = folders.Folder{Settings: f.job.settings(a.given), Temporary: true, Lock: submission.GateSend}
	}
	w := &followedFolder{id: a.id, given: a.given}
	f.watched[folder.Path] = w
	f.lookAtFolders() // it may be past its start already
	e.Begins, e.Sentence = true, beginsText(folder)
	if f.job.Said == nil {
		e.Said = map[string]submission.State{}
		for _, s := range f.before {
			if f.folderOf(s) == w {
				e.Said[s.ID], f.said[s.ID] = s.State, s.State
			}
		}
	}
	if err := f.emit(watchEvent{Folder: e}); err != nil {
		return err
	}
	if f.job.Case != "" && folder.Case != f.job.Case && !f.job.Began {
		if err := f.emit(watchEvent{Said: i18n.F("%s is watched already: --case has no effect on it.", plain.From(folder.Path))}); err != nil {
			return err
		}
	}
	var held []string
	for _, s := range f.queue.Inbox() {
		if f.folderOf(s) != w {
			continue
		}
		if s.State == submission.Held && f.said[s.ID] == submission.Held {
			held = append(held, s.ID)
		}
		if err := f.look(ctx, s.ID); err != nil {
			return err
		}
	}
	return f.decideHeld(folder, held)
}

// decideHeld decides on files that were held in an earlier run: those are sent for which the gate is send now.
func (f *watchTracker) decideHeld(folder folders.Folder, ids []string) error {
	if len(ids) == 0 || f.job.Began {
		return nil
	}
	name, text := plain.From(folder.Path).String(), ""
	switch {
	case folder.Temporary && folder.InForce() == submission.GateSend:
		f.queue.Approve(intake.ApproveOptions{}, ids...)
		text = i18n.N(len(ids), "%s earlier file of %s waited for your decision and may leave now.",
			"%s earlier files of %s waited for your decision and may leave now.", name)
	case folder.Temporary && folder.Lock == submission.GateSend:
		text = i18n.N(len(ids), "%s earlier file of %s may not leave yet: decide in Assay's window, or start with --gate send.",
			"%s earlier files of %s may not leave yet: decide in Assay's window, or start with --gate send.", name)
	default:
		text = i18n.N(len(ids), "%s earlier file of %s may not leave yet: decide in Assay's window.",
			"%s earlier files of %s may not leave yet: decide in Assay's window.", name)
	}
	return f.emit(watchEvent{Said: text})
}

// folderOf is the watched folder that a submission came from, nil for none.
func (f *watchTracker) folderOf(s submission.Submission) *followedFolder { return f.watched[s.Folder] }

func (f *watchTracker) lookAt(ctx context.Context, changed events.Changes) error {
	if changed.Has(events.Folders) {
		f.lookAtFolders()
	}
	for _, id := range changed.IDs(events.Submission) {
		if err := f.look(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// lookAtFolders has the folders' states be looked at soon.
func (f *watchTracker) lookAtFolders() {
	if f.folderLook == nil {
		f.folderLook = f.after(lookPause)
	}
}

// look emits what is new of a submission: that it has ended, or is held. One that goes on again will be emitted again when it ends.
func (f *watchTracker) look(ctx context.Context, id string) error {
	s, known, err := f.queue.Get(ctx, id)
	if err != nil || !known {
		return err
	}
	folder := f.folderOf(s)
	before, said := f.said[id]
	switch {
	case folder == nil, said && before == s.State, !said && !hasEnd(s.State):
		return nil
	case hasEnd(s.State):
		f.said[id] = s.State
	default:
		delete(f.said, id)
	}
	now, ok := f.folders.Get(folder.id)
	e, err := newWatchedEvent(s, ok && (!now.Temporary || now.Lock != submission.GateSend), f.queue.FromSandbox())
	if err != nil {
		return err
	}
	return f.emit(watchEvent{Item: e})
}

// sayStatus emits why the queue waits, when that changes, and now and then while it lasts.
func (f *watchTracker) sayStatus() error {
	status := f.queue.QueueStatus()
	if f.alone && status.Stopped() && f.again == nil {
		f.again = f.after(refusedPause)
	}
	if f.reported && status.Cause == f.cause {
		return nil
	}
	f.reported, f.cause = true, status.Cause
	f.reminder.said(string(status.Cause))
	return f.emit(watchEvent{Queue: &statusEvent{Sentence: status.Reason.String()}})
}

// remind emits again why the queue waits, when it is time to.
func (f *watchTracker) remind() error {
	status := f.queue.QueueStatus()
	if status.Cause == intake.Running || !f.reminder.due(string(status.Cause)) {
		return nil
	}
	return f.emit(watchEvent{Said: status.Reason.String()})
}

// sayFolders emits the states of the folders that have changed.
func (f *watchTracker) sayFolders() error {
	for _, w := range f.watched {
		folder, ok := f.folders.Get(w.id)
		if ok && folder.State.Phase == watch.Starting {
			continue
		}
		text := standsText(folder, ok)
		if text != "" {
			text = folderText(w.given, text)
		}
		if w.reported && text == w.stood {
			continue
		}
		w.reported, w.stood = true, text
		if err := f.emit(watchEvent{Folder: &folderEvent{Given: []byte(w.given), Sentence: text}}); err != nil {
			return err
		}
	}
	return nil
}

// folderQueue is what watch needs of a session; tests have their own.
type folderQueue interface {
	queue
	// WatchFolders returns the watched folders. If none are watched in this process yet, it starts without those on record.
	WatchFolders(ctx context.Context) (watchedFolders, error)
	// Inbox returns all submissions that are in the inbox.
	Inbox() []submission.Submission
	// Approve is intake.Queue.Approve.
	Approve(o intake.ApproveOptions, ids ...string)
	// TryAgain resumes the queue if the service's refusal has halted it, but not if the person has paused it.
	TryAgain()
}

// watchedFolders is what watch needs of *folders.Folders.
type watchedFolders interface {
	AddTemporary(ctx context.Context, s folders.Settings, begin folders.Begin) (id string, err error)
	Release(ctx context.Context, id string) error // called once for each AddTemporary
	Get(id string) (folders.Folder, bool)
}

// openFolders returns the session's watched folders, opened once.
func (o *operations) openFolders(ctx context.Context, q folderQueue) (f watchedFolders, err error) {
	o.watching.Lock()
	defer o.watching.Unlock()
	if o.folders == nil {
		if f, err = q.WatchFolders(ctx); err != nil {
			return nil, err
		}
		o.folders = f
	}
	return o.folders, nil
}

// WatchFolders implements folderQueue. It is called by one goroutine at a time.
func (q sessionQueue) WatchFolders(ctx context.Context) (watchedFolders, error) {
	if q.session.Folders == nil {
		if err := q.session.Watch(ctx, true); err != nil {
			return nil, err
		}
	}
	return q.session.Folders, nil
}

// Inbox implements folderQueue.
func (q sessionQueue) Inbox() []submission.Submission { return q.All() }

// TryAgain implements folderQueue.
func (q sessionQueue) TryAgain() {
	switch q.Queue.QueueStatus().Cause {
	case intake.NoKey, intake.NoQuota:
		q.ResumeAll()
	}
}
