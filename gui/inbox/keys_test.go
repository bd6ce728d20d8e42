package inbox

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

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
		d.Type("prx")
		d.Press(fyne.KeyReturn, fyne.KeySpace, fyne.KeyDelete)
		if d.cursor() != "" || d.Take() != "" || d.selectedIDs() != "" {
			t.Errorf("the cursor is at %q", d.cursor())
		}
	})
	t.Run("the cursor stays in sight when the window gets smaller", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		names := make([]string, 40)
		for i := range names {
			names[i] = fmt.Sprintf("%02d", i)
		}
		d.show(waiting(names...)...)
		d.Press(fyne.KeyEnd)
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
			{func() { d.Type("j") }, "a"}, {func() { d.Type("jJ") }, "c"}, {func() { d.Type("k") }, "b"},
			{func() { d.Press(fyne.KeyDown) }, "c"}, {func() { d.Press(fyne.KeyUp) }, "b"}, {func() { d.Press(fyne.KeyEnd) }, "d"},
			{func() { d.Press(fyne.KeyDown) }, "d"}, {func() { d.Press(fyne.KeyHome) }, "a"}, {func() { d.Press(fyne.KeyPageDown) }, "d"},
		} {
			step.move()
			if d.cursor() != step.want {
				t.Fatalf("the cursor is at %q, want %q", d.cursor(), step.want)
			}
		}
	})
	t.Run("each key does what the row offers, and nothing else", func(t *testing.T) {
		for _, c := range []struct {
			row  string
			keys func(*fixture)
			want string
		}{
			{"a", func(d *fixture) { d.PauseOrResume() }, "pause a"},
			{"c", func(d *fixture) { d.PauseOrResume() }, "resume c"},
			{"b", func(d *fixture) { d.PauseOrResume() }, ""},
			{"b", func(d *fixture) { d.Retry() }, "retry b"},
			{"a", func(d *fixture) { d.Retry() }, ""},
			{"d", func(d *fixture) { d.Press(fyne.KeyReturn) }, "open d"},
			{"a", func(d *fixture) { d.Press(fyne.KeyEnter) }, ""},
			{"a", func(d *fixture) { d.CancelOrRemove() }, "cancel a"},
			{"b", func(d *fixture) { d.CancelOrRemove() }, "remove b"},
			{"d", func(d *fixture) { d.CancelOrRemove() }, "remove d"},
		} {
			d := open(t)
			d.moveTo(c.row)
			c.keys(d)
			if got := d.Take(); got != c.want {
				t.Errorf("%s: asked for %q, want %q", c.row, got, c.want)
			}
		}
	})
	t.Run("Space and X select, Ctrl+A selects all, Esc none", func(t *testing.T) {
		d := open(t)
		d.Type("jxj")
		d.Press(fyne.KeySpace)
		if got := d.selectedIDs(); got != "a b" {
			t.Errorf("selected %q", got)
		}
		d.SelectAll()
		if got := d.selectedIDs(); got != "a b c d" {
			t.Errorf("selected %q", got)
		}
		d.Press(fyne.KeyEscape)
		if got := d.selectedIDs(); got != "" {
			t.Errorf("selected %q", got)
		}
		d.WantWords(d.overallNow().Counts)
	})
	t.Run("with a selection, keys act on that: what is under way first", func(t *testing.T) {
		d := open(t)
		d.SelectAll()
		d.PauseOrResume()
		d.CancelOrRemove()
		if got := d.Take(); got != "pause a; cancel a c" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("the cursor stays at its place when its row goes", func(t *testing.T) {
		d := open(t)
		d.moveTo("b")
		d.show(d.all[0], d.all[2], d.all[3])
		if d.cursor() != "c" {
			t.Errorf("the cursor is at %q", d.cursor())
		}
		d.moveTo("d")
		d.show(d.all[0])
		if d.cursor() != "a" {
			t.Errorf("the cursor is at %q", d.cursor())
		}
	})
	t.Run("the cursor stays on its row when others come", func(t *testing.T) {
		d := open(t)
		d.moveTo("b")
		d.show(append(waiting("x", "y"), d.all...)...)
		if d.cursor() != "b" || d.shownIDs() != "x y a b c d" {
			t.Errorf("the cursor is at %q of %q", d.cursor(), d.shownIDs())
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
			d.Type("j")
		}
		if d.cursor() != "39" {
			t.Errorf("the cursor is at %q", d.cursor())
		}
		top := 39 * d.table.Pitch()
		if offset := d.table.GetScrollOffset(); top < offset || top+rowHeight > offset+d.table.Size().Height {
			t.Errorf("it is out of sight: at %v of %v", top, offset)
		}
	})
	t.Run("/ goes to the search, Enter and Esc back to the rows", func(t *testing.T) {
		d := open(t)
		c := d.Canvas()
		d.Type("/")
		if c.Focused() != d.Field("Search") {
			t.Fatalf("the focus is on %T", c.Focused())
		}
		d.Type("b")
		if got := d.shownIDs(); got != "b" {
			t.Errorf("shown %q", got)
		}
		d.Press(fyne.KeyReturn)
		if c.Focused() != fyne.Focusable(d.table) || d.cursor() != "b" {
			t.Errorf("the focus is on %T, the cursor at %q", c.Focused(), d.cursor())
		}
		d.Retry()
		if got := d.Take(); got != "retry b" {
			t.Errorf("asked for %q", got)
		}
		d.Type("/")
		d.Press(fyne.KeyEscape)
		if got := d.shownIDs(); got != "a b c d" {
			t.Errorf("shown %q", got)
		}
		d.Press(fyne.KeyEscape)
		if c.Focused() != fyne.Focusable(d.table) {
			t.Errorf("the focus is on %T", c.Focused())
		}
	})
	t.Run("keys mean nothing in an empty inbox", func(t *testing.T) {
		d := setup(t, guitest.Usual)
		d.Type("jkxpr/")
		d.Press(fyne.KeyDown, fyne.KeyEnd, fyne.KeyReturn, fyne.KeySpace, fyne.KeyDelete, fyne.KeyEscape)
		d.SelectAll()
		if d.Take() != "" || d.Canvas().Focused() != nil {
			t.Error("something was done")
		}
	})
}

// moveTo moves the cursor to a row by keys.
func (d *fixture) moveTo(id string) {
	d.T.Helper()
	d.Press(fyne.KeyHome)
	for range d.all {
		if d.cursor() == id {
			return
		}
		d.Press(fyne.KeyDown)
	}
	d.T.Fatalf("no row %q is reached", id)
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
	for _, want := range []string{"*kit.Field", "*kit.Button", "*kit.Check", "*kit.CountedTabs", "*kit.SearchField", "*kit.Select", "*kit.Table[*assay/gui/inbox.rowWidget]"} {
		if !seen[want] {
			t.Errorf("%s is never reached: %v", want, seen)
		}
	}
	t.Run("and its tabs are chosen by the arrows", func(t *testing.T) {
		tabs, _ := d.Choice(FilterNeedsYou.Words())
		c.Focus(tabs)
		if d.Press(fyne.KeyLeft, fyne.KeyRight, fyne.KeyRight); !d.OptionSelected(FilterNeedsYou.Words()) {
			t.Errorf("tab %d", tabs.Selected())
		}
	})
}
