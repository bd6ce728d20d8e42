package picture

import (
	"context"
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"assay/client/i18n"
	"assay/client/media/picture"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
	"assay/gui/work"
)

// stage is the area that shows the picture: a photo and a heatmap as two layers, boxes, a divider and texts over them. Changing the opacity redraws
// no pixels, since the graphics card applies the upper image's translucency.
type stage struct {
	widget.BaseWidget
	workers *work.Workers
	// onRune handles a character, and reports whether it used it.
	onRune func(r rune) bool
	// onZoomed is called when the zoom may have changed.
	onZoomed func()
	// onMoved is called when the person has moved or zoomed the picture.
	onMoved func()
	// needFull is called when the fitted picture has too few pixels for the zoom.
	needFull func()
	// onPressed is called on Space and on clicks outside the boxes.
	onPressed func()
	// onDrawn is called when what is drawn may have changed.
	onDrawn func()
	// onPointer is called when the pointer moves over the picture, and with false when it leaves it.
	onPointer func(inside bool)

	photo   *picture.Picture
	near    *picture.Full // the photo's fitted pixels
	full    *picture.Full // all of its pixels, nil until a zoom needs them
	blurred *picture.Full // nil until a preview needs it
	heatmap *picture.Full
	turn    int // the heatmap's orientation
	// earlier is another heatmap, shown where else the photo alone is: left of the divider, in turns, at the left. nil: the photo alone is.
	earlier     *picture.Full
	earlierTurn int
	sides       [2]string // what is at the left and at the right, where that is not the photo and its heatmap

	mode    Mode
	opacity float64 // 0..1
	preview present.Preview
	look    hold
	camera  camera
	divide  float64 // where the divider is, as a share of the visible picture
	still   bool    // whether the photo is shown now, in the mode Blink
	grabbed float64 // where the divider was when the drag began

	rendering    bool
	cancelRender context.CancelFunc
	cancelBlur   context.CancelFunc

	headroom            float32 // above the words on the picture, for what else lies over it
	name                string  // for screen readers
	size                fyne.Size
	focused             bool
	ground, repaint     *canvas.Rectangle
	ring                *canvas.Rectangle
	lower, upper        *layer
	before              *layer            // the earlier heatmap
	twin                *layer            // the photo below the heatmap, side by side
	plate, beforePlate  *canvas.Rectangle // below a heatmap that is shown alone: grey with alpha is invisible on a light background
	boxes               *boxMarks
	divider             *divider
	status, words       *label
	leftName, rightName *label
}

const gapBetween = 2 * look.Space

func newStage(w *work.Workers) *stage {
	s := &stage{
		workers: w, opacity: 1, camera: fitted, divide: 0.5,
		onRune: func(rune) bool { return false }, onZoomed: func() {}, onMoved: func() {}, needFull: func() {}, onPressed: func() {}, onPointer: func(bool) {}, onDrawn: func() {},
		cancelRender: func() {}, cancelBlur: func() {},
		ground: canvas.NewRectangle(color.Transparent), repaint: canvas.NewRectangle(color.Transparent), ring: canvas.NewRectangle(color.Transparent),
		lower: newLayer(), upper: newLayer(), before: newLayer(), twin: newLayer(),
		plate: canvas.NewRectangle(plateFill), beforePlate: canvas.NewRectangle(plateFill), boxes: newBoxMarks(), divider: newDivider(),
		status: newLabel(), words: newLabel(), leftName: newLabel(), rightName: newLabel(),
	}
	s.ground.CornerRadius, s.ring.CornerRadius = look.RadiusCard, look.RadiusControl
	s.ring.StrokeWidth = 2
	s.boxes.onChosen = s.arrange
	s.divider.onRune = s.TypedRune
	s.divider.onStepped = func(parts float64) { s.setDivide(s.divide + parts) }
	s.divider.onDragged = func(by float32) {
		if by == 0 {
			s.grabbed = s.divide
		}
		v, _ := s.views()
		if seen := s.place(v).within(v.frame()); seen.width > 0 {
			s.setDivide(s.grabbed + float64(by*v.scale)/seen.width)
		}
	}
	s.ExtendBaseWidget(s)
	return s
}

// setPhoto shows another photo, nil for none, and drops the heatmap and the boxes.
func (s *stage) setPhoto(photo *decoded) {
	s.cancelRender()
	s.cancelBlur()
	s.rendering = false
	s.photo, s.near, s.full, s.blurred, s.heatmap, s.earlier = nil, nil, nil, nil, nil, nil
	s.lower.clear()
	if photo != nil {
		s.photo, s.near = photo.Picture, photo.near
		if photo.pixels != nil {
			s.lower.set(photo.pixels, photo.drawn)
		}
	}
	s.camera, s.divide, s.still = fitted, 0.5, false
	s.twin.clear()
	s.upper.clear()
	s.before.clear()
	s.plate.Hide()
	s.beforePlate.Hide()
	s.boxes.set(nil)
	s.arrange()
}

// setHeatmap sets the heatmap for the photo shown, nil for none.
func (s *stage) setHeatmap(h *picture.Full) {
	s.heatmap, s.turn = h, s.turnOf(h)
	s.upper.clear()
	s.arrange()
}

func (s *stage) turnOf(h *picture.Full) int {
	if h == nil || s.photo == nil {
		return 1
	}
	return picture.LayerOrientation(s.photo, h.Size())
}

// setFull sets all of the photo's pixels.
func (s *stage) setFull(full *picture.Full) {
	s.full = full
	s.arrange()
}

func (s *stage) setMode(m Mode) {
	s.mode, s.still = m, false
	s.arrange()
}

// setOpacity sets the heatmap's opacity, 0 (the photo as it is) to 1 (the heatmap as sent).
func (s *stage) setOpacity(o float64) {
	s.opacity = o
	s.applyOpacity()
	canvas.Refresh(s.repaint)
}

// setStill shows either the photo alone or the heatmap over it, in the mode Blink.
func (s *stage) setStill(still bool) {
	s.still = still
	s.applyOpacity()
	if s.sides != [2]string{} {
		s.write()
	}
	canvas.Refresh(s.repaint)
}

func (s *stage) applyOpacity() {
	switch {
	case s.alone():
		s.upper.image.Translucency = 0
	case s.mode == Blink && s.still:
		s.upper.image.Translucency = 1
	default:
		s.upper.image.Translucency = 1 - s.opacity
	}
	switch {
	case s.earlierAlone():
		s.before.image.Translucency = 0
	case s.mode == Blink && !s.still:
		s.before.image.Translucency = 1
	default:
		s.before.image.Translucency = 1 - s.opacity
	}
}

// setPreview changes how disturbing material is shown. Pixels of another preview are removed at once.
func (s *stage) setPreview(p present.Preview) {
	s.preview = p
	s.arrange()
}

// setDivide moves the divider to a share of the visible picture: at 0 the heatmap covers all of it, at 1 nothing.
func (s *stage) setDivide(at float64) {
	s.divide = min(max(at, 0), 1)
	s.arrange()
}

// setCamera shows another part.
func (s *stage) setCamera(c camera) {
	s.camera = c
	s.arrange()
	s.onZoomed()
	s.onMoved()
}

// differs reports whether the heatmap has another shape than the photo, so that it can't be laid over it.
func (s *stage) differs() bool {
	return s.heatmap != nil && s.photo != nil && picture.AspectDiffers(s.photo.Source, s.heatSize())
}

// alone reports whether the heatmap is shown without the photo below it, since their shapes differ.
func (s *stage) alone() bool { return s.mode == SideBySide && s.differs() }

// heatSize is the upright size of the heatmap in pixels.
func (s *stage) heatSize() image.Point { return picture.Upright(s.heatmap.Size(), s.turn) }

// all is the frame of a photo that has the stage for itself.
func (s *stage) all() view {
	scale := float32(1)
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		scale = c.Scale()
	}
	return view{size: s.size, scale: scale}
}

// views returns the frames of the photo and, side by side, of the heatmap.
func (s *stage) views() (photo, heatmap view) {
	photo = s.all()
	if s.mode != SideBySide {
		return photo, photo
	}
	// Both begin at whole pixels of the screen, otherwise the same part would be drawn differently in each.
	whole := func(length float32) float32 { return float32(math.Floor(float64(length*photo.scale))) / photo.scale }
	photo.size.Width = max(1, whole((s.size.Width-gapBetween)/2))
	heatmap = photo
	heatmap.left = whole(s.size.Width - photo.size.Width)
	return photo, heatmap
}

// place returns where the photo is in its frame.
func (s *stage) place(v view) placed {
	return s.camera.place(s.photo.Source, s.photo.Source, v.frame())
}

// heatPlace returns where the heatmap is in its frame: as the photo is in its own, unless their shapes differ.
func (s *stage) heatPlace(v view) placed {
	if s.differs() {
		return s.camera.place(s.heatSize(), s.photo.Source, v.frame())
	}
	return s.place(v)
}

// arrange places everything, and requests pixels that are missing.
func (s *stage) arrange() {
	s.applyOpacity()
	s.ground.Resize(s.size)
	s.ring.Move(fyne.NewPos(1, 1))
	s.ring.Resize(s.size.SubtractWidthHeight(2, 2))
	s.repaint.Resize(fyne.NewSize(1, 1))
	if s.photo == nil || s.size.Width < 1 || s.size.Height < 1 {
		s.divider.Hide()
		s.boxes.hide()
		s.write()
		return
	}
	v, hv := s.views()
	s.camera = s.camera.settled(s.photo.Source, v.frame())
	whole := s.place(v)
	s.lower.place(v, whole, 0, s.lower.drawn.preview == s.preview && !s.earlierAlone())
	s.placeTwin(hv, whole)
	from := 0.0
	if s.mode == Swipe {
		seen := whole.within(v.frame())
		from = seen.left + s.divide*seen.width
	}
	s.placeEarlier(v, from)
	s.upper.place(hv, s.heatPlace(hv), from, s.coveredAlike(s.upper) && s.mode != Original && s.heatmap != nil && (s.mode == SideBySide || !s.differs()) && (s.mode != Swipe || s.divide < 1))
	kit.SetVisible(s.divider, s.mode == Swipe && (s.upper.image.Image != nil || s.before.image.Image != nil))
	s.divider.placeAt(v.point(spot{from, 0}).X, 0, s.size)
	s.boxes.place(v, whole)
	s.write()
	s.onDrawn()
	s.render()
}

// showsHeatmap reports whether the pixels of a heatmap are there, covered where the photo is to be.
func (s *stage) showsHeatmap() bool {
	drawn := func(l *layer, h *picture.Full) bool {
		return h != nil && l.image.Image != nil && l.drawn.of == h && s.coveredAlike(l)
	}
	return s.mode != Original && (drawn(s.upper, s.heatmap) || drawn(s.before, s.earlier))
}

// coveredAlike reports whether a heatmap's pixels are covered where the photo is to be.
func (s *stage) coveredAlike(l *layer) bool {
	return s.preview != present.PreviewBlurred || l.drawn.blur > 0
}

// placePlate puts a plate below a heatmap that is shown alone.
func (s *stage) placePlate(plate *canvas.Rectangle, v view, whole placed) {
	seen := whole.within(v.frame())
	plate.Move(v.point(spot{seen.left, seen.top}))
	plate.Resize(fyne.NewSize(float32(seen.width)/v.scale, float32(seen.height)/v.scale))
}

// placeTwin shows the photo's pixels below the heatmap too, side by side.
func (s *stage) placeTwin(v view, whole placed) {
	beside := s.mode == SideBySide && !s.differs() && (s.heatmap != nil || s.earlier != nil)
	switch {
	case !beside:
		s.twin.clear()
	case s.twin.image.Image != s.lower.image.Image:
		s.twin.image.Image, s.twin.drawn = s.lower.image.Image, s.lower.drawn
		s.twin.image.Refresh()
	}
	s.twin.place(v, whole, 0, beside && s.twin.drawn.preview == s.preview)
	kit.SetVisible(s.plate, s.alone())
	if s.alone() {
		s.placePlate(s.plate, v, s.heatPlace(v))
	}
}

// AccessibilityLabel implements fyne.Accessible.
func (s *stage) AccessibilityLabel() string { return s.name }

// AccessibilityRole implements fyne.Accessible.
func (s *stage) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer implements fyne.Widget.
func (s *stage) CreateRenderer() fyne.WidgetRenderer {
	r := &stageRenderer{stage: s}
	r.Refresh()
	return r
}

type stageRenderer struct{ stage *stage }

func (r *stageRenderer) Destroy() {}

func (r *stageRenderer) Layout(size fyne.Size) {
	if size == r.stage.size {
		return
	}
	r.stage.size = size
	r.stage.arrange()
	r.stage.onZoomed()
}

func (r *stageRenderer) MinSize() fyne.Size { return fyne.NewSize(160, 120) }

func (r *stageRenderer) Objects() []fyne.CanvasObject {
	s := r.stage
	objects := []fyne.CanvasObject{s.ground, s.lower.clip, s.twin.clip, s.plate, s.beforePlate, s.before.clip, s.upper.clip, s.repaint, s.boxes.room}
	for _, l := range []*label{s.leftName, s.rightName, s.words, s.status} {
		objects = append(objects, l.objects()...)
	}
	return append(objects, s.divider, s.ring)
}

func (r *stageRenderer) Refresh() {
	s := r.stage
	s.ground.FillColor = look.Color(look.ColorSunk)
	s.ring.StrokeColor = look.Color(look.ColorAccent)
	kit.SetVisible(s.ring, s.focused)
	s.ground.Refresh()
	s.ring.Refresh()
	s.divider.Refresh()
	s.write()
	canvas.Refresh(s.repaint)
}

// write updates the texts on the picture.
func (s *stage) write() {
	s.leftName.lines, s.rightName.lines = nil, nil
	if s.photo != nil && s.sides != [2]string{} {
		s.nameSides()
	} else if s.photo != nil && s.heatmap != nil && (s.mode == Swipe || s.mode == SideBySide) {
		s.leftName.lines, s.rightName.lines = []string{i18n.T("Picture")}, []string{i18n.T("With heatmap")}
		if s.alone() {
			s.rightName.lines = []string{i18n.T("Heatmap")}
		}
	}
	v, hv := view{size: s.size}, view{size: s.size}
	if s.size.Width > 0 {
		v, hv = s.views()
	}
	s.words.lines = s.boxes.words()
	if len(s.words.lines) > 0 {
		s.leftName.lines = nil // the box's words replace it
	}
	s.leftName.place(fyne.NewPos(0, s.headroom), v.size, corner{0, 0})
	s.words.place(fyne.NewPos(0, s.headroom), s.size, corner{0, 0})
	s.rightName.place(fyne.NewPos(hv.left, s.headroom), hv.size, corner{1, 0})
	s.status.place(fyne.NewPos(0, 0), s.size, corner{0.5, 0.5})
	canvas.Refresh(s.repaint)
}

// setStatus shows in the middle what is loading; "" for nothing.
func (s *stage) setStatus(text string) {
	s.status.lines = oneLine(text)
	s.write()
}

// oneLine returns the lines of a label with one text, none if it is empty.
func oneLine(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
