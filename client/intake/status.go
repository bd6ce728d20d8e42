package intake

import (
	"errors"
	"net/http"
	"time"

	"assay/client"
	"assay/client/events"
	"assay/client/i18n"
)

// Cause is why the whole queue stands still, or waits.
type Cause string

// The causes.
const (
	Running   Cause = ""        // nothing is in its way
	PausedAll Cause = "paused"  // by the person, until ResumeAll
	NoKey     Cause = "key"     // the service did not accept the key: until ResumeAll
	NoQuota   Cause = "quota"   // the plan's uploads are used up: nothing more is sent until ResumeAll; what was sent is answered
	NoDisk    Cause = "disk"    // nothing can be written down: it is tried again by itself, and by ResumeAll
	NoNetwork Cause = "network" // the service can't be reached: it is tried again by itself
	Busy      Cause = "busy"    // the service asks for time: it is tried again by itself
)

// QueueStatus is how the queue as a whole stands.
type QueueStatus struct {
	Cause  Cause
	Reason i18n.Message // a sentence or two for the person, with what helps; none where Cause is Running or PausedAll
	Why    i18n.Message // Reason without when it is tried again, which serves who waits no longer
}

// statusOf is one for which nothing is tried again by itself at a known time.
func statusOf(cause Cause, reason i18n.Message) QueueStatus {
	return QueueStatus{Cause: cause, Reason: reason, Why: reason}
}

// Stopped reports whether nothing more is sent until the person says so, or the disk can be written to.
func (s QueueStatus) Stopped() bool { return s.Cause != Running && !s.passes() }

// passes reports whether it is waited for what passes by itself.
func (s QueueStatus) passes() bool { return s.Cause == NoNetwork || s.Cause == Busy }

// quotaCodes are the service's codes for a plan that takes no further upload (seen in public clients of such services).
var quotaCodes = map[string]bool{"upload-limit-reached": true, "free-tier-not-allowed": true}

// statusFor says for which errors the queue as a whole stands still.
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

// haltAll stops everything.
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

// resumeAll lets everything go on.
func (st *state) resumeAll() {
	st.status, st.noReads = QueueStatus{}, false
	for _, e := range st.entries {
		e.refused = false
	}
	st.tell(events.Queue, "")
	st.startAll()
}

// errNoQuota ends the job of a submission that is not sent, since the plan is known to have no room.
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

// haltFor stops everything where an error is about all of it, and not one submission; it reports whether it is.
func (q *Queue) haltFor(err error) bool { return q.haltOver(nil, err, false) }

// haltForJob is haltFor an error that a job came upon. One of a job that was halted meanwhile stops nothing: it says how
// things stood then.
func (q *Queue) haltForJob(j *job, err error) bool { return q.haltOver(j, err, false) }

// haltForLook is haltForJob an error of a request for results: where the plan does not allow those, none is asked for any more.
func (q *Queue) haltForLook(j *job, err error) bool { return q.haltOver(j, err, true) }

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
		if st.status.Cause != PausedAll { // the person's decision stands, and the reason shows again when they take it back
			st.haltAll(s)
		}
		if s.Cause == NoDisk && !st.probing && q.ctx.Err() == nil {
			st.probing = true
			q.workers.Go(q.probe)
		}
	})
	return true
}

// diskProbe is how often it is tried whether the disk can be written to again.
const diskProbe = 10 * time.Second

// factProbe is the store's fact that is written to try the disk.
const factProbe = "queue.probe"

// probe tries the disk until it can be written to, and then writes down what could not be, and lets everything go on.
func (q *Queue) probe() {
	for failed := true; failed; {
		if q.Wait(q.ctx, diskProbe) != nil {
			return // the queue closes
		}
		failed = q.Store.SetFact(q.ctx, factProbe, q.Now().UTC().Format(time.RFC3339Nano)) != nil
		if failed {
			continue
		}
		q.do(func(st *state) {
			st.probing = false // before anything can fail again
			st.keepAgain()
			if st.status.Cause == NoDisk {
				st.resumeAll()
			}
		})
	}
}

// reached notes whether the service could be reached; a fault of the network stops nothing, each goes on trying.
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

// saidFrom is how long a wait lasts of which the person is told: shorter ones come and go.
const saidFrom = 5 * time.Second

// delayed says why a call waits, and when it is made again. Where that takes long, the queue as a whole says it.
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
			return // it is about one submission
		}
		if until.Sub(st.delays) >= saidFrom && !st.status.Stopped() && st.status != s {
			st.status, st.busy = s, until
			st.tell(events.Queue, "")
		}
	})
	return message
}

// answered reports whether an error is an answer of the service.
func answered(err error) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Status != 0
}
