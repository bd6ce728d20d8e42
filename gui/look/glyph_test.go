package look_test

import (
	"image"
	"testing"

	"assay/gui/guitest"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// inked is the part of an image that is not clear.
func inked(img image.Image) image.Rectangle {
	var area image.Rectangle
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if _, _, _, a := img.At(x, y).RGBA(); a > 0 {
				area = area.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return area
}

func TestRasterise(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	t.Run("every drawing fills most of its square, and stays in it", func(t *testing.T) {
		for _, icon := range guitest.Drawings[look.Icon]("icons") {
			img := look.Rasterise(icon, 48, 48)
			if area := inked(img); img.Bounds() != image.Rect(0, 0, 48, 48) || max(area.Dx(), area.Dy()) < 24 || area.Min.X == 0 || area.Max.Y == 48 {
				t.Errorf("%s: ink in %v of %v", icon, area, img.Bounds())
			}
		}
		for _, m := range guitest.Drawings[look.Mark]("marks") {
			if area := inked(look.Rasterise(look.MarkResource(m), 48, 48)); min(area.Dx(), area.Dy()) < 24 {
				t.Errorf("%s: ink in %v", m, area)
			}
		}
	})
	t.Run("it keeps its shape, in the middle", func(t *testing.T) {
		square, wide := inked(look.Rasterise(look.IconInfo, 40, 40)), inked(look.Rasterise(look.IconInfo, 100, 40))
		if wide != square.Add(image.Pt(30, 0)) {
			t.Errorf("ink in %v, where the square's is in %v", wide, square)
		}
	})
	t.Run("once for a colour and a size", func(t *testing.T) {
		img := look.Rasterise(look.IconInfo, 20, 20)
		if look.Rasterise(look.IconInfo, 20, 20) != img {
			t.Error("drawn again")
		}
		if look.Rasterise(look.IconInfo, 21, 20) == img || look.Rasterise(look.IconInfo.Tinted(look.ColorMuted), 20, 20) == img {
			t.Error("another size or colour is the same picture")
		}
	})
	t.Run("nothing leaves it clear", func(t *testing.T) {
		if img := look.Rasterise(nil, 20, 10); img.Bounds() != image.Rect(0, 0, 20, 10) || !inked(img).Empty() {
			t.Errorf("%v, ink in %v", img.Bounds(), inked(img))
		}
	})
	t.Run("nor does what is no drawing hurt", func(t *testing.T) {
		if img := look.Rasterise(fyne.NewStaticResource("broken.svg", []byte("<svg")), 20, 10); !inked(img).Empty() {
			t.Error("something is drawn")
		}
	})
}

func TestGlyph(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(look.New(look.ModeLight))
	g := look.NewGlyph()
	if !g.Raster.Hidden {
		t.Error("an empty one is in sight")
	}
	g.Set(look.IconInfo)
	light := g.Raster.Generator(20, 20)
	if g.Raster.Hidden || light != look.Rasterise(look.IconInfo, 20, 20) {
		t.Error("it is not shown")
	}
	app.Settings().SetTheme(look.New(look.ModeDark))
	g.Set(look.IconInfo)
	if g.Raster.Generator(20, 20) == light {
		t.Error("it does not follow the theme")
	}
	g.Set(nil)
	if !g.Raster.Hidden {
		t.Error("it is in sight still")
	}
}
