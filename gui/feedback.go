package gui

import (
	"context"

	"assay/client"
	"assay/client/feedback"
	"assay/gui/present"
)

// noticeFact is under which name the store keeps that the person has read what goes along with feedback.
const noticeFact = "feedback-told"

// feedbackSource is what people of this newsroom think of results, for the bar that asks for it. Its methods block: they are called on workers.
type feedbackSource struct {
	kept   *submissions
	sender *feedback.Sender
}

// Given implements feedback.Source of the bar.
func (s feedbackSource) Given(ctx context.Context, id string) (present.GivenFeedback, error) {
	sub, err := s.kept.get(ctx, id)
	if err != nil || sub.RequestID == "" {
		return present.GivenFeedback{}, err
	}
	given, err := s.sender.Of(ctx, sub.RequestID)
	if err != nil {
		return present.GivenFeedback{}, err
	}
	seen, err := s.kept.store.Fact(ctx, noticeFact)
	return present.GivenFeedback{RequestID: sub.RequestID, All: given, NoticeSeen: seen != ""}, err
}

// Give implements feedback.Source of the bar. Once begun it is ended, also when the window closes meanwhile.
func (s feedbackSource) Give(ctx context.Context, f client.Feedback) error {
	_, err := s.sender.Give(context.WithoutCancel(ctx), f)
	return err
}

// Undo implements feedback.Source of the bar.
func (s feedbackSource) Undo(ctx context.Context, id string) error {
	return s.sender.Undo(context.WithoutCancel(ctx), id)
}

// Change implements feedback.Source of the bar.
func (s feedbackSource) Change(ctx context.Context, id string, f client.Feedback) error {
	return s.sender.Change(context.WithoutCancel(ctx), id, f)
}

// Hold implements feedback.Source of the bar.
func (s feedbackSource) Hold(ctx context.Context, id string) error { return s.sender.Hold(ctx, id) }

// Release implements feedback.Source of the bar.
func (s feedbackSource) Release(ctx context.Context, id string) error {
	return s.sender.Release(context.WithoutCancel(ctx), id)
}

// Retry implements feedback.Source of the bar.
func (s feedbackSource) Retry(ctx context.Context, id string) error {
	return s.sender.Retry(context.WithoutCancel(ctx), id)
}

// feedbackNoticeShown keeps that the person has read what goes along with feedback.
func (a *app) feedbackNoticeShown() {
	a.acceptors.Do(func(ctx context.Context) func() {
		if err := a.Store.SetFact(context.WithoutCancel(ctx), noticeFact, "yes"); err != nil {
			a.Log.Error("keep that the notice on feedback was shown", "error", err)
		}
		return nil
	})
}
