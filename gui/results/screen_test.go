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

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/gui/guitest"
	"assay/gui/kit"
)

func TestTheListReadsOnlyWhatIsVisible(t *testing.T) {
	t.Run("at the start, one page of 100,000", func(t *testing.T) {
		d := setup(t, 100_000)
		assert.Equal(t, []string{`counts ""`, "rows 0+50"}, d.answers.calls())
	})
	t.Run("while it is hidden, nothing, however much changes; then what is newest is shown, unless the person chose one", func(t *testing.T) {
		for want, choose := range map[string]func(d *fixture){"id-005001": func(*fixture) {}, "id-000001": func(d *fixture) { d.Type("j") }} {
			d := setup(t, 100)
			choose(d)
			d.answers.forgetCalls()
			d.Object().Hide()
			for i := range 2 {
				d.answers.prepend(5000 + i)
				d.Changed()
			}
			d.InSight()
			d.RunGiven()
			if calls := d.answers.calls(); calls != nil {
				t.Errorf("%v", calls)
			}
			d.Object().Show()
			d.InSight()
			d.settle()
			d.Until("it is read", func() bool { return d.window.counts.Shown == 102 })
			assert.Equal(t, want, d.viewed.id)
			assert.Equal(t, want, d.chosenRow().ID)
			d.answers.prepend(5002) // while it is seen, what is shown stays
			d.Changed()
			d.Until("the next one is listed", func() bool { return d.window.counts.Shown == 103 })
			assert.Equal(t, want, d.viewed.id)
		}
	})
	t.Run("what is newest is also shown where a list of before is still being read", func(t *testing.T) {
		slow := oneByOne{newMemoryAnswers(100), make(chan struct{}, 1)}
		slow.next <- struct{}{}
		d := setupWith(t, slow, noFiles{}, guitest.Usual)
		d.settle()
		d.Changed()
		d.Object().Hide()
		d.Changed()
		d.Object().Show()
		d.InSight()
		slow.next <- struct{}{}
		d.Until("the list of before is shown", func() bool { return !d.again })
		slow.prepend(5000)
		slow.next <- struct{}{}
		d.settle()
		assert.Equal(t, "id-005000", d.viewed.id)
	})
	t.Run("after a jump to the end, the last page alone", func(t *testing.T) {
		d := setup(t, 100_000)
		d.answers.forgetCalls()
		d.Press(fyne.KeyEnd)
		d.settle()
		assert.Equal(t, []string{"rows 99950+50"}, d.answers.calls())
		if d.chosenRow().ID != "id-099999" || d.viewed.id != "id-099999" {
			t.Errorf("chosen %q, shown %q", d.chosenRow().ID, d.viewed.id)
		}
	})
	t.Run("across two pages, both at once", func(t *testing.T) {
		d := setup(t, 100_000)
		d.answers.forgetCalls()
		d.list.ScrollToOffset(float32(5047 * stride))
		d.settle()
		assert.Equal(t, []string{"rows 5000+100"}, d.answers.calls())
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
		d.answers.forgetCalls()
		d.list.ScrollToOffset(float32(float64((2*keptPages-2)*1000) * stride))
		d.settle()
		if calls := d.answers.calls(); len(calls) > 0 {
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
	d.answers.mu.Lock()
	d.answers.hold = make(chan struct{})
	d.answers.mu.Unlock()
	for i := 1; i <= 20; i++ {
		d.list.ScrollToOffset(float32(float64(i*4000) * stride))
	}
	for _, row := range visibleRows(d) {
		if name := nameIn(row); name != "" {
			t.Errorf("%q is shown where another stands", name)
		}
	}
	close(d.answers.hold)
	d.settle()
	if got := nameIn(visibleRows(d)[0]); !strings.HasPrefix(got, "080000") {
		t.Errorf("the topmost row is %q", got)
	}
	d.Until("what is scrolled past was given up", func() bool {
		d.answers.mu.Lock()
		defer d.answers.mu.Unlock()
		finished := 0
		for _, call := range d.answers.asked {
			if strings.HasPrefix(call, "rows") {
				finished++
			}
		}
		return finished-d.answers.ended <= 3
	})
}

// namesInSight are the names of the rows on screen.
func namesInSight(d *fixture) (names []string) {
	for _, row := range visibleRows(d) {
		if name := nameIn(row); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func TestTyping(t *testing.T) {
	t.Run("cancels the search for what was typed before", func(t *testing.T) {
		d := setup(t, 2000)
		d.answers.mu.Lock()
		d.answers.hold = make(chan struct{})
		d.answers.mu.Unlock()
		test.Type(d.search(), "00123")
		close(d.answers.hold)
		d.settle()
		if d.window.query.Text != "00123" || d.window.counts.Shown != 11 {
			t.Errorf("%d rows for %q", d.window.counts.Shown, d.window.query.Text)
		}
		if rows := d.Rows(); len(rows) != 11 || !strings.HasPrefix(rows[10].Name, "001239") {
			t.Errorf("rows %v", rows)
		}
	})
	t.Run("keeps the rows of before until the new ones are there", func(t *testing.T) {
		d := setup(t, 2000)
		d.list.ScrollToOffset(float32(40 * stride))
		d.settle()
		before := namesInSight(d)
		d.search().SetText("00123")
		assert.Equal(t, before, namesInSight(d))
		d.settle()
		if now := namesInSight(d); len(now) == 0 || !strings.HasPrefix(now[0], "000123") {
			t.Errorf("now it shows %q", now)
		}
	})
	t.Run("acts on none of the rows of before", func(t *testing.T) {
		d := setup(t, 2000)
		d.answers.mu.Lock()
		hold := make(chan struct{})
		d.answers.hold = hold
		d.answers.mu.Unlock()
		d.search().SetText("0")
		d.Type("x")
		d.TapIn(d.foot.root, i18n.T("More"))
		d.TapItem(i18n.T("Scan again…"))
		close(hold)
		d.settle()
		if d.acted != nil {
			t.Errorf("%v are scanned again", d.acted)
		}
		d.actWith("Scan again…")
	})
	t.Run("the viewer follows what is found", func(t *testing.T) {
		d := setup(t, 2000)
		d.Open("id-000500")
		d.settle()
		d.search().SetText("00123")
		d.settle()
		if shown := d.viewed.id; shown != d.Rows()[0].ID {
			t.Errorf("the viewer shows %s, the first found is %s", shown, d.Rows()[0].ID)
		}
		d.search().SetText("no such name")
		d.settle()
		if shown := d.viewed.id; shown != "" {
			t.Errorf("nothing is found, and the viewer shows %s", shown)
		}
		d.Tap("Clear filters")
		d.settle()
		if shown := d.viewed.id; shown != d.Rows()[0].ID {
			t.Errorf("the viewer shows %q, the first is %s", shown, d.Rows()[0].ID)
		}
	})
	t.Run("what is still found stays in the viewer", func(t *testing.T) {
		d := setup(t, 2000)
		d.Open("id-000123")
		d.settle()
		d.search().SetText("0012")
		d.settle()
		if shown := d.viewed.id; shown != "id-000123" {
			t.Errorf("the viewer shows %s", shown)
		}
	})
	t.Run("opening what the filters leave out clears them", func(t *testing.T) {
		d := setup(t, 2000)
		d.search().SetText("00123")
		d.settle()
		d.Open("id-001000")
		d.settle()
		if shown := d.viewed.id; shown != "id-001000" || d.search().Text != "" {
			t.Errorf("the viewer shows %s, and the search is %q", shown, d.search().Text)
		}
	})
	t.Run("says when nothing matches, and clears the filters", func(t *testing.T) {
		d := setup(t, 20)
		d.search().SetText("no such name")
		d.settle()
		d.WantWords(i18n.T("Nothing matches"))
		d.Tap("Clear filters")
		d.settle()
		d.WantNoWords(i18n.T("Nothing matches"))
		if d.search().Text != "" || len(d.Rows()) != 20 {
			t.Error("the filters are not cleared")
		}
	})
	t.Run("Escape empties the field, then leaves it for the list", func(t *testing.T) {
		d := setup(t, 20)
		d.Type("/")
		if d.Canvas().Focused() != fyne.Focusable(d.search()) {
			t.Fatal("the slash does not lead to the search")
		}
		d.Type("0001")
		d.settle()
		d.Press(fyne.KeyEscape)
		if d.search().Text != "" {
			t.Error("the field is not empty")
		}
		d.Press(fyne.KeyEscape)
		if d.Canvas().Focused() != fyne.Focusable(d.list) {
			t.Error("the list has not the focus")
		}
		d.settle()
	})
}

func TestFilters(t *testing.T) {
	t.Run("what has changed is one click away, and nothing is said where nothing has", func(t *testing.T) {
		d := setup(t, 100)
		d.WantNoWords("changed since release")
		for _, id := range ids(3, 40) {
			row := d.answers.row[id]
			row.Was = "Suspicious"
			d.answers.row[id] = row
		}
		d.Changed()
		d.settle()
		d.WantWords("2 changed since release 2.14.0")
		d.Click("2 changed since release 2.14.0")
		d.settle()
		if rows := d.Rows(); len(rows) != 2 || rows[0].ID != ids(3)[0] || rows[1].ID != ids(40)[0] {
			t.Errorf("%+v", rows)
		}
		d.WantWords("before: Suspicious")
		d.Click("2 changed since release 2.14.0")
		d.settle()
		if d.window.counts.Shown != 100 {
			t.Errorf("%d are shown", d.window.counts.Shown)
		}
	})
	t.Run("chips count what their own filter leaves out, and add up", func(t *testing.T) {
		d := setup(t, 214)
		before, statuses := labels(d), StatusFilters()
		test.Tap(d.chip(statuses[0].Words))
		test.Tap(d.chip(statuses[1].Words))
		d.settle()
		if diff := cmp.Diff(before, labels(d)); diff != "" {
			t.Errorf("the counts have changed: %s", diff)
		}
		if want := fmt.Sprint(d.window.counts.Shown); want != "31" {
			t.Errorf("%s rows, the chips say %v", want, before)
		}
		for _, row := range d.Rows() {
			if row.Mark != statuses[0].Mark && row.Mark != statuses[1].Mark {
				t.Errorf("%q is shown", row.Words)
			}
		}
		test.Tap(d.chip("All verdicts"))
		d.settle()
		if d.window.counts.Shown != 214 || d.chip(statuses[0].Words).On() || !d.chip("All verdicts").On() {
			t.Error("All does not bring all back")
		}
	})
	t.Run("menus narrow and sort", func(t *testing.T) {
		d := setup(t, 214)
		d.SelectOption(SourceWords()[AnotherDevice])
		d.settle()
		for _, row := range d.Rows() {
			if !row.Elsewhere() {
				t.Errorf("%s is from here", row.Name)
			}
		}
		d.SelectOption(SourceWords()[WatchedFolders])
		d.settle()
		if len(d.Rows()) == 0 {
			t.Error("nothing came from a watched folder")
		}
		for _, row := range d.Rows() {
			if detail := row.Detail(d.Now()); !strings.HasSuffix(detail, " · from Agency") {
				t.Errorf("%s came %q", row.Name, detail)
			}
		}
		d.SelectOption(SourceWords()[AllSources])
		d.SelectOption(OrderWords()[OldestFirst])
		d.settle()
		if got := d.Rows()[0].ID; got != "id-000213" {
			t.Errorf("the first is %s", got)
		}
	})
	t.Run("H brings what needs a human to the top, and back", func(t *testing.T) {
		d := setup(t, 214)
		d.Type("h")
		d.settle()
		if first := d.Rows()[0]; statusOf(first) != client.Suspicious || !d.OptionSelected(OrderWords()[HumanFirst]) {
			t.Errorf("the first is %q", first.Words)
		}
		d.Type("h")
		d.settle()
		if d.Rows()[0].ID != "id-000000" {
			t.Error("it is not the newest first again")
		}
	})
	t.Run("nothing answered yet says what to do", func(t *testing.T) {
		d := setup(t, 0)
		d.WantWords(i18n.T("Drop a file anywhere in this window. Its result will appear here."))
		d.WantNoWords(i18n.T("Nothing matches"))
	})
}

func TestAnswersThatCome(t *testing.T) {
	t.Run("the chosen row stays chosen, and where it is on screen", func(t *testing.T) {
		d := setup(t, 1000)
		d.list.ScrollToOffset(float32(300 * stride))
		d.settle()
		d.goTo(303)
		d.settle()
		chosen, y := d.chosenRow().ID, 303*stride-float64(d.list.GetScrollOffset())
		for i := range 60 {
			d.answers.prepend(5000 + i)
		}
		d.answers.forgetCalls()
		d.Changed()
		d.settle()
		if d.chosenRow().ID != chosen || d.cursor != 363 {
			t.Errorf("chosen %q at %d, was %q", d.chosenRow().ID, d.cursor, chosen)
		}
		if now := float64(d.cursor)*stride - float64(d.list.GetScrollOffset()); now != y {
			t.Errorf("it has moved from %g to %g", y, now)
		}
		if diff := cmp.Diff([]string{`counts ""`, "rows 300+50", "place " + chosen, "rows 350+50"}, d.answers.calls()); diff != "" {
			t.Errorf("more than what is visible is read: %s", diff)
		}
	})
	t.Run("where nothing has moved, no place is looked for", func(t *testing.T) {
		d := setup(t, 1000)
		d.list.ScrollToOffset(float32(300 * stride))
		d.settle()
		d.goTo(303)
		d.settle()
		d.answers.forgetCalls()
		d.Changed()
		d.settle()
		if d.cursor != 303 {
			t.Errorf("chosen is row %d", d.cursor)
		}
		if diff := cmp.Diff([]string{`counts ""`, "rows 300+50"}, d.answers.calls()); diff != "" {
			t.Errorf("more than the rows is read: %s", diff)
		}
	})
	t.Run("what is looked at stays in place though nothing there is chosen", func(t *testing.T) {
		d := setup(t, 1000)
		d.list.ScrollToOffset(float32(300*stride) + 10)
		d.settle()
		top := nameIn(visibleRows(d)[0])
		d.answers.prepend(5000)
		d.Changed()
		d.settle()
		if got := nameIn(visibleRows(d)[0]); got != top {
			t.Errorf("the topmost row is %q, was %q", got, top)
		}
	})
	t.Run("at the top they come in", func(t *testing.T) {
		d := setup(t, 1000)
		d.answers.prepend(5000)
		d.Changed()
		d.settle()
		if got := nameIn(visibleRows(d)[0]); !strings.HasPrefix(got, "005000") {
			t.Errorf("the topmost row is %q", got)
		}
		if d.chosen != "id-000000" || d.cursor != 1 {
			t.Errorf("the viewer went to %q, at %d", d.chosen, d.cursor)
		}
	})
	t.Run("many at once are read once more, not many times", func(t *testing.T) {
		d := setup(t, 1000)
		d.answers.forgetCalls()
		for range 100 {
			d.Changed()
		}
		d.settle()
		counted := 0
		for _, call := range d.answers.calls() {
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
		d.answers.prepend(7)
		d.Changed()
		d.settle()
		if d.viewed.id != "id-000007" {
			t.Errorf("the viewer shows %q", d.viewed.id)
		}
	})
	t.Run("scrolling while they are read loses neither", func(t *testing.T) {
		d := setup(t, 1000)
		d.answers.prepend(5000)
		d.Changed()
		d.list.ScrollToOffset(float32(700 * stride))
		d.settle()
		if d.window.counts.Shown != 1001 {
			t.Errorf("%d rows", d.window.counts.Shown)
		}
	})
	t.Run("a disk that can't be read is said, and tried again", func(t *testing.T) {
		d := setup(t, 10)
		d.answers.mu.Lock()
		d.answers.fail = errors.New("the disk is gone")
		d.answers.mu.Unlock()
		d.Changed()
		d.settle()
		d.WantWords("the disk is gone")
		d.answers.mu.Lock()
		d.answers.fail = nil
		d.answers.mu.Unlock()
		d.Tap("Try again")
		d.settle()
		d.WantNoWords("the disk is gone")
	})
}

func TestThePullFoot(t *testing.T) {
	d := setup(t, 10)
	t.Run("P7 the view says that the service lists this key's own uploads only", func(*testing.T) {
		d.WantWords(i18n.T(PullScope))
	})
	d.Tap(PullTitle)
	running := Pull{Running: true, Found: 300, New: 12}
	d.SetPull(running)
	d.WantWords(running.Line(testNow))
	if d.Button(PullTitle) != nil {
		t.Error("it can be begun twice")
	}
	d.Tap("Stop")
	d.SetPull(Pull{Problem: "The service can't be reached."})
	d.WantWords("The service can't be reached.")
	d.Tap("Go on")
	fetched := Pull{Fetched: testNow.Add(-49 * time.Hour)}
	d.SetPull(fetched)
	d.WantWords(fetched.Line(testNow), i18n.T(PullScope))
	if d.pulls != 2 || d.stops != 1 {
		t.Errorf("begun %d times, stopped %d times", d.pulls, d.stops)
	}
}

func TestNothingIsCutAt900By600(t *testing.T) {
	for _, n := range []int{0, 214, 100_000} {
		d := setup(t, n)
		d.Resize(fyne.NewSize(828, 600)) // beside the rail
		d.settle()
		if size := d.Object().MinSize(); size.Width > 828 || size.Height > 600 {
			t.Errorf("with %d results it asks for %v", n, size)
		}
		for range 3 {
			d.Type("xj")
			d.settle()
		}
		if size := d.Object().MinSize(); size.Width > 828 || size.Height > 600 {
			t.Errorf("with %d results it asks for %v", n, size)
		}
		if n == 0 {
			continue
		}
		right := d.side.Size().Width
		for _, chip := range guitest.InSight[*kit.Chip](d.Top()) {
			if at := fyne.CurrentApp().Driver().AbsolutePositionForObject(chip); at.X+chip.Size().Width > right || at.Y > 120 {
				t.Errorf("with %d results the chip %q stands at %v", n, chip.Label(), at)
			}
		}
		for _, b := range []*kit.Button{d.Button(i18n.T("Judge…")), d.Button(i18n.T("More"))} {
			if at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b); at.X+b.Size().Width > right || at.Y+b.Size().Height > 600 {
				t.Errorf("%q stands at %v", b.Label(), at)
			}
		}
		if d.list.wholeRows() < 3 {
			t.Errorf("only %d rows are to be seen", d.list.wholeRows())
		}
	}
}

// labels are the counts on the chips.
func labels(d *fixture) (all []string) {
	for _, c := range guitest.InSight[*kit.Chip](d.Top()) {
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

func TestRowsThatAreReadSlowly(t *testing.T) {
	d := setup(t, 100_000)
	var waits []func()
	cancelled := 0
	d.After = func(after time.Duration, do func()) func() {
		if after != 150*time.Millisecond {
			t.Errorf("waits %v", after)
		}
		waits = append(waits, do)
		return func() { cancelled++ }
	}
	bars := func() (n int) {
		for _, row := range visibleRows(d) {
			if row.bars[0].Visible() {
				n++
			}
		}
		return n
	}
	d.list.ScrollToOffset(float32(4000 * stride))
	if len(waits) != 1 || bars() > 0 {
		t.Errorf("%d waits, %d rows with bars at once", len(waits), bars())
	}
	d.settle()
	if cancelled != 1 || bars() > 0 {
		t.Errorf("%d waits are cancelled, %d rows with bars though all are read", cancelled, bars())
	}
	hold := make(chan struct{})
	d.answers.mu.Lock()
	d.answers.hold = hold
	d.answers.mu.Unlock()
	d.list.ScrollToOffset(float32(8000 * stride))
	waits[1]()
	if bars() != len(visibleRows(d)) {
		t.Errorf("%d of %d rows with bars after the wait", bars(), len(visibleRows(d)))
	}
	close(hold)
	d.settle()
	if bars() > 0 {
		t.Errorf("%d rows with bars though all are read", bars())
	}
}

func TestWhatLeftTheListIsNotShown(t *testing.T) {
	d := setup(t, 2000)
	d.goTo(1000)
	d.settle()
	d.list.ScrollToOffset(0)
	d.settle()
	d.answers.mu.Lock()
	d.answers.ids = slices.Delete(slices.Clone(d.answers.ids), 1000, 1001)
	d.answers.mu.Unlock()
	d.window.pages = map[int][]Row{}
	var seen []string
	d.Viewer = viewerFunc{d.Viewer, func(id string) { seen = append(seen, id) }}
	d.Changed()
	d.settle()
	assert.Equal(t, []string{"", "id-001001"}, seen)
}

func TestNothingIsExportedWhileASearchLoads(t *testing.T) {
	d := setup(t, 200)
	hold := make(chan struct{})
	d.answers.mu.Lock()
	d.answers.hold = hold
	d.answers.mu.Unlock()
	d.search().SetText("00012")
	test.Tap(d.pull.export)
	if d.exported > 0 {
		t.Errorf("%d are exported", d.exported)
	}
	close(hold)
	d.settle()
	test.Tap(d.pull.export)
	if d.exported != 11 {
		t.Errorf("%d are exported", d.exported)
	}
}

func TestAKeyWhileTheListIsReadAgainIsKept(t *testing.T) {
	for to, want := range map[int]string{1: "id-000002", 120: "id-000121"} { // 120 is out of the rows that are read again
		d := setup(t, 2000)
		d.goTo(to)
		d.settle()
		d.Press(fyne.KeyHome)
		d.settle()
		hold := make(chan struct{})
		d.answers.mu.Lock()
		d.answers.hold = hold
		d.answers.mu.Unlock()
		d.answers.prepend(2000)
		d.Changed()
		d.goTo(to)
		close(hold)
		d.settle()
		d.Type("j")
		d.settle()
		assert.Equal(t, want, d.chosen)
	}
}
