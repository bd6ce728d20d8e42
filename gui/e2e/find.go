//go:build e2e && linux

package e2e

import (
	"image"
	"image/color"
	"slices"
)

// The colours of the light theme by which objects are found on screen.
var (
	accent       = color.RGBA{R: 0x3d, G: 0x5a, B: 0xd6, A: 0xff}
	surface      = color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	sunk         = color.RGBA{R: 0xec, G: 0xee, B: 0xf1, A: 0xff}
	verdictFills = []color.RGBA{{R: 0xfc, G: 0xee, B: 0xe7, A: 0xff}, {R: 0xfb, G: 0xf3, B: 0xdc, A: 0xff}, {R: 0xe6, G: 0xf1, B: 0xfa, A: 0xff}}
)

// Patch is a connected region of a picture.
type Patch struct {
	image.Rectangle     // its bounds
	Pixels          int // number of pixels in it
}

// Middle is the middle of its bounds.
func (p Patch) Middle() image.Point { return p.Min.Add(p.Max).Div(2) }

// Patches returns the connected regions of wanted pixels in an area, diagonal neighbours included, from top to bottom.
func (s *Shot) Patches(area image.Rectangle, wanted func(color.RGBA) bool) []Patch {
	area = area.Intersect(s.Pixels.Rect)
	width := area.Dx()
	seen := make([]bool, width*area.Dy())
	var found []Patch
	var open []image.Point
	visit := func(p image.Point) {
		if !p.In(area) {
			return
		}
		i := (p.Y-area.Min.Y)*width + p.X - area.Min.X
		if !seen[i] && wanted(s.Pixels.RGBAAt(p.X, p.Y)) {
			seen[i] = true
			open = append(open, p)
		}
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			visit(image.Pt(x, y))
			if len(open) == 0 {
				continue
			}
			var patch Patch
			for len(open) > 0 {
				p := open[len(open)-1]
				open = open[:len(open)-1]
				patch.Pixels++
				patch.Rectangle = patch.Union(image.Rectangle{Min: p, Max: p.Add(image.Pt(1, 1))})
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						visit(p.Add(image.Pt(dx, dy)))
					}
				}
			}
			found = append(found, patch)
		}
	}
	return found
}

// like returns a function that reports whether a pixel has a colour, or that colour blended with another at a smooth edge.
func like(want color.RGBA, blend int) func(color.RGBA) bool {
	return func(c color.RGBA) bool {
		return apart(c.R, want.R) <= blend && apart(c.G, want.G) <= blend && apart(c.B, want.B) <= blend
	}
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// backgroundAt is a height at which the viewer shows only the window's background.
const backgroundAt = 4

func (s *Shot) background() color.RGBA { return s.Pixels.RGBAAt(s.Pixels.Rect.Max.X-1, backgroundAt) }

// Viewer is the part of the window with the result: everything to the right of the line after the list.
func (s *Shot) Viewer() image.Rectangle {
	whole, background := s.Pixels.Rect, s.background()
	x := whole.Max.X
	for x > 0 && s.Pixels.RGBAAt(x-1, backgroundAt) == background {
		x--
	}
	return image.Rect(x, 0, whole.Max.X, whole.Max.Y)
}

// Photos are the pictures in the viewer, from left to right: the n largest regions without the flat colours of a window. There may be fewer.
func (s *Shot) Photos(n int) []image.Rectangle {
	const edge = 3 // levels, at a smooth edge between two flat colours
	flat := append([]color.RGBA{s.background(), surface, sunk}, verdictFills...)
	patches := s.Patches(s.Viewer(), func(c color.RGBA) bool {
		return !slices.ContainsFunc(flat, func(f color.RGBA) bool { return like(f, edge)(c) })
	})
	slices.SortFunc(patches, func(a, b Patch) int { return b.Pixels - a.Pixels })
	var photos []image.Rectangle
	for _, patch := range patches[:min(n, len(patches))] {
		photos = append(photos, patch.Rectangle)
	}
	slices.SortFunc(photos, func(a, b image.Rectangle) int { return a.Min.X - b.Min.X })
	return photos
}

// Photo is the only picture in the viewer.
func (s *Shot) Photo() image.Rectangle {
	for _, photo := range s.Photos(1) {
		return photo
	}
	return image.Rectangle{}
}

// Slider returns the middle of the thumb of the viewer's first enabled slider. It is found as a region in the accent colour, which consists of the
// line up to the thumb and the ring around it.
func (s *Shot) Slider() (knob image.Point, ok bool) {
	const side = 14
	for _, patch := range s.Patches(s.Viewer(), like(accent, 40)) {
		if patch.Dy() >= side-2 && patch.Dy() <= side+2 && patch.Dx() >= side-2 && patch.Pixels < patch.Dx()*patch.Dy()*3/4 {
			return image.Pt(patch.Max.X-side/2, patch.Middle().Y), true
		}
	}
	return image.Point{}, false
}

// Ring returns the control with the focus, which has an outline in the accent colour.
func (s *Shot) Ring() (control image.Rectangle, ok bool) {
	for _, patch := range s.Patches(s.Pixels.Rect, like(accent, 12)) {
		area := patch.Dx() * patch.Dy()
		if patch.Dx() >= 16 && patch.Dy() >= 16 && patch.Pixels < area/2 {
			return patch.Rectangle, true
		}
	}
	return image.Rectangle{}, false
}

// Accented is the area around the pixels, at least some dozens, that have turned to the accent colour since another picture, or away from it, as the gap
// does between a primary button and its ring; empty if there are none.
func (s *Shot) Accented(before *Shot) image.Rectangle {
	const least = 60
	bluish := func(c color.RGBA) bool { return int(c.B)-int(c.R) > 80 }
	var around image.Rectangle
	turned := 0
	for y := range s.Pixels.Rect.Dy() {
		for x := range s.Pixels.Rect.Dx() {
			if bluish(s.Pixels.RGBAAt(x, y)) != bluish(before.Pixels.RGBAAt(x, y)) {
				around = around.Union(image.Rect(x, y, x+1, y+1))
				turned++
			}
		}
	}
	if turned < least {
		return image.Rectangle{}
	}
	return around
}

// Parts are the insides of the boxes of lanes in the viewer, each in a verdict's light colour, from left to right.
func (s *Shot) Parts() []image.Rectangle {
	return s.filled(func(p Patch) bool { return p.Dy() >= 12 && p.Dy() <= 24 && p.Dx() >= 26 })
}

// Cards are the viewer's cards with a verdict, from left to right.
func (s *Shot) Cards() []image.Rectangle {
	return s.filled(func(p Patch) bool { return p.Dy() >= 60 && p.Dx() >= 200 })
}

// filled returns the wanted regions of the viewer in a verdict's light colour, from left to right.
func (s *Shot) filled(wanted func(Patch) bool) []image.Rectangle {
	var found []image.Rectangle
	for _, fill := range verdictFills {
		for _, patch := range s.Patches(s.Viewer(), like(fill, 0)) {
			if wanted(patch) {
				found = append(found, patch.Rectangle)
			}
		}
	}
	slices.SortFunc(found, func(a, b image.Rectangle) int { return a.Min.X - b.Min.X })
	return found
}

// Changes is the smallest rectangle around what is another pixel in an area than in another picture.
func (s *Shot) Changes(area image.Rectangle, before *Shot) (changed image.Rectangle) {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if s.Pixels.RGBAAt(x, y) != before.Pixels.RGBAAt(x, y) {
				changed = changed.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return changed
}

// ChangedIn is the share, 0 to 1, of an area's pixels that differ from another picture's.
func (s *Shot) ChangedIn(area image.Rectangle, other *Shot) float64 {
	area = area.Intersect(s.Pixels.Rect).Intersect(other.Pixels.Rect)
	if area.Empty() {
		return 1
	}
	changed := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if s.Pixels.RGBAAt(x, y) != other.Pixels.RGBAAt(x, y) {
				changed++
			}
		}
	}
	return float64(changed) / float64(area.Dx()*area.Dy())
}

// Contrast is by how many levels of 255, on average, an area's pixels differ from another picture's pixels at a distance of by.
func (s *Shot) Contrast(area image.Rectangle, other *Shot, by image.Point) float64 {
	area = area.Intersect(s.Pixels.Rect).Intersect(other.Pixels.Rect.Sub(by))
	sum := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			sum += levels(s.Pixels.RGBAAt(x, y), other.Pixels.RGBAAt(x+by.X, y+by.Y))
		}
	}
	return float64(sum) / float64(max(1, 3*area.Dx()*area.Dy()))
}

// levels is the sum of the differences of two colours in all channels.
func levels(a, b color.RGBA) int { return apart(a.R, b.R) + apart(a.G, b.G) + apart(a.B, b.B) }

// Repainted is the largest connected region of an area that has a clearly different colour than in another picture; empty if there is none.
func (s *Shot) Repainted(area image.Rectangle, other *Shot) image.Rectangle {
	const quiteOther = 150
	var largest Patch
	mask := &Shot{Pixels: image.NewRGBA(s.Pixels.Rect)}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if levels(s.Pixels.RGBAAt(x, y), other.Pixels.RGBAAt(x, y)) > quiteOther {
				mask.Pixels.SetRGBA(x, y, surface)
			}
		}
	}
	for _, patch := range mask.Patches(area, like(surface, 0)) {
		if patch.Pixels > largest.Pixels {
			largest = patch
		}
	}
	return largest.Rectangle
}

// folderInk is the colour of the folders' icons in the light theme.
var folderInk = color.RGBA{R: 0x17, G: 0x1a, B: 0x21, A: 0xff}

// The sizes of controls, in pixels at a scale of 1.
const (
	buttonHeight = 34
	boxSide      = 16
)

// Primary are the buttons in the accent colour, from top to bottom: at most one in each part of a screen.
func (s *Shot) Primary() []image.Rectangle {
	return s.shaped(like(accent, 24), func(p Patch) bool {
		return p.Dx() >= 40 && off(p.Dy(), buttonHeight) <= 4 && p.Pixels > p.Dx()*p.Dy()/2
	})
}

// Outlined are the buttons with an outline, from top to bottom and left to right.
func (s *Shot) Outlined() []image.Rectangle {
	return s.shaped(notSurface, func(p Patch) bool {
		return p.Dx() >= 40 && p.Dx() <= 200 && off(p.Dy(), buttonHeight) <= 4 && p.Pixels < p.Dx()*p.Dy()/3
	})
}

// Boxes are the unticked boxes and unchosen circles, from top to bottom.
func (s *Shot) Boxes() []image.Rectangle {
	const inside = 3 // in the middle, where nothing is drawn
	return s.shaped(notSurface, func(p Patch) bool {
		if off(p.Dx(), boxSide) > 2 || off(p.Dy(), boxSide) > 2 {
			return false
		}
		middle := p.Middle()
		for y := middle.Y - inside; y <= middle.Y+inside; y++ {
			for x := middle.X - inside; x <= middle.X+inside; x++ {
				if notSurface(s.Pixels.RGBAAt(x, y)) {
					return false
				}
			}
		}
		return true
	})
}

// FolderIcons are the folders in a folder dialog, from top to bottom.
func (s *Shot) FolderIcons() []image.Rectangle {
	return s.shaped(like(folderInk, 24), func(p Patch) bool {
		return off(p.Dx(), 20) <= 2 && off(p.Dy(), 16) <= 2 && p.Pixels > p.Dx()*p.Dy()*2/5
	})
}

func notSurface(c color.RGBA) bool { return !like(surface, 3)(c) }

// shaped returns the connected regions of a colour that have the wanted shape.
func (s *Shot) shaped(colour func(color.RGBA) bool, wanted func(Patch) bool) []image.Rectangle {
	var found []image.Rectangle
	for _, patch := range s.Patches(s.Pixels.Rect, colour) {
		if wanted(patch) {
			found = append(found, patch.Rectangle)
		}
	}
	return found
}

// notified reports whether a notification is shown in the lower left corner of the screen, below the windows of the file manager.
func (s *Shot) notified() bool {
	const fewest = 8 // colours, of text on a background
	seen := map[color.RGBA]struct{}{}
	for y := s.Pixels.Rect.Max.Y - 60; y < s.Pixels.Rect.Max.Y; y++ {
		for x := 20; x < 380; x++ {
			seen[s.Pixels.RGBAAt(x, y)] = struct{}{}
		}
	}
	return len(seen) >= fewest
}

// off is by how many pixels a length differs from the wanted one.
func off(length, wanted int) int { return max(length-wanted, wanted-length) }
