package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"time"

	"assay/client"
	"assay/client/submission"
)

// Get returns a submission with its result; ok is false for an unknown ID.
func (s *Store) Get(ctx context.Context, id string) (sub submission.Submission, ok bool, err error) {
	sub, ok, err = getBy(ctx, s.readers, "WHERE s.id = ?", id)
	return sub, ok, s.read("look for the submission", err)
}

func getBy(ctx context.Context, c *connection, where string, values ...any) (sub submission.Submission, found bool, err error) {
	err = c.each(ctx, func(row scanner) (err error) {
		sub, err = readSubmission(row)
		found = err == nil
		return err
	}, selectSubmission+where, values...)
	return sub, found, err
}

// Submissions returns submissions with their results, by their IDs; an unknown ID is left out.
func (s *Store) Submissions(ctx context.Context, ids []string) (map[string]submission.Submission, error) {
	found := make(map[string]submission.Submission, len(ids))
	err := s.readers.each(ctx, func(row scanner) error {
		sub, err := readSubmission(row)
		found[sub.ID] = sub
		return err
	}, selectSubmission+"WHERE s.id IN (SELECT value FROM json_each(?))", list(ids))
	if err != nil {
		return nil, s.read("look for the submissions", err)
	}
	return found, nil
}

// Inbox returns every submission that is not filed or has not ended, with its result, in the order of their keys.
func (s *Store) Inbox(ctx context.Context) ([]submission.Submission, error) {
	var all []submission.Submission
	err := s.readers.each(ctx, func(row scanner) error {
		sub, err := readSubmission(row)
		all = append(all, sub)
		return err
	}, selectSubmission+"WHERE s.inbox = 1 ORDER BY s.key")
	if err != nil {
		return nil, s.read("read the inbox", err)
	}
	return all, nil
}

// FileDone takes out of the inbox what was answered before a time; of the rest, the newest answers stay, at most most.
func (s *Store) FileDone(ctx context.Context, before time.Time, most int) error {
	return s.write(ctx, "tidy the inbox", func(ctx context.Context, t *transaction) error {
		_, err := t.exec(ctx, `UPDATE submissions SET filed = 1 WHERE inbox = 1 AND state = 'done' AND (coalesce(answered, accepted) < ? OR key NOT IN
			(SELECT key FROM submissions WHERE inbox = 1 AND state = 'done' ORDER BY key DESC LIMIT ?))`, timeValue(before), most)
		return err
	})
}

// ByContent returns the newest submission of this content that has an answer of its own or is on its way to one, with its result. Submissions that
// were cancelled or refused, are only at Seen, or may not leave this computer, do not count. ok is false where there is none.
func (s *Store) ByContent(ctx context.Context, content string) (sub submission.Submission, ok bool, err error) {
	if content == "" {
		return submission.Submission{}, false, nil
	}
	sub, ok, err = getBy(ctx, s.readers, `WHERE s.content = ? AND s.content <> '' AND s.earlier = '' AND s.state NOT IN ('held', 'cancelled', 'refused', 'stays')
		AND s.step <> 'seen' AND (s.gate = 'send' OR s.gate = 'ask' AND s.allowed IS NOT NULL OR s.answered_by <> '') ORDER BY s.key DESC LIMIT 1`, content)
	return sub, ok, s.read("look for the same content", err)
}

// SameContent returns the submissions of this content that have an answer of their own, with it: the newest first, at most most.
func (s *Store) SameContent(ctx context.Context, content string, most int) ([]submission.Submission, error) {
	if content == "" {
		return nil, nil
	}
	var all []submission.Submission
	err := s.readers.each(ctx, func(row scanner) error {
		sub, err := readSubmission(row)
		all = append(all, sub)
		return err
	}, selectSubmission+"WHERE s.content = ? AND s.content <> '' AND s.earlier = '' AND s.state = 'done' ORDER BY s.key DESC"+limit(most), content)
	if err != nil {
		return nil, s.read("look for the same content", err)
	}
	return all, nil
}

// ByRequest returns the IDs of the submissions of these request IDs, for those that are known here.
func (s *Store) ByRequest(ctx context.Context, requestIDs []string) (map[string]string, error) {
	known := map[string]string{}
	err := s.readers.each(ctx, func(row scanner) error {
		var request, id string
		if err := row.Scan(&request, &id); err != nil {
			return err
		}
		known[request] = id
		return nil
	}, `SELECT s.request_id, s.id FROM json_each(?) j CROSS JOIN submissions s
		WHERE s.request_id = j.value AND s.request_id <> '' AND s.earlier = ''`, list(requestIDs))
	if err != nil {
		return nil, s.read("look for known results", err)
	}
	return known, nil
}

// Answers returns the current answers of submissions, by their IDs; submissions without one are left out.
func (s *Store) Answers(ctx context.Context, ids []string) (map[string]*client.Result, error) {
	answers := map[string]*client.Result{}
	err := s.readers.each(ctx, func(row scanner) error {
		var id string
		var raw, voice []byte
		if err := row.Scan(&id, &raw, &voice); err != nil {
			return err
		}
		result, err := readAnswer(raw, voice)
		answers[id] = result
		return err
	}, "SELECT s.id, a.raw, a.voice FROM json_each(?) j CROSS JOIN submissions s ON s.id = j.value CROSS JOIN answers a ON a.seq = s.answer", list(ids))
	if err != nil {
		return nil, s.read("read the answers", err)
	}
	return answers, nil
}

// list is a JSON array for json_each, so that one statement serves lists of any length.
func list[T ~string | int64](all []T) string {
	text, err := json.Marshal(all)
	if err != nil || all == nil {
		return "[]"
	}
	return string(text)
}

// Fact returns a value that outlives a run, by its name: "" where there is none.
func (s *Store) Fact(ctx context.Context, name string) (value string, err error) {
	_, err = s.readers.one(ctx, []any{&value}, "SELECT value FROM facts WHERE name = ?", name)
	return value, s.read("read "+name, err)
}

// SetFact keeps such a value; "" removes it.
func (s *Store) SetFact(ctx context.Context, name, value string) error {
	return s.write(ctx, "keep "+name, func(ctx context.Context, t *transaction) error {
		if value == "" {
			_, err := t.exec(ctx, "DELETE FROM facts WHERE name = ?", name)
			return err
		}
		_, err := t.exec(ctx, "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
		return err
	})
}

// Change is one of the answers that a submission had.
type Change struct {
	At        time.Time // when it was received
	Date      time.Time // by the service's clock, as client.Result has it
	Status    client.Status
	Release   string // of the service
	RawSHA256 string // of its JSON
}

// History returns the answers that a submission had, the oldest first and the current one last.
func (s *Store) History(ctx context.Context, id string) ([]Change, error) {
	all, err := s.Histories(ctx, []string{id})
	return all[id], err
}

// Histories returns the History of each of some submissions, by their IDs.
func (s *Store) Histories(ctx context.Context, ids []string) (map[string][]Change, error) {
	all := make(map[string][]Change, len(ids))
	err := s.readers.each(ctx, func(row scanner) error {
		var id string
		var c Change
		var hash []byte
		if err := row.Scan(&id, timeInto{&c.At}, timeInto{&c.Date}, &c.Status, &c.Release, &hash); err != nil {
			return err
		}
		c.RawSHA256 = hex.EncodeToString(hash)
		all[id] = append(all[id], c)
		return nil
	}, `SELECT s.id, a.at, a.service_date, a.status, a.release, a.sha256 FROM submissions s CROSS JOIN answers a ON a.submission = s.key
		WHERE s.id IN (SELECT value FROM json_each(?)) ORDER BY a.seq`, list(ids))
	if err != nil {
		return nil, s.read("read the history", err)
	}
	return all, nil
}

// EarlierAnswer returns one of the answers of History by its RawSHA256; ok is false where there is none.
func (s *Store) EarlierAnswer(ctx context.Context, id, rawSHA256 string) (r *client.Result, ok bool, err error) {
	hash, err := hex.DecodeString(rawSHA256)
	if err != nil {
		return nil, false, nil //nolint:nilerr // what is no hash is the hash of no answer
	}
	var raw []byte
	ok, err = s.readers.one(ctx, []any{&raw}, `SELECT raw FROM answers
		WHERE submission = (SELECT key FROM submissions WHERE id = ?) AND sha256 = ? ORDER BY seq DESC LIMIT 1`, id, hash)
	if err == nil && ok {
		r, err = readResult(raw)
	}
	return r, ok && err == nil, s.read("read an earlier answer", err)
}

// FolderCounts counts the submissions from a folder, named by its path, that were accepted since a time, by state, and returns the last of them and
// when it was accepted; "" where there is none. A duplicate counts with the state of its primary.
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
		_, err = s.readers.one(ctx, []any{lineInto{&lastName}, timeInto{&lastAt}}, "SELECT name, accepted FROM submissions WHERE key = ?", last)
	}
	if err != nil {
		return nil, "", time.Time{}, s.read("count the folder's submissions", err)
	}
	return counts, lastName, lastAt, nil
}

// FolderAnswered calls each with the ID and path of every submission from a folder, named by its path, that was answered since a time, or was
// accepted since and shows an earlier answer. It stops at the first error of each and returns it. Only a few are in memory at a time.
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
			AND max(coalesce(s.accepted, 0), coalesce(e.answered, s.answered, 0)) >= ? ORDER BY s.key`+limit(filesAtOnce), path, after, timeValue(since))
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
