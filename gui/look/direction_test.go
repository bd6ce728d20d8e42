package look

import (
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
)

func TestRightToLeft(t *testing.T) {
	// The marks that keep a word apart are left out here: they are not seen.
	for _, line := range []struct{ text, onTheLine string }{
		{"photo 12.jpg", "photo 12.jpg"},
		{"שלום.jpg", "שלום.jpg"},
		{"שלום עולם.jpg", "עולם שלום.jpg"},
		{"שלום 123 עולם.jpg", "עולם 123 שלום.jpg"},
		{"IMG צילום 5.png", "IMG 5 צילום.png"},
		{"צילום (2).jpg", "(2) צילום.jpg"},
		{"צילום (נמל) 2.jpg", "2 (נמל) צילום.jpg"},
		{"צילום · 12 MB", "צילום · 12 MB"},
		{"“שלום עולם” could not be read", "“עולם שלום” could not be read"},
		{"صورة 1.5 من الميناء", "الميناء من 1.5 صورة"},
		{"سَلام.mp3", "سَلام.mp3"},
	} {
		assert.Equal(t, strings.ReplaceAll(drawn(line.text), leftToRight, ""), line.onTheLine)
	}
	t.Run("no character is lost or added but for the marks", func(t *testing.T) {
		for _, text := range []string{"שלום 123 עולם (4) [א]", "a צ b ק c 1 ר 2", "12 ش 13 ص,14", "ש\u200dל", "\u05d0\u0301\u05d1"} {
			assert.Equal(t, len(strings.ReplaceAll(drawn(text), leftToRight, "")), len(text))
		}
	})
}

func TestScriptsThatInterLacks(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(New(ModeLight))
	for _, weight := range []Weight{WeightRegular, WeightMedium, WeightBold} {
		for _, letters := range []string{"한국", "ภูที่", "हिन्दी", "ქარ", "写真"} {
			// The feet of Latin letters behind them are whole: as high as alone.
			alone, behind := feet(t, "gpj", weight), feet(t, letters+"gpj", weight)
			if behind < alone {
				t.Errorf("weight %d: the feet of gpj behind %s are %d pixels high instead of %d", weight, letters, behind, alone)
			}
		}
	}
	t.Run("they take the room of any other line in the layout", func(t *testing.T) {
		assert.Equal(t, Measure("한국 ภูที่", 13, fyne.TextStyle{}).Height, Measure("photo", 13, fyne.TextStyle{}).Height)
	})
	t.Run("a line that says something else is an ordinary line again", func(t *testing.T) {
		line := canvas.NewText("", nil)
		SetText(line, "한국", fyne.TextStyle{})
		SetText(line, "photo", fyne.TextStyle{})
		assert.Equal(t, line.TextStyle, fyne.TextStyle{})
	})
}

// feet returns how many pixels high the lowest ink of a line's last letters is below the bottom of an "x" in the same place.
func feet(t *testing.T, text string, weight Weight) int {
	t.Helper()
	lowest := func(ending string) int {
		line := canvas.NewText("", Color(ColorText))
		line.TextSize = 40
		SetText(line, text[:len(text)-len("gpj")]+ending, weight.Style())
		w := test.NewTempWindow(t, container.NewWithoutLayout(line))
		line.Resize(line.MinSize())
		w.Resize(fyne.NewSize(400, 200))
		painted := w.Canvas().Capture()
		// Only what is behind the other letters, which may have feet of their own.
		from := int(Measure(text[:len(text)-len("gpj")], 40, weight.Style()).Width) + 6
		return lowestInk(painted, from)
	}
	return lowest("gpj") - lowest("xxx")
}

// lowestInk is the lowest row with ink right of a column.
func lowestInk(painted image.Image, from int) int {
	bounds := painted.Bounds()
	for y := bounds.Max.Y - 1; y >= 0; y-- {
		for x := from; x < bounds.Max.X; x++ {
			if r, _, _, _ := painted.At(x, y).RGBA(); r < 0x8000 {
				return y
			}
		}
	}
	return 0
}
