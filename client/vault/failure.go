package vault

import (
	"errors"
	"time"

	"assay/client"
	"assay/client/durable"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/retry"
	"assay/client/store"
)

// The pauses after failures, and after how many a task is given up.
const (
	firstPause     = 5 * time.Second // doubled each time
	longestPause   = 10 * time.Minute
	longestOffline = time.Minute // while the service can't be reached or refuses the key: that may be over at any time
	mostFailures   = 8           // in some ten minutes
	mostUnfinished = 14          // in some eighty minutes, for the result of a sound
)

// errUnfinished means that a sound is still being analysed.
var errUnfinished = errors.New("the result of the sound is not final yet")

// vaultError wraps a failure of the vault, as opposed to the service.
type vaultError struct{ error }

func (v *vaultError) Unwrap() error { return v.error }

// remedy is what is done after a failure.
type remedy struct {
	again   bool
	counts  bool          // towards giving up the task
	all     bool          // all tasks wait, not only this one
	most    int           // after how many failures that count the task is given up
	least   time.Duration // the least pause
	longest time.Duration
	problem i18n.Message
}

// remedyFor returns what is done after a failure.
func remedyFor(err error) remedy {
	counted := remedy{again: true, counts: true, most: mostFailures, longest: longestPause}
	var vault *vaultError
	var service *client.Error
	switch {
	case errors.As(err, &vault):
		if problem := diskProblem(err); !problem.IsZero() {
			return remedy{again: true, all: true, longest: longestPause, problem: problem}
		}
		return counted
	case errors.Is(err, errUnfinished):
		counted.most = mostUnfinished
		return counted
	case errors.Is(err, client.ErrNoArtifact), errors.Is(err, client.ErrTooLarge):
		return remedy{}
	case !errors.As(err, &service):
		return counted
	}
	switch service.Kind {
	case client.KindRefused, client.KindSetup:
		return remedy{}
	case client.KindNetwork, client.KindKey:
		if service.Kind == client.KindNetwork && service.Status != 0 {
			return counted // that answer may be at fault, not the network
		}
		return remedy{again: true, all: true, longest: longestOffline}
	case client.KindBusy:
		counted.least = service.Pause()
	}
	return counted
}

// diskProblem is the message for a disk that can't be written to, and says nothing for any other failure.
func diskProblem(err error) i18n.Message {
	var own *store.Error
	switch {
	case errors.As(err, &own) && (errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrIO)):
		return own.UserMessage()
	case durable.IsFull(err), errors.Is(err, store.ErrFull):
		return i18n.M("The disk with Assay's folder is full, so Assay can't keep pictures and details of results. Free some space. Assay then goes on by itself.")
	case client.IsKind(err, client.KindFile), errors.Is(err, store.ErrIO):
		return i18n.M("Assay can't write to its folder, so it can't keep pictures and details of results. Check that its disk is connected.")
	}
	return i18n.Message{}
}

// failed records a failure, and reports whether the task is tried again.
func (f *Fetcher) failed(p *task, err error) bool {
	v := remedyFor(err)
	changed := false
	f.mu.Lock()
	p.attempts++
	if v.counts {
		p.counted++
	}
	again := v.again && (!v.counts || p.counted < v.most)
	backoff, now := retry.Backoff{First: firstPause, Longest: v.longest}, f.Now()
	pause := max(backoff.Pause(p.attempts, f.Jitter()), v.least)
	p.due = now.Add(pause)
	if again && v.all && p.worked == f.worked {
		f.hold.Failed(now, backoff, f.Jitter(), v.least)
		if !v.problem.IsZero() && v.problem != f.problem {
			f.problem, changed = v.problem, true
		}
	}
	f.mu.Unlock()
	line := []any{"id", p.job.ID, "kind", p.kind, "model", p.model, "attempt", p.attempts, "error", err}
	switch {
	case again:
		f.Log.Debug("could not keep what belongs to a result", append(line, "wait", pause)...)
	case errors.Is(err, client.ErrNoArtifact):
		f.Log.Debug("the service has this no more", line...)
	default:
		f.Log.Warn("what belongs to a result is not kept", line...)
	}
	if changed {
		f.Events.Publish(events.Event{Topic: events.Notice})
	}
	return again
}

// succeeded records that an artifact was kept: no problem is common to all tasks.
func (f *Fetcher) succeeded() {
	f.mu.Lock()
	f.hold.Over()
	f.worked++
	over := !f.problem.IsZero()
	f.problem = i18n.Message{}
	f.mu.Unlock()
	if over {
		f.Events.Publish(events.Event{Topic: events.Notice})
	}
}

// Problem is why nothing can be kept for now; it says nothing where there is no such problem.
func (f *Fetcher) Problem() i18n.Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.problem
}
