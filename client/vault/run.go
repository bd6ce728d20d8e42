package vault

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"assay/client"
	"assay/client/events"
	"assay/client/retry"
)

// begin is called by the loop: it begins the task that is due, or returns how long there is none.
func (f *Fetcher) begin() (work func(), wait time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, wait := f.next(f.Now())
	if p == nil {
		return nil, wait
	}
	p.running, p.worked = true, f.worked
	f.underWay++
	return func() {
		ctx := client.OnWait(f.ctx, func(*client.Error, time.Time) { f.markFailing(p) })
		f.workers.Go(func() { f.finish(p, p.do(ctx, p)) })
	}, 0
}

// next is the task to begin now, or nil and the time until there may be one; f.mu is held.
func (f *Fetcher) next(now time.Time) (first *task, wait time.Duration) {
	if f.underWay >= f.AtOnce {
		return nil, retry.Forever
	}
	if now.Before(f.hold.Until) {
		return nil, f.hold.Until.Sub(now)
	}
	wait = retry.Forever
	for _, p := range f.tasks {
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

// markFailing notes that a call of a task waits for another attempt.
func (f *Fetcher) markFailing(p *task) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p.failing = true
	f.wakeWaiters()
}

// counted is a writer that counts bytes in Fetcher.moved.
type counted struct {
	io.Writer
	moved *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.moved.Add(int64(n))
	return n, err
}

// plan finds out what is missing for a job.
func (f *Fetcher) plan(ctx context.Context, p *task) error {
	j := p.job
	r, fetched := j.Result, j.Answered
	if !j.inMemory {
		fetched = f.Now()
		var err error
		if r, err = f.Client.Result(ctx, j.RequestID); err != nil {
			return err
		}
	}
	from := client.NewArtifacts(f.Client, withRequestID(r, j.RequestID), fetched)
	tasks, err := f.missingTasks(ctx, j, r, from)
	if err != nil {
		return err
	}
	for _, p := range tasks {
		if !j.inMemory && p.kind == Original { // originals are fetched last: the result is not to stay in memory until then
			p.from = client.NewArtifacts(f.Client, &client.Result{RequestID: j.RequestID}, time.Time{})
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(tasks...)
	return nil
}

// withRequestID is the result with its request ID, by which client.Artifacts refreshes links.
func withRequestID(r *client.Result, requestID string) *client.Result {
	if r.RequestID != "" {
		return r
	}
	copied := *r
	copied.RequestID = requestID
	return &copied
}

// download saves an artifact in the vault.
func (f *Fetcher) download(ctx context.Context, p *task) error {
	return f.keep(ctx, p, func(w io.Writer) error {
		_, err := p.from.Save(ctx, p.pick, 0, w)
		return err
	})
}

// fetchAudioResult fetches the result of a video's sound, keeps it beside the video's and in the vault, and finds out what is missing for it.
func (f *Fetcher) fetchAudioResult(ctx context.Context, p *task) error {
	j := p.job
	fetched := f.Now()
	r, err := f.Client.Result(ctx, p.sound)
	if err != nil {
		return err
	}
	if !r.Final() {
		return errUnfinished
	}
	err = f.keep(ctx, p, func(w io.Writer) error {
		_, err := w.Write(client.Shareable(r.Raw)) // its links work for minutes, and open the files to whoever reads them
		return err
	})
	if err != nil {
		return err
	}
	if err := f.Vault.AnswerVoice(ctx, j.RequestID, r); err != nil {
		return &vaultError{err}
	}
	// The service took the sound out of the video: this computer has no file of it.
	from := client.NewArtifacts(f.Client, withRequestID(r, p.sound), fetched)
	tasks, _, err := f.withoutKept(ctx, f.wantedTasks(j, r, p.sound, from, true), p.sound)
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.add(tasks...)
	f.mu.Unlock()
	f.Events.Publish(events.Event{Topic: events.Sound, ID: r.RequestID})
	return nil
}

// keep has the vault keep what write writes. An error of the vault is a *vaultError, one of the service is returned as it is.
func (f *Fetcher) keep(ctx context.Context, p *task, write func(io.Writer) error) error {
	var wrote error
	_, err := f.Vault.Keep(ctx, p.requestID, p.kind, p.model, func(w io.Writer) error {
		wrote = write(counted{w, &f.moved})
		return wrote
	})
	var ofService *client.Error
	switch {
	case err == nil:
		f.succeeded()
		f.Events.Publish(events.Event{Topic: events.Artifacts, ID: p.job.ID})
		return nil
	case errors.As(wrote, &ofService) && ofService.Kind != client.KindFile:
		return wrote
	}
	return &vaultError{err}
}

// finish removes a task that was tried, or queues it again.
func (f *Fetcher) finish(p *task, err error) {
	again := false
	if err != nil && f.ctx.Err() == nil {
		again = f.failed(p, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.underWay--
	p.running, p.failing = false, false
	if !again {
		f.tasks = slices.DeleteFunc(f.tasks, func(o *task) bool { return o == p })
		f.taskEnded(p.job)
	}
	f.wakeWaiters()
	f.loop.Wake()
}

// taskEnded removes a task from its job, and with the last task the job; f.mu is held.
func (f *Fetcher) taskEnded(j *job) {
	if j.left--; j.left > 0 {
		return
	}
	delete(f.jobs, j.RequestID)
	if j.inMemory {
		f.inMemory--
	}
}
