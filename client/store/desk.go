package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/desk"
	"assay/client/submission"
)

// Membership is who this computer is at a desk.
type Membership struct {
	Address string    // of the desk, without a password
	Member  string    // their login
	Device  uuid.UUID // this computer
	Epoch   string    // of the desk's database, when Cursor was kept
	Cursor  string    // up to which event all were received
}

// Desk returns the membership; ok is false where there is none.
func (s *Store) Desk(ctx context.Context) (m Membership, ok bool, err error) {
	m, ok, err = s.readers.membership(ctx)
	return m, ok, s.read("read the desk", err)
}

func (c *connection) membership(ctx context.Context) (m Membership, ok bool, err error) {
	ok, err = c.one(ctx, []any{&m.Address, &m.Member, &m.Device, &m.Epoch, &m.Cursor}, "SELECT address, member, device, epoch, cursor FROM desk")
	return m, ok, err
}

// JoinDesk keeps a membership, and with it which events are sent and received from now on. Where the epoch is another than before, the desk's database
// was restored from a backup, or is another one: all is received anew, and all of this computer's is sent anew. Cursor is not looked at.
func (s *Store) JoinDesk(ctx context.Context, m Membership) error {
	return s.write(ctx, "keep the desk", func(ctx context.Context, t *transaction) error {
		before, joined, err := t.membership(ctx)
		if err != nil || joined && before == (Membership{m.Address, m.Member, m.Device, m.Epoch, before.Cursor}) {
			return err
		}
		if _, err := t.exec(ctx, `INSERT INTO desk (one, address, member, device, epoch) VALUES (1, ?1, ?2, ?3, ?4) ON CONFLICT (one) DO UPDATE SET
			cursor = CASE WHEN member = ?2 AND epoch = ?4 THEN cursor ELSE '' END, address = ?1, member = ?2, device = ?3, epoch = ?4`,
			m.Address, m.Member, m.Device.String(), m.Epoch); err != nil {
			return err
		}
		if joined && before.Epoch != m.Epoch {
			if _, err := t.exec(ctx, "UPDATE desk_events SET state = 'waiting' WHERE state = 'shared' AND device = ?", before.Device.String()); err != nil {
				return err
			}
		}
		_, err = t.exec(ctx, "UPDATE desk_events SET author = ?, device = ? WHERE state = 'waiting'", m.Member, m.Device.String())
		return err
	})
}

// LeaveDesk ends the membership. What is in the records stays, as cases of this computer alone; what was not sent is not sent any more.
func (s *Store) LeaveDesk(ctx context.Context) error {
	return s.write(ctx, "leave the desk", func(ctx context.Context, t *transaction) error {
		for _, statement := range []string{
			"DELETE FROM desk", "DELETE FROM desk_members", "DELETE FROM desk_devices", "DELETE FROM desk_events", "DELETE FROM desk_logs", "DELETE FROM desk_hashes",
			"UPDATE cases SET desk_case = '', share = '', files = '', sign_off = 0, level = '', keep = 0 WHERE desk_case <> ''", "UPDATE case_items SET share = '', files = 0 WHERE share <> ''",
		} {
			if _, err := t.exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// ShareCase shares a case with the desk from now on, with what was done in it before: its items as far as share and their gates allow. The error is
// ErrNoDesk without a membership, ErrOnlyReads for a reader's, and ErrNoCase where there is no such case. A case that is shared already stays as it is.
func (s *Store) ShareCase(ctx context.Context, caseID string, share desk.Share) error {
	return s.write(ctx, "share the case", func(ctx context.Context, t *transaction) error {
		m, joined, err := t.membership(ctx)
		if err != nil || !joined {
			return errors.Join(err, missing(joined, ErrNoDesk))
		}
		if t.has(ctx, "SELECT 1 FROM desk_members WHERE name = ? AND role = 'reader'", m.Member) {
			return ErrOnlyReads
		}
		var of, created int64
		var title, text, state, there string
		var tags []string
		found, err := t.one(ctx, []any{&of, &created, &title, jsonInto{&tags}, &state, &text, &there},
			"SELECT c.key, c.created, c.title, c.tags, c.state, coalesce(n.text, ''), c.desk_case FROM cases c LEFT JOIN case_records n ON n.seq = c.conclusion WHERE c.id = ?", caseID)
		if err != nil || !found {
			return errors.Join(err, missing(found, ErrNoCase))
		}
		if there != "" {
			return nil
		}
		t.cases = append(t.cases, caseID)
		if _, err := t.exec(ctx, "UPDATE cases SET desk_case = ?, share = ?, level = 'owner' WHERE key = ?", desk.IDOf(caseID).String(), string(share), of); err != nil {
			return err
		}
		now := t.store.options.Now()
		events := []eventOf{{kind: desk.Title, body: desk.Body{At: time.Unix(0, created).UTC(), Text: title}}} // what was done in it came after that
		if len(tags) > 0 {
			events = append(events, eventOf{kind: desk.Tag, body: desk.Body{At: now, Add: tags}})
		}
		if text != "" || state != string(CaseOpen) {
			events = append(events, eventOf{kind: desk.Conclusion, body: desk.Body{At: now, Text: text, State: state}})
		}
		for _, e := range events {
			if err := t.emit(ctx, of, e); err != nil {
				return err
			}
		}
		earlier, err := caseEventsOf(ctx, t.connection, new(CaseCursor), "AND r.kind NOT IN ('created', 'added', 'removed', 'tags', 'renamed', 'conclusion', 'concluded', 'reopened', 'sign-off-required', 'sign-off-not-required', 'retention', 'expired') ORDER BY r.replaced DESC, r.seq", caseID)
		if err != nil {
			return err
		}
		for _, e := range earlier {
			if err := t.shareRecord(ctx, of, e); err != nil {
				return err
			}
		}
		if err := t.mergeAssigned(ctx, of); err != nil {
			return err
		}
		return t.shareItems(ctx, "i.of_case = ?", of)
	})
}

func missing(there bool, err error) error {
	if there {
		return nil
	}
	return err
}

// eventOf is an event of this computer, before its case and author are known. A zero ID is a new one.
type eventOf struct {
	id      uuid.UUID
	kind    desk.Kind
	about   uuid.UUID
	subject []byte
	body    desk.Body
}

// emit keeps an event of the case with this key to be sent, unless that is of this computer alone.
func (t *transaction) emit(ctx context.Context, of int64, e eventOf) error {
	m, joined, err := t.membership(ctx)
	if err != nil || !joined {
		return err
	}
	var there string
	if _, err := t.one(ctx, []any{&there}, "SELECT desk_case FROM cases WHERE key = ?", of); err != nil || there == "" {
		return err
	}
	if e.id == uuid.Nil {
		e.id = uuid.New()
	}
	body, err := json.Marshal(e.body)
	if err != nil {
		return err
	}
	about := ""
	if e.about != uuid.Nil {
		about = e.about.String()
	}
	_, err = t.exec(ctx, `INSERT INTO desk_events (id, desk_case, author, device, lamport, kind, about, subject, body, state)
		VALUES (?, ?, ?, ?, (SELECT coalesce(max(lamport), 0) + 1 FROM desk_events WHERE state <> 'altered'), ?, ?, ?, ?, 'waiting') ON CONFLICT (id) DO NOTHING`,
		e.id.String(), there, m.Member, m.Device.String(), string(e.kind), about, e.subject, body)
	t.desk = true
	return err
}

// shareRecord keeps what was done in a case to be sent, where that is shared. Tags must be those of before.
func (t *transaction) shareRecord(ctx context.Context, of int64, e CaseEvent) error {
	out := eventOf{id: desk.IDOf(e.ID), body: desk.Body{At: e.At, Text: e.Text}}
	switch e.Kind {
	case CaseNoted:
		out.kind = desk.Note
	case CaseChecked:
		out.kind, out.body.Check = desk.Check, string(e.Check)
	case CaseAsked:
		out.kind = desk.Task
	case CaseAnswered:
		out.kind, out.about = desk.Answer, desk.IDOf(e.About)
		if len(e.Evidence) > 0 {
			evidence, err := json.Marshal(e.Evidence)
			if err != nil {
				return err
			}
			out.body.Evidence = evidence
		}
	case CaseAssigned:
		if err := t.shareAssigned(ctx, of, e, &out); err != nil {
			return err
		}
	case CaseTagged:
		return t.shareTags(ctx, of, out, TagsOf(e.Text))
	case CaseRenamed:
		out.kind = desk.Title
	case CaseDrawn:
		out.kind = desk.Conclusion
	case CaseClosed:
		out.kind, out.body.State = desk.Conclusion, string(CaseConcluded)
	case CaseReopened:
		out.kind, out.body.State = desk.Conclusion, string(CaseOpen)
	case CaseSignOffRequired:
		out.kind, out.body.State = desk.Rule, desk.Required
	case CaseSignOffNotRequired:
		out.kind, out.body.State = desk.Rule, desk.NotRequired
	case CaseRetention:
		days, err := retentionDays(e.Text)
		if err != nil {
			return err
		}
		out.kind, out.body.Text, out.body.Days = desk.Retention, "", days
	case CaseItemAdded:
		return t.shareItems(ctx, "i.of_case = ?1 AND s.id = ?2", of, e.About)
	case CaseItemRemoved:
		return t.withdrawItem(ctx, of, e.About)
	default:
		return nil // CaseCreated: ShareCase sends the title; judgements and sign-offs are sent where they are made
	}
	return t.emit(ctx, of, out)
}

// shareTags sends which tags are new, and for those that are gone which events had added them.
func (t *transaction) shareTags(ctx context.Context, of int64, e eventOf, after []string) error {
	present, err := t.tagsAtDesk(ctx, of)
	if err != nil {
		return err
	}
	e.kind, e.body.Text = desk.Tag, ""
	for _, tag := range after {
		if !slices.ContainsFunc(present, func(p addedTag) bool { return strings.EqualFold(p.tag, tag) }) {
			e.body.Add = append(e.body.Add, tag)
		}
	}
	for _, p := range present {
		if !HasTag(after, p.tag) {
			e.body.Remove = append(e.body.Remove, desk.Removed{Tag: p.tag, Event: p.event})
		}
	}
	if len(e.body.Add)+len(e.body.Remove) == 0 {
		return nil
	}
	return t.emit(ctx, of, e)
}

// shareItems sends the answers of items, as far as their gates and the person's choices allow; where says which, of case_items i and submissions s.
func (t *transaction) shareItems(ctx context.Context, where string, values ...any) error {
	type item struct {
		of    int64
		there uuid.UUID
		id    string
		share desk.Share
		added time.Time
	}
	var all []item
	err := t.each(ctx, func(row scanner) error {
		var i item
		var gate submission.Gate
		var own, ofCase desk.Share
		if err := row.Scan(&i.of, &i.there, &i.id, &gate, &own, &ofCase, timeInto{&i.added}); err != nil {
			return err
		}
		switch i.share = own; {
		case gate == submission.GateSend && own == "":
			i.share = ofCase
		case gate != submission.GateSend && gate != submission.GateAsk:
			i.share = ""
		}
		if i.share != "" {
			all = append(all, i)
		}
		return nil
	}, `SELECT i.of_case, c.desk_case, CASE s.earlier WHEN '' THEN s.id ELSE s.earlier END, s.gate, i.share, c.share, i.added
		FROM case_items i JOIN submissions s ON s.key = i.submission JOIN cases c ON c.key = i.of_case WHERE c.desk_case <> '' AND `+where, values...)
	if err != nil {
		return err
	}
	for _, i := range all {
		sub, found, err := getBy(ctx, t.connection, "WHERE s.id = ?", i.id)
		if err != nil {
			return err
		}
		// Of what a colleague shared, and of what never leaves, nothing is sent, also where another of the same content may be.
		if !found || sub.State != submission.Done || sub.Result == nil || sub.Source == submission.Desk || sub.Gate != submission.GateSend && sub.Gate != submission.GateAsk {
			continue
		}
		hashes, err := t.hashesToShare(ctx, &sub, i.share)
		if err != nil {
			return err
		}
		e := itemEvent(&sub, i.added, i.share, hashes, t.store.options.Sandbox)
		if (sub.AnsweredBy != submission.Colleague{}) && t.has(ctx, `SELECT 1 FROM desk_events e WHERE desk_case = ? AND kind = 'result' AND subject = ?
			AND json_extract(CAST(body AS TEXT), '$.item.requestId') = ? AND `+notWithdrawn, i.there.String(), e.subject, sub.RequestID) {
			continue // whose answer it is has shared it there
		}
		e.id = uuid.NewSHA1(i.there, slices.Concat(e.subject, []byte(sumOf(sub.Result.Raw)), []byte(i.share)))
		for t.has(ctx, "SELECT 1 FROM desk_events e WHERE e.id = ? AND NOT "+notWithdrawn, e.id.String()) {
			e.id = uuid.NewSHA1(i.there, e.id[:]) // it was taken out of the case, and comes into it again
		}
		if err := t.emit(ctx, i.of, e); err != nil {
			return err
		}
		if err := t.shareEarlierJudgements(ctx, i.of, &sub, i.share); err != nil {
			return err
		}
	}
	return nil
}

// itemEvent is what a desk is told of a submission that was answered, and was added to a case.
func itemEvent(sub *submission.Submission, added time.Time, share desk.Share, hashes []desk.PDQ, sandbox bool) eventOf {
	item := &desk.Item{
		Sandbox: sandbox, RequestID: sub.RequestID, Status: string(sub.Result.FiledStatus()), Release: sub.Result.ReleaseVersion.Verbatim(),
		Type: string(sub.Type), Answered: sub.Answered.UTC(),
	}
	e := eventOf{kind: desk.Result, body: desk.Body{At: added.UTC(), Item: item}}
	if sum, err := hex.DecodeString(sub.SHA256); err == nil && len(sum) == sha256.Size {
		e.subject = sum
	}
	if share != desk.ShareStatus {
		item.Size, item.Result, item.PDQ = sub.Size, client.WithoutLinks(sub.Result.Raw), hashes
		if share != desk.ShareAll {
			item.Result = client.WithoutNames(item.Result, sub.Name, sub.SendName, strings.TrimSuffix(sub.SendName, filepath.Ext(sub.SendName)))
		}
		if body, err := json.Marshal(e.body); err != nil || len(body) > desk.LargestBody {
			item.Result, item.PDQ = nil, nil
		}
	}
	if share == desk.ShareAll {
		item.Name = sub.Name
	}
	return e
}

// withdrawItem takes what was shared of an item back out of the case.
func (t *transaction) withdrawItem(ctx context.Context, of int64, id string) error {
	results, err := t.resultsAtDesk(ctx, of, id)
	if err != nil {
		return err
	}
	// Where another answer on the same content stays in the case, only this one is taken out.
	other := t.has(ctx, `SELECT 1 FROM submissions d JOIN submissions s ON s.sha256 = d.sha256 AND s.sha256 <> '' JOIN case_items i ON i.submission = s.key
		WHERE d.id = ?2 AND i.of_case = ?1 AND (s.gate <> 'never' OR s.source = 'desk')`, of, id)
	for _, about := range results {
		if other && !t.has(ctx, `SELECT CASE WHEN json_valid(CAST(e.body AS TEXT)) THEN json_extract(CAST(e.body AS TEXT), '$.item.requestId') = s.request_id END
			FROM desk_events e, submissions s WHERE e.id = ? AND s.id = ?`, about.String(), id) {
			continue
		}
		if err := t.emit(ctx, of, eventOf{kind: desk.Withdraw, about: about, body: desk.Body{At: t.store.options.Now()}}); err != nil {
			return err
		}
	}
	return nil
}

// resultsAtDesk are the events that shared a submission's content in a case, the latest last.
func (c *connection) resultsAtDesk(ctx context.Context, of int64, id string) (all []uuid.UUID, err error) {
	err = c.each(ctx, func(row scanner) error {
		var event uuid.UUID
		err := row.Scan(&event)
		all = append(all, event)
		return err
	}, `SELECT e.id FROM cases c JOIN desk_events e ON e.desk_case = c.desk_case JOIN submissions s ON s.id = ?2
		WHERE c.key = ?1 AND c.desk_case <> '' AND e.kind = 'result' AND (e.id = s.id OR e.subject = unhex(s.sha256)) ORDER BY e.lamport, e.author, e.id`, of, id)
	return all, err
}

// ownTime is when something was done by its author's clock, as far as that can be: not after the desk's server had it.
func ownTime(said, received time.Time) time.Time {
	if said.IsZero() || said.Year() < 2020 || !received.IsZero() && said.After(received) {
		return received
	}
	return said
}
