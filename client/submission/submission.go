// Package submission says what a person handed over and what has become of it: types without logic, which intake drives,
// store keeps and screens show. It imports client and client/i18n.
package submission

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
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
	Desk    Source = "desk"    // a colleague shared its answer; its bytes are not on this computer
)

// Submission is what a person handed over and what has become of it, at one instant: a copy, which may be read on any goroutine. What it points to is
// never changed.
type Submission struct {
	ID     string   // Assay's own, unique for ever
	Key    int64    // the store's: ascending with the date; 0 until it is in the store
	Path   string   // absolute; "" for a link, and for one of Source Service
	Link   string   // http or https; "" for a file
	Name   string   // made plain; for a link, the link without its scheme
	Note   string   // the person's own, or ""
	Tags   []string // likewise, each once whatever its capitals
	Source Source
	State  State
	Step   Step
	Paused bool // by the person, until they resume it
	Gate   Gate
	// Allowed is when the person approved that one that Asks is sent; zero: they have not.
	Allowed time.Time
	// Neutral says that it is to be sent under NeutralName.
	Neutral bool
	// Needs is what must be done to the file before any of it can be sent; Settled says so.
	Needs Need
	// Copies is whether a copy in another format may be made without asking; "" until Settled, unless whoever handed it over said so: as the settings say.
	Copies CopyRule
	// Colleagues is what is done where a colleague has shared an answer on the same content.
	Colleagues ColleagueRule
	// AnsweredBy is whose answer it has, where a colleague shared it; zero: its own, or none.
	AnsweredBy Colleague
	Part       Part   // what the person chose of a clip that is too large; zero: nothing yet
	Copy       Copy   // sent in place of the file; zero: the file itself is
	Folder     string // the watched folder that it came from, by its path; "" for none
	Filed      bool   // it is out of the inbox; an answer is still among the results
	// Graphic says that the person marked it as disturbing: it is covered until somebody wants to see it. What is in the queue may be older than the mark.
	Graphic bool

	Type     client.MediaType // by its extension, "" where that is not supported
	Size     int64            // bytes, 0 until Settled
	Modified time.Time        // when the file was last changed, in full precision; zero until Settled
	SHA256   string           // hex, "" until Settled
	SendName string           // the name that is sent, "" until Settled
	Warning  i18n.Message     // to show before it is sent

	Upload client.Upload // kept from URLHeld on until the bytes are known to be there; its URL is secret
	Asking Asking        // for a link

	RequestID string
	// Earlier is the ID of the primary whose answer this duplicate shows; "" for one that is no duplicate.
	Earlier string
	// Again says that the person wants this content analysed again.
	Again bool
	// Recheck is, for one of many that are checked again, the Content that was checked before: a file that holds other bytes by now is refused, and
	// what the person hands over meanwhile is sent first. "" for all others.
	Recheck string

	Result *client.Result // nil until there is one, final or not; from the queue, a final one may be client.Result.Brief
	// Problem says, if State is Refused or Failed, or Cancelled but not by the person, why; or why one that waits for the person's approval, or that
	// they withheld, could not be sent as they wished.
	Problem i18n.Message

	Accepted time.Time
	Uploaded time.Time // zero until the service has the bytes, or the link
	Answered time.Time // when the final answer was received; zero until Done

	// The fields below are of the moment and not kept.

	Sent  int64        // bytes given to the network by the upload under way
	Rate  float64      // bytes a second, 0 until known
	Delay i18n.Message // why it waits for another attempt
}

// Asking is what must be remembered of a link's submission.
type Asking struct {
	At      time.Time // when it was submitted without the outcome being known; zero: there is no such attempt
	Warned  bool      // the person was warned, so that another attempt is their decision
	Refetch bool      // the service could not fetch it: another attempt is another submission
}

// Need is what must be done to a file that the service does not take as it is.
type Need string

// The needs.
const (
	NeedsNothing Need = ""
	NeedsCopy    Need = "copy" // in a format that the service takes
	NeedsPart    Need = "part" // to be cut out of a clip over the service's limit
)

// CopyRule is whether copies in another format are made without asking.
type CopyRule string

// The rules.
const (
	CopiesAsk    CopyRule = "ask"    // the person is asked
	CopiesAlways CopyRule = "always" // they are made at once, and sent if the gate says so
	CopiesNever  CopyRule = "never"  // such files are refused
)

// ColleagueRule is what is done with a file that a colleague has checked.
type ColleagueRule string

// The rules.
const (
	SendAnyway ColleagueRule = ""     // it is sent
	AskFirst   ColleagueRule = "ask"  // the person is asked
	TakeOver   ColleagueRule = "take" // the colleague's answer is taken over, and nothing is sent; where they shared none, the person is asked
	// Checked is AskFirst once it was found that a colleague has checked it: it Asks.
	Checked ColleagueRule = "checked"
)

// ErrNoCase is the error where a submission is to be put into a case that there is not.
var ErrNoCase = errors.New("there is no such case")

// Colleague is somebody at the desk who has checked a content.
type Colleague struct {
	Name string    // as the desk shows them
	At   time.Time // when the service answered them
}

// CheckedBy is the Problem of a file that a colleague has checked; answer says that their answer can be taken over.
func CheckedBy(by string, answer bool) i18n.Message {
	by = plain.From(by).Folded().String()
	if answer {
		return i18n.M("%s has already checked this file. Use that answer, which sends nothing, or send the file anyway.", by)
	}
	return i18n.M("%s has already checked this file, and shared only the verdict. Send the file for an answer of your own.", by)
}

// CheckedElsewhere is the Problem of a file that somebody at the desk has checked, in a case which isn't this member's.
var CheckedElsewhere = i18n.M("Somebody at your newsroom has checked this, in a case that you are not in. Ask the desk's admin, or send the file.")

// Part is a part of a clip, counted from its beginning.
type Part struct{ From, To time.Duration }

// Copy is what is sent in place of a file. The record stays when the copy itself is deleted.
type Copy struct {
	Path    string // absolute
	SHA256  string // hex
	Size    int64  // bytes
	Removed string // the kinds of metadata that were left out, as in "position,camera,author"
	// Format is the copy's for a person, "JPEG" or "MP4"; "" where it is the file's own, and only metadata is missing.
	Format string
	// Metadata says that what the file says of itself went along, as far as Format has room for it.
	Metadata bool
	Part     Part         // of the clip, where the copy is not of all of it
	Note     i18n.Message // what else is different in it; may be empty
}

// Copying says which copy of a file is wanted.
type Copying struct {
	WithoutMetadata bool
	Need            Need  // to be met; NeedsNothing leaves the format as it is
	Part            Part  // of a clip, for NeedsPart
	Most            int64 // bytes that the copy may have, unless Need is NeedsNothing
}

// Sends is how many bytes leave this computer when it is sent.
func (s *Submission) Sends() int64 {
	if s.Copy.SHA256 != "" {
		return s.Copy.Size
	}
	return s.Size
}

// Content is what makes two submissions one: a file's SHA-256, or a link in one spelling; "" while it is unknown, and of what a colleague shared, whose
// answer is taken over by the person's word alone.
func (s *Submission) Content() string {
	if s.Source == Desk {
		return ""
	}
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
