package results

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"assay/gui/guitest"
)

func TestKeys(t *testing.T) {
	t.Run("go through the list, up to its ends", func(t *testing.T) {
		d := setup(t, 100)
		page := d.list.wholeRows()
		for _, step := range []struct {
			do   func()
			want int
		}{
			{func() { d.Type("j") }, 1}, {func() { d.Type("jj") }, 3}, {func() { d.Type("k") }, 2},
			{func() { d.Press(fyne.KeyDown) }, 3}, {func() { d.Press(fyne.KeyUp) }, 2},
			{func() { d.Press(fyne.KeyPageDown) }, 2 + page}, {func() { d.Press(fyne.KeyPageUp) }, 2},
			{func() { d.Press(fyne.KeyEnd) }, 99}, {func() { d.Press(fyne.KeyDown) }, 99},
			{func() { d.Press(fyne.KeyHome) }, 0}, {func() { d.Type("k") }, 0},
		} {
			step.do()
			d.settle()
			if want := fmt.Sprintf("id-%06d", step.want); d.viewed.id != want || d.chosenRow().ID != want {
				t.Errorf("at %s, want %s", d.viewed.id, want)
			}
			if v := d.list.visible(); step.want < v.first || step.want >= v.end {
				t.Errorf("row %d is out of sight", step.want)
			}
		}
	})
	t.Run("tell the viewer what comes next in the direction in which the person goes", func(t *testing.T) {
		d := setup(t, 100)
		for _, step := range []struct {
			do   func()
			want string
		}{
			{func() { d.Type("j") }, "id-000002"}, {func() { d.Type("jj") }, "id-000004"}, {func() { d.Type("k") }, "id-000001"},
			{func() { d.Type("kk") }, ""}, {func() { d.Press(fyne.KeyEnd) }, ""},
		} {
			step.do()
			d.settle()
			if d.viewed.next != step.want {
				t.Errorf("at %s, %q is next, want %q", d.viewed.id, d.viewed.next, step.want)
			}
		}
	})
	t.Run("work in the list with the focus, which is seen", func(t *testing.T) {
		d := setup(t, 100)
		before := d.Canvas().Capture()
		d.Canvas().Focus(d.list)
		if d.list.GetScrollOffset() != 0 || guitest.PixelsApart(before, d.Canvas().Capture()) == 0 {
			t.Error("the focus is not to be seen")
		}
		d.Press(fyne.KeyDown)
		d.settle()
		if d.cursor != 1 {
			t.Errorf("at %d", d.cursor)
		}
	})
	t.Run("leave the chosen row in sight when the window gets smaller", func(t *testing.T) {
		d := setup(t, 100)
		for range 30 {
			d.Type("j")
			d.settle()
		}
		size := d.Canvas().Size()
		d.Resize(fyne.NewSize(size.Width, size.Height-200))
		d.settle()
		if d.cursor != 30 || !d.list.Shows(30) {
			t.Errorf("the chosen row is %d; rows %v are visible", d.cursor, d.list.visible())
		}
		d.list.ScrollToOffset(0)
		d.Resize(size)
		d.settle()
		if d.list.GetScrollOffset() != 0 {
			t.Error("a chosen row that was out of sight is scrolled to")
		}
	})
	t.Run("Open goes to a result far away", func(t *testing.T) {
		d := setup(t, 100_000)
		d.Open("id-054321")
		d.Until("it is found", func() bool { return d.cursor == 54321 })
		d.settle()
		if v := d.list.visible(); 54321 < v.first || 54321 >= v.end || d.viewed.id != "id-054321" {
			t.Errorf("rows %v are visible, %q is shown", v, d.viewed.id)
		}
	})
}
