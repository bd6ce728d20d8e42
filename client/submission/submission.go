// Package submission says what a person handed over and what has become of it: types without logic, which intake drives,
// store keeps and screens show. It imports client and client/i18n.
package submission

import (
	"net/url"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
)

// State is the state of a submission, as a person sees it.
type State string

// The states, in the order of a submission's way. The last five are ends; Retry may lead on from some.
const (
	Waiting   State = "waiting"   // for a slot
	Checking  State = "checking"  // being read and hashed
	Held      State = "held"      // read and hashed; it is sent once the person approves
	Sending   State = "sending"   // the upload URL is being requested or the bytes sent; or the link submitted
	Analysing State = "analysing" // the service has it
	Done      State = "done"      // Result is final
	Refused   State = "refused"   // not sent and never will be as it is: Problem says why
	Failed    State = "failed"    // given up for now: Problem says why; Retry goes on from Step
	Cancelled State = "cancelled" // by the person
	Stays     State = "stays"     // on this computer: its gate or the person says so
)

// Ended reports whether a submission in this state does not go on by itself.
func (s State) Ended() bool {
	switch s {
	case Done, Refused, Failed, Cancelled, Stays:
		return true
	}
	return false
}

// Step is the last step that a submission is known to have reached. Each step is on disk before what follows it is done, so that after a crash it is
// known what can have happened.
type Step string

// The steps, in their order. A link goes from Gated to SendingBytes and on.
const (
	Seen         Step = "seen"          // accepted
	Settled      Step = "settled"       // size, time and hash are known
	Gated        Step = "gated"         // its gate lets it be sent
	URLRequested Step = "url-requested" // an upload URL was requested
	URLHeld      Step = "url-held"      // Upload holds it
	SendingBytes Step = "sending"       // bytes, or the link, may be on their way
	SentBytes    Step = "sent"          // the service has them, or the link
	Polling      Step = "polling"       // RequestID is known
	Answered     Step = "done"          // Result is final
)

// Source is where a submission came from.
type Source string

// The sources.
const (
	Dropped Source = "dropped"
	Chosen  Source = "chosen"
	Started Source = "argument"
	Scanned Source = "scan"
	Pasted  Source = "paste"
	Watched Source = "watched" // Folder names the folder
	Service Source = "service" // pulled from the service's list: another device or program submitted it
)

// Submission is what a person handed over and what has become of it, as it stood at one instant: a copy,
// free to read on any goroutine. What it points to is never written to.
type Submission struct {
	ID     string // Assay's own, unique for ever
	Key    int64  // the store's: ascending with the date; 0 before it is kept
	Path   string // absolute; "" for a link, and for one of Source Service
	Link   string // http or https; "" for a file
	Name   string // made plain; of a link, what follows its scheme
	Note   string // the person's own, or ""
	Source Source
	State  State
	Step   Step
	Paused bool // by the person: it goes on when they say so
	Gate   Gate
	// Allowed is when the person allowed one of GateAsk to leave; zero: they have not.
	Allowed time.Time
	// Neutral says that the person has it sent under a name that says nothing.
	Neutral bool
	Copy    Copy   // what is sent in the file's place; zero: the file itself
	Folder  string // the watched folder that it came from, by its path; "" for none
	Filed   bool   // out of the inbox; an answer still stands among the results

	Type     client.MediaType // by its extension, "" where that is not supported
	Size     int64            // bytes, 0 until Settled
	Modified time.Time        // of the file, all of its digits; zero until Settled
	SHA256   string           // hex, "" until Settled
	SendName string           // the name that the service gets, "" until Settled
	Warning  i18n.Message     // said before sending

	Upload client.Upload // held from URLHeld on until the bytes are known to be up; its address is secret
	Asking Asking        // of a link

	RequestID string
	// Earlier is the ID of the submission of the same content whose answer this one shows; "" for one of its own.
	Earlier string
	// Again says that the person wants this content analysed although it was before.
	Again bool

	Result *client.Result // nil until the service said something
	// Problem is for the person, where State is Refused or Failed, or Cancelled by nobody; or why one that waits for
	// their word, or was kept here by it, could not be sent as they wished.
	Problem i18n.Message

	Accepted time.Time
	Uploaded time.Time // zero until the service has the bytes, or the link
	Answered time.Time // when the final answer was received; zero until Done

	// What follows is of the moment and kept nowhere.

	Sent  int64        // bytes handed to the network by the upload under way
	Rate  float64      // bytes a second, 0 while unknown
	Delay i18n.Message // why it waits before another attempt
}

// Asking is what must not be forgotten of a link on its way.
type Asking struct {
	At      time.Time // when it was submitted with an outcome that is unknown; zero: there is none
	Warned  bool      // the person was warned: another attempt is their own wish
	Refetch bool      // the service could not fetch it: another attempt is another submission
}

// Copy is what is sent in a file's place: its picture or sound, without what identifies. What it says stays when the copy itself
// is deleted.
type Copy struct {
	Path    string // absolute
	SHA256  string // hex
	Size    int64  // bytes
	Removed string // the kinds of what was left out, as "position,camera,author"
}

// Sends is how many bytes leave this computer when it is sent.
func (s *Submission) Sends() int64 {
	if s.Copy.SHA256 != "" {
		return s.Copy.Size
	}
	return s.Size
}

// Content is what makes two submissions one: a file's SHA-256, or a link in one spelling; "" while it is unknown.
func (s *Submission) Content() string {
	if s.Link != "" {
		return SameLink(s.Link)
	}
	return s.SHA256
}

// SameLink is equal for two spellings of one link: scheme and host know no case, and "/" is the path of none.
func SameLink(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}
