package store

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"assay/client/desk"
)

// LongestRetention is for how many days a desk can be told to keep what was shared, unless that is without limit.
const LongestRetention = 36_500

// retentionDays reads the text of a CaseRetention; "" is 0, which is without limit. Anything else is an error of the caller's.
func retentionDays(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	days, err := strconv.Atoi(text)
	if err != nil || days < 1 || days > LongestRetention {
		return 0, fmt.Errorf("%q is no number of days that a case is kept for", text)
	}
	return days, nil
}

// Expire follows what the owners of shared cases chose: of cases in which nothing was done for that long, it removes what came from colleagues, as the desk
// does with all of it. What was done on this computer stays. now is the time of the desk's server, since this computer's clock may be wrong.
func (s *Store) Expire(ctx context.Context, now time.Time) error {
	type dueCase struct {
		of    int64
		there uuid.UUID
		days  int
		last  time.Time
	}
	var due []dueCase
	if err := s.readers.each(ctx, func(row scanner) error {
		var d dueCase
		if err := row.Scan(&d.of, &d.there, &d.days, timeInto{&d.last}); err != nil {
			return err
		}
		if d.last.AddDate(0, 0, d.days).Before(now) {
			due = append(due, d)
		}
		return nil
	}, `SELECT c.key, c.desk_case, c.keep, max(e.at) FROM cases c JOIN desk_events e ON e.desk_case = c.desk_case AND e.kind <> 'redact'
		WHERE c.keep > 0 AND c.desk_case <> '' GROUP BY c.key HAVING max(e.at) IS NOT NULL AND sum(e.state = 'waiting') = 0`); err != nil {
		return s.read("look for what is no longer kept", err)
	}
	for _, d := range due {
		record := CaseEvent{ // the same on each computer, and for each time that it was due
			ID: uuid.NewSHA1(d.there, []byte("expired "+d.last.UTC().Format(time.RFC3339Nano))).String(), Kind: CaseExpired, Text: strconv.Itoa(d.days), At: d.last.AddDate(0, 0, d.days),
		}
		if done, err := s.readers.number(ctx, "SELECT count(*) FROM case_records WHERE id = ?", record.ID); err != nil || done > 0 {
			if err != nil {
				return s.read("look for what is no longer kept", err)
			}
			continue
		}
		if err := s.write(ctx, "remove what is no longer kept", func(ctx context.Context, t *transaction) error {
			return t.expire(ctx, d.of, d.there, record)
		}); err != nil {
			return err
		}
	}
	return nil
}

// expire removes what colleagues said in a case, and keeps that it did.
func (t *transaction) expire(ctx context.Context, of int64, there uuid.UUID, record CaseEvent) error {
	t.desk = true
	var id string
	if _, err := t.one(ctx, []any{&id}, "SELECT id FROM cases WHERE key = ?", of); err != nil {
		return err
	}
	t.cases = append(t.cases, id)
	var theirs []uuid.UUID
	if err := t.each(ctx, func(row scanner) error {
		var event uuid.UUID
		err := row.Scan(&event)
		theirs = append(theirs, event)
		return err
	}, "SELECT id FROM desk_events WHERE desk_case = ? AND kind NOT IN (?, ?) AND body IS NOT NULL AND device <> (SELECT device FROM desk)",
		there.String(), string(desk.Retention), string(desk.Redact)); err != nil {
		return err
	}
	for _, event := range theirs {
		if err := t.emptyHere(ctx, of, there, event, "", record.At); err != nil {
			return err
		}
	}
	_, err := t.insertRecord(ctx, of, record)
	return err
}

// emptiedTooEarly counts the events that say nothing any more, although nobody who may has redacted them, and the time for which the desk keeps their case
// was not over. It was where Expire has found that, or where nothing was done after the last of them for as long as an owner of the case once chose.
func (c *connection) emptiedTooEarly(ctx context.Context, now time.Time) (n int, err error) {
	type emptied struct {
		there string
		n     int
		last  int64
	}
	var all []emptied
	if err := c.each(ctx, func(row scanner) error {
		var e emptied
		err := row.Scan(&e.there, &e.n, &e.last)
		all = append(all, e)
		return err
	}, `SELECT desk_case, count(*), coalesce(max(at), 0) FROM desk_events e WHERE body IS NULL AND kind <> 'redact' AND state <> 'altered'
		AND NOT EXISTS (SELECT 1 FROM desk_events r WHERE r.about = e.id AND r.about <> '' AND r.kind = 'redact' AND r.desk_case = e.desk_case AND r.state <> 'altered')
		GROUP BY desk_case`); err != nil {
		return 0, err
	}
	for _, e := range all {
		kept, err := c.number(ctx, `SELECT (SELECT count(*) FROM case_records r JOIN cases c ON c.key = r.of_case WHERE c.desk_case = ?1 AND r.kind = 'expired' AND r.at > ?2)
			+ (SELECT count(*) FROM desk_events WHERE desk_case = ?1 AND kind = 'retention' AND body IS NOT NULL AND state = 'shared'
				AND json_extract(CAST(body AS TEXT), '$.days') > 0 AND json_extract(CAST(body AS TEXT), '$.days') * 86400000000000 <= coalesce(
					(SELECT min(at) FROM desk_events WHERE desk_case = ?1 AND kind <> 'redact' AND at > ?2), ?3) - ?2)`, e.there, e.last, timeValue(now))
		if err != nil {
			return 0, err
		}
		if kept == 0 {
			n += e.n
		}
	}
	return n, nil
}
