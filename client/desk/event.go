// Package desk shares cases among the desktops of a newsroom, over its own PostgreSQL. Each desktop's own records stay its truth: what a person does
// in a shared case becomes an event, which never changes, is kept with the records in one transaction, sent to the desk when that can be reached, and
// received by the others. This package says what an event is, and knows no database: client/desk/postgres has the desk's, client/store the records.
package desk

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// Kind is what an event says was done in a case.
type Kind string

// The kinds. One that is not known, from a later Assay, is kept and passed over.
const (
	Title      Kind = "title"      // Text: the case's; the first one is its beginning
	Result     Kind = "result"     // Subject: a content; Item: what the service said of it
	Note       Kind = "note"       // Text
	Check      Kind = "check"      // Check, and Text: what it has found
	Task       Kind = "task"       // Text: a question
	Answer     Kind = "answer"     // About: the task; Text, Evidence
	Assign     Kind = "assign"     // About: the task; To: who is to answer it, Due; Replaces: the assignments that its author knew
	Tag        Kind = "tag"        // Add; Remove: of earlier events, which of their tags are gone
	Conclusion Kind = "conclusion" // Text: the desk's own; State
	Judgement  Kind = "judgement"  // About: the result; Label, Text
	SignOff    Kind = "sign_off"   // About: the judgement, by somebody else; Seen: the digests of the judgement and of the result that were seen
	Rule       Kind = "rule"       // State: whether a judgement in the case needs a second person's sign-off, see Required
	Retention  Kind = "retention"  // Days: for how long the desk keeps what is in the case after the last thing that was done; by its owner
	Withdraw   Kind = "withdraw"   // About: what is taken back, or the result that is taken out of the case
	Redact     Kind = "redact"     // About: the event whose body and subject the desk removes
)

// Body is what an event says, as JSON.
type Body struct {
	At       time.Time       `json:"at,omitzero"` // by the clock of the author's computer
	Text     string          `json:"text,omitempty"`
	Check    string          `json:"check,omitempty"` // see store.CheckKind
	Evidence json.RawMessage `json:"evidence,omitempty"`
	Add      []string        `json:"add,omitempty"`
	Remove   []Removed       `json:"remove,omitempty"`
	State    string          `json:"state,omitempty"` // see store.CaseState; of a rule Required or NotRequired
	Label    string          `json:"label,omitempty"` // see client.Feedback
	Item     *Item           `json:"item,omitempty"`
	Seen     []string        `json:"seen,omitempty"` // digests of events, hex
	To       string          `json:"to,omitempty"`   // a member's login, or a name; "" for nobody
	Due      string          `json:"due,omitempty"`  // a day as time.DateOnly
	Replaces []uuid.UUID     `json:"replaces,omitempty"`
	File     *File           `json:"file,omitempty"`
	Days     int             `json:"days,omitempty"` // of a retention; 0: without limit
}

// Removed is a tag that an event had added.
type Removed struct {
	Tag   string    `json:"tag"`
	Event uuid.UUID `json:"event"`
}

// Item is what the service said of a content. What the person did not want to share is missing.
type Item struct {
	Sandbox   bool            `json:"sandbox,omitempty"` // the answer is of the sandbox, which detects nothing
	RequestID string          `json:"requestId"`
	Status    string          `json:"status"`  // as the service sent it
	Release   string          `json:"release"` // likewise
	Type      string          `json:"type,omitempty"`
	Size      int64           `json:"size,omitempty"` // bytes
	Name      string          `json:"name,omitempty"`
	Answered  time.Time       `json:"answered,omitzero"`
	Result    json.RawMessage `json:"result,omitempty"` // the service's answer, as client.Shareable gives it
	PDQ       []PDQ           `json:"pdq,omitempty"`    // of a picture, or of the key frames of a clip; nothing of it shows the picture
}

// PDQ are the PDQ hashes of a picture, or of a frame, by which what is nearly the same is found.
type PDQ struct {
	Frame   bool   `json:"frame,omitempty"`
	Quality int    `json:"quality"` // 0 to 100
	Hashes  []byte `json:"hashes"`  // 32 bytes each: as it is, mirrored and rotated, and of a picture's parts
}

// MostPDQ bounds how many an item has, and LongestPDQ how many bytes the hashes of one have. What is beyond that is not looked at.
const (
	MostPDQ    = 32
	LongestPDQ = 1 << 10
)

// What a rule says of sign-offs.
const (
	Required    = "required"
	NotRequired = "not required"
)

// Share is how much of an item is shared.
type Share string

// The choices. Of what never leaves this computer nothing is ever shared, not even its hash.
const (
	ShareStatus Share = "status" // its hash and the verdict
	ShareAnswer Share = "answer" // all but the file's name and path
	ShareAll    Share = "all"    // all but its path
)

// namespace is that of the IDs of events which are made from those of records: the same record always is the same event.
var namespace = uuid.MustParse("5f5a1f0c-3c1e-4a63-9d0e-0c0a4b1f7d55")

// IDOf is the ID of the event that a record of this computer becomes: its own, where that is a UUID.
func IDOf(record string) uuid.UUID {
	if id, err := uuid.Parse(record); err == nil {
		return id
	}
	return uuid.NewSHA1(namespace, []byte(record))
}

// Event is one thing that was done in a shared case. It never changes, but that a redaction removes Body and Subject.
type Event struct {
	ID      uuid.UUID
	Case    uuid.UUID
	Author  string    // the member's login
	Device  uuid.UUID // their desktop
	Lamport int64     // larger than that of each event which that desktop knew
	Kind    Kind
	About   uuid.UUID // another event; the zero value for none
	Subject []byte    // SHA-256 of a content; nil for none
	Body    []byte    // JSON, an object; nil once it was redacted
	Digest  []byte    // SHA-256 over Subject and Body
	Sig     []byte    // Ed25519, with the device's key
	At      time.Time // by the server's clock; zero before it was sent
}

const (
	// LargestBody is what a desk takes, in bytes.
	LargestBody = 1 << 20
	// LargestLamport is what every reader of JSON can hold.
	LargestLamport = 1<<53 - 1
)

// ErrSignature means that an event is not what its author's desktop wrote.
var ErrSignature = errors.New("the event was changed, or another wrote it")

// Sign sets Digest and Sig, over all but At. The key is that of Device.
func (e *Event) Sign(key ed25519.PrivateKey) {
	e.Digest = Digest(e.Subject, e.Body)
	e.Sig = ed25519.Sign(key, e.signed())
}

// Verify checks the signature of a device's key. Of what was redacted it holds Digest to the signature, which nobody but who has both can tell more of.
func (e Event) Verify(key ed25519.PublicKey) error {
	if len(key) != ed25519.PublicKeySize || e.Lamport < 1 || e.Lamport > LargestLamport || !ed25519.Verify(key, e.signed(), e.Sig) {
		return ErrSignature
	}
	if !e.Redacted() && string(Digest(e.Subject, e.Body)) != string(e.Digest) {
		return ErrSignature
	}
	return nil
}

// Redacted reports whether what it said was removed.
func (e Event) Redacted() bool { return e.Body == nil }

// signed is what a signature is over: a line for each field, none of which can have a line break.
func (e Event) signed() []byte {
	return fmt.Appendf(nil, "assay desk event 1\n%s\n%s\n%q\n%s\n%d\n%q\n%s\n%x\n", e.ID, e.Case, e.Author, e.Device, e.Lamport, string(e.Kind), e.About, e.Digest)
}

// Digest is that of an event with this subject and body: a SHA-256 over both, with the length of the first before it, so that no byte can pass for one of
// the other.
func Digest(subject, body []byte) []byte {
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(subject))))
	h.Write(subject)
	h.Write(body)
	return h.Sum(nil)
}
