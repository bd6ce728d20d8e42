package settings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"assay/gui/guitest"
	"assay/gui/kit"
)

// someLicences are as many as a binary has, some of them long.
func someLicences() []Licence {
	const paragraph = "Permission to use, copy, modify, and distribute this part for any purpose\nwith or without fee is granted, provided that this text is passed on with it.\n\n"
	all := []Licence{{Name: "Inter (font)", Text: "The font's own\n\n" + strings.Repeat(paragraph, 20)},
		{Name: "Go", Version: "1.26.0", Text: "The language's own\n\n" + strings.Repeat(paragraph, 4)}}
	for i := range 65 {
		all = append(all, Licence{Name: fmt.Sprintf("github.com/some-organisation/part-%02d", i), Version: "v0.0.0-20260331235117-4566fea9a276",
			Text: fmt.Sprintf("That of part %02d\n\n", i) + strings.Repeat(paragraph, 1+i*2)})
	}
	return all
}

func TestLicences(t *testing.T) {
	open := func(t *testing.T, size fyne.Size) (*fixture, *kit.SideList) {
		d := setup(t, size)
		d.section(SectionAbout)
		d.Tap("Licences…")
		return d, guitest.InSight[*kit.SideList](d.Top())[0]
	}
	key := func(d *fixture, name fyne.KeyName) {
		d.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
	}
	// The sheet's own, that of the names, that of the text.
	scrolls := func(d *fixture) []*container.Scroll { return guitest.InSight[*container.Scroll](d.Top()) }

	t.Run("all are named, and the first is shown alone", func(t *testing.T) {
		d, list := open(t, guitest.Smallest)
		if names := list.Options(); len(names) != 67 || names[1] != "Go" || names[2] != "some-organisation/part-00" {
			t.Errorf("%q", names)
		}
		d.WantWords("Inter (font)", "The font's own")
		d.WantNoWords("The language's own", "1.26.0")
	})
	t.Run("the keyboard begins at the names, and chooses among them", func(t *testing.T) {
		d, _ := open(t, guitest.Smallest)
		key(d, fyne.KeyDown)
		d.WantWords("Go", "1.26.0", "The language's own")
		d.WantNoWords("The font's own")
		key(d, fyne.KeyUp)
		d.WantWords("The font's own")
		d.WantNoWords("1.26.0")
	})
	t.Run("the chosen name is in sight", func(t *testing.T) {
		d, list := open(t, guitest.Smallest)
		for _, k := range []fyne.KeyName{fyne.KeyEnd, fyne.KeyUp, fyne.KeyHome, fyne.KeyDown} {
			key(d, k)
			names := scrolls(d)[1]
			row := list.Size().Height / float32(len(list.Options()))
			top := float32(list.Selected())*row - names.Offset.Y
			if top < 0 || top+row > names.Size().Height+1 {
				t.Errorf("after %s it stands at %g of %g", k, top, names.Size().Height)
			}
		}
	})
	t.Run("Page Down and Page Up turn the text's pages, and another text begins at its top", func(t *testing.T) {
		d, _ := open(t, guitest.Smallest)
		key(d, fyne.KeyPageDown)
		text := scrolls(d)[2]
		if text.Offset.Y <= 0 || text.Offset.Y >= text.Size().Height {
			t.Errorf("one page down is at %g of %g", text.Offset.Y, text.Size().Height)
		}
		for range 50 {
			key(d, fyne.KeyPageDown)
		}
		if end := text.Content.Size().Height - text.Size().Height; text.Offset.Y != end {
			t.Errorf("the end is at %g, not %g", end, text.Offset.Y)
		}
		for range 50 {
			key(d, fyne.KeyPageUp)
		}
		if text.Offset.Y != 0 {
			t.Errorf("the beginning is at %g", text.Offset.Y)
		}
		key(d, fyne.KeyPageDown)
		key(d, fyne.KeyEnd)
		if text.Offset.Y != 0 {
			t.Errorf("another text begins at %g", text.Offset.Y)
		}
		if whole := text.Content.MinSize().Height; text.Content.Size().Height < whole || whole < 2*text.Size().Height {
			t.Errorf("of %g, %g can be seen", whole, text.Content.Size().Height)
		}
	})
	t.Run("a long text draws only the lines in sight", func(t *testing.T) {
		d, _ := open(t, guitest.Smallest)
		key(d, fyne.KeyEnd)
		text := scrolls(d)[2]
		if lines := guitest.InSight[*canvas.Text](text.Content); len(lines) == 0 || len(lines) > 100 {
			t.Errorf("%d lines of a text of %g are drawn", len(lines), text.Content.Size().Height)
		}
	})
	t.Run("Tab goes on to Close and back, and Escape closes", func(t *testing.T) {
		d, list := open(t, guitest.Smallest)
		if reached := d.Tab(5); !slices.Equal(reached, []fyne.Focusable{d.Button("Close"), list}) {
			t.Errorf("reached %v", reached)
		}
		key(d, fyne.KeyEscape)
		if d.Sheet.Open() {
			t.Error("it is still open")
		}
	})
	for _, size := range []fyne.Size{fyne.NewSize(900, 600), fyne.NewSize(1280, 800), fyne.NewSize(1920, 1080)} {
		t.Run(fmt.Sprintf("in a window of %g × %g the panes scroll, and not the sheet", size.Width, size.Height), func(t *testing.T) {
			d, _ := open(t, size)
			all := scrolls(d)
			if sheet := all[0]; sheet.Content.Size().Height > sheet.Size().Height {
				t.Errorf("the sheet is %g high, and %g in it", sheet.Size().Height, sheet.Content.Size().Height)
			}
			if names := all[1]; names.Size().Height < size.Height/2 {
				t.Errorf("the panes have %g of the window", names.Size().Height)
			}
			line := fyne.MeasureText("with or without fee is granted, provided that this text is passed on with it.", 13, fyne.TextStyle{})
			if text := all[2]; text.Size().Width < line.Width {
				t.Errorf("a line of %g wraps at %g", line.Width, text.Size().Width)
			}
		})
	}
}
