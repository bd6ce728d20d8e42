package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"assay/client/desk"
)

// Assignment is who is to answer a question, and by when. Its texts are as they were given.
type Assignment struct {
	To    string // how they are called; "" for nobody
	Login string // a member's, where To is one
	Due   string // a day as time.DateOnly; "" for none
	By    string // who said so
	At    time.Time
}

// DueOf returns a day as an assignment has it; ok is false where it is none.
func DueOf(text string) (day string, ok bool) {
	at, err := time.Parse(time.DateOnly, text)
	return at.Format(time.DateOnly), err == nil && at.Year() >= 2000 && at.Year() < 3000
}

// assigned is an assignment of a shared case.
type assigned struct {
	id    uuid.UUID
	about uuid.UUID // the question
	body  desk.Body
}

// assignedAtDesk are the assignments in a shared case that hold: those that none names as replaced. Of a question there are several where colleagues did
// not know of each other's.
func (t *transaction) assignedAtDesk(ctx context.Context, of int64) (all []assigned, err error) {
	replaced := map[[2]uuid.UUID]bool{}
	err = t.each(ctx, func(row scanner) error {
		var a assigned
		var raw []byte
		if err := row.Scan(&a.id, &a.about, &raw); err != nil {
			return err
		}
		if json.Unmarshal(raw, &a.body) != nil {
			return nil
		}
		for _, id := range a.body.Replaces {
			replaced[[2]uuid.UUID{a.about, id}] = id != a.id
		}
		all = append(all, a)
		return nil
	}, `SELECT id, about, body FROM desk_events WHERE desk_case = (SELECT desk_case FROM cases WHERE key = ?) AND kind = 'assign' AND about <> '' AND body IS NOT NULL
		AND state <> 'altered'`, of)
	return slices.DeleteFunc(all, func(a assigned) bool { return replaced[[2]uuid.UUID{a.about, a.id}] }), err
}

// assign completes what a person said of who answers a question: in a shared case a name may be a member's.
func (t *transaction) assign(ctx context.Context, of int64, e *CaseEvent) error {
	e.ID = desk.IDOf(e.ID).String() // the event at the desk has the same, by which its record is found
	e.Login = ""
	if due, ok := DueOf(e.Due); e.Due != "" && !ok {
		return ErrNoDay
	} else if ok {
		e.Due = due
	}
	e.Text = strings.TrimSpace(e.Text)
	if e.Text == "" || !t.has(ctx, "SELECT 1 FROM cases WHERE key = ? AND desk_case <> ''", of) {
		return nil
	}
	login, display, err := t.memberCalled(ctx, e.Text)
	if login != "" {
		e.Login, e.Text = login, display
	}
	return err
}

// memberCalled returns the member with a login, or the only one who is called so; "" for none.
func (t *transaction) memberCalled(ctx context.Context, name string) (login, display string, err error) {
	n := 0
	err = t.each(ctx, func(row scanner) error {
		n++
		return row.Scan(&login, &display)
	}, `SELECT name, display FROM desk_members WHERE revoked = 0 AND (name = ?1 OR lower(display) = lower(?1) AND NOT EXISTS (SELECT 1 FROM desk_members WHERE name = ?1))`, name)
	if n != 1 {
		login, display = "", ""
	}
	return login, display, err
}

// shareAssigned completes the event of an assignment, with which others it replaces: those that are known here.
func (t *transaction) shareAssigned(ctx context.Context, of int64, e CaseEvent, out *eventOf) error {
	login, _, err := t.memberCalled(ctx, e.Text)
	if err != nil {
		return err
	}
	out.kind, out.about = desk.Assign, desk.IDOf(e.About)
	out.body.Text, out.body.To, out.body.Due = "", cmp.Or(e.Login, login, e.Text), e.Due
	before, err := t.assignedAtDesk(ctx, of)
	for _, a := range before {
		if a.about == out.about {
			out.body.Replaces = append(out.body.Replaces, a.id)
		}
	}
	return err
}

// assignedRecord is the record of a colleague's assignment.
func (r *receiver) assignedRecord(ctx context.Context, of int64, e *Received, body desk.Body, record CaseEvent) (CaseEvent, error) {
	record.Kind, record.Text = CaseAssigned, shortened(body.To)
	if due, ok := DueOf(body.Due); ok {
		record.Due = due
	}
	display, err := r.displayOf(ctx, body.To)
	if err != nil {
		return record, err
	}
	if r.has(ctx, "SELECT 1 FROM desk_members WHERE name = ?", body.To) {
		record.Login, record.Text = body.To, display
	}
	record.About, err = r.recordAtDesk(ctx, of, e.About)
	return record, err
}

// mergeAssigned marks which assignments of a shared case hold: the same wherever the same events are.
func (t *transaction) mergeAssigned(ctx context.Context, of int64) error {
	hold, err := t.assignedAtDesk(ctx, of)
	if err != nil {
		return err
	}
	ids := make([]string, len(hold))
	for i, a := range hold {
		ids[i] = a.id.String()
	}
	_, err = t.exec(ctx, "UPDATE case_records SET replaced = id NOT IN (SELECT value FROM json_each(?2)) WHERE of_case = ?1 AND kind = 'assigned'", of, list(ids))
	return err
}

// replaceAssigned marks the other assignments of a question as replaced.
func (t *transaction) replaceAssigned(ctx context.Context, of int64, e CaseEvent) error {
	_, err := t.exec(ctx, "UPDATE case_records SET replaced = id <> ? WHERE of_case = ? AND kind = 'assigned' AND about = ?", e.ID, of, e.About)
	return err
}

// assignments returns who is to answer each question of a case, by their IDs: the one that counts first.
func (s *Store) assignments(ctx context.Context, caseID string) (map[string][]Assignment, error) {
	hold, err := s.caseEvents(ctx, new(CaseCursor), `AND r.kind = 'assigned' AND r.replaced = 0 AND (r.text <> '' OR r.due <> '')
		ORDER BY (SELECT lamport FROM desk_events e WHERE e.id = r.id) DESC, (SELECT author FROM desk_events e WHERE e.id = r.id) DESC, r.id DESC`, caseID)
	all := map[string][]Assignment{}
	for _, e := range hold {
		all[e.About] = append(all[e.About], Assignment{To: e.Text, Login: e.Login, Due: e.Due, By: e.By, At: e.At})
	}
	return all, err
}
