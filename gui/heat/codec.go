package heat

import (
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// codec decodes one format. Tests put misbehaving ones in the place of the real ones.
type codec struct {
	config func(io.Reader) (image.Config, error) // reads the header alone
	decode func(io.Reader) (image.Image, error)
}

// codecs are the formats that the service takes, see the interface's "Supported file types".
var codecs = map[format]codec{
	formatJPEG: {jpeg.DecodeConfig, jpeg.Decode},
	formatPNG:  {png.DecodeConfig, png.Decode},
	formatGIF:  {gif.DecodeConfig, decodeFirstGIFFrame},
	formatWebP: {webp.DecodeConfig, webp.Decode},
}

// decodeFirstGIFFrame decodes the first frame and lays it where it belongs on the animation's canvas: a frame may be
// smaller than the canvas, and a heatmap's size refers to the whole.
func decodeFirstGIFFrame(r io.Reader) (image.Image, error) {
	var header headerKeeper
	frame, err := gif.Decode(io.TeeReader(r, &header))
	if err != nil {
		return nil, err
	}
	canvas := header.canvas()
	if frame.Bounds() == canvas {
		return frame, nil
	}
	whole := image.NewRGBA(canvas)
	draw.Draw(whole, frame.Bounds(), frame, frame.Bounds().Min, draw.Src)
	return whole, nil
}

// headerKeeper keeps the first ten bytes that are written to it: a GIF's signature and the size of its canvas.
type headerKeeper struct {
	bytes [10]byte
	n     int
}

// Write never fails.
func (h *headerKeeper) Write(p []byte) (int, error) {
	h.n += copy(h.bytes[h.n:], p)
	return len(p), nil
}

// canvas reads the size, two little-endian 16-bit numbers behind the six bytes of the signature.
func (h *headerKeeper) canvas() image.Rectangle {
	return image.Rect(0, 0, int(h.bytes[6])|int(h.bytes[7])<<8, int(h.bytes[8])|int(h.bytes[9])<<8)
}
