package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"assay/gui/look"
)

func TestSheet(t *testing.T) {
	type desk struct {
		window fyne.Window
		below  *Button
		sheet  *Sheet
	}
	open := func(t *testing.T) *desk {
		test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
		d := &desk{window: test.NewTempWindow(t, nil), below: NewButton(Plain, "Below", nil, nil)}
		d.window.SetContent(container.NewVBox(d.below))
		d.window.Resize(fyne.NewSize(900, 600))
		d.sheet = NewSheet(d.window.Canvas())
		d.window.Canvas().SetOnTypedKey(d.sheet.TypedKey)
		d.window.Canvas().SetOnTypedRune(d.sheet.TypedRune)
		d.window.Canvas().Focus(d.below)
		return d
	}
	words := func(n int) fyne.CanvasObject {
		column := container.New(Column{Gap: look.Space, Grow: -1})
		for range n {
			column.Add(NewParagraph("A line of the sheet that is as long as lines are where it has to wrap, which this one does, surely.", TextStyle{}))
		}
		return column
	}
	t.Run("has the keyboard while it is open, and gives it back", func(t *testing.T) {
		d := open(t)
		yes := NewButton(Primary, "Yes", nil, nil)
		d.sheet.Show(SheetContent{Title: "Sure?", Body: words(1), Buttons: []*Button{NewButton(Plain, "No", nil, nil), yes}})
		if !d.sheet.Open() || d.window.Canvas().Focused() != fyne.Focusable(yes) {
			t.Errorf("the keyboard is at %v", d.window.Canvas().Focused())
		}
		d.sheet.Close()
		if d.sheet.Open() || d.window.Canvas().Focused() != fyne.Focusable(d.below) {
			t.Errorf("the keyboard is at %v", d.window.Canvas().Focused())
		}
	})
	t.Run("Escape closes it, from wherever the keyboard is", func(t *testing.T) {
		d := open(t)
		closed := 0
		field := NewField("", nil)
		d.sheet.Show(SheetContent{Title: "Sure?", Body: field, First: field, Closed: func() { closed++ }})
		field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.sheet.Open() || closed != 1 {
			t.Errorf("open %t, reported %d times", d.sheet.Open(), closed)
		}
		d.sheet.Close()
		if closed != 1 {
			t.Error("it was reported again")
		}
	})
	t.Run("keys of its content come before Escape", func(t *testing.T) {
		d := open(t)
		var runes []rune
		d.sheet.Show(SheetContent{Title: "Sure?", Body: words(1), Buttons: []*Button{NewButton(Plain, "No", nil, nil)},
			TypedKey: func(*fyne.KeyEvent) bool { return true }, TypedRune: func(r rune) bool { runes = append(runes, r); return true }})
		d.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		d.window.Canvas().Focused().TypedRune('n')
		if !d.sheet.Open() || string(runes) != "n" {
			t.Errorf("open %t, %q", d.sheet.Open(), string(runes))
		}
	})
	t.Run("another content takes its place", func(t *testing.T) {
		d := open(t)
		reported := ""
		d.sheet.Show(SheetContent{Title: "One", Body: words(1), Closed: func() { reported += "one " }})
		d.sheet.Show(SheetContent{Title: "Two", Body: words(1), Closed: func() { reported += "two " }})
		if n := len(d.window.Canvas().Overlays().List()); n != 1 || reported != "one " {
			t.Errorf("%d sheets, reported %q", n, reported)
		}
	})
	t.Run("nothing of it lies outside of the window, however much there is", func(t *testing.T) {
		for _, n := range []int{1, 3, 200} {
			d := open(t)
			button := NewButton(Plain, "Close", nil, d.sheet.Close)
			d.sheet.Show(SheetContent{Title: "A title that is so long that it has to go on in a second line, as happens in other languages", Body: words(n), Buttons: []*Button{button}})
			for _, size := range []fyne.Size{fyne.NewSize(900, 600), fyne.NewSize(700, 400), fyne.NewSize(1280, 800)} {
				d.window.Resize(size)
				at := fyne.CurrentApp().Driver().AbsolutePositionForObject(button)
				if at.Y+button.Size().Height > size.Height || at.X+button.Size().Width > size.Width || at.Y < 0 {
					t.Errorf("%d lines in %v: the button is at %v", n, size, at)
				}
			}
		}
	})
	t.Run("it grows with its content", func(t *testing.T) {
		d := open(t)
		body := container.New(Column{Gap: 0, Grow: -1})
		d.sheet.Show(SheetContent{Title: "Sure?", Body: body})
		before := d.sheet.layer.card.Size().Height
		body.Add(words(4))
		d.sheet.Refit()
		if after := d.sheet.layer.card.Size().Height; after < before+100 {
			t.Errorf("%v high, before %v", after, before)
		}
	})
	t.Run("more buttons than a line holds stand in two", func(t *testing.T) {
		d := open(t)
		var buttons []*Button
		for range 5 {
			buttons = append(buttons, NewButton(Plain, "Nicht von diesem Computer senden", nil, nil))
		}
		d.sheet.Show(SheetContent{Title: "Sure?", Body: words(1), Buttons: buttons, Left: NewParagraph("Only once all was read.", TextStyle{})})
		left := d.sheet.layer.card.Position().X
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
		ask := func() { d.sheet.Ask("Sure?", "It can't be undone.", "Do it", func() { done++ }) }
		ask()
		d.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if done != 0 || d.sheet.Open() {
			t.Error("the keyboard begins at what can't be undone")
		}
		ask()
		test.Tap(d.sheet.content.Buttons[1])
		if done != 1 || d.sheet.Open() {
			t.Errorf("done %d times, open %t", done, d.sheet.Open())
		}
	})
}
