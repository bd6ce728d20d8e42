package store

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"assay/client/desk"
)

// redaction is what removing an entry of a shared case takes away.
type redaction struct {
	of     int64 // the case's key
	there  uuid.UUID
	entry  CaseEvent
	events []uuid.UUID // what it shared
}

// saying are the kinds of entries that say something which can be removed.
var saying = []CaseEventKind{CaseNoted, CaseChecked, CaseAsked, CaseAnswered, CaseAssigned, CaseTagged, CaseRenamed, CaseDrawn, CaseClosed, CaseJudgement, CaseItemAdded}

// MayRedact returns an entry of a shared case, by its ID, if Redact can remove what it says. The error is ErrNoEntry where there is none, ErrNotShared where
// the case is not shared, ErrNothingSaid where the entry shares nothing, and ErrNotYours for who has neither written it nor owns the case.
func (s *Store) MayRedact(ctx context.Context, caseID, entry string) (CaseEvent, error) {
	r, err := s.readers.redaction(ctx, caseID, entry)
	return r.entry, s.read("read the case", err)
}

// Removable are those of some entries of a shared case that MayRedact lets the member remove, by their IDs.
func (s *Store) Removable(ctx context.Context, caseID string, entries []CaseEvent) (map[string]bool, error) {
	all := map[string]bool{}
	for _, e := range entries {
		if !slices.Contains(saying, e.Kind) {
			continue
		}
		switch _, err := s.readers.redaction(ctx, caseID, e.ID); {
		case err == nil:
			all[e.ID] = true
		case !errors.Is(err, ErrNotYours) && !errors.Is(err, ErrNothingSaid) && !errors.Is(err, ErrNoEntry) && !errors.Is(err, ErrNotShared):
			return nil, s.read("read the case", err)
		}
	}
	return all, nil
}

// Redact has the desk remove what an entry of a shared case says, and removes it from these records: that something was there stays, with who had it removed.
// The errors are those of MayRedact.
func (s *Store) Redact(ctx context.Context, caseID, entry string) error {
	return s.write(ctx, "remove the entry", func(ctx context.Context, t *transaction) error {
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		r, err := t.redaction(ctx, caseID, entry)
		if err != nil {
			return err
		}
		m, _, err := t.membership(ctx)
		if err != nil {
			return err
		}
		by, err := t.displayOf(ctx, m.Member)
		if err != nil {
			return err
		}
		now := t.store.options.Now()
		for _, event := range r.events {
			if !t.has(ctx, "SELECT count(*) FROM desk_events WHERE id = ? AND state = 'refused'", event.String()) {
				if err := t.emit(ctx, of, eventOf{kind: desk.Redact, about: event, body: desk.Body{At: now}}); err != nil {
					return err
				}
			}
			if err := t.emptyHere(ctx, of, r.there, event, by, now); err != nil {
				return err
			}
		}
		if err := t.emptyRecord(ctx, of, entry, by, now); err != nil {
			return err
		}
		return t.mergeCase(ctx, of)
	})
}

func (c *connection) redaction(ctx context.Context, caseID, entry string) (r redaction, err error) {
	all, err := caseEventsOf(ctx, c, new(CaseCursor), "AND r.id = ?", caseID, entry)
	if err != nil || len(all) == 0 {
		return r, orElse(err, ErrNoEntry)
	}
	r.entry = all[0]
	m, _, err := c.membership(ctx)
	if err != nil {
		return r, err
	}
	var there, level string
	if _, err := c.one(ctx, []any{&r.of, &there, &level}, "SELECT key, desk_case, level FROM cases WHERE id = ?", caseID); err != nil {
		return r, err
	}
	if there == "" {
		return r, ErrNotShared
	}
	if r.there, err = uuid.Parse(there); err != nil {
		return r, err
	}
	if !slices.Contains(saying, r.entry.Kind) {
		return r, ErrNothingSaid
	}
	events := []uuid.UUID{desk.IDOf(entry)}
	if r.entry.Kind == CaseItemAdded && r.entry.About != "" {
		results, err := c.resultsAtDesk(ctx, r.of, r.entry.About)
		if err != nil {
			return r, err
		}
		events = append(events, results...)
	}
	if r.entry.Kind == CaseDrawn || r.entry.Kind == CaseClosed { // what was concluded before the case was shared went there as another event
		if err := c.each(ctx, func(row scanner) error {
			var id uuid.UUID
			err := row.Scan(&id)
			events = append(events, id)
			return err
		}, "SELECT id FROM desk_events WHERE desk_case = ? AND kind = 'conclusion' AND body IS NOT NULL AND json_extract(CAST(body AS TEXT), '$.text') = ? AND author = ?",
			there, r.entry.Text, m.Member); err != nil {
			return r, err
		}
	}
	others := false
	for _, event := range events {
		if err := c.each(ctx, func(row scanner) error {
			var id uuid.UUID
			var author string
			if err := row.Scan(&id, &author); err != nil {
				return err
			}
			if author != m.Member && level != levelOwner {
				others = true
			} else if !slices.Contains(r.events, id) {
				r.events = append(r.events, id)
			}
			return nil
		}, `SELECT id, author FROM desk_events WHERE desk_case = ?1 AND (id = ?2 OR about = ?2 AND kind = 'share_artifact') AND body IS NOT NULL AND state <> 'altered'`,
			there, event.String()); err != nil {
			return r, err
		}
	}
	switch {
	case others && len(r.events) == 0:
		return r, ErrNotYours
	case len(r.events) == 0:
		return r, ErrNothingSaid
	}
	return r, nil
}

// SetDeskLevels keeps what this computer's member may do in shared cases, by their IDs at the desk.
func (s *Store) SetDeskLevels(ctx context.Context, levels map[uuid.UUID]string) error {
	changed := map[string]string{}
	if err := s.readers.each(ctx, func(row scanner) error {
		var there uuid.UUID
		var before string
		err := row.Scan(&there, &before)
		if now, known := levels[there]; known && now != before {
			changed[there.String()] = now
		}
		return err
	}, "SELECT desk_case, level FROM cases WHERE desk_case <> ''"); err != nil || len(changed) == 0 {
		return s.read("read the cases", err)
	}
	return s.write(ctx, "keep what you may do in cases", func(ctx context.Context, t *transaction) error {
		t.desk = true
		for there, level := range changed {
			if _, err := t.exec(ctx, "UPDATE cases SET level = ? WHERE desk_case = ?", level, there); err != nil {
				return err
			}
		}
		return nil
	})
}

// levelOwner is that of a case's owners, as the desk calls it.
const levelOwner = "owner"

// orElse is err, or another error where there is none.
func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// emptyHere removes what an event said from these records, on its author's computer as well: by had that removed. Results stay among those of who has their own.
func (t *transaction) emptyHere(ctx context.Context, of int64, there, about uuid.UUID, by string, at time.Time) error {
	var kind desk.Kind
	var author string
	var own bool
	var subject []byte
	var said time.Time
	found, err := t.one(ctx, []any{&kind, &author, &own, &subject, timeInto{&said}}, `SELECT kind, author, device = (SELECT device FROM desk), subject, at FROM desk_events
		WHERE id = ? AND desk_case = ? AND kind <> 'redact'`, about.String(), there.String())
	if err != nil || !found {
		return err // there is none in this case
	}
	// What the desk does not have yet goes there without what it said.
	if _, err := t.exec(ctx, "UPDATE desk_events SET body = CASE WHEN state IN ('waiting', 'refused') THEN CAST('{}' AS BLOB) END, subject = NULL WHERE id = ?", about.String()); err != nil {
		return err
	}
	if _, err := t.exec(ctx, "DELETE FROM desk_hashes WHERE event = ?", about.String()); err != nil {
		return err
	}
	record, err := t.recordAtDesk(ctx, of, about)
	if err != nil {
		return err
	}
	if kind == desk.Result && own {
		if _, err := t.one(ctx, []any{&record}, `SELECT r.id FROM case_records r JOIN submissions s ON s.id = r.about WHERE r.of_case = ? AND r.kind = 'added' AND s.sha256 = ?
			ORDER BY r.seq DESC LIMIT 1`, of, hex.EncodeToString(subject)); err != nil {
			return err
		}
	}
	if err := t.emptyRecord(ctx, of, record, by, at); err != nil {
		return err
	}
	if empties(kind) && !own && !t.has(ctx, "SELECT count(*) FROM case_records WHERE id = ?", record) { // it came here without what it said
		name, err := t.displayOf(ctx, author)
		if err != nil {
			return err
		}
		if _, err := t.insertRecord(ctx, of, CaseEvent{ID: about.String(), Kind: CaseEmptied, Text: by, By: name, At: ownTime(said, said), Removed: at}); err != nil {
			return err
		}
	}
	if kind != desk.Result {
		return nil
	}
	return t.takeOutEmptied(ctx, of, there, about, subject)
}

// empties reports whether an event of a kind is an entry of its own in what happened, also once nothing is known of what it said.
func empties(kind desk.Kind) bool {
	return slices.Contains([]desk.Kind{desk.Note, desk.Check, desk.Task, desk.Answer, desk.Assign, desk.Tag, desk.Conclusion, desk.Judgement, desk.Result}, kind)
}

// emptyRecord removes what a record says; where that was the desk's conclusion, the one before it is. The first title of a case stays an entry of its own: there was a beginning.
func (t *transaction) emptyRecord(ctx context.Context, of int64, record, by string, at time.Time) error {
	if _, err := t.exec(ctx, `UPDATE cases SET conclusion = (SELECT seq FROM case_records WHERE of_case = ?1 AND kind IN ('conclusion', 'concluded') AND text <> '' AND id <> ?2
		ORDER BY at DESC, seq DESC LIMIT 1) WHERE key = ?1 AND conclusion = (SELECT seq FROM case_records WHERE id = ?2)`, of, record); err != nil {
		return err
	}
	_, err := t.exec(ctx, `UPDATE case_records SET kind = CASE kind WHEN 'created' THEN kind ELSE 'emptied' END, text = CASE kind WHEN 'created' THEN '' ELSE ?3 END, removed = ?4,
		about = '', evidence = '[]', label = '', assignee = '', due = '', replaced = 0 WHERE id = ?1 AND of_case = ?2`, record, of, by, timeValue(at))
	return err
}

// takeOutEmptied takes an item out of a case of which nothing is shared there any more, and removes a colleague's answer.
func (t *transaction) takeOutEmptied(ctx context.Context, of int64, there, about uuid.UUID, subject []byte) error {
	if len(subject) > 0 && !t.has(ctx, "SELECT count(*) FROM desk_events WHERE desk_case = ? AND kind = 'result' AND subject = ? AND body IS NOT NULL", there.String(), subject) {
		if _, err := t.exec(ctx, "DELETE FROM case_items WHERE of_case = ? AND submission IN (SELECT key FROM submissions WHERE sha256 = ? AND gate <> 'never')", of, hex.EncodeToString(subject)); err != nil {
			return err
		}
	}
	var key int64
	found, err := t.one(ctx, []any{&key}, "SELECT key FROM submissions WHERE id = ? AND source = 'desk'", about.String())
	if err != nil || !found {
		return err
	}
	t.touch(key, nil)
	t.results = true
	_, err = t.exec(ctx, "DELETE FROM submissions WHERE key = ?", key)
	return err
}
