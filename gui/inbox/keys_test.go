package inbox

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client/submission"
	"assay/gui/guitest"
)

func TestInboxIsWorkedThroughByKeys(t *testing.T) {
	open := func(t *testing.T) *fixture {
		d := setup(t, guitest.Usual)
		all := waiting("a", "b", "c", "d")
		all[1].State = submission.Failed
		all[2].Paused = true
		all[3].State, all[3].Result = submission.Done, inboxResult(t, `{"overallStatus":"FAKE"}`)
		d.show(all...)
		return d
	}
	t.Run("no row has the cursor before a key was pressed, and none acts", func(t *testing.T) {
		d := open(t)
		d.runes("prx")
		d.key(fyne.KeyReturn, fyne.KeySpace, fyne.KeyDelete)
		if d.table.Cursor() != "" || d.Take() != "" || d.selectedIDs() != "" {
			t.Errorf("the cursor is at %q", d.table.Cursor())
		}
	})
	t.Run("the cursor stays in sight when the window gets smaller", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		names := make([]string, 40)
		for i := range names {
			names[i] = fmt.Sprintf("%02d", i)
		}
		d.show(waiting(names...)...)
		d.key(fyne.KeyEnd)
		d.Resize(fyne.NewSize(guitest.Usual.Width, guitest.Usual.Height-200))
		offset, bottom := d.table.GetScrollOffset(), float32(len(names)-1)*d.table.Pitch()+rowHeight
		if seen := offset + d.table.Size().Height; bottom > seen {
			t.Errorf("the last row ends at %g, and what is seen at %g", bottom, seen)
		}
		d.table.ScrollToOffset(0)
		d.Resize(guitest.Usual)
		if d.table.GetScrollOffset() != 0 {
			t.Error("a cursor that was out of sight is scrolled to")
		}
	})
	t.Run("J, K and the arrows move the cursor, which is seen", func(t *testing.T) {
		d := open(t)
		for _, step := range []struct {
			move func()
			want string
		}{
			{func() { d.runes("j") }, "a"}, {func() { d.runes("jJ") }, "c"}, {func() { d.runes("k") }, "b"},
			{func() { d.key(fyne.KeyDown) }, "c"}, {func() { d.key(fyne.KeyUp) }, "b"}, {func() { d.key(fyne.KeyEnd) }, "d"},
			{func() { d.key(fyne.KeyDown) }, "d"}, {func() { d.key(fyne.KeyHome) }, "a"}, {func() { d.key(fyne.KeyPageDown) }, "d"},
		} {
			step.move()
			if d.table.Cursor() != step.want {
				t.Fatalf("the cursor is at %q, want %q", d.table.Cursor(), step.want)
			}
			for _, s := range d.all {
				if seen := guitest.Ringed(d.rowOf(s.ID)); seen != (s.ID == step.want) {
					t.Errorf("%s: ring %v", s.ID, seen)
				}
			}
		}
	})
	t.Run("each key does what the row offers, and nothing else", func(t *testing.T) {
		for _, c := range []struct {
			row  string
			keys func(*fixture)
			want string
		}{
			{"a", func(d *fixture) { d.runes("p") }, "pause a"},
			{"c", func(d *fixture) { d.runes("P") }, "resume c"},
			{"b", func(d *fixture) { d.runes("p") }, ""},
			{"b", func(d *fixture) { d.runes("r") }, "retry b"},
			{"a", func(d *fixture) { d.runes("r") }, ""},
			{"d", func(d *fixture) { d.key(fyne.KeyReturn) }, "open d"},
			{"a", func(d *fixture) { d.key(fyne.KeyEnter) }, ""},
			{"a", func(d *fixture) { d.key(fyne.KeyDelete) }, "cancel a"},
			{"b", func(d *fixture) { d.key(fyne.KeyDelete) }, "remove b"},
			{"d", func(d *fixture) { d.key(fyne.KeyBackspace) }, "remove d"},
		} {
			d := open(t)
			d.table.MoveTo(d.rows.Place(c.row))
			c.keys(d)
			if got := d.Take(); got != c.want {
				t.Errorf("%s: asked for %q, want %q", c.row, got, c.want)
			}
		}
	})
	t.Run("Space and X select, Ctrl+A selects all, Esc none", func(t *testing.T) {
		d := open(t)
		d.runes("jxj")
		d.key(fyne.KeySpace)
		if got := d.selectedIDs(); got != "a b" {
			t.Errorf("selected %q", got)
		}
		d.SelectAll()
		if got := d.selectedIDs(); got != "a b c d" {
			t.Errorf("selected %q", got)
		}
		d.key(fyne.KeyEscape)
		if got := d.selectedIDs(); got != "" || !d.whole.object.Visible() {
			t.Errorf("selected %q", got)
		}
	})
	t.Run("with a selection, keys act on that: what is under way first", func(t *testing.T) {
		d := open(t)
		d.SelectAll()
		d.runes("p")
		d.key(fyne.KeyDelete)
		if got := d.Take(); got != "pause a; cancel a c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("the cursor stays at its place when its row goes", func(t *testing.T) {
		d := open(t)
		d.table.MoveTo(1)
		d.show(d.all[0], d.all[2], d.all[3])
		if d.table.Cursor() != "c" {
			t.Errorf("the cursor is at %q", d.table.Cursor())
		}
		d.table.MoveTo(2)
		d.show(d.all[0])
		if d.table.Cursor() != "a" {
			t.Errorf("the cursor is at %q", d.table.Cursor())
		}
	})
	t.Run("the cursor stays on its row when others come", func(t *testing.T) {
		d := open(t)
		d.table.MoveTo(1)
		d.show(append(waiting("x", "y"), d.all...)...)
		if d.table.Cursor() != "b" || d.rows.Place(d.table.Cursor()) != 3 {
			t.Errorf("the cursor is at %q, %d", d.table.Cursor(), d.rows.Place(d.table.Cursor()))
		}
	})
	t.Run("the list follows the cursor", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		var ids []string
		for i := range 60 {
			ids = append(ids, fmt.Sprint(i))
		}
		d.show(waiting(ids...)...)
		for range 40 {
			d.runes("j")
		}
		if d.table.Cursor() != "39" || !guitest.Ringed(d.rowOf("39")) {
			t.Errorf("the cursor is at %q", d.table.Cursor())
		}
		top := 39 * d.table.Pitch()
		if offset := d.table.GetScrollOffset(); top < offset || top+rowHeight > offset+d.table.Size().Height {
			t.Errorf("it is out of sight: at %v of %v", top, offset)
		}
	})
	t.Run("/ goes to the search, Enter and Esc back to the rows", func(t *testing.T) {
		d := open(t)
		c := d.Canvas()
		d.runes("/")
		if c.Focused() != fyne.Focusable(d.filters.search) {
			t.Fatalf("the focus is on %T", c.Focused())
		}
		test.Type(d.filters.search, "b")
		if got := d.shownIDs(); got != "b" {
			t.Errorf("shown %q", got)
		}
		d.filters.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if c.Focused() != fyne.Focusable(d.table) || d.table.Cursor() != "b" {
			t.Errorf("the focus is on %T, the cursor at %q", c.Focused(), d.table.Cursor())
		}
		c.Focused().TypedRune('r')
		if got := d.Take(); got != "retry b" {
			t.Errorf("asked for %q", got)
		}
		d.runes("/")
		d.filters.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if got := d.shownIDs(); got != "a b c d" {
			t.Errorf("shown %q", got)
		}
		d.filters.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if c.Focused() != fyne.Focusable(d.table) {
			t.Errorf("the focus is on %T", c.Focused())
		}
	})
	t.Run("keys mean nothing in an empty inbox", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.runes("jkxpr/")
		d.key(fyne.KeyDown, fyne.KeyEnd, fyne.KeyReturn, fyne.KeySpace, fyne.KeyDelete, fyne.KeyEscape)
		d.SelectAll()
		if d.Take() != "" || d.Canvas().Focused() != nil {
			t.Error("something was done")
		}
	})
}

func TestInboxIsReachedByTab(t *testing.T) {
	d := setup(t, guitest.Usual)
	d.show(everyState(t, 3)...)
	c := d.Canvas()
	seen := map[string]bool{}
	for range 40 {
		c.FocusNext()
		if c.Focused() == nil {
			break
		}
		seen[fmt.Sprintf("%T", c.Focused())] = true
		if named, ok := c.Focused().(fyne.Accessible); ok && named.AccessibilityLabel() == "" {
			t.Errorf("%T has no name", c.Focused())
		}
	}
	for _, want := range []string{"*widget.Entry", "*kit.Button", "*kit.Check", "*kit.CountedTabs", "*kit.SearchField", "*kit.Select", "*kit.Table[*assay/gui/inbox.rowWidget]"} {
		if !seen[want] {
			t.Errorf("%s is never reached: %v", want, seen)
		}
	}
	t.Run("and its tabs are chosen by the arrows", func(t *testing.T) {
		for _, name := range []fyne.KeyName{fyne.KeyLeft, fyne.KeyRight, fyne.KeyRight} {
			d.filters.tabs.TypedKey(&fyne.KeyEvent{Name: name})
		}
		if d.filters.tabs.Selected() != 2 {
			t.Errorf("tab %d", d.filters.tabs.Selected())
		}
	})
}
