package kit

import (
	"math"

	"assay/client/i18n"
	"assay/gui/look"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
)

// The words around the number: whose score it is, and its direction and meaning.
const (
	scoreOf      = "of 100 · ensemble"
	scoreLow     = "no indication"
	scoreHigh    = "strong indication"
	scoreMissing = "no score reported"
	scoreBrief   = "of 100"
	scoreNone    = "none" // the ends, where there is little room
	scoreStrong  = "strong"
)

// ScoreScale is the ensemble's score on the verdict card: the number in large, and its place between no and strong indication. A score that was not
// reported is a hatched track with words, never a zero. With OnTapped set, a click or Enter opens the field that the number came from.
type ScoreScale struct {
	Control
	// OnTapped shows the field that the number came from. If it is nil, the scale can't be clicked.
	OnTapped func()

	value *float64
	text  string
	slim  bool
	brief bool
	line  bool // the brief one is a single line
}

// NewScoreScale makes the scale. Value is 0..100, or nil if there is no score; text is the number as it is shown.
func NewScoreScale(value *float64, text string) *ScoreScale {
	s := &ScoreScale{value: value, text: text}
	s.ExtendBaseWidget(s)
	return s
}

// SetScore changes the score.
func (s *ScoreScale) SetScore(value *float64, text string) {
	s.value, s.text = value, text
	s.Refresh()
}

// SetSlim makes it lower and narrower, for a card with little room.
func (s *ScoreScale) SetSlim(slim bool) {
	if s.slim != slim {
		s.slim = slim
		s.Refresh()
	}
}

// SetBrief shows the number without its scale, if there is little width.
func (s *ScoreScale) SetBrief(brief bool) {
	if s.brief != brief {
		s.brief = brief
		s.Refresh()
	}
}

// SetLine shows the number without its scale in a single line, if there is little height.
func (s *ScoreScale) SetLine(line bool) {
	if s.line != line {
		s.line = line
		s.Refresh()
	}
}

// short reports whether the scale itself is not shown.
func (s *ScoreScale) short() bool { return s.brief || s.line }

// Tapped implements fyne.Tappable.
func (s *ScoreScale) Tapped(*fyne.PointEvent) {
	if s.OnTapped != nil {
		s.OnTapped()
	}
}

// Disabled reports whether it can't be clicked, so that the Tab key skips it.
func (s *ScoreScale) Disabled() bool { return s.OnTapped == nil }

// Enable implements fyne.Disableable; set OnTapped instead.
func (s *ScoreScale) Enable() {}

// Disable makes it unclickable.
func (s *ScoreScale) Disable() { s.OnTapped = nil }

// Cursor implements desktop.Cursorable.
func (s *ScoreScale) Cursor() desktop.Cursor {
	if s.OnTapped == nil {
		return desktop.DefaultCursor
	}
	return s.Control.Cursor()
}

// AccessibilityLabel implements fyne.Accessible.
func (s *ScoreScale) AccessibilityLabel() string {
	if s.value == nil {
		return i18n.T(scoreMissing)
	}
	return s.text + " " + i18n.T(scoreOf)
}

// AccessibilityRole implements fyne.Accessible.
func (s *ScoreScale) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

const (
	scoreTrackTop    float32 = 38
	scoreSlimTop     float32 = 31 // of the track of a slim one
	scoreSlimWidth   float32 = 104
	scoreTrackHeight float32 = 8
	scoreTickWidth   float32 = 3
	scoreTickHeight  float32 = 14
)

// CreateRenderer implements fyne.Widget.
func (s *ScoreScale) CreateRenderer() fyne.WidgetRenderer {
	background := newFrame(look.RadiusControl)
	number, of := canvas.NewText("", nil), canvas.NewText("", nil)
	low, high := canvas.NewText("", nil), canvas.NewText("", nil)
	high.Alignment = fyne.TextAlignTrailing
	track := &canvas.Rectangle{CornerRadius: scoreTrackHeight / 2}
	tick := &canvas.Rectangle{CornerRadius: scoreTickWidth / 2}
	hatch := look.NewHatch(scoreTrackHeight / 2)
	brief := func() float32 { return max(number.MinSize().Width, of.MinSize().Width) }
	layout := func(size fyne.Size) {
		background.place(-8, -6, size.Width+16, size.Height+12)
		PlaceAt(number, 0, 0, number.MinSize().Width, number.MinSize().Height)
		if s.brief && !s.line {
			y := float32(0)
			if !number.Hidden {
				y = number.MinSize().Height
			}
			PlaceAt(of, 0, y, of.MinSize().Width, of.MinSize().Height)
			return
		}
		x := float32(0)
		if !number.Hidden {
			x = number.MinSize().Width + 7
		}
		// On the number's baseline as nearly as the fonts' metrics allow: both have Inter's ascent of 0.97 em.
		below := (number.TextSize - of.TextSize) * 0.97
		if s.line && number.Hidden {
			below = 0
		}
		PlaceAt(of, x, below, of.MinSize().Width, of.MinSize().Height)
		if s.line {
			return
		}
		left, top := float32(0), scoreTrackTop
		if s.slim {
			left, top = 0, scoreSlimTop
		}
		width := size.Width - left
		PlaceAt(track, left, top, width, scoreTrackHeight)
		PlaceAt(hatch, left, top, width, scoreTrackHeight)
		PlaceAt(low, left, top+12, low.MinSize().Width, low.MinSize().Height)
		PlaceAt(high, size.Width-high.MinSize().Width, top+12, high.MinSize().Width, high.MinSize().Height)
		if s.value != nil {
			share := float32(math.Min(math.Max(*s.value, 0), 100) / 100)
			PlaceAt(tick, left+share*(width-scoreTickWidth), top+(scoreTrackHeight-scoreTickHeight)/2, scoreTickWidth, scoreTickHeight)
		}
	}
	refresh := func() {
		missing := s.value == nil
		size, ends := look.SizeScore, [2]i18n.Key{scoreLow, scoreHigh}
		if s.slim || s.line {
			size, ends = look.SizeVerdict, [2]i18n.Key{scoreNone, scoreStrong}
		}
		paintText(number, s.text, size, look.WeightBold, look.ColorText)
		if missing {
			paintText(of, i18n.T(scoreMissing), look.SizeText, look.WeightRegular, look.ColorText)
		} else {
			words := i18n.T(scoreOf)
			if s.short() || s.slim {
				words = i18n.T(scoreBrief)
			}
			paintText(of, words, look.SizeText, look.WeightRegular, look.ColorMuted)
		}
		paintText(low, i18n.T(ends[0]), look.SizeCaption, look.WeightRegular, look.ColorMuted)
		paintText(high, i18n.T(ends[1]), look.SizeCaption, look.WeightRegular, look.ColorMuted)
		number.Hidden, tick.Hidden, hatch.Hidden, track.Hidden = missing, missing || s.short(), !missing || s.short(), s.short()
		low.Hidden, high.Hidden = missing || s.short(), missing || s.short()
		track.FillColor, tick.FillColor = look.Color(look.ColorTrack), look.Color(look.ColorText)
		switch {
		case s.ring():
			background.paint(look.ColorSurface, look.ColorAccent, 2)
		case s.hovered && s.OnTapped != nil:
			background.paint(look.ColorHover, "", 0)
		default:
			background.paint("", "", 0)
		}
		for _, o := range []fyne.CanvasObject{track, tick, hatch} {
			o.Refresh()
		}
		layout(s.Size())
		canvas.Refresh(s)
	}
	refresh()
	return &renderer{
		objects: append(background.objects(), number, of, track, hatch, tick, low, high),
		layout:  layout,
		minSize: func() fyne.Size {
			above := of.MinSize().Width
			if !number.Hidden {
				above += number.MinSize().Width + 7
			}
			if s.line {
				return fyne.NewSize(above, max(number.MinSize().Height, of.MinSize().Height))
			}
			if s.brief {
				high := of.MinSize().Height
				if !number.Hidden {
					high += number.MinSize().Height
				}
				return fyne.NewSize(brief(), high)
			}
			words := low.MinSize().Width + high.MinSize().Width + 16
			if s.slim {
				return fyne.NewSize(max(words, above, scoreSlimWidth), scoreSlimTop+12+low.MinSize().Height)
			}
			return fyne.NewSize(max(words, 210), scoreTrackTop+12+low.MinSize().Height)
		},
		refresh: refresh,
	}
}
