package store

import (
	"context"
	"time"

	"assay/client/submission"
)

// FolderCounts says how many of the submissions of a folder, named by its path, that were accepted from a time on stand in each
// state, and which was accepted last and when; "" is for none. A duplicate stands where the submission does whose answer it shows.
func (s *Store) FolderCounts(ctx context.Context, path string, since time.Time) (counts map[submission.State]int, lastName string, lastAt time.Time, err error) {
	counts = map[submission.State]int{}
	var last int64
	err = s.readers.each(ctx, func(row scanner) error {
		var state submission.State
		var n int
		var newest int64
		err := row.Scan(&state, &n, &newest)
		counts[state] = n
		last = max(last, newest)
		return err
	}, `SELECT CASE WHEN s.state = 'cancelled' THEN s.state ELSE coalesce(e.state, s.state) END AS shown, count(*), max(s.key)
		FROM submissions s LEFT JOIN submissions e ON s.earlier <> '' AND e.id = s.earlier
		WHERE s.folder = ? AND s.folder <> '' AND s.key >= ? GROUP BY shown`, path, keyOf(since))
	if err == nil && last > 0 {
		_, err = s.readers.one(ctx, []any{lineInto{&lastName}, moment{&lastAt}}, "SELECT name, accepted FROM submissions WHERE key = ?", last)
	}
	if err != nil {
		return nil, "", time.Time{}, s.read("count the folder's submissions", err)
	}
	return counts, lastName, lastAt, nil
}

// FolderAnswered calls each, until it gives an error, which is returned, with the IDs and paths of the submissions of a folder,
// named by its path, that have an answer from a time on, or were accepted since and show an earlier one. Few of them are in
// memory at a time.
func (s *Store) FolderAnswered(ctx context.Context, path string, since time.Time, each func(id, path string) error) error {
	type answered struct {
		key      int64
		id, path string
	}
	var page []answered
	after := int64(0)
	for more := true; more; {
		page = page[:0]
		err := s.readers.each(ctx, func(row scanner) error {
			var a answered
			err := row.Scan(&a.key, &a.id, &a.path)
			page = append(page, a)
			return err
		}, `SELECT s.key, s.id, s.path FROM submissions s LEFT JOIN submissions e ON s.earlier <> '' AND e.id = s.earlier
			WHERE s.folder = ? AND s.folder <> '' AND s.state <> 'cancelled' AND coalesce(e.state, s.state) = 'done' AND s.key > ?
			AND max(coalesce(s.accepted, 0), coalesce(e.answered, s.answered, 0)) >= ? ORDER BY s.key`+limit(filesAtOnce), path, after, keep(since))
		if err != nil {
			return s.read("look for the folder's answers", err)
		}
		for _, a := range page {
			if err := each(a.id, a.path); err != nil {
				return err
			}
			after = a.key
		}
		more = len(page) == filesAtOnce
	}
	return nil
}
