package gui

import (
	"context"

	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/screens"
	"assay/gui/viewer"
)

// near is what is nearly the same as a submission. It reads the store. Where that can't be read, there is no hint: the result is shown all the same.
func (a *app) near(ctx context.Context, id string) []present.Near {
	if a.Nearly == nil {
		return nil
	}
	matches, err := a.Nearly.Near(ctx, id)
	if err != nil && ctx.Err() == nil {
		a.Log.Error("look for what is nearly the same", "error", err)
	}
	return present.NearsOf(matches, a.Now())
}

// nearChanged has the viewer ask again what is nearly the same, unless the person is looking at it: then nothing moves until it is opened again.
func (a *app) nearChanged() {
	if a.rail.Selected() != screens.Results {
		a.viewer.Again()
	}
}

// hintOf says what is nearly the same as a submission in the inbox, as long as the person may still decide about it.
func (a *app) hintOf(s submission.Submission) present.NearHint {
	if a.Nearly == nil {
		return present.NearHint{}
	}
	hint, ok := a.Nearly.Hint(s)
	if !ok {
		return present.NearHint{}
	}
	return present.NearHintOf(hint, a.Now())
}

// compareNear shows a result that is nearly the same beside the one that is shown, or, where it is of another medium, in its place.
func (a *app) compareNear(shownID string, n present.Near) {
	a.sheet.Close()
	if n.Compared {
		a.compare(shownID, n.ID)
		return
	}
	a.open(n.ID)
}

// listNear shows all results that are nearly the same as the one that is shown.
func (a *app) listNear(shownID string, all []present.Near) {
	a.sheet.Show(kit.SheetContent{
		Title:   i18n.T("Nearly the same"),
		Body:    viewer.NearList(all, func(n present.Near) { a.compareNear(shownID, n) }),
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Close"), nil, a.sheet.Close)},
	})
}
