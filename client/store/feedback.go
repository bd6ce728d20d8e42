package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
)

// FeedbackState is the state of a feedback.
type FeedbackState string

// The states. Each is on disk before anything follows from it.
const (
	FeedbackWaiting FeedbackState = "waiting" // to be sent; the service does not have it
	FeedbackSending FeedbackState = "sending" // being sent; when a later run finds it so, the service may have it or not
	FeedbackUnknown FeedbackState = "unknown" // no answer came: the service may have it or not
	FeedbackSent    FeedbackState = "sent"    // the service has it
	FeedbackRefused FeedbackState = "refused" // the service does not take it
)

// Feedback is what the person said of a result, and its state.
type Feedback struct {
	ID string // Assay's own
	client.Feedback
	State   FeedbackState
	Given   time.Time       // by the person
	Due     time.Time       // not sent before this; zero: at once
	Sent    time.Time       // when the service received it; zero before
	Record  json.RawMessage // what the service keeps of it, nil before
	Problem i18n.Message    // why it is not sent, or why not yet
}

// AddFeedback keeps a feedback before it is sent. It sets ID, Given and State (FeedbackWaiting) where they are missing.
func (s *Store) AddFeedback(ctx context.Context, f Feedback) (Feedback, error) {
	if f.ID == "" {
		f.ID = uuid.NewString()
	}
	if f.Given.IsZero() {
		f.Given = s.options.Now()
	}
	if f.State == "" {
		f.State = FeedbackWaiting
	}
	err := s.write(ctx, "keep the feedback", func(ctx context.Context, t *transaction) error {
		_, err := t.exec(ctx, `INSERT INTO feedback (request_id, label, category, comment, given, sent, record, problem, state, due, id)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, f.values()...)
		return err
	})
	return f, err
}

// SaveFeedback saves the state of a feedback. Once the service has it, that goes into the custody log of the result's submission, if the result is
// known here.
func (s *Store) SaveFeedback(ctx context.Context, f Feedback) error {
	return s.write(ctx, "keep the feedback", func(ctx context.Context, t *transaction) error {
		var was FeedbackState
		if _, err := t.one(ctx, []any{&was}, "SELECT state FROM feedback WHERE id = ?", f.ID); err != nil {
			return err
		}
		changed, err := t.exec(ctx, `UPDATE feedback SET request_id = ?, label = ?, category = ?, comment = ?, given = ?, sent = ?, record = ?, problem = ?,
			state = ?, due = ? WHERE id = ?`, f.values()...)
		if err != nil {
			return err
		}
		if err := known(changed); err != nil {
			return err
		}
		if was == FeedbackWaiting && f.State != FeedbackWaiting { // it can't be taken back any more
			if err := t.shareJudgement(ctx, &f); err != nil {
				return err
			}
		}
		if f.State != FeedbackSent || was == FeedbackSent {
			return nil
		}
		return t.recordFeedback(ctx, &f)
	})
}

// recordFeedback records in the custody log that the service has a feedback.
func (t *transaction) recordFeedback(ctx context.Context, f *Feedback) error {
	about, found, err := getBy(ctx, t.connection, "WHERE s.request_id = ? AND s.request_id <> '' AND s.earlier = ''", f.RequestID)
	if err != nil || !found {
		return err
	}
	sum := ""
	if f.Record != nil {
		hash := sha256.Sum256(f.Record)
		sum = hex.EncodeToString(hash[:])
	}
	return t.record(ctx, &about, custody.FeedbackSent, custody.Sums{Kept: sum})
}

// RemoveFeedback removes a feedback that is still waiting, without a trace. The error is ErrKept for one that is not waiting, and ErrUnknown for one
// that is not there.
func (s *Store) RemoveFeedback(ctx context.Context, id string) error {
	return s.write(ctx, "take the feedback back", func(ctx context.Context, t *transaction) error {
		removed, err := t.exec(ctx, "DELETE FROM feedback WHERE id = ? AND state = 'waiting'", id)
		if err != nil {
			return err
		}
		if n, err := removed.RowsAffected(); err != nil || n > 0 {
			return err
		}
		there, err := t.number(ctx, "SELECT count(*) FROM feedback WHERE id = ?", id)
		switch {
		case err != nil:
			return err
		case there == 0:
			return ErrUnknown
		}
		return ErrKept
	})
}

// values are the values that both statements bind.
func (f *Feedback) values() []any {
	var record any
	if f.Record != nil {
		record = []byte(f.Record)
	}
	return []any{f.RequestID, string(f.Label), string(f.Category), f.Comment, timeValue(f.Given), timeValue(f.Sent), record, messageJSON(f.Problem), string(f.State), timeValue(f.Due), f.ID}
}

// UnsentFeedback returns the feedback that the service is not known to have, the oldest first.
func (s *Store) UnsentFeedback(ctx context.Context) ([]Feedback, error) {
	return s.feedback(ctx, "WHERE sent IS NULL ORDER BY given, rowid")
}

// FeedbackOf returns the feedback on a result, the oldest first.
func (s *Store) FeedbackOf(ctx context.Context, requestID string) ([]Feedback, error) {
	return s.feedback(ctx, "WHERE request_id = ? ORDER BY given, rowid", requestID)
}

// FeedbackOfEach returns the FeedbackOf each of some results, by their request IDs.
func (s *Store) FeedbackOfEach(ctx context.Context, requestIDs []string) (map[string][]Feedback, error) {
	given, err := s.feedback(ctx, "WHERE request_id IN (SELECT value FROM json_each(?)) ORDER BY given, rowid", list(requestIDs))
	all := map[string][]Feedback{}
	for _, f := range given {
		all[f.RequestID] = append(all[f.RequestID], f)
	}
	return all, err
}

// FeedbackByID returns a feedback by its own ID; ok is false where there is none.
func (s *Store) FeedbackByID(ctx context.Context, id string) (f Feedback, ok bool, err error) {
	found, err := s.feedback(ctx, "WHERE id = ?", id)
	if err != nil || len(found) == 0 {
		return Feedback{}, false, err
	}
	return found[0], true, nil
}

func (s *Store) feedback(ctx context.Context, which string, values ...any) ([]Feedback, error) {
	all, err := feedbackOf(ctx, s.readers, which, values...)
	return all, s.read("read the feedback", err)
}

func feedbackOf(ctx context.Context, c *connection, which string, values ...any) (all []Feedback, err error) {
	err = c.each(ctx, func(row scanner) error {
		var f Feedback
		var record []byte
		if err := row.Scan(&f.ID, &f.RequestID, &f.Label, &f.Category, &f.Comment, timeInto{&f.Given}, timeInto{&f.Sent}, &record, messageInto{&f.Problem}, &f.State, timeInto{&f.Due}); err != nil {
			return err
		}
		f.Record = record
		all = append(all, f)
		return nil
	}, "SELECT id, request_id, label, category, comment, given, sent, record, problem, state, due FROM feedback "+which, values...)
	return all, err
}
