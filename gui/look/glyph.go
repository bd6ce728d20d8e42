package look

import (
	"bytes"
	"fmt"
	"image"
	"strings"
	"sync"

	"assay/assets"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

// Glyph shows an icon or a mark. Each is rendered once for a colour and a size and shared by all glyphs: the toolkit's image parses its SVG again at
// each refresh, which takes most of a millisecond. It must be used on the UI goroutine.
type Glyph struct {
	Raster *canvas.Raster // to be added to a widget's objects

	resource fyne.Resource
}

// NewGlyph makes an empty glyph.
func NewGlyph() *Glyph {
	g := &Glyph{}
	g.Raster = canvas.NewRaster(func(w, h int) image.Image { return Rasterise(g.resource, w, h) })
	g.Raster.Hidden = true
	return g
}

// Set shows a resource in its current colour and at the window's current scale; nil for nothing. A renderer must call it at each refresh, to follow
// theme and scale.
func (g *Glyph) Set(resource fyne.Resource) {
	g.resource, g.Raster.Hidden = resource, resource == nil
	g.Raster.Refresh()
}

// Rasterise renders an SVG as large as fits into the middle of w × h pixels; a resource that is nil or no SVG leaves them empty. The image is shared
// and must not be changed. It may be called from any goroutine.
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

// maxRasters is more than all glyphs in all their colours at one scale, with some room for another scale.
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

// outlined returns a drawing of assets with every stroke converted to the area that it covers. Fyne's SVG renderer scales paths but not the widths
// and dashes of their strokes: a stroke of 1.7 would be 1.7 pixels wide at every size and scale.
func outlined(file string) string {
	if svg, ok := outlines.Load(file); ok {
		return svg.(string)
	}
	svg, err := outline(file)
	if err != nil {
		// Only a wrong name or a broken file leads here; a test reads all files.
		panic(fmt.Sprintf("look: %s: %v", file, err))
	}
	outlines.Store(file, svg)
	return svg
}

var outlines sync.Map // from file to SVG in currentColor

// outlineScale is the scale at which curves are flattened: fine enough for 40 px at a scale of 3.
const outlineScale = 10

func outline(file string) (string, error) {
	raw, err := assets.Drawings.ReadFile(file)
	if err != nil {
		return "", err
	}
	icon, err := oksvg.ReadReplacingCurrentColor(bytes.NewReader(raw), "#000000")
	if err != nil {
		return "", err
	}
	w, h := icon.ViewBox.W, icon.ViewBox.H
	for i := range icon.SVGPaths {
		style := &icon.SVGPaths[i].PathStyle
		style.LineWidth *= outlineScale
		dash := make([]float64, len(style.Dash)) // a copy, since paths of a group share theirs
		for j, d := range style.Dash {
			dash[j] = d * outlineScale
		}
		style.Dash = dash
	}
	icon.SetTarget(0, 0, w*outlineScale, h*outlineScale)
	trace := &tracer{}
	icon.Draw(rasterx.NewDasher(int(w*outlineScale), int(h*outlineScale), trace), 1)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g">%s</svg>`, w, h, w, h, trace.paths.String()), nil
}

// tracer writes the areas that it is given as SVG paths, where a rasteriser would fill pixels. The stroker emits the edges of an area in any order
// (both sides of a line in turns, say), which is enough for filling; a path needs closed contours.
type tracer struct {
	paths strings.Builder
	pen   fixed.Point26_6
	edges map[fixed.Point26_6][]fixed.Point26_6 // from each point to the ends of its edges
	order []fixed.Point26_6                     // starts of edges as they were added, so that equal drawings give equal texts
}

var _ rasterx.Scanner = (*tracer)(nil)

// Start moves the pen to a point.
func (t *tracer) Start(p fixed.Point26_6) { t.pen = p }

// Line adds an edge.
func (t *tracer) Line(p fixed.Point26_6) {
	if p == t.pen {
		return
	}
	if t.edges == nil {
		t.edges = map[fixed.Point26_6][]fixed.Point26_6{}
	}
	t.edges[t.pen] = append(t.edges[t.pen], p)
	t.order = append(t.order, t.pen)
	t.pen = p
}

// Draw writes the area that the edges enclose. As many edges lead to each point as away from it, so that every walk along unused edges returns to its
// start; which way it takes at a crossing does not matter for what is inside.
func (t *tracer) Draw() {
	var path strings.Builder
	for _, start := range t.order {
		if len(t.edges[start]) == 0 {
			continue
		}
		command := byte('M')
		for at := start; ; {
			fmt.Fprintf(&path, "%c%.2f %.2f", command, float64(at.X)/64/outlineScale, float64(at.Y)/64/outlineScale)
			command = 'L'
			next := t.edges[at]
			if len(next) == 0 {
				break
			}
			t.edges[at] = next[:len(next)-1]
			at = next[len(next)-1]
		}
		path.WriteByte('Z')
	}
	if path.Len() > 0 {
		fmt.Fprintf(&t.paths, `<path fill="currentColor" d="%s"/>`, path.String())
	}
	t.Clear()
}

// Clear drops edges that were not drawn.
func (t *tracer) Clear() { t.edges, t.order = nil, nil }

// GetPathExtent is only called for gradients, of which there are none.
func (t *tracer) GetPathExtent() fixed.Rectangle26_6 { return fixed.Rectangle26_6{} }

// SetBounds does nothing.
func (t *tracer) SetBounds(int, int) {}

// SetColor does nothing: a drawing has one colour, its tint.
func (t *tracer) SetColor(any) {}

// SetWinding does nothing: holes are drawn in the opposite direction of the area around them.
func (t *tracer) SetWinding(bool) {}

// SetClip does nothing.
func (t *tracer) SetClip(image.Rectangle) {}
