package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/desk"
	"assay/client/submission"
)

// DeskMember is somebody at the desk.
type DeskMember struct {
	Name    string // login
	Display string
	Role    string // see postgres.Role
	Revoked bool
}

// DeskDevice is a member's computer.
type DeskDevice struct {
	ID     uuid.UUID
	Member string
	Key    []byte // Ed25519, public
}

// DeskMembers are those at the desk, as far as this computer has heard, by their names.
func (s *Store) DeskMembers(ctx context.Context) (all []DeskMember, err error) {
	err = s.readers.each(ctx, func(row scanner) error {
		var m DeskMember
		err := row.Scan(&m.Name, &m.Display, &m.Role, &m.Revoked)
		all = append(all, m)
		return err
	}, "SELECT name, display, role, revoked FROM desk_members ORDER BY name")
	return all, s.read("read who is at the desk", err)
}

// DeskDevices are the computers that this one has heard of, by their IDs.
func (s *Store) DeskDevices(ctx context.Context) (map[uuid.UUID]DeskDevice, error) {
	all := map[uuid.UUID]DeskDevice{}
	err := s.readers.each(ctx, func(row scanner) error {
		var d DeskDevice
		err := row.Scan(&d.ID, &d.Member, &d.Key)
		all[d.ID] = d
		return err
	}, "SELECT id, member, key FROM desk_devices")
	return all, s.read("read who is at the desk", err)
}

// partOf begins the names of the facts that say of which cases not all is here yet.
const partOf = "part of the desk's case "

// PartOf names the fact that not all of a desk's case is here yet.
func PartOf(id uuid.UUID) string { return partOf + id.String() }

// DeskCases are the cases of the desk of which all is here, by their IDs there.
func (s *Store) DeskCases(ctx context.Context) (map[uuid.UUID]bool, error) {
	all := map[uuid.UUID]bool{}
	err := s.readers.each(ctx, func(row scanner) error {
		var id uuid.UUID
		err := row.Scan(&id)
		all[id] = true
		return err
	}, "SELECT desk_case FROM cases WHERE desk_case <> '' AND NOT EXISTS (SELECT 1 FROM facts WHERE name = ? || desk_case)", partOf)
	return all, s.read("read the cases", err)
}

// DeskCounts is how much was shared.
type DeskCounts struct {
	Pending  int // not sent yet
	Refused  int // the desk does not take them
	Received int // from others
	Altered  int // of those, not what their authors signed, or emptied, though nobody who may did so and their case's time was not over
}

// DeskCounts counts the events.
func (s *Store) DeskCounts(ctx context.Context) (c DeskCounts, err error) {
	if _, err = s.readers.one(ctx, []any{&c.Pending, &c.Refused, &c.Received, &c.Altered}, `SELECT (SELECT count(*) FROM desk_events WHERE state = 'waiting'),
		(SELECT count(*) FROM desk_events WHERE state = 'refused'), (SELECT count(*) FROM desk_events WHERE device <> (SELECT device FROM desk)),
		(SELECT count(*) FROM desk_events WHERE state = 'altered')`); err == nil {
		var emptied int
		emptied, err = s.readers.emptiedTooEarly(ctx, s.options.Now())
		c.Altered += emptied
	}
	return c, s.read("read the desk", err)
}

// Checked is that a colleague has checked a content.
type Checked struct {
	By      string // as the desk shows them
	At      time.Time
	Status  client.Status // as client.Result.FiledStatus has it
	Release string
	Case    string // the ID here of the case that it was shared in
	Title   string // of that case
	// ID is the submission's here that has the colleague's answer, by which it can be taken over; "" where only its status was shared.
	ID string
	// Judgement is what the newsroom judged of it last, and JudgementBy who; "" for nothing.
	Judgement   client.Label
	JudgementBy string
}

// CheckedByColleagues returns which colleagues have shared an answer on a content, by its SHA-256 in hex, the latest first. An answer that was shared
// several times is its first sharer's, and is there once.
func (s *Store) CheckedByColleagues(ctx context.Context, content string) (all []Checked, err error) {
	sum, err := hex.DecodeString(content)
	if err != nil || len(sum) == 0 {
		return nil, nil // a link has no hash
	}
	shared := map[string]int{} // by request ID: the place in all
	err = s.readers.each(ctx, func(row scanner) error {
		var c Checked
		var raw, judgement []byte
		if err := row.Scan(&c.By, timeInto{&c.At}, &raw, &c.Case, &c.Title, &c.ID, &judgement, &c.JudgementBy); err != nil {
			return err
		}
		var body, judged desk.Body
		if json.Unmarshal(raw, &body) != nil || body.Item == nil || body.Item.Sandbox != s.options.Sandbox {
			return nil
		}
		if json.Unmarshal(judgement, &judged) == nil {
			c.Judgement = client.Label(judged.Label)
		}
		c.At, c.Status, c.Release = ownTime(body.Item.Answered, c.At), client.Status(body.Item.Status), body.Item.Release
		before, known := shared[body.Item.RequestID]
		switch {
		case !known:
			shared[body.Item.RequestID] = len(all)
			all = append(all, c)
		case all[before].ID == "" && c.ID != "" || all[before].Judgement == "" && c.Judgement != "" && c.ID != "":
			c.By = all[before].By
			all[before] = c
		}
		return nil
	}, `SELECT coalesce(m.display, e.author), e.at, e.body, c.id, c.title, coalesce(s.id, ''), j.body, coalesce(jm.display, j.author, '')
		FROM desk_events e JOIN cases c ON c.desk_case = e.desk_case LEFT JOIN desk_members m ON m.name = e.author LEFT JOIN submissions s ON s.id = e.id
		LEFT JOIN desk_events j ON j.seq = (SELECT o.seq FROM desk_events o WHERE o.about = e.id AND o.desk_case = e.desk_case AND o.kind = 'judgement' AND o.body IS NOT NULL AND o.state <> 'altered'
			AND NOT EXISTS (SELECT 1 FROM desk_events w WHERE w.about = o.id AND w.kind = 'withdraw' AND w.desk_case = e.desk_case AND w.state <> 'altered')
			ORDER BY lamport DESC, author DESC, id DESC LIMIT 1)
		LEFT JOIN desk_members jm ON jm.name = j.author
		WHERE e.subject = ? AND e.kind = 'result' AND e.body IS NOT NULL AND e.state = 'shared' AND e.device <> (SELECT device FROM desk)
			AND NOT EXISTS (SELECT 1 FROM desk_events w WHERE w.about = e.id AND w.kind = 'withdraw' AND w.desk_case = e.desk_case AND w.state <> 'altered')
		ORDER BY e.at, e.seq`, sum)
	slices.SortStableFunc(all, func(a, b Checked) int { return b.At.Compare(a.At) })
	return all, s.read("look for who has checked it", err)
}

// ByColleague returns the answer that a colleague has shared on a content, by its SHA-256 in hex, and who that is: the latest. Without a result, they
// have shared only that they have one.
func (s *Store) ByColleague(ctx context.Context, content string) (sub submission.Submission, by string, ok bool, err error) {
	all, err := s.CheckedByColleagues(ctx, content)
	if err != nil || len(all) == 0 {
		return sub, "", false, err
	}
	for _, c := range all {
		if c.ID == "" {
			continue
		}
		if sub, ok, err = s.Get(ctx, c.ID); ok || err != nil {
			return sub, c.By, ok, err
		}
	}
	return sub, all[0].By, true, nil
}

// eventsAtDesk reads events; where completes the statement.
func eventsAtDesk(ctx context.Context, c *connection, where string, values ...any) (all []desk.Event, err error) {
	err = c.each(ctx, func(row scanner) error {
		var e desk.Event
		var about string
		if err := row.Scan(&e.ID, &e.Case, &e.Author, &e.Device, &e.Lamport, &e.Kind, &about, &e.Subject, &e.Body, &e.Digest, &e.Sig, timeInto{&e.At}); err != nil {
			return err
		}
		if about != "" {
			if e.About, err = uuid.Parse(about); err != nil {
				return err
			}
		}
		all = append(all, e)
		return nil
	}, "SELECT id, desk_case, author, device, lamport, kind, about, subject, body, digest, sig, at FROM desk_events "+where, values...)
	return all, err
}
