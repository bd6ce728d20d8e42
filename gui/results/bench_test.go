package results

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/present"
)

// B9: a jump costs at most this many times one in a list of 100.
const (
	benchRows  = 100_000
	benchFew   = 100
	benchJumps = 40
	benchAim   = 1.2
)

// BenchmarkB9Jump scrolls to a random place of the list, reads what is visible there from the store and paints it, in a list of
// 100,000 and in one of 100 by turns, and prints the ratio beside the aim of B9. The painting of the whole screen is in it, as
// when a person scrolls; the jump without it is printed too.
func BenchmarkB9Jump(b *testing.B) {
	many, few := setupStored(b, benchRows), setupStored(b, benchFew)
	random := rand.New(rand.NewPCG(9, 9)) //nolint:gosec // the same places each time
	var times [2][]float64
	var unpainted [2][]float64
	for n := range benchJumps + 5 {
		for i, d := range []*fixture{many, few} {
			read, all := d.jump(random)
			if n >= 5 { // the first ones draw every icon for the first time
				times[i], unpainted[i] = append(times[i], all), append(unpainted[i], read)
			}
		}
	}
	ratio, bare := benchtest.Median(times[0])/benchtest.Median(times[1]), benchtest.Median(unpainted[0])/benchtest.Median(unpainted[1])
	benchtest.Print(b, "\nB9 a jump in a list of %d vs one of %d: %.2fx (aim %.1fx) %s; %.1f ms against %.1f ms",
		benchRows, benchFew, ratio, benchAim, benchtest.Met(ratio <= benchAim), benchtest.Median(times[0])*1e3, benchtest.Median(times[1])*1e3)
	benchtest.Print(b, "B9 the same without painting: %.2fx; %.1f ms against %.1f ms", bare, benchtest.Median(unpainted[0])*1e3, benchtest.Median(unpainted[1])*1e3)
	b.ReportMetric(ratio, "x-100-rows")
	for b.Loop() {
		many.jump(random)
	}
}

// B11: while a person scrolls through so many rows, the window's thread is busy for so long at most in a frame.
const (
	benchScrolled  = 10_000
	benchFrameRows = 5
	benchFrameAim  = 33 * time.Millisecond
	benchFrameTime = time.Second / 60
)

// BenchmarkB11Scroll scrolls through a list of 10,000 results, five rows in each sixtieth of a second, and prints the longest time that the window's
// thread was busy in a frame: with the list's layout, and with what the workers had read meanwhile. What the toolkit then paints is not in it.
func BenchmarkB11Scroll(b *testing.B) {
	d := setupStored(b, benchScrolled)
	frames := time.NewTicker(benchFrameTime)
	defer frames.Stop()
	var busy []float64
	late := 0
	for row := 0; row < d.window.counts.Shown-d.list.wholeRows(); row += benchFrameRows {
		<-frames.C
		began := time.Now()
		d.list.ScrollToOffset(float32(float64(row) * stride))
		d.RunGiven()
		took := time.Since(began)
		busy = append(busy, took.Seconds())
		if took > benchFrameAim {
			late++
		}
	}
	longest := slices.Max(busy) * 1e3
	benchtest.Print(b, "\nB11 scrolling through %d rows, %d a frame: the longest of %d frames %.1f ms (aim %d ms) %s; %d over it; median %.2f ms", benchScrolled, benchFrameRows,
		len(busy), longest, benchFrameAim.Milliseconds(), benchtest.Met(late == 0), late, benchtest.Median(busy)*1e3)
	b.ReportMetric(longest, "ms-longest-frame")
}

// jump goes to a random place and gives the seconds until its rows are there, and until they are painted. Nothing of it has
// been read before.
func (d *fixture) jump(random *rand.Rand) (read, all float64) {
	d.T.Helper()
	d.window.pages, d.window.used = map[int][]Row{}, nil
	rows := d.window.counts.Shown - d.list.wholeRows()
	start := time.Now()
	d.list.ScrollToOffset(float32(float64(random.IntN(rows)) * stride))
	d.list.Refresh()
	d.settle()
	read = time.Since(start).Seconds()
	d.Canvas().Capture()
	return read, time.Since(start).Seconds()
}

// setupStored shows n results of a real store.
func setupStored(b *testing.B, n int) *fixture {
	b.Helper()
	ctx := context.Background()
	folder := b.TempDir()
	assert.NoError(b, storetest.FillFolder(ctx, folder, n))
	s, err := store.Open(ctx, folder, store.Options{})
	assert.NoError(b, err)
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	d := setupWith(b, keptAnswers{s}, keptFiles{store: s}, guitest.Usual)
	d.Until("the list is read", func() bool { return d.window.known })
	d.settle()
	return d
}

// keptAnswers reads a store as the app does.
type keptAnswers struct{ store *store.Store }

func (a keptAnswers) Rows(ctx context.Context, _ Query, index, n int) ([]Row, error) {
	kept, err := a.store.PageAt(ctx, store.Query{}, index, n)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(kept))
	for i, row := range kept {
		ids[i] = row.ID
	}
	results, err := a.store.Answers(ctx, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(kept))
	for i, k := range kept {
		rows[i] = RowOf(submission.Submission{ID: k.ID, Name: k.Name, Link: k.Link, Source: k.Source, Type: k.Type,
			RequestID: k.RequestID, Accepted: k.Accepted, Answered: k.Answered, Result: results[k.ID]})
	}
	return rows, nil
}

func (a keptAnswers) Counts(ctx context.Context, _ Query) (c Counts, err error) {
	c.ByStatus, err = a.store.CountByStatus(ctx, store.Query{})
	for _, n := range c.ByStatus {
		c.All, c.Shown = c.All+n, c.Shown+n
	}
	return c, err
}

func (a keptAnswers) Place(ctx context.Context, _ Query, id string) (int, bool, error) {
	return a.store.Place(ctx, store.Query{}, id)
}

// keptFiles has no picture of any result, and of each what the viewer shows.
type keptFiles struct {
	noFiles
	store *store.Store
}

func (f keptFiles) Viewer(ctx context.Context, id string) (present.Viewer, bool, error) {
	sub, ok, err := f.store.Get(ctx, id)
	if err != nil || !ok || sub.Result == nil {
		return present.Viewer{}, false, err
	}
	return present.ViewerOf(sub, time.Now()), true, nil
}

func (keptFiles) OpenOriginal(context.Context, string) (*os.File, error) { return nil, os.ErrNotExist }

func (keptFiles) Heatmap(context.Context, string, string) ([]byte, error) {
	return nil, client.ErrNoArtifact
}

func (keptFiles) SetNote(context.Context, string, string) error { return nil }
