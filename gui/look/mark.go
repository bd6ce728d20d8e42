package look

import "fyne.io/fyne/v2"

// Mark is the shape that stands beside a result's word. Its values are those that gui/present uses.
type Mark string

// The marks of design.md §5.6. Their shapes differ, so that none depends on its colour.
const (
	MarkNone          Mark = ""
	MarkFake          Mark = "fake"           // octagon with an exclamation mark
	MarkSuspicious    Mark = "suspicious"     // triangle with an exclamation mark
	MarkAuthentic     Mark = "authentic"      // dashed circle
	MarkNotAssessable Mark = "not-assessable" // slashed square
	MarkFailed        Mark = "failed"         // broken circle
	MarkAnalysing     Mark = "analysing"      // hourglass
)

// Marks lists those that have a shape.
func Marks() []Mark {
	return []Mark{MarkFake, MarkSuspicious, MarkAuthentic, MarkNotAssessable, MarkFailed, MarkAnalysing}
}

type markLook struct{ color, soft fyne.ThemeColorName }

var markLooks = map[Mark]markLook{
	MarkFake:          {ColorFake, ColorFakeSoft},
	MarkSuspicious:    {ColorSuspicious, ColorSuspiciousSoft},
	MarkAuthentic:     {ColorAuthentic, ColorAuthenticSoft},
	MarkNotAssessable: {ColorNeutral, ColorNeutralSoft},
	MarkFailed:        {ColorNeutral, ColorNeutralSoft},
	// Unfinished bears no verdict's colour: the accent is progress.
	MarkAnalysing: {ColorAccent, ColorNeutralSoft},
}

// MarkResource returns the mark's drawing in its own colour, following the theme; nil for MarkNone and for a mark unknown here.
func MarkResource(m Mark) fyne.Resource {
	l, ok := markLooks[m]
	if !ok {
		return nil
	}
	return drawing{file: "marks/" + string(m) + ".svg", color: l.color}
}

// MarkColor returns the token of the mark itself; neutral for MarkNone and for a mark unknown here.
func MarkColor(m Mark) fyne.ThemeColorName {
	if l, ok := markLooks[m]; ok {
		return l.color
	}
	return ColorNeutral
}

// MarkSoftColor returns the token of the fill behind the mark, as on the verdict card.
func MarkSoftColor(m Mark) fyne.ThemeColorName {
	if l, ok := markLooks[m]; ok {
		return l.soft
	}
	return ColorNeutralSoft
}
