package look

import (
	"unicode"

	"fyne.io/fyne/v2"
)

// Ruler knows how wide characters are in one style, each of which is measured once. Adding them up is a hundred times faster than having
// whole texts shaped; where letters join, it finds them a little too wide. It belongs to the UI thread.
type Ruler struct {
	style fyne.TextStyle
	ascii [128]float32 // at size 1; 0: not measured yet
	other map[rune]float32
}

// ruledAt is a size of type at which rounding does not matter.
const ruledAt float32 = 64

var rulers = map[rulerOf]*Ruler{}

type rulerOf struct {
	font  fyne.Resource // of the theme
	style fyne.TextStyle
}

// RulerOf is the ruler of a style, one for all who ask.
func RulerOf(style fyne.TextStyle) *Ruler {
	of := rulerOf{fyne.CurrentApp().Settings().Theme().Font(style), style}
	r := rulers[of]
	if r == nil {
		r = &Ruler{style: style, other: map[rune]float32{}}
		rulers[of] = r
	}
	return r
}

// Width is a character's, in parts of the type's size.
func (r *Ruler) Width(c rune) float32 {
	if c >= 0 && c < rune(len(r.ascii)) {
		if r.ascii[c] == 0 {
			r.ascii[c] = r.measure(c)
		}
		return r.ascii[c]
	}
	if IsMark(c) {
		return 0
	}
	width, known := r.other[c]
	if !known {
		width = r.measure(c)
		r.other[c] = width
	}
	return width
}

func (r *Ruler) measure(c rune) float32 { return Measure(string(c), ruledAt, r.style).Width / ruledAt }

// IsMark tells the characters that stand on the one before them, and have no width of their own.
func IsMark(c rune) bool { return unicode.In(c, unicode.Mn, unicode.Me) }
