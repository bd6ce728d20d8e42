package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"assay/client/submission"
)

// CaseState is whether the desk has come to an end with a case.
type CaseState string

// The states. A concluded case can still be added to.
const (
	CaseOpen      CaseState = "open"
	CaseConcluded CaseState = "concluded"
)

// Case is what a story's submissions are gathered in. Its texts are as they were given: fit to be shown through plain.Text alone.
type Case struct {
	ID      string // Assay's own
	Title   string
	By      string // who made it; "" where that isn't recorded
	Created time.Time
	Changed time.Time // when something was last done in it
	State   CaseState
	Tags    []string // each once
	// Conclusion is the desk's own, never the service's: it is written while the case is open, or when it is concluded. Zero: there is none.
	Conclusion Conclusion

	SignOff       bool     // it is concluded only once every judgement in it is signed off
	Items         int      // how many submissions are in it
	OpenQuestions int      // how many questions have no answer
	People        []string // who has done something in it, each once
	Desk          AtDesk
}

// Conclusion is what the desk concludes.
type Conclusion struct {
	Text string
	By   string
	At   time.Time
}

// AddCase keeps a new case, which is open. It sets ID, Created, Changed and State where they are missing. One whose ID is there already stays as it is.
func (s *Store) AddCase(ctx context.Context, c Case) (Case, error) {
	if c.ID == "" {
		c.ID = uuid.NewString()
	}
	if c.Created.IsZero() {
		c.Created = s.options.Now()
	}
	c.Changed, c.State = c.Created, CaseOpen
	err := s.write(ctx, "keep the case", func(ctx context.Context, t *transaction) error {
		key, err := t.number(ctx, "INSERT INTO cases (id, title, created, changed) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING key",
			c.ID, c.Title, timeValue(c.Created), timeValue(c.Changed))
		if err != nil || key == 0 {
			return err
		}
		t.cases = append(t.cases, c.ID)
		_, err = t.addRecord(ctx, key, CaseEvent{Kind: CaseCreated, Text: c.Title, By: c.By, At: c.Created})
		return err
	})
	return c, err
}

// AddToCase puts submissions into a case, by their IDs and in their order, and returns how many were not in it before: all of them, or none where one
// is not known, which is ErrUnknown. The error is ErrNoCase where there is no such case. by is who does so; "" where that isn't known.
func (s *Store) AddToCase(ctx context.Context, caseID string, ids []string, by string) (added int, err error) {
	return s.changeItems(ctx, caseID, ids, func(ctx context.Context, t *transaction, of int64, sub *submission.Submission) error {
		return t.addItem(ctx, of, sub, by)
	})
}

// addItem puts a submission, of which ID, Key and Name are set, into the case with this key, unless it is in it.
func (t *transaction) addItem(ctx context.Context, of int64, sub *submission.Submission, by string) error {
	now := t.store.options.Now()
	seq, err := t.number(ctx, "INSERT INTO case_items (of_case, submission, added) VALUES (?, ?, ?) ON CONFLICT (of_case, submission) DO NOTHING RETURNING seq", of, sub.Key, timeValue(now))
	if err != nil || seq == 0 {
		return err
	}
	_, err = t.addRecord(ctx, of, CaseEvent{Kind: CaseItemAdded, Text: sub.Name, About: sub.ID, By: by, At: now})
	return err
}

// RemoveFromCase takes submissions out of a case, by their IDs, with those of the same content that are shown as them, and returns how many were in it.
// They stay in the records with all that was logged of them. The errors are those of AddToCase.
func (s *Store) RemoveFromCase(ctx context.Context, caseID string, ids []string, by string) (removed int, err error) {
	return s.changeItems(ctx, caseID, ids, func(ctx context.Context, t *transaction, of int64, sub *submission.Submission) error {
		changed, err := t.exec(ctx, "DELETE FROM case_items WHERE of_case = ? AND seq IN ("+shownAs("i.seq")+")", of, sub.Key)
		if err != nil {
			return err
		}
		if n, err := changed.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = t.addRecord(ctx, of, CaseEvent{Kind: CaseItemRemoved, Text: sub.Name, About: sub.ID, By: by, At: s.options.Now()})
		return err
	})
}

// changeItems does something with each of some submissions in a case, of which it sets ID, Key and Name. It returns by how many items the case has more,
// or less.
func (s *Store) changeItems(ctx context.Context, caseID string, ids []string,
	do func(ctx context.Context, t *transaction, of int64, sub *submission.Submission) error,
) (n int, err error) {
	err = s.write(ctx, "change the case", func(ctx context.Context, t *transaction) error {
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		before, err := t.number(ctx, countItems, of)
		if err != nil {
			return err
		}
		for _, id := range ids {
			sub := submission.Submission{ID: id}
			found, err := t.one(ctx, []any{&sub.Key, &sub.Name}, "SELECT key, name FROM submissions WHERE id = ?", id)
			if err == nil && !found {
				err = ErrUnknown
			}
			if err != nil {
				return err
			}
			if err := do(ctx, t, of, &sub); err != nil {
				return err
			}
		}
		after, err := t.number(ctx, countItems, of)
		n = int(max(after-before, before-after))
		return err
	})
	if err != nil {
		n = 0
	}
	return n, err
}

// changeCase records that a case is changed now, and returns its key.
func (t *transaction) changeCase(ctx context.Context, id string) (key int64, err error) {
	if key, err = t.number(ctx, "UPDATE cases SET changed = ? WHERE id = ? RETURNING key", timeValue(t.store.options.Now()), id); err == nil && key == 0 {
		err = ErrNoCase
	}
	t.cases = append(t.cases, id)
	return key, err
}

// A submission with the content of another that is in the case, too, is shown as that one.
const (
	shownItem  = "CASE s.earlier WHEN '' THEN s.id ELSE s.earlier END"
	countItems = "SELECT count(DISTINCT " + shownItem + ") FROM case_items i JOIN submissions s ON s.key = i.submission WHERE i.of_case = ?"
)

// shownAs selects a column of the items, i, of all cases that are shown as the submission with a key.
func shownAs(column string) string {
	return "SELECT " + column + ` FROM submissions s, case_items i JOIN submissions d ON d.key = i.submission
		WHERE s.key = ? AND (CASE d.earlier WHEN '' THEN d.id ELSE d.earlier END) = (CASE s.earlier WHEN '' THEN s.id ELSE s.earlier END)`
}

// selectCases is completed with a condition on c, the cases.
const selectCases = `SELECT c.id, c.title, c.created, c.changed, c.state, c.tags, c.sign_off, coalesce(n.text, ''), coalesce(n.author, ''), n.at,
	(SELECT count(DISTINCT ` + shownItem + `) FROM case_items i JOIN submissions s ON s.key = i.submission WHERE i.of_case = c.key),
	(SELECT count(*) FROM case_records q WHERE q.of_case = c.key AND q.kind = 'question'
		AND NOT EXISTS (SELECT 1 FROM case_records a WHERE a.of_case = c.key AND a.kind = 'answer' AND a.about = q.id)),
	(SELECT json_group_array(author) FROM (SELECT author FROM case_records WHERE of_case = c.key AND author <> '' GROUP BY author ORDER BY min(seq))),
	coalesce((SELECT author FROM case_records WHERE of_case = c.key AND kind = 'created' LIMIT 1), ''), ` + selectAtDesk + `
	FROM cases c LEFT JOIN case_records n ON n.seq = c.conclusion `

func (s *Store) cases(ctx context.Context, where string, values ...any) ([]Case, error) {
	var all []Case
	err := s.readers.each(ctx, func(row scanner) error {
		var c Case
		err := row.Scan(&c.ID, &c.Title, timeInto{&c.Created}, timeInto{&c.Changed}, &c.State, jsonInto{&c.Tags}, &c.SignOff, &c.Conclusion.Text, &c.Conclusion.By,
			timeInto{&c.Conclusion.At}, &c.Items, &c.OpenQuestions, jsonInto{&c.People}, &c.By,
			&c.Desk.ID, &c.Desk.Share, &c.Desk.Looked, &c.Desk.Keep, &c.Desk.New, &c.Desk.Unsent, &c.Desk.Refused, &c.Desk.LastBy)
		all = append(all, c)
		return err
	}, selectCases+where, values...)
	return all, s.read("read the cases", err)
}

// Cases returns all cases, the one that was changed last first.
func (s *Store) Cases(ctx context.Context) ([]Case, error) {
	return s.cases(ctx, "ORDER BY c.changed DESC, c.key DESC")
}

// CaseByID returns a case; the error is ErrNoCase where there is none.
func (s *Store) CaseByID(ctx context.Context, id string) (Case, error) {
	all, err := s.cases(ctx, "WHERE c.id = ?", id)
	switch {
	case err != nil:
		return Case{}, err
	case len(all) == 0:
		return Case{}, failure("read the case", ErrNoCase)
	}
	return all[0], nil
}

// CasesOf returns the cases that a submission is in, by its ID, also as another one of the same content: the one that was changed last first.
func (s *Store) CasesOf(ctx context.Context, id string) ([]Case, error) {
	key, err := s.readers.number(ctx, "SELECT key FROM submissions WHERE id = ?", id)
	if err != nil {
		return nil, s.read("read the cases", err)
	}
	return s.cases(ctx, "WHERE c.key IN ("+shownAs("i.of_case")+") ORDER BY c.changed DESC, c.key DESC", key)
}

// CaseItems returns the IDs of the submissions in a case, in the order in which they were added: each content once, by its primary.
func (s *Store) CaseItems(ctx context.Context, caseID string) ([]string, error) {
	var ids []string
	err := s.readers.each(ctx, func(row scanner) error {
		var id string
		err := row.Scan(&id)
		ids = append(ids, id)
		return err
	}, "SELECT "+shownItem+` AS shown FROM cases c JOIN case_items i ON i.of_case = c.key JOIN submissions s ON s.key = i.submission
		WHERE c.id = ? GROUP BY shown ORDER BY min(i.seq)`, caseID)
	return ids, s.read("read the case", err)
}

// jsonInto scans a column of JSON.
type jsonInto struct{ value any }

// Scan reads a column's JSON.
func (j jsonInto) Scan(kept any) error {
	text, ok := kept.(string)
	if !ok {
		return fmt.Errorf("a %T is no JSON", kept)
	}
	return json.Unmarshal([]byte(text), j.value)
}
