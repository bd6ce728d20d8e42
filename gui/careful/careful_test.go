package careful_test

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/gui/careful"
	"assay/gui/present"
)

// board is a chessboard of red and white fields: nothing of them may be left.
func board(width, height, field int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{R: 255, A: 255}
			if (x/field+y/field)%2 == 0 {
				c = color.RGBA{R: 255, G: 255, B: 255, A: 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func TestSeen(t *testing.T) {
	picture := board(1600, 1200, 40)
	before := slices.Clone(picture.Pix)
	t.Run("as it is", func(t *testing.T) {
		if careful.Seen(picture, present.PreviewPlain) != picture || careful.Seen(nil, present.PreviewBlurred) != nil {
			t.Error("another")
		}
	})
	t.Run("grey", func(t *testing.T) {
		grey := careful.Seen(picture, present.PreviewGrey)
		if c := grey.RGBAAt(60, 20); c.R != c.G || c.G != c.B || grey.Rect != picture.Rect {
			t.Errorf("%v, %v", c, grey.Rect)
		}
	})
	for name, p := range map[string]present.Preview{"covered": present.PreviewBlurred, "what it does not know is covered": "sepia"} {
		t.Run(name, func(t *testing.T) {
			for _, img := range []*image.RGBA{picture, board(88, 88, 4), board(3, 2, 1), board(4000, 5, 40)} {
				seen := careful.Seen(img, p)
				if size := seen.Rect.Size(); max(size.X, size.Y) > 384 || size.X < 1 || size.Y < 1 {
					t.Errorf("%v of %v", size, img.Rect)
				}
				for i := 0; i < len(seen.Pix); i += 4 {
					if seen.Pix[i] != seen.Pix[i+1] || seen.Pix[i] != seen.Pix[i+2] {
						t.Fatalf("%v has colours", img.Rect)
					}
				}
			}
			seen, least, most := careful.Seen(picture, p), uint8(255), uint8(0)
			for y := 100; y < 180; y++ {
				for x := 100; x < 280; x++ {
					least, most = min(least, seen.RGBAAt(x, y).R), max(most, seen.RGBAAt(x, y).R)
				}
			}
			if most-least > 8 {
				t.Errorf("the fields are still there: %d to %d", least, most)
			}
		})
	}
	if !slices.Equal(before, picture.Pix) {
		t.Error("the picture was changed")
	}
}

// painters are the files that put pictures on the canvas. Each gets its pixels from careful.Seen, or shows none of a person's material.
var painters = []string{
	"cases/tile.go", "kit/icon.go", // small pictures, of gui/thumbs
	"report/pages.go",                                                                         // pages of a report, in which client/report covers what was marked
	"review/sample.go",                                                                        // what would be sent, of gui/review_sample.go
	"viewer/clip/frame.go",                                                                    // frames and the clip's thumbnail
	"viewer/picture/layers.go",                                                                // photo and heatmaps
	"kit/field_renderer.go",                                                                   // icons
	"look/glyph.go", "look/hatch.go", "chart/waveform_renderer.go", "chart/lanes_renderer.go", // drawn by Assay itself
}

// TestNoPictureReachesTheCanvasElsewhere fails where a new file paints pictures: it must cover them, and is then added to painters.
func TestNoPictureReachesTheCanvasElsewhere(t *testing.T) {
	paints := regexp.MustCompile(`canvas\.(NewImageFrom\w+|NewRaster\w*|Image\{|Raster\{)|widget\.NewIcon\(`)
	found := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel("..", path)
		name = filepath.ToSlash(name)
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "e2e/") || strings.HasPrefix(name, "guitest/") {
			return err
		}
		source, err := os.ReadFile(path) //nolint:gosec // this package's own sources
		if err == nil && paints.Match(source) {
			found[name] = true
			if !slices.Contains(painters, name) {
				t.Errorf("gui/%s puts pictures on the canvas, and nobody has said how they are covered", name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range painters {
		if !found[name] {
			t.Errorf("gui/%s paints nothing any more", name)
		}
	}
}
