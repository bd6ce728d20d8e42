package text

import (
	"testing"

	"fyne.io/fyne/v2"

	"assay/gui/look"
)

// spotOf finds where a piece of text stands.
func (d *fixture) spotOf(text string) spot {
	d.T.Helper()
	for _, s := range d.pane.sheet.leaf.spots {
		if s.piece.text == text {
			return s
		}
	}
	d.T.Fatalf("%q is not drawn: %q", text, d.drawn())
	return spot{}
}

func (d *fixture) drag(from, to fyne.Position) {
	leaf := d.pane.sheet.leaf
	middle := fyne.NewPos((from.X+to.X)/2, (from.Y+to.Y)/2)
	at := from
	for _, next := range []fyne.Position{middle, to} {
		leaf.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: next}, Dragged: fyne.NewDelta(next.X-at.X, next.Y-at.Y)})
		at = next
	}
	leaf.DragEnd()
}

func TestSelecting(t *testing.T) {
	open := func(t *testing.T) *fixture {
		d := setup(t, &result{page: []byte("<p>One <mark>two</mark> three<p>four <b>five</b><p>שלום <mark>עולם</mark> טוב")}, look.ModeLight, 560, 300)
		d.show("a")
		return d
	}
	copied := func(d *fixture) string {
		d.copied = ""
		d.pane.sheet.leaf.TypedShortcut(&fyne.ShortcutCopy{})
		return d.copied
	}
	start := func(s spot) fyne.Position { return fyne.NewPos(s.x+0.5, s.y+s.h/2) }
	end := func(s spot) fyne.Position { return fyne.NewPos(s.x+s.w-0.5, s.y+s.h/2) }
	t.Run("from the left and from the right", func(t *testing.T) {
		d := open(t)
		two, five := d.spotOf("two"), d.spotOf("five")
		d.drag(start(two), end(five))
		if got, want := copied(d), "two three\n\nfour five"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		d.drag(end(five), start(five))
		if got := copied(d); got != "five" {
			t.Errorf("%q", got)
		}
	})
	t.Run("part of a word", func(t *testing.T) {
		d := open(t)
		five := d.spotOf("five")
		d.drag(fyne.NewPos(five.offset(five.piece.start+1), five.y+5), end(five))
		if got := copied(d); got != "ive" {
			t.Errorf("%q", got)
		}
	})
	t.Run("from right to left", func(t *testing.T) {
		d := open(t)
		world := d.spotOf("עולם")
		d.drag(end(world), start(world))
		if got := copied(d); got != "עולם" {
			t.Errorf("%q", got)
		}
	})
	t.Run("all", func(t *testing.T) {
		d := open(t)
		d.pane.sheet.leaf.TypedShortcut(&fyne.ShortcutSelectAll{})
		if got, want := copied(d), d.pane.prose.Plain(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
	t.Run("a tap ends it, and then nothing is copied", func(t *testing.T) {
		d := open(t)
		d.drag(start(d.spotOf("two")), end(d.spotOf("five")))
		before := d.pane.sheet.leaf.paint.nFills
		d.pane.sheet.leaf.Tapped(&fyne.PointEvent{})
		if got := copied(d); got != "" || d.pane.sheet.leaf.paint.nFills >= before {
			t.Errorf("%q", got)
		}
	})
}
