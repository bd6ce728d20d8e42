package chart

import (
	"image"
	"image/color"
	"math"

	"assay/gui/kit"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// Sizes in device-independent pixels.
const (
	columnPitch   float32 = 3 // from one column to the next
	columnWidth   float32 = 2
	columnLeast   float32 = 2 // for silence, so that it differs from no sound
	cursorWidth   float32 = 1.5
	loopEdge      float32 = 1.5
	waveformRing  float32 = 2
	restShare             = 0.72 // of the muted colour: the played part stands out, and the contrast is at least 3:1
	waveformWidth float32 = 120
)

// waveformRenderer paints the columns twice, in the muted colour and in the accent, and clips the second image to the part that was played: while it
// plays only that clip changes, and neither image.
type waveformRenderer struct {
	w                *Waveform
	ring, background *canvas.Rectangle // show the focus
	line             *canvas.Rectangle // through the middle
	loop             *canvas.Rectangle
	loopEnds         [2]*canvas.Rectangle
	rest, played     *canvas.Raster
	sheet            *fyne.Container // clips played, which has the whole width
	clip             *container.Clip
	cursor           *canvas.Rectangle
	note             *canvas.Text
	size             fyne.Size
	at               float32 // where the line was placed last
}

func newWaveformRenderer(w *Waveform) *waveformRenderer {
	r := &waveformRenderer{
		w: w, ring: canvas.NewRectangle(nil), background: canvas.NewRectangle(nil), line: canvas.NewRectangle(nil),
		loop: canvas.NewRectangle(nil), cursor: canvas.NewRectangle(nil), note: canvas.NewText("", nil),
	}
	r.ring.CornerRadius, r.background.CornerRadius = look.RadiusControl, look.RadiusControl-waveformRing
	for i := range r.loopEnds {
		r.loopEnds[i] = canvas.NewRectangle(nil)
	}
	r.rest = canvas.NewRaster(func(width, height int) image.Image {
		return r.paint(width, height, faded(look.Color(look.ColorMuted)))
	})
	r.played = canvas.NewRaster(func(width, height int) image.Image {
		return r.paint(width, height, opaque(look.Color(look.ColorAccent)))
	})
	r.sheet = container.NewWithoutLayout(r.played)
	r.clip = container.NewClip(r.sheet)
	w.drawn, w.placed, w.moved = r.redraw, r.move, r.updateLine
	r.Refresh()
	return r
}

func opaque(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

func faded(c color.Color) color.NRGBA {
	n := opaque(c)
	n.A = uint8(float64(n.A) * restShare)
	return n
}

func (r *waveformRenderer) Destroy() {
	r.w.drawn, r.w.placed, r.w.moved = func() {}, func() {}, func() {}
}

func (r *waveformRenderer) MinSize() fyne.Size { return fyne.NewSize(waveformWidth, r.w.Height) }

func (r *waveformRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ring, r.background, r.loop, r.line, r.rest, r.clip, r.loopEnds[0], r.loopEnds[1], r.cursor, r.note}
}

func (r *waveformRenderer) Layout(size fyne.Size) {
	r.size = size
	kit.PlaceAt(r.ring, -look.Space, -look.Space, size.Width+2*look.Space, size.Height+2*look.Space)
	inset := waveformRing - look.Space
	kit.PlaceAt(r.background, inset, inset, size.Width-2*inset, size.Height-2*inset)
	kit.PlaceAt(r.line, 0, size.Height/2-0.5, size.Width, 1)
	kit.PlaceAt(r.rest, 0, 0, size.Width, size.Height)
	kit.PlaceAt(r.played, 0, 0, size.Width, size.Height)
	height := r.note.MinSize().Height
	kit.PlaceAt(r.note, 0, (size.Height-height)/2, size.Width, height)
	r.move()
}

// redraw paints the columns again.
func (r *waveformRenderer) redraw() {
	some := r.w.columns != nil
	appears := some && !r.rest.Visible()
	kit.SetVisible(r.rest, some)
	kit.SetVisible(r.clip, some)
	kit.SetVisible(r.note, !some && r.w.note != "")
	kit.SetVisible(r.line, some || r.w.note == "")
	r.rest.Refresh()
	r.played.Refresh()
	if appears {
		canvas.Refresh(r.w) // the window does not know what was hidden when it was last painted, and would not paint it until something else changes
	}
}

// updateLine moves the line if the change is visible: in a recording of hours a second is far less than a pixel, and needs no painting.
func (r *waveformRenderer) updateLine() {
	if !near(axis{r.w.length, r.size.Width}.x(r.w.position), r.at) {
		r.move()
	}
}

// near reports whether two positions look the same.
func near(a, b float32) bool { return math.Abs(float64(a-b)) < 0.4 }

// move places what depends on the position, the loop and the focus.
func (r *waveformRenderer) move() {
	a := axis{r.w.length, r.size.Width}
	x := a.x(r.w.position)
	r.at = x
	r.clip.Move(fyne.NewPos(0, 0))
	r.clip.Resize(fyne.NewSize(max(x, 0.01), r.size.Height)) // a size of nothing clips nothing
	kit.PlaceAt(r.cursor, min(max(x-cursorWidth/2, 0), max(r.size.Width-cursorWidth, 0)), 0, cursorWidth, r.size.Height)
	looping := r.w.loopTo > r.w.loopFrom
	from, to := a.x(r.w.loopFrom), a.x(r.w.loopTo)
	kit.PlaceAt(r.loop, from, 0, to-from, r.size.Height)
	kit.PlaceAt(r.loopEnds[0], from, 0, loopEdge, r.size.Height)
	kit.PlaceAt(r.loopEnds[1], to-loopEdge, 0, loopEdge, r.size.Height)
	kit.SetVisible(r.loop, looping)
	kit.SetVisible(r.loopEnds[0], looping)
	kit.SetVisible(r.loopEnds[1], looping)
	kit.SetVisible(r.cursor, r.w.length > 0)
	kit.SetVisible(r.ring, r.w.focused)
	kit.SetVisible(r.background, r.w.focused)
	r.cursor.Refresh()
}

func (r *waveformRenderer) Refresh() {
	r.ring.FillColor, r.background.FillColor = look.Color(look.ColorAccent), look.Color(look.ColorSurface)
	r.line.FillColor = look.Color(look.ColorBorder)
	r.loop.FillColor = look.Color(theme.ColorNameFocus)
	r.cursor.FillColor = look.Color(look.ColorText)
	for _, end := range r.loopEnds {
		end.FillColor = look.Color(look.ColorAccent)
		end.Refresh()
	}
	update(r.note, r.w.note, look.SizeSmall, fyne.TextStyle{}, look.ColorMuted)
	r.note.Alignment = fyne.TextAlignCenter
	for _, o := range []fyne.CanvasObject{r.ring, r.background, r.line, r.loop, r.note} {
		o.Refresh()
	}
	r.redraw()
	r.move()
	canvas.Refresh(r.w)
}

// paint draws the columns into width × height pixels.
func (r *waveformRenderer) paint(width, height int, ink color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	if r.w.columns == nil || r.size.Width <= 0 || width <= 0 || height <= 0 {
		return img
	}
	scale := float32(width) / r.size.Width
	columns := make([]Column, max(int(math.Ceil(float64(r.size.Width/columnPitch))), 1))
	r.w.columns(columns)
	thick := max(int(columnWidth*scale+0.5), 1)
	least := max(int(columnLeast*scale+0.5), 1)
	middle := float32(height) / 2
	for i, c := range columns {
		if !c.Known {
			continue
		}
		top := int(middle - clampSample(c.High)*middle + 0.5)
		bottom := int(middle - clampSample(c.Low)*middle + 0.5)
		if bottom-top < least {
			top = (top+bottom)/2 - least/2
			bottom = top + least
		}
		left := int(float32(i)*columnPitch*scale + 0.5)
		fillRect(img, image.Rect(left, top, left+thick, bottom), ink)
	}
	return img
}

func clampSample(v float32) float32 {
	if v != v {
		return 0
	}
	return min(max(v, -1), 1)
}

// fillRect sets the pixels of an area, as far as it lies in the picture.
func fillRect(img *image.NRGBA, area image.Rectangle, ink color.NRGBA) {
	area = area.Intersect(img.Rect)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		row := img.Pix[img.PixOffset(area.Min.X, y):img.PixOffset(area.Max.X, y)]
		for i := 0; i+3 < len(row); i += 4 {
			row[i], row[i+1], row[i+2], row[i+3] = ink.R, ink.G, ink.B, ink.A
		}
	}
}
