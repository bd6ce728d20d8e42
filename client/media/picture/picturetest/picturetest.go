// Package picturetest is for tests of pictures: it draws pictures whose parts can be told apart, and names what a picture shows. It
// imports the standard library.
package picturetest

import (
	"image"
	"image/color"
)

// The colours of Quadrants.
var (
	Red   = color.NRGBA{255, 0, 0, 255}
	Lime  = color.NRGBA{0, 255, 0, 255}
	Blue  = color.NRGBA{0, 0, 255, 255}
	White = color.NRGBA{255, 255, 255, 255}
)

// Quadrants draws red | lime over blue | white.
func Quadrants(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, [2][2]color.NRGBA{{Red, Lime}, {Blue, White}}[2*y/h][2*x/w])
		}
	}
	return img
}

// Corners names the colours in the middle of the four quarters: "rlbw" for Quadrants as drawn, '.' for transparent, '?' for anything else.
// Lossy encodings may be off by a little.
func Corners(img *image.RGBA) string {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	var names []byte
	for _, at := range []image.Point{{w / 4, h / 4}, {3 * w / 4, h / 4}, {w / 4, 3 * h / 4}, {3 * w / 4, 3 * h / 4}} {
		names = append(names, ColourName(img.RGBAAt(at.X, at.Y)))
	}
	return string(names)
}

// ColourName names one colour as Corners does.
func ColourName(c color.RGBA) byte {
	if c.A == 0 {
		return '.'
	}
	straight := color.NRGBAModel.Convert(c).(color.NRGBA)
	high := func(v uint8) bool { return v > 200 }
	low := func(v uint8) bool { return v < 55 }
	switch {
	case high(straight.R) && low(straight.G) && low(straight.B):
		return 'r'
	case low(straight.R) && high(straight.G) && low(straight.B):
		return 'l'
	case low(straight.R) && low(straight.G) && high(straight.B):
		return 'b'
	case high(straight.R) && high(straight.G) && high(straight.B):
		return 'w'
	}
	return '?'
}

// Numbered is a picture whose first 65,536 pixels all differ.
func Numbered(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.SetNRGBA(i%w, i/w, color.NRGBA{uint8(i), uint8(i >> 8), uint8(i * 5), 255})
	}
	return img
}

// Filled is one level of grey.
func Filled(size image.Point, level byte) *image.Gray {
	grey := image.NewGray(image.Rectangle{Max: size})
	for i := range grey.Pix {
		grey.Pix[i] = level
	}
	return grey
}

// Same reports whether two pictures show the same, whatever their origins.
func Same(a, b image.Image) bool {
	if a.Bounds().Size() != b.Bounds().Size() {
		return false
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			at := func(img image.Image) color.Color {
				return color.RGBAModel.Convert(img.At(img.Bounds().Min.X+x, img.Bounds().Min.Y+y))
			}
			if at(a) != at(b) {
				return false
			}
		}
	}
	return true
}
