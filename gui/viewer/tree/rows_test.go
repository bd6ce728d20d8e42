package tree

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"assay/gui/look"
)

// shortcutCanvas takes shortcuts, as a real window's does.
type shortcutCanvas struct {
	fyne.Canvas
	got fyne.Shortcut
}

func (c *shortcutCanvas) TypedShortcut(s fyne.Shortcut) { c.got = s }

func TestKeysMoveInTheTree(t *testing.T) {
	d := setup(t, look.ModeLight, wide)
	d.answer["a"] = `{"a":{"b":[1,2]},"c":3}`
	d.show("a")
	d.focus()
	if d.window.Canvas().Focused() != d.rows {
		t.Fatal("the tree has no focus")
	}
	for _, step := range []struct {
		key  fyne.KeyName
		path string
		rows int
	}{
		{fyne.KeyDown, "a", 3}, {fyne.KeyRight, "a", 4}, {fyne.KeyRight, "a.b", 4}, {fyne.KeyReturn, "a.b", 6}, {fyne.KeyDown, "a.b[0]", 6},
		{fyne.KeyRight, "a.b[0]", 6}, {fyne.KeyEnd, "c", 6}, {fyne.KeyDown, "c", 6}, {fyne.KeyHome, "", 6}, {fyne.KeyPageDown, "c", 6},
		{fyne.KeyUp, "a.b[1]", 6}, {fyne.KeyLeft, "a.b", 6}, {fyne.KeyLeft, "a.b", 4}, {fyne.KeyLeft, "a", 4}, {fyne.KeyLeft, "a", 3},
		{fyne.KeyLeft, "", 3}, {fyne.KeyLeft, "", 1}, {fyne.KeyRight, "", 3}, {fyne.KeyPageUp, "", 3},
	} {
		d.keys(step.key)
		if got := d.path.Text(); got != step.path || d.rows.length() != step.rows {
			t.Fatalf("%s: %q of %d rows, want %q of %d", step.key, got, d.rows.length(), step.path, step.rows)
		}
	}
	t.Run("others go on to the window", func(t *testing.T) {
		var char rune
		var key fyne.KeyName
		d.window.Canvas().SetOnTypedRune(func(r rune) { char = r })
		d.window.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { key = e.Name })
		d.rows.TypedRune('j')
		d.keys(fyne.KeySpace)
		if char != 'j' || key != fyne.KeySpace {
			t.Errorf("%q, %s", char, key)
		}
		c := &shortcutCanvas{Canvas: d.window.Canvas()}
		own := &desktop.CustomShortcut{KeyName: fyne.Key1, Modifier: fyne.KeyModifierShortcutDefault}
		if d.rows.shortcutIn(c, own); c.got != own {
			t.Error("the window's shortcut is kept from it")
		}
	})
	t.Run("the chosen row shows the focus", func(t *testing.T) {
		with := d.window.Canvas().Capture()
		d.window.Canvas().Unfocus()
		without := d.window.Canvas().Capture()
		differ := 0
		for x := range with.Bounds().Dx() {
			for y := range with.Bounds().Dy() {
				if with.At(x, y) != without.At(x, y) {
					differ++
				}
			}
		}
		if differ < 1000 {
			t.Errorf("%d pixels differ", differ)
		}
	})
	t.Run("'/' and Ctrl+F lead to the search from the tree alone", func(t *testing.T) {
		if d.TypedRune('/') {
			t.Error("'/' is taken from elsewhere")
		}
		d.focus()
		d.rows.TypedRune('/')
		if d.window.Canvas().Focused() != d.search {
			t.Error("'/' leads nowhere")
		}
		d.focus()
		d.rows.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault})
		if d.window.Canvas().Focused() != d.search {
			t.Error("Ctrl+F leads nowhere")
		}
		d.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if d.window.Canvas().Focused() != d.rows {
			t.Error("Enter does not lead back")
		}
	})
}

func TestMouse(t *testing.T) {
	d := setup(t, look.ModeLight, wide)
	d.answer["a"] = `{"a":{"b":[1,2]},"c":3}`
	d.answer["many"] = "[" + strings.Repeat("1,", 5_000_000-1) + "7]"
	d.show("a")
	click := func(x, y float32) {
		d.rows.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, y)})
	}
	click(300, rowHeight*1.5)
	if d.path.Text() != "a" || d.rows.length() != 3 {
		t.Errorf("a click chose %q, %d rows", d.path.Text(), d.rows.length())
	}
	click(300, rowHeight*1.5)
	if d.rows.length() != 4 {
		t.Error("a second one does not open")
	}
	click(300, rowHeight*0.5)
	click(indentOf(1, wide.Width)+5, rowHeight*1.5)
	if d.rows.length() != 3 {
		t.Error("the triangle does not close")
	}
	t.Run("wheel and bar reach the very end of five million", func(t *testing.T) {
		d.show("many")
		d.Until("it is read", func() bool { return d.rows.length() == 5_000_001 })
		d.rows.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -240)})
		if !d.shows("10") || d.rows.top != 10 {
			t.Errorf("at %g", d.rows.top)
		}
		at, size, ok := d.rows.bar()
		if !ok {
			t.Fatal("no bar")
		}
		edge := d.rows.Size().Width - 4
		d.rows.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(edge, at+size/2+1000)}, Dragged: fyne.NewDelta(0, 1000)})
		d.rows.DragEnd()
		if !d.shows("4999999") {
			t.Errorf("at %g: %q", d.rows.top, d.texts())
		}
		d.rows.chosen = 0
		d.keys(fyne.KeyEnd)
		if d.path.Text() != "[4999999]" || !d.shows("7") {
			t.Errorf("%q", d.path.Text())
		}
		objects := len(test.WidgetRenderer(d.rows).Objects())
		if objects > 40*6 {
			t.Errorf("%d objects for what is in sight", objects)
		}
	})
}
