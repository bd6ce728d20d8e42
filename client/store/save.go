package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/submission"
)

// Add keeps new submissions, with their results if they have one, and sets their keys: all of them or none. The custody log gets an entry for each:
// accepted, or pulled if it came from the service's list.
func (s *Store) Add(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error) {
	return s.AddInto(ctx, "", subs, "")
}

// AddInto is Add, and puts the submissions into a case, by its ID: after a crash they are in it, or not there at all. The error is ErrNoCase where there
// is no such case; "" stands for none. by is who does so; "" where that isn't known.
func (s *Store) AddInto(ctx context.Context, caseID string, subs []submission.Submission, by string) ([]submission.Submission, error) {
	kept := make([]submission.Submission, len(subs))
	copy(kept, subs)
	err := s.write(ctx, "keep what was handed over", func(ctx context.Context, t *transaction) (err error) {
		of := int64(0)
		if caseID != "" {
			if of, err = t.changeCase(ctx, caseID); err != nil {
				return err
			}
		}
		for i := range kept {
			if err := t.add(ctx, &kept[i]); err != nil {
				return err
			}
			if of == 0 {
				continue
			}
			if err := t.addItem(ctx, of, &kept[i], by); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return kept, nil
}

func (t *transaction) add(ctx context.Context, sub *submission.Submission) (err error) {
	if sub.ID == "" {
		return errors.New("a submission has no ID")
	}
	if sub.Key, err = t.freeKey(ctx, sub.Accepted); err != nil {
		return err
	}
	if _, err := t.exec(ctx, insertSubmission, append([]any{sub.Key, sub.Note, tagLines(sub.Tags)}, values(sub)...)...); err != nil {
		return err
	}
	if sub.Graphic {
		if _, err := t.exec(ctx, "UPDATE submissions SET graphic = 1 WHERE key = ?", sub.Key); err != nil {
			return err
		}
	}
	t.results = t.results || sub.State == submission.Done
	t.touch(sub.Key, nil)
	var answer custody.Sums
	if sub.Result != nil {
		if answer, err = t.answer(ctx, sub); err != nil {
			return err
		}
	}
	event := custody.Accepted
	switch sub.Source {
	case submission.Service:
		event = custody.Pulled
	case submission.Desk:
		event = custody.Shared
	}
	return t.record(ctx, sub, event, answer)
}

// Save writes a submission as it is, except its note (SetNote), its tags (ChangeTags), its mark as graphic (SetGraphic) and its result (Answer).
// Unless event is None, the custody log gets an entry with it. An unknown ID is ErrUnknown.
func (s *Store) Save(ctx context.Context, sub submission.Submission, event custody.Event) error {
	return s.join(ctx, "keep the submission", func(ctx context.Context, t *transaction) error {
		if err := t.save(ctx, &sub); err != nil || event == custody.None {
			return err
		}
		return t.record(ctx, &sub, event, custody.Sums{})
	})
}

// Answer writes a submission as Save does, and its result as its current answer: its JSON as client.Shareable gives it, because the queries of its
// links open what they lead to, and expire soon. Earlier answers stay in its history, except unfinished ones, which are replaced. Unless event is
// None, the custody log gets an entry with it and the answer's hash.
func (s *Store) Answer(ctx context.Context, sub submission.Submission, event custody.Event) error {
	return s.join(ctx, "keep the answer", func(ctx context.Context, t *transaction) error {
		if sub.Result == nil {
			return errors.New("the submission has no result")
		}
		if err := t.save(ctx, &sub); err != nil {
			return err
		}
		sums, err := t.answer(ctx, &sub)
		if err != nil || event == custody.None {
			return err
		}
		return t.record(ctx, &sub, event, sums)
	})
}

// save writes the row of sub, which is found by its ID, and sets its key.
func (t *transaction) save(ctx context.Context, sub *submission.Submission) error {
	listed, err := t.touchByID(ctx, sub.ID, &sub.Key)
	if err != nil {
		return err
	}
	t.results = t.results || listed || sub.State == submission.Done
	if _, err = t.exec(ctx, updateSubmission, append(values(sub), sub.Key)...); err != nil || sub.Content() == "" {
		return err
	}
	if sub.Earlier != "" { // the answer that it shows may have been there before it
		if err := t.shareItems(ctx, "s.id = ?", sub.ID); err != nil {
			return err
		}
	}
	_, err = t.exec(ctx, `UPDATE submissions SET graphic = 1 WHERE key = ?1 AND graphic = 0
		AND EXISTS (SELECT 1 FROM submissions WHERE content = ?2 AND content <> '' AND earlier = '' AND graphic = 1)`, sub.Key, sub.Content())
	return err
}

// touchByID touches the row that is about to be changed, and returns its key and whether it is among the results. An unknown ID is ErrUnknown.
func (t *transaction) touchByID(ctx context.Context, id string, key *int64) (listed bool, err error) {
	var status client.Status
	found, err := t.one(ctx, []any{key, &listed, &status}, "SELECT key, listed, status FROM submissions WHERE id = ?", id)
	switch {
	case err != nil:
		return false, err
	case !found:
		return false, ErrUnknown
	case listed:
		t.touch(*key, &status)
	default:
		t.touch(*key, nil)
	}
	return listed, nil
}

// keptOf is a result's JSON in the form that is kept, with its hashes.
func keptOf(r *client.Result) (raw []byte, sums custody.Sums, err error) {
	received := []byte(r.Raw)
	if raw = client.Shareable(received); len(raw) == 0 { // it did not come from the service as JSON
		if raw, err = json.Marshal(r); err != nil {
			return nil, sums, fmt.Errorf("write the result as JSON: %w", err)
		}
		raw = client.Shareable(raw)
	}
	sums.Kept = sumOf(raw)
	if len(received) > 0 && !bytes.Equal(raw, received) {
		sums.Received = sumOf(received)
	}
	return raw, sums, nil
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// answer makes the result of sub, whose key must be set, its current answer.
func (t *transaction) answer(ctx context.Context, sub *submission.Submission) (custody.Sums, error) {
	raw, sums, err := keptOf(sub.Result)
	if err != nil {
		return sums, err
	}
	at := sub.Answered
	if at.IsZero() {
		at = t.store.options.Now()
	}
	hash, _ := hex.DecodeString(sums.Kept)
	status := string(sub.Result.Status())
	before, err := t.answerBefore(ctx, sub, at)
	if err != nil {
		return sums, err
	}
	if _, err := t.exec(ctx, "DELETE FROM answers WHERE submission = ? AND final = 0", sub.Key); err != nil {
		return sums, err
	}
	inserted, err := t.exec(ctx, "INSERT INTO answers (submission, at, status, release, sha256, final, raw, service_date) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		sub.Key, timeValue(at), status, sub.Result.ReleaseVersion.Verbatim(), hash, sub.State == submission.Done, raw, timeValue(sub.Result.Date))
	if err != nil {
		return sums, err
	}
	seq, err := inserted.LastInsertId()
	if err != nil {
		return sums, err
	}
	filed := sub.Result.FiledStatus()
	if _, err := t.exec(ctx, "UPDATE submissions SET answer = ?, status = ?, voice_status = '', voice_differs = 0 WHERE key = ?", seq, string(filed), sub.Key); err != nil {
		return sums, err
	}
	if sub.State != submission.Done {
		return sums, nil
	}
	if before.seq != 0 {
		if err := t.changedFrom(ctx, sub.Key, before, filed); err != nil {
			return sums, err
		}
	}
	return sums, t.shareItems(ctx, "(s.id = ?1 OR s.earlier = ?1)", sub.ID)
}

// SetNote writes the person's own note on a submission. An unknown ID is ErrUnknown.
func (s *Store) SetNote(ctx context.Context, id, note string) error {
	return s.write(ctx, "keep the note", func(ctx context.Context, t *transaction) error {
		var key int64
		if _, err := t.touchByID(ctx, id, &key); err != nil {
			return err
		}
		t.results = true
		_, err := t.exec(ctx, "UPDATE submissions SET note = ? WHERE key = ?", note, key)
		return err
	})
}

// SetGraphic marks submissions as graphic, by their IDs, or takes the mark away: all of them, with those of the same content, or none where one is not
// known, which is ErrUnknown. One that comes later with that content is marked, too, once its content is known.
func (s *Store) SetGraphic(ctx context.Context, ids []string, on bool) error {
	return s.write(ctx, "mark as graphic", func(ctx context.Context, t *transaction) error {
		for _, id := range ids {
			var key int64
			var content, earlier string
			found, err := t.one(ctx, []any{&key, &content, &earlier}, "SELECT key, content, earlier FROM submissions WHERE id = ?", id)
			if err != nil {
				return err
			}
			if !found {
				return ErrUnknown
			}
			err = t.each(ctx, func(row scanner) error {
				var id string
				err := row.Scan(&id)
				t.shown = append(t.shown, id)
				return err
			}, `UPDATE submissions SET graphic = ?1 WHERE graphic <> ?1 AND (key = ?2 OR id = ?3 OR earlier = ?4 AND earlier <> ''
				OR content = ?5 AND content <> '' AND earlier = '') RETURNING id`, on, key, earlier, cmp.Or(earlier, id), content)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// known returns ErrUnknown if no row was changed.
func known(changed interface{ RowsAffected() (int64, error) }) error {
	n, err := changed.RowsAffected()
	if err == nil && n == 0 {
		return ErrUnknown
	}
	return err
}

// Remove deletes a submission that has ended without an answer and that is no primary of another; any other one is ErrKept. Its entries in the
// custody log stay, and another says that it was removed.
func (s *Store) Remove(ctx context.Context, id string) error {
	return s.write(ctx, "remove the submission", func(ctx context.Context, t *transaction) error {
		sub, found, err := getBy(ctx, t.connection, "WHERE s.id = ?", id)
		switch {
		case err != nil:
			return err
		case !found:
			return ErrUnknown
		case !sub.State.Ended() || sub.State == submission.Done:
			return ErrKept
		}
		if shown, err := t.number(ctx, "SELECT count(*) FROM submissions WHERE earlier = ? AND earlier <> ''", id); err != nil {
			return err
		} else if shown > 0 {
			return ErrKept
		}
		if _, err := t.exec(ctx, "DELETE FROM submissions WHERE key = ?", sub.Key); err != nil {
			return err
		}
		return t.record(ctx, &sub, custody.Removed, custody.Sums{})
	})
}

// lastKey is the largest key that the orders have room for: the year 4253.
const lastKey = 1<<56 - 1

// keyOf is the key of a date, in microseconds; all dates before 1970, the zero time included, have the key 1.
func keyOf(t time.Time) int64 { return min(max(t.UnixMicro(), 1), lastKey) }

// freeKey is the key of a date, or if it is taken the first free one after the unbroken row of keys that follow it, so that submissions of the same
// instant stay in the order in which they were added. With a thousand of the same date it takes a dozen queries.
func (t *transaction) freeKey(ctx context.Context, accepted time.Time) (int64, error) {
	first := keyOf(accepted)
	taken := func(key int64) (bool, error) {
		n, err := t.number(ctx, "SELECT count(*) FROM submissions WHERE key = ?", key)
		return n > 0, err
	}
	last, step := first-1, int64(1) // last is taken, or the key before the first
	for {
		is, err := taken(last + step)
		if err != nil {
			return 0, err
		}
		if !is {
			break
		}
		last, step = last+step, 2*step
	}
	for free := last + step; ; { // the row of taken keys ends between last and last+step
		if free == last+1 {
			return free, t.shifted(ctx, free-first)
		}
		middle := last + (free-last)/2
		is, err := taken(middle)
		if err != nil {
			return 0, err
		}
		if is {
			last = middle
		} else {
			free = middle
		}
	}
}

// shifted records the longest distance of a key from its date, which queries by date must allow for.
func (t *transaction) shifted(ctx context.Context, by int64) error {
	if by <= t.store.longest.Load() {
		return nil
	}
	if _, err := t.exec(ctx, "UPDATE shift SET longest = ?", by); err != nil {
		return err
	}
	t.store.longest.Store(by) // if the transaction fails, it is larger than needed, which only costs time
	return nil
}
