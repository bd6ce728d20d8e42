package picture

import (
	"fmt"
	"image"
	"testing"
)

func TestAspectDiffers(t *testing.T) {
	for _, tc := range []struct {
		photo, heat image.Point
		want        bool
	}{
		{image.Pt(4000, 3000), image.Pt(4000, 3000), false},
		{image.Pt(4000, 3000), image.Pt(224, 168), false},
		{image.Pt(4000, 3000), image.Pt(224, 224), true},
		{image.Pt(4000, 3000), image.Pt(3000, 4000), true},
		{image.Pt(1000, 1000), image.Pt(1010, 1000), false},
		{image.Pt(1000, 1000), image.Pt(1011, 1000), true},
		{image.Pt(1010, 1000), image.Pt(1000, 1000), false},
		{image.Pt(1011, 1000), image.Pt(1000, 1000), true},
		{image.Pt(30_000, 100), image.Pt(60_000, 200), false},
		{image.Pt(1<<31-1, 1<<31-1), image.Pt(1, 1), false},
		{image.Pt(10, 10), image.Point{}, true},
		{image.Point{}, image.Point{}, true},
	} {
		t.Run(fmt.Sprintf("%v and %v", tc.photo, tc.heat), func(t *testing.T) {
			if got := AspectDiffers(tc.photo, tc.heat); got != tc.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestLayerOrientation(t *testing.T) {
	for name, tc := range map[string]struct {
		source      image.Point // upright
		orientation int
		heat        image.Point
		want        int
	}{
		"lies as the photo is stored":                {image.Pt(3000, 4000), 6, image.Pt(4000, 3000), 6},
		"smaller, lies as the photo is stored":       {image.Pt(3000, 4000), 8, image.Pt(400, 300), 8},
		"stands upright already":                     {image.Pt(3000, 4000), 6, image.Pt(3000, 4000), 1},
		"fits neither way":                           {image.Pt(3000, 4000), 6, image.Pt(500, 100), 6},
		"a square tells nothing":                     {image.Pt(500, 500), 5, image.Pt(224, 224), 5},
		"turned over, the shape tells nothing":       {image.Pt(4000, 3000), 3, image.Pt(4000, 3000), 3},
		"a photo without orientation has no turning": {image.Pt(4000, 3000), 1, image.Pt(3000, 4000), 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := LayerOrientation(&Picture{Source: tc.source, Orientation: tc.orientation}, tc.heat); got != tc.want {
				t.Errorf("got %d, want %d", got, tc.want)
			}
		})
	}
}
