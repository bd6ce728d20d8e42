package store

import (
	"context"
	"encoding/hex"
	"slices"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/desk"
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
	reviews, err := c.reviews(ctx, m, caseID)
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

// reviews reports whether a member's role at the desk, and what they may do in a shared case as far as the desk has said, lets them sign off there.
func (c *connection) reviews(ctx context.Context, m Membership, caseID string) (bool, error) {
	n, err := c.number(ctx, `SELECT count(*) FROM desk_members, cases WHERE name = ? AND role IN ('reviewer', 'admin') AND revoked = 0
		AND id = ? AND level IN ('', 'reviewer', 'owner')`, m.Member, caseID)
	return n > 0, err
}

func displayed(called map[string]string, member string) string {
	if display := called[member]; display != "" {
		return display
	}
	return member
}

// itemAtDesk is the ID here of the submission in a case that an event of the desk has shared; "" where there is none.
func (c *connection) itemAtDesk(ctx context.Context, caseID string, result uuid.UUID, subject []byte) (id string, err error) {
	_, err = c.one(ctx, []any{&id}, "SELECT "+shownItem+` FROM cases c JOIN case_items i ON i.of_case = c.key JOIN submissions s ON s.key = i.submission
		WHERE c.id = ? AND (s.id = ? OR s.sha256 = ? AND s.sha256 <> '') ORDER BY i.seq LIMIT 1`, caseID, result.String(), hex.EncodeToString(subject))
	return id, err
}
