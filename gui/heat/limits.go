package heat

// LongestSide is the most pixels that a side of a decoded picture ever has: larger textures fail on some graphics cards.
const LongestSide = 4096

// Limits says how much a picture may ask for before it is refused, and how large the result may be.
// A field that is zero takes its value from DefaultLimits.
type Limits struct {
	// MaxPixels is width times height as the header claims it, checked before a pixel is decoded.
	MaxPixels int
	// MaxBytes is the size of the encoded picture.
	MaxBytes int64
	// LongSide is the size, in pixels, that the longer side of the result is fitted to; pictures are never enlarged.
	// 0 or more than LongestSide means LongestSide.
	LongSide int
	// Unsmoothed shrinks by picking pixels instead of mixing them. Set it for heatmaps, whose values must stay as sent.
	Unsmoothed bool
}

// DefaultLimits lets every picture pass that the service takes (50 MB) and that a phone of today makes (108 million
// pixels). A progressive JPEG of the full 120 million pixels needs up to 1.8 GB for a moment, a plain one 360 MB at most.
var DefaultLimits = Limits{MaxPixels: 120_000_000, MaxBytes: 50 << 20, LongSide: LongestSide}

// settled gives the limits with every zero field filled in.
func (l Limits) settled() Limits {
	if l.MaxPixels <= 0 {
		l.MaxPixels = DefaultLimits.MaxPixels
	}
	if l.MaxBytes <= 0 {
		l.MaxBytes = DefaultLimits.MaxBytes
	}
	if l.LongSide <= 0 || l.LongSide > LongestSide {
		l.LongSide = LongestSide
	}
	return l
}
