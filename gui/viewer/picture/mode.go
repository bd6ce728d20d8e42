package picture

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

var modeNames = []string{"Original", "Overlay", "Swipe", "Blink", "Side by side"}

// String is the mode's name on screen.
func (m Mode) String() string {
	if m < 0 || int(m) >= len(modeNames) {
		return ""
	}
	return modeNames[m]
}

// lays reports whether the heatmap lies over the photo, so that both must have one shape.
func (m Mode) lays() bool { return m == Overlay || m == Swipe || m == Blink }
