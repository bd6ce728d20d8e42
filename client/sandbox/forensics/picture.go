package forensics

import "image"

// The formats that are read.
type format string

const (
	formatJPEG format = "JPEG"
	formatPNG  format = "PNG"
	formatGIF  format = "GIF"
	formatWebP format = "WebP"
)

// picture is what the analysers share: the bytes, and what decoding gave.
type picture struct {
	data     []byte
	format   format
	config   image.Config
	animated bool
	palette  bool
	luma     *plane   // nil where the pixels are of no use to an analyser
	ownTable *[64]int // a JPEG's own luma quantisation table, row by row; else nil
}

// unfit says why the pixel analysers do not apply to a picture, or "".
func (p *picture) unfit() string {
	switch {
	case p.animated:
		return "The picture is animated; only still photographs can be examined this way."
	case p.palette:
		return "The picture has a palette of few colours, which hides grain and compression traces."
	case p.config.Width < leastSide || p.config.Height < leastSide:
		return "The picture is too small: each side needs at least 128 pixels."
	default:
		return ""
	}
}
