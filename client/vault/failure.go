package vault

import (
	"errors"
	"syscall"
	"time"

	"assay/client"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/retry"
	"assay/client/store"
)

// How long a failure is waited for, and how often a task fails before it is given up.
const (
	firstPause     = 5 * time.Second // doubled each time
	longestPause   = 10 * time.Minute
	longestOffline = time.Minute // where the service can't be reached, or the key is not accepted: that may be over at any time
	mostFailures   = 8           // some ten minutes
	mostUnfinished = 14          // some eighty minutes, for the result of a sound
)

// errUnfinished is a sound whose analysis goes on.
var errUnfinished = errors.New("the result of the sound is not final yet")

// vaultError is a failure of the vault, not of the service.
type vaultError struct{ error }

func (v *vaultError) Unwrap() error { return v.error }

// remedy is what is done about a failure.
type remedy struct {
	again   bool
	counts  bool          // towards giving the task up
	all     bool          // everything waits, not the task alone
	most    int           // failures that count
	least   time.Duration // to wait
	longest time.Duration
	problem string // a sentence for the person
}

// remedyFor decides on a failure.
func remedyFor(err error) remedy {
	counted := remedy{again: true, counts: true, most: mostFailures, longest: longestPause}
	var vault *vaultError
	var service *client.Error
	switch {
	case errors.As(err, &vault):
		if sentence := diskProblem(err); sentence != "" {
			return remedy{again: true, all: true, longest: longestPause, problem: sentence}
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
			return counted // an answer that broke off is the file's own matter
		}
		return remedy{again: true, all: true, longest: longestOffline}
	case client.KindBusy:
		counted.least = service.Pause()
	}
	return counted
}

// diskProblem is what a person reads of a disk that takes nothing, "" for any other failure.
func diskProblem(err error) string {
	var own *store.Error
	switch {
	case errors.As(err, &own) && (errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrIO)):
		return own.Sentence()
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, store.ErrFull):
		return i18n.T("The disk with Assay's folder is full: pictures and details of results are not kept. Free some space; Assay goes on by itself then.")
	case client.IsKind(err, client.KindFile), errors.Is(err, store.ErrIO):
		return i18n.T("Assay's folder can't be written to: pictures and details of results are not kept. Check that its disk is there.")
	}
	return ""
}

// failed notes a failure, and reports whether the task is tried again.
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
		if v.problem != "" && v.problem != f.problem {
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

// succeeded notes that something was kept: nothing ails all.
func (f *Fetcher) succeeded() {
	f.mu.Lock()
	f.hold.Over()
	f.worked++
	over := f.problem != ""
	f.problem = ""
	f.mu.Unlock()
	if over {
		f.Events.Publish(events.Event{Topic: events.Notice})
	}
}

// Problem is why nothing can be kept for now, a sentence or two for the person, "" where something can.
func (f *Fetcher) Problem() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.problem
}
