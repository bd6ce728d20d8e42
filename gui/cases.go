package gui

import (
	"context"
	"errors"
	"os"
	"strings"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/report/bundle"
	"assay/client/session"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/cases"
	"assay/gui/inbox"
	"assay/gui/results"
	"assay/gui/screens"
)

// newCases builds the screen of the cases.
func (a *app) newCases(kept *submissions) screen {
	a.cases = cases.New(cases.Params{
		Records:    caseRecords{a.Store, kept},
		Desk:       caseDesk{a.Store, a.exchangeWith, a.Looking()},
		Network:    a.lookers,
		Workers:    a.readers,
		Sheet:      a.sheet,
		Thumbs:     a.tiles,
		Rows:       a.thumbs,
		Person:     session.Person(),
		Sandbox:    a.Sandbox,
		Open:       a.openItem,
		ChooseFile: a.chooseEvidence,
		AddFiles:   a.chooseFor,
		OpenPage:   a.openPage,
		Report:     a.makeCaseReport,
		ScanAgain:  a.recheck,
		Now:        a.Now,
	})
	return screen{object: a.cases.Object(), typedRune: func(r rune) { a.cases.TypedRune(r) }, typedKey: func(e *fyne.KeyEvent) { a.cases.TypedKey(e) },
		groups: withOwn(i18n.T("Cases"), a.cases.Shortcuts), shown: a.cases.Came, say: a.cases.Say, remove: a.cases.TakeOut,
		report: func() {
			if of := a.cases.Shown(); of != "" {
				a.makeCaseReport(of)
			}
		}}
}

// addToCase asks for a case, and puts submissions into it. What was done is said where the person is.
func (a *app) addToCase(ids []string) {
	a.cases.ChooseCase(ids, func(_, sentence string) {
		if a.rail.Selected() == screens.Results {
			a.viewer.Say(sentence)
			return
		}
		a.sayInFront(sentence)
	})
}

// openCase shows a case.
func (a *app) openCase(id string) {
	a.rail.Select(screens.Cases)
	a.cases.Reveal(id)
}

// openItem shows a submission: its result, or where it stands in the inbox.
func (a *app) openItem(id string) {
	if s, ok := a.Queue.Get(id); ok && s.Result == nil && s.Earlier == "" {
		a.rail.Select(screens.Inbox)
		a.inbox.Reveal(id)
		return
	}
	a.open(id)
}

// chooseFor asks for files, has them accepted, and puts them into a case.
func (a *app) chooseFor(caseID string) {
	a.dialogs.files(chosenEndings(), func(paths []string) { a.acceptInto(caseID, paths, submission.Chosen) })
}

// acceptInto accepts files, folders and links, and puts them into a case, which stays in sight.
func (a *app) acceptInto(caseID string, given []string, source submission.Source) {
	if len(given) == 0 {
		return
	}
	a.acceptors.Do(func(ctx context.Context) func() {
		given, bundles := bundle.Split(given)
		if len(given) == 0 {
			return func() { a.verifyBundles(bundles) }
		}
		said := a.putIntoCase(ctx, caseID, given, source)
		return func() {
			a.verifyBundles(bundles)
			a.cases.Say(said)
		}
	})
}

// putIntoCase is acceptInto, and says what came of it.
func (a *app) putIntoCase(ctx context.Context, caseID string, given []string, source submission.Source) string {
	taken, err := a.Queue.Accept(ctx, intake.Inputs(given...), intake.Options{Source: source, Colleagues: submission.AskFirst, Case: caseID, By: session.Person()})
	if err != nil {
		a.Log.Error("accept", "error", err)
		return inbox.NotAccepted(err)
	}
	return cases.TakenText(len(taken.IDs), taken.LeftOut())
}

// chooseEvidence asks for a file that an answer rests on.
func (a *app) chooseEvidence(chosen func(path string)) {
	a.dialogs.file(i18n.T("Choose a file"), chosen)
}

// caseRecords are the cases in the store, in the form that the screen needs. Its methods read and write the disk.
type caseRecords struct {
	store *store.Store
	kept  *submissions
}

// Cases implements cases.Records.
func (r caseRecords) Cases(ctx context.Context) ([]cases.Entry, error) {
	all, err := r.store.Cases(ctx)
	entries := make([]cases.Entry, len(all))
	for i, c := range all {
		entries[i] = cases.EntryOf(c)
	}
	return entries, err
}

// Case implements cases.Records.
func (r caseRecords) Case(ctx context.Context, id string, happened int, since int64) (c cases.Case, ok bool, err error) {
	return cases.Read(ctx, r.store, id, happened, since, r.kept.now())
}

// Items implements cases.Records.
func (r caseRecords) Items(ctx context.Context, ids []string) (items []cases.Item, err error) {
	for _, id := range ids {
		sub, err := r.kept.get(ctx, id)
		if errors.Is(err, errNoSubmission) {
			continue
		}
		if err != nil {
			return nil, err
		}
		row := inbox.RowOf(sub)
		items = append(items, cases.Item{ID: id, Name: row.Name, Medium: row.Medium, Care: row.Care(), Mark: row.Mark, Words: row.State, Voice: row.Voice, OtherVoice: row.OtherVoice()})
	}
	return items, nil
}

// Results implements cases.Records.
func (r caseRecords) Results(ctx context.Context, text string, n int) ([]cases.Item, error) {
	rows, err := newAnswers(r.store, r.kept.now).Rows(ctx, results.Query{Text: text}, 0, n)
	items := make([]cases.Item, len(rows))
	for i, row := range rows {
		items[i] = cases.Item{ID: row.ID, Name: row.Name, Medium: row.Medium, Care: row.Care(), Mark: row.Mark, Words: row.Words, Voice: row.Voice, OtherVoice: row.OtherVoice()}
	}
	return items, err
}

// New implements cases.Records.
func (r caseRecords) New(ctx context.Context, title, by string) (id string, err error) {
	c, err := r.store.AddCase(ctx, store.Case{Title: strings.ToValidUTF8(title, "\ufffd"), By: by})
	return c.ID, err
}

// Change implements cases.Records.
func (r caseRecords) Change(ctx context.Context, id string, e store.CaseEvent) error {
	e.Text, e.By = strings.ToValidUTF8(e.Text, "\ufffd"), strings.ToValidUTF8(e.By, "\ufffd")
	return r.store.ChangeCase(ctx, id, e)
}

// SignOff implements cases.Records.
func (r caseRecords) SignOff(ctx context.Context, id string, judgement store.Judgement) error {
	return r.store.SignOff(ctx, id, judgement)
}

// Redact implements cases.Records.
func (r caseRecords) Redact(ctx context.Context, id string, entries []string) error {
	for _, entry := range entries {
		if err := r.store.Redact(ctx, id, entry); err != nil {
			return err
		}
	}
	return nil
}

// Add implements cases.Records.
func (r caseRecords) Add(ctx context.Context, id string, items []string, by string) (added int, err error) {
	return r.store.AddToCase(ctx, id, items, by)
}

// Remove implements cases.Records.
func (r caseRecords) Remove(ctx context.Context, id string, items []string, by string) error {
	_, err := r.store.RemoveFromCase(ctx, id, items, by)
	return err
}

// Hash implements cases.Records.
func (r caseRecords) Hash(ctx context.Context, path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // only read from
	return media.Hash(ctx, file, nil)
}
