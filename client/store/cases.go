package store

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// Case is what a story's submissions are gathered in.
type Case struct {
	ID      string // Assay's own
	Title   string // as it was given: fit to be shown through plain.Text alone
	Created time.Time
	Changed time.Time // when something was last added to it
	Items   int       // how many submissions are in it
}

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

// CaseNote is a note in a case, or what a check has found.
type CaseNote struct {
	ID   string    // Assay's own
	Kind CheckKind // "" for a note
	Text string
	By   string
	At   time.Time
}

// AddCase keeps a new case. It sets ID, Created and Changed where they are missing. One whose ID is there already stays as it is.
func (s *Store) AddCase(ctx context.Context, c Case) (Case, error) {
	if c.ID == "" {
		c.ID = uuid.NewString()
	}
	if c.Created.IsZero() {
		c.Created = s.options.Now()
	}
	c.Changed = c.Created
	err := s.write(ctx, "keep the case", func(ctx context.Context, t *transaction) error {
		_, err := t.exec(ctx, "INSERT INTO cases (id, title, created, changed) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
			c.ID, c.Title, timeValue(c.Created), timeValue(c.Changed))
		return err
	})
	return c, err
}

// AddToCase puts submissions into a case, by their IDs and in their order, and returns how many were not in it before: all of them, or none where one
// is not known, which is ErrUnknown. The error is ErrNoCase where there is no such case.
func (s *Store) AddToCase(ctx context.Context, caseID string, ids []string) (added int, err error) {
	err = s.write(ctx, "add to the case", func(ctx context.Context, t *transaction) error {
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		before, err := t.number(ctx, countItems, of)
		if err != nil {
			return err
		}
		for _, id := range ids {
			key, err := t.number(ctx, "SELECT key FROM submissions WHERE id = ?", id)
			if err != nil {
				return err
			}
			if key == 0 {
				return ErrUnknown
			}
			if _, err := t.exec(ctx, "INSERT INTO case_items (of_case, submission, added) VALUES (?, ?, ?) ON CONFLICT (of_case, submission) DO NOTHING",
				of, key, timeValue(s.options.Now())); err != nil {
				return err
			}
		}
		after, err := t.number(ctx, countItems, of)
		added = int(after - before)
		return err
	})
	if err != nil {
		added = 0
	}
	return added, err
}

// AddCaseNote keeps a note or a check in a case. It sets ID and At where they are missing. One whose ID is there already stays as it is. The error is
// ErrNoCase where there is no such case.
func (s *Store) AddCaseNote(ctx context.Context, caseID string, n CaseNote) error {
	if n.ID == "" {
		n.ID = uuid.NewString()
	}
	if n.At.IsZero() {
		n.At = s.options.Now()
	}
	return s.write(ctx, "keep the note", func(ctx context.Context, t *transaction) error {
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, "INSERT INTO case_notes (id, of_case, kind, text, author, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
			n.ID, of, string(n.Kind), n.Text, n.By, timeValue(n.At))
		return err
	})
}

// changeCase records that a case is changed now, and returns its key.
func (t *transaction) changeCase(ctx context.Context, id string) (key int64, err error) {
	if key, err = t.number(ctx, "UPDATE cases SET changed = ? WHERE id = ? RETURNING key", timeValue(t.store.options.Now()), id); err == nil && key == 0 {
		err = ErrNoCase
	}
	return key, err
}

// A submission with the content of another that is in the case, too, is shown as that one.
const (
	shownItem  = "CASE s.earlier WHEN '' THEN s.id ELSE s.earlier END"
	countItems = "SELECT count(DISTINCT " + shownItem + ") FROM case_items i JOIN submissions s ON s.key = i.submission WHERE i.of_case = ?"
)

// Cases returns all cases, the one that was changed last first.
func (s *Store) Cases(ctx context.Context) ([]Case, error) {
	var all []Case
	err := s.readers.each(ctx, func(row scanner) error {
		var c Case
		err := row.Scan(&c.ID, &c.Title, timeInto{&c.Created}, timeInto{&c.Changed}, &c.Items)
		all = append(all, c)
		return err
	}, `SELECT c.id, c.title, c.created, c.changed, count(DISTINCT `+shownItem+`) FROM cases c
		LEFT JOIN case_items i ON i.of_case = c.key LEFT JOIN submissions s ON s.key = i.submission GROUP BY c.key ORDER BY c.changed DESC, c.key DESC`)
	return all, s.read("read the cases", err)
}

// CaseItems returns the IDs of the submissions in a case, in the order in which they were added: each content once, by its primary.
func (s *Store) CaseItems(ctx context.Context, caseID string) ([]string, error) {
	var ids []string
	err := s.readers.each(ctx, func(row scanner) error {
		var id string
		err := row.Scan(&id)
		ids = append(ids, id)
		return err
	}, "SELECT "+shownItem+` AS shown FROM cases c JOIN case_items i ON i.of_case = c.key JOIN submissions s ON s.key = i.submission
		WHERE c.id = ? GROUP BY shown ORDER BY min(i.seq)`, caseID)
	return ids, s.read("read the case", err)
}

// CaseNotes returns the notes and checks of a case, the oldest first.
func (s *Store) CaseNotes(ctx context.Context, caseID string) ([]CaseNote, error) {
	var all []CaseNote
	err := s.readers.each(ctx, func(row scanner) error {
		var n CaseNote
		err := row.Scan(&n.ID, &n.Kind, &n.Text, &n.By, timeInto{&n.At})
		all = append(all, n)
		return err
	}, "SELECT n.id, n.kind, n.text, n.author, n.at FROM cases c JOIN case_notes n ON n.of_case = c.key WHERE c.id = ? ORDER BY n.seq", caseID)
	return all, s.read("read the case", err)
}
