package store

import (
	"context"

	"assay/client"
)

// contradictionsFiled is the name of the fact that every answer was looked at for whether it contradicts itself.
const contradictionsFiled = "contradictions filed"

// fileContradictions files the answers that an earlier version kept under their status, once. What can't be read is not among them.
func (s *Store) fileContradictions() error {
	if filed, err := s.Fact(s.ctx, contradictionsFiled); err != nil || filed != "" {
		return err
	}
	var answers []int64
	err := s.readers.each(s.ctx, func(row scanner) error {
		var seq int64
		var raw []byte
		if err := row.Scan(&seq, &raw); err != nil {
			return err
		}
		if r, err := readResult(raw); err == nil && r.FiledStatus() == client.Contradictory {
			answers = append(answers, seq)
		}
		return nil
	}, "SELECT a.seq, a.raw FROM submissions s CROSS JOIN answers a ON a.seq = s.answer")
	if err != nil {
		return err
	}
	err = s.write(s.ctx, "file the answers that contradict themselves", func(ctx context.Context, t *transaction) error {
		// By the answer, for another one may have come since.
		if _, err := t.exec(ctx, "UPDATE submissions SET status = ? WHERE answer IN (SELECT value FROM json_each(?))", string(client.Contradictory), list(answers)); err != nil {
			return err
		}
		_, err := t.exec(ctx, "INSERT INTO facts (name, value) VALUES (?, 'yes') ON CONFLICT (name) DO NOTHING", contradictionsFiled)
		return err
	})
	s.listings.forget()
	return err
}
