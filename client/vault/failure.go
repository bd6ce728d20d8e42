package vault

import (
	"errors"
	"syscall"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/retry"
	"assay/client/store"
)

// How long a failure is waited for, and how often a piece fails before it is given up.
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
	counts  bool          // towards giving the piece up
	all     bool          // everything waits, not the piece alone
	most    int           // failures that count
	least   time.Duration // to wait
	longest time.Duration
	trouble string // a sentence for the person
}

// remedyFor decides on a failure.
func remedyFor(err error) remedy {
	counted := remedy{again: true, counts: true, most: mostFailures, longest: longestPause}
	var vault *vaultError
	var service *client.Error
	switch {
	case errors.As(err, &vault):
		if sentence := diskTrouble(err); sentence != "" {
			return remedy{again: true, all: true, longest: longestPause, trouble: sentence}
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

// diskTrouble is what a person reads of a disk that takes nothing, "" for any other failure.
func diskTrouble(err error) string {
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

// failed notes a failure, and reports whether the piece is tried again.
func (k *Keeper) failed(p *piece, err error) bool {
	v := remedyFor(err)
	var told *string
	k.mu.Lock()
	p.attempts++
	if v.counts {
		p.counted++
	}
	again := v.again && (!v.counts || p.counted < v.most)
	backoff, now := retry.Backoff{First: firstPause, Longest: v.longest}, k.Now()
	pause := max(backoff.Pause(p.attempts, k.Jitter()), v.least)
	p.due = now.Add(pause)
	if again && v.all && p.worked == k.worked {
		k.hold.Failed(now, backoff, k.Jitter(), v.least)
		if v.trouble != "" && v.trouble != k.trouble {
			k.trouble = v.trouble
			told = &v.trouble
		}
	}
	k.mu.Unlock()
	line := []any{"id", p.job.ID, "kind", p.kind, "model", p.model, "attempt", p.attempts, "error", err}
	switch {
	case again:
		k.Log.Debug("could not keep what belongs to a result", append(line, "wait", pause)...)
	case errors.Is(err, client.ErrNoArtifact):
		k.Log.Debug("the service has this no more", line...)
	default:
		k.Log.Warn("what belongs to a result is not kept", line...)
	}
	if told != nil {
		k.OnTrouble(*told)
	}
	return again
}

// succeeded notes that something was kept: nothing ails all.
func (k *Keeper) succeeded() {
	k.mu.Lock()
	k.hold.Over()
	k.worked++
	over := k.trouble != ""
	k.trouble = ""
	k.mu.Unlock()
	if over {
		k.OnTrouble("")
	}
}
