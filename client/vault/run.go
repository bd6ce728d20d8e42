package vault

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"assay/client"
	"assay/client/retry"
)

// begin begins the piece that is due, or says how long there is none: it is what the loop asks.
func (k *Keeper) begin() (work func(), wait time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, wait := k.next(k.Now())
	if p == nil {
		return nil, wait
	}
	p.running, p.worked = true, k.worked
	k.underWay++
	return func() {
		ctx := client.OnWait(k.ctx, func(*client.Error, time.Time) { k.fails(p) })
		k.workers.Go(func() { k.settle(p, p.do(ctx, p)) })
	}, 0
}

// next is the piece to begin now, or nil and how long to wait before there may be one; k.mu is held.
func (k *Keeper) next(now time.Time) (first *piece, wait time.Duration) {
	if k.underWay >= k.AtOnce {
		return nil, retry.Forever
	}
	if now.Before(k.hold.Until) {
		return nil, k.hold.Until.Sub(now)
	}
	wait = retry.Forever
	for _, p := range k.pieces {
		if p.running {
			continue
		}
		if left := p.due.Sub(now); left > 0 {
			if wait == retry.Forever || left < wait {
				wait = left
			}
			continue
		}
		if first == nil || p.before(first) {
			first = p
		}
	}
	return first, wait
}

// fails notes that a piece waits for another attempt.
func (k *Keeper) fails(p *piece) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p.failing = true
	k.tellWaiters()
}

// counted is a writer that notes what moves.
type counted struct {
	io.Writer
	moved *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.moved.Add(int64(n))
	return n, err
}

// look finds out what is to be kept of a job.
func (k *Keeper) look(ctx context.Context, p *piece) error {
	j := p.job
	r, fetched := j.Result, j.Answered
	if !j.held {
		fetched = k.Now()
		var err error
		if r, err = k.Client.Result(ctx, j.RequestID); err != nil {
			return err
		}
	}
	from := client.NewArtifacts(k.Client, named(r, j.RequestID), fetched)
	pieces, err := k.missing(ctx, j, r, from)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		if !j.held && p.kind == Original { // it waits longest: not with the result in memory
			p.from = client.NewArtifacts(k.Client, &client.Result{RequestID: j.RequestID}, time.Time{})
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.add(pieces...)
	return nil
}

// named is a result that says its requestId, by which client.Artifacts asks for fresh links.
func named(r *client.Result, requestID string) *client.Result {
	if r.RequestID != "" {
		return r
	}
	copied := *r
	copied.RequestID = requestID
	return &copied
}

// fetch downloads a piece into the vault.
func (k *Keeper) fetch(ctx context.Context, p *piece) error {
	return k.keep(ctx, p, func(w io.Writer) error {
		_, err := p.from.Save(ctx, p.pick, 0, w)
		return err
	})
}

// listen fetches the result of a video's sound, keeps it, and finds out what is to be kept of that.
func (k *Keeper) listen(ctx context.Context, p *piece) error {
	j := p.job
	fetched := k.Now()
	r, err := k.Client.Result(ctx, p.sound)
	if err != nil {
		return err
	}
	if !r.Final() {
		return errUnfinished
	}
	err = k.keep(ctx, p, func(w io.Writer) error {
		_, err := w.Write(client.Shareable(r.Raw)) // its links live for minutes, and open the files to whoever reads them
		return err
	})
	if err != nil {
		return err
	}
	// The sound was taken out of the video by the service: no file of it is on this computer.
	from := client.NewArtifacts(k.Client, named(r, p.sound), fetched)
	pieces, _, err := k.absent(ctx, k.wanted(j, r, p.sound, from, true), p.sound)
	if err != nil {
		return err
	}
	k.mu.Lock()
	k.add(pieces...)
	k.mu.Unlock()
	k.OnAudio(j.Submission, r)
	return nil
}

// keep has the vault keep what write writes. A failure of the vault is a *vaultError, one of the service what it is.
func (k *Keeper) keep(ctx context.Context, p *piece, write func(io.Writer) error) error {
	var wrote error
	_, err := k.Vault.Keep(ctx, p.requestID, p.kind, p.model, func(w io.Writer) error {
		wrote = write(counted{w, &k.moved})
		return wrote
	})
	var ofService *client.Error
	switch {
	case err == nil:
		k.succeeded()
		k.OnKept(p.job.ID)
		return nil
	case errors.As(wrote, &ofService) && ofService.Kind != client.KindFile:
		return wrote
	}
	return &vaultError{err}
}

// settle takes a piece that was tried out of the queue, or has it tried again.
func (k *Keeper) settle(p *piece, err error) {
	again := false
	if err != nil && k.ctx.Err() == nil {
		again = k.failed(p, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.underWay--
	p.running, p.failing = false, false
	if !again {
		k.pieces = slices.DeleteFunc(k.pieces, func(o *piece) bool { return o == p })
		k.end(p.job)
	}
	k.tellWaiters()
	k.loop.Wake()
}

// end takes a piece off a job, and the job off the list with its last one; k.mu is held.
func (k *Keeper) end(j *job) {
	if j.left--; j.left > 0 {
		return
	}
	delete(k.jobs, j.RequestID)
	if j.held {
		k.held--
	}
}
