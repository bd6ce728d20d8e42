package store

import (
	"context"

	"assay/client/desk"
	"assay/client/submission"
)

// AtDesk is how a case is at the desk. Its ID is "" while the case is on this computer alone.
type AtDesk struct {
	ID      string     // a UUID
	Share   desk.Share // how much of its items is shared
	Looked  int64      // up to where the person has seen what colleagues did: see LookedAt
	New     int        // what colleagues did since
	Unsent  int        // what was done here and the desk does not have yet
	Refused int        // what the desk did not take
	Keep    int        // for how many days after the last thing that was done the desk keeps it; 0: without limit
	LastBy  string     // who has done the last thing in it; "" where that isn't recorded
}

// byColleague is a condition on e, events of a shared case: what others have done and this computer's records show.
const byColleague = "e.author <> (SELECT member FROM desk) AND EXISTS (SELECT 1 FROM case_records r WHERE r.id = e.id)"

// selectAtDesk selects the fields of an AtDesk for c, a case.
const selectAtDesk = `c.desk_case, c.share, c.looked, c.keep,
	CASE c.desk_case WHEN '' THEN 0 ELSE (SELECT count(*) FROM desk_events e WHERE e.desk_case = c.desk_case AND e.seq > c.looked AND ` + byColleague + `) END,
	CASE c.desk_case WHEN '' THEN 0 ELSE (SELECT count(*) FROM desk_events e WHERE e.desk_case = c.desk_case AND e.state = 'waiting') END,
	CASE c.desk_case WHEN '' THEN 0 ELSE (SELECT count(*) FROM desk_events e WHERE e.desk_case = c.desk_case AND e.state = 'refused') END,
	coalesce((SELECT author FROM case_records WHERE of_case = c.key ORDER BY seq DESC LIMIT 1), '')`

// NewInCase returns the IDs of what colleagues did in a shared case after a position, as AtDesk.Looked is one, and the position of the last.
func (s *Store) NewInCase(ctx context.Context, caseID string, after int64) (ids map[string]bool, last int64, err error) {
	ids, last = map[string]bool{}, after
	err = s.readers.each(ctx, func(row scanner) error {
		var id string
		err := row.Scan(&last, &id)
		ids[id] = true
		return err
	}, `SELECT e.seq, e.id FROM cases c JOIN desk_events e ON e.desk_case = c.desk_case
		WHERE c.id = ? AND c.desk_case <> '' AND e.seq > ? AND `+byColleague+` ORDER BY e.seq`, caseID, after)
	return ids, last, s.read("read what is new in the case", err)
}

// LookedAt keeps up to where the person has seen what colleagues did in a case: a position that NewInCase gave.
func (s *Store) LookedAt(ctx context.Context, caseID string, last int64) error {
	return s.write(ctx, "keep what was seen", func(ctx context.Context, t *transaction) error {
		t.cases = append(t.cases, caseID)
		_, err := t.exec(ctx, "UPDATE cases SET looked = max(looked, ?) WHERE id = ?", last, caseID)
		return err
	})
}

// Sharing says what of a case's items goes to the desk.
type Sharing struct {
	Shared int // answered, and their gate lets them
	Later  int // once they are answered
	Asks   int // only by the person's word for each: AddToDesk
	Never  int // they never leave, and nor does their hash
	Others int // a colleague's answers, which are theirs to share
	Notes  int // notes, checks, questions, answers and judgements
}

// Staying are the items of a case that ShareCase does not share, by the IDs of their submissions, in their order.
type Staying struct {
	Asks  []string // until the person shares them one by one: AddToDesk
	Never []string
}

// stays sorts an item by what is shared of it by itself.
func stays(gate submission.Gate, source submission.Source) (asks, never bool) {
	switch {
	case source == submission.Desk, gate == submission.GateSend:
		return false, false
	case gate == submission.GateAsk:
		return true, false
	}
	return false, true
}

// SharingOf says what ShareCase would share.
func (s *Store) SharingOf(ctx context.Context, caseID string) (of Sharing, err error) {
	err = s.readers.each(ctx, func(row scanner) error {
		var gate submission.Gate
		var source submission.Source
		var done bool
		var n int
		err := row.Scan(&gate, &source, &done, &n)
		asks, never := stays(gate, source)
		switch {
		case never:
			of.Never += n
		case asks:
			of.Asks += n
		case source == submission.Desk:
			of.Others += n
		case done:
			of.Shared += n
		default:
			of.Later += n
		}
		return err
	}, `SELECT s.gate, s.source, s.state = 'done', count(*) FROM cases c JOIN case_items i ON i.of_case = c.key JOIN submissions s ON s.key = i.submission
		WHERE c.id = ? GROUP BY 1, 2, 3`, caseID)
	if err == nil {
		var n int64
		n, err = s.readers.number(ctx, `SELECT (SELECT count(*) FROM cases c JOIN case_records r ON r.of_case = c.key WHERE c.id = ?1 AND r.kind NOT IN ('created', 'added', 'removed',
				'tags', 'renamed', 'judgement', 'judgement-withdrawn', 'signed-off', 'sign-off-withdrawn', 'sign-off-required', 'sign-off-not-required', 'retention', 'expired'))
			+ (SELECT count(*) FROM feedback f WHERE f.state <> 'waiting' AND f.request_id IN (SELECT s.request_id FROM cases c JOIN case_items i ON i.of_case = c.key
				JOIN submissions s ON s.key = i.submission WHERE c.id = ?1 AND s.gate = 'send' AND s.state = 'done' AND s.request_id <> ''))`, caseID)
		of.Notes = int(n)
	}
	return of, s.read("read the case", err)
}

// StayingIn returns what of a shared case is on this computer alone.
func (s *Store) StayingIn(ctx context.Context, caseID string) (of Staying, err error) {
	err = s.readers.each(ctx, func(row scanner) error {
		var id string
		var gate submission.Gate
		var source submission.Source
		if err := row.Scan(&id, &gate, &source); err != nil {
			return err
		}
		switch asks, never := stays(gate, source); {
		case asks:
			of.Asks = append(of.Asks, id)
		case never:
			of.Never = append(of.Never, id)
		}
		return nil
	}, "SELECT "+shownItem+` AS shown, s.gate, s.source FROM cases c JOIN case_items i ON i.of_case = c.key JOIN submissions s ON s.key = i.submission
		WHERE c.id = ? AND c.desk_case <> '' AND i.share = '' GROUP BY shown ORDER BY min(i.seq)`, caseID)
	return of, s.read("read the case", err)
}

// AddToDesk shares items of a shared case by the person's word for each, as far as share says. What never leaves is ErrNeverShared, and then none is.
func (s *Store) AddToDesk(ctx context.Context, caseID string, ids []string, share desk.Share) error {
	return s.write(ctx, "share the results", func(ctx context.Context, t *transaction) error {
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		for _, id := range ids {
			var gate submission.Gate
			found, err := t.one(ctx, []any{&gate}, "SELECT gate FROM submissions WHERE id = ?", id)
			switch {
			case err != nil:
				return err
			case !found:
				return ErrUnknown
			case gate != submission.GateSend && gate != submission.GateAsk:
				return ErrNeverShared
			}
			if _, err := t.exec(ctx, `UPDATE case_items SET share = ? WHERE of_case = ? AND submission IN (SELECT key FROM submissions WHERE id = ?3 OR earlier = ?3)`,
				string(share), of, id); err != nil {
				return err
			}
		}
		return t.shareItems(ctx, "i.of_case = ?", of)
	})
}

// LeaveCase ends sharing a case from this computer: what is in it stays, as a case of this computer alone.
func (s *Store) LeaveCase(ctx context.Context, caseID string) error {
	return s.write(ctx, "leave the case", func(ctx context.Context, t *transaction) error {
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		t.desk = true
		for _, statement := range []string{
			"DELETE FROM desk_events WHERE desk_case = (SELECT desk_case FROM cases WHERE key = ?) AND desk_case <> ''",
			"UPDATE case_items SET share = '', files = 0 WHERE of_case = ?",
			"UPDATE cases SET desk_case = '', share = '', files = '', looked = 0, sign_off = 0, level = '', keep = 0 WHERE key = ?",
		} {
			if _, err := t.exec(ctx, statement, of); err != nil {
				return err
			}
		}
		return nil
	})
}
