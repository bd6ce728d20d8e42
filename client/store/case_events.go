package store

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"assay/client"
)

// CaseEventKind is what was done in a case.
type CaseEventKind string

// The kinds, and what the fields of a CaseEvent say beside By and At. ChangeCase takes all that no other method is named for.
const (
	CaseCreated     CaseEventKind = "created"    // Text: the title; by AddCase
	CaseItemAdded   CaseEventKind = "added"      // Text: the item's name, About: its submission's ID; by AddToCase
	CaseItemRemoved CaseEventKind = "removed"    // likewise; by RemoveFromCase
	CaseNoted       CaseEventKind = "note"       // Text: the note
	CaseChecked     CaseEventKind = "check"      // Check, and Text: what it has found
	CaseAsked       CaseEventKind = "question"   // Text: the question
	CaseAnswered    CaseEventKind = "answer"     // Text, About: the question's ID, Evidence
	CaseAssigned    CaseEventKind = "assigned"   // Text: who is to answer a question, "" for nobody; About: the question's ID; Login, Due
	CaseTagged      CaseEventKind = "tags"       // Text: the tags that it has from then on, with commas between them
	CaseRenamed     CaseEventKind = "renamed"    // Text: the new title
	CaseDrawn       CaseEventKind = "conclusion" // Text: the desk's conclusion, while the case stays as it is
	CaseClosed      CaseEventKind = "concluded"  // Text: the conclusion; "" for the one that there is
	CaseReopened    CaseEventKind = "reopened"
	// Judgements in shared cases. About: the submission's ID, "" where that isn't known; Label: the judgement's.
	CaseJudgement          CaseEventKind = "judgement"           // Text: the comment; by feedback on the result
	CaseJudgementWithdrawn CaseEventKind = "judgement-withdrawn" // by WithdrawJudgement
	CaseSignedOff          CaseEventKind = "signed-off"          // Text: who had judged; by SignOff
	CaseSignOffWithdrawn   CaseEventKind = "sign-off-withdrawn"  // likewise; by WithdrawSignOff
	CaseSignOffRequired    CaseEventKind = "sign-off-required"   // from then on the case is concluded only once every judgement is signed off
	CaseSignOffNotRequired CaseEventKind = "sign-off-not-required"
	// CaseEmptied is an entry that said something which was removed. Text: who had that done, "" where it was no longer kept; Removed; by Redact and Expire
	CaseEmptied CaseEventKind = "emptied"
	// For how long the desk keeps what was shared. Text: how many days after the last thing that was done, "" for without limit
	CaseRetention CaseEventKind = "retention" // by the case's owner
	CaseExpired   CaseEventKind = "expired"   // what colleagues had shared was removed; by Expire
)

// CheckKind is one of the checks that no detector makes.
type CheckKind string

// The kinds, by the names that they have in the records and on the command line.
const (
	CheckSource      CheckKind = "source"       // the source was contacted
	CheckEarlierCopy CheckKind = "earlier-copy" // an earlier copy was looked for
	CheckPlace       CheckKind = "place"
	CheckTime        CheckKind = "time"
	CheckProvenance  CheckKind = "provenance"
	CheckWatermark   CheckKind = "watermark" // by a tool for watermarks
	CheckFactChecks  CheckKind = "fact-checks"
	CheckExpert      CheckKind = "expert"
	CheckStaging     CheckKind = "staging"
)

// CheckKinds are all of them, in the order in which they are listed.
var CheckKinds = []CheckKind{CheckSource, CheckEarlierCopy, CheckPlace, CheckTime, CheckProvenance, CheckWatermark, CheckFactChecks, CheckExpert, CheckStaging}

// CaseEvent is one thing that was done in a case. Its texts are as they were given.
type CaseEvent struct {
	ID       string // Assay's own
	Kind     CaseEventKind
	Check    CheckKind // of CaseChecked
	Text     string
	About    string
	Label    client.Label // of a judgement
	Login    string       // of an assignment: the member's, where Text is one; ChangeCase finds it
	Due      string       // likewise: a day as time.DateOnly; "" for none
	Evidence []Evidence
	By       string // "" where it isn't recorded
	At       time.Time
	Removed  time.Time // of CaseEmptied
}

// EvidenceKind is what a piece of evidence is.
type EvidenceKind string

// The kinds.
const (
	EvidenceLink EvidenceKind = "link" // http or https
	EvidenceFile EvidenceKind = "file" // a file's SHA-256, hex
	EvidenceNote EvidenceKind = "note"
)

// Evidence is what an answer rests on.
type Evidence struct {
	Kind  EvidenceKind `json:"kind"`
	Value string       `json:"value"`
}

// CaseNote is a note in a case, or what a check has found.
type CaseNote struct {
	ID   string    // Assay's own
	Kind CheckKind // "" for a note
	Text string
	By   string
	At   time.Time
}

// CaseQuestion is a question in a case, a task for the desk. One without an answer is open.
type CaseQuestion struct {
	ID      string // Assay's own
	Text    string
	By      string
	At      time.Time
	Answers []CaseAnswer // the oldest first; the last one is the desk's present one
	// Assigned is who is to answer it, and by when: the one that counts first, then those who were assigned at the same time by others.
	Assigned []Assignment
}

// CaseAnswer is an answer to a question.
type CaseAnswer struct {
	Text     string
	Evidence []Evidence
	By       string
	At       time.Time
}

// AddCaseNote keeps a note or a check in a case, as ChangeCase does.
func (s *Store) AddCaseNote(ctx context.Context, caseID string, n CaseNote) error {
	e := CaseEvent{ID: n.ID, Kind: CaseNoted, Text: n.Text, By: n.By, At: n.At}
	if n.Kind != "" {
		e.Kind, e.Check = CaseChecked, n.Kind
	}
	return s.ChangeCase(ctx, caseID, e)
}

// ChangeCase does what an event says, and keeps the event. It sets ID and At where they are missing, or At is beyond
// what nanoseconds since 1970 count. One whose ID is there already changes nothing. The
// error is ErrNoCase where there is no such case, ErrNoQuestion where About is none of its questions, ErrNoDay where Due is none, ErrNotSignedOff where a case that requires it is
// concluded with a judgement that nobody has signed off, and ErrNotShared where that is required of a case of this computer alone.
func (s *Store) ChangeCase(ctx context.Context, caseID string, e CaseEvent) error {
	if e.ID == "" {
		e.ID = uuid.NewString()
	}
	if _, countable := timeValue(e.At).(int64); !countable {
		e.At = s.options.Now()
	}
	if e.Kind == CaseTagged {
		e.Text = strings.Join(TagsOf(e.Text), ", ")
	}
	return s.write(ctx, "change the case", func(ctx context.Context, t *transaction) error {
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		if e.Kind == CaseAnswered || e.Kind == CaseAssigned {
			n, err := t.number(ctx, "SELECT count(*) FROM case_records WHERE id = ? AND of_case = ? AND kind = 'question'", e.About, of)
			if err != nil {
				return err
			}
			if n == 0 {
				return ErrNoQuestion
			}
		}
		if err := t.allow(ctx, of, e.Kind); err != nil {
			return err
		}
		if e.Kind == CaseAssigned {
			if err := t.assign(ctx, of, &e); err != nil {
				return err
			}
		}
		seq, err := t.addRecord(ctx, of, e)
		if err != nil || seq == 0 {
			return err
		}
		change := func(set string, values ...any) error {
			_, err := t.exec(ctx, "UPDATE cases SET "+set+" WHERE key = ?", append(values, of)...)
			return err
		}
		switch e.Kind {
		case CaseRenamed:
			return change("title = ?", e.Text)
		case CaseAssigned:
			return t.replaceAssigned(ctx, of, e)
		case CaseTagged:
			return change("tags = ?", list(TagsOf(e.Text)))
		case CaseDrawn:
			return change("conclusion = ?", seq)
		case CaseClosed:
			if e.Text == "" {
				return change("state = ?", string(CaseConcluded))
			}
			return change("state = ?, conclusion = ?", string(CaseConcluded), seq)
		case CaseReopened:
			return change("state = ?", string(CaseOpen))
		case CaseSignOffRequired, CaseSignOffNotRequired:
			return change("sign_off = ?", e.Kind == CaseSignOffRequired)
		case CaseRetention:
			days, err := retentionDays(e.Text)
			if err != nil {
				return err
			}
			return change("keep = ?", days)
		}
		return nil
	})
}

// addRecord keeps an event of the case with this key, to be sent to the desk, too, where the case is shared. It returns its own key: 0 where it was
// there already.
func (t *transaction) addRecord(ctx context.Context, of int64, e CaseEvent) (seq int64, err error) {
	if e.ID == "" {
		e.ID = uuid.NewString()
	}
	// In a shared case the person stands under the name by which colleagues know them.
	if _, err := t.one(ctx, []any{&e.By}, `SELECT coalesce(m.display, d.member) FROM cases c, desk d LEFT JOIN desk_members m ON m.name = d.member
		WHERE c.key = ? AND c.desk_case <> ''`, of); err != nil {
		return 0, err
	}
	if seq, err = t.insertRecord(ctx, of, e); err != nil || seq == 0 {
		return seq, err
	}
	return seq, t.shareRecord(ctx, of, e)
}

// insertRecord keeps an event of the case with this key on this computer.
func (t *transaction) insertRecord(ctx context.Context, of int64, e CaseEvent) (seq int64, err error) {
	evidence := []byte("[]")
	if len(e.Evidence) > 0 {
		if evidence, err = json.Marshal(e.Evidence); err != nil {
			return 0, err
		}
	}
	return t.number(ctx, `INSERT INTO case_records (id, of_case, kind, text, author, at, about, evidence, label, assignee, due, removed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO NOTHING RETURNING seq`, e.ID, of, recordKind(e), e.Text, e.By, timeValue(e.At), e.About, string(evidence), string(e.Label), e.Login, e.Due, timeValue(e.Removed))
}

// recordKind is the kind in the records: "" of a note, and that of a check.
func recordKind(e CaseEvent) string {
	switch e.Kind {
	case CaseNoted:
		return ""
	case CaseChecked:
		return string(e.Check)
	}
	return string(e.Kind)
}

// eventKinds are the kinds of records that are neither notes nor checks.
var eventKinds = []CaseEventKind{CaseCreated, CaseItemAdded, CaseItemRemoved, CaseAsked, CaseAnswered, CaseAssigned, CaseTagged, CaseRenamed, CaseDrawn, CaseClosed,
	CaseReopened, CaseJudgement, CaseJudgementWithdrawn, CaseSignedOff, CaseSignOffWithdrawn, CaseSignOffRequired, CaseSignOffNotRequired, CaseEmptied, CaseRetention, CaseExpired}

// CaseCursor is a position in the events of a case: before an event. The zero value is the end.
type CaseCursor struct{ at, seq int64 }

// CaseEvents returns the n newest events of a case before a cursor, the newest first, and the cursor before the last of them. Fewer than n are the last ones.
func (s *Store) CaseEvents(ctx context.Context, caseID string, before CaseCursor, n int) (all []CaseEvent, next CaseCursor, err error) {
	if before == (CaseCursor{}) {
		before = CaseCursor{math.MaxInt64, math.MaxInt64}
	}
	next = before
	all, err = s.caseEvents(ctx, &next, "AND (r.at, r.seq) < (?, ?) ORDER BY r.at DESC, r.seq DESC"+limit(n), caseID, before.at, before.seq)
	return all, next, err
}

// caseEvents returns the events of a case, and the position of the last.
func (s *Store) caseEvents(ctx context.Context, last *CaseCursor, where string, values ...any) ([]CaseEvent, error) {
	all, err := caseEventsOf(ctx, s.readers, last, where, values...)
	return all, s.read("read the case", err)
}

func caseEventsOf(ctx context.Context, c *connection, last *CaseCursor, where string, values ...any) (all []CaseEvent, err error) {
	err = c.each(ctx, func(row scanner) error {
		var e CaseEvent
		if err := row.Scan(&last.seq, &last.at, &e.ID, &e.Kind, &e.Text, &e.By, &e.About, jsonInto{&e.Evidence}, &e.Label, &e.Login, &e.Due, timeInto{&e.Removed}); err != nil {
			return err
		}
		e.At = time.Unix(0, last.at)
		if e.Kind == "" {
			e.Kind = CaseNoted
		} else if !slices.Contains(eventKinds, e.Kind) {
			e.Kind, e.Check = CaseChecked, CheckKind(e.Kind)
		}
		all = append(all, e)
		return nil
	}, "SELECT r.seq, r.at, r.id, r.kind, r.text, r.author, r.about, r.evidence, r.label, r.assignee, r.due, r.removed FROM cases c JOIN case_records r ON r.of_case = c.key WHERE c.id = ? "+where, values...)
	return all, err
}

// asAtDesk is the order of what was done in a case: in a shared one as the desk has it, the same for all, whatever came to this computer first.
const asAtDesk = ` ORDER BY (SELECT e.lamport FROM desk_events e WHERE e.id = r.id), (SELECT e.author FROM desk_events e WHERE e.id = r.id), r.seq`

// CaseNotes returns the notes and checks of a case, the oldest first.
func (s *Store) CaseNotes(ctx context.Context, caseID string) (all []CaseNote, err error) {
	events, err := s.caseEvents(ctx, new(CaseCursor), "AND r.kind NOT IN (SELECT value FROM json_each(?))"+asAtDesk, caseID, list(eventKinds))
	for _, e := range events {
		all = append(all, CaseNote{ID: e.ID, Kind: e.Check, Text: e.Text, By: e.By, At: e.At})
	}
	return all, err
}

// CaseQuestions returns the questions of a case with their answers, the oldest first.
func (s *Store) CaseQuestions(ctx context.Context, caseID string) (all []CaseQuestion, err error) {
	events, err := s.caseEvents(ctx, new(CaseCursor), "AND r.kind IN ('question', 'answer')"+asAtDesk, caseID)
	for _, e := range events {
		if e.Kind == CaseAsked {
			all = append(all, CaseQuestion{ID: e.ID, Text: e.Text, By: e.By, At: e.At})
		} else if i := slices.IndexFunc(all, func(q CaseQuestion) bool { return q.ID == e.About }); i >= 0 {
			all[i].Answers = append(all[i].Answers, CaseAnswer{Text: e.Text, Evidence: e.Evidence, By: e.By, At: e.At})
		}
	}
	if err != nil {
		return nil, err
	}
	to, err := s.assignments(ctx, caseID)
	for i := range all {
		all[i].Assigned = to[all[i].ID]
	}
	return all, err
}
