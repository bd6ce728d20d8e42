package gui

import (
	"cmp"
	"context"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/intake"
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
		SetAsksFirst: a.setAsksFirst,
		TrySample:    a.trySample,
		PauseAll:     a.Queue.PauseAll,
		ResumeAll:    a.Queue.ResumeAll,
		RetryFailed:  a.Queue.RetryFailed,
		ClearDone:    func() { a.remove(a.inbox.Answered()) },
	})
	a.inbox.SetSending(a.sending())
	return screen{object: a.inbox.Object(), typedRune: a.inbox.TypedRune, typedKey: a.inbox.TypedKey,
		groups: withOwn(i18n.T("Inbox"), a.inbox.Shortcuts), selectAll: a.inbox.SelectAll, say: a.inbox.Say,
		remove: a.inbox.CancelOrRemove, pause: a.inbox.PauseOrResume, retry: a.inbox.Retry}
}

// sending is what the settings say of what is handed over.
func (a *app) sending() inbox.Sending {
	now := a.Config.Settings()
	return inbox.Sending{
		Files: now.Gates.Files, Copies: submission.CopyRule(now.Copies), Sandbox: a.Sandbox,
		Fixed: cmp.Or(a.Config.Origin(settings.SettingGateFiles).Sentence(), a.Config.Origin(settings.SettingGateLinks).Sentence()) != "",
	}
}

// setAsksFirst lets files and links wait for the person from now on, or be sent at once. What never leaves this computer stays so.
func (a *app) setAsksFirst(asks bool) {
	gate := submission.GateSend
	if asks {
		gate = submission.GateAsk
	}
	a.changeFromInbox(func(now *config.Settings) {
		for _, g := range []*submission.Gate{&now.Gates.Files, &now.Gates.Links} {
			if *g != submission.GateNever {
				*g = gate
			}
		}
	})
}

// changeFromInbox changes the settings on a worker; an error is said in the inbox.
func (a *app) changeFromInbox(do func(*config.Settings)) {
	a.acceptors.Do(func(context.Context) func() {
		err := a.Config.Change(do)
		return func() {
			if err != nil {
				a.inbox.Say(i18n.Sentence(err))
			}
		}
	})
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
		a.undo.Done(inbox.CancelledText(len(ids)), func() { a.Queue.Retry(ids...) })
	case present.Remove:
		a.remove(ids)
	case present.Pause:
		a.Queue.Pause(ids...)
	case present.Resume:
		a.Queue.Resume(ids...)
	case present.Approve:
		a.review.ask(ids)
	case present.TakeOver:
		a.Queue.TakeOver(ids...)
	case present.OpenCase:
		if caseID := a.inbox.CaseOf(ids[0]); caseID != "" {
			a.openCase(caseID)
		}
	case present.SendCopy, present.SendAnyway:
		a.Queue.Approve(intake.ApproveOptions{}, ids...)
	case present.AlwaysCopy:
		a.alwaysCopy(ids)
	case present.Withhold:
		a.Queue.Withhold(ids...)
	case present.MarkGraphic, present.UnmarkGraphic:
		a.setGraphic(ids, action == present.MarkGraphic)
	case present.Report:
		a.makeReport(ids)
	case present.ScanAgain:
		a.undo.Later(inbox.ScanningAgainText(len(ids)), func() { a.scanAgain(ids) }, nil)
	case present.Recheck:
		a.recheck(ids)
	case present.AddToCase:
		a.addToCase(ids)
	case present.Judge:
		a.judge(ids)
	case present.Annotate:
		a.annotate(ids)
	case present.TagResults:
		a.tag(ids)
	}
}

// remove takes rows out of the inbox in five seconds. Until then they stand there as removed.
func (a *app) remove(ids []string) {
	a.undo.Flush() // here, so that it does not show these rows again
	a.inbox.ShowRemoved(ids)
	a.undo.Later(inbox.RemovedText(len(ids)), func() {
		a.Queue.Remove(ids...)
		a.inbox.ShowRemoved(nil)
	}, func() { a.inbox.ShowRemoved(nil) })
}

// alwaysCopy sends copies of files that the service does not take, and from now on without asking.
func (a *app) alwaysCopy(ids []string) {
	a.Queue.Approve(intake.ApproveOptions{}, ids...)
	a.changeFromInbox(func(now *config.Settings) { now.Copies = string(submission.CopiesAlways) })
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
