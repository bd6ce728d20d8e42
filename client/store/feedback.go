package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"assay/client"
)

// Feedback is a judgement on a result, and what has become of it.
type Feedback struct {
	ID string // Assay's own
	client.Feedback
	Given   time.Time       // by the person
	Sent    time.Time       // when the service had it; zero before
	Record  json.RawMessage // what the service keeps of it, nil before
	Problem string          // why it could not be sent, a sentence or ""
}

// AddFeedback keeps a feedback before it is sent, and gives it an ID and a time where it has none.
func (s *Store) AddFeedback(ctx context.Context, f Feedback) (Feedback, error) {
	if f.ID == "" {
		f.ID = uuid.NewString()
	}
	if f.Given.IsZero() {
		f.Given = s.options.Now()
	}
	err := s.write(ctx, "keep the feedback", func(ctx context.Context, t *transaction) error {
		_, err := t.exec(ctx, `INSERT INTO feedback (request_id, label, category, comment, given, sent, record, problem, id)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, f.values()...)
		return err
	})
	return f, err
}

// SaveFeedback keeps what has become of a feedback.
func (s *Store) SaveFeedback(ctx context.Context, f Feedback) error {
	return s.write(ctx, "keep the feedback", func(ctx context.Context, t *transaction) error {
		changed, err := t.exec(ctx, `UPDATE feedback SET request_id = ?, label = ?, category = ?, comment = ?, given = ?, sent = ?, record = ?, problem = ?
			WHERE id = ?`, f.values()...)
		if err != nil {
			return err
		}
		return known(changed)
	})
}

// values are what both statements bind.
func (f *Feedback) values() []any {
	var record any
	if f.Record != nil {
		record = []byte(f.Record)
	}
	return []any{f.RequestID, string(f.Label), string(f.Category), f.Comment, keep(f.Given), keep(f.Sent), record, f.Problem, f.ID}
}

// UnsentFeedback returns what the service does not have yet, the oldest first; Problem says which of it could not be sent.
func (s *Store) UnsentFeedback(ctx context.Context) ([]Feedback, error) {
	return s.feedback(ctx, "WHERE sent IS NULL ORDER BY given, rowid")
}

// FeedbackOf returns the feedback on a result, the oldest first.
func (s *Store) FeedbackOf(ctx context.Context, requestID string) ([]Feedback, error) {
	return s.feedback(ctx, "WHERE request_id = ? ORDER BY given, rowid", requestID)
}

func (s *Store) feedback(ctx context.Context, which string, values ...any) ([]Feedback, error) {
	var all []Feedback
	err := s.readers.each(ctx, func(row scanner) error {
		var f Feedback
		var record []byte
		if err := row.Scan(&f.ID, &f.RequestID, &f.Label, &f.Category, &f.Comment, moment{&f.Given}, moment{&f.Sent}, &record, &f.Problem); err != nil {
			return err
		}
		f.Record = record
		all = append(all, f)
		return nil
	}, "SELECT id, request_id, label, category, comment, given, sent, record, problem FROM feedback "+which, values...)
	if err != nil {
		return nil, s.read("read the feedback", err)
	}
	return all, nil
}
