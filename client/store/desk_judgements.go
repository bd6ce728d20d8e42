package store

import (
	"context"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/desk"
	"assay/client/submission"
)

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
