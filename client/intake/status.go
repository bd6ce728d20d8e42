package intake

import (
	"context"
	"errors"
	"net/http"
	"time"

	"assay/client"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/intake/poll"
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
	q.hold(QueueStatus{Cause: PausedAll})
	q.setPaused()
}

// ResumeAll lets everything go on that the person, or a refusal, stopped as a whole. What was paused by itself stays so.
func (q *Queue) ResumeAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.release()
	q.setPaused()
}

// setPaused writes down on a worker whether everything is paused then; q.mu is held.
func (q *Queue) setPaused() {
	if q.ctx.Err() != nil {
		return
	}
	q.workers.Go(func() {
		q.saving.Lock()
		defer q.saving.Unlock()
		value := ""
		if q.QueueStatus().Cause == PausedAll {
			value = "yes"
		}
		if err := q.Store.SetFact(context.WithoutCancel(q.ctx), factPaused, value); err != nil {
			q.mu.Lock()
			q.unpaused = true
			q.mu.Unlock()
			q.holdFor(&diskError{err})
		}
	})
}

// hold stops everything; q.mu is held.
func (q *Queue) hold(s QueueStatus) {
	changed := q.status != s
	q.status = s
	if changed {
		q.tell(events.Queue, "")
		q.Log.Info("the queue stands still", "cause", s.Cause, "reason", s.Reason)
	}
	for _, e := range q.entries {
		if q.stops(e) {
			q.halt(e)
		}
	}
}

// release lets everything go on; q.mu is held.
func (q *Queue) release() {
	q.status, q.noReads = QueueStatus{}, false
	for _, e := range q.entries {
		e.refused = false
	}
	q.tell(events.Queue, "")
	q.startAll()
}

// errNoQuota ends the run of a submission that is not sent, since the plan is known to have no room.
var errNoQuota = errors.New("the plan takes no more uploads")

// hasQuota fails where the plan is known to have no room for another submission.
func (q *Queue) hasQuota(e *entry) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.status.Cause != NoQuota {
		return nil
	}
	e.refused = true
	return errNoQuota
}

// holdFor stops everything where an error is about all of it, and not one submission; it reports whether it is.
func (q *Queue) holdFor(err error) bool { return q.holdForJob(nil, err) }

// holdForRun is holdFor an error that a run came upon. One of a run that was halted meanwhile stops nothing: it says how
// things stood then.
func (q *Queue) holdForJob(j *job, err error) bool { return q.holdOver(j, err, false) }

// holdForLook is holdForRun an error of a request for results: where the plan does not allow those, none is asked for any more.
func (q *Queue) holdForLook(j *job, err error) bool { return q.holdOver(j, err, true) }

func (q *Queue) holdOver(j *job, err error, reading bool) bool {
	s, ok := statusFor(err)
	if !ok {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if j != nil && j.ctx.Err() != nil {
		return true
	}
	if s.Cause == NoQuota {
		q.noReads = q.noReads || reading
		if j != nil {
			j.entry.refused = true
		}
	}
	if q.status.Cause != PausedAll { // the person's word stands, and the reason shows again when they take it back
		q.hold(s)
	}
	if s.Cause == NoDisk && !q.probing && q.ctx.Err() == nil {
		q.probing = true
		q.workers.Go(q.probe)
	}
	return true
}

// standingFor says for which errors the queue as a whole stands still.
func statusFor(err error) (s QueueStatus, ok bool) {
	var service *client.Error
	switch {
	case isDisk(err):
		return statusOf(NoDisk, i18n.M("Assay can't write to its folder, so it has stopped sending. %s", diskMessage(err))), true
	case !errors.As(err, &service):
		return QueueStatus{}, false
	case service.Kind == client.KindKey:
		return statusOf(NoKey, service.UserMessage()), true
	case quotaCodes[service.Code.Verbatim()], service.Status == http.StatusPaymentRequired:
		return statusOf(NoQuota, service.UserMessage()), true
	}
	return QueueStatus{}, false
}

// diskMessage is the store's own, where it has one.
func diskMessage(err error) i18n.Message {
	return i18n.MessageOf(err, i18n.M("It goes on by itself once that is possible again."))
}

// probe tries the disk until it can be written to, and then writes down what could not be, and lets everything go on.
func (q *Queue) probe() {
	for over := false; !over; {
		if q.Wait(q.ctx, diskProbe) != nil {
			return // the queue closes
		}
		err := q.Store.SetFact(q.ctx, factProbe, q.Now().UTC().Format(time.RFC3339Nano))
		q.mu.Lock()
		if over = err == nil; over {
			q.probing = false // before anything can fail again
			q.keepAgain()
			if q.status.Cause == NoDisk {
				q.release()
			}
		}
		q.mu.Unlock()
	}
}

// reached notes whether the service could be reached; a fault of the network stops nothing, each goes on trying.
func (q *Queue) reached(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	offline, busy := client.IsUnreachable(err), client.IsKind(err, client.KindBusy)
	if !offline && !busy {
		q.delays = time.Time{}
	}
	switch {
	case !offline && q.status.Cause == NoNetwork && (err == nil || answered(err)), !offline && !busy && q.status.Cause == Busy && !q.Now().Before(q.busy):
		q.status = QueueStatus{}
		q.tell(events.Queue, "")
	case offline && q.status.Cause == Running:
		q.status = statusOf(NoNetwork, messageOf(err))
		q.tell(events.Queue, "")
	}
}

// saidFrom is how long a wait lasts of which the person is told: shorter ones come and go.
const saidFrom = 5 * time.Second

// delayed says why a call waits, and when it is made again. Where that takes long, the queue as a whole says it.
func (q *Queue) delayed(err error, until time.Time) i18n.Message {
	var service *client.Error
	if !errors.As(err, &service) {
		return i18n.M("%s Trying again.", messageOf(err))
	}
	now := q.Now()
	said := service.WaitMessage(until, now)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.delays.IsZero() {
		q.delays = now
	}
	s := QueueStatus{Cause: Busy, Reason: said, Why: service.WaitReason()}
	if client.IsUnreachable(err) {
		s.Cause = NoNetwork
	} else if service.Kind != client.KindBusy {
		return said // of one submission
	}
	if until.Sub(q.delays) >= saidFrom && !q.status.Stopped() && q.status != s {
		q.status, q.busy = s, until
		q.tell(events.Queue, "")
	}
	return said
}

// answered reports whether an error is an answer of the service.
func answered(err error) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Status != 0
}

// finish ends a run and writes down how it came out.
func (q *Queue) finish(j *job, err error) {
	defer j.cancel()
	e := j.entry
	halted := j.ctx.Err() != nil
	var undone *unsendable
	switch {
	case err == nil || halted || errors.Is(err, errStaysHere), errors.Is(err, errNoQuota):
	case errors.As(err, &undone):
		if failed := q.heldAgain(e, undone); failed != nil {
			q.holdFor(failed)
		}
	case !q.holdForJob(j, err):
		state, deed := submission.Failed, "failed"
		if isRefusal(err) {
			state, deed = submission.Refused, "refused"
		}
		said := messageOf(err)
		q.Log.Info("submission ended", "id", e.ID, "state", state, "problem", said, "error", err)
		if failed := q.commit(e, deed, func(s *submission.Submission) {
			s.State, s.Problem = state, said
		}); failed != nil {
			q.holdFor(failed)
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if e.job == j {
		e.job = nil
	}
	if !e.canBePrimary() && q.firsts[e.Content()] == e {
		delete(q.firsts, e.Content())
	}
	if e.State.Ended() {
		q.halt(e) // where it was set going again while its end was written down
	}
	e.rest()
	q.touched(e)
	q.start(e) // it was halted, and may go on already; or it is no duplicate any more
	q.forget(e)
}

// told takes what the service said of a result: for the moment, or as the end of the run that waits for it.
func (q *Queue) reported(j *job, o poll.Outcome) {
	q.reached(errors.Join(o.Delay, o.Failed))
	if o.Final {
		q.finish(j, q.answer(j, o.Result))
		return
	}
	var delay i18n.Message
	if o.Delay != nil {
		delay = q.delayed(o.Delay, o.Again)
	}
	q.change(j.entry, func(s *submission.Submission) {
		if s.State != submission.Analysing {
			return // an answer that was under way longer
		}
		s.Delay = delay
		if o.Result != nil {
			s.Result = o.Result
		}
	})
	if o.Failed != nil {
		q.finish(j, q.unanswered(j, o.Failed))
	}
}

// answer writes the final answer down, and tells of it.
func (q *Queue) answer(j *job, result *client.Result) error {
	e := j.entry
	now, written := q.Now(), false
	if err := q.write(e, "answered", q.Store.Answer, func(s *submission.Submission) {
		written = true
		s.State, s.Step, s.Result, s.Answered, s.Problem, s.Delay = submission.Done, submission.Answered, result, now, i18n.Message{}, i18n.Message{}
	}); err != nil {
		return err
	}
	if !written {
		return nil // it was answered already
	}
	q.mu.Lock()
	answered := e.Submission
	q.tell(events.Results, "")
	q.mu.Unlock()
	q.Log.Info("answered", "id", e.ID, "status", result.Status())
	q.Answered(answered)
	return nil
}

// unanswered notes of a link that the service could not fetch that another attempt is another submission.
func (q *Queue) unanswered(j *job, failed error) error {
	if none := (*poll.NotFetched)(nil); !errors.As(failed, &none) {
		return failed
	}
	if err := q.commit(j.entry, "", func(s *submission.Submission) { s.Asking = submission.Asking{Refetch: true} }); err != nil {
		return err
	}
	return failed
}
