package gui

import (
	"context"
	"slices"

	"assay/client/submission"
	"assay/gui/present"
)

// mostPast bounds the answers on one content that are compared.
const mostPast = 20

// History implements viewer.Source: the answers that a submission's content had, whoever handed it over, and the custody log.
func (s *submissions) History(ctx context.Context, id string) (present.History, error) {
	sub, err := s.get(ctx, id)
	if err != nil {
		return present.History{}, err
	}
	all, err := s.store.SameContent(ctx, sub.Content(), mostPast)
	if err != nil {
		return present.History{}, err
	}
	if !slices.ContainsFunc(all, func(o submission.Submission) bool { return o.ID == id }) && sub.Result != nil {
		all = append([]submission.Submission{sub}, all...)
	}
	var answers []present.AnsweredAt
	for _, of := range all {
		past, err := s.answersOf(ctx, of)
		if err != nil {
			return present.History{}, err
		}
		answers = append(answers, past...)
	}
	slices.SortStableFunc(answers, func(a, b present.AnsweredAt) int { return b.At.Compare(a.At) })
	log, err := s.store.Custody(ctx, id)
	if err != nil {
		return present.History{}, err
	}
	return present.HistoryOf(answers[:min(len(answers), mostPast)], log, id, s.now()), nil
}

// answersOf are a submission's answers, the newest first.
func (s *submissions) answersOf(ctx context.Context, of submission.Submission) ([]present.AnsweredAt, error) {
	changes, err := s.store.History(ctx, of.ID)
	if err != nil || len(changes) == 0 {
		return []present.AnsweredAt{{At: of.Answered, Of: of, Result: of.Result}}, err
	}
	slices.Reverse(changes)
	past := make([]present.AnsweredAt, len(changes))
	for i, c := range changes {
		result, _, err := s.store.EarlierAnswer(ctx, of.ID, c.RawSHA256)
		if err != nil {
			return nil, err
		}
		past[i] = present.AnsweredAt{At: c.At, Of: of, Result: result}
	}
	return past, nil
}
