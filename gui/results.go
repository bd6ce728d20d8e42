package gui

import (
	"context"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client"
	"assay/client/config"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/pull"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/results"
)

// newResults builds the list of results, with the viewer beside it.
func (a *app) newResults() screen {
	a.results = results.New(results.Params{
		Answers:  newAnswers(a.Store, a.Now),
		Workers:  a.readers,
		Thumbs:   a.thumbs,
		Tiles:    a.tiles,
		Shaped:   a.keepShape,
		Viewer:   a.viewer,
		Sandbox:  a.Sandbox,
		Pull:     a.Pull.Start,
		StopPull: a.Pull.Stop,
		Act:      a.act,
		Export:   a.exportList,
		Before:   a.viewerFirst,
		Now:      a.Now,
	})
	a.compared.Object().Hide()
	a.loadShape()
	return screen{object: container.NewStack(a.results.Object(), a.compared.Object()), shown: a.results.InSight,
		selectAll: func() {
			if !a.comparing {
				a.results.SelectAll()
			}
		},
		report: func() {
			if a.comparing {
				a.compared.MakeReport()
				return
			}
			a.results.Report()
		},
		typedRune: func(r rune) {
			if a.comparing {
				a.compared.TypedRune(r)
				return
			}
			if a.viewer.Full() {
				if !a.viewer.TypedRune(r) && strings.ContainsRune("jJkK", r) {
					a.results.TypedRune(r)
				}
				return
			}
			if !a.results.TypedRune(r) && !a.viewer.TypedRune(r) && (r == 'e' || r == 'E') {
				a.compareShown()
			}
		},
		typedKey: func(e *fyne.KeyEvent) {
			if a.comparing {
				a.compared.TypedKey(e)
				return
			}
			if a.viewer.Full() { // the list is out of sight: nothing in it is selected
				a.viewer.TypedKey(e)
				return
			}
			if !a.results.TypedKey(e) {
				a.viewer.TypedKey(e)
			}
		},
		groups: func(everywhere kit.ShortcutGroup) []kit.ShortcutGroup {
			if a.comparing {
				return []kit.ShortcutGroup{{Title: i18n.T("Comparison"), Rows: a.compared.Shortcuts()}, everywhere}
			}
			shown := append(a.viewer.Shortcuts(), present.Shortcut{Keys: "E", Does: i18n.T("Compare with the earlier answer on the same content")})
			return []kit.ShortcutGroup{{Title: i18n.T("Viewer"), Rows: shown}, everywhere, {Title: i18n.T("List"), Rows: a.results.Shortcuts()}}
		}}
}

// loadShape shows the list as the person chose it in an earlier run.
func (a *app) loadShape() {
	if a.Home == "" {
		return
	}
	a.readers.Do(func(context.Context) func() {
		kept := config.LoadState(a.Home).ResultsList
		return func() { a.results.SetShape(results.Shape(kept)) }
	})
}

// keepShape keeps how the person wants the list to be shown.
func (a *app) keepShape(s results.Shape) {
	if a.Home == "" {
		return
	}
	a.acceptors.Do(func(context.Context) func() {
		if err := config.ChangeState(a.Home, func(kept *config.State) { kept.ResultsList = string(s) }); err != nil {
			a.Log.Error("keep how the results are listed", "error", err)
		}
		return nil
	})
}

// viewerFirst gives the viewer a key before the list: those that play and seek, and the one that closes what is open in it.
func (a *app) viewerFirst(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyLeft, fyne.KeyRight, fyne.KeyEscape:
		return a.viewer.TypedKey(e)
	}
	return false
}

// storedAnswers is the store in the form that the list of results needs; it makes the words from the raw answers of the rows that are visible. Its
// methods read the disk.
type storedAnswers struct {
	store *store.Store
	now   func() time.Time
}

func newAnswers(s *store.Store, now func() time.Time) storedAnswers {
	return storedAnswers{store: s, now: now}
}

// Rows implements results.Answers.
func (a storedAnswers) Rows(ctx context.Context, q results.Query, index, n int) ([]results.Row, error) {
	kept, err := a.store.PageAt(ctx, a.query(q), index, n)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(kept))
	for i, row := range kept {
		ids[i] = row.ID
	}
	answers, err := a.store.Answers(ctx, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]results.Row, len(kept))
	for i, row := range kept {
		rows[i] = results.RowOf(submission.Submission{
			ID: row.ID, Name: row.Name, Link: row.Link, Source: row.Source, AnsweredBy: submission.Colleague{Name: row.AnsweredBy}, Folder: row.Folder, Type: row.Type, RequestID: row.RequestID,
			Accepted: row.Accepted, Answered: row.Answered, Graphic: row.Graphic, Result: answers[row.ID],
		})
		switch row.Was {
		case "":
		case client.Contradictory:
			rows[i].Was = verdict.Contradictory().Short
		default:
			rows[i].Was = verdict.Say(row.Was).Short
		}
	}
	return rows, nil
}

// Counts implements results.Answers.
func (a storedAnswers) Counts(ctx context.Context, q results.Query) (c results.Counts, err error) {
	query := a.query(q)
	if c.ByStatus, err = a.store.CountByStatus(ctx, query); err != nil {
		return c, err
	}
	if n, some := c.ByStatus[client.Contradictory]; some {
		delete(c.ByStatus, client.Contradictory)
		c.ByStatus[client.Suspicious] += n
	}
	changes, err := a.store.Changes(ctx)
	if err != nil {
		return c, err
	}
	c.Changed, c.Since = changes.Count, changes.Since
	for status, n := range c.ByStatus {
		c.All += n
		if len(q.Statuses) == 0 || q.Has(status) {
			c.Shown += n
		}
	}
	return c, nil
}

// Place implements results.Answers.
func (a storedAnswers) Place(ctx context.Context, q results.Query, id string) (index int, ok bool, err error) {
	index, ok, err = a.store.Place(ctx, a.query(q), id)
	return index, ok, err
}

// query is the list's query in the store's terms.
func (a storedAnswers) query(q results.Query) store.Query {
	own := []submission.Source{submission.Dropped, submission.Chosen, submission.Started, submission.Scanned, submission.Pasted}
	kept := store.Query{Text: q.Text, Statuses: q.Statuses, From: q.Dates.From(a.now()), Changed: q.Changed, Order: orders[q.Order]}
	if q.Has(client.Suspicious) {
		kept.Statuses = append(slices.Clone(q.Statuses), client.Contradictory)
	}
	if t, ok := mediaTypes[q.Medium]; ok {
		kept.Types = []client.MediaType{t}
	}
	links := q.Source == results.OwnLinks
	switch q.Source {
	case results.OwnFiles, results.OwnLinks:
		kept.Sources, kept.Links = own, &links
	case results.WatchedFolders:
		kept.Sources = []submission.Source{submission.Watched}
	case results.AnotherDevice:
		kept.Sources = []submission.Source{submission.Service}
	}
	return kept
}

var orders = map[results.Order]store.Order{
	results.NewestFirst: store.Newest,
	results.OldestFirst: store.Oldest,
	results.ByName:      store.ByName,
	results.HumanFirst:  store.HumanFirst,
}

var mediaTypes = map[present.Medium]client.MediaType{
	present.Picture:   client.Image,
	present.Clip:      client.Video,
	present.Recording: client.Audio,
	present.Text:      client.Text,
}

// gatherPull shows the state of the fetching of the service's list.
func (a *app) gatherPull(ctx context.Context, _ events.Changes) func() {
	state, fetched := a.Pull.State(), a.Pull.Fetched(ctx)
	return func() {
		a.results.SetPull(results.Pull{
			Running: state.Phase == pull.Running,
			Found:   state.Found,
			New:     state.Added,
			Problem: state.Problem.String(),
			Fetched: fetched,
		})
		a.results.Changed()
	}
}
