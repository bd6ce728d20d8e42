package store

import (
	"context"
	"time"

	"assay/client"
)

const (
	// scattered is how many parts the search index may have before they are merged; each part makes every search slower.
	scattered = 8
	// mergedAtOnce is how many pages of the index are merged in one transaction, so that nobody waits long to write.
	mergedAtOnce = 100
	// calm is for how long nothing must have been written before merging goes on.
	calm = 500 * time.Millisecond
)

// tidy does, in the background, what need not be done before the store can be used, which was opened now.
func (s *Store) tidy(now time.Time) {
	if s.unchecked {
		if err := s.readers.walk(s.ctx, checksAfterCrash()...); err != nil && s.ctx.Err() == nil {
			_ = s.read("check the history", err) // the damage is remembered, and the file set aside at the next start
		}
	}
	if err := s.fileContradictions(); err != nil && s.ctx.Err() == nil {
		s.options.Log.Warn("the answers that contradict themselves could not be filed", "error", err)
	}
	if err := s.sweep(now); err != nil && s.ctx.Err() == nil {
		s.options.Log.Warn("the vault could not be tidied", "error", err)
	}
	if err := s.fileVoices(); err != nil && s.ctx.Err() == nil {
		s.options.Log.Warn("what the service said of clips' voices could not be filed", "error", err)
	}
	if err := s.gather(); err != nil && s.ctx.Err() == nil {
		s.options.Log.Warn("the index of the search could not be tidied", "error", err)
	}
}

// gather merges parts of the search index, if there are many. Those of like sizes are merged, so that the large ones are not written again at each
// start. Whoever else wants to write goes first.
func (s *Store) gather() error {
	parts, err := s.readers.number(s.ctx, "SELECT count(DISTINCT segid) FROM search_idx")
	if err != nil || parts <= scattered {
		return err
	}
	if err := s.write(s.ctx, "tidy the search", func(ctx context.Context, t *transaction) error {
		_, err := t.exec(ctx, "INSERT INTO search (search, rank) VALUES ('usermerge', 2)") // how many of like sizes are worth a merge
		return err
	}); err != nil {
		return err
	}
	for done := false; !done; {
		if err := s.awaitCalm(); err != nil {
			return err
		}
		err := s.write(s.ctx, "tidy the search", func(ctx context.Context, t *transaction) error {
			before, err := t.number(ctx, "SELECT total_changes()")
			if err != nil {
				return err
			}
			if _, err := t.exec(ctx, "INSERT INTO search (search, rank) VALUES ('merge', ?)", mergedAtOnce); err != nil {
				return err
			}
			after, err := t.number(ctx, "SELECT total_changes()")
			done = after-before < 2 // FTS5's sign that nothing was left to merge
			return err
		})
		if err != nil {
			return err
		}
		s.written.Store(0)
	}
	return nil
}

// awaitCalm waits until nothing has been written for some time. It returns at once where nothing was since the last merge.
func (s *Store) awaitCalm() error {
	for s.written.Swap(0) > 0 {
		select {
		case <-time.After(calm):
		case <-s.ctx.Done():
			return s.ctx.Err()
		}
	}
	return nil
}

// contradictionsFiled is the name of the fact that all answers were checked for contradictions.
const contradictionsFiled = "contradictions filed"

// fileContradictions files as contradictory, once, the answers that an earlier version filed under their status. Answers that can't be read are left
// alone.
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
		// The row is found by its answer, since a newer answer may have come meanwhile.
		if _, err := t.exec(ctx, "UPDATE submissions SET status = ? WHERE answer IN (SELECT value FROM json_each(?))", string(client.Contradictory), list(answers)); err != nil {
			return err
		}
		_, err := t.exec(ctx, "INSERT INTO facts (name, value) VALUES (?, 'yes') ON CONFLICT (name) DO NOTHING", contradictionsFiled)
		return err
	})
	s.listings.forget()
	return err
}
