package results

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
)

func ids(numbers ...int) []string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = fmt.Sprintf("id-%06d", n)
	}
	return out
}

// actWith presses an action's button and waits for what comes of it.
func (d *fixture) actWith(label i18n.Key) {
	d.T.Helper()
	d.acted, d.copied = nil, ""
	if guitest.ButtonIn(d.foot.root, i18n.T(label)) == nil { // there is no room for it
		d.TapIn(d.foot.root, "More")
		d.TapItem(i18n.T(label))
	} else {
		d.TapIn(d.foot.root, i18n.T(label))
	}
	d.Until("it is done", func() bool { return d.acted != nil || d.copied != "" })
}

// selected is what the foot says of so many.
func selected(n int) string { return i18n.N(n, "%s selected", "%s selected") }

func TestSelection(t *testing.T) {
	t.Run("no character but that for cases acts on what is selected", func(t *testing.T) {
		d := setup(t, 100)
		d.SelectAll()
		for r := '0'; r <= 'z'; r++ {
			if !strings.ContainsRune("xXcC", r) {
				d.TypedRune(r)
			}
		}
		d.settle()
		if d.acted != nil || d.copied != "" || d.exported != 0 {
			t.Error("something was done")
		}
	})
	t.Run("C puts what is selected into a case, which stays selected; without a selection it leaves that to the viewer", func(t *testing.T) {
		d := setup(t, 100)
		if d.TypedRune('c') {
			t.Error("it takes the key")
		}
		d.Type("xjxjjc")
		d.Until("a case is asked for", func() bool { return d.acted != nil })
		if assert.Equal(t, ids(0, 1), d.acted); d.action != present.AddToCase || d.Selected() != 2 {
			t.Errorf("%s, and %d stay selected", d.action, d.Selected())
		}
	})
	t.Run("X selects and unselects the chosen row", func(t *testing.T) {
		d := setup(t, 100)
		d.Type("xjjx")
		d.Type("jx")
		d.WantWords(selected(3))
		d.Type("x")
		d.actWith("Scan again…")
		if diff := cmp.Diff(ids(0, 2), d.acted); diff != "" || d.action != present.Recheck {
			t.Errorf("%s: %s", d.action, diff)
		}
		if d.Selected() != 0 || d.Button("Clear the selection (Esc)") != nil {
			t.Error("it stays selected afterwards")
		}
	})
	t.Run("Shift with J and K extends and shrinks", func(t *testing.T) {
		d := setup(t, 100)
		d.Type("jj")
		d.held = fyne.KeyModifierShift
		d.Type("JJJK")
		d.settle()
		d.held = 0
		d.actWith("Scan again…")
		assert.Equal(t, ids(2, 3, 4), d.acted)
	})
	t.Run("Shift with a click extends, over rows that were never looked at too", func(t *testing.T) {
		d := setup(t, 1000)
		d.Type("j")
		d.list.ScrollToOffset(float32(300 * stride))
		d.settle()
		d.held = fyne.KeyModifierShift
		tapRow(d, 1)
		d.Until("all between are selected", func() bool { return d.Selected() == 301 })
		d.held = 0
		d.actWith("Scan again…")
		if len(d.acted) != 301 || d.acted[0] != "id-000001" || d.acted[300] != "id-000301" {
			t.Errorf("%d, from %s to %s", len(d.acted), d.acted[0], d.acted[len(d.acted)-1])
		}
	})
	t.Run("Ctrl with a click adds one", func(t *testing.T) {
		d := setup(t, 100)
		d.held = fyne.KeyModifierShortcutDefault
		tapRow(d, 2)
		tapRow(d, 4)
		d.held = 0
		d.actWith("Scan again…")
		assert.Equal(t, ids(2, 4), d.acted)
	})
	t.Run("all that match are selected without being read", func(t *testing.T) {
		d := setup(t, 100_000)
		d.answers.forgetCalls()
		d.SelectAll()
		d.settle()
		if d.WantWords(selected(100_000)); len(d.answers.calls()) != 0 {
			t.Errorf("read %v", d.answers.calls())
		}
		if d.WantWords(i18n.F("You can only export more than %s at a time. Narrow the list for other actions.", "500")); d.Button(i18n.T("Scan again…")) != nil || d.acted != nil {
			t.Error("so many are acted on at once")
		}
		d.goTo(3)
		d.Type("x")
		d.TapIn(d.foot.root, i18n.T("Report…"))
		if d.exported != 99_999 || d.exports("id-000003") || !d.exports("id-000004") || d.acted != nil {
			t.Errorf("%d are exported", d.exported)
		}
		d.search().SetText("00012")
		d.settle()
		if d.Selected() != 0 {
			t.Error("what is not in the list stays selected")
		}
		d.SelectAll()
		d.goTo(3)
		d.Type("x")
		d.WantWords(selected(10))
		d.actWith("Scan again…")
		assert.Equal(t, ids(12, 120, 121, 123, 124, 125, 126, 127, 128, 129), d.acted)
	})
	t.Run("a report is of what is selected, or else of what is shown", func(t *testing.T) {
		d := setup(t, 100)
		d.goTo(2)
		d.Report()
		if assert.Equal(t, ids(2), d.acted); d.action != present.Report {
			t.Errorf("%s", d.action)
		}
		d.Type("xjx")
		d.actWith("Report…")
		if assert.Equal(t, ids(2, 3), d.acted); d.action != present.Report || d.Selected() != 2 {
			t.Errorf("%s, and %d stay selected for another one", d.action, d.Selected())
		}
	})
	t.Run("what is selected is marked as graphic, or loses the mark where all of it has it", func(t *testing.T) {
		d := setup(t, 100)
		for _, id := range ids(0, 1) {
			row := d.answers.row[id]
			row.Graphic = true
			d.answers.row[id] = row
		}
		d.Changed()
		d.settle()
		d.WantWords("graphic · ")
		d.Type("xjx")
		d.actWith("Mark as graphic")
		if assert.Equal(t, ids(0, 1), d.acted); d.action != present.UnmarkGraphic {
			t.Errorf("%s", d.action)
		}
		d.Type("xkxjjx")
		d.actWith("Mark as graphic")
		if d.action != present.MarkGraphic {
			t.Errorf("%s of %v", d.action, d.acted)
		}
	})
	t.Run("all that the list shows is exported by one button, which is not there without results", func(t *testing.T) {
		d := setup(t, 100)
		d.search().SetText("00001")
		d.settle()
		d.TapTip("Export this list…")
		if d.exported != 11 || d.query.Text != "00001" {
			t.Errorf("%d are exported, of %+v", d.exported, d.query)
		}
		d.search().SetText("nothing is called this")
		d.settle()
		if d.Tipped("Export this list…") != nil {
			t.Error("it is there without results")
		}
	})
	t.Run("news leave the selection alone", func(t *testing.T) {
		d := setup(t, 100)
		d.Type("xjx")
		d.answers.prepend(5000)
		d.Changed()
		d.settle()
		d.actWith("Scan again…")
		assert.Equal(t, ids(0, 1), d.acted)
	})
	t.Run("Escape clears it, then the search", func(t *testing.T) {
		d := setup(t, 100)
		d.search().SetText("0000")
		d.settle()
		d.Type("x")
		d.Press(fyne.KeyEscape)
		if d.Selected() != 0 || d.search().Text == "" {
			t.Fatalf("%d selected, searching %q", d.Selected(), d.search().Text)
		}
		d.Press(fyne.KeyEscape)
		d.settle()
		if d.search().Text != "" || d.window.counts.Shown != 100 {
			t.Error("the search is left")
		}
	})
	t.Run("it is copied as text, a line each, in the list's order", func(t *testing.T) {
		d := setup(t, 100)
		d.Type("jjxkkx")
		d.actWith("Copy as text")
		assert.Equal(t, CopiedText([]Row{d.Rows()[0], d.Rows()[2]}, testNow, false), d.copied)
	})
}

func TestRows(t *testing.T) {
	d := setup(t, 100)
	rows := visibleRows(d)
	for i, elsewhere := range map[int]bool{0: false, 3: true} {
		row := d.Rows()[i]
		want := strings.Join([]string{row.Name, row.Words, row.Score, row.Detail(testNow)}, "\n")
		if got := guitest.Words(rows[i]); got != want || row.Elsewhere() != elsewhere {
			t.Errorf("row %d says %q, want %q", i, got, want)
		}
		// The icons are those of the medium and of the verdict, and one more of what came from elsewhere.
		if n := len(guitest.InSight[*kit.Icon](rows[i])); (n > 0) != elsewhere {
			t.Errorf("row %d has %d icons", i, n)
		}
	}
}

// visibleRows are the rows that are drawn, from top to bottom.
func visibleRows(d *fixture) []*rowWidget { return guitest.InSight[*rowWidget](d.list) }

// tapRow clicks the i-th visible row, as the driver does it: on what takes clicks at that place.
func tapRow(d *fixture, i int) {
	d.T.Helper()
	n := 0
	guitest.Walk(d.list, func(o fyne.CanvasObject) bool {
		_, hovers := o.(desktop.Hoverable)
		if tapped, ok := o.(fyne.Tappable); ok && hovers {
			if n == i {
				tapped.Tapped(&fyne.PointEvent{})
			}
			n++
		}
		return true
	})
	if n <= i {
		d.T.Fatalf("%d rows are there", n)
	}
}

func TestBoxesToTick(t *testing.T) {
	for name, shape := range map[string]Shape{"in the list": Wide, "among thumbnails": Strip} {
		t.Run(name, func(t *testing.T) {
			d := setupShape(t, 100, shape)
			boxes := func() int { return len(guitest.InSight[*kit.CheckMark](d.list)) }
			third := visibleRows(d)[2]
			before, shown := drawn(third), d.viewed.id
			third.MouseIn(&desktop.MouseEvent{})
			assert.Equal(t, 1, boxes())
			if diff := cmp.Diff(before, drawn(third)); diff != "" {
				t.Errorf("the row has moved under the pointer:\n%s", diff)
			}
			tapBox(d, third)
			if assert.Equal(t, 1, d.Selected()); d.viewed.id != shown {
				t.Error("another result is shown")
			}
			third.MouseOut()
			if n := boxes(); n != len(visibleRows(d)) {
				t.Errorf("%d boxes while a row is selected, of %d rows", n, len(visibleRows(d)))
			}
			d.held = fyne.KeyModifierShift
			tapBox(d, visibleRows(d)[4])
			assert.Equal(t, 3, d.Selected())
			d.held = 0
			for _, i := range []int{2, 3, 4} {
				tapBox(d, visibleRows(d)[i])
			}
			if assert.Equal(t, 0, d.Selected()); boxes() != 0 {
				t.Errorf("%d boxes", boxes())
			}
		})
	}
}

// drawn is where a row's words are.
func drawn(row *rowWidget) map[string]fyne.Position {
	at := map[string]fyne.Position{}
	for _, text := range guitest.InSight[*kit.Text](row) {
		at[text.Text()] = text.Position()
	}
	return at
}

// tapBox clicks the box of a row, which is where the driver finds it.
func tapBox(d *fixture, row *rowWidget) {
	d.T.Helper()
	driver := fyne.CurrentApp().Driver()
	for _, box := range guitest.InSight[*kit.CheckMark](d.list) {
		corner := driver.AbsolutePositionForObject(row)
		if at := driver.AbsolutePositionForObject(box); at.Y > corner.Y && at.Y < corner.Y+row.Size().Height {
			test.TapCanvas(d.Canvas(), at.AddXY(5, 5))
			return
		}
	}
	d.T.Fatal("the row has no box")
}
