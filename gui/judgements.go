package gui

import (
	"context"

	"assay/client"
	"assay/client/feedback"
	"assay/gui/present"
)

// toldFact is under which name the store keeps that the person was told what goes along with a judgement.
const toldFact = "feedback-told"

// judgements is what the desk has judged, for the bar that asks for it. Its methods block: they are called on workers.
type judgements struct {
	kept   *submissions
	sender *feedback.Sender
}

// Judged implements feedback.Source of the bar.
func (j judgements) Judged(ctx context.Context, id string) (present.Judged, error) {
	sub, err := j.kept.get(ctx, id)
	if err != nil || sub.RequestID == "" {
		return present.Judged{}, err
	}
	given, err := j.sender.Of(ctx, sub.RequestID)
	if err != nil {
		return present.Judged{}, err
	}
	told, err := j.kept.store.Fact(ctx, toldFact)
	return present.Judged{RequestID: sub.RequestID, Judgements: given, Told: told != ""}, err
}

// Give implements feedback.Source of the bar. Once begun it is ended, also when the window closes meanwhile.
func (j judgements) Give(ctx context.Context, f client.Feedback) error {
	_, err := j.sender.Give(context.WithoutCancel(ctx), f)
	return err
}

// Undo implements feedback.Source of the bar.
func (j judgements) Undo(ctx context.Context, id string) error {
	return j.sender.Undo(context.WithoutCancel(ctx), id)
}

// Change implements feedback.Source of the bar.
func (j judgements) Change(ctx context.Context, id string, f client.Feedback) error {
	return j.sender.Change(context.WithoutCancel(ctx), id, f)
}

// Hold implements feedback.Source of the bar.
func (j judgements) Hold(ctx context.Context, id string) error { return j.sender.Hold(ctx, id) }

// Release implements feedback.Source of the bar.
func (j judgements) Release(ctx context.Context, id string) error {
	return j.sender.Release(context.WithoutCancel(ctx), id)
}

// Retry implements feedback.Source of the bar.
func (j judgements) Retry(ctx context.Context, id string) error {
	return j.sender.Retry(context.WithoutCancel(ctx), id)
}

// feedbackSaid keeps that the person was told what goes along with a judgement.
func (a *app) feedbackSaid() {
	a.takers.Do(func(ctx context.Context) func() {
		if err := a.Store.SetFact(context.WithoutCancel(ctx), toldFact, "yes"); err != nil {
			a.Log.Error("keep what was told", "error", err)
		}
		return nil
	})
}
