package picture

import (
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// divider is the line between photo and heatmap in the mode Swipe: dragged by its handle, or moved by left and right, Home and End.
type divider struct {
	kit.Control
	onDragged func(by float32)    // with the distance since the drag began
	onStepped func(parts float64) // with a share of the picture's width
	onRune    func(r rune)        //
	name      string              // for screen readers
	line      float32             // x of the line in the widget
	dragged   float32             // distance since the drag began
	begun     bool                // whether a drag is under way
}

var (
	_ fyne.Draggable  = (*divider)(nil)
	_ fyne.Accessible = (*divider)(nil)
)

const (
	dividerWidth  float32 = 36
	dividerHandle float32 = 26
	dividerStep           = 0.02
)

func newDivider() *divider {
	d := &divider{name: i18n.T("Divider between picture and heatmap")}
	d.ExtendBaseWidget(d)
	d.Hide()
	return d
}

// placeAt puts the line at x, with the widget around it as far as the stage has room.
func (d *divider) placeAt(x, top float32, stage fyne.Size) {
	left := min(max(x-dividerWidth/2, 0), max(0, stage.Width-dividerWidth))
	d.line = x - left
	d.Move(fyne.NewPos(left, top))
	d.Resize(fyne.NewSize(min(dividerWidth, stage.Width), stage.Height))
	d.Refresh()
}

// Dragged implements fyne.Draggable.
func (d *divider) Dragged(e *fyne.DragEvent) {
	if !d.begun {
		d.begun, d.dragged = true, 0
		d.onDragged(0)
	}
	d.dragged += e.Dragged.DX
	d.onDragged(d.dragged)
}

// DragEnd implements fyne.Draggable.
func (d *divider) DragEnd() { d.begun = false }

// TypedKey implements fyne.Focusable.
func (d *divider) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		d.onStepped(-dividerStep)
	case fyne.KeyRight:
		d.onStepped(dividerStep)
	case fyne.KeyHome:
		d.onStepped(-1)
	case fyne.KeyEnd:
		d.onStepped(1)
	default:
		kit.PassOnKey(d, e)
	}
}

// TypedRune implements fyne.Focusable.
func (d *divider) TypedRune(r rune) { d.onRune(r) }

// Cursor implements desktop.Cursorable.
func (d *divider) Cursor() desktop.Cursor { return desktop.HResizeCursor }

// AccessibilityLabel implements fyne.Accessible.
func (d *divider) AccessibilityLabel() string { return d.name }

// CreateRenderer implements fyne.Widget.
func (d *divider) CreateRenderer() fyne.WidgetRenderer {
	r := &dividerRenderer{divider: d}
	for _, o := range []**canvas.Rectangle{&r.shade, &r.line, &r.ring, &r.rim, &r.disc, &r.left, &r.right} {
		*o = canvas.NewRectangle(color.Transparent)
	}
	r.Refresh()
	return r
}

type dividerRenderer struct {
	divider                                   *divider
	shade, line, ring, rim, disc, left, right *canvas.Rectangle
}

func (r *dividerRenderer) Destroy() {}

func (r *dividerRenderer) MinSize() fyne.Size { return fyne.NewSize(dividerWidth, dividerHandle) }

func (r *dividerRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.shade, r.line, r.ring, r.rim, r.disc, r.left, r.right}
}

func (r *dividerRenderer) Layout(size fyne.Size) {
	put := func(o *canvas.Rectangle, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	}
	x := r.divider.line
	put(r.shade, x-2, 0, 4, size.Height)
	put(r.line, x-1, 0, 2, size.Height)
	middle := min(max(x, dividerHandle/2+4), max(size.Width-dividerHandle/2-4, dividerHandle/2+4)) // the handle stays within the picture
	y := size.Height / 2
	round := func(o *canvas.Rectangle, side float32) {
		o.CornerRadius = side / 2
		put(o, middle-side/2, y-side/2, side, side)
	}
	round(r.ring, dividerHandle+8)
	round(r.rim, dividerHandle+2)
	round(r.disc, dividerHandle)
	put(r.left, middle-4, y-5, 2, 10)
	put(r.right, middle+2, y-5, 2, 10)
}

func (r *dividerRenderer) Refresh() {
	d := r.divider
	r.shade.FillColor, r.rim.FillColor = labelFill, labelFill
	r.line.FillColor, r.disc.FillColor = labelInk, labelInk
	r.left.FillColor, r.right.FillColor = labelFill, labelFill
	r.ring.FillColor = labelInk
	kit.SetVisible(r.ring, d.Focused() || d.Hovered())
	if d.Focused() {
		r.ring.FillColor, r.rim.FillColor = look.Color(look.ColorAccent), labelInk
		r.disc.FillColor, r.left.FillColor, r.right.FillColor = labelFill, labelInk, labelInk
	}
	r.Layout(d.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
	canvas.Refresh(d)
}

// blinkEvery is how long photo and heatmap are shown in turns: far slower than flicker that can harm people.
const blinkEvery = time.Second

// blinker calls turn about once a second while it runs.
type blinker struct {
	after func(d time.Duration, do func()) (stop func())
	turn  func()
	stop  func() // nil while it does not run
}

// set starts or stops it.
func (b *blinker) set(running bool) {
	switch {
	case running && b.stop == nil:
		b.wait()
	case !running && b.stop != nil:
		b.stop()
		b.stop = nil
	}
}

func (b *blinker) wait() {
	b.stop = b.after(blinkEvery, func() {
		b.turn()
		if b.stop != nil {
			b.wait()
		}
	})
}
