package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"

	"assay/client/custody"
	"assay/client/submission"
)

// record appends an entry to the custody log. answer holds the hashes of the JSON that came with the event, if any.
func (t *transaction) record(ctx context.Context, sub *submission.Submission, event custody.Event, answer custody.Sums) error {
	return t.recordBy(ctx, sub, event, answer, "")
}

// recordBy is record for what a person did who gave their name.
func (t *transaction) recordBy(ctx context.Context, sub *submission.Submission, event custody.Event, answer custody.Sums, person string) error {
	if t.head.Seq == 0 {
		var hash []byte
		if _, err := t.one(ctx, []any{&t.head.Seq, &hash}, "SELECT seq, hash FROM custody ORDER BY seq DESC LIMIT 1"); err != nil {
			return err
		}
		t.head.Hash = hex.EncodeToString(hash)
	}
	e, err := t.head.Next(t.store.options.Now(), sub, event, answer, person)
	if err != nil {
		return err
	}
	previous, _ := hex.DecodeString(e.Previous)
	hash, _ := hex.DecodeString(e.Hash)
	if previous == nil {
		previous = []byte{}
	}
	if _, err := t.exec(ctx, "INSERT INTO custody (seq, at, submission, deed, facts, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
		e.Seq, e.At.UnixNano(), e.Submission, string(e.Event), string(e.Facts), previous, hash); err != nil {
		return err
	}
	t.head = e.Head()
	return t.appendLeaf(ctx, e)
}

const selectEntry = "SELECT seq, at, submission, deed, facts, previous, hash FROM custody "

func readEntry(row scanner) (custody.Entry, error) {
	var e custody.Entry
	var facts string
	var previous, hash sql.RawBytes
	if err := row.Scan(&e.Seq, timeInto{&e.At}, &e.Submission, &e.Event, &facts, &previous, &hash); err != nil {
		return e, err // what could be read
	}
	e.Facts, e.Previous, e.Hash = json.RawMessage(facts), hex.EncodeToString(previous), hex.EncodeToString(hash)
	return e, nil
}

// Custody returns a submission's entries in the custody log, the first one first.
func (s *Store) Custody(ctx context.Context, id string) ([]custody.Entry, error) {
	var all []custody.Entry
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

// VerifyCustody is CheckCustody, and returns a *custody.Broken for the first entry that is not as it was written.
func (s *Store) VerifyCustody(ctx context.Context) error {
	report, err := s.CheckCustody(ctx, custody.Anchor{})
	if err != nil {
		return err
	}
	return report.Err()
}
