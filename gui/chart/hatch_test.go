package chart_test

import (
	"testing"

	"assay/gui/chart"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestHatchLeavesGapsAndRoundsItsCorners(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(look.New(look.ModeLight))
	hatch := chart.NewHatch(6)
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
