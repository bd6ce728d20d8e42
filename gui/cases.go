package gui

import (
	"context"
	"errors"
	"os"
	"strings"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/client/media"
	"assay/client/store"
	"assay/gui/cases"
	"assay/gui/inbox"
	"assay/gui/results"
)

// newCases builds the screen of the cases.
func (a *app) newCases(kept *submissions) screen {
	a.cases = cases.New(cases.Params{
		Records: caseRecords{a.Store, kept},
		Workers: a.readers,
		Sheet:   a.sheet,
		Thumbs:  a.tiles,
		Sandbox: a.Sandbox,
		Open:    a.open,
		Now:     a.Now,
	})
	return screen{object: a.cases.Object(), typedRune: func(r rune) { a.cases.TypedRune(r) }, typedKey: func(e *fyne.KeyEvent) { a.cases.TypedKey(e) },
		groups: withOwn(i18n.T("Cases"), a.cases.Shortcuts), shown: a.cases.Changed, say: a.cases.Say}
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
func (r caseRecords) Case(ctx context.Context, id string, happened int) (c cases.Case, ok bool, err error) {
	var k cases.Kept
	if k.Case, err = r.store.CaseByID(ctx, id); errors.Is(err, store.ErrNoCase) {
		return c, false, nil
	}
	if err == nil {
		k.Items, err = r.store.CaseItems(ctx, id)
	}
	if err == nil {
		k.Notes, err = r.store.CaseNotes(ctx, id)
	}
	if err == nil {
		k.Questions, err = r.store.CaseQuestions(ctx, id)
	}
	var at store.CaseCursor
	for more := true; err == nil && more; {
		if more = cases.Groups(k.Events) <= happened; !more { // the last one may go on
			k.More = true
			break
		}
		var events []store.CaseEvent
		events, at, err = r.store.CaseEvents(ctx, id, at, eventsRead)
		k.Events = append(k.Events, events...)
		more = len(events) == eventsRead
	}
	if err != nil {
		return c, false, err
	}
	return cases.CaseOf(k, r.kept.now()), true, nil
}

// eventsRead is how many events of a case are read at a time.
const eventsRead = 100

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
		items = append(items, cases.Item{ID: id, Name: row.Name, Medium: row.Medium, Watched: row.Watched(), Mark: row.Mark, Words: row.State})
	}
	return items, nil
}

// Results implements cases.Records.
func (r caseRecords) Results(ctx context.Context, text string, n int) ([]cases.Item, error) {
	rows, err := newAnswers(r.store, r.kept.now).Rows(ctx, results.Query{Text: text}, 0, n)
	items := make([]cases.Item, len(rows))
	for i, row := range rows {
		items[i] = cases.Item{ID: row.ID, Name: row.Name, Medium: row.Medium, Watched: row.Watched(), Mark: row.Mark, Words: row.Words}
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
