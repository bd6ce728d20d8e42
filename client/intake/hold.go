package intake

import (
	"context"
	"errors"
	"time"

	"assay/client"
	"assay/client/submission"
)

// diskProbe is how often it is tried whether the disk can be written to again.
const diskProbe = 10 * time.Second

// factProbe is the store's fact that is written to try the disk.
const factProbe = "queue.probe"

// quotaCodes are the service's codes for a plan that takes no further upload (seen in public clients of such services).
var quotaCodes = map[string]bool{"upload-limit-reached": true, "free-tier-not-allowed": true}

// PauseAll stops everything at once, until ResumeAll, also after a restart.
func (q *Queue) PauseAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.hold(Standing{Cause: PausedAll})
	q.setPaused("yes")
}

// ResumeAll lets everything go on that the person, or a refusal, stopped as a whole. What was paused by itself stays so.
func (q *Queue) ResumeAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.setPaused("")
	q.release()
}

// setPaused writes down on a worker whether everything is paused; q.mu is held.
func (q *Queue) setPaused(value string) {
	if q.ctx.Err() != nil {
		return
	}
	q.workers.Go(func() {
		if err := q.Store.SetFact(context.WithoutCancel(q.ctx), factPaused, value); err != nil {
			q.holdFor(&diskError{err})
		}
	})
}

// hold stops everything; q.mu is held.
func (q *Queue) hold(s Standing) {
	q.standing = s
	q.tellStanding()
	if !s.Stopped() {
		return
	}
	for _, it := range q.items {
		q.halt(it)
	}
	q.Log.Warn("the queue stands still", "cause", s.Cause, "reason", s.Reason)
}

// release lets everything go on; q.mu is held.
func (q *Queue) release() {
	q.standing = Standing{}
	q.tellStanding()
	q.startAll()
}

// holdFor stops everything where an error is about all of it, and not one submission; it reports whether it is.
func (q *Queue) holdFor(err error) bool {
	s, ok := standingFor(err)
	if !ok {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.standing.Cause != PausedAll { // the person's word stands, and the reason shows again when they take it back
		q.hold(s)
	}
	if s.Cause == NoDisk && !q.probing && q.ctx.Err() == nil {
		q.probing = true
		q.workers.Go(q.probe)
	}
	return true
}

// standingFor says for which errors the queue as a whole stands still.
func standingFor(err error) (s Standing, ok bool) {
	var service *client.Error
	switch {
	case isDisk(err):
		return Standing{NoDisk, "Assay can't write to its folder, so it has stopped sending. " + diskSentence(err)}, true
	case !errors.As(err, &service):
		return Standing{}, false
	case service.Kind == client.KindKey:
		return Standing{NoKey, service.Sentence()}, true
	case quotaCodes[service.Code]:
		return Standing{NoQuota, service.Sentence()}, true
	}
	return Standing{}, false
}

// diskSentence is the store's own, where it has one.
func diskSentence(err error) string {
	var said interface{ Sentence() string }
	if errors.As(err, &said) {
		return said.Sentence()
	}
	return "It goes on by itself once that is possible again."
}

// probe tries the disk until it can be written to, and then lets everything go on.
func (q *Queue) probe() {
	defer func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.probing = false
	}()
	for {
		if q.Wait(q.ctx, diskProbe) != nil {
			return
		}
		err := q.Store.SetFact(q.ctx, factProbe, q.Now().UTC().Format(time.RFC3339Nano))
		q.mu.Lock()
		over := q.standing.Cause != NoDisk
		if err == nil && !over {
			q.release()
			over = true
		}
		q.mu.Unlock()
		if over || q.ctx.Err() != nil {
			return
		}
	}
}

// reached notes whether the service could be reached; a fault of the network stops nothing, each goes on trying.
func (q *Queue) reached(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch offline := client.IsKind(err, client.KindNetwork); {
	case err == nil && q.standing.Cause == NoNetwork:
		q.standing = Standing{}
		q.tellStanding()
	case offline && q.standing.Cause == Running:
		q.standing = Standing{NoNetwork, sentence(err)}
		q.tellStanding()
	}
}

// finish ends a run and writes down how it came out.
func (q *Queue) finish(r *run, err error) {
	defer r.cancel()
	it := r.item
	halted := r.ctx.Err() != nil
	if err != nil && !halted && !q.holdFor(err) {
		state, deed := submission.Failed, "failed"
		if isRefusal(err) {
			state, deed = submission.Refused, "refused"
		}
		said := sentence(err)
		q.Log.Info("submission ended", "id", it.ID, "state", state, "problem", said, "error", err)
		if failed := q.commit(it, deed, func(s *submission.Submission) {
			s.State, s.Problem = state, said
		}); failed != nil {
			q.holdFor(failed)
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if it.run == r {
		it.run = nil
	}
	if !standsForContent(it.State) && q.firsts[it.Content()] == it {
		delete(q.firsts, it.Content())
	}
	it.rest()
	q.touched(it)
	if err != nil || halted {
		q.start(it) // it was halted, and may go on already
	}
	q.forget(it)
}
