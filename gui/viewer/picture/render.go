package picture

import (
	"context"
	"image"

	"assay/client/media/picture"
	"assay/gui/careful"
	"assay/gui/present"
)

// wanted returns the cuts to be drawn: only the visible part, at its size on screen.
func (s *stage) wanted() (lower, upper, before cut) {
	v, hv := s.views()
	covered := s.preview == present.PreviewBlurred
	lower = s.photoCut(s.place(v), v.frame())
	lead := lower.lead
	if lead == (image.Point{}) || covered {
		lead = s.near.Size() // a blurred photo has too few pixels to place a heatmap by
	}
	if s.heatmap != nil && s.mode != Original && (!s.mode.lays() || !s.differs()) {
		grid := lead
		if s.differs() {
			grid = s.heatSize()
		}
		upper = s.covers(cutOf(s.heatmap, grid, s.heatPlace(hv), hv.frame()), s.heatPlace(hv))
		upper.turn = s.turn
	}
	if s.comparesEarlier() {
		grid := lead
		if s.earlierDiffers() {
			grid = picture.Upright(s.earlier.Size(), s.earlierTurn)
		}
		before = s.covers(cutOf(s.earlier, grid, s.earlierPlace(v), v.frame()), s.earlierPlace(v))
		before.turn = s.earlierTurn
	}
	return lower, upper, before
}

// photoCut returns the cut of the photo: from the fitted pixels while they suffice, then from all. Until all have been read, the fitted pixels are
// stretched smoothly, since squares would be mistaken for pixels of the photo.
func (s *stage) photoCut(whole placed, frame spot) cut {
	switch {
	case s.preview == present.PreviewBlurred && s.blurred == nil:
		return cut{}
	case s.preview == present.PreviewBlurred:
		c := cutOf(s.blurred, s.blurred.Size(), whole, frame)
		c.size, c.preview = least(c.size, c.part.Size()), s.preview
		return c
	}
	enough := suffices(s.near, s.photo.Source, whole)
	source := s.near
	if !enough && s.full != nil {
		source = s.full
	}
	c := cutOf(source, source.Size(), whole, frame)
	if !enough && s.full == nil {
		c.size = least(c.size, c.part.Size())
	}
	c.preview = s.preview
	return c
}

// suffices reports whether a photo's fitted pixels are as many as a zoom needs, or as there are.
func suffices(near *picture.Full, source image.Point, whole placed) bool {
	return whole.width <= float64(near.Size().X) || near.Size().X >= source.X
}

// decoded is a photo that was decoded for the screen, with the pixels that are drawn of it first.
type decoded struct {
	*picture.Picture
	near   *picture.Full // its fitted pixels
	drawn  cut
	pixels *image.RGBA // nil: they are made once it is on the stage
}

// first is how a photo is drawn when it comes to the stage: as large as fits.
type first struct {
	frame   spot
	preview present.Preview
}

func (s *stage) first() first { return first{s.all().frame(), s.preview} }

// of draws a photo, so that it is there at once when it comes to the stage. Call it on a worker.
func (f first) of(ctx context.Context, photo *picture.Picture) *decoded {
	d := &decoded{Picture: photo, near: picture.FullOf(photo.Image, 1)}
	if f.preview == present.PreviewBlurred || f.frame.X < 1 || f.frame.Y < 1 {
		return d
	}
	if whole := fitted.place(photo.Source, photo.Source, f.frame); suffices(d.near, photo.Source, whole) {
		d.drawn = cutOf(d.near, d.near.Size(), whole, f.frame)
		d.drawn.preview = f.preview
		d.pixels = d.drawn.pixels(ctx)
	}
	return d
}

// covers blurs a heatmap while the photo is covered, as strongly as the photo: services send heatmaps that have the photo in them.
func (s *stage) covers(c cut, whole placed) cut {
	if s.preview == present.PreviewBlurred {
		c.blur, c.preview = picture.PreviewBlur(image.Pt(int(whole.width), int(whole.height))), s.preview
	}
	return c
}

func cutOf(source *picture.Full, lead image.Point, whole placed, frame spot) cut {
	seen := whole.seen(lead, frame)
	return cut{of: source, lead: lead, part: seen, size: whole.at(seen, lead).pixels()}
}

func least(a, b image.Point) image.Point { return image.Pt(min(a.X, b.X), min(a.Y, b.Y)) }

// lacksPixels reports whether the zoom needs more pixels of the photo than the fitted ones.
func (s *stage) lacksPixels() bool {
	v, _ := s.views()
	return s.full == nil && s.preview != present.PreviewBlurred && s.near.Size().X < s.photo.Source.X && s.place(v).width > float64(s.near.Size().X)
}

// render makes missing pixels on a worker; the old ones stay until then. One rendering runs at a time and is followed by one for later changes, so
// that a drag shows its way and not only its end.
func (s *stage) render() {
	if s.preview == present.PreviewBlurred && s.blurred == nil {
		s.blur()
	}
	if s.lacksPixels() {
		s.needFull()
	}
	lower, upper, before := s.wanted()
	newLower, newUpper, newBefore := lower.of != nil && lower != s.lower.drawn, upper.of != nil && upper != s.upper.drawn, before.of != nil && before != s.before.drawn
	if s.rendering || !newLower && !newUpper && !newBefore {
		return
	}
	s.rendering = true
	s.cancelRender = s.workers.Do(func(ctx context.Context) func() {
		var below, above, earlier *image.RGBA
		if newLower {
			below = lower.pixels(ctx)
		}
		if newUpper {
			above = upper.pixels(ctx)
		}
		if newBefore {
			earlier = before.pixels(ctx)
		}
		return func() {
			s.rendering = false
			if below != nil {
				s.lower.set(below, lower)
			}
			if above != nil && s.heatmap == upper.of {
				s.upper.set(above, upper)
			}
			if earlier != nil && s.earlier == before.of {
				s.before.set(earlier, before)
			}
			s.arrange() // renders again if something changed
		}
	})
}

// pixels draws the cut. Call it on a worker.
func (c cut) pixels(ctx context.Context) *image.RGBA {
	if c.turn != 0 {
		made := c.of.LayerRegion(ctx, c.turn, c.lead, c.part, c.size.X, c.size.Y)
		if c.blur > 0 {
			made = picture.Blur(made, c.blur)
		}
		return made
	}
	made := c.of.Region(ctx, c.part, c.size.X, c.size.Y)
	if c.preview == present.PreviewGrey {
		return careful.Seen(made, c.preview)
	}
	return made
}

// blurSide is the longer side of a blurred photo in pixels: more would show no more.
const blurSide = 384

// blur blurs the photo on a worker, once.
func (s *stage) blur() {
	photo := s.photo
	s.cancelBlur()
	s.cancelBlur = s.workers.Do(func(context.Context) func() {
		blurred := picture.FullOf(careful.Seen(picture.Fit(photo.Image, blurSide, blurSide), present.PreviewBlurred), 1)
		return func() {
			s.blurred = blurred
			s.arrange()
		}
	})
}
