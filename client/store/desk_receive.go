package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/desk"
	"assay/client/submission"
)

// Unsent returns the next n events that the desk does not have, without their signatures.
func (s *Store) Unsent(ctx context.Context, n int) (all []desk.Event, err error) {
	all, err = eventsAtDesk(ctx, s.readers, "WHERE state = 'waiting' ORDER BY seq"+limit(n))
	return all, s.read("read what is to be shared", err)
}

// Sent keeps that the desk has events, with the digests that were signed.
func (s *Store) Sent(ctx context.Context, events []desk.Event) error {
	return s.write(ctx, "keep what was shared", func(ctx context.Context, t *transaction) error {
		t.desk = true
		for _, e := range events {
			if _, err := t.exec(ctx, "UPDATE desk_events SET state = 'shared', digest = ?, sig = ? WHERE id = ? AND state = 'waiting'", e.Digest, e.Sig, e.ID.String()); err != nil {
				return err
			}
		}
		return nil
	})
}

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
		touched := map[uuid.UUID]bool{}
		for i := range all {
			if err := t.receive(ctx, &all[i], touched); err != nil {
				return err
			}
		}
		for there := range touched {
			if err := t.mergeCase(ctx, there); err != nil {
				return err
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

// receive keeps one event, and does what it says if it is new.
func (t *transaction) receive(ctx context.Context, e *Received, touched map[uuid.UUID]bool) error {
	state := "shared"
	if e.Altered {
		state = "altered"
	}
	about := ""
	if e.About != uuid.Nil {
		about = e.About.String()
	}
	added, err := t.number(ctx, `INSERT INTO desk_events (id, desk_case, author, device, lamport, kind, about, subject, body, digest, sig, at, state)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING seq`,
		e.ID.String(), e.Case.String(), e.Author, e.Device.String(), e.Lamport, string(e.Kind), about, e.Subject, e.Body, e.Digest, e.Sig, timeValue(e.At), state)
	if err != nil {
		return err
	}
	if added == 0 {
		return t.receiveAgain(ctx, e, state)
	}
	if e.Altered {
		return nil
	}
	touched[e.Case] = true
	var body desk.Body
	if e.Body != nil && json.Unmarshal(e.Body, &body) != nil {
		return nil // a body of another shape, from a later Assay or from somebody hostile: it is kept
	}
	of, err := t.caseAtDesk(ctx, e.Case, ownTime(body.At, e.At))
	if err != nil {
		return err
	}
	if e.Kind == desk.Redact {
		return t.redactHere(ctx, of, e.About)
	}
	if e.Body == nil {
		return nil
	}
	return t.follow(ctx, of, e, body)
}

// receiveAgain is for an event that is here: it may be this computer's own, or have been redacted since.
func (t *transaction) receiveAgain(ctx context.Context, e *Received, state string) error {
	var digest, body []byte
	if _, err := t.one(ctx, []any{&digest, &body}, "SELECT digest, body FROM desk_events WHERE id = ?", e.ID.String()); err != nil {
		return err
	}
	if digest != nil && !bytes.Equal(digest, e.Digest) {
		state = "altered" // the desk does not have what is here
	}
	_, err := t.exec(ctx, "UPDATE desk_events SET state = ?, at = ?, digest = coalesce(digest, ?), sig = coalesce(sig, ?) WHERE id = ?",
		state, timeValue(e.At), e.Digest, e.Sig, e.ID.String())
	return err
}

// caseAtDesk returns the key of the case with an ID of the desk's, which it makes where it isn't here.
func (t *transaction) caseAtDesk(ctx context.Context, there uuid.UUID, at time.Time) (of int64, err error) {
	var id string
	found, err := t.one(ctx, []any{&of, &id}, "SELECT key, id FROM cases WHERE desk_case = ?", there.String())
	if err != nil {
		return 0, err
	}
	if found {
		t.cases = append(t.cases, id)
		return of, nil
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
		return 0, err
	}
	if id == "" {
		id = there.String()
		if of, err = t.number(ctx, "INSERT INTO cases (id, title, created, changed) VALUES (?, '', ?, ?) RETURNING key", id, timeValue(at), timeValue(at)); err != nil {
			return 0, err
		}
	}
	t.cases = append(t.cases, id)
	_, err = t.exec(ctx, "UPDATE cases SET desk_case = ?, share = ? WHERE key = ?", there.String(), string(desk.ShareAnswer), of)
	return of, err
}

// follow does what an event of somebody else says. What merges (title, tags, conclusion) is left to mergeCase.
func (t *transaction) follow(ctx context.Context, of int64, e *Received, body desk.Body) error {
	by, err := t.displayOf(ctx, e.Author)
	if err != nil {
		return err
	}
	record := CaseEvent{ID: e.ID.String(), Text: body.Text, By: by, At: ownTime(body.At, e.At)}
	switch e.Kind {
	case desk.Title:
		if record.Kind = CaseRenamed; !t.has(ctx, "SELECT 1 FROM case_records WHERE of_case = ? AND kind = 'created'", of) {
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
		question, err := t.recordAtDesk(ctx, of, e.About)
		if err != nil {
			return err
		}
		record.About = question
		if len(body.Evidence) > 0 && json.Unmarshal(body.Evidence, &record.Evidence) != nil {
			record.Evidence = nil
		}
	case desk.Tag:
		record.Kind = CaseTagged
		after, err := t.tagsAtDesk(ctx, of)
		if err != nil {
			return err
		}
		record.Text = strings.Join(namesOf(after), ", ")
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
		return t.takeItem(ctx, of, e, body, record)
	case desk.Judgement, desk.SignOff:
		if record, err = t.judgementRecord(ctx, of, e, body, record); err != nil {
			return err
		}
	case desk.Withdraw:
		withdrawn, err := t.withdrawn(ctx, of, e, record)
		if err != nil || withdrawn {
			return err
		}
		return t.takeOut(ctx, of, e.About, record)
	case desk.Rule:
		if record.Kind = CaseSignOffNotRequired; body.State == desk.Required {
			record.Kind = CaseSignOffRequired
		}
	default:
		return nil // a later Assay's
	}
	_, err = t.insertRecord(ctx, of, record)
	return err
}

// takeItem adds an item that a colleague shared to a case: a submission of the same content that is here, or one with the colleague's answer.
func (t *transaction) takeItem(ctx context.Context, of int64, e *Received, body desk.Body, record CaseEvent) error {
	if body.Item == nil {
		return nil
	}
	record.Kind, record.Text = CaseItemAdded, cmp.Or(body.Item.Name, shortSum(e.Subject))
	var key int64
	found := false
	if e.Subject != nil {
		var err error
		if found, err = t.one(ctx, []any{&key, &record.About}, `SELECT key, id FROM submissions WHERE sha256 = ? AND earlier = '' AND state = 'done'
			ORDER BY source = 'desk', key DESC LIMIT 1`, hex.EncodeToString(e.Subject)); err != nil {
			return err
		}
	}
	if !found {
		result, err := readResult(body.Item.Result)
		if err != nil || len(body.Item.Result) == 0 {
			_, err := t.insertRecord(ctx, of, record) // hash and verdict alone: an item without an answer to show
			return err
		}
		sub := submission.Submission{
			ID: e.ID.String(), Name: record.Text, Source: submission.Desk, State: submission.Done, Step: submission.Answered, Gate: submission.GateNever, Filed: true,
			Type: client.MediaType(body.Item.Type), Size: max(0, body.Item.Size), SHA256: hex.EncodeToString(e.Subject), RequestID: body.Item.RequestID,
			Result: result, Accepted: record.At, Answered: ownTime(body.Item.Answered, record.At),
		}
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

// takeOut removes from a case the item that an event had shared.
func (t *transaction) takeOut(ctx context.Context, of int64, about uuid.UUID, record CaseEvent) error {
	var id, name string
	found, err := t.one(ctx, []any{&id, &name}, "SELECT about, text FROM case_records WHERE id = ? AND of_case = ? AND kind = 'added'", about.String(), of)
	if err != nil {
		return err
	}
	if !found { // it was this computer that shared it
		if found, err = t.one(ctx, []any{&id, &name}, `SELECT s.id, s.name FROM desk_events e JOIN submissions s ON unhex(s.sha256) = e.subject
			JOIN case_items i ON i.submission = s.key AND i.of_case = ?2 WHERE e.id = ?1 AND e.kind = 'result' LIMIT 1`, about.String(), of); err != nil || !found {
			return err
		}
	}
	record.Kind, record.About, record.Text = CaseItemRemoved, id, name
	if _, err := t.exec(ctx, "DELETE FROM case_items WHERE of_case = ? AND submission = (SELECT key FROM submissions WHERE id = ?)", of, id); err != nil {
		return err
	}
	_, err = t.insertRecord(ctx, of, record)
	return err
}

// redactHere removes what an event said from these records, too, where it came from a colleague or was shared from here.
func (t *transaction) redactHere(ctx context.Context, of int64, about uuid.UUID) error {
	if _, err := t.exec(ctx, "UPDATE desk_events SET body = NULL, subject = NULL WHERE id = ? AND kind <> 'redact'", about.String()); err != nil {
		return err
	}
	record, err := t.recordAtDesk(ctx, of, about)
	if err != nil {
		return err
	}
	if _, err := t.exec(ctx, "UPDATE case_records SET text = '', evidence = '[]', label = '' WHERE id = ? AND of_case = ?", record, of); err != nil {
		return err
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

// mergeCase sets what of a case the last one to say so decides: the same wherever the same events are, in whatever order they came.
func (t *transaction) mergeCase(ctx context.Context, there uuid.UUID) error {
	var of int64
	if found, err := t.one(ctx, []any{&of}, "SELECT key FROM cases WHERE desk_case = ?", there.String()); err != nil || !found {
		return err
	}
	events, err := eventsAtDesk(ctx, t.connection, "WHERE desk_case = ? AND kind IN ('title', 'conclusion', 'rule') AND body IS NOT NULL AND state <> 'altered' ORDER BY lamport, author, id", there.String())
	if err != nil {
		return err
	}
	var title, conclusion, state string
	required := false
	for _, e := range events {
		var body desk.Body
		if json.Unmarshal(e.Body, &body) != nil {
			continue
		}
		switch {
		case e.Kind == desk.Title:
			title = body.Text
		case e.Kind == desk.Rule:
			required = body.State == desk.Required
		case body.Text != "":
			conclusion = e.ID.String()
		}
		if e.Kind == desk.Conclusion && (body.State == string(CaseOpen) || body.State == string(CaseConcluded)) {
			state = body.State
		}
	}
	tags, err := t.tagsAtDesk(ctx, of)
	if err != nil {
		return err
	}
	if conclusion != "" {
		if conclusion, err = t.recordAtDesk(ctx, of, uuid.MustParse(conclusion)); err != nil {
			return err
		}
	}
	_, err = t.exec(ctx, `UPDATE cases SET title = CASE ?2 WHEN '' THEN title ELSE ?2 END, tags = ?3, state = CASE ?4 WHEN '' THEN state ELSE ?4 END,
		conclusion = coalesce((SELECT seq FROM case_records WHERE id = ?5 AND of_case = ?1), conclusion), changed = max(changed, ?6), sign_off = ?7 WHERE key = ?1`,
		of, title, list(namesOf(tags)), state, conclusion, timeValue(t.store.options.Now()), required)
	return err
}

// addedTag is a tag of a shared case, with the event that added it.
type addedTag struct {
	tag   string
	event uuid.UUID
}

// tagsAtDesk are the tags that were added in a shared case and that no later event names as removed.
func (t *transaction) tagsAtDesk(ctx context.Context, of int64) (all []addedTag, err error) {
	events, err := eventsAtDesk(ctx, t.connection, `WHERE desk_case = (SELECT desk_case FROM cases WHERE key = ?) AND kind = 'tag' AND body IS NOT NULL AND state <> 'altered'
		ORDER BY lamport, author, id`, of)
	if err != nil {
		return nil, err
	}
	var removed []desk.Removed
	for _, e := range events {
		var body desk.Body
		if json.Unmarshal(e.Body, &body) != nil {
			continue
		}
		for _, tag := range TagsOf(strings.Join(body.Add, ",")) {
			all = append(all, addedTag{tag, e.ID})
		}
		removed = append(removed, body.Remove...)
	}
	return slices.DeleteFunc(all, func(a addedTag) bool {
		return slices.ContainsFunc(removed, func(r desk.Removed) bool { return r.Event == a.event && strings.EqualFold(r.Tag, a.tag) })
	}), nil
}

func namesOf(all []addedTag) []string {
	names := []string{}
	for _, a := range all {
		if !HasTag(names, a.tag) {
			names = append(names, a.tag)
		}
	}
	return names
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
	}, "SELECT id FROM case_records WHERE of_case = ?", of)
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
