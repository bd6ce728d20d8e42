package results

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/thumbs"
)

var testNow = time.Date(2026, time.November, 12, 14, 2, 0, 0, time.UTC)

// memoryAnswers is answers in memory, in the order that is asked for; result i was answered i minutes ago.
type memoryAnswers struct {
	mu    sync.Mutex
	ids   []string // the newest first
	row   map[string]Row
	asked []string      // every call
	hold  chan struct{} // where it is set, Rows wait for it or for their ctx
	ended int           // calls that ctx ended
	fail  error
}

func newMemoryAnswers(n int) *memoryAnswers {
	s := &memoryAnswers{row: map[string]Row{}}
	for i := range n {
		s.ids = append(s.ids, s.make(i, testNow.Add(-time.Duration(i)*time.Minute)))
	}
	return s
}

var sampleAnswers = []string{
	`{"overallStatus":"FAKE","mediaType":"IMAGE","resultsSummary":{"metadata":{"finalScore":88.4}}}`,
	`{"overallStatus":"SUSPICIOUS","mediaType":"AUDIO","resultsSummary":{"metadata":{"finalScore":61}}}`,
	`{"overallStatus":"AUTHENTIC","mediaType":"IMAGE","resultsSummary":{"metadata":{"finalScore":4}}}`,
	`{"overallStatus":"NOT_APPLICABLE","mediaType":"IMAGE"}`,
	`{"overallStatus":"UNABLE_TO_EVALUATE","mediaType":"VIDEO"}`,
}

// sampleAnswer reads one of them, once.
var sampleAnswer = func() func(kind int) *client.Result {
	read := make([]*client.Result, len(sampleAnswers))
	for i, text := range sampleAnswers {
		read[i] = new(client.Result)
		if err := json.Unmarshal([]byte(text), read[i]); err != nil {
			panic(err)
		}
	}
	return func(kind int) *client.Result { return read[kind] }
}()

var sampleNames = []string{"harbour-statement.jpg", "voice note 18-22.ogg", "IMG_2047.HEIC.jpg", "crowd-wide.png", "interview-full.mov"}

// make adds the i-th result and returns its ID.
func (s *memoryAnswers) make(i int, at time.Time) string {
	id := fmt.Sprintf("id-%06d", i)
	kind := 2
	switch {
	case i%11 == 0:
		kind = 0
	case i%19 == 1:
		kind = 1
	case i%23 == 4:
		kind = 3
	case i%43 == 6:
		kind = 4
	}
	result := sampleAnswer(kind)
	sub := submission.Submission{ID: id, Name: fmt.Sprintf("%06d %s", i, sampleNames[kind]), Type: result.MediaType, RequestID: "req-" + id,
		Source: submission.Dropped, Accepted: at, Answered: at, Result: result}
	switch i % 5 {
	case 3:
		sub.Source = submission.Service
	case 4:
		sub.Source, sub.Folder = submission.Watched, "/desk/Agency"
	}
	s.row[id] = RowOf(sub)
	return id
}

// prepend adds a newest result.
func (s *memoryAnswers) prepend(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids = append([]string{s.make(i, testNow)}, s.ids...)
}

func (s *memoryAnswers) note(ctx context.Context, format string, values ...any) error {
	s.mu.Lock()
	s.asked = append(s.asked, fmt.Sprintf(format, values...))
	hold, fail := s.hold, s.fail
	s.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		s.mu.Lock()
		s.ended++
		s.mu.Unlock()
		return ctx.Err()
	}
	return fail
}

// matching returns the IDs that a query lists, in its order, the statuses not counted in where they are not to be.
func (s *memoryAnswers) matching(q Query, statuses bool) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !q.Filtered() && q.Order == NewestFirst {
		return s.ids
	}
	var ids []string
	for _, id := range s.ids {
		row := s.row[id]
		if !strings.Contains(row.Name, q.Text) || statuses && len(q.Statuses) > 0 && !q.Has(statusOf(row)) ||
			q.Changed && row.Was == "" || q.Source == AnotherDevice && !row.Elsewhere() || q.Source == WatchedFolders && !row.Care().Watched {
			continue
		}
		ids = append(ids, id)
	}
	switch q.Order {
	case OldestFirst:
		slices.Reverse(ids)
	case HumanFirst:
		slices.SortStableFunc(ids, func(a, b string) int { return rank(s.row[a]) - rank(s.row[b]) })
	}
	return ids
}

func statusOf(row Row) client.Status {
	for _, s := range StatusFilters() {
		if s.Mark == row.Mark {
			return s.Status
		}
	}
	return ""
}

func rank(row Row) int {
	if statusOf(row) == client.Suspicious {
		return 0
	}
	return 1
}

func (s *memoryAnswers) Rows(ctx context.Context, q Query, index, n int) ([]Row, error) {
	if err := s.note(ctx, "rows %d+%d", index, n); err != nil {
		return nil, err
	}
	ids := s.matching(q, true)
	var rows []Row
	for _, id := range ids[min(index, len(ids)):min(index+n, len(ids))] {
		rows = append(rows, s.row[id])
	}
	return rows, nil
}

func (s *memoryAnswers) Counts(ctx context.Context, q Query) (Counts, error) {
	if err := s.note(ctx, "counts %q", q.Text); err != nil {
		return Counts{}, err
	}
	c := Counts{Shown: len(s.matching(q, true)), ByStatus: map[client.Status]int{}}
	for _, row := range s.row {
		if row.Was != "" {
			c.Changed, c.Since = c.Changed+1, "2.14.0"
		}
	}
	for _, id := range s.matching(q, false) {
		c.All++
		c.ByStatus[statusOf(s.row[id])]++
	}
	return c, nil
}

func (s *memoryAnswers) Place(ctx context.Context, q Query, id string) (int, bool, error) {
	if err := s.note(ctx, "place %s", id); err != nil {
		return 0, false, err
	}
	i := slices.Index(s.matching(q, true), id)
	return max(i, 0), i >= 0, nil
}

// oneByOne are answers of which each list is read when next has something.
type oneByOne struct {
	*memoryAnswers
	next chan struct{}
}

func (s oneByOne) Counts(ctx context.Context, q Query) (Counts, error) {
	select {
	case <-s.next:
	case <-ctx.Done():
	}
	return s.memoryAnswers.Counts(ctx, q)
}

func (s *memoryAnswers) calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func (s *memoryAnswers) forgetCalls() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = nil
}

// noFiles has none.
type noFiles struct{}

func (noFiles) OpenFile(context.Context, string) (*os.File, error)      { return nil, os.ErrNotExist }
func (noFiles) OpenThumbnail(context.Context, string) (*os.File, error) { return nil, os.ErrNotExist }

// viewed stands for the viewer, and notes what it is to show.
type viewed struct {
	root *kit.Fill
	id   string
	next string // what is likely to be shown next
}

func (v *viewed) Object() fyne.CanvasObject { return v.root }
func (v *viewed) Show(id string)            { v.id = id }

func (v *viewed) ReadAhead(id string, _ present.Medium) { v.next = id }

// stride is from one row's top to the next one's, in the wide list.
const stride = float64(rowHeight + look.Hairline)

// fixture is the screen in a window.
type fixture struct {
	*Screen
	*guitest.Frame
	viewed  *viewed
	answers *memoryAnswers
	held    fyne.KeyModifier
	copied  string
	acted   []string
	action  present.Action
	shaped  []Shape
	pulls   int
	stops   int

	exported int // results
	exports  func(id string) bool
	query    Query
}

func setupWith(t testing.TB, answers Answers, files thumbs.Files, size fyne.Size) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, size), viewed: &viewed{root: kit.NewFill(look.ColorBackground)}}
	readers, loader, tiles := d.UI.Workers(2), thumbs.New(d.UI.Workers(2), files, thumbs.Row), thumbs.New(d.UI.Workers(2), files, thumbs.Tile)
	d.Screen = New(Params{
		Answers: answers, Workers: readers, Thumbs: loader, Tiles: tiles, Viewer: d.viewed,
		Shaped: func(s Shape) { d.shaped = append(d.shaped, s) },
		Pull:   func() { d.pulls++ }, StopPull: func() { d.stops++ },
		Act:      func(ids []string, a present.Action) { d.acted, d.action = ids, a },
		Export:   func(q Query, has func(id string) bool, n int) { d.query, d.exports, d.exported = q, has, n },
		Copy:     func(text string) { d.copied = text },
		Now:      func() time.Time { return testNow },
		Modifier: func() fyne.KeyModifier { return d.held },
	})
	d.Display(d.Object(), func(e *fyne.KeyEvent) { d.TypedKey(e) })
	d.Canvas().SetOnTypedRune(func(r rune) { d.TypedRune(r) })
	d.InSight()
	return d
}

// setup shows n results in the wide list at 1208 × 800, which is what the rail leaves of the window.
func setup(t testing.TB, n int) *fixture {
	t.Helper()
	return setupShape(t, n, Wide)
}

func setupShape(t testing.TB, n int, shape Shape) *fixture {
	t.Helper()
	s := newMemoryAnswers(n)
	d := setupWith(t, s, noFiles{}, guitest.Usual)
	d.answers = s
	d.SetShape(shape)
	d.Until("the list is read", func() bool { return d.window.known })
	d.settle()
	return d
}

// settle pumps until every visible row and the viewer have been read.
func (d *fixture) settle() {
	d.T.Helper()
	d.Until("everything visible is read", func() bool {
		visible := d.list.visible()
		for i := visible.first; i < min(visible.end, d.window.counts.Shown); i++ {
			if _, ok := d.window.row(i); !ok {
				return false
			}
		}
		return !d.busy && !d.pending && d.opening == "" && d.viewed.id == d.chosen
	})
}

// search is the field that is searched by.
func (d *fixture) search() *kit.SearchField { return guitest.InSight[*kit.SearchField](d.Top())[0] }

// chip is the one in sight for a verdict, or for all.
func (d *fixture) chip(words string) *kit.Chip {
	d.T.Helper()
	for _, chip := range guitest.InSight[*kit.Chip](d.Top()) {
		if strings.HasPrefix(chip.ToolTip(), words+": ") {
			return chip
		}
	}
	d.T.Fatalf("there is no chip for %q", words)
	return nil
}

// nameIn is the name that a row shows, "" while it is being read.
func nameIn(row *rowWidget) string {
	name, _, _ := strings.Cut(guitest.Words(row), "\n")
	return name
}

// chosenRow is the row that the viewer shows.
func (d *fixture) chosenRow() Row {
	row, _ := d.window.row(d.cursor)
	return row
}

func (noFiles) SetNote(context.Context, string, string) error { return nil }

// viewerFunc notes what a viewer is to show, before it does.
type viewerFunc struct {
	Viewer
	note func(id string)
}

func (v viewerFunc) Show(id string) { v.note(id); v.Viewer.Show(id) }
