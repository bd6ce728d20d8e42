package intake

// Cause is why the whole queue stands still, or waits.
type Cause string

// The causes.
const (
	Running   Cause = ""        // nothing is in its way
	PausedAll Cause = "paused"  // by the person, until ResumeAll
	NoKey     Cause = "key"     // the service did not accept the key: until ResumeAll
	NoQuota   Cause = "quota"   // the plan's uploads are used up: until ResumeAll
	NoDisk    Cause = "disk"    // nothing can be written down: it is tried again by itself, and by ResumeAll
	NoNetwork Cause = "network" // the service can't be reached: it is tried again by itself
)

// Standing is how the queue as a whole stands.
type Standing struct {
	Cause  Cause
	Reason string // a sentence or two for the person, with what helps; "" where Cause is Running or PausedAll
}

// Stopped reports whether nothing goes on until the person says so, or the disk can be written to.
func (s Standing) Stopped() bool { return s.Cause != Running && s.Cause != NoNetwork }

// Totals are the sums over the inbox.
type Totals struct {
	All    int // submissions
	Ended  int // of these, those that nothing goes on with by itself
	Done   int // of these, those that were answered
	Failed int // of these, those that Retry may help
	Paused int // those that the person paused, one by one

	Bytes int64   // of the files that are to be sent or were
	Sent  int64   // of these bytes, those that are up
	Rate  float64 // bytes a second, of all uploads under way; 0 while unknown
}

// Active counts the submissions that go on by themselves.
func (t Totals) Active() int { return t.All - t.Ended - t.Paused }
