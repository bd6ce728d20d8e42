package report

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/clocktest"
	"assay/client/report"
	"assay/gui/guitest"
	"assay/gui/kit"
)

var testNow = time.Date(2026, time.November, 22, 14, 40, 12, 0, time.UTC)

// memorySource is a report on results that are made up, of which a test says when their writing goes on.
type memorySource struct {
	guitest.Calls
	about  Subject
	more   []report.Table // of each page
	remark string         // likewise

	mu     sync.Mutex
	asked  report.Options // of the last preview or writing
	path   string         // of the last writing
	gate   chan struct{}  // if it is not nil, each result waits for it before it is written
	ended  chan struct{}  // closed when the writing was ended before its time
	failed error          // what the writing ends with
	notes  []string       // likewise
	how    Writing        // of the last writing
}

func (s *memorySource) Subject(ctx context.Context) (Subject, error) {
	return s.about, s.Note(ctx, "subject")
}

func (s *memorySource) note(ctx context.Context, call string, o report.Options) error {
	s.mu.Lock()
	if ctx.Err() == nil { // else a later one may have been asked for already
		s.asked = o
	}
	s.mu.Unlock()
	return s.Note(ctx, call)
}

func (s *memorySource) options() report.Options {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *memorySource) Page(ctx context.Context, at int, o report.Options) (Page, error) {
	section := &report.Section{Heading: fmt.Sprintf("name-%d.jpg", at), Result: &report.Result{Verdict: "Likely manipulated", Remark: s.remark}, Status: "The service's status: FAKE",
		ScoreText: "88", ScoreOf: "of 100 · ensemble", Percent: 88, OnTrack: true, Low: "0 no indication", High: "100 strong indication", MarkClass: "fake",
		Facts:       []report.Row{{{Text: "Size"}, {Text: "5,204,118 bytes"}}},
		Tables:      []report.Table{{Heading: "Other checks", Head: []string{"Check", "What was found", "Who, when"}, Class: "checks", Rows: []report.Row{{{Text: "Place"}, {Text: "empty", Muted: true}, {}}}}},
		PictureNote: "As received, made smaller."}
	section.Tables = append(section.Tables, s.more...)
	page := Page{Head: report.Head{Title: "Evidence report", Made: "made today"}, Section: section}
	if o.Media != report.MediaNone {
		page.Picture = image.NewRGBA(image.Rect(0, 0, 120, 80))
	}
	if s.about.Case && at == 0 {
		page.Section = report.CaseSection(report.Options{Case: &report.Case{Title: "Harbour"}})
	}
	return page, s.note(ctx, fmt.Sprintf("page %d", at), o)
}

func (s *memorySource) Table(ctx context.Context, o report.Options, most int) (head []string, rows [][]string, err error) {
	for i := range min(most, s.about.Results) {
		rows = append(rows, append([]string{fmt.Sprintf("request-%d", i), "=1+1"}, make([]string, 10)...))
	}
	return append([]string{"request_id", "name"}, make([]string, 10)...), rows, s.note(ctx, "table", o)
}

func (s *memorySource) Beginning(ctx context.Context, name string, o report.Options, _ int) (text string, whole bool, err error) {
	return `{"schema": "assay.report/1"`, false, s.note(ctx, "beginning "+filepath.Ext(name), o)
}

func (s *memorySource) Write(ctx context.Context, path string, w Writing, progress func(Progress)) (notes []string, err error) {
	s.mu.Lock()
	s.path, s.how = path, w
	s.mu.Unlock()
	if err := s.note(ctx, "write", w.Options); err != nil {
		return nil, err
	}
	for i := range s.about.Results {
		if s.gate != nil {
			select {
			case <-s.gate:
			case <-ctx.Done():
				close(s.ended)
				return nil, ctx.Err()
			}
		}
		progress(Progress{Done: int64(i + 1), Total: int64(s.about.Results)})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.notes, s.failed
}

// fixture is a window over which the sheet lies.
type fixture struct {
	*Sheet
	*guitest.Frame
	guitest.Calls // of what the sheet wants of the window
	at            string
	kept          []Choice
	clock         *clocktest.Clock
	authorities   []string // of time stamps
}

func setup(t *testing.T) *fixture {
	t.Helper()
	return setupAt(t, guitest.Smallest)
}

func setupAt(t *testing.T, size fyne.Size) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, size), at: "/out/chosen.html", clock: clocktest.New(testNow)}
	d.Sheet = New(Params{
		Sheet: d.Frame.Sheet, Workers: d.Workers, OnUI: d.Do, Now: d.clock.Now,
		AskWhere: func(name string, then func(string)) {
			d.Did("where " + name)
			if d.at != "" {
				then(d.at)
			}
		},
		Open: func(path string) { d.Did("open " + path) }, Reveal: func(path string) { d.Did("reveal " + path) },
		InBrowser: func(write func(context.Context, string) error, then func(string)) {
			if err := write(t.Context(), "/private/report.html"); err != nil {
				then(err.Error())
			}
		},
		Authorities: func() []string { return d.authorities },
		Keep:        func(c Choice) { d.kept = append(d.kept, c) },
	})
	return d
}

// show opens the sheet and waits for the preview.
func (d *fixture) show(about Subject) *memorySource {
	d.T.Helper()
	source := &memorySource{about: about}
	d.Show(source)
	d.Until("the preview is there", d.shown)
	return source
}

// shown reports whether the preview says what is written, rather than that it is being read.
func (d *fixture) shown() bool { return !guitest.Reads(d.Top(), guitest.Translated("Reading…")) }

// chooseFormat chooses the format whose words begin so.
func (d *fixture) chooseFormat(ending string) {
	d.T.Helper()
	for _, s := range guitest.InSight[*kit.Select](d.Top()) {
		for i, words := range s.Options() {
			if filepath.Ext(words[:len(words)-1]) == ending {
				s.Select(i)
				return
			}
		}
	}
	d.T.Fatalf("no format %s", ending)
}

// slow is a report on results each of which waits to be written until the test lets it; its first page is shown.
func (d *fixture) slow(results int) *memorySource {
	d.T.Helper()
	source := &memorySource{about: Subject{Results: results}, gate: make(chan struct{}), ended: make(chan struct{})}
	d.Show(source)
	d.UntilWords("name-0.jpg")
	d.Tap("Save…")
	return source
}

// one is the subject of a report on one result.
func one() Subject { return Subject{Name: "harbour-statement.jpg", Results: 1} }
