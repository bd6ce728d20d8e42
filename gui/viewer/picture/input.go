package picture

import (
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/gui/kit"
	"assay/gui/present"
)

var (
	_ fyne.Focusable    = (*stage)(nil)
	_ fyne.Tappable     = (*stage)(nil)
	_ fyne.Draggable    = (*stage)(nil)
	_ fyne.Scrollable   = (*stage)(nil)
	_ desktop.Hoverable = (*stage)(nil)
	_ desktop.Mouseable = (*stage)(nil)
	_ fyne.Accessible   = (*stage)(nil)
)

// viewAt returns the frame at a position of the stage.
func (s *stage) viewAt(at fyne.Position) view {
	v, hv := s.views()
	if s.mode == SideBySide && at.X >= hv.left {
		return hv
	}
	return v
}

// Most systems report 25 for a notch of the wheel.
const (
	notch      = 25
	perNotch   = 1.25
	mostAtOnce = 4 // a wheel that is turned fast is reported as hundreds
)

// Scrolled implements fyne.Scrollable: the wheel zooms at the pointer.
func (s *stage) Scrolled(e *fyne.ScrollEvent) {
	if s.photo == nil || e.Scrolled.DY == 0 {
		return
	}
	v := s.viewAt(e.Position)
	factor := min(max(math.Pow(perNotch, float64(e.Scrolled.DY)/notch), 1.0/mostAtOnce), mostAtOnce)
	s.zoomTo(s.camera.actual(s.photo.Source, v.frame())*factor, v.spot(e.Position))
}

// zoomTo zooms around a position of the frame. At the zoom that just fits, the picture becomes fitted and follows the window.
func (s *stage) zoomTo(zoom float64, at spot) {
	v, _ := s.views()
	frame, source := v.frame(), s.photo.Source
	c := s.camera.zoomedTo(zoom, at, source, frame)
	if math.Abs(c.zoom/fitZoom(source, frame)-1) < 0.005 {
		c = fitted
	}
	s.setCamera(c)
}

// zoomStep zooms by a step around the middle.
func (s *stage) zoomStep(in bool) {
	if s.photo == nil {
		return
	}
	v, _ := s.views()
	frame := v.frame()
	zoom, fits := s.camera.stepped(in, s.photo.Source, frame)
	if fits {
		s.setCamera(fitted)
		return
	}
	s.zoomTo(zoom, spot{frame.X / 2, frame.Y / 2})
}

// zoom sets a zoom around the middle, 0 for fitted.
func (s *stage) zoom(zoom float64) {
	if s.photo == nil {
		return
	}
	if zoom == 0 {
		s.setCamera(fitted)
		return
	}
	v, _ := s.views()
	s.zoomTo(zoom, spot{v.frame().X / 2, v.frame().Y / 2})
}

// roams reports whether the picture can be panned.
func (s *stage) roams() bool {
	if s.photo == nil {
		return false
	}
	v, _ := s.views()
	return s.camera.roams(s.photo.Source, v.frame())
}

// pan moves the picture by screen pixels.
func (s *stage) pan(by spot) {
	if !s.roams() {
		return
	}
	v, _ := s.views()
	s.setCamera(s.camera.panned(by, s.photo.Source, v.frame()))
}

// Dragged implements fyne.Draggable: the picture follows the pointer.
func (s *stage) Dragged(e *fyne.DragEvent) {
	v, _ := s.views()
	s.pan(spot{float64(e.Dragged.DX * v.scale), float64(e.Dragged.DY * v.scale)})
}

// DragEnd implements fyne.Draggable.
func (s *stage) DragEnd() { s.look.up() }

// MouseDown implements desktop.Mouseable.
func (s *stage) MouseDown(e *desktop.MouseEvent) {
	if e.Button == desktop.MouseButtonPrimary && s.preview == present.PreviewBlurred {
		s.look.down()
	}
}

// MouseUp implements desktop.Mouseable.
func (s *stage) MouseUp(*desktop.MouseEvent) { s.look.up() }

// holdAfter is how long the button is down at least until letting it go covers the picture again.
const holdAfter = time.Second / 2

// hold uncovers a covered picture while the mouse button is held on it. After a click it stays uncovered.
type hold struct {
	after          func(d time.Duration, do func()) (stop func())
	uncover, cover func()
	stop           func()
	pressed, held  bool
	took           bool // the click that follows was for this alone
}

func (h *hold) down() {
	h.pressed, h.held, h.took = true, false, true
	h.stop = h.after(holdAfter, func() { h.held = true })
	h.uncover()
}

// up is called when the button is let go, or the pointer leaves: more than once, perhaps.
func (h *hold) up() {
	if !h.pressed {
		return
	}
	h.pressed = false
	if h.held {
		h.cover()
	} else {
		h.stop()
	}
}

// taken reports, once, whether a click was for this.
func (h *hold) taken() bool {
	took := h.took
	h.took = false
	return took
}

// Tapped implements fyne.Tappable: it chooses the box at the pointer.
func (s *stage) Tapped(e *fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s); c != nil {
		c.Focus(s)
	}
	if s.look.taken() || s.photo == nil {
		return
	}
	v := s.viewAt(e.Position)
	if !s.boxes.chooseAt(v.spot(e.Position)) {
		s.onPressed()
	}
}

// typedKey reports whether it uses a key: arrows pan if the picture is larger than its frame, Enter goes through the boxes.
func (s *stage) typedKey(e *fyne.KeyEvent) bool {
	if s.photo == nil {
		return false
	}
	v, _ := s.views()
	x, y := v.frame().X/8, v.frame().Y/8
	by := map[fyne.KeyName]spot{fyne.KeyLeft: {x, 0}, fyne.KeyRight: {-x, 0}, fyne.KeyUp: {0, y}, fyne.KeyDown: {0, -y}}
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyRight, fyne.KeyUp, fyne.KeyDown:
		if !s.roams() {
			return false
		}
		s.pan(by[e.Name])
		return true
	case fyne.KeyReturn, fyne.KeyEnter:
		return s.boxes.next()
	case fyne.KeySpace:
		s.onPressed()
		return s.mode == Blink
	}
	return false
}

// TypedKey implements fyne.Focusable.
func (s *stage) TypedKey(e *fyne.KeyEvent) {
	if !s.typedKey(e) {
		kit.PassOnKey(s, e)
	}
}

// TypedRune implements fyne.Focusable.
func (s *stage) TypedRune(r rune) {
	if !s.onRune(r) {
		kit.PassOn(s, r)
	}
}

// FocusGained implements fyne.Focusable.
func (s *stage) FocusGained() { s.focused = true; s.Refresh() }

// FocusLost implements fyne.Focusable.
func (s *stage) FocusLost() { s.focused = false; s.Refresh() }

// MouseIn implements desktop.Hoverable.
func (s *stage) MouseIn(e *desktop.MouseEvent) { s.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable: the box under the pointer shows its words.
func (s *stage) MouseMoved(e *desktop.MouseEvent) {
	s.onPointer(true)
	if s.photo != nil {
		s.boxes.hover(s.viewAt(e.Position).spot(e.Position))
	}
}

// MouseOut implements desktop.Hoverable.
func (s *stage) MouseOut() {
	s.look.up()
	s.onPointer(false)
	s.boxes.hoverNone()
}
