package intake

import (
	"time"

	"assay/client"
)

// State is where a submission stands.
type State string

// The states, in the order of a submission's way. The last four are ends, from which Retry may lead back.
const (
	Waiting   State = "waiting"   // for its turn
	Checking  State = "checking"  // being looked at and hashed
	Sending   State = "sending"   // an upload address is asked for, the bytes go out; or the link does
	Analysing State = "analysing" // the service has it
	Done      State = "done"      // Result is final
	Refused   State = "refused"   // not sent and never will be as it is: Problem says why
	Failed    State = "failed"    // given up for now: Problem says why, Retry goes on where it stood
	Cancelled State = "cancelled" // by the person
)

// Ended reports whether nothing goes on by itself any more.
func (s State) Ended() bool {
	switch s {
	case Done, Refused, Failed, Cancelled:
		return true
	}
	return false
}

// Source is where a submission came from.
type Source string

// The sources.
const (
	Dropped Source = "dropped"
	Chosen  Source = "chosen"
	Started Source = "argument"
	Scanned Source = "scan"
	Pasted  Source = "paste"
)

// Submission is what a person handed over and what has become of it, as it stood at one instant: a copy,
// free to read on any goroutine. What it points to is never written to.
type Submission struct {
	ID     string // Assay's own, unique in a run
	Path   string // "" for a link
	Link   string // http or https; "" for a file
	Name   string // safe for the screen; of a link, what follows its scheme
	Source Source
	State  State

	Type    client.MediaType // by its extension, "" where that is not supported
	Size    int64            // bytes, 0 until checked
	SHA256  string           // hex, "" until hashed
	Warning string           // said before sending, a sentence or ""

	Sent   int64   // bytes handed to the network by the upload under way
	Rate   float64 // bytes a second, 0 while unknown
	Again  string  // why it waits before another attempt, a sentence or ""
	Result *client.Result
	// Problem is a sentence for the person, where State is Refused or Failed.
	Problem   string
	RequestID string
	// Earlier is the ID of the submission of the same bytes, or link, whose answer this one shows; "" for one of its own.
	Earlier string

	Accepted time.Time
	Uploaded time.Time // zero until the service has the bytes, or the link
	Answered time.Time // zero until Done
}
