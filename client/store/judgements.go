package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/desk"
	"assay/client/submission"
)

// Judgement is what somebody at the desk takes a result of a shared case to be. Of each person and content it is the last one, unless they have withdrawn it.
type Judgement struct {
	ID        string        // of its event
	Item      string        // the ID here of the submission that was judged; "" where that isn't here
	RequestID string        // of the content's latest answer, which a sign-off is bound to
	Status    client.Status // of that answer
	Release   string        // likewise
	Label     client.Label
	Comment   string
	By        string // as the desk shows them
	Own       bool   // by this person
	May       bool   // this person may sign it off, and has not
	At        time.Time
	SignOffs  []SignOff // the oldest first

	seen []string // the digests of the judgement and of the answer

	events []desk.Event // the judgement, its sign-offs, and the answers that they saw
}

// SignedOff reports whether a second person has signed it off, with the answer that there is now.
func (j *Judgement) SignedOff() bool {
	return slices.ContainsFunc(j.SignOffs, func(s SignOff) bool { return !s.Void })
}

// SignOff is a second person's word for a judgement, and for the answer that was judged.
type SignOff struct {
	ID      string // of its event
	By      string
	Own     bool
	At      time.Time
	Release string // of the answer that was signed off; "" where that isn't known here
	Void    bool   // the content's latest answer has another status, or is of another release
}

// Judgements returns the judgements in a shared case with their sign-offs, the oldest first. A case of this computer alone has none.
func (s *Store) Judgements(ctx context.Context, caseID string) ([]Judgement, error) {
	all, err := s.readers.judgements(ctx, caseID)
	return all, s.read("read the judgements", err)
}

// SignedEvent is an event of a judgement as the computer of its author signed it, with that computer's public key.
type SignedEvent struct {
	desk.Event
	Key  []byte // Ed25519
	Item string // the ID here of the submission that it is about; "" where that isn't here
}

// SignedJudgements returns the events of the judgements in a shared case with their signatures, each once: the judgements, their sign-offs, and the answers
// that were signed off. missing is how many have none, since the desk does not have them yet, or whose key is not known here.
func (s *Store) SignedJudgements(ctx context.Context, caseID string) (all []SignedEvent, missing int, err error) {
	judged, err := s.Judgements(ctx, caseID)
	if err != nil || len(judged) == 0 {
		return nil, 0, err
	}
	devices, err := s.DeskDevices(ctx)
	if err != nil {
		return nil, 0, err
	}
	there := map[uuid.UUID]bool{}
	for _, j := range judged {
		for _, e := range j.events {
			if there[e.ID] {
				continue
			}
			there[e.ID] = true
			device := devices[e.Device]
			if device.Member != e.Author || e.Verify(device.Key) != nil {
				missing++
				continue
			}
			all = append(all, SignedEvent{Event: e, Key: device.Key, Item: j.Item})
		}
	}
	return all, missing, nil
}

// SignOff signs off a judgement as Judgements returned it, for the person of this computer. One that they have signed off already stays as it is. The error is
// ErrNoDesk without a membership, ErrNoCase or ErrNoJudgement where there is none, ErrOwnJudgement for their own, ErrNoReviewer where their role
// doesn't let them, and ErrNotAsSeen where the judgement's answer is another one by now.
func (s *Store) SignOff(ctx context.Context, caseID string, judgement Judgement) error {
	return s.changeJudgements(ctx, "sign off", caseID, func(ctx context.Context, t *transaction, of int64, m Membership, all []Judgement) error {
		i := slices.IndexFunc(all, func(j Judgement) bool { return j.ID == judgement.ID })
		switch {
		case i < 0:
			return ErrNoJudgement
		case all[i].Own:
			return ErrOwnJudgement
		case !slices.Equal(all[i].seen, judgement.seen):
			return ErrNotAsSeen
		}
		if reviews, err := t.reviews(ctx, m); err != nil || !reviews {
			return errors.Join(err, missing(reviews, ErrNoReviewer))
		}
		if !all[i].May { // they have already
			return nil
		}
		now := t.store.options.Now()
		e := eventOf{id: uuid.New(), kind: desk.SignOff, about: uuid.MustParse(judgement.ID), body: desk.Body{At: now.UTC(), Seen: all[i].seen}}
		if err := t.emit(ctx, of, e); err != nil {
			return err
		}
		return t.recordOwn(ctx, of, m, CaseEvent{ID: e.id.String(), Kind: CaseSignedOff, Text: all[i].By, About: all[i].Item, Label: all[i].Label, At: now})
	})
}

// WithdrawJudgement takes this person's own judgement in a shared case back, and with it every sign-off of it. What the service was told stays there.
func (s *Store) WithdrawJudgement(ctx context.Context, caseID, id string) error {
	return s.changeJudgements(ctx, "withdraw the judgement", caseID, func(ctx context.Context, t *transaction, of int64, m Membership, all []Judgement) error {
		i := slices.IndexFunc(all, func(j Judgement) bool { return j.ID == id && j.Own })
		if i < 0 {
			return ErrNoJudgement
		}
		return t.withdraw(ctx, of, m, id, CaseEvent{Kind: CaseJudgementWithdrawn, About: all[i].Item, Label: all[i].Label})
	})
}

// WithdrawSignOff takes this person's own sign-offs of a judgement back.
func (s *Store) WithdrawSignOff(ctx context.Context, caseID, id string) error {
	return s.changeJudgements(ctx, "withdraw the sign-off", caseID, func(ctx context.Context, t *transaction, of int64, m Membership, all []Judgement) error {
		i := slices.IndexFunc(all, func(j Judgement) bool { return j.ID == id })
		if i < 0 {
			return ErrNoJudgement
		}
		for _, s := range all[i].SignOffs {
			if !s.Own {
				continue
			}
			if err := t.withdraw(ctx, of, m, s.ID, CaseEvent{Kind: CaseSignOffWithdrawn, Text: all[i].By, About: all[i].Item, Label: all[i].Label}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) changeJudgements(ctx context.Context, op, caseID string, do func(context.Context, *transaction, int64, Membership, []Judgement) error) error {
	return s.write(ctx, op, func(ctx context.Context, t *transaction) error {
		m, joined, err := t.membership(ctx)
		if err == nil && !joined {
			err = ErrNoDesk
		}
		if err != nil {
			return err
		}
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		all, err := t.judgements(ctx, caseID)
		if err != nil {
			return err
		}
		return do(ctx, t, of, m, all)
	})
}

func (t *transaction) withdraw(ctx context.Context, of int64, m Membership, about string, record CaseEvent) error {
	record.ID, record.At = uuid.NewString(), t.store.options.Now()
	e := eventOf{id: uuid.MustParse(record.ID), kind: desk.Withdraw, about: uuid.MustParse(about), body: desk.Body{At: record.At.UTC()}}
	if err := t.emit(ctx, of, e); err != nil {
		return err
	}
	return t.recordOwn(ctx, of, m, record)
}

// recordOwn keeps what the member has done in a shared case, under the name by which colleagues know them.
func (t *transaction) recordOwn(ctx context.Context, of int64, m Membership, record CaseEvent) (err error) {
	if record.By, err = t.displayOf(ctx, m.Member); err == nil {
		_, err = t.insertRecord(ctx, of, record)
	}
	return err
}

// allow refuses what a case does not allow to be done in it.
func (t *transaction) allow(ctx context.Context, of int64, kind CaseEventKind) error {
	var id, there string
	var required bool
	switch kind {
	case CaseSignOffRequired, CaseSignOffNotRequired, CaseClosed:
		if _, err := t.one(ctx, []any{&id, &there, &required}, "SELECT id, desk_case, sign_off FROM cases WHERE key = ?", of); err != nil {
			return err
		}
	default:
		return nil
	}
	if kind != CaseClosed {
		return missing(there != "", ErrNotShared)
	}
	if !required {
		return nil
	}
	all, err := t.judgements(ctx, id)
	if slices.ContainsFunc(all, func(j Judgement) bool { return !j.SignedOff() }) {
		return ErrNotSignedOff
	}
	return err
}

// The events that decide what is judged and signed off: in all of them the same wherever the same events are. What was altered or redacted, and what
// the desk refused, has no say. Of a case's answers only those are read that somebody has judged, and the others on their contents.
const judgementEvents = `WHERE desk_case = ?1 AND state IN ('waiting', 'shared') AND body IS NOT NULL AND (kind IN ('judgement', 'sign_off', 'withdraw')
	OR kind = 'result' AND (id IN (SELECT about FROM desk_events WHERE desk_case = ?1 AND kind = 'judgement')
		OR subject IN (SELECT r.subject FROM desk_events j JOIN desk_events r ON r.id = j.about WHERE j.desk_case = ?1 AND j.kind = 'judgement' AND r.desk_case = ?1)))
	ORDER BY lamport, author, id`

func (c *connection) judgements(ctx context.Context, caseID string) ([]Judgement, error) {
	var there string
	if found, err := c.one(ctx, []any{&there}, "SELECT desk_case FROM cases WHERE id = ? AND desk_case <> ''", caseID); err != nil || !found {
		return nil, err
	}
	m, _, err := c.membership(ctx)
	if err != nil {
		return nil, err
	}
	events, err := eventsAtDesk(ctx, c, judgementEvents, there)
	if err != nil {
		return nil, err
	}
	called := map[string]string{}
	if err := c.each(ctx, func(row scanner) error {
		var name, display string
		err := row.Scan(&name, &display)
		called[name] = display
		return err
	}, "SELECT name, display FROM desk_members"); err != nil {
		return nil, err
	}
	reviews, err := c.reviews(ctx, m)
	if err != nil {
		return nil, err
	}
	found := judge(events)
	all := make([]Judgement, 0, len(found))
	for _, f := range found {
		j := Judgement{
			ID: f.ID.String(), RequestID: f.latest.body.Item.RequestID, Status: client.Status(f.latest.body.Item.Status), Release: f.latest.body.Item.Release,
			Label: client.Label(f.body.Label), Comment: f.body.Text, By: displayed(called, f.Author), Own: f.Author == m.Member, At: ownTime(f.body.At, f.At),
			seen: []string{f.digest(), f.latest.digest()},
		}
		if j.Item, err = c.itemAtDesk(ctx, caseID, f.latest.ID, f.latest.Subject); err != nil {
			return nil, err
		}
		j.events = append(j.events, f.Event, f.latest.Event)
		for _, s := range f.signOffs {
			j.events = append(j.events, s.Event)
			if s.answer != nil {
				j.events = append(j.events, *s.answer)
			}
			j.SignOffs = append(j.SignOffs, SignOff{
				ID: s.ID.String(), By: displayed(called, s.Author), Own: s.Author == m.Member, At: ownTime(s.body.At, s.At), Release: s.release, Void: s.void,
			})
		}
		j.May = reviews && !j.Own && !slices.ContainsFunc(j.SignOffs, func(s SignOff) bool { return s.Own && !s.Void })
		all = append(all, j)
	}
	return all, nil
}

// reviews reports whether a member's role lets them sign off.
func (c *connection) reviews(ctx context.Context, m Membership) (bool, error) {
	n, err := c.number(ctx, "SELECT count(*) FROM desk_members WHERE name = ? AND role IN ('reviewer', 'admin') AND revoked = 0", m.Member)
	return n > 0, err
}

func displayed(called map[string]string, member string) string {
	if display := called[member]; display != "" {
		return display
	}
	return member
}

// eventRead is an event with what it says.
type eventRead struct {
	desk.Event
	body desk.Body
}

// digest is also that of an event which is not sent yet.
func (e *eventRead) digest() string {
	if e.Digest == nil {
		return hex.EncodeToString(desk.Digest(e.Subject, e.Body))
	}
	return hex.EncodeToString(e.Digest)
}

// content tells what a result is on: the same file has the same hash, and what has none is told by its event.
func (e *eventRead) content() string {
	if len(e.Subject) == 0 {
		return e.ID.String()
	}
	return string(e.Subject)
}

// currentJudgement is a judgement that was neither withdrawn nor replaced by its author.
type currentJudgement struct {
	eventRead
	latest   eventRead // of the content's answers
	signOffs []signedOff
}

type signedOff struct {
	eventRead
	answer  *desk.Event // that was signed off; nil: it is not here
	release string
	void    bool
}

// judge tells from a case's events, in their order, what is judged, and whether that is signed off.
func judge(events []desk.Event) (all []currentJudgement) {
	byID := map[uuid.UUID]eventRead{}
	withdrawn := map[uuid.UUID]bool{}
	for _, e := range events {
		j := eventRead{Event: e}
		if json.Unmarshal(e.Body, &j.body) != nil || e.Kind == desk.Result && j.body.Item == nil {
			continue // of another shape: from a later Assay, or from somebody hostile
		}
		byID[e.ID] = j
	}
	for _, w := range events {
		// Anybody may take an item out of a case; what somebody has said, only they take back.
		if of, known := byID[w.About]; w.Kind == desk.Withdraw && known && (of.Kind == desk.Result || of.Author == w.Author) {
			withdrawn[of.ID] = true
		}
	}
	latest, answers := map[string]eventRead{}, map[string]eventRead{} // by content; by content and digest
	for _, e := range events {
		r, known := byID[e.ID]
		if !known || r.Kind != desk.Result {
			continue
		}
		answers[r.content()+r.digest()] = r
		if !withdrawn[r.ID] {
			latest[r.content()] = r
		}
	}
	last := map[string]uuid.UUID{} // by author and content
	for _, e := range events {
		if about := byID[e.About]; e.Kind == desk.Judgement && about.Kind == desk.Result && !withdrawn[e.ID] {
			last[e.Author+"\x00"+about.content()] = e.ID
		}
	}
	for _, e := range events {
		about := byID[e.About]
		if e.Kind != desk.Judgement || about.Kind != desk.Result || last[e.Author+"\x00"+about.content()] != e.ID {
			continue
		}
		if now, there := latest[about.content()]; there { // else the item was taken out of the case
			all = append(all, currentJudgement{eventRead: byID[e.ID], latest: now})
		}
	}
	for i := range all {
		j := &all[i]
		for _, e := range events {
			s, known := byID[e.ID]
			if !known || s.Kind != desk.SignOff || s.About != j.ID || s.Author == j.Author || withdrawn[s.ID] || len(s.body.Seen) != 2 || s.body.Seen[0] != j.digest() {
				continue
			}
			signed := signedOff{eventRead: s, void: true}
			if of, known := answers[j.latest.content()+s.body.Seen[1]]; known {
				signed.answer = &of.Event
				signed.release = of.body.Item.Release
				signed.void = of.body.Item.Status != j.latest.body.Item.Status || of.body.Item.Release != j.latest.body.Item.Release
			}
			j.signOffs = append(j.signOffs, signed)
		}
	}
	return all
}

// itemAtDesk is the ID here of the submission in a case that an event of the desk has shared; "" where there is none.
func (c *connection) itemAtDesk(ctx context.Context, caseID string, result uuid.UUID, subject []byte) (id string, err error) {
	_, err = c.one(ctx, []any{&id}, "SELECT "+shownItem+` FROM cases c JOIN case_items i ON i.of_case = c.key JOIN submissions s ON s.key = i.submission
		WHERE c.id = ? AND (s.id = ? OR s.sha256 = ? AND s.sha256 <> '') ORDER BY i.seq LIMIT 1`, caseID, result.String(), hex.EncodeToString(subject))
	return id, err
}

// shareJudgement sends what the person said of a result, in each shared case that it was shared in.
func (t *transaction) shareJudgement(ctx context.Context, f *Feedback) error {
	type item struct {
		of    int64
		id    string
		share desk.Share
	}
	var all []item
	err := t.each(ctx, func(row scanner) error {
		var i item
		err := row.Scan(&i.of, &i.id, &i.share)
		all = append(all, i)
		return err
	}, `SELECT c.key, s.id, CASE i.share WHEN '' THEN c.share ELSE i.share END FROM submissions s JOIN case_items i ON i.submission = s.key JOIN cases c ON c.key = i.of_case
		WHERE s.request_id = ? AND s.request_id <> '' AND c.desk_case <> '' AND (s.gate <> 'never' OR s.source = 'desk')
			AND NOT EXISTS (SELECT 1 FROM submissions o WHERE o.request_id = s.request_id AND o.gate = 'never' AND o.source <> 'desk')`, f.RequestID)
	if err != nil {
		return err
	}
	for _, i := range all {
		if err := t.judgeAtDesk(ctx, i.of, i.id, i.share, f); err != nil {
			return err
		}
	}
	return nil
}

// shareEarlierJudgements sends what the person had said of a result before it was shared.
func (t *transaction) shareEarlierJudgements(ctx context.Context, of int64, sub *submission.Submission, share desk.Share) error {
	if sub.RequestID == "" {
		return nil
	}
	given, err := feedbackOf(ctx, t.connection, "WHERE request_id = ? AND state <> 'waiting' ORDER BY given, rowid", sub.RequestID)
	if err != nil {
		return err
	}
	for i := range given {
		if err := t.judgeAtDesk(ctx, of, sub.ID, share, &given[i]); err != nil {
			return err
		}
	}
	return nil
}

// judgeAtDesk sends what the person said of a submission's content in a shared case, if that was shared there. The same feedback is always the same event.
func (t *transaction) judgeAtDesk(ctx context.Context, of int64, id string, share desk.Share, f *Feedback) error {
	results, err := t.resultsAtDesk(ctx, of, id)
	if err != nil || len(results) == 0 {
		return err // nobody there knows of the content
	}
	about := results[len(results)-1]
	for _, result := range results {
		if t.has(ctx, `SELECT CASE WHEN json_valid(CAST(body AS TEXT)) THEN json_extract(CAST(body AS TEXT), '$.item.requestId') = ?2 END FROM desk_events WHERE id = ?1`, result.String(), f.RequestID) {
			about = result
		}
	}
	m, _, err := t.membership(ctx)
	if err != nil {
		return err
	}
	var there uuid.UUID
	if _, err := t.one(ctx, []any{&there}, "SELECT desk_case FROM cases WHERE key = ?", of); err != nil {
		return err
	}
	e := eventOf{id: uuid.NewSHA1(there, []byte("judgement "+f.ID)), kind: desk.Judgement, about: about, body: desk.Body{At: f.Given.UTC(), Label: string(f.Label)}}
	if share != desk.ShareStatus {
		e.body.Text = f.Comment
	}
	if t.has(ctx, "SELECT 1 FROM desk_events WHERE id = ?", e.id.String()) {
		return nil
	}
	if err := t.emit(ctx, of, e); err != nil {
		return err
	}
	return t.recordOwn(ctx, of, m, CaseEvent{ID: e.id.String(), Kind: CaseJudgement, Text: f.Comment, About: id, Label: f.Label, At: f.Given})
}

// judgementRecord completes the record of a judgement or a sign-off that was received.
func (t *transaction) judgementRecord(ctx context.Context, of int64, e *Received, body desk.Body, record CaseEvent) (CaseEvent, error) {
	if e.Kind == desk.SignOff {
		record.Kind, record.Text = CaseSignedOff, ""
		_, err := t.one(ctx, []any{&record.Text, &record.Label, &record.About}, "SELECT author, label, about FROM case_records WHERE id = ? AND of_case = ?", e.About.String(), of)
		return record, err
	}
	record.Kind, record.Label = CaseJudgement, client.Label(body.Label)
	var caseID string
	var subject []byte
	if _, err := t.one(ctx, []any{&caseID, &subject}, "SELECT c.id, r.subject FROM cases c LEFT JOIN desk_events r ON r.id = ?2 AND r.kind = 'result' AND r.desk_case = c.desk_case WHERE c.key = ?1", of, e.About.String()); err != nil {
		return record, err
	}
	var err error
	record.About, err = t.itemAtDesk(ctx, caseID, e.About, subject)
	return record, err
}

// withdrawn keeps that a colleague has withdrawn their own judgement or sign-off; done is false where the event is about something else.
func (t *transaction) withdrawn(ctx context.Context, of int64, e *Received, record CaseEvent) (done bool, err error) {
	var kind desk.Kind
	var author string
	if _, err := t.one(ctx, []any{&kind, &author}, "SELECT kind, author FROM desk_events WHERE id = ? AND desk_case = ?", e.About.String(), e.Case.String()); err != nil {
		return false, err
	}
	switch kind {
	case desk.Judgement:
		record.Kind = CaseJudgementWithdrawn
	case desk.SignOff:
		record.Kind = CaseSignOffWithdrawn
	default:
		return false, nil
	}
	if author != e.Author {
		return true, nil
	}
	_, err = t.one(ctx, []any{&record.Text, &record.Label, &record.About}, "SELECT CASE kind WHEN 'signed-off' THEN text ELSE '' END, label, about FROM case_records WHERE id = ? AND of_case = ?", e.About.String(), of)
	if err == nil {
		_, err = t.insertRecord(ctx, of, record)
	}
	return true, err
}
