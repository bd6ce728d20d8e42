package picture

import "assay/client/i18n"

// Mode is how photo and heatmap stand to each other.
type Mode int

// The modes, in the order in which they are offered.
const (
	Original   Mode = iota // the photo alone
	Overlay                // the heatmap over the photo
	Swipe                  // the photo at the left of a divider, the heatmap over it at the right
	Blink                  // the photo, and the heatmap over it, by turns
	SideBySide             // the photo at the left, the heatmap at the right
)

var modeKeys = []i18n.Key{"Original", "Overlay", "Swipe", "Blink", "Side by side"}

// String is the mode's name on screen.
func (m Mode) String() string {
	if m < 0 || int(m) >= len(modeKeys) {
		return ""
	}
	return i18n.T(modeKeys[m])
}

// modeNames are those of all modes.
func modeNames() []string {
	names := make([]string, len(modeKeys))
	for i := range modeKeys {
		names[i] = Mode(i).String()
	}
	return names
}

// lays reports whether the heatmap lies over the photo, so that both must have one shape.
func (m Mode) lays() bool { return m == Overlay || m == Swipe || m == Blink }
