package custody

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"assay/client/submission"
)

// Entry is an entry of the custody log. The log is one chain for all submissions: an entry's hash covers the entry and the
// hash of the one before, so that changing, removing or inserting an entry breaks the chain from there on. The chain
// doesn't show that the last entries are missing; the tree does.
type Entry struct {
	Seq        int64           `json:"seq"` // 1 for the first, and no gaps
	At         time.Time       `json:"at"`
	Submission string          `json:"submission"` // its ID
	Event      Event           `json:"deed"`
	Facts      json.RawMessage `json:"facts"`    // a compact object of what was known at the time
	Previous   string          `json:"previous"` // the hash of the entry before, hex; "" for the first
	Hash       string          `json:"hash"`     // Sum, hex
}

// Text is what the entry's hashes cover. It has these lines, each ended by a line feed: the words "assay custody 1"; Seq in decimal;
// At as nanoseconds since 1970 in decimal; then Submission, Event, Facts and Previous, each as its length in bytes in decimal, a colon,
// and its bytes.
func (e Entry) Text() []byte {
	var text bytes.Buffer
	text.WriteString("assay custody 1\n" + strconv.FormatInt(e.Seq, 10) + "\n" + strconv.FormatInt(e.At.UnixNano(), 10) + "\n")
	for _, part := range []string{e.Submission, string(e.Event), string(e.Facts), e.Previous} {
		text.WriteString(strconv.Itoa(len(part)) + ":" + part + "\n")
	}
	return text.Bytes()
}

// Sum is what the entry's Hash must be: the SHA-256 of Text, in hex.
func (e Entry) Sum() string {
	sum := sha256.Sum256(e.Text())
	return hex.EncodeToString(sum[:])
}

// Sums are the SHA-256 of an answer's JSON, in hex: as it is stored, and as it was received, "" if both are the same.
type Sums struct{ Kept, Received string }

// facts are what an entry records about a submission: what identifies it, none of which is secret.
type facts struct {
	Name      string `json:"name,omitempty"`
	File      string `json:"file,omitempty"` // its name on the disk, without the folder
	Source    string `json:"source,omitempty"`
	SHA256    string `json:"sha256,omitempty"`
	Size      int64  `json:"size,omitempty"` // bytes
	RequestID string `json:"requestId,omitempty"`
	Status    string `json:"status,omitempty"`
	Answer    string `json:"answerSha256,omitempty"` // of the answer's JSON as it is stored, in the entry that came with it
	// Of the answer's JSON as it was received, if it differs: the queries of its links are not stored.
	Received   string `json:"receivedSha256,omitempty"`
	SentSHA256 string `json:"sentSha256,omitempty"` // of the copy that is sent instead of the file
	SentName   string `json:"sentName,omitempty"`   // instead of the name of the file or copy
	Removed    string `json:"removed,omitempty"`    // the kinds of metadata that the copy lacks, separated by commas
	Format     string `json:"sentFormat,omitempty"` // of the copy, where it is not the file's
	From       string `json:"sentFrom,omitempty"`   // where the part of the clip begins that the copy is, in seconds
	To         string `json:"sentTo,omitempty"`     // where it ends
	Person     string `json:"person,omitempty"`     // who did it, by the name that they gave
}

func factsOf(sub *submission.Submission, answer Sums, person string) (json.RawMessage, error) {
	f := facts{Name: sub.Name, Source: string(sub.Source), SHA256: sub.SHA256, Size: sub.Size, RequestID: sub.RequestID,
		Answer: answer.Kept, Received: answer.Received, SentSHA256: sub.Copy.SHA256, Removed: sub.Copy.Removed, Person: person}
	f.Format = sub.Copy.Format
	if part := sub.Copy.Part; part != (submission.Part{}) {
		f.From, f.To = strconv.FormatFloat(part.From.Seconds(), 'f', -1, 64), strconv.FormatFloat(part.To.Seconds(), 'f', -1, 64)
	}
	if sub.Neutral || sub.Copy.SHA256 != "" {
		f.SentName = sub.SendName
	}
	if sub.Path != "" {
		f.File = path.Base(strings.ReplaceAll(sub.Path, `\`, "/"))
	}
	if sub.Result != nil {
		f.Status = string(sub.Result.Status())
	}
	return json.Marshal(f)
}

// Sums returns the hashes of the answer that came with the entry; zero if none did.
func (e Entry) Sums() Sums {
	var f facts
	if json.Unmarshal(e.Facts, &f) != nil {
		return Sums{} // written by a later version
	}
	return Sums{Kept: f.Answer, Received: f.Received}
}

// Head is the last entry of a log; the zero value is that of an empty one.
type Head struct {
	Seq  int64
	Hash string
}

// Head is what the next entry follows.
func (e Entry) Head() Head { return Head{e.Seq, e.Hash} }

// Next returns the entry that follows: an event of a submission. answer has the hashes of the JSON that came with it, if any did; person is who did it,
// "" where that is not recorded.
func (h Head) Next(at time.Time, sub *submission.Submission, event Event, answer Sums, person string) (Entry, error) {
	facts, err := factsOf(sub, answer, person)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Seq: h.Seq + 1, At: at, Submission: sub.ID, Event: event, Facts: facts, Previous: h.Hash}
	e.Hash = e.Sum()
	return e, nil
}

// Verify checks that an entry is as it was written and follows this one. Its error is a *Broken.
func (h Head) Verify(e Entry) error {
	if e.Seq != h.Seq+1 || e.Previous != h.Hash || e.Hash != e.Sum() {
		return &Broken{e.Seq}
	}
	return nil
}

// Broken is the first entry of a log that is not as it was written.
type Broken struct{ Seq int64 }

func (b *Broken) Error() string {
	return fmt.Sprintf("the custody log was changed at entry %d", b.Seq)
}

// errText means that a text is not the Text of an entry.
var errText = errors.New("this is no entry of the custody log")

// ParseText reads the result of Text, and accepts no other spelling.
func ParseText(text []byte) (e Entry, err error) {
	lines := bytes.SplitN(text, []byte("\n"), 4)
	if len(lines) != 4 {
		return Entry{}, errText
	}
	seq, err := strconv.ParseInt(string(lines[1]), 10, 64)
	at, err2 := strconv.ParseInt(string(lines[2]), 10, 64)
	if err != nil || err2 != nil {
		return Entry{}, errText
	}
	parts, rest := [4]string{}, lines[3]
	for i := range parts {
		length, after, _ := bytes.Cut(rest, []byte(":"))
		n, err := strconv.Atoi(string(length))
		if err != nil || n < 0 || n >= len(after) {
			return Entry{}, errText
		}
		parts[i], rest = string(after[:n]), after[n+1:]
	}
	e = Entry{Seq: seq, At: time.Unix(0, at).UTC(), Submission: parts[0], Event: Event(parts[1]), Facts: json.RawMessage(parts[2]), Previous: parts[3]}
	if !bytes.Equal(e.Text(), text) {
		return Entry{}, errText
	}
	e.Hash = e.Sum()
	return e, nil
}
