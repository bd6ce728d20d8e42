package gui

import (
	"context"

	"fyne.io/fyne/v2"

	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/inbox"
	"assay/gui/present"
)

// dropped takes files and folders from another program. The position is not used: the whole window is the target.
func (a *app) dropped(_ fyne.Position, uris []fyne.URI) {
	paths := make([]string, 0, len(uris))
	for _, u := range uris {
		paths = append(paths, u.Path())
	}
	if a.rail.Selected() == foldersScreen {
		a.dropOnFolders(paths)
		return
	}
	a.accept(paths, submission.Dropped)
}

// accept hands files, folders and links over on a worker, and says what became of them.
func (a *app) accept(given []string, source submission.Source) {
	if len(given) == 0 {
		return
	}
	a.rail.Select(inboxScreen)
	a.acceptors.Do(func(ctx context.Context) func() {
		taken, err := a.Queue.Accept(ctx, intake.Inputs(given...), intake.Options{Source: source})
		return func() {
			switch {
			case err != nil:
				a.Log.Error("accept", "error", err)
				a.inbox.Say(inbox.NotAccepted(err))
			default:
				a.inbox.Say(inbox.AcceptedText(taken))
			}
		}
	})
}

// takenElsewhere brings the window to the front after a later start has handed something over.
func (a *app) takenElsewhere(taken intake.Accepted) {
	a.rail.Select(inboxScreen)
	a.inbox.Say(inbox.AcceptedText(taken))
	a.window.Show()
	a.window.RequestFocus()
}

// act does something with submissions, in the inbox or among the results.
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
	case present.ScanAgain:
		a.scanAgain(ids)
	}
}

// open shows a result; of a duplicate, the one that it shows the answer of.
func (a *app) open(id string) {
	if s, ok := a.Queue.Get(id); ok && s.Earlier != "" {
		id = s.Earlier
	}
	a.results.Open(id)
	a.rail.Select(resultsScreen)
}

// scanAgain submits files and links once more, which may be out of the inbox.
func (a *app) scanAgain(ids []string) {
	a.rail.Select(inboxScreen)
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
