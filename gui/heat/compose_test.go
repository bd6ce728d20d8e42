package heat

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/media/picture"
	"assay/client/media/picture/picturetest"
)

// appFont is one of those that Assay itself is set in.
func appFont(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "assets", "fonts", "Inter-Regular.otf"))
	assert.NoError(t, err)
	return data
}

func compose(t *testing.T, photo, heatmap *picture.Full, options ComposeOptions) *image.RGBA {
	t.Helper()
	got, err := Compose(t.Context(), photo, heatmap, options)
	assert.NoError(t, err)
	return got
}

func TestCompose(t *testing.T) {
	photo, heatmap := picturetest.Numbered(600, 500), picturetest.Numbered(30, 25)
	for i := 3; i < len(heatmap.Pix); i += 4 {
		heatmap.Pix[i] = byte(i)
	}
	upright := func(orientation int) *image.RGBA {
		full := picture.FullOf(photo, orientation)
		return full.Region(t.Context(), image.Rectangle{Max: full.Size()}, full.Size().X, full.Size().Y)
	}
	t.Run("overlaid, is to the byte what Blend draws, of every orientation", func(t *testing.T) {
		orientations := []int{1, 2, 3, 4, 5, 6, 7, 8}
		if testing.Short() {
			orientations = []int{1, 6} // the others run through the same goroutines
		}
		for _, orientation := range orientations {
			under := upright(orientation)
			layer := picture.FullOf(heatmap, 1).LayerRegion(t.Context(), orientation, under.Rect.Size(), under.Rect, under.Rect.Dx(), under.Rect.Dy())
			for _, opacity := range []float64{0, 0.4, 1} {
				want := image.NewRGBA(under.Rect)
				NewBlender(under, layer).Blend(want, opacity)
				got := compose(t, picture.FullOf(photo, orientation), picture.FullOf(heatmap, 1), ComposeOptions{Opacity: opacity, Orientation: orientation})
				if !picturetest.Same(got, want) {
					t.Errorf("orientation %d at %v: otherwise", orientation, opacity)
				}
			}
		}
	})
	t.Run("side by side, the photo is on the left alone", func(t *testing.T) {
		got := compose(t, picture.FullOf(photo, 1), picture.FullOf(heatmap, 1), ComposeOptions{SideBySide: true, Opacity: 1})
		over := compose(t, picture.FullOf(photo, 1), picture.FullOf(heatmap, 1), ComposeOptions{Opacity: 1})
		right := image.Rect(600+composeGap, 0, 1200+composeGap, 500)
		if got.Rect.Max != right.Max || !picturetest.Same(got.SubImage(photo.Rect), upright(1)) || !picturetest.Same(got.SubImage(right), over) {
			t.Errorf("bounds %v", got.Rect)
		}
	})
	t.Run("without a heatmap it is the photo", func(t *testing.T) {
		if !picturetest.Same(compose(t, picture.FullOf(photo, 1), nil, ComposeOptions{Opacity: 1}), upright(1)) {
			t.Error("it is not")
		}
	})
	t.Run("what is transparent becomes white, as does the room beside a narrow photo", func(t *testing.T) {
		got := compose(t, picture.FullOf(image.NewNRGBA(image.Rect(0, 0, 20, 10)), 1), nil, ComposeOptions{})
		if got.Rect != image.Rect(0, 0, narrowestComposite, 10) ||
			picturetest.ColourName(got.RGBAAt(5, 5)) != 'w' || picturetest.ColourName(got.RGBAAt(400, 5)) != 'w' {
			t.Errorf("bounds %v", got.Rect)
		}
	})
	t.Run("no more pixels than allowed, photo and heatmap in step", func(t *testing.T) {
		for i, sideBySide := range []bool{false, true} {
			options := ComposeOptions{SideBySide: sideBySide, Opacity: 1, MaxPixels: 300_000}
			got := compose(t, picture.FullOf(picturetest.Quadrants(2000, 1000), 1), picture.FullOf(picturetest.Quadrants(16, 8), 1), options)
			if got.Rect.Dx()*got.Rect.Dy() > 300_000+composeGap*500 || got.Rect.Dx()*got.Rect.Dy() < 250_000 {
				t.Errorf("bounds %v", got.Rect)
			}
			w := (got.Rect.Dx() + composeGap) / (1 + i)
			left, right := image.Rect(0, 0, w-composeGap, got.Rect.Dy()), image.Rectangle{Min: image.Pt(got.Rect.Dx()-w+composeGap, 0), Max: got.Rect.Max}
			for _, part := range []image.Rectangle{left, right} {
				whole := image.NewRGBA(image.Rectangle{Max: part.Size()})
				draw.Draw(whole, whole.Rect, got, part.Min, draw.Src)
				if picturetest.Corners(whole) != "rlbw" {
					t.Errorf("corners %s", picturetest.Corners(whole))
				}
			}
		}
		if got := compose(t, picture.FullOf(picturetest.Filled(image.Pt(1, 300_000), 9), 1), nil, ComposeOptions{}); got.Rect.Dx()*got.Rect.Dy() > DefaultComposePixels {
			t.Errorf("a thread gives %v", got.Rect)
		}
		if got := compose(t, picture.FullOf(picturetest.Filled(image.Pt(30_000, 100), 9), 1), nil, ComposeOptions{}); got.Rect.Max != image.Pt(30_000, 100) {
			t.Errorf("a panorama gives %v", got.Rect)
		}
	})
	t.Run("an ended context ends it", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Compose(ctx, picture.FullOf(photo, 1), nil, ComposeOptions{}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("no photo, or what is no font, is an error", func(t *testing.T) {
		if _, err := Compose(t.Context(), picture.FullOf(image.NewGray(image.Rectangle{}), 1), nil, ComposeOptions{}); err == nil {
			t.Error("no photo")
		}
		options := ComposeOptions{Legend: Legend{Lines: []string{"a"}, Fonts: [][]byte{[]byte("OTTO and nothing more")}}}
		if _, err := Compose(t.Context(), picture.FullOf(photo, 1), nil, options); err == nil || !strings.Contains(err.Error(), "font") {
			t.Errorf("error %v", err)
		}
	})
}

// ink counts the pixels of a part that are neither white nor nearly so.
func ink(img *image.RGBA, part image.Rectangle) int {
	count := 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if img.RGBAAt(x, y).R < 128 {
				count++
			}
		}
	}
	return count
}

func TestLegend(t *testing.T) {
	photo := picture.FullOf(picturetest.Filled(image.Pt(600, 20), 255), 1)
	withLines := func(lines ...string) *image.RGBA {
		return compose(t, photo, nil, ComposeOptions{Legend: Legend{Lines: lines, Fonts: [][]byte{appFont(t)}}})
	}
	t.Run("stands beneath the picture and covers none of it", func(t *testing.T) {
		got := withLines("rd-cedar-img at 80 % opacity")
		if got.Rect.Dx() != 600 || ink(got, image.Rect(0, 0, 600, 20)) > 0 || ink(got, image.Rect(0, 20, 600, got.Rect.Dy())) < 200 {
			t.Errorf("bounds %v", got.Rect)
		}
	})
	t.Run("has a line for each that is given, and wraps what is too long", func(t *testing.T) {
		one, two := withLines("one").Rect.Dy(), withLines("one", "two").Rect.Dy()
		hash := withLines(strings.Repeat("0123456789abcdef", 16)).Rect.Dy()
		words := withLines(strings.Repeat("where this model reacted ", 8)).Rect.Dy()
		if line := two - one; line < 13 || hash < one+2*line || words < one+line {
			t.Errorf("heights %d, %d; of a hash %d, of words %d", one, two, hash, words)
		}
	})
	t.Run("nothing is written beyond its edges", func(t *testing.T) {
		got := withLines(strings.Repeat("W", 300), strings.Repeat("wide words ", 40))
		if ink(got, image.Rect(592, 20, 600, got.Rect.Dy())) > 0 || ink(got, image.Rect(0, got.Rect.Dy()-4, 600, got.Rect.Dy())) > 0 {
			t.Error("it is")
		}
	})
	t.Run("without lines or without a font there is none", func(t *testing.T) {
		if h := withLines().Rect.Dy(); h != 20 {
			t.Errorf("height %d", h)
		}
		if got := compose(t, photo, nil, ComposeOptions{Legend: Legend{Lines: []string{"a"}}}); got.Rect.Dy() != 20 {
			t.Errorf("height %d", got.Rect.Dy())
		}
	})
	t.Run("what cannot be drawn, or would deceive, appears as its number", func(t *testing.T) {
		fonts, err := parseFonts([][]byte{appFont(t)})
		assert.NoError(t, err)
		for text, want := range map[string]string{
			"protest.jpg":           "protest.jpg",
			"Łódź, Žižkov, Київ":    "Łódź, Žižkov, Київ",
			"写真.jpg":                `\u5199\u771F.jpg`,
			"שלום":                  `\u05E9\u05DC\u05D5\u05DD`,
			"gnp\u202Egpj.exe":      `gnp\u202Egpj.exe`,
			"a\nb\tc\x00":           `a\u000Ab\u0009c\u0000`,
			"\U0001F9FF":            `\U0001F9FF`,
			"not \xff UTF-8":        `not ` + writable(fonts, "\ufffd") + ` UTF-8`,
			"e\u0301 as macOS says": "e\u0301 as macOS says",
		} {
			if got := writable(fonts, text); got != want {
				t.Errorf("%q gives %q, want %q", text, got, want)
			}
		}
	})
	t.Run("a second font stands in for the first", func(t *testing.T) {
		fonts, err := parseFonts([][]byte{appFont(t), appFont(t)})
		if err != nil || fonts.holding('a') != 0 || fonts.holding('写') != -1 {
			t.Errorf("error %v", err)
		}
	})
}

func TestBoxes(t *testing.T) {
	white := func() *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, 400, 300))
		draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
		return img
	}
	t.Run("the outline runs through the corners, rotated or not, where the photo is shown", func(t *testing.T) {
		img := white()
		drawBoxes(img, image.Pt(800, 600), []Box{{Corners: []Point{{200, 100}, {600, 160}, {560, 400}, {160, 340}}}}, nil)
		for _, at := range []image.Point{{100, 50}, {300, 80}, {280, 200}, {80, 170}, {200, 65}} {
			if ink(img, image.Rectangle{Min: at, Max: at}.Inset(-3)) == 0 {
				t.Errorf("nothing near %v", at)
			}
		}
		if ink(img, image.Rect(120, 90, 260, 150)) > 0 {
			t.Error("the box's inside is covered")
		}
	})
	t.Run("a light line between dark ones shows on every ground", func(t *testing.T) {
		img := image.NewRGBA(image.Rect(0, 0, 1600, 40))
		drawBoxes(img, image.Pt(1600, 40), []Box{{Corners: []Point{{0, 20}, {1600, 20}}}}, nil)
		light, dark := 0, 0
		for y := range 40 {
			switch img.RGBAAt(800, y) {
			case outlineLight:
				light++
			case outlineDark:
				dark++
			}
		}
		if light != 2 || dark != 4 {
			t.Errorf("%d light and %d dark", light, dark)
		}
	})
	t.Run("coordinates from anywhere draw what lies on the picture, and end", func(t *testing.T) {
		nan, inf := math.NaN(), math.Inf(1)
		for name, corners := range map[string][]Point{
			"far beyond": {{-1e8, 150}, {1e8, 150}}, "no number": {{nan, 3}, {5, nan}}, "infinite": {{inf, 3}, {5, -inf}},
			"too far": {{-1e300, 0}, {1e300, 9}}, "no corner": {}, "one": {{50, 50}}, "outside": {{-50, -50}, {-10, -50}, {-10, -10}},
		} {
			img := white()
			drawBoxes(img, image.Pt(400, 300), []Box{{Corners: corners, Label: "far"}}, fontChain{})
			if drawn := ink(img, img.Rect) > 0; drawn != (name == "far beyond" || name == "one") {
				t.Errorf("%s: drawn %v", name, drawn)
			}
		}
	})
	t.Run("a label stands at the box, within the picture; none for a box outside", func(t *testing.T) {
		fonts, err := parseFonts([][]byte{appFont(t)})
		assert.NoError(t, err)
		for name, tc := range map[string]struct {
			corners []Point
			near    image.Point // zero for none
		}{
			"in the middle": {[]Point{{100, 100}, {200, 100}, {200, 200}}, image.Pt(110, 90)},
			"at the top":    {[]Point{{100, 0}, {200, 0}, {200, 200}}, image.Pt(110, 10)},
			"at the right":  {[]Point{{396, 100}, {399, 100}, {399, 200}}, image.Pt(390, 90)},
			"outside":       {[]Point{{500, 100}, {600, 100}, {600, 200}}, image.Point{}},
		} {
			img := white()
			drawBoxLabels(img, []Box{{Label: "Box 1"}}, [][]Point{tc.corners}, fonts)
			if tc.near == (image.Point{}) {
				if ink(img, img.Rect) > 0 {
					t.Errorf("%s: a label", name)
				}
			} else if ink(img, image.Rectangle{Min: tc.near, Max: tc.near}.Inset(-4)) == 0 {
				t.Errorf("%s: no label near %v", name, tc.near)
			}
		}
	})
}

func BenchmarkCompose(b *testing.B) {
	photo, heatmap := picture.FullOf(image.NewYCbCr(image.Rect(0, 0, 8000, 5000), image.YCbCrSubsampleRatio420), 1), picture.FullOf(picturetest.Numbered(800, 500), 1)
	b.ReportAllocs()
	for b.Loop() {
		composite, err := Compose(b.Context(), photo, heatmap, ComposeOptions{Opacity: 0.5})
		assert.NoError(b, err)
		assert.NoError(b, picture.EncodePNG(b.Context(), &bytes.Buffer{}, composite, nil))
	}
}
