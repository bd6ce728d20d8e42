package look

import (
	"fmt"
	"testing"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"golang.org/x/image/font/sfnt"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
)

func TestFontSource(t *testing.T) {
	t.Run("Inter has all that is taken to be in it, in every weight", func(t *testing.T) {
		for _, source := range []fyne.Resource{interRegular, interMedium, interSemiBold} {
			font, err := sfnt.Parse(source.Content())
			assert.NoError(t, err)
			var buffer sfnt.Buffer
			for r := rune(0); r < 0x10000; r++ {
				if !unicode.Is(inInter, r) {
					continue
				}
				if glyph, err := font.GlyphIndex(&buffer, r); err != nil || glyph == 0 {
					t.Errorf("%s has no %U", source.Name(), r)
				}
			}
		}
	})
	t.Run("words of every language we speak need no other font", func(t *testing.T) {
		for _, language := range i18n.All() {
			i18ntest.Speak(t, language.Code)
			for _, words := range []string{i18n.T("Settings"), i18n.T("Sign of manipulation"), language.Text} {
				for _, weight := range []Weight{WeightRegular, WeightMedium, WeightBold} {
					if FontSource(words, weight.Style()) == nil {
						t.Errorf("%q does, in weight %v", words, weight)
					}
				}
			}
		}
	})
	t.Run("what Inter does not have is left to the toolkit, and so is a font of one width", func(t *testing.T) {
		for _, text := range []string{"写真.png", "صورة", "holiday 🏖.jpg", "a\u200db"} {
			if FontSource(text, WeightBold.Style()) != nil {
				t.Errorf("%q is drawn by Inter alone", text)
			}
		}
		if FontSource("text", fyne.TextStyle{Monospace: true}) != nil {
			t.Error("a style of other fonts")
		}
	})
	t.Run("a line that says something else is drawn by what that needs", func(t *testing.T) {
		line := canvas.NewText("", nil)
		SetText(line, "photo", WeightBold.Style())
		if line.FontSource == nil {
			t.Error("all fonts for a word")
		}
		SetText(line, "写真", WeightBold.Style())
		if line.FontSource != nil {
			t.Error("Inter for what it has not")
		}
	})
	t.Run("measures what the toolkit would", func(t *testing.T) {
		app := test.NewTempApp(t)
		app.Settings().SetTheme(New(ModeLight))
		for _, weight := range []Weight{WeightRegular, WeightMedium, WeightBold} {
			for _, text := range []string{"Sensitive", "What may leave… – “a”", "Ελλάδα", "Снимок", "12 of 345"} {
				if got, want := Measure(text, 13, weight.Style()), fyne.MeasureText(text, 13, weight.Style()); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%q in weight %d: %v instead of %v", text, weight, got, want)
				}
			}
		}
	})
}
