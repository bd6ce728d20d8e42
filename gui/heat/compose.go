package heat

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"math"

	"assay/client/media/picture"
)

// ComposeOptions says what Compose makes of a photo and its heatmap.
type ComposeOptions struct {
	// SideBySide shows the photo at the left and the photo with the heatmap at the right; otherwise only the latter is drawn.
	SideBySide bool
	// Opacity of the heatmap, 0 to 1.
	Opacity float64
	// Orientation turns the heatmap; see picture.LayerOrientation. 0 means 1.
	Orientation int
	// Boxes are drawn over the photo and the heatmap.
	Boxes []Box
	// Legend is drawn below; without lines there is none.
	Legend Legend
	// MaxPixels limits the pixels of the picture above the legend; 0 means DefaultComposePixels.
	MaxPixels int
}

// DefaultComposePixels is the most pixels of a composite. Making one takes 4 bytes for each, 12 if it is scaled down to this limit.
const DefaultComposePixels = 40_000_000

const (
	narrowestComposite = 480 // pixels, so that the legend of even the smallest picture can be read
	composeGap         = 16  // pixels between the two pictures
	stripPixels        = 1 << 20
)

// Compose makes an opaque picture of a photo and its heatmap, for saving and copying, at the size of the photo, or smaller for MaxPixels. Transparent
// pixels become white. heatmap may be nil. It fails if a font can't be read or ctx ends.
func Compose(ctx context.Context, photo, heatmap *picture.Full, options ComposeOptions) (*image.RGBA, error) {
	size := photo.Size()
	if size.X < 1 || size.Y < 1 {
		return nil, fmt.Errorf("compose a picture of %v pixels", size)
	}
	fonts, err := parseFonts(options.Legend.Fonts)
	if err != nil {
		return nil, fmt.Errorf("compose the picture: %w", err)
	}
	places := composePlaces(size, options)
	width := max(places[len(places)-1].Max.X, narrowestComposite)
	legend := layLegend(fonts, options.Legend.Lines, width)
	defer legend.close()

	composite := image.NewRGBA(image.Rect(0, 0, width, places[0].Dy()+legend.height()))
	draw.Draw(composite, composite.Rect, image.White, image.Point{}, draw.Src)
	if err := composePictures(ctx, composite, places, photo, heatmap, options); err != nil {
		return nil, fmt.Errorf("compose the picture: %w", err)
	}
	for _, place := range places {
		drawBoxes(composite.SubImage(place).(*image.RGBA), size, options.Boxes, fonts)
	}
	legend.draw(composite, places[0].Dy())
	return composite, nil
}

// composePlaces returns where on the composite a photo of that size is drawn, once or twice.
func composePlaces(photo image.Point, options ComposeOptions) []image.Rectangle {
	most := float64(options.MaxPixels)
	if options.MaxPixels <= 0 {
		most = DefaultComposePixels
	}
	count := 1.0
	if options.SideBySide {
		count = 2
	}
	w, h := float64(photo.X), float64(photo.Y)
	// The last limit is for very narrow photos: no composite is narrower than a legend, which would multiply their pixels.
	scale := min(1, math.Sqrt(most/(count*w*h)), most/(narrowestComposite*h))
	size := image.Pt(max(1, int(w*scale)), max(1, int(h*scale)))
	places := []image.Rectangle{{Max: size}}
	if options.SideBySide {
		places = append(places, places[0].Add(image.Pt(size.X+composeGap, 0)))
	}
	return places
}

// composePictures draws the photo at every place, and the heatmap over it at the last one.
func composePictures(
	ctx context.Context, to *image.RGBA, places []image.Rectangle, photo, heatmap *picture.Full, options ComposeOptions,
) error {
	shown := stripsOf(photo.Size(), places[0].Size(), func(part image.Rectangle, w, h int) *image.RGBA {
		return photo.Region(ctx, part, w, h)
	})
	var layer func(rows image.Rectangle) *image.RGBA
	if heatmap != nil {
		layer = stripsOf(photo.Size(), places[0].Size(), func(part image.Rectangle, w, h int) *image.RGBA {
			return heatmap.LayerRegion(ctx, options.Orientation, photo.Size(), part, w, h)
		})
	}
	high := max(1, stripPixels/places[0].Dx())
	for top := 0; top < places[0].Dy(); top += high {
		rows := image.Rect(0, top, places[0].Dx(), min(top+high, places[0].Dy()))
		below := shown(rows)
		for i, place := range places {
			strip := below
			if layer != nil && i == len(places)-1 {
				strip = image.NewRGBA(image.Rectangle{Max: rows.Size()})
				NewBlender(below, layer(rows)).Blend(strip, options.Opacity)
			}
			draw.Draw(to, rows.Add(place.Min), strip, strip.Rect.Min, draw.Over)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// stripsOf returns a function that draws some rows of a picture. At the picture's own size it draws only these rows; otherwise it scales the whole at
// once, so that there are no seams.
func stripsOf(
	whole, size image.Point, region func(part image.Rectangle, w, h int) *image.RGBA,
) func(rows image.Rectangle) *image.RGBA {
	if whole == size {
		return func(rows image.Rectangle) *image.RGBA { return region(rows, rows.Dx(), rows.Dy()) }
	}
	all := region(image.Rectangle{Max: whole}, size.X, size.Y)
	return func(rows image.Rectangle) *image.RGBA { return all.SubImage(rows).(*image.RGBA) }
}
