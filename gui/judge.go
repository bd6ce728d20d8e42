package gui

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client"
	"assay/client/i18n"
	"assay/client/store"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/viewer"
	feedbackbar "assay/gui/viewer/feedback"
)

// judge asks for one judgement of many results.
func (a *app) judge(ids []string) {
	a.readers.Do(func(ctx context.Context) func() {
		var all []feedbackbar.Result
		for _, id := range ids {
			sub, err := a.kept.get(ctx, id)
			if err == nil && sub.Result == nil {
				all = append(all, feedbackbar.Result{})
				continue
			}
			given, failed := feedbackSource{a.kept, a.Feedback}.Given(ctx, id)
			if err = errors.Join(err, failed); err != nil {
				return func() { a.viewer.Say(present.Problem(err)) }
			}
			all = append(all, feedbackbar.Result{View: present.ViewerOf(sub, a.Now()), Given: given})
		}
		many := feedbackbar.ManyOf(all, a.Now())
		return func() { a.showJudge(many) }
	})
}

// showJudge opens the sheet that says what is sent, and to whom, before it is.
func (a *app) showJudge(many feedbackbar.Many) {
	n := len(many.Open)
	cancel := kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, a.sheet.Close)
	content := kit.SheetContent{
		Title: i18n.N(n, "Judge %s result", "Judge %s results"), Buttons: []*kit.Button{cancel}, First: cancel, Width: 520,
	}
	muted := kit.TextStyle{Color: look.ColorMuted}
	lines := []fyne.CanvasObject{}
	say := func(words string, style kit.TextStyle) {
		if words != "" {
			lines = append(lines, kit.NewParagraph(words, style))
		}
	}
	if n == 0 {
		content.Title = i18n.T("Nothing to judge")
	} else {
		say(i18n.T("Does the desk agree with the verdicts?"), kit.TextStyle{})
		say(many.Sends(true), muted)
		say(many.Sends(false), muted)
	}
	say(many.LeftOut(), muted)
	if n > 0 {
		if !a.Sandbox {
			say(i18n.T(feedbackbar.FeedbackNotice), muted)
		}
		for _, agrees := range []bool{false, true} {
			label, icon := i18n.T("Disagree"), look.IconClose
			if agrees {
				label, icon = i18n.T("Agree"), look.IconCheck
			}
			content.Buttons = append(content.Buttons, kit.NewButton(kit.Plain, label, icon, func() {
				a.sheet.Close()
				a.giveTogether(many.Feedback(agrees), agrees)
			}))
		}
	}
	content.Body = container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, lines...)
	a.sheet.Show(content)
}

// giveTogether gives judgements, which are on disk before it is said, and which the sender keeps for five seconds, as it does a single one. What was
// judged meanwhile is left as it is.
func (a *app) giveTogether(all []client.Feedback, agrees bool) {
	a.acceptors.Do(func(ctx context.Context) func() {
		ctx = context.WithoutCancel(ctx)
		var given []string
		var failed error
		for _, f := range all {
			before, err := a.Feedback.Of(ctx, f.RequestID)
			if err == nil && !feedbackbar.HasFeedback(before) {
				var kept store.Feedback
				if kept, err = a.Feedback.Give(ctx, f); err == nil {
					given = append(given, kept.ID)
				}
			}
			failed = errors.Join(failed, err)
		}
		return func() {
			if failed != nil {
				a.Log.Error("judge many results", "error", failed)
				a.viewer.Say(i18n.F("Not all judgements could be saved. %s", present.Problem(failed)))
			}
			if len(given) == 0 {
				return
			}
			words := i18n.N(len(given), "You disagree with %s result", "You disagree with %s results")
			if agrees {
				words = i18n.N(len(given), "You agree with %s result", "You agree with %s results")
			}
			a.undo.Done(words, func() { a.undoFeedback(given) })
		}
	})
}

// undoFeedback undoes judgements that were not sent yet, and says how many were.
func (a *app) undoFeedback(ids []string) {
	a.acceptors.Do(func(ctx context.Context) func() {
		sent := 0
		for _, id := range ids {
			if err := a.Feedback.Undo(context.WithoutCancel(ctx), id); err != nil {
				a.Log.Error("undo a judgement", "error", err)
				sent++
			}
		}
		if sent == 0 {
			return nil
		}
		return func() {
			a.viewer.Say(i18n.N(sent, "%s judgement could not be undone.", "%s judgements could not be undone."))
		}
	})
}

// annotate asks for a note for many results.
func (a *app) annotate(ids []string) {
	var save *kit.Button
	field := kit.NewField(i18n.T("Note for all of them"), func(text string) { kit.SetEnabled(save, strings.TrimSpace(text) != "") })
	add := func() {
		if note := strings.TrimSpace(field.Text); note != "" {
			a.sheet.Close()
			a.addNote(ids, note)
		}
	}
	save = kit.NewButton(kit.Primary, i18n.T("Add note"), nil, add)
	save.Disable()
	field.OnSubmitted = func(string) { add() }
	a.sheet.Show(kit.SheetContent{
		Title: i18n.N(len(ids), "Note for %s result", "Note for %s results"),
		Body: container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, field,
			kit.NewParagraph(i18n.T("It is added to what is noted already. The search finds it. It stays on this computer."), kit.TextStyle{Color: look.ColorMuted})),
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, a.sheet.Close), save},
		First:   field,
		Width:   520,
	})
}

// addNote adds a note to what is noted of results, and offers to take it back. A note that would become too long stays as it is.
func (a *app) addNote(ids []string, note string) {
	a.acceptors.Do(func(ctx context.Context) func() {
		ctx = context.WithoutCancel(ctx)
		before, full := map[string]string{}, 0
		var failed error
		for _, id := range ids {
			sub, ok, err := a.Store.Get(ctx, id)
			if err != nil || !ok {
				failed = errors.Join(failed, err)
				continue
			}
			whole := note
			if sub.Note != "" {
				whole = sub.Note + " · " + note
			}
			if utf8.RuneCountInString(whole) > viewer.LongestNote {
				full++
				continue
			}
			if err := a.Store.SetNote(ctx, id, whole); err != nil {
				failed = errors.Join(failed, err)
				continue
			}
			before[id] = sub.Note
		}
		return func() {
			a.viewer.Again()
			switch {
			case failed != nil:
				a.viewer.Say(i18n.F("The note could not be kept. %s", present.Problem(failed)))
			case full > 0:
				a.viewer.Say(i18n.N(full, "The note of %s result would be too long, and stays as it is.", "The notes of %s results would be too long, and stay as they are."))
			}
			if len(before) > 0 {
				a.undo.Done(i18n.N(len(before), "Note added to %s result", "Note added to %s results"), func() { a.restoreNotes(before) })
			}
		}
	})
}

// restoreNotes takes notes back to what they were.
func (a *app) restoreNotes(before map[string]string) {
	a.acceptors.Do(func(ctx context.Context) func() {
		var failed error
		for id, note := range before {
			failed = errors.Join(failed, a.Store.SetNote(context.WithoutCancel(ctx), id, note))
		}
		return func() {
			a.viewer.Again()
			if failed != nil {
				a.viewer.Say(i18n.F("The note could not be kept. %s", present.Problem(failed)))
			}
		}
	})
}
