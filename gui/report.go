package gui

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/release"
	"assay/client/report"
	"assay/client/report/bundle"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/present"
	reportsheet "assay/gui/report"
	"assay/gui/results"
)

// newReport makes the sheet in which reports are made, closed.
func (a *app) newReport() *reportsheet.Sheet {
	sheet := reportsheet.New(reportsheet.Params{
		Sheet: a.sheet, Workers: a.player, OnUI: a.onUI, Now: a.Now, AskWhere: a.askWhere, InBrowser: a.showInBrowser,
		Open:        a.openFile,
		Reveal:      func(path string) { a.openInFiles(filepath.Dir(path)) },
		Authorities: a.stampHosts,
		Keep:        a.keepReportChoice,
	})
	if a.Home == "" {
		return sheet
	}
	a.acceptors.Do(func(context.Context) func() {
		kept := config.LoadState(a.Home).Report
		return func() {
			sheet.Kept = reportsheet.Choice{
				Format: kept.Format, Media: report.Media(kept.Media), Names: report.Names(kept.Names), Language: kept.Language, Files: report.Media(kept.Files), Stamp: kept.Stamp,
				NoNotes: kept.NoNotes, NoHeatmaps: kept.NoHeatmaps, NoTimelines: kept.NoTimelines, NoFile: kept.NoFile, ByteOrderMark: kept.ByteOrderMark,
			}
		}
	})
	return sheet
}

// sealed says how a bundle is written.
func (a *app) sealed(ctx context.Context, records *store.Store, o report.Options, unsealed, stamp bool) (bundle.Options, error) {
	return a.Session.Service().Bundle(ctx, records, o, unsealed, stamp)
}

// stampHosts are the hosts of the time stamp authorities that the settings name.
func (a *app) stampHosts() (hosts []string) {
	for _, authority := range a.Config.Settings().Stamps {
		if u, err := url.Parse(authority); err == nil && u.Host != "" {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts
}

// keepReportChoice keeps how a report was written for the next one.
func (a *app) keepReportChoice(c reportsheet.Choice) {
	if a.Home == "" {
		return
	}
	a.acceptors.Do(func(context.Context) func() {
		err := config.ChangeState(a.Home, func(s *config.State) {
			s.Report = config.ReportChoice{
				Format: c.Format, Media: string(c.Media), Names: string(c.Names), Language: c.Language, Files: string(c.Files), Stamp: c.Stamp,
				NoNotes: c.NoNotes, NoHeatmaps: c.NoHeatmaps, NoTimelines: c.NoTimelines, NoFile: c.NoFile, ByteOrderMark: c.ByteOrderMark,
			}
		})
		if err != nil {
			a.Log.Error("keep how a report was written", "error", err)
		}
		return nil
	})
}

// makeReport opens the sheet for a report on some results. Duplicates are reported as their primaries.
func (a *app) makeReport(ids []string) {
	if len(ids) > 0 {
		a.report.Show(&reportSource{records: a.Store, service: a.reportService(), sealed: a.sealed, preview: a.previewOf, ids: slices.Clone(ids)})
	}
}

// makeCaseReport opens the sheet for a report on a case.
func (a *app) makeCaseReport(caseID string) {
	a.report.Show(&reportSource{records: a.Store, service: a.reportService(), sealed: a.sealed, preview: a.previewOf, caseID: caseID})
}

// exportList opens the sheet for a table of the n results of a query that are selected.
func (a *app) exportList(q results.Query, has func(id string) bool, n int) {
	query := newAnswers(a.Store, a.Now).query(q)
	a.report.Show(&reportSource{records: a.Store, service: a.reportService(), sealed: a.sealed, preview: a.previewOf, list: &reportList{query, has, n}})
}

// previewOf is how a picture is shown before the person asks to see it. It may be called on any goroutine.
func (a *app) previewOf(care present.Care) present.Preview {
	return present.PreviewChoiceOf(a.Config.Settings().Appearance.Careful).For(care)
}

// reportService is where the results come from.
func (a *app) reportService() report.Service {
	if a.Sandbox {
		return report.Service{Sandbox: true}
	}
	return report.Service{Address: a.Address}
}

// showInBrowser opens a page that write writes in the browser.
func (a *app) showInBrowser(write func(ctx context.Context, path string) error, then func(problem string)) {
	a.player.Do(func(ctx context.Context) func() {
		path, err := a.lentPath("report.html")
		if err == nil {
			err = write(ctx, path)
		}
		if err != nil {
			return func() { then(present.Problem(err)) }
		}
		if err := a.openWithSystem(path); err != nil {
			a.Log.Warn("open a report in the browser", "error", err)
			return func() { then(i18n.T("This computer has no program that opens this file.")) }
		}
		return func() { then("") }
	})
}

// askWhere asks where to save a report.
func (a *app) askWhere(name string, then func(path string)) {
	a.dialogs.save(i18n.T("Save the report"), name, then)
}

// openFile opens a report with the system's program for it.
func (a *app) openFile(path string) {
	a.lookers.Do(func(context.Context) func() {
		if err := a.openWithSystem(path); err != nil {
			a.Log.Warn("open a report", "error", err)
			return func() { a.sayInFront(i18n.T("This computer has no program that opens this file.")) }
		}
		return nil
	})
}

// reportSource is what the report on some results, or on a case, is made of.
type reportSource struct {
	records *store.Store
	service report.Service
	ids     []string
	sealed  func(ctx context.Context, records *store.Store, o report.Options, unsealed, stamp bool) (bundle.Options, error) // how a bundle is written
	preview func(present.Care) present.Preview                                                                              // how careful the window is
	caseID  string                                                                                                          // in place of ids
	list    *reportList                                                                                                     // in place of ids; nil for none

	// What Subject has read.
	answered []string // the IDs of the results, each once
	about    *report.Case
}

// reportList is results of a list, of which there may be very many.
type reportList struct {
	query store.Query
	has   func(id string) bool // whether one is selected
	n     int                  // how many are
}

// listPage is how many rows are read at a time.
const listPage = 500

// each yields the IDs of the results that are selected, in the list's order.
func (l *reportList) each(ctx context.Context, records *store.Store) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		var after store.Cursor
		for {
			rows, next, err := records.Page(ctx, l.query, after, listPage)
			if err != nil {
				yield("", err)
				return
			}
			for _, row := range rows {
				if l.has(row.ID) && !yield(row.ID, nil) {
					return
				}
			}
			if len(rows) < listPage {
				return
			}
			after = next
		}
	}
}

// subject says what a table of the list is about: an answer is in the list only once it is final.
func (l *reportList) subject(ctx context.Context, records *store.Store) (reportsheet.Subject, error) {
	sensitive := l.query
	sensitive.Gates = []submission.Gate{submission.GateAsk, submission.GateNever}
	rows, _, err := records.Page(ctx, sensitive, store.Cursor{}, 1)
	return reportsheet.Subject{Table: true, Results: l.n, Sensitive: len(rows)}, err
}

// errNoCase is the error for a case that is not there any more.
var errNoCase = errors.New("there is no such case any more")

// Subject implements reportsheet.Source.
func (s *reportSource) Subject(ctx context.Context) (about reportsheet.Subject, err error) {
	if s.list != nil {
		return s.list.subject(ctx, s.records)
	}
	if s.caseID != "" {
		if about.Name, err = s.readCase(ctx); err != nil {
			return about, err
		}
		about.Case = true
	}
	s.answered = nil
	seen := map[string]bool{}
	for _, id := range s.ids {
		sub, err := s.result(ctx, id)
		switch {
		case err != nil:
			return about, err
		case sub.Result == nil:
			about.Unanswered++
			continue
		case seen[sub.ID]:
			continue
		}
		seen[sub.ID] = true
		s.answered = append(s.answered, sub.ID)
		if !sub.Result.Final() {
			about.Provisional++
		}
		if sub.Gate != submission.GateSend {
			about.Sensitive++
		}
		if !about.Case {
			about.Name = sub.Name
		}
	}
	about.Results = len(s.answered)
	if !about.Case && about.Results != 1 {
		about.Name = ""
	}
	return about, nil
}

// readCase reads the case and its items.
func (s *reportSource) readCase(ctx context.Context) (title string, err error) {
	all, err := s.records.Cases(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(all, func(c store.Case) bool { return c.ID == s.caseID })
	if i < 0 {
		return "", errNoCase
	}
	if s.ids, err = s.records.CaseItems(ctx, s.caseID); err != nil {
		return "", err
	}
	s.about, err = report.ReadCase(ctx, s.records, all[i])
	return all[i].Title, err
}

// result is the submission whose answer an ID stands for, with the stricter of both gates.
func (s *reportSource) result(ctx context.Context, id string) (submission.Submission, error) {
	sub, ok, err := s.records.Get(ctx, id)
	if err == nil && ok && sub.Earlier != "" {
		gate := sub.Gate
		if sub, ok, err = s.records.Get(ctx, sub.Earlier); ok {
			sub.Gate = submission.Stricter(gate, sub.Gate)
		}
	}
	return sub, errors.Join(err, missing(ok, err))
}

// Page implements reportsheet.Source.
func (s *reportSource) Page(ctx context.Context, at int, o report.Options) (page reportsheet.Page, err error) {
	o.Case, o.Version = s.about, release.Full()
	page.Head = report.HeadOf(o)
	if s.about != nil {
		ofCase := 0
		if report.ResultFirst(o) {
			ofCase = len(s.answered)
		}
		if at == ofCase {
			page.Section = report.CaseSection(o)
			return page, nil
		}
		if at > ofCase {
			at--
		}
	}
	care := present.Care{}
	page.Section, err = report.SectionOf(ctx, o, func() (*report.Result, error) {
		result, err := report.Read(ctx, s.records, s.service, s.answered[at])
		if result != nil {
			care = present.Care{Watched: result.Source == submission.Watched, Graphic: result.Graphic}
		}
		return result, err
	})
	if err != nil {
		return page, err
	}
	if page.Section.Covered == "" && s.preview(care) != present.PreviewPlain { // in the window alone: the report itself shows it
		page.Section.Covered = i18n.T("Covered, in case it is disturbing.")
	}
	return page, decode(ctx, &page)
}

// decode decodes the pictures of a page. Only those that can be shown are shown; an error is ctx's.
func decode(ctx context.Context, page *reportsheet.Page) error {
	if p := page.Section.Picture; p != nil {
		if img, err := p.Decode(ctx); err == nil {
			page.Picture = img
		}
	}
	page.Heatmaps = nil
	for _, h := range page.Section.Heatmaps {
		img, err := h.Decode(ctx)
		if err != nil {
			page.Heatmaps = append(page.Heatmaps, nil)
			continue
		}
		page.Heatmaps = append(page.Heatmaps, img)
	}
	return ctx.Err()
}

// selected reads the results; of those for a table less is read.
func (s *reportSource) selected(ctx context.Context, table bool) *report.Selected {
	ids := report.IDs(s.answered...)
	if s.list != nil {
		ids = s.list.each(ctx, s.records)
	}
	return &report.Selected{Records: s.records, Service: s.service, IDs: ids, Table: table, Unique: s.list != nil}
}

// Table implements reportsheet.Source.
func (s *reportSource) Table(ctx context.Context, o report.Options, most int) (head []string, rows [][]string, err error) {
	return report.TableOf(o, s.selected(ctx, true).Results(ctx), most)
}

// Beginning implements reportsheet.Source.
func (s *reportSource) Beginning(ctx context.Context, name string, o report.Options, most int) (text string, whole bool, err error) {
	o.Case, o.Version = s.about, release.Full()
	return report.BeginningOf(ctx, name, o, s.selected(ctx, false).Results(ctx), most)
}

// Write implements reportsheet.Source.
func (s *reportSource) Write(ctx context.Context, path string, w reportsheet.Writing, progress func(reportsheet.Progress)) (notes []string, err error) {
	o := w.Options
	o.Case, o.Version = s.about, release.Full()
	if bundle.IsName(path) {
		return s.writeBundle(ctx, path, o, w, progress)
	}
	selected := s.selected(ctx, report.IsTable(path))
	total := int64(len(s.answered))
	if s.list != nil {
		total = int64(s.list.n)
	}
	return nil, report.Write(ctx, path, o, func(yield func(*report.Result, error) bool) {
		for r, err := range selected.Results(ctx) {
			if !yield(r, err) {
				return
			}
			progress(reportsheet.Progress{Done: int64(selected.Read), Total: total})
		}
	})
}

// writeBundle writes an evidence bundle, sealed with the desk's key.
func (s *reportSource) writeBundle(ctx context.Context, path string, o report.Options, w reportsheet.Writing, progress func(reportsheet.Progress)) (notes []string, err error) {
	how, err := s.sealed(ctx, s.records, o, w.Unsealed, w.Stamp)
	if keys.IsProblem(err, keys.Absent) {
		err = &report.Error{Text: i18n.Sentence(err) + " " + i18n.T("You can save the bundle without a seal: choose “Leave out the seal”."), Err: errors.Join(reportsheet.ErrNoKey, err)}
	}
	if err != nil {
		return nil, err
	}
	how.Progress = func(done, total int64) { progress(reportsheet.Progress{Done: done, Total: total, Bytes: true}) }
	written, err := bundle.Write(ctx, path, s.selected(ctx, false), how)
	if err != nil {
		return nil, err
	}
	if written.Fingerprint == "" {
		notes = append(notes, i18n.T("The bundle has no seal."))
	} else {
		notes = append(notes, i18n.F("The bundle was sealed with the key %s.", written.Fingerprint))
	}
	return append(append(notes, written.StampProblems...), written.Lacks...), nil
}

// lentPath is the path for a file of this name that another program is to open: in a folder of its own, which is removed when the window closes.
func (a *app) lentPath(name string) (string, error) {
	lending, err := a.lendFolder()
	if err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(lending, "")
	return filepath.Join(folder, name), err
}
