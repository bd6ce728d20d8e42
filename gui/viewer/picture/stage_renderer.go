package picture

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"assay/gui/kit"
	"assay/gui/look"
)

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
	objects := []fyne.CanvasObject{s.ground, s.lower.clip, s.twin.clip, s.plate, s.upper.clip, s.repaint, s.boxes.room}
	for _, l := range []*label{s.leftName, s.rightName, s.words, s.status, s.caption} {
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
