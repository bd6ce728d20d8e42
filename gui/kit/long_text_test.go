package kit_test

import (
	"fmt"
	"strings"
	"testing"

	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

func TestLongText(t *testing.T) {
	drawn := func(text *kit.LongText) (lines []string) {
		for _, line := range shown[*canvas.Text](text) {
			lines = append(lines, line.Text)
		}
		return lines
	}
	numbered := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	scrollOf := func(text *kit.LongText) *container.Scroll { return shown[*container.Scroll](text)[0] }
	// whole puts together what is drawn on the way from the beginning to the end.
	whole := func(text *kit.LongText, window fyne.Window) (all []string) {
		at := map[int]string{}
		for {
			for _, line := range shown[*canvas.Text](text) {
				at[int(line.Position().Y/line.Size().Height+0.5)] = line.Text
			}
			before := scrollOf(text).Offset.Y
			test.Scroll(window.Canvas(), fyne.NewPos(50, 50), 0, -100)
			if scrollOf(text).Offset.Y == before {
				break
			}
		}
		for i := range len(at) {
			all = append(all, at[i])
		}
		return all
	}
	t.Run("draws no more lines for a long text than for one that fills what is seen", func(t *testing.T) {
		text := kit.NewLongText(numbered(100), kit.TextStyle{})
		setup(t, text, 300, 200)
		few := len(drawn(text))
		text.SetText(numbered(100_000))
		if many := len(drawn(text)); many != few || many > 40 {
			t.Errorf("%d lines of a long one, %d of a short one", many, few)
		}
	})
	t.Run("shows the whole of it on the way to its end", func(t *testing.T) {
		text := kit.NewLongText(numbered(300), kit.TextStyle{Size: look.SizeSmall})
		window := setup(t, text, 300, 200)
		if got := strings.Join(whole(text, window), "\n"); got != numbered(300) {
			t.Errorf("it shows %q", got)
		}
	})
	t.Run("wraps at words, and cuts what is wider than a line", func(t *testing.T) {
		const words = "    An indented line of words that is far longer than this is wide, and then https://example.org/" +
			"an-address-without-any-space-that-does-not-fit-into-a-line-of-its-own-and-has-an-end\n\n  the end "
		text := kit.NewLongText(words, kit.TextStyle{})
		window := setup(t, text, 240, 200)
		lines := whole(text, window)
		for _, line := range lines {
			if width := fyne.MeasureText(line, look.Size(look.SizeText), fyne.TextStyle{}).Width; width > 240 {
				t.Errorf("%q is %g wide", line, width)
			}
		}
		if !strings.HasPrefix(lines[0], "    An indented ") || lines[len(lines)-1] != "  the end " || lines[len(lines)-2] != "" || len(lines) < 7 {
			t.Errorf("%q", lines)
		}
		if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.NewReplacer(" ", "", "\n", "").Replace(words) {
			t.Errorf("it shows %q", got)
		}
		window.Resize(fyne.NewSize(480, 200))
		if wider := drawn(text); len(wider) >= len(lines) {
			t.Errorf("%d lines at twice the width, %d before", len(wider), len(lines))
		}
	})
	t.Run("turns pages to its end and back, with some lines in sight that were so before", func(t *testing.T) {
		text := kit.NewLongText(numbered(100), kit.TextStyle{})
		setup(t, text, 300, 200)
		page := scrollOf(text)
		text.TurnPage(true)
		if page.Offset.Y <= 100 || page.Offset.Y >= 200 {
			t.Errorf("a page on it is at %g", page.Offset.Y)
		}
		for range 50 {
			text.TurnPage(true)
		}
		lines := drawn(text)
		if end := page.Content.Size().Height - page.Size().Height; page.Offset.Y != end || lines[len(lines)-1] != "line 99" {
			t.Errorf("its end is at %g, not %g, with %q", page.Offset.Y, end, lines)
		}
		for range 50 {
			text.TurnPage(false)
		}
		if page.Offset.Y != 0 || drawn(text)[0] != "line 0" {
			t.Errorf("its beginning is at %g", page.Offset.Y)
		}
	})
	t.Run("begins another text at its top", func(t *testing.T) {
		text := kit.NewLongText(numbered(100), kit.TextStyle{})
		setup(t, text, 300, 200)
		text.TurnPage(true)
		text.SetText("another")
		if got := drawn(text); scrollOf(text).Offset.Y != 0 || len(got) != 1 || got[0] != "another" || text.AccessibilityLabel() != "another" {
			t.Errorf("it shows %q from %g", got, scrollOf(text).Offset.Y)
		}
	})
	t.Run("keeps clear of the bar by which it is scrolled", func(t *testing.T) {
		text := kit.NewLongText(strings.Repeat("word ", 1000), kit.TextStyle{})
		setup(t, text, 300, 200)
		for _, line := range shown[*canvas.Text](text) {
			if line.MinSize().Width > 290 {
				t.Errorf("%q reaches to %g", line.Text, line.MinSize().Width)
			}
		}
	})
}
