package intake

import (
	"errors"
	"net/http"
	"time"

	"assay/client"
	"assay/client/events"
	"assay/client/i18n"
)

// Cause is why the whole queue is halted, or waits.
type Cause string

// The causes.
const (
	Running   Cause = ""        // neither
	PausedAll Cause = "paused"  // by the person, until ResumeAll
	NoKey     Cause = "key"     // the service refused the key: halted until ResumeAll
	NoQuota   Cause = "quota"   // the plan has no uploads left: nothing more is sent until ResumeAll; what was sent is still answered
	NoDisk    Cause = "disk"    // nothing can be written: halted until the disk can be written to, or ResumeAll
	NoNetwork Cause = "network" // the service can't be reached: each job keeps trying
	Busy      Cause = "busy"    // the service asks for time: each job keeps trying
)

// QueueStatus is the status of the queue as a whole.
type QueueStatus struct {
	Cause  Cause
	Reason i18n.Message // one or two sentences for the person, with a hint; none where Cause is Running or PausedAll
	Why    i18n.Message // Reason without the time of the next attempt, for a notice that stays
}

// statusOf makes a QueueStatus without a known time of the next attempt.
func statusOf(cause Cause, reason i18n.Message) QueueStatus {
	return QueueStatus{Cause: cause, Reason: reason, Why: reason}
}

// Stopped reports whether nothing more is sent until the person resumes, or the disk can be written to.
func (s QueueStatus) Stopped() bool { return s.Cause != Running && !s.passes() }

// passes reports whether the cause is one that passes by itself.
func (s QueueStatus) passes() bool { return s.Cause == NoNetwork || s.Cause == Busy }

// quotaCodes are the service's codes for a plan that has no uploads left (seen in public clients of such services).
var quotaCodes = map[string]bool{"upload-limit-reached": true, "free-tier-not-allowed": true}

// statusFor returns the status for an error that halts the queue as a whole; ok is false for any other error.
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

// diskMessage is the message of a disk error: the store's own, if it has one.
func diskMessage(err error) i18n.Message {
	return i18n.MessageOf(err, i18n.M("It goes on by itself as soon as it can."))
}

// haltAll halts all jobs, with a status that says why.
func (st *state) haltAll(s QueueStatus) {
	changed := st.status != s
	st.status = s
	if changed {
		st.tell(events.Queue, "")
		st.Log.Info("the queue stands still", "cause", s.Cause, "reason", s.Reason)
	}
	for _, e := range st.entries {
		if st.stops(e) {
			st.halt(e)
		}
	}
}

// resumeAll starts everything again that may go on.
func (st *state) resumeAll() {
	st.status, st.noReads = QueueStatus{}, false
	for _, e := range st.entries {
		e.refused = false
	}
	st.tell(events.Queue, "")
	st.startAll()
}

// errNoQuota ends the job of a submission that is not sent because the plan is known to have no room.
var errNoQuota = errors.New("the plan takes no more uploads")

// hasQuota fails where the plan is known to have no room for another submission.
func (q *Queue) hasQuota(e *entry) (err error) {
	q.do(func(st *state) {
		if st.status.Cause == NoQuota {
			e.refused, err = true, errNoQuota
		}
	})
	return err
}

// haltFor halts the queue if an error concerns more than one submission, and reports whether it did.
func (q *Queue) haltFor(err error) bool { return q.haltOver(nil, err, false) }

// haltForJob is haltFor for an error of a job. If the job was halted meanwhile, its error is out of date and halts nothing.
func (q *Queue) haltForJob(j *job, err error) bool { return q.haltOver(j, err, false) }

// haltForPoll is haltFor for an error of a request for results: where the plan does not allow those, no more are made.
func (q *Queue) haltForPoll(j *job, err error) bool { return q.haltOver(j, err, true) }

func (q *Queue) haltOver(j *job, err error, reading bool) bool {
	s, concernsAll := statusFor(err)
	if !concernsAll {
		return false
	}
	q.do(func(st *state) {
		if j != nil && j.ctx.Err() != nil {
			return
		}
		if s.Cause == NoQuota {
			st.noReads = st.noReads || reading
			if j != nil {
				j.entry.refused = true
			}
		}
		if st.status.Cause != PausedAll { // the person's pause goes on, and the cause shows again when they end it
			st.haltAll(s)
		}
		if s.Cause == NoDisk && !st.probing && q.ctx.Err() == nil {
			st.probing = true
			q.workers.Go(q.probe)
		}
	})
	return true
}

// diskProbe is how often the disk is tried while it can't be written to.
const diskProbe = 10 * time.Second

// factProbe is the name of the fact in the store that is written to try the disk.
const factProbe = "queue.probe"

// probe tries the disk until it can be written to, then writes what could not be written, and lets everything go on.
func (q *Queue) probe() {
	for failed := true; failed; {
		if q.Wait(q.ctx, diskProbe) != nil {
			return // the queue is closing
		}
		failed = q.Store.SetFact(q.ctx, factProbe, q.Now().UTC().Format(time.RFC3339Nano)) != nil
		if failed {
			continue
		}
		q.do(func(st *state) {
			st.probing = false // before anything that may fail again
			st.writeUnwritten()
			if st.status.Cause == NoDisk {
				st.resumeAll()
			}
		})
	}
}

// reached updates the status by whether the service could be reached. A fault of the network halts nothing: each job keeps trying.
func (q *Queue) reached(err error) {
	offline, busy := client.IsUnreachable(err), client.IsKind(err, client.KindBusy)
	q.do(func(st *state) {
		if !offline && !busy {
			st.delays = time.Time{}
		}
		switch {
		case !offline && st.status.Cause == NoNetwork && (err == nil || answered(err)), !offline && !busy && st.status.Cause == Busy && !q.Now().Before(st.busy):
			st.status = QueueStatus{}
			st.tell(events.Queue, "")
		case offline && st.status.Cause == Running:
			st.status = statusOf(NoNetwork, messageOf(err))
			st.tell(events.Queue, "")
		}
	})
}

// reportedFrom is how long a wait must be for the person to be told of it: shorter ones come and go.
const reportedFrom = 5 * time.Second

// delayed makes the message why a call waits, and until when. If the wait is long, the status of the whole queue says it as well.
func (q *Queue) delayed(err error, until time.Time) i18n.Message {
	var service *client.Error
	if !errors.As(err, &service) {
		return i18n.M("%s Trying again.", messageOf(err))
	}
	now := q.Now()
	message := service.WaitMessage(until, now)
	s := QueueStatus{Cause: Busy, Reason: message, Why: service.WaitReason()}
	if client.IsUnreachable(err) {
		s.Cause = NoNetwork
	}
	q.do(func(st *state) {
		if st.delays.IsZero() {
			st.delays = now
		}
		if s.Cause == Busy && service.Kind != client.KindBusy {
			return // it concerns one submission
		}
		if until.Sub(st.delays) >= reportedFrom && !st.status.Stopped() && st.status != s {
			st.status, st.busy = s, until
			st.tell(events.Queue, "")
		}
	})
	return message
}

// answered reports whether an error came from the service, and not from the way to it.
func answered(err error) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Status != 0
}
