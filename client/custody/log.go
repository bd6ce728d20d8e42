package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
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

// Entry is one in the custody log. The log is one chain for all submissions: an entry's hash is over the entry and the
// hash of the one before, so that none can be changed, left out or put in between without breaking the chain from there
// on. That the last entries are missing cannot be seen from what is left: for that, the last hash must be known elsewhere,
// such as in an exported report.
type Entry struct {
	Seq        int64           `json:"seq"` // 1 for the first, and no gaps
	At         time.Time       `json:"at"`
	Submission string          `json:"submission"` // its ID
	Deed       string          `json:"deed"`
	Facts      json.RawMessage `json:"facts"`    // a compact object of what was known then
	Previous   string          `json:"previous"` // the hash of the entry before, hex; "" for the first
	Hash       string          `json:"hash"`     // Sum, hex
}

// Sum is what the entry's Hash must be: the SHA-256, in hex, of these lines, each ended by a line feed: the words "assay
// custody 1"; Seq in decimal; At as nanoseconds since 1970 in decimal; then Submission, Deed, Facts and Previous, each as
// its length in bytes in decimal, a colon, and its bytes.
func (e Entry) Sum() string {
	var text bytes.Buffer
	text.WriteString("assay custody 1\n" + strconv.FormatInt(e.Seq, 10) + "\n" + strconv.FormatInt(e.At.UnixNano(), 10) + "\n")
	for _, part := range []string{e.Submission, e.Deed, string(e.Facts), e.Previous} {
		text.WriteString(strconv.Itoa(len(part)) + ":" + part + "\n")
	}
	sum := sha256.Sum256(text.Bytes())
	return hex.EncodeToString(sum[:])
}

// facts are what an entry says of a submission: what it is known by, none of which is secret.
type facts struct {
	Name      string `json:"name,omitempty"`
	File      string `json:"file,omitempty"` // its name on the disk, without the folder
	Source    string `json:"source,omitempty"`
	SHA256    string `json:"sha256,omitempty"`
	Size      int64  `json:"size,omitempty"` // bytes
	RequestID string `json:"requestId,omitempty"`
	Status    string `json:"status,omitempty"`
	Answer    string `json:"answerSha256,omitempty"` // of the answer's JSON as it is kept, in the entry that came with it
	// Of the answer's JSON as it was received, where that is not what is kept: the queries of its links are not.
	Received   string `json:"receivedSha256,omitempty"`
	SentSHA256 string `json:"sentSha256,omitempty"` // of the copy that is sent in the file's place
	SentName   string `json:"sentName,omitempty"`   // in the place of the file's own, or of the copy
	Removed    string `json:"removed,omitempty"`    // the kinds of what the copy does not have, with commas between
}

func factsOf(sub *submission.Submission, answer answerSums) (json.RawMessage, error) {
	f := facts{Name: sub.Name, Source: string(sub.Source), SHA256: sub.SHA256, Size: sub.Size, RequestID: sub.RequestID,
		Answer: answer.kept, Received: answer.received, SentSHA256: sub.Copy.SHA256, Removed: sub.Copy.Removed}
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

// chainHead is the last entry's place; Seq is 0 while it is unknown.
type chainHead struct {
	seq  int64
	hash string
}

// record appends an entry. answer are the hashes of the JSON that came with the deed, if any did.
func (t *transaction) record(ctx context.Context, sub *submission.Submission, deed string, answer answerSums) error {
	if t.head.seq == 0 {
		var hash []byte
		if _, err := t.one(ctx, []any{&t.head.seq, &hash}, "SELECT seq, hash FROM custody ORDER BY seq DESC LIMIT 1"); err != nil {
			return err
		}
		t.head.hash = hex.EncodeToString(hash)
	}
	known, err := factsOf(sub, answer)
	if err != nil {
		return err
	}
	e := Entry{Seq: t.head.seq + 1, At: t.store.options.Now(), Submission: sub.ID, Deed: deed, Facts: known, Previous: t.head.hash}
	e.Hash = e.Sum()
	previous, _ := hex.DecodeString(e.Previous)
	hash, _ := hex.DecodeString(e.Hash)
	if previous == nil {
		previous = []byte{}
	}
	if _, err := t.exec(ctx, "INSERT INTO custody (seq, at, submission, deed, facts, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
		e.Seq, e.At.UnixNano(), e.Submission, e.Deed, string(e.Facts), previous, hash); err != nil {
		return err
	}
	t.head = chainHead{e.Seq, e.Hash}
	return nil
}

const selectEntry = "SELECT seq, at, submission, deed, facts, previous, hash FROM custody "

func readEntry(row scanner) (Entry, error) {
	var e Entry
	var known string
	var previous, hash sql.RawBytes
	if err := row.Scan(&e.Seq, moment{&e.At}, &e.Submission, &e.Deed, &known, &previous, &hash); err != nil {
		return Entry{}, err
	}
	e.Facts, e.Previous, e.Hash = json.RawMessage(known), hex.EncodeToString(previous), hex.EncodeToString(hash)
	return e, nil
}

// Custody returns what was done with a submission, first to last.
func (s *Store) Custody(ctx context.Context, id string) ([]Entry, error) {
	var all []Entry
	err := s.readers.each(ctx, func(row scanner) error {
		e, err := readEntry(row)
		all = append(all, e)
		return err
	}, selectEntry+"WHERE submission = ? ORDER BY seq", id)
	if err != nil {
		return nil, s.read("read the custody log", err)
	}
	return all, nil
}

// BrokenChain says where the custody log does not hold: at the entry that is not what its hash says, or does not follow the
// one before.
type BrokenChain struct{ Seq int64 }

func (b *BrokenChain) Error() string {
	return fmt.Sprintf("the custody log was changed: entry %d does not fit what is before it", b.Seq)
}

// VerifyCustody walks the whole custody log and returns a *BrokenChain for the first entry that does not fit.
func (s *Store) VerifyCustody(ctx context.Context) error {
	var last Entry
	err := s.readers.each(ctx, func(row scanner) error {
		e, err := readEntry(row)
		if err != nil {
			return err
		}
		if e.Seq != last.Seq+1 || e.Previous != last.Hash || e.Hash != e.Sum() {
			return &BrokenChain{e.Seq}
		}
		last = e
		return nil
	}, selectEntry+"ORDER BY seq")
	if broken := (*BrokenChain)(nil); errors.As(err, &broken) {
		return broken
	}
	return s.read("verify the custody log", err)
}
