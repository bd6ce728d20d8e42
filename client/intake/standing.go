package intake

import "assay/client/i18n"

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

// Standing is how the queue as a whole stands.
type QueueStatus struct {
	Cause  Cause
	Reason i18n.Message // a sentence or two for the person, with what helps; none where Cause is Running or PausedAll
	Why    i18n.Message // Reason without when it is tried again, which serves who waits no longer
}

// standingOf is one for which nothing is tried again by itself at a known time.
func statusOf(cause Cause, reason i18n.Message) QueueStatus {
	return QueueStatus{Cause: cause, Reason: reason, Why: reason}
}

// Stopped reports whether nothing more is sent until the person says so, or the disk can be written to.
func (s QueueStatus) Stopped() bool { return s.Cause != Running && !s.passes() }

// passes reports whether it is waited for what passes by itself.
func (s QueueStatus) passes() bool { return s.Cause == NoNetwork || s.Cause == Busy }
