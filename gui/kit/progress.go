package kit

import (
	"time"

	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// Progress is a thin line that fills from 0 to 1 or, while the amount is unknown, a piece that runs along it. The piece does not move where motion is
// reduced.
type Progress struct {
	widget.BaseWidget
	value   float64
	unknown bool
	// run is how far the piece has run, 0..1. The animation, which the renderer owns, changes it.
	run       float32
	animation *fyne.Animation
}

// NewProgress makes an empty line.
func NewProgress() *Progress {
	p := &Progress{}
	p.ExtendBaseWidget(p)
	return p
}

// SetValue shows the amount done, clamped to 0..1.
func (p *Progress) SetValue(value float64) {
	value = min(max(value, 0), 1)
	if p.value == value && !p.unknown {
		return
	}
	p.value, p.unknown = value, false
	p.Refresh()
}

// SetUnknown shows that work is under way, of which the amount is unknown.
func (p *Progress) SetUnknown() {
	if p.unknown {
		return
	}
	p.unknown = true
	p.Refresh()
}

// Hide implements fyne.CanvasObject. It also stops the animation.
func (p *Progress) Hide() {
	p.BaseWidget.Hide()
	p.stop()
}

// Show implements fyne.CanvasObject.
func (p *Progress) Show() {
	p.BaseWidget.Show()
	p.Refresh()
}

func (p *Progress) stop() {
	if p.animation != nil {
		p.animation.Stop()
		p.animation = nil
	}
}

const (
	progressHeight float32 = 4
	progressPiece  float32 = 0.3 // as a share of the line
	progressCycle          = 1600 * time.Millisecond
)

// CreateRenderer implements fyne.Widget.
func (p *Progress) CreateRenderer() fyne.WidgetRenderer {
	track, done := &canvas.Rectangle{CornerRadius: progressHeight / 2}, &canvas.Rectangle{CornerRadius: progressHeight / 2}
	layout := func(size fyne.Size) {
		top := (size.Height - progressHeight) / 2
		PlaceAt(track, 0, top, size.Width, progressHeight)
		from, to := float32(0), float32(p.value)
		if p.unknown {
			head := p.run * (1 + progressPiece)
			from, to = max(head-progressPiece, 0), min(head, 1)
		}
		track.Hidden, done.Hidden = size.Width <= 0, (to-from)*size.Width <= 0 // a rectangle without width would leave a line
		PlaceAt(done, from*size.Width, top, (to-from)*size.Width, progressHeight)
	}
	refresh := func() {
		track.FillColor, done.FillColor = look.Color(look.ColorTrack), look.Color(look.ColorAccent)
		switch {
		case !p.unknown || !p.Visible():
			p.stop()
		case p.animation == nil && Moves():
			p.animation = fyne.NewAnimation(progressCycle, func(f float32) {
				p.run = f
				layout(p.Size())
				canvas.Refresh(p)
			})
			p.animation.Curve, p.animation.RepeatCount = fyne.AnimationLinear, fyne.AnimationRepeatForever
			p.animation.Start()
		case p.animation == nil:
			p.run = 0.5
		}
		layout(p.Size())
		track.Refresh()
		done.Refresh()
		canvas.Refresh(p)
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{track, done},
		layout:  layout,
		minSize: func() fyne.Size { return fyne.NewSize(40, progressHeight) },
		refresh: refresh,
		destroy: p.stop,
	}
}
