package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"slices"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/submission"
)

// ContentAnswer is one of the service's final answers on a content.
type ContentAnswer struct {
	Change
	Submission string // the ID of the one that it was given for
	RequestID  string
	Source     submission.Source
	Current    bool // the submission has no later one
}

// mostContentAnswers bounds the answers on one content that are read; older ones are in the history of their submissions.
const mostContentAnswers = 200

// ContentAnswers returns the final answers on the content of a submission, whichever submissions they were given for ("Scan again" makes a new one), the
// oldest first. A content is known by a file's SHA-256, or by a link, whose content may have changed since; without either, only the submission's own
// answers are known. EarlierAnswer reads one of them.
func (s *Store) ContentAnswers(ctx context.Context, id string) ([]ContentAnswer, error) {
	var all []ContentAnswer
	err := s.readers.each(ctx, func(row scanner) error {
		var a ContentAnswer
		var hash []byte
		if err := row.Scan(timeInto{&a.At}, &a.Status, &a.Release, &hash, &a.Submission, &a.RequestID, &a.Source, &a.Current); err != nil {
			return err
		}
		a.RawSHA256 = hex.EncodeToString(hash)
		all = append(all, a)
		return nil
	}, `WITH same AS (SELECT key FROM submissions WHERE id = ?1 UNION
			SELECT s.key FROM submissions o CROSS JOIN submissions s ON s.content = o.content AND s.content <> '' AND s.earlier = '' WHERE o.id = ?1)
		SELECT a.at, a.status, a.release, a.sha256, s.id, s.request_id, s.source, a.seq = s.answer FROM same
		CROSS JOIN submissions s ON s.key = same.key CROSS JOIN answers a ON a.submission = s.key AND a.final = 1
		ORDER BY a.at DESC, a.seq DESC`+limit(mostContentAnswers), id)
	if err != nil {
		return nil, s.read("read the answers on the content", err)
	}
	slices.Reverse(all)
	return all, nil
}

// Repeated returns, of some submissions by their IDs, those whose content was submitted more than once, so that ContentAnswers may have answers of others.
func (s *Store) Repeated(ctx context.Context, ids []string) (map[string]bool, error) {
	repeated := map[string]bool{}
	err := s.readers.each(ctx, func(row scanner) error {
		var id string
		err := row.Scan(&id)
		repeated[id] = true
		return err
	}, `SELECT o.id FROM submissions o WHERE o.id IN (SELECT value FROM json_each(?)) AND o.content <> '' AND EXISTS
		(SELECT 1 FROM submissions s WHERE s.content = o.content AND s.content <> '' AND s.earlier = '' AND s.key <> o.key)`, list(ids))
	return repeated, s.read("read the answers on the content", err)
}

// NewestAnswers returns the IDs of the results whose answer is the newest on its content, and was received before a time; zero: at any. Those are the
// ones that stand for these submissions, each once and in their order, a submission without an answer for itself as long as there is no time; nil: those
// of all results, the oldest first.
func (s *Store) NewestAnswers(ctx context.Context, ids []string, before time.Time) ([]string, error) {
	const when = "(?1 IS NULL OR n.state = 'done' AND coalesce(n.answered, n.accepted, 0) < ?1)"
	statement, values := `SELECT n.id FROM submissions n INDEXED BY results_date WHERE n.listed = 1 AND `+when+` AND NOT EXISTS
		(SELECT 1 FROM submissions x WHERE x.content = n.content AND x.content <> '' AND x.earlier = '' AND x.state = 'done'
			AND (coalesce(x.answered, 0), x.key) > (coalesce(n.answered, 0), n.key)) ORDER BY n.key`, []any{timeValue(before)}
	if ids != nil {
		statement, values = `WITH given AS (SELECT j.key AS place, o.key AS key, o.content AS content FROM json_each(?2) j CROSS JOIN submissions o ON o.id = j.value)
			SELECT n.id FROM given g CROSS JOIN submissions n ON n.key = coalesce((SELECT x.key FROM submissions x
				WHERE x.content = g.content AND x.content <> '' AND x.earlier = '' AND x.state = 'done' ORDER BY coalesce(x.answered, 0) DESC, x.key DESC LIMIT 1), g.key)
			WHERE `+when+` GROUP BY n.key ORDER BY min(g.place)`, append(values, list(ids))
	}
	var found []string
	err := s.readers.each(ctx, func(row scanner) error {
		var id string
		err := row.Scan(&id)
		found = append(found, id)
		return err
	}, statement, values...)
	if err != nil {
		return nil, s.read("look for the newest answers", err)
	}
	return found, nil
}

// Rechecking returns the contents that are on their way to be checked again.
func (s *Store) Rechecking(ctx context.Context) (map[string]bool, error) {
	contents := map[string]bool{}
	err := s.readers.each(ctx, func(row scanner) error {
		var content string
		err := row.Scan(&content)
		contents[content] = true
		return err
	}, `SELECT recheck FROM submissions INDEXED BY submissions_inbox WHERE inbox = 1 AND recheck <> '' AND earlier = ''
		AND state NOT IN ('done', 'refused', 'failed', 'cancelled', 'stays')`)
	return contents, s.read("look for what is checked again", err)
}

// Difference says that a submission's answer differs from the one before on the same content.
type Difference struct {
	Was    ContentAnswer // the one before; Status is as FiledStatus
	Seen   time.Time     // when a person marked it as seen; zero: nobody has
	SeenBy string        // their name
}

// Difference returns how the answer of a submission differs from the one before on the same content; ok is false where it does not, or is the first.
func (s *Store) Difference(ctx context.Context, id string) (d Difference, ok bool, err error) {
	var hash []byte
	ok, err = s.readers.one(ctx, []any{timeInto{&d.Was.At}, &d.Was.Status, &d.Was.Release, &hash, &d.Was.Submission, &d.Was.RequestID, &d.Was.Source, &d.Was.Current,
		timeInto{&d.Seen}, lineInto{&d.SeenBy}}, `SELECT a.at, s.was_status, a.release, a.sha256, o.id, o.request_id, o.source, a.seq = o.answer, s.seen, s.seen_by
		FROM submissions s CROSS JOIN answers a ON a.seq = s.was_answer CROSS JOIN submissions o ON o.key = a.submission WHERE s.id = ?`, id)
	d.Was.RawSHA256 = hex.EncodeToString(hash)
	return d, ok, s.read("look for the answer before", err)
}

// Changes are the results whose answer differs from the one before on the same content, and that nobody has marked as seen.
type Changes struct {
	Count int
	Since string // the release of the answers before, where all are of the same; else ""
}

// Changes counts them.
func (s *Store) Changes(ctx context.Context) (c Changes, err error) {
	var least, most sql.NullString
	_, err = s.readers.one(ctx, []any{&c.Count, &least, &most}, `SELECT count(*), min(a.release), max(a.release)
		FROM submissions s INDEXED BY results_changed CROSS JOIN answers a ON a.seq = s.was_answer WHERE s.changed = 1`)
	if least == most {
		c.Since = least.String
	}
	return c, s.read("count the answers that have changed", err)
}

// MarkSeen records that a person, by their name, has looked at how the answers of these submissions differ from those before, and with it at the earlier
// differences on the same contents; the custody log gets an entry for each. It returns how many were marked: what does not differ, or is marked
// already, is left alone.
func (s *Store) MarkSeen(ctx context.Context, ids []string, by string) (marked int, err error) {
	err = s.write(ctx, "mark it as seen", func(ctx context.Context, t *transaction) error {
		var keys []int64
		if err := t.each(ctx, func(row scanner) error {
			var key int64
			err := row.Scan(&key)
			keys = append(keys, key)
			return err
		}, `SELECT DISTINCT s.key FROM json_each(?) j CROSS JOIN submissions o ON o.id = j.value
			CROSS JOIN submissions s ON s.key IN (SELECT o.key UNION SELECT e.key FROM submissions e WHERE e.content = o.content AND e.content <> '' AND e.earlier = '')
			WHERE s.changed = 1 AND coalesce(s.answered, 0) <= coalesce(o.answered, 0) ORDER BY s.key`, list(ids)); err != nil {
			return err
		}
		for _, key := range keys {
			sub, _, err := getBy(ctx, t.connection, "WHERE s.key = ?", key)
			if err != nil {
				return err
			}
			if _, err := t.touchByID(ctx, sub.ID, &sub.Key); err != nil {
				return err
			}
			t.results, t.relist = true, true
			if _, err := t.exec(ctx, "UPDATE submissions SET seen = ?, seen_by = ? WHERE key = ?", timeValue(s.options.Now()), by, key); err != nil {
				return err
			}
			if err := t.recordBy(ctx, &sub, custody.Seen, custody.Sums{}, by); err != nil {
				return err
			}
		}
		marked = len(keys)
		return nil
	})
	if err != nil {
		marked = 0
	}
	return marked, err
}

// final is a final answer that is kept: its seq, 0 for none, and its status as FiledStatus.
type final struct {
	seq    int64
	status client.Status
}

// answerBefore is the newest final answer on the content of a submission up to a time, its own included, before another one is kept.
func (t *transaction) answerBefore(ctx context.Context, sub *submission.Submission, at time.Time) (before final, err error) {
	if sub.State != submission.Done || sub.Earlier != "" {
		return before, nil
	}
	_, err = t.one(ctx, []any{&before.seq, &before.status}, `WITH same AS (SELECT ?1 AS key UNION
			SELECT s.key FROM submissions s WHERE s.content = ?2 AND s.content <> '' AND s.earlier = '')
		SELECT a.seq, s.status FROM same CROSS JOIN submissions s ON s.key = same.key CROSS JOIN answers a ON a.seq = s.answer AND a.final = 1
		WHERE coalesce(a.at, 0) <= ?3 ORDER BY a.at DESC, a.seq DESC LIMIT 1`, sub.Key, sub.Content(), timeValue(at))
	return before, err
}

// changedFrom records of the answer that a submission has now whether its status differs from that of the one before.
func (t *transaction) changedFrom(ctx context.Context, key int64, before final, now client.Status) error {
	if before.status == now {
		_, err := t.exec(ctx, "UPDATE submissions SET was_answer = NULL, was_status = '', seen = NULL, seen_by = '' WHERE key = ?", key)
		return err
	}
	_, err := t.exec(ctx, "UPDATE submissions SET was_answer = ?, was_status = ?, seen = NULL, seen_by = '' WHERE key = ?", before.seq, string(before.status), key)
	return err
}
