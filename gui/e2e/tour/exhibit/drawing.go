//go:build e2e && linux

package exhibit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"slices"
)

// glow is where a heatmap shines: a place and a reach, in shares of the picture's width and height, and a strength.
type glow struct{ x, y, reach, strength float64 }

// heatmap is a PNG that is clear but for its glows.
func heatmap(width, height int, glows ...glow) []byte {
	made := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			heat := 0.0
			for _, g := range glows {
				dx, dy := float64(x)/float64(width)-g.x, (float64(y)/float64(height)-g.y)*float64(height)/float64(width)
				heat += g.strength * math.Exp(-(dx*dx+dy*dy)/(g.reach*g.reach))
			}
			heat = min(heat, 1)
			made.SetNRGBA(x, y, color.NRGBA{R: 255, G: uint8(90 + 150*heat), B: uint8(20 + 190*heat*heat), A: uint8(255 * heat)})
		}
	}
	return pngOf(made)
}

// longStrip is a picture of hills, much wider than high.
func longStrip(width, height int) []byte {
	made := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			ridge := float64(height) * (0.5 + 0.3*math.Sin(float64(x)/900) + 0.1*math.Sin(float64(x)/130))
			c := color.NRGBA{R: 130, G: 165, B: 200, A: 255}
			if float64(y) > ridge {
				c = color.NRGBA{R: 90, G: 105 + uint8(x/300), B: 80, A: 255}
			}
			made.SetNRGBA(x, y, c)
		}
	}
	return pngOf(made)
}

func pngOf(picture image.Image) []byte {
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&encoded, picture); err != nil {
		panic(fmt.Sprintf("exhibit: encode a picture: %v", err)) // a buffer takes everything
	}
	return encoded.Bytes()
}

// smaller is a JPEG's own thumbnail, every so many pixels; nil where it is no JPEG.
func smaller(content []byte) []byte {
	whole, err := jpeg.Decode(bytes.NewReader(content))
	if err != nil {
		return nil
	}
	step := max(1, max(whole.Bounds().Dx(), whole.Bounds().Dy())/320)
	made := image.NewNRGBA(image.Rect(0, 0, whole.Bounds().Dx()/step, whole.Bounds().Dy()/step))
	for y := range made.Rect.Dy() {
		for x := range made.Rect.Dx() {
			made.Set(x, y, whole.At(x*step, y*step))
		}
	}
	var encoded bytes.Buffer
	_ = jpeg.Encode(&encoded, made, nil) // a buffer takes everything
	return encoded.Bytes()
}

// exifText is an entry of EXIF's first list.
type exifText struct {
	tag  uint16
	text string
}

// withEXIF puts what a camera says into a JPEG.
func withEXIF(content []byte, entries ...exifText) []byte {
	const headerSize, entrySize = 8, 12
	tiff := []byte("MM\x00*\x00\x00\x00\x08")
	tiff = binary.BigEndian.AppendUint16(tiff, uint16(len(entries)))
	at := headerSize + 2 + entrySize*len(entries) + 4
	var values []byte
	for _, e := range entries {
		value := append([]byte(e.text), 0)
		for len(value) < 5 { // shorter ones would have to stand in the entry itself
			value = slices.Concat([]byte(" "), value)
		}
		tiff = binary.BigEndian.AppendUint16(tiff, e.tag)
		tiff = binary.BigEndian.AppendUint16(tiff, 2) // text
		tiff = binary.BigEndian.AppendUint32(tiff, uint32(len(value)))
		tiff = binary.BigEndian.AppendUint32(tiff, uint32(at+len(values)))
		values = append(values, value...)
	}
	tiff = append(binary.BigEndian.AppendUint32(tiff, 0), values...)
	segment := slices.Concat([]byte("Exif\x00\x00"), tiff)
	marker := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(segment)+2))
	return slices.Concat(content[:2], marker, segment, content[2:])
}
