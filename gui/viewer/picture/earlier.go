package picture

import (
	"assay/client/media/picture"
	"assay/gui/kit"
)

// setEarlier sets the heatmap that is compared with the other one, nil for none.
func (s *stage) setEarlier(h *picture.Full) {
	s.earlier, s.earlierTurn = h, s.turnOf(h)
	s.before.clear()
	s.arrange()
}

// earlierDiffers reports whether the earlier heatmap has another shape than the photo, so that it can't be laid over it.
func (s *stage) earlierDiffers() bool {
	return s.earlier != nil && s.photo != nil && picture.AspectDiffers(s.photo.Source, picture.Upright(s.earlier.Size(), s.earlierTurn))
}

// earlierAlone reports whether it is shown without the photo below it, for that reason.
func (s *stage) earlierAlone() bool { return s.mode == SideBySide && s.earlierDiffers() }

// earlierPlace returns where it is in its frame: as the photo is in its own, unless their shapes differ.
func (s *stage) earlierPlace(v view) placed {
	if s.earlierDiffers() {
		return s.camera.place(picture.Upright(s.earlier.Size(), s.earlierTurn), s.photo.Source, v.frame())
	}
	return s.place(v)
}

// placeEarlier shows the earlier heatmap where it is compared with the other one; in the mode Swipe it ends at the divider.
func (s *stage) placeEarlier(v view, divider float64) {
	kit.SetVisible(s.beforePlate, s.earlierAlone())
	if s.earlier == nil {
		s.before.clip.Hide()
		return
	}
	whole := s.earlierPlace(v)
	if s.earlierAlone() {
		s.placePlate(s.beforePlate, v, whole)
	}
	visible := s.comparesEarlier()
	if s.mode == Swipe {
		visible = visible && s.divide > 0
		v.size.Width = float32(divider) / v.scale // the photo's frame begins at the left edge
	}
	s.before.place(v, whole, 0, visible)
}

// comparesEarlier reports whether the mode has room for the earlier heatmap; those that lay it over the photo have not if its shape is another.
func (s *stage) comparesEarlier() bool {
	return s.earlier != nil && (s.mode == SideBySide || (s.mode == Swipe || s.mode == Blink) && !s.earlierDiffers())
}

// nameSides says which of two answers is at which side, and in the mode Blink which of them is shown.
func (s *stage) nameSides() {
	if s.mode == Blink {
		s.leftName.lines = oneLine(s.sides[1])
		if s.still {
			s.leftName.lines = oneLine(s.sides[0])
		}
		return
	}
	s.leftName.lines, s.rightName.lines = oneLine(s.sides[0]), oneLine(s.sides[1])
}
