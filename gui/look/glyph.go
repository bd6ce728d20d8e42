package look

import (
	"bytes"
	"image"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
)

// Glyph shows an icon or a mark. Of each it is drawn once for a colour and a size, for all glyphs together: an image of the
// toolkit reads its SVG anew at each refresh, which holds the window up for most of a millisecond.
// It belongs to the window's goroutine.
type Glyph struct {
	Raster *canvas.Raster // stands among the objects of a widget

	resource fyne.Resource
}

// NewGlyph makes one that shows nothing yet.
func NewGlyph() *Glyph {
	g := &Glyph{}
	g.Raster = canvas.NewRaster(func(w, h int) image.Image { return Rasterise(g.resource, w, h) })
	g.Raster.Hidden = true
	return g
}

// Set shows a resource in its colour and at the window's scale of now, nothing where it is nil. Whoever draws it calls it again
// at each refresh, so that it follows theme and scale.
func (g *Glyph) Set(resource fyne.Resource) {
	g.resource, g.Raster.Hidden = resource, resource == nil
	g.Raster.Refresh()
}

// Rasterise draws an SVG as large as fits into the middle of w × h pixels. What it returns is shared: it must not be changed.
// A resource that is no SVG, or nil, leaves them empty. It may be called from any goroutine.
func Rasterise(resource fyne.Resource, w, h int) image.Image {
	if resource == nil || w <= 0 || h <= 0 {
		return image.NewNRGBA(image.Rect(0, 0, max(w, 1), max(h, 1)))
	}
	key := rasterKey{resource.Name(), w, h}
	rasters.Lock()
	defer rasters.Unlock()
	if img := rasters.of[key]; img != nil {
		return img
	}
	if len(rasters.of) >= maxRasters {
		clear(rasters.of)
	}
	img := rasterise(resource, w, h)
	rasters.of[key] = img
	return img
}

// maxRasters is more than the glyphs of all colours at one scale; a window that went from screen to screen needs room for some.
const maxRasters = 1000

type rasterKey struct {
	name string
	w, h int
}

var rasters = struct {
	sync.Mutex
	of map[rasterKey]image.Image
}{of: map[rasterKey]image.Image{}}

func rasterise(resource fyne.Resource, w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	icon, err := oksvg.ReadIconStream(bytes.NewReader(resource.Content()))
	if err != nil || icon.ViewBox.W <= 0 || icon.ViewBox.H <= 0 {
		fyne.LogError("Read the drawing "+resource.Name(), err)
		return img
	}
	scale := min(float64(w)/icon.ViewBox.W, float64(h)/icon.ViewBox.H)
	width, height := icon.ViewBox.W*scale, icon.ViewBox.H*scale
	icon.SetTarget((float64(w)-width)/2, (float64(h)-height)/2, width, height)
	icon.Draw(rasterx.NewDasher(w, h, rasterx.NewScannerGV(w, h, img, img.Bounds())), 1)
	return img
}
