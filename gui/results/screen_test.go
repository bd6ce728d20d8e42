package results

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"

	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
)

func TestTheListReadsOnlyWhatIsVisible(t *testing.T) {
	t.Run("at the start, one page of 100,000", func(t *testing.T) {
		d := setup(t, 100_000)
		if diff := cmp.Diff([]string{`counts ""`, "rows 0+50"}, d.shelf.calls()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("after a jump to the end, the last page alone", func(t *testing.T) {
		d := setup(t, 100_000)
		d.shelf.forgetCalls()
		d.key(fyne.KeyEnd)
		d.settle()
		if diff := cmp.Diff([]string{"rows 99950+50"}, d.shelf.calls()); diff != "" {
			t.Error(diff)
		}
		if d.chosenRow().ID != "id-099999" || d.viewed.id != "id-099999" {
			t.Errorf("chosen %q, shown %q", d.chosenRow().ID, d.viewed.id)
		}
	})
	t.Run("across two pages, both at once", func(t *testing.T) {
		d := setup(t, 100_000)
		d.shelf.forgetCalls()
		d.list.ScrollToOffset(float32(5047 * stride))
		d.settle()
		if diff := cmp.Diff([]string{"rows 5000+100"}, d.shelf.calls()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("what was looked at is kept, the latest alone", func(t *testing.T) {
		d := setup(t, 100_000)
		for page := range 2 * keptPages {
			d.list.ScrollToOffset(float32(float64(page*1000) * stride))
			d.settle()
		}
		if n := len(d.window.pages); n > keptPages {
			t.Errorf("%d pages are kept", n)
		}
		d.shelf.forgetCalls()
		d.list.ScrollToOffset(float32(float64((2*keptPages-2)*1000) * stride))
		d.settle()
		if calls := d.shelf.calls(); len(calls) > 0 {
			t.Errorf("asked again: %v", calls)
		}
	})
	t.Run("no more rows are drawn than fit", func(t *testing.T) {
		d := setup(t, 100_000)
		if n := len(visibleRows(d)); n < 5 || n > 12 {
			t.Errorf("%d rows are drawn", n)
		}
	})
}

func TestScrollingFast(t *testing.T) {
	d := setup(t, 100_000)
	d.shelf.mu.Lock()
	d.shelf.hold = make(chan struct{})
	d.shelf.mu.Unlock()
	for i := 1; i <= 20; i++ {
		d.list.ScrollToOffset(float32(float64(i*4000) * stride))
	}
	for _, row := range visibleRows(d) {
		if row.loaded {
			t.Errorf("%q is shown where another stands", row.name.Text())
		}
	}
	close(d.shelf.hold)
	d.settle()
	if got := visibleRows(d)[0].name.Text(); !strings.HasPrefix(got, "080000") {
		t.Errorf("the topmost row is %q", got)
	}
	d.Until("what is scrolled past was given up", func() bool {
		d.shelf.mu.Lock()
		defer d.shelf.mu.Unlock()
		finished := 0
		for _, call := range d.shelf.asked {
			if strings.HasPrefix(call, "rows") {
				finished++
			}
		}
		return finished-d.shelf.ended <= 3
	})
}

func TestTyping(t *testing.T) {
	t.Run("cancels the search for what was typed before", func(t *testing.T) {
		d := setup(t, 2000)
		d.shelf.mu.Lock()
		d.shelf.hold = make(chan struct{})
		d.shelf.mu.Unlock()
		test.Type(d.filters.search, "00123")
		close(d.shelf.hold)
		d.settle()
		if d.window.query.Text != "00123" || d.window.counts.Shown != 11 {
			t.Errorf("%d rows for %q", d.window.counts.Shown, d.window.query.Text)
		}
		if rows := d.Rows(); len(rows) != 11 || !strings.HasPrefix(rows[10].Name, "001239") {
			t.Errorf("rows %v", rows)
		}
	})
	t.Run("shows nothing stale meanwhile", func(t *testing.T) {
		d := setup(t, 2000)
		d.filters.search.SetText("00123")
		for _, row := range visibleRows(d) {
			if row.loaded {
				t.Errorf("%q is still shown", row.name.Text())
			}
		}
		d.settle()
	})
	t.Run("says when nothing matches, and clears the filters", func(t *testing.T) {
		d := setup(t, 20)
		d.filters.search.SetText("no such name")
		d.settle()
		if !d.notices.unmatched.Visible() || d.notices.empty.Visible() {
			t.Error("it does not say that nothing matches")
		}
		d.clearFilters()
		d.settle()
		if d.filters.search.Text != "" || d.window.counts.Shown != 20 || d.notices.unmatched.Visible() {
			t.Error("the filters are not cleared")
		}
	})
	t.Run("Escape empties the field, then leaves it for the list", func(t *testing.T) {
		d := setup(t, 20)
		d.runes("/")
		if d.Canvas().Focused() != fyne.Focusable(d.filters.search) {
			t.Fatal("the slash does not lead to the search")
		}
		test.Type(d.filters.search, "0001")
		d.settle()
		d.filters.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.filters.search.Text != "" {
			t.Error("the field is not empty")
		}
		d.filters.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.Canvas().Focused() != fyne.Focusable(d.list) {
			t.Error("the list has not the focus")
		}
		d.settle()
	})
}

func TestFilters(t *testing.T) {
	t.Run("chips count what their own filter leaves out, and add up", func(t *testing.T) {
		d := setup(t, 214)
		before := labels(d)
		test.Tap(d.filters.chips[0])
		test.Tap(d.filters.chips[1])
		d.settle()
		if diff := cmp.Diff(before, labels(d)); diff != "" {
			t.Errorf("the counts have changed: %s", diff)
		}
		if want := fmt.Sprint(d.window.counts.Shown); want != "31" {
			t.Errorf("%s rows, the chips say %v", want, before)
		}
		for _, row := range d.Rows() {
			if row.Words != "Likely manipulated" && row.Words != "Suspicious" {
				t.Errorf("%q is shown", row.Words)
			}
		}
		test.Tap(d.filters.all)
		d.settle()
		if d.window.counts.Shown != 214 || d.filters.chips[0].On() || !d.filters.all.On() {
			t.Error("All does not bring all back")
		}
	})
	t.Run("menus narrow and sort", func(t *testing.T) {
		d := setup(t, 214)
		d.filters.source.Select(int(AnotherDevice))
		d.settle()
		for _, row := range d.Rows() {
			if !row.Elsewhere() {
				t.Errorf("%s is from here", row.Name)
			}
		}
		d.filters.source.Select(int(WatchedFolders))
		d.settle()
		if len(d.Rows()) == 0 {
			t.Error("nothing came from a watched folder")
		}
		for _, row := range d.Rows() {
			if detail := row.Detail(d.Now()); !strings.HasSuffix(detail, " · from Agency") {
				t.Errorf("%s came %q", row.Name, detail)
			}
		}
		d.filters.source.Select(int(AllSources))
		d.filters.order.Select(int(OldestFirst))
		d.settle()
		if got := d.Rows()[0].ID; got != "id-000213" {
			t.Errorf("the first is %s", got)
		}
	})
	t.Run("H brings what needs a human to the top, and back", func(t *testing.T) {
		d := setup(t, 214)
		d.runes("h")
		d.settle()
		if got := d.Rows()[0].Words; got != "Suspicious" || d.filters.order.Selected() != int(HumanFirst) {
			t.Errorf("the first is %q, the menu at %d", got, d.filters.order.Selected())
		}
		d.runes("h")
		d.settle()
		if d.Rows()[0].ID != "id-000000" {
			t.Error("it is not the newest first again")
		}
	})
	t.Run("nothing answered yet says what to do", func(t *testing.T) {
		d := setup(t, 0)
		if !d.notices.empty.Visible() || d.notices.unmatched.Visible() {
			t.Error("it does not say so")
		}
	})
}

func TestNews(t *testing.T) {
	t.Run("the chosen row stays chosen, and where it is on screen", func(t *testing.T) {
		d := setup(t, 1000)
		d.list.ScrollToOffset(float32(300 * stride))
		d.settle()
		d.goTo(303)
		d.settle()
		chosen, y := d.chosenRow().ID, 303*stride-float64(d.list.GetScrollOffset())
		for i := range 60 {
			d.shelf.prepend(5000 + i)
		}
		d.shelf.forgetCalls()
		d.Changed()
		d.settle()
		if d.chosenRow().ID != chosen || d.cursor != 363 {
			t.Errorf("chosen %q at %d, was %q", d.chosenRow().ID, d.cursor, chosen)
		}
		if now := float64(d.cursor)*stride - float64(d.list.GetScrollOffset()); now != y {
			t.Errorf("it has moved from %g to %g", y, now)
		}
		if diff := cmp.Diff([]string{`counts ""`, "place " + chosen, "rows 350+50"}, d.shelf.calls()); diff != "" {
			t.Errorf("more than what is visible is read: %s", diff)
		}
	})
	t.Run("what is looked at stays in place though nothing there is chosen", func(t *testing.T) {
		d := setup(t, 1000)
		d.list.ScrollToOffset(float32(300*stride) + 10)
		d.settle()
		top := visibleRows(d)[0].name.Text()
		d.shelf.prepend(5000)
		d.Changed()
		d.settle()
		if got := visibleRows(d)[0].name.Text(); got != top {
			t.Errorf("the topmost row is %q, was %q", got, top)
		}
	})
	t.Run("at the top they come in", func(t *testing.T) {
		d := setup(t, 1000)
		d.shelf.prepend(5000)
		d.Changed()
		d.settle()
		if got := visibleRows(d)[0].name.Text(); !strings.HasPrefix(got, "005000") {
			t.Errorf("the topmost row is %q", got)
		}
		if d.chosen != "id-000000" || d.cursor != 1 {
			t.Errorf("the viewer went to %q, at %d", d.chosen, d.cursor)
		}
	})
	t.Run("many at once are read once more, not many times", func(t *testing.T) {
		d := setup(t, 1000)
		d.shelf.forgetCalls()
		for range 100 {
			d.Changed()
		}
		d.settle()
		counted := 0
		for _, call := range d.shelf.calls() {
			if strings.HasPrefix(call, "counts") {
				counted++
			}
		}
		if counted != 2 {
			t.Errorf("read %d times", counted)
		}
	})
	t.Run("the first answer is shown by itself", func(t *testing.T) {
		d := setup(t, 0)
		d.shelf.prepend(7)
		d.Changed()
		d.settle()
		if d.viewed.id != "id-000007" {
			t.Errorf("the viewer shows %q", d.viewed.id)
		}
	})
	t.Run("scrolling while they are read loses neither", func(t *testing.T) {
		d := setup(t, 1000)
		d.shelf.prepend(5000)
		d.Changed()
		d.list.ScrollToOffset(float32(700 * stride))
		d.settle()
		if d.window.counts.Shown != 1001 {
			t.Errorf("%d rows", d.window.counts.Shown)
		}
	})
	t.Run("a disk that can't be read is said, and tried again", func(t *testing.T) {
		d := setup(t, 10)
		d.shelf.mu.Lock()
		d.shelf.fail = errors.New("the disk is gone")
		d.shelf.mu.Unlock()
		d.Changed()
		d.settle()
		if !d.notices.failed.Visible() || !strings.Contains(d.notices.failed.Text(), "the disk is gone") {
			t.Fatalf("it says %q", d.notices.failed.Text())
		}
		d.shelf.mu.Lock()
		d.shelf.fail = nil
		d.shelf.mu.Unlock()
		test.Tap(d.notices.failed.Action())
		d.settle()
		if d.notices.failed.Visible() {
			t.Error("it is still said")
		}
	})
}

func TestThePullFoot(t *testing.T) {
	d := setup(t, 10)
	t.Run("P7 the view says that the service lists this key's own uploads only", func(t *testing.T) {
		if d.pull.scope.Text() != "This key's own uploads only" || !d.pull.scope.Visible() {
			t.Error("it does not say what the list holds")
		}
	})
	test.Tap(d.pull.start)
	d.SetPull(Pull{Running: true, Found: 300, New: 12})
	if got := d.pull.line.Text(); got != "Fetching: 300 found, 12 new" || d.pull.title.Visible() {
		t.Errorf("it says %q", got)
	}
	test.Tap(d.pull.other)
	d.SetPull(Pull{Problem: "The service can't be reached."})
	if d.pull.line.Text() != "The service can't be reached." || d.pull.other.Label() != "Go on" {
		t.Errorf("%q, %q", d.pull.line.Text(), d.pull.other.Label())
	}
	test.Tap(d.pull.other)
	d.SetPull(Pull{Fetched: testNow.Add(-49 * time.Hour)})
	if got := d.pull.line.Text(); got != "Last fetched 10 Nov, 13:02" || !d.pull.scope.Visible() {
		t.Errorf("it says %q", got)
	}
	if d.pulls != 2 || d.stops != 1 {
		t.Errorf("begun %d times, stopped %d times", d.pulls, d.stops)
	}
}

func TestNothingIsCutAt900By600(t *testing.T) {
	for _, n := range []int{0, 214, 100_000} {
		d := setup(t, n)
		d.Resize(fyne.NewSize(828, 600)) // beside the rail
		d.settle()
		for range 3 {
			d.runes("xj")
			d.settle()
		}
		if size := d.Object().MinSize(); size.Width > 828 || size.Height > 600 {
			t.Errorf("with %d results it asks for %v", n, size)
		}
		if n == 0 {
			continue
		}
		right := d.side.Size().Width
		for _, chip := range append(slices.Clone(d.filters.chips), d.filters.all) {
			if at := fyne.CurrentApp().Driver().AbsolutePositionForObject(chip); at.X+chip.Size().Width > right || at.Y > 120 {
				t.Errorf("with %d results the chip %q stands at %v", n, chip.Label(), at)
			}
		}
		for _, b := range d.foot.buttons {
			if at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b); at.X+b.Size().Width > right || at.Y+b.Size().Height > 600 {
				t.Errorf("%q stands at %v", b.Label(), at)
			}
		}
		if d.list.wholeRows() < 3 {
			t.Errorf("only %d rows are to be seen", d.list.wholeRows())
		}
	}
}

func labels(d *fixture) []string {
	all := []string{d.filters.all.Label()}
	for _, c := range d.filters.chips {
		all = append(all, c.Label())
	}
	return all
}

// TestResultsAreTranslated shows the screen in the pseudo language, in which a word that was forgotten stands out.
func TestResultsAreTranslated(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and starts no goroutine that matters")
	}
	i18ntest.Pseudo(t)
	d := setup(t, 0)
	guitest.CheckTranslated(t, d.Object())
	guitest.CheckShortcutsTranslated(t, (&Screen{}).Shortcuts())
}
