package kit_test

import (
	"testing"

	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

func TestTheWheelOverAField(t *testing.T) {
	const long = "a text that is much longer than the field is wide, so that it moves while somebody types"
	field, secret, search := kit.NewField("", nil), kit.NewSecretField("", nil), kit.NewSearchField("", nil)
	fields := []struct {
		name  string
		field fyne.CanvasObject
		fill  func(string)
	}{
		{"a field", field, field.SetText}, {"a field for a secret", secret, secret.SetText}, {"a field to search with", search, search.SetText},
	}
	notes := widget.NewMultiLineEntry()
	column := container.New(kit.Column{Gap: 10, Grow: -1}, field, secret, search, notes, container.New(kit.AtLeast(1000)))
	page := kit.NewScroll(column)
	window := setup(t, page, 300, 300)
	scroll := page.Objects[0].(*container.Scroll)
	turn := func(o fyne.CanvasObject, dx, dy float32) {
		scroll.ScrollToTop()
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(o.Size().Width/3, o.Size().Height/2)
		test.Scroll(window.Canvas(), at, dx, dy)
	}
	for _, f := range fields {
		t.Run(f.name+" moves the page, whatever is in it", func(t *testing.T) {
			for _, text := range []string{"", "short", long} {
				f.fill(text)
				turn(f.field, 0, -40)
				if scroll.Offset.Y != 40 {
					t.Errorf("with %q the page is at %g", text, scroll.Offset.Y)
				}
			}
		})
		t.Run(f.name+" keeps its text in place, sideways too", func(t *testing.T) {
			f.fill(long)
			before := test.WidgetRenderer(f.field.(fyne.Widget)).Objects()
			at := inClip(t, before).Position()
			turn(f.field, -40, 0)
			if scroll.Offset.Y != 0 || inClip(t, before).Position() != at {
				t.Errorf("the page is at %g, and the text at %v", scroll.Offset.Y, inClip(t, before).Position())
			}
		})
	}
	t.Run("a text of many lines still moves itself", func(t *testing.T) {
		notes.SetText("1\n2\n3\n4\n5\n6\n7\n8\n9")
		turn(notes, 0, -40)
		if scroll.Offset.Y != 0 {
			t.Errorf("the page is at %g", scroll.Offset.Y)
		}
	})
	t.Run("a list within a page still moves itself", func(t *testing.T) {
		inner := kit.NewScroll(container.New(kit.AtLeast(500)))
		column.Objects[4] = container.New(kit.AtLeast(100), inner)
		column.Add(container.New(kit.AtLeast(1000)))
		turn(inner, 0, -40)
		if of := inner.Objects[0].(*container.Scroll).Offset.Y; of != 40 || scroll.Offset.Y != 0 {
			t.Errorf("the list is at %g, the page at %g", of, scroll.Offset.Y)
		}
	})
}

func TestALongTextInAField(t *testing.T) {
	f := kit.NewField("", nil)
	window := setup(t, container.New(kit.AtLeast(look.ControlHeight), f), 200, 34)
	window.Canvas().Focus(f)
	objects := test.WidgetRenderer(f).Objects()
	shownAt := func() float32 { return inClip(t, objects).Position().X }
	room := func() float32 { return clipOf(t, objects).Size().Width }
	t.Run("moves with what is typed, and is cut off at the field's edge", func(t *testing.T) {
		test.Type(f, "a text that is longer than the field is wide")
		if cursor := f.CursorPosition().X + shownAt(); shownAt() >= 0 || cursor > room() || cursor < room()/2 {
			t.Errorf("the cursor is at %g of %g", cursor, room())
		}
		if room() > f.Size().Width {
			t.Errorf("%g of a field of %g", room(), f.Size().Width)
		}
	})
	t.Run("moves back with the cursor", func(t *testing.T) {
		typeKeys(f, fyne.KeyHome)
		if shownAt() != 0 {
			t.Errorf("it is at %g", shownAt())
		}
	})
	t.Run("has its cursor where it was clicked", func(t *testing.T) {
		typeKeys(f, fyne.KeyEnd)
		test.TapAt(f, fyne.NewPos(f.Size().Width-10, 17))
		if f.CursorColumn < 20 {
			t.Errorf("it is behind character %d", f.CursorColumn)
		}
	})
	t.Run("follows the field when that becomes wider", func(t *testing.T) {
		window.Resize(fyne.NewSize(400, 34))
		if room() < 350 {
			t.Errorf("%g of a field of %g", room(), f.Size().Width)
		}
	})
}

// clipOf is what a field cuts its text off with.
func clipOf(t *testing.T, objects []fyne.CanvasObject) *container.Clip {
	t.Helper()
	for _, o := range objects {
		if clip, ok := o.(*container.Clip); ok {
			return clip
		}
	}
	t.Fatal("the field does not cut its text off")
	return nil
}

// inClip is a field's text.
func inClip(t *testing.T, objects []fyne.CanvasObject) fyne.CanvasObject {
	t.Helper()
	return clipOf(t, objects).Content
}
