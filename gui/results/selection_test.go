package results

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"github.com/google/go-cmp/cmp"

	"assay/gui/guitest"
	"assay/gui/present"
)

func ids(numbers ...int) []string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = fmt.Sprintf("id-%06d", n)
	}
	return out
}

// actWith types a digit and waits for what comes of it.
func (d *fixture) actWith(digit rune) {
	d.T.Helper()
	d.acted, d.copied = nil, ""
	d.runes(string(digit))
	d.Until("it is done", func() bool { return d.acted != nil || d.copied != "" })
}

func TestSelection(t *testing.T) {
	t.Run("digits do nothing while nothing is selected", func(t *testing.T) {
		d := setup(t, 100)
		if d.TypedRune('1') || d.TypedRune('2') || d.acted != nil || d.foot.root.Visible() {
			t.Error("something was done")
		}
	})
	t.Run("X and Space select and unselect the chosen row", func(t *testing.T) {
		d := setup(t, 100)
		d.runes("xjjx")
		d.runes("j")
		d.key(fyne.KeySpace)
		if d.Selected() != 3 || !d.foot.root.Visible() || d.foot.words.Text() != "3 selected" {
			t.Fatalf("%d are selected, the foot says %q", d.Selected(), d.foot.words.Text())
		}
		d.runes("x")
		d.actWith('1')
		if diff := cmp.Diff(ids(0, 2), d.acted); diff != "" || d.action != present.ScanAgain {
			t.Errorf("%s: %s", d.action, diff)
		}
		if d.Selected() != 0 || d.foot.root.Visible() {
			t.Error("it stays selected afterwards")
		}
	})
	t.Run("Shift with J and K extends and shrinks", func(t *testing.T) {
		d := setup(t, 100)
		d.runes("jj")
		d.held = fyne.KeyModifierShift
		d.runes("JJJK")
		d.settle()
		d.held = 0
		d.actWith('1')
		if diff := cmp.Diff(ids(2, 3, 4), d.acted); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("Shift with a click extends, over rows that were never looked at too", func(t *testing.T) {
		d := setup(t, 1000)
		d.runes("j")
		d.list.ScrollToOffset(float32(300 * stride))
		d.settle()
		d.held = fyne.KeyModifierShift
		tapRow(d, 1)
		d.Until("all between are selected", func() bool { return d.Selected() == 301 })
		d.held = 0
		d.actWith('1')
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
		d.actWith('1')
		if diff := cmp.Diff(ids(2, 4), d.acted); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("all that match are selected without being read", func(t *testing.T) {
		d := setup(t, 100_000)
		d.shelf.forgetCalls()
		d.SelectAll()
		d.settle()
		if d.foot.words.Text() != "100,000 selected" || len(d.shelf.calls()) != 0 {
			t.Errorf("%q after %v", d.foot.words.Text(), d.shelf.calls())
		}
		d.runes("1")
		if !d.foot.limit.Visible() || d.foot.actions.Visible() || d.acted != nil {
			t.Error("so many are acted on at once")
		}
		d.filters.search.SetText("00012")
		d.settle()
		if d.Selected() != 0 {
			t.Error("what is not in the list stays selected")
		}
		d.SelectAll()
		d.goTo(3)
		d.runes("x")
		if d.foot.words.Text() != "10 selected" {
			t.Errorf("the foot says %q", d.foot.words.Text())
		}
		d.actWith('1')
		if diff := cmp.Diff(ids(12, 120, 121, 123, 124, 125, 126, 127, 128, 129), d.acted); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("news leave the selection alone", func(t *testing.T) {
		d := setup(t, 100)
		d.runes("xjx")
		d.shelf.prepend(5000)
		d.Changed()
		d.settle()
		d.actWith('1')
		if diff := cmp.Diff(ids(0, 1), d.acted); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("Escape clears it, then the search", func(t *testing.T) {
		d := setup(t, 100)
		d.filters.search.SetText("0000")
		d.settle()
		d.runes("x")
		d.key(fyne.KeyEscape)
		if d.Selected() != 0 || d.filters.search.Text == "" {
			t.Fatalf("%d selected, searching %q", d.Selected(), d.filters.search.Text)
		}
		d.key(fyne.KeyEscape)
		d.settle()
		if d.filters.search.Text != "" || d.window.counts.Shown != 100 {
			t.Error("the search is left")
		}
	})
	t.Run("it is copied as text, a line each, in the list's order", func(t *testing.T) {
		d := setup(t, 100)
		d.runes("jjxkkx")
		d.actWith('2')
		want := "000000 harbour-statement.jpg – Likely manipulated or AI-generated (ensemble 88 of 100) – " + present.ScoreMeaning +
			" – request req-id-000000 – 12 Nov 2026, 14:02\n" +
			"000002 IMG_2047.HEIC.jpg – No sign of manipulation found by these models (ensemble 4 of 100) – " + present.ScoreMeaning +
			" – request req-id-000002 – 12 Nov 2026, 14:00\n"
		if diff := cmp.Diff(want, d.copied); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRows(t *testing.T) {
	d := setup(t, 100)
	rows := visibleRows(d)
	if got := rows[0]; got.words.Text() != "Likely manipulated" || got.score.Text() != "88" || got.detail.Text() != "now · dropped" || got.sign.Visible() {
		t.Errorf("%q, %q, %q", got.words.Text(), got.score.Text(), got.detail.Text())
	}
	if got := rows[3]; !strings.HasSuffix(got.detail.Text(), "another device") || !got.sign.Visible() {
		t.Errorf("what came from elsewhere says %q", got.detail.Text())
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

func same(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.At(x, y) != b.At(x, y) {
				return false
			}
		}
	}
	return true
}
