//go:build e2e && linux

package e2e

import (
	"image"
	"image/color"
)

// folderInk is the colour of the folders' icons in the light theme.
var folderInk = color.RGBA{R: 0x17, G: 0x1a, B: 0x21, A: 0xff}

// The sizes of controls, in pixels at a scale of 1.
const (
	buttonHeight = 34
	boxSide      = 16
)

// Primary are the buttons filled with the accent, from top to bottom: at most one for each part of a screen.
func (s *Shot) Primary() []image.Rectangle {
	return s.shaped(like(accent, 24), func(p Patch) bool {
		return p.Dx() >= 40 && off(p.Dy(), buttonHeight) <= 4 && p.Pixels > p.Dx()*p.Dy()/2
	})
}

// Outlined are the buttons with a line around them, from top to bottom and from left to right.
func (s *Shot) Outlined() []image.Rectangle {
	return s.shaped(notSurface, func(p Patch) bool {
		return p.Dx() >= 40 && p.Dx() <= 200 && off(p.Dy(), buttonHeight) <= 4 && p.Pixels < p.Dx()*p.Dy()/3
	})
}

// Boxes are the empty boxes that can be ticked and the empty circles that can be chosen, from top to bottom.
func (s *Shot) Boxes() []image.Rectangle {
	const inside = 3 // around the middle, where nothing is drawn
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

// FolderIcons are the folders of the dialog that asks for one, from top to bottom.
func (s *Shot) FolderIcons() []image.Rectangle {
	return s.shaped(like(folderInk, 24), func(p Patch) bool {
		return off(p.Dx(), 20) <= 2 && off(p.Dy(), 16) <= 2 && p.Pixels > p.Dx()*p.Dy()*2/5
	})
}

func notSurface(c color.RGBA) bool { return !like(surface, 3)(c) }

// shaped are the connected parts of a colour that have the wanted shape.
func (s *Shot) shaped(colour func(color.RGBA) bool, wanted func(Patch) bool) []image.Rectangle {
	var found []image.Rectangle
	for _, patch := range s.Patches(s.Pixels.Rect, colour) {
		if wanted(patch) {
			found = append(found, patch.Rectangle)
		}
	}
	return found
}

// notified says whether a notification is painted in the lower left corner of the whole screen, below the windows of the file manager.
func (s *Shot) notified() bool {
	const fewest = 8 // colours, of letters on a ground
	seen := map[color.RGBA]struct{}{}
	for y := s.Pixels.Rect.Max.Y - 60; y < s.Pixels.Rect.Max.Y; y++ {
		for x := 20; x < 380; x++ {
			seen[s.Pixels.RGBAAt(x, y)] = struct{}{}
		}
	}
	return len(seen) >= fewest
}

// off is by how many pixels a length is not the wanted one.
func off(length, wanted int) int { return max(length-wanted, wanted-length) }
