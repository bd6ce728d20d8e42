package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/submission"
)

// otherVersion refuses what this version does not know.
func otherVersion() *ipc.Refusal {
	return &ipc.Refusal{Sentence: i18n.T("The running Assay can't do this: it is of another version. Close it and try again.")}
}

// noSandbox refuses the one service that the socket would tell.
func noSandbox() *ipc.Refusal {
	return &ipc.Refusal{Sentence: i18n.T("The running Assay has no sandbox of its own.")}
}

// desk is where later starts come to, in the process that holds the folder. It may stand before the session is open:
// whoever comes early waits.
type desk struct {
	window bool                  // a window is open, or opens
	leave  func()                // without a window: makes this process end its work for one that opens a window; returns at once
	raise  func(intake.Accepted) // brings the window to the front and tells it what was taken; returns at once, on any goroutine

	readKey func(ctx context.Context, address string) bool // reads a service's key anew; nil: nobody here keeps keys

	// The embedded sandbox; empty where there is none. Like raise it may be set until serveFor is called.
	service serviceAnswer

	after func(time.Duration) <-chan time.Time // lets time pass

	taker taker
	open  chan struct{} // closed once taker is set
	once  sync.Once

	watching sync.Mutex     // guards folders
	folders  watchedFolders // nil until the first are wanted
}

func newDesk() *desk { return &desk{open: make(chan struct{}), after: time.After} }

// serveFor opens the desk: the session is there.
func (d *desk) serveFor(t taker) {
	d.once.Do(func() {
		d.taker = t
		close(d.open)
	})
}

// handle is the desk's ipc.Handle.
func (d *desk) handle(ctx context.Context, r ipc.Request, answer func(any) error) error {
	if r.Op == opOpen && !d.window {
		defer d.leave() // which ends this call as well
		return answer(openAnswer{GivesWay: true})
	}
	if r.Op == opKey {
		return d.readKeyHere(ctx, r, answer)
	}
	select {
	case <-d.open:
	case <-ctx.Done():
		return ctx.Err()
	}
	switch r.Op {
	case opOpen:
		return d.openHere(ctx, r.Given, answer)
	case opService:
		if d.service.URL == "" {
			return noSandbox()
		}
		return answer(d.service)
	case opFeedback:
		return d.feedback(ctx, r, answer)
	case opScan:
		var job scanJob
		if err := json.Unmarshal(r.Options, &job); err != nil {
			return otherVersion()
		}
		job.Given = r.Given
		return d.scan(ctx, job, func(e scanEvent) error { return answer(e) })
	case opWatch:
		var job watchJob
		if err := json.Unmarshal(r.Options, &job); err != nil {
			return otherVersion()
		}
		job.Given = r.Given
		return d.watch(ctx, job, func(e watchEvent) error { return answer(e) })
	}
	return otherVersion()
}

// readKeyHere does what `assay key` wants of a window.
func (d *desk) readKeyHere(ctx context.Context, r ipc.Request, answer func(any) error) error {
	var job keyJob
	if err := json.Unmarshal(r.Options, &job); err != nil || job.Address == "" {
		return otherVersion()
	}
	return answer(keyAnswer{Read: d.readKey != nil && d.readKey(ctx, job.Address)})
}

// openHere takes over what another start of the window was given, and shows the window.
func (d *desk) openHere(ctx context.Context, given []string, answer func(any) error) error {
	var accepted intake.Accepted
	var accepting error
	if len(given) > 0 {
		accepted, accepting = d.taker.Accept(ctx, given, intake.Options{Source: submission.Started})
	}
	d.raise(accepted)
	return errors.Join(answer(openAnswer{Taken: len(accepted.IDs), LeftOut: leftOut(accepted)}), accepting)
}

// scan does a job of another process's.
func (d *desk) scan(ctx context.Context, job scanJob, emit func(scanEvent) error) error {
	var over <-chan time.Time
	if job.Timeout > 0 {
		over = d.after(job.Timeout) // before a large folder is walked: the caller does not wait much longer than that
	}
	ids := job.Follow
	if len(ids) == 0 {
		var err error
		if ids, err = accept(ctx, d.taker, job, emit); err != nil {
			return err
		}
	}
	err := follow(ctx, d.taker, followed{
		ids: ids, noWait: job.NoWait, alone: !d.window, over: over, timeout: cmp.Or(job.TimeoutSaid, job.Timeout), alive: true, after: d.after,
	}, emit)
	if errors.Is(err, errOutOfTime) {
		return nil // the caller has all its lines
	}
	return err
}
