package kit_test

import (
	"testing"

	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

func TestSheet(t *testing.T) {
	type fixture struct {
		*guitest.Frame
		below *kit.Button
	}
	open := func(t *testing.T) *fixture {
		d := &fixture{Frame: guitest.NewFrame(t, guitest.Smallest), below: kit.NewButton(kit.Plain, "Below", nil, nil)}
		d.Display(container.NewVBox(d.below), nil)
		d.Canvas().SetOnTypedRune(d.Sheet.TypedRune)
		d.Canvas().Focus(d.below)
		return d
	}
	card := func(d *fixture) *kit.Card { return guitest.InSight[*kit.Card](d.Top())[0] }
	words := func(n int) fyne.CanvasObject {
		column := container.New(kit.Column{Gap: look.Space, Grow: -1})
		for range n {
			column.Add(kit.NewParagraph("A line of the sheet that is as long as lines are where it has to wrap, which this one does, surely.", kit.TextStyle{}))
		}
		return column
	}
	t.Run("has the keyboard while it is open, and gives it back", func(t *testing.T) {
		d := open(t)
		yes := kit.NewButton(kit.Primary, "Yes", nil, nil)
		d.Sheet.Show(kit.SheetContent{Title: "Sure?", Body: words(1), Buttons: []*kit.Button{kit.NewButton(kit.Plain, "No", nil, nil), yes}})
		if !d.Sheet.Open() || d.Canvas().Focused() != fyne.Focusable(yes) {
			t.Errorf("the keyboard is at %v", d.Canvas().Focused())
		}
		d.Sheet.Close()
		if d.Sheet.Open() || d.Canvas().Focused() != fyne.Focusable(d.below) {
			t.Errorf("the keyboard is at %v", d.Canvas().Focused())
		}
	})
	t.Run("Escape closes it, from wherever the keyboard is", func(t *testing.T) {
		d := open(t)
		closed := 0
		field := kit.NewField("", nil)
		d.Sheet.Show(kit.SheetContent{Title: "Sure?", Body: field, First: field, Closed: func() { closed++ }})
		d.Press(fyne.KeyEscape)
		if d.Sheet.Open() || closed != 1 {
			t.Errorf("open %t, reported %d times", d.Sheet.Open(), closed)
		}
		d.Sheet.Close()
		if closed != 1 {
			t.Error("it was reported again")
		}
	})
	t.Run("keys of its content come before Escape", func(t *testing.T) {
		d := open(t)
		var runes []rune
		d.Sheet.Show(kit.SheetContent{Title: "Sure?", Body: words(1), Buttons: []*kit.Button{kit.NewButton(kit.Plain, "No", nil, nil)},
			TypedKey: func(*fyne.KeyEvent) bool { return true }, TypedRune: func(r rune) bool { runes = append(runes, r); return true }})
		d.Press(fyne.KeyEscape)
		d.Type("n")
		if !d.Sheet.Open() || string(runes) != "n" {
			t.Errorf("open %t, %q", d.Sheet.Open(), string(runes))
		}
	})
	t.Run("another content takes its place", func(t *testing.T) {
		d := open(t)
		reported := ""
		d.Sheet.Show(kit.SheetContent{Title: "One", Body: words(1), Closed: func() { reported += "one " }})
		d.Sheet.Show(kit.SheetContent{Title: "Two", Body: words(1), Closed: func() { reported += "two " }})
		if n := len(d.Canvas().Overlays().List()); n != 1 || reported != "one " {
			t.Errorf("%d sheets, reported %q", n, reported)
		}
	})
	t.Run("nothing of it lies outside of the window, however much there is", func(t *testing.T) {
		for _, n := range []int{1, 3, 200} {
			d := open(t)
			button := kit.NewButton(kit.Plain, "Close", nil, d.Sheet.Close)
			d.Sheet.Show(kit.SheetContent{Title: "A title that is so long that it has to go on in a second line, as happens in other languages", Body: words(n), Buttons: []*kit.Button{button}})
			for _, size := range []fyne.Size{fyne.NewSize(900, 600), fyne.NewSize(700, 400), fyne.NewSize(1280, 800)} {
				d.Resize(size)
				at := fyne.CurrentApp().Driver().AbsolutePositionForObject(button)
				if at.Y+button.Size().Height > size.Height || at.X+button.Size().Width > size.Width || at.Y < 0 {
					t.Errorf("%d lines in %v: the button is at %v", n, size, at)
				}
			}
		}
	})
	t.Run("it grows with its content", func(t *testing.T) {
		d := open(t)
		body := container.New(kit.Column{Gap: 0, Grow: -1})
		d.Sheet.Show(kit.SheetContent{Title: "Sure?", Body: body})
		before := card(d).Size().Height
		body.Add(words(4))
		d.Sheet.Refit()
		if after := card(d).Size().Height; after < before+100 {
			t.Errorf("%v high, before %v", after, before)
		}
	})
	t.Run("more buttons than a line holds stand in two", func(t *testing.T) {
		d := open(t)
		var buttons []*kit.Button
		for range 5 {
			buttons = append(buttons, kit.NewButton(kit.Plain, "Nicht von diesem Computer senden", nil, nil))
		}
		d.Sheet.Show(kit.SheetContent{Title: "Sure?", Body: words(1), Buttons: buttons, Left: kit.NewParagraph("Only once all was read.", kit.TextStyle{})})
		left := card(d).Position().X
		for i, b := range buttons {
			if at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b); at.X < left {
				t.Errorf("button %d begins at %v, left of the sheet at %v", i, at.X, left)
			}
		}
		if buttons[0].Position().Y >= buttons[4].Position().Y {
			t.Error("they all stand in one line")
		}
	})
	t.Run("a question is answered by its button alone", func(t *testing.T) {
		d := open(t)
		done := 0
		ask := func() { d.Sheet.Ask("Sure?", "It can't be undone.", "Do it", func() { done++ }) }
		ask()
		d.Press(fyne.KeyReturn)
		if done != 0 || d.Sheet.Open() {
			t.Error("the keyboard begins at what can't be undone")
		}
		ask()
		d.Tap("Do it")
		if done != 1 || d.Sheet.Open() {
			t.Errorf("done %d times, open %t", done, d.Sheet.Open())
		}
	})
}
