package look_test

import (
	"bytes"
	"image/color"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/google/go-cmp/cmp"
)

var palettes = map[look.Mode]float64{look.ModeLight: 4.5, look.ModeDark: 4.5, look.ModeHighContrast: 7}

func TestContrastOfText(t *testing.T) {
	surfaces := []fyne.ThemeColorName{
		look.ColorBackground, look.ColorSurface, look.ColorSunk, look.ColorFakeSoft, look.ColorSuspiciousSoft,
		look.ColorAuthenticSoft, look.ColorNeutralSoft,
	}
	for mode, least := range palettes {
		t.Run(string(mode), func(t *testing.T) {
			for _, surface := range surfaces {
				for _, ink := range []fyne.ThemeColorName{look.ColorText, look.ColorMuted} {
					wantContrast(t, mode, ink, surface, least)
				}
			}
			wantContrast(t, mode, look.ColorOnAccent, look.ColorAccent, least)
			wantContrast(t, mode, look.ColorAccent, look.ColorSurface, least)
		})
	}
}

func TestContrastOfMarks(t *testing.T) {
	for mode := range palettes {
		t.Run(string(mode), func(t *testing.T) {
			for _, m := range guitest.Drawings[look.Mark]("marks") {
				for _, surface := range []fyne.ThemeColorName{look.MarkSoftColor(m), look.ColorSurface, look.ColorSunk, look.ColorBackground} {
					wantContrast(t, mode, look.MarkColor(m), surface, 3)
				}
			}
		})
	}
}

func wantContrast(t *testing.T, mode look.Mode, ink, surface fyne.ThemeColorName, least float64) {
	t.Helper()
	th := look.New(mode)
	a, b := luminance(th.Color(ink, theme.VariantLight)), luminance(th.Color(surface, theme.VariantLight))
	if got := (math.Max(a, b) + 0.05) / (math.Min(a, b) + 0.05); got < least {
		t.Errorf("%s on %s: %.2f:1, want %g:1", ink, surface, got, least)
	}
}

// luminance is the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n.R) + 0.7152*linear(n.G) + 0.0722*linear(n.B)
}

func TestThemeFollowsTheSystemUnlessAModeIsChosen(t *testing.T) {
	system, darkMode := look.New(""), look.New(look.ModeDark)
	lightSurface := system.Color(look.ColorSurface, theme.VariantLight)
	darkSurface := system.Color(look.ColorSurface, theme.VariantDark)
	if lightSurface == darkSurface {
		t.Fatal("the variants do not differ")
	}
	if got := darkMode.Color(look.ColorSurface, theme.VariantLight); got != darkSurface {
		t.Errorf("dark mode on a light system: %v, want %v", got, darkSurface)
	}
}

func TestThemeGivesFyneTheTokens(t *testing.T) {
	th := look.New(look.ModeLight)
	for name, token := range map[fyne.ThemeColorName]fyne.ThemeColorName{
		theme.ColorNameForeground: look.ColorText, theme.ColorNamePrimary: look.ColorAccent,
		theme.ColorNameInputBackground: look.ColorSurface, theme.ColorNameSeparator: look.ColorBorder,
		theme.ColorNameForegroundOnPrimary: look.ColorOnAccent, theme.ColorNamePlaceHolder: look.ColorMuted,
	} {
		if got, want := th.Color(name, theme.VariantLight), th.Color(token, theme.VariantLight); got != want {
			t.Errorf("%s: %v, want %s, %v", name, got, token, want)
		}
	}
	sizes := map[fyne.ThemeSizeName]float32{
		theme.SizeNameText: 13, look.SizeSmall: 12, look.SizeCaption: 11, look.SizeHeading: 15, look.SizeVerdict: 22,
		theme.SizeNameInputRadius: 8, theme.SizeNamePadding: 4,
	}
	for name, want := range sizes {
		if got := th.Size(name); got != want {
			t.Errorf("%s: %g, want %g", name, got, want)
		}
	}
}

func TestWeightsAreThreeFilesOfInter(t *testing.T) {
	var names []string
	for _, w := range []look.Weight{look.WeightRegular, look.WeightMedium, look.WeightBold} {
		names = append(names, look.New("").Font(w.Style()).Name())
	}
	assert.Equal(t, []string{"Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf"}, names)
	if name := look.New("").Font(fyne.TextStyle{Monospace: true}).Name(); strings.HasPrefix(name, "Inter") {
		t.Errorf("monospace is %s", name)
	}
}

func TestEveryDrawingHasItsName(t *testing.T) {
	source, err := os.ReadFile("icon.go")
	assert.NoError(t, err)
	named := func(kind string) (names []string) {
		for _, found := range regexp.MustCompile(`\s`+kind+` += "(.+)"`).FindAllSubmatch(source, -1) {
			names = append(names, string(found[1]))
		}
		slices.Sort(names)
		return names
	}
	if diff := cmp.Diff(guitest.Drawings[string]("icons"), named("Icon")); diff != "" {
		t.Errorf("icons: files and names: %s", diff)
	}
	if diff := cmp.Diff(guitest.Drawings[string]("marks"), named("Mark")); diff != "" {
		t.Errorf("marks: files and names: %s", diff)
	}
}

func TestDrawings(t *testing.T) {
	app := test.NewTempApp(t)
	drawings := map[string]fyne.Resource{}
	for _, icon := range guitest.Drawings[look.Icon]("icons") {
		drawings["icon "+string(icon)] = icon
	}
	for _, m := range guitest.Drawings[look.Mark]("marks") {
		drawings["mark "+string(m)] = look.MarkResource(m)
	}
	for name, drawing := range drawings {
		t.Run(name, func(t *testing.T) {
			app.Settings().SetTheme(look.New(look.ModeLight))
			lightName, light := drawing.Name(), drawing.Content()
			if !bytes.Contains(light, []byte("<path fill=\"#")) {
				t.Error("draws no area")
			}
			if bytes.Contains(light, []byte("stroke")) {
				t.Error("has a stroke, which Fyne does not scale")
			}
			if bytes.Contains(light, []byte("currentColor")) {
				t.Error("is not tinted")
			}
			app.Settings().SetTheme(look.New(look.ModeDark))
			if bytes.Equal(light, drawing.Content()) {
				t.Error("does not follow the theme")
			}
			if lightName == drawing.Name() {
				t.Error("has one name in both themes, by which Fyne would cache it")
			}
		})
	}
}

func TestTintingSparesMarks(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	if got, want := look.Tinted(look.IconLink, look.ColorMuted), look.IconLink.Tinted(look.ColorMuted); got != want {
		t.Errorf("an icon: %s, want %s", got.Name(), want.Name())
	}
	fake := look.MarkResource(look.MarkFake)
	if got := look.Tinted(fake, look.ColorMuted); got != fake {
		t.Errorf("a mark: %s, want %s", got.Name(), fake.Name())
	}
}

func TestAnUnknownMarkIsNeutralAndHasNoShape(t *testing.T) {
	for _, m := range []look.Mark{look.MarkNone, "something new"} {
		if look.MarkResource(m) != nil || look.MarkColor(m) != look.ColorNeutral || look.MarkSoftColor(m) != look.ColorNeutralSoft {
			t.Errorf("%q is drawn as another mark", m)
		}
	}
}

func TestFit(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	const text = "harbour-statement-final-version.jpeg"
	full := fyne.MeasureText(text, 13, fyne.TextStyle{}).Width
	t.Run("leaves what fits", func(t *testing.T) {
		if got := look.Fit(text, full, 13, fyne.TextStyle{}, look.EllipsisMiddle); got != text {
			t.Errorf("got %q", got)
		}
	})
	t.Run("keeps both ends when cut in the middle", func(t *testing.T) {
		got := look.Fit(text, full/2, 13, fyne.TextStyle{}, look.EllipsisMiddle)
		if !strings.HasPrefix(got, "harb") || !strings.HasSuffix(got, ".jpeg") || !strings.Contains(got, "…") {
			t.Errorf("got %q", got)
		}
		if w := fyne.MeasureText(got, 13, fyne.TextStyle{}).Width; w > full/2+0.5 || w < full/2-20 {
			t.Errorf("%q is %g wide, want just under %g", got, w, full/2)
		}
	})
	t.Run("keeps the beginning when cut at the end", func(t *testing.T) {
		got := look.Fit(text, full/2, 13, fyne.TextStyle{}, look.EllipsisEnd)
		if !strings.HasPrefix(got, "harbour-") || !strings.HasSuffix(got, "…") {
			t.Errorf("got %q", got)
		}
	})
	t.Run("cuts no sentence after its end or between two parts", func(t *testing.T) {
		for _, cut := range []string{"The link leads nowhere.", "Not sent · 31 KB ·", "Not sent, "} {
			width := fyne.MeasureText(cut+"…", 13, fyne.TextStyle{}).Width
			want := strings.TrimRight(cut, " .,·") + "…"
			if got := look.Fit(cut+" It was taken down.", width, 13, fyne.TextStyle{}, look.EllipsisEnd); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
	t.Run("leaves nothing where not even the ellipsis fits", func(t *testing.T) {
		if got := look.Fit(text, 1, 13, fyne.TextStyle{}, look.EllipsisEnd); got != "" {
			t.Errorf("got %q", got)
		}
	})
}

func TestHatchLeavesGapsAndRoundsItsCorners(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	hatch := look.NewHatch(6)
	hatch.Resize(fyne.NewSize(60, 14))
	for _, scale := range []int{1, 2} {
		img := hatch.Generator(60*scale, 14*scale)
		drawn, all := 0, 60*14*scale*scale
		for y := range 14 * scale {
			for x := range 60 * scale {
				if _, _, _, a := img.At(x, y).RGBA(); a > 0x8000 {
					drawn++
				}
			}
		}
		if share := float64(drawn) / float64(all); share < 0.15 || share > 0.5 {
			t.Errorf("scale %d: %.2f of it is drawn", scale, share)
		}
		if _, _, _, a := img.At(0, 0).RGBA(); a != 0 {
			t.Errorf("scale %d: the corner is drawn", scale)
		}
	}
}
