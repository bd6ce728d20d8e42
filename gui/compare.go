package gui

import (
	"context"
	"slices"

	"assay/client/i18n"
	"assay/client/session"
	"assay/client/store"
	"assay/gui/compare"
	"assay/gui/present"
	"assay/gui/screens"
	"assay/gui/viewer/picture"
	"assay/gui/viewer/text"
)

// newCompare builds the screen that compares two answers. It lies over the results.
func (a *app) newCompare(kept *submissions) *compare.Screen {
	source := comparedSubmissions{kept}
	pictures := func() picture.Params {
		return picture.Params{Workers: a.decoders, Askers: a.player, Source: pictures{kept}, OnPreview: a.choosePreview, Sandbox: a.Sandbox}
	}
	return compare.New(compare.Params{
		Readers: a.readers, Source: source, Sandbox: a.Sandbox, Now: a.Now,
		Answers: func(m present.Medium) compare.Pane {
			if m == present.Picture {
				return picture.NewComparison(pictures())
			}
			return a.comparedPane(m, kept, source)
		},
		Files: func(m present.Medium) compare.Pane {
			if m == present.Picture {
				return picture.NewPair(pictures())
			}
			return a.comparedPane(m, kept, source)
		},
		Open:   a.open,
		Report: a.makeReport,
		Close:  a.closeCompare,
	})
}

// comparedPane makes the pane for a medium other than pictures; nil if there is none.
func (a *app) comparedPane(m present.Medium, kept *submissions, source compare.Source) compare.Pane {
	switch m {
	case present.Recording, present.Clip:
		return compare.NewParts(a.player, source)
	case present.Text:
		return compare.NewTexts(text.Params{Workers: a.player, Source: kept})
	}
	return nil
}

// compare shows the answers of two submissions beside each other: what differs where they are on one content, else both files.
func (a *app) compare(firstID, secondID string) {
	a.compareAnswers(present.AnswerRef{ID: firstID}, present.AnswerRef{ID: secondID})
}

// compareAnswers is compare for answers that need not be those that their submissions have now.
func (a *app) compareAnswers(first, second present.AnswerRef) {
	if !a.comparing {
		a.comparedFrom = a.rail.Selected()
	}
	a.rail.Select(screens.Results)
	a.window.Canvas().Unfocus() // what is out of sight takes no keys
	a.viewer.Leave()
	a.comparing = true
	a.compared.Show(first, second)
	a.compared.Object().Show()
	a.results.Object().Hide()
}

// compareShown compares the answer in the viewer with the one before it on the same content, or the first one with the one after it.
func (a *app) compareShown() {
	id := a.viewer.Shown()
	if id == "" {
		return
	}
	a.readers.Do(func(ctx context.Context) func() {
		answers, err := a.Store.ContentAnswers(ctx, id)
		return func() {
			switch {
			case a.viewer.Shown() != id || a.comparing:
			case err != nil:
				a.viewer.Say(i18n.F("The history can't be read. %s", present.Problem(err)))
			case len(answers) < 2:
				a.viewer.Say(i18n.T("There is only one answer on this content, so there is nothing to compare. Scan it again to get another."))
			default:
				later := len(answers) - 1
				if at := slices.IndexFunc(answers, func(o store.ContentAnswer) bool { return o.Submission == id && o.Current }); at >= 0 {
					later = max(at, 1)
				}
				ref := func(o store.ContentAnswer) present.AnswerRef {
					return present.AnswerRef{ID: o.Submission, RawSHA256: o.RawSHA256}
				}
				a.compareAnswers(ref(answers[later-1]), ref(answers[later]))
			}
		}
	})
}

// closeCompare goes back to the screen from which two answers were compared.
func (a *app) closeCompare() {
	if !a.comparing {
		return
	}
	from := a.comparedFrom
	a.hideCompare()
	a.rail.Select(from)
}

// hideCompare shows the results again.
func (a *app) hideCompare() {
	if !a.comparing {
		return
	}
	a.comparing = false
	a.window.Canvas().Unfocus()
	a.compared.Clear()
	a.compared.Object().Hide()
	a.results.Object().Show()
	a.results.InSight()
}

// comparedSubmissions is the submissions of which two are compared. Its methods block: they are called on workers.
type comparedSubmissions struct{ *submissions }

// Compared implements compare.Source.
func (s comparedSubmissions) Compared(ctx context.Context, first, second present.AnswerRef) (a, b compare.Answer, unseen bool, err error) {
	if a, err = s.answerOf(ctx, first); err != nil {
		return a, b, false, err
	}
	if b, err = s.answerOf(ctx, second); err != nil {
		return a, b, false, err
	}
	later := b
	if a.At.After(b.At) {
		later = a
	}
	if later.Was {
		return a, b, false, nil
	}
	difference, differs, err := s.store.Difference(ctx, later.Of.ID)
	return a, b, differs && difference.Seen.IsZero(), err
}

// answerOf is the answer that a submission has now, or another one of its answers.
func (s comparedSubmissions) answerOf(ctx context.Context, ref present.AnswerRef) (answer compare.Answer, err error) {
	sub, err := s.answered(ctx, ref.ID)
	if err != nil {
		return answer, err
	}
	kept, known, err := s.store.Get(ctx, ref.ID)
	if err != nil {
		return answer, err
	}
	if known {
		sub.Graphic = kept.Graphic // what is in the queue may be older
	}
	answer = compare.Answer{At: sub.Answered, Of: sub}
	if ref.RawSHA256 == "" {
		return answer, nil
	}
	changes, err := s.store.History(ctx, ref.ID)
	if err != nil {
		return answer, err
	}
	for i, change := range changes {
		if change.RawSHA256 != ref.RawSHA256 {
			continue
		}
		result, ok, err := s.store.EarlierAnswer(ctx, ref.ID, ref.RawSHA256)
		if err != nil || !ok {
			return answer, err
		}
		answer.At, answer.Of.Result, answer.Was = change.At, result, i < len(changes)-1
	}
	return answer, nil
}

// MarkSeen implements compare.Source. It is not cancelled when the window closes.
func (s comparedSubmissions) MarkSeen(ctx context.Context, id string) error {
	_, err := s.store.MarkSeen(context.WithoutCancel(ctx), []string{id}, session.Person())
	return err
}
