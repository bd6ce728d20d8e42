package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/desk"
	"assay/client/submission"
)

// mostUnsent is how many bytes of events Unsent returns, but that the last may go beyond it.
const mostUnsent = 4 << 20

// Unsent returns the next n events that the desk does not have, without their signatures: fewer where they say much.
func (s *Store) Unsent(ctx context.Context, n int) (all []desk.Event, err error) {
	all, err = eventsAtDesk(ctx, s.readers, `WHERE seq IN (SELECT seq FROM (
		SELECT seq, sum(length(body)) OVER (ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM (
			SELECT seq, body FROM desk_events WHERE state = 'waiting' ORDER BY seq`+limit(n)+`)) WHERE coalesce(before, 0) < ?) ORDER BY seq`, mostUnsent)
	return all, s.read("read what is to be shared", err)
}

// Sent keeps that the desk has events, with the digests that were signed.
func (s *Store) Sent(ctx context.Context, events []desk.Event) error {
	return s.write(ctx, "keep what was shared", func(ctx context.Context, t *transaction) error {
		t.desk = true
		for _, e := range events {
			if _, err := t.exec(ctx, `UPDATE desk_events SET state = 'shared', digest = ?1, sig = ?2, body = CASE WHEN `+redacted+` THEN NULL ELSE body END
				WHERE id = ?3 AND state = 'waiting'`, e.Digest, e.Sig, e.ID.String()); err != nil {
				return err
			}
		}
		return nil
	})
}

// redacted is a condition on desk_events: what it said was removed.
const redacted = "EXISTS (SELECT 1 FROM desk_events r WHERE r.about = desk_events.id AND r.kind = 'redact' AND r.desk_case = desk_events.desk_case)"

// RefusedByDesk keeps that the desk does not take an event: it stays on this computer alone.
func (s *Store) RefusedByDesk(ctx context.Context, id uuid.UUID) error {
	return s.write(ctx, "keep what was not shared", func(ctx context.Context, t *transaction) error {
		t.desk = true
		_, err := t.exec(ctx, "UPDATE desk_events SET state = 'refused' WHERE id = ? AND state = 'waiting'", id.String())
		return err
	})
}

// Received is an event from the desk. Altered says that it is not what its author signed: it is kept, and nothing is done by it.
type Received struct {
	desk.Event
	Altered bool
}

// Receive keeps events from the desk, does in the cases what they say, and keeps up to where all were received, unless cursor is "": all of it or
// nothing. What was received before changes nothing, but that a redaction is followed.
func (s *Store) Receive(ctx context.Context, all []Received, epoch, cursor string) error {
	return s.write(ctx, "keep what colleagues shared", func(ctx context.Context, t *transaction) error {
		_, joined, err := t.membership(ctx)
		if err != nil || !joined {
			return err
		}
		t.desk = true
		r := receiver{transaction: t, cases: map[uuid.UUID]int64{}, merge: map[int64]bool{}, displays: map[string]string{}, tags: map[int64][]string{}, contents: map[int64]map[string]bool{}}
		fresh, err := r.keep(ctx, all)
		if err != nil {
			return err
		}
		for _, e := range fresh {
			if err := r.receive(ctx, e); err != nil {
				return err
			}
		}
		for of, merges := range r.merge {
			change := r.changedAtDesk
			if merges {
				change = r.mergeCase
			}
			if err := change(ctx, of); err != nil {
				return err
			}
		}
		for of, contents := range r.contents {
			for content := range contents {
				if err := r.mergeItem(ctx, of, []byte(content)); err != nil {
					return err
				}
			}
		}
		if cursor == "" {
			return nil
		}
		_, err = t.exec(ctx, "UPDATE desk SET epoch = ?, cursor = ?", epoch, cursor)
		return err
	})
}

// SetDeskPeople keeps who is at the desk, and the public keys of their computers.
func (s *Store) SetDeskPeople(ctx context.Context, members []DeskMember, devices []DeskDevice) error {
	return s.write(ctx, "keep who is at the desk", func(ctx context.Context, t *transaction) error {
		for _, m := range members {
			if _, err := t.exec(ctx, "INSERT OR REPLACE INTO desk_members (name, display, role, revoked) VALUES (?, ?, ?, ?)", m.Name, m.Display, m.Role, m.Revoked); err != nil {
				return err
			}
		}
		for _, d := range devices { // a key that is known never changes
			if _, err := t.exec(ctx, "INSERT INTO desk_devices (id, member, key) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING", d.ID.String(), d.Member, d.Key); err != nil {
				return err
			}
		}
		return nil
	})
}

// receiver is a transaction in which events are received, with what most of them need.
type receiver struct {
	*transaction
	cases    map[uuid.UUID]int64       // the keys here of the desk's
	merge    map[int64]bool            // the cases in which something was done: whether that merges, or the case is new
	displays map[string]string         // of members
	tags     map[int64][]string        // of cases, as they are with all that was received
	contents map[int64]map[string]bool // of cases: those that were put into it, or taken out
}

// about has mergeItem look at a content.
func (r *receiver) about(of int64, content []byte) {
	if len(content) == 0 {
		return
	}
	if r.contents[of] == nil {
		r.contents[of] = map[string]bool{}
	}
	r.contents[of][string(content)] = true
}

// keep keeps events, and returns those that are new and are done.
func (r *receiver) keep(ctx context.Context, all []Received) (fresh []*Received, err error) {
	for i := range all {
		e := &all[i]
		state := "shared"
		if e.Altered {
			state = "altered"
		}
		about := ""
		if e.About != uuid.Nil {
			about = e.About.String()
		}
		added, err := r.exec(ctx, `INSERT INTO desk_events (id, desk_case, author, device, lamport, kind, about, subject, body, digest, sig, at, state)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
			e.ID.String(), e.Case.String(), e.Author, e.Device.String(), e.Lamport, string(e.Kind), about, e.Subject, e.Body, e.Digest, e.Sig, timeValue(e.At), state)
		if err != nil {
			return nil, err
		}
		switch n, err := added.RowsAffected(); {
		case err != nil:
			return nil, err
		case n == 0:
			if err := r.receiveAgain(ctx, e, state); err != nil {
				return nil, err
			}
		case !e.Altered:
			fresh = append(fresh, e)
		}
	}
	return fresh, nil
}

// receive does what an event says.
func (r *receiver) receive(ctx context.Context, e *Received) error {
	var body desk.Body
	if e.Body != nil && json.Unmarshal(e.Body, &body) != nil {
		return nil // a body of another shape, from a later Assay or from somebody hostile: it is kept
	}
	of, known := r.cases[e.Case]
	if !known {
		var err error
		var isNew bool
		if of, isNew, err = r.caseAtDesk(ctx, e.Case, ownTime(body.At, e.At)); err != nil {
			return err
		}
		r.cases[e.Case], r.merge[of] = of, isNew
	}
	switch e.Kind {
	case desk.Redact:
		r.merge[of] = true
		by, err := r.displayOf(ctx, e.Author)
		if err != nil {
			return err
		}
		return r.emptyHere(ctx, of, e.Case, e.About, by, ownTime(body.At, e.At))
	case desk.Title, desk.Tag, desk.Conclusion, desk.Rule, desk.Retention, desk.Task, desk.Assign:
		r.merge[of] = true
	}
	if e.Body == nil {
		return nil
	}
	return r.follow(ctx, of, e, body)
}

// receiveAgain is for an event that is here: it may be this computer's own, or have been redacted since.
func (t *transaction) receiveAgain(ctx context.Context, e *Received, state string) error {
	var author, kind string
	var digest, subject []byte
	if _, err := t.one(ctx, []any{&author, &kind, &digest, &subject}, "SELECT author, kind, digest, subject FROM desk_events WHERE id = ?", e.ID.String()); err != nil {
		return err
	}
	// Two who have the same answer share it as the same event: whoever was first has written it.
	if !e.Altered && author != e.Author && e.Kind == desk.Result && kind == string(desk.Result) && bytes.Equal(subject, e.Subject) {
		_, err := t.exec(ctx, "UPDATE desk_events SET state = 'shared', author = ?, device = ?, lamport = ?, body = ?, digest = ?, sig = ?, at = ? WHERE id = ?",
			e.Author, e.Device.String(), e.Lamport, e.Body, e.Digest, e.Sig, timeValue(e.At), e.ID.String())
		return err
	}
	if digest != nil && !bytes.Equal(digest, e.Digest) {
		state = "altered" // the desk does not have what is here
	}
	_, err := t.exec(ctx, "UPDATE desk_events SET state = ?, at = ?, digest = coalesce(digest, ?), sig = coalesce(sig, ?) WHERE id = ?",
		state, timeValue(e.At), e.Digest, e.Sig, e.ID.String())
	return err
}

// changedAtDesk keeps that something was done in a case.
func (t *transaction) changedAtDesk(ctx context.Context, of int64) error {
	_, err := t.exec(ctx, "UPDATE cases SET changed = max(changed, ?) WHERE key = ?", timeValue(t.store.options.Now()), of)
	return err
}

// caseAtDesk returns the key of the case with an ID of the desk's, which it makes where it isn't here; isNew: or which was this computer's alone.
func (t *transaction) caseAtDesk(ctx context.Context, there uuid.UUID, at time.Time) (of int64, isNew bool, err error) {
	var id string
	found, err := t.one(ctx, []any{&of, &id}, "SELECT key, id FROM cases WHERE desk_case = ?", there.String())
	if err != nil {
		return 0, false, err
	}
	if found {
		t.cases = append(t.cases, id)
		return of, false, nil
	}
	// Somebody who left a desk and joins it again still has the case, by its ID here.
	err = t.each(ctx, func(row scanner) error {
		var key int64
		var own string
		if err := row.Scan(&key, &own); err != nil {
			return err
		}
		if desk.IDOf(own) == there {
			of, id = key, own
		}
		return nil
	}, "SELECT key, id FROM cases WHERE desk_case = ''")
	if err != nil {
		return 0, false, err
	}
	if id == "" {
		id = there.String()
		if of, err = t.number(ctx, "INSERT INTO cases (id, title, created, changed) VALUES (?, '', ?, ?) RETURNING key", id, timeValue(at), timeValue(at)); err != nil {
			return 0, false, err
		}
	}
	t.cases = append(t.cases, id)
	_, err = t.exec(ctx, "UPDATE cases SET desk_case = ?, share = ? WHERE key = ?", there.String(), string(desk.ShareAnswer), of)
	return of, true, err
}

// follow does what an event of somebody else says. What merges (title, tags, conclusion) is left to mergeCase.
func (r *receiver) follow(ctx context.Context, of int64, e *Received, body desk.Body) error {
	var err error
	by, known := r.displays[e.Author]
	if !known {
		if by, err = r.displayOf(ctx, e.Author); err != nil {
			return err
		}
		r.displays[e.Author] = by
	}
	record := CaseEvent{ID: e.ID.String(), Text: body.Text, By: by, At: ownTime(body.At, e.At)}
	switch e.Kind {
	case desk.Title:
		if record.Kind = CaseRenamed; !r.has(ctx, "SELECT 1 FROM case_records WHERE of_case = ? AND kind = 'created'", of) {
			record.Kind = CaseCreated
		}
	case desk.Note:
		record.Kind = CaseNoted
	case desk.Check:
		record.Kind, record.Check = CaseChecked, CheckKind(body.Check)
		if !slices.Contains(CheckKinds, record.Check) {
			record.Kind = CaseNoted // a kind of check from a later Assay
		}
	case desk.Task:
		record.Kind = CaseAsked
	case desk.Answer:
		record.Kind = CaseAnswered
		question, err := r.recordAtDesk(ctx, of, e.About)
		if err != nil {
			return err
		}
		record.About = question
		if len(body.Evidence) > 0 && json.Unmarshal(body.Evidence, &record.Evidence) != nil {
			record.Evidence = nil
		}
	case desk.Assign:
		if record, err = r.assignedRecord(ctx, of, e, body, record); err != nil {
			return err
		}
	case desk.Tag:
		record.Kind = CaseTagged
		after, known := r.tags[of]
		if !known {
			all, err := r.tagsAtDesk(ctx, of)
			if err != nil {
				return err
			}
			after = namesOf(all)
			r.tags[of] = after
		}
		record.Text = strings.Join(after, ", ")
	case desk.Conclusion:
		switch {
		case body.State == string(CaseConcluded):
			record.Kind = CaseClosed
		case body.State == string(CaseOpen) && body.Text == "":
			record.Kind = CaseReopened
		default:
			record.Kind = CaseDrawn
		}
	case desk.Result:
		r.about(of, e.Subject)
		if err := r.keepHashes(ctx, e, body.Item); err != nil {
			return err
		}
		return r.takeItem(ctx, of, e, body, record)
	case desk.Judgement, desk.SignOff:
		if record, err = r.judgementRecord(ctx, of, e, body, record); err != nil {
			return err
		}
	case desk.Withdraw:
		withdrawn, err := r.withdrawn(ctx, of, e, record)
		if err != nil || withdrawn {
			return err
		}
		return r.takeOut(ctx, of, e.About, record)
	case desk.Rule:
		if record.Kind = CaseSignOffNotRequired; body.State == desk.Required {
			record.Kind = CaseSignOffRequired
		}
	case desk.Retention:
		if record.Kind, record.Text = CaseRetention, ""; body.Days > 0 {
			record.Text = strconv.Itoa(min(body.Days, LongestRetention))
		}
	default:
		return nil // a later Assay's
	}
	_, err = r.insertRecord(ctx, of, record)
	return err
}

// takeItem adds an item that a colleague shared to a case: a submission of the same content that is here, unless that never leaves this computer, or one
// with the colleague's answer.
func (t *transaction) takeItem(ctx context.Context, of int64, e *Received, body desk.Body, record CaseEvent) error {
	if body.Item == nil {
		return nil
	}
	record.Kind, record.Text = CaseItemAdded, cmp.Or(body.Item.Name, shortSum(e.Subject))
	var key int64
	found := false
	if e.Subject != nil {
		var err error
		if found, err = t.one(ctx, []any{&key, &record.About}, `SELECT key, id FROM submissions WHERE sha256 = ? AND earlier = '' AND state = 'done' AND (gate <> 'never' OR source = 'desk')
			ORDER BY source = 'desk', key DESC LIMIT 1`, hex.EncodeToString(e.Subject)); err != nil {
			return err
		}
	}
	if !found {
		result, err := readResult(client.WithoutLinks(body.Item.Result)) // also where the sender left some in
		if err != nil || len(body.Item.Result) == 0 || body.Item.Sandbox != t.store.options.Sandbox {
			_, err := t.insertRecord(ctx, of, record) // hash and verdict alone: an item without an answer to show
			return err
		}
		answered := ownTime(body.Item.Answered, record.At)
		sub := submission.Submission{
			ID: e.ID.String(), Name: record.Text, Source: submission.Desk, State: submission.Done, Step: submission.Answered, Gate: submission.GateNever, Filed: true,
			Type: client.MediaType(body.Item.Type), Size: max(0, body.Item.Size), SHA256: hex.EncodeToString(e.Subject), RequestID: body.Item.RequestID,
			Result: result, Accepted: answered, Answered: answered,
		}
		sub.AnsweredBy = submission.Colleague{Name: record.By, At: sub.Answered}
		if err := t.add(ctx, &sub); err != nil {
			return err
		}
		key, record.About = sub.Key, sub.ID
	}
	if _, err := t.exec(ctx, "INSERT INTO case_items (of_case, submission, added) VALUES (?, ?, ?) ON CONFLICT (of_case, submission) DO NOTHING", of, key, timeValue(record.At)); err != nil {
		return err
	}
	_, err := t.insertRecord(ctx, of, record)
	return err
}

// takeOut keeps that the item which an event had shared was taken out of a case. Whether it is still there is left to mergeItem, but for one without a content.
func (r *receiver) takeOut(ctx context.Context, of int64, about uuid.UUID, record CaseEvent) error {
	var content []byte
	if _, err := r.one(ctx, []any{&content}, "SELECT subject FROM desk_events WHERE id = ? AND kind = 'result'", about.String()); err != nil {
		return err
	}
	r.about(of, content)
	var id, name string
	found, err := r.one(ctx, []any{&id, &name}, "SELECT about, text FROM case_records WHERE id = ? AND of_case = ? AND kind = 'added'", about.String(), of)
	if err != nil {
		return err
	}
	if !found { // it was this computer that shared it
		if found, err = r.one(ctx, []any{&id, &name}, `SELECT s.id, s.name FROM desk_events e JOIN submissions s ON unhex(s.sha256) = e.subject
			JOIN case_items i ON i.submission = s.key AND i.of_case = ?2 WHERE e.id = ?1 AND e.kind = 'result' LIMIT 1`, about.String(), of); err != nil || !found {
			return err
		}
	}
	record.Kind, record.About, record.Text = CaseItemRemoved, id, name
	if len(content) == 0 {
		if _, err := r.exec(ctx, "DELETE FROM case_items WHERE of_case = ? AND submission = (SELECT key FROM submissions WHERE id = ?)", of, id); err != nil {
			return err
		}
	}
	_, err = r.insertRecord(ctx, of, record)
	return err
}

// recordAtDesk is the ID here of the record that is an event at the desk: another one where the record was made here.
func (t *transaction) recordAtDesk(ctx context.Context, of int64, event uuid.UUID) (record string, err error) {
	record = event.String()
	if t.has(ctx, "SELECT 1 FROM case_records WHERE id = ?", record) {
		return record, nil
	}
	err = t.each(ctx, func(row scanner) error {
		var id string
		err := row.Scan(&id)
		if desk.IDOf(id) == event {
			record = id
		}
		return err
	}, "SELECT id FROM case_records WHERE of_case = ? AND length(id) <> 36", of)
	return record, err
}

// displayOf is how a member is called.
func (t *transaction) displayOf(ctx context.Context, member string) (display string, err error) {
	_, err = t.one(ctx, []any{&display}, "SELECT display FROM desk_members WHERE name = ?", member)
	return cmp.Or(display, member), err
}

// has reports whether a query has a row; an error of the query comes again with the next.
func (t *transaction) has(ctx context.Context, query string, values ...any) bool {
	n, err := t.number(ctx, query, values...)
	return err == nil && n > 0
}

// shortSum names a content by its hash.
func shortSum(subject []byte) string {
	if len(subject) == 0 {
		return ""
	}
	return hex.EncodeToString(subject)[:12] + "…"
}
