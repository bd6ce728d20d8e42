package kit_test

import (
	"fmt"
	"image"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/kit"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// tableFixture is a table of texts in a window in which five rows are in sight.
type tableFixture struct {
	*kit.Table[*fyne.Container]
	window fyne.Window
	ids    []string
	filled []string // what was filled since it was last emptied
	cursor string   // the row that was drawn with the cursor last
}

func setupTable(t *testing.T, rows int) *tableFixture {
	t.Helper()
	f := &tableFixture{}
	for i := range rows {
		f.ids = append(f.ids, fmt.Sprint("row ", i))
	}
	f.Table = kit.NewTable(kit.TableRows[*fyne.Container]{
		Name: "Rows", Height: 39,
		Len:   func() int { return len(f.ids) },
		ID:    func(i int) string { return f.ids[i] },
		Index: func(id string) int { return slices.Index(f.ids, id) },
		New:   func() *fyne.Container { return container.New(kit.AtLeast(39), kit.NewText("", kit.TextStyle{})) },
		Fill: func(o *fyne.Container, i int, cursor bool) {
			o.Objects[0].(*kit.Text).SetText(f.ids[i])
			f.filled = append(f.filled, f.ids[i])
			if cursor {
				f.cursor = f.ids[i]
			}
		},
		Key:  func(e *fyne.KeyEvent) bool { return f.MoveBy(e.Name) },
		Rune: func(char rune) bool { return char == 'j' },
	})
	f.window = setup(t, f.Object(), 200, 200)
	f.filled = nil
	return f
}

func TestTable(t *testing.T) {
	t.Run("has objects for the rows in sight alone", func(t *testing.T) {
		f := setupTable(t, 100_000)
		if n := len(guitest.InSight[*kit.Text](f.Table)); n < 5 || n > 8 {
			t.Errorf("%d rows are drawn", n)
		}
	})
	t.Run("the keys move the cursor, which stays in sight", func(t *testing.T) {
		f := setupTable(t, 100)
		var got []string
		for _, key := range []fyne.KeyName{fyne.KeyUp, fyne.KeyUp, fyne.KeyHome, fyne.KeyDown, fyne.KeyPageDown, fyne.KeyPageUp, fyne.KeyEnd, fyne.KeyDown} {
			typeKeys(f, key)
			got = append(got, f.Cursor())
			if !hasText(f.Table, f.Cursor()) || f.cursor != f.Cursor() {
				t.Errorf("%s: the cursor is not to be seen", f.Cursor())
			}
		}
		assert.Equal(t, []string{"row 99", "row 98", "row 0", "row 1", "row 5", "row 1", "row 99", "row 99"}, got)
	})
	t.Run("the keyboard finds a row", func(t *testing.T) {
		f := setupTable(t, 3)
		f.window.Canvas().Focus(f.Table)
		if f.Cursor() != "row 0" {
			t.Errorf("the cursor is at %q", f.Cursor())
		}
	})
	t.Run("the cursor stays on its row, or else at its place", func(t *testing.T) {
		f := setupTable(t, 5)
		f.MoveTo(2)
		f.ids = slices.Insert(f.ids, 0, "new")
		f.RowsMoved()
		typeKeys(f, fyne.KeyDown)
		if f.Cursor() != "row 3" {
			t.Errorf("at %q after a row came", f.Cursor())
		}
		f.ids = f.ids[:2]
		f.RowsMoved()
		if f.Cursor() != "row 0" || f.cursor != "row 0" {
			t.Errorf("at %q after its row went", f.Cursor())
		}
		f.ids = nil
		f.RowsMoved()
		typeKeys(f, fyne.KeyDown)
		if f.Cursor() != "" {
			t.Errorf("at %q without rows", f.Cursor())
		}
	})
	t.Run("a row is shown again without the others, and none out of sight", func(t *testing.T) {
		f := setupTable(t, 100)
		f.RefreshRow("row 2")
		f.RefreshRow("row 50")
		assert.Equal(t, []string{"row 2"}, f.filled)
		f.RefreshRows()
		if n := len(f.filled); n < 6 || n > 20 {
			t.Errorf("%d rows are shown again", n)
		}
	})
	t.Run("the row at the cursor stays in sight when there is less room", func(t *testing.T) {
		f := setupTable(t, 100)
		f.MoveTo(4)
		f.window.Resize(fyne.NewSize(200, 90))
		if !f.Shows(4) {
			t.Errorf("scrolled to %g", f.GetScrollOffset())
		}
	})
	t.Run("other rows are shown from the top", func(t *testing.T) {
		f := setupTable(t, 100)
		f.MoveTo(50)
		f.Reset()
		if f.Cursor() != "" || f.GetScrollOffset() != 0 {
			t.Errorf("%q, %g", f.Cursor(), f.GetScrollOffset())
		}
	})
	t.Run("passes other keys on", func(t *testing.T) {
		f := setupTable(t, 3)
		wantPassedOn(t, f.window, f)
	})
}

// tableRow is a row with one line of text.
type tableRow struct {
	kit.Row
	text *kit.Text
}

func (r *tableRow) place(size fyne.Size) {
	r.PlaceRow(size)
	kit.StackLines(kit.RowEdge, size.Width-2*kit.RowEdge, size.Height, r.text)
}

// CreateRenderer implements fyne.Widget.
func (r *tableRow) CreateRenderer() fyne.WidgetRenderer {
	return r.DrawRow(fyne.NewSize(100, 40), r.place, r.text)
}

func TestRowShowsCursorSelectionAndPointer(t *testing.T) {
	r := &tableRow{text: kit.NewText("A row", kit.TextStyle{})}
	r.StartRow(r)
	r.Mark(false, false)
	w := setup(t, r, 200, 40)
	seen := []image.Image{w.Canvas().Capture()}
	for what, change := range []func(){
		func() { r.Mark(true, false) }, func() { r.Mark(true, true) }, func() { r.Mark(false, true) }, func() { r.MouseIn(nil) },
	} {
		change()
		r.Refresh()
		now := w.Canvas().Capture()
		for before, picture := range seen {
			if guitest.PixelsApart(picture, now) < 100 {
				t.Errorf("state %d looks like state %d", what+1, before)
			}
		}
		if ringed := guitest.Ringed(r); ringed != (what < 2) || !hasText(r, "A row") {
			t.Errorf("state %d: ring %v", what+1, ringed)
		}
		seen = append(seen, now)
	}
	r.MouseOut()
	if guitest.PixelsApart(seen[3], w.Canvas().Capture()) != 0 {
		t.Error("the pointer's shade stays")
	}
}
