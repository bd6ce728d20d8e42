package store

import (
	"context"
	"encoding/hex"
	"time"

	"assay/client"
)

// Change is one of a submission's answers.
type Change struct {
	At        time.Time // when it was received
	Status    client.Status
	Release   string // of the service
	RawSHA256 string // of its JSON
}

// History returns the answers that a submission had, the first one first and the current one last.
func (s *Store) History(ctx context.Context, id string) ([]Change, error) {
	var all []Change
	err := s.readers.each(ctx, func(row scanner) error {
		var c Change
		var hash []byte
		if err := row.Scan(moment{&c.At}, &c.Status, &c.Release, &hash); err != nil {
			return err
		}
		c.RawSHA256 = hex.EncodeToString(hash)
		all = append(all, c)
		return nil
	}, "SELECT at, status, release, sha256 FROM answers WHERE submission = (SELECT key FROM submissions WHERE id = ?) ORDER BY seq", id)
	if err != nil {
		return nil, s.read("read the history", err)
	}
	return all, nil
}

// EarlierAnswer returns one of the answers of History by its RawSHA256; ok is false where there is none.
func (s *Store) EarlierAnswer(ctx context.Context, id, rawSHA256 string) (r *client.Result, ok bool, err error) {
	hash, err := hex.DecodeString(rawSHA256)
	if err != nil {
		return nil, false, nil //nolint:nilerr // what is no hash is none of theirs
	}
	var raw []byte
	ok, err = s.readers.one(ctx, []any{&raw}, `SELECT raw FROM answers
		WHERE submission = (SELECT key FROM submissions WHERE id = ?) AND sha256 = ? ORDER BY seq DESC LIMIT 1`, id, hash)
	if err == nil && ok {
		r, err = readResult(raw)
	}
	return r, ok && err == nil, s.read("read an earlier answer", err)
}
