package gui

import (
	"context"

	"assay/client/submission"
	"assay/gui/present"
)

// checked is what colleagues have said of the content of a submission that waits for the person; ok is false where there is nothing. It reads the store.
// Where that can't be read, there is none: the submission waits all the same.
func (a *app) checked(ctx context.Context, s submission.Submission) (c present.Checked, ok bool) {
	if s.Colleagues == submission.SendAnyway || s.SHA256 == "" || !toBeDecided(s) {
		return c, false
	}
	all, err := a.Store.CheckedByColleagues(ctx, s.SHA256)
	if err != nil && ctx.Err() == nil {
		a.Log.Error("look for who has checked it", "error", err)
	}
	return present.CheckedOf(all)
}
