package gui

import (
	"context"

	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/inbox"
	"assay/gui/present"
	"assay/gui/screens"
	"assay/gui/settings"
)

// newInbox builds the inbox.
func (a *app) newInbox() screen {
	a.inbox = inbox.New(inbox.Params{
		Thumbs:       a.thumbs,
		Sandbox:      a.Sandbox,
		Choose:       a.choose,
		ChooseFolder: a.chooseFolder,
		Paste:        a.pasteLink,
		PasteAll:     a.paste,
		OpenSettings: func() { a.showSettings(settings.SectionService) },
		Act:          a.act,
		PauseAll:     a.Queue.PauseAll,
		ResumeAll:    a.Queue.ResumeAll,
		RetryFailed:  a.Queue.RetryFailed,
		ClearDone:    a.Queue.ClearDone,
	})
	return screen{object: a.inbox.Object(), typedRune: a.inbox.TypedRune, typedKey: a.inbox.TypedKey,
		groups: withOwn(i18n.T("Inbox"), a.inbox.Shortcuts), selectAll: a.inbox.SelectAll, say: a.inbox.Say}
}

// act does an action with submissions, in the inbox or among the results.
func (a *app) act(ids []string, action present.Action) {
	switch action {
	case present.Open:
		if len(ids) == 1 {
			a.open(ids[0])
		}
	case present.Retry:
		a.Queue.Retry(ids...)
	case present.Cancel:
		a.Queue.Cancel(ids...)
	case present.Remove:
		a.Queue.Remove(ids...)
	case present.Pause:
		a.Queue.Pause(ids...)
	case present.Resume:
		a.Queue.Resume(ids...)
	case present.Approve:
		a.review.ask(ids)
	case present.Withhold:
		a.Queue.Withhold(ids...)
	case present.MarkGraphic, present.UnmarkGraphic:
		a.setGraphic(ids, action == present.MarkGraphic)
	case present.Report:
		a.makeReport(ids)
	case present.ScanAgain:
		a.scanAgain(ids)
	case present.Recheck:
		a.recheck(ids)
	case present.AddToCase:
		a.addToCase(ids)
	}
}

// open shows a result; for a duplicate, that of its primary.
func (a *app) open(id string) {
	if s, ok := a.Queue.Get(id); ok && s.Earlier != "" {
		id = s.Earlier
	}
	a.hideCompare()
	a.results.Open(id)
	a.rail.Select(screens.Results)
}

// scanAgain submits files and links once more; they need not be in the inbox.
func (a *app) scanAgain(ids []string) {
	a.rail.Select(screens.Inbox)
	a.acceptors.Do(func(ctx context.Context) func() {
		var subs []submission.Submission
		left := 0
		for _, id := range ids {
			s, ok := a.Queue.Get(id)
			if !ok {
				var err error
				if s, ok, err = a.Store.Get(ctx, id); err != nil {
					a.Log.Error("scan again", "error", err)
				}
			}
			if !ok || s.Path == "" && s.Link == "" {
				left++
				continue
			}
			subs = append(subs, s)
		}
		a.Queue.ScanAgain(subs...)
		return func() { a.inbox.Say(inbox.ScannedAgainText(len(subs), left)) }
	})
}
