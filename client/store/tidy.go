package store

import (
	"context"

	"assay/client"
)

const (
	// scattered is in how many parts the index of the search may be; each costs every search a look.
	scattered = 8
	// mergedAtOnce is how many pages of the index are merged in one transaction, so that nobody waits long for the disk.
	mergedAtOnce = 100
)

// tidy does, beside everything else, what need not be done before the store can be used.
func (s *Store) tidy() {
	if s.unchecked {
		if err := s.readers.walk(s.ctx, checksAfterCrash()...); err != nil && s.ctx.Err() == nil {
			_ = s.read("check the history", err) // it is set aside at the next start
		}
	}
	if err := s.fileContradictions(); err != nil && s.ctx.Err() == nil {
		s.options.Log.Warn("the answers that contradict themselves could not be filed", "error", err)
	}
	s.sweep()
	if err := s.gather(); err != nil && s.ctx.Err() == nil {
		s.options.Log.Warn("the index of the search could not be tidied", "error", err)
	}
}

// gather brings the parts of the index of the search together, where there are many.
func (s *Store) gather() error {
	parts, err := s.readers.number(s.ctx, "SELECT count(DISTINCT segid) FROM search_idx")
	if err != nil || parts <= scattered {
		return err
	}
	pages := -mergedAtOnce // negative: all parts are to become one
	for done := false; !done; {
		err := s.write(s.ctx, "tidy the search", func(ctx context.Context, t *transaction) error {
			before, err := t.number(ctx, "SELECT total_changes()")
			if err != nil {
				return err
			}
			if _, err := t.exec(ctx, "INSERT INTO search (search, rank) VALUES ('merge', ?)", pages); err != nil {
				return err
			}
			after, err := t.number(ctx, "SELECT total_changes()")
			done = after-before < 2 // as FTS5 says that nothing was left to merge
			return err
		})
		if err != nil {
			return err
		}
		pages = mergedAtOnce
	}
	return nil
}

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
