package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"assay/client/media/container"
	"assay/client/sandbox/forensics"

	"golang.org/x/image/webp"
)

// MaxPixels bounds the pixels that a picture may claim; it is checked before any is decoded.
const MaxPixels = 120_000_000

// notAPicture is the message for bytes in another format.
const notAPicture = "These bytes are no JPEG, PNG, GIF or WebP picture."

// open checks and decodes a picture. Its error is ctx's or an *Unreadable.
func open(ctx context.Context, data []byte) (*picture, error) {
	if len(data) == 0 {
		return nil, &forensics.Unreadable{Sentence: "The picture is empty."}
	}
	f := container.FormatOf(data)
	switch f {
	case container.JPEG, container.PNG, container.GIF, container.WebP:
	default:
		return nil, &forensics.Unreadable{Sentence: notAPicture}
	}
	p := &picture{data: data, format: f}
	if err := p.readConfig(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := p.decodePixels(); err != nil {
		return nil, err
	}
	return p, ctx.Err()
}

// readConfig reads the size and the colour model, and refuses pictures that are too large.
func (p *picture) readConfig() error {
	var err error
	switch p.format {
	case container.JPEG:
		p.config, err = jpeg.DecodeConfig(bytes.NewReader(p.data))
		p.ownTable = p.jpegLumaTable()
	case container.PNG:
		p.config, err = png.DecodeConfig(bytes.NewReader(p.data))
	case container.GIF:
		p.config, err = gif.DecodeConfig(bytes.NewReader(p.data))
	case container.WebP:
		p.config, err = webp.DecodeConfig(bytes.NewReader(p.data))
		p.animated = p.webpAnimated()
	}
	if err != nil {
		return p.unreadable(err)
	}
	w, h := p.config.Width, p.config.Height
	if w <= 0 || h <= 0 {
		return &forensics.Unreadable{Sentence: "The picture claims to have no pixels."}
	}
	if w > MaxPixels/h {
		return &forensics.Unreadable{Sentence: fmt.Sprintf("The picture claims %d × %d pixels; the sandbox reads up to %d million.", w, h, MaxPixels/1_000_000)}
	}
	_, p.palette = p.config.ColorModel.(color.Palette)
	return nil
}

// decodePixels decodes the picture, or its first frame, and keeps the luma.
func (p *picture) decodePixels() error {
	var m image.Image
	var err error
	r := bytes.NewReader(p.data)
	switch p.format {
	case container.JPEG:
		m, err = jpeg.Decode(r)
	case container.PNG:
		m, err = png.Decode(r)
	case container.GIF:
		var frames int
		if frames, err = p.gifFrames(); err == nil {
			p.animated = frames > 1
			m, err = gif.Decode(r)
		}
	case container.WebP:
		if p.webpShort() {
			err = io.ErrUnexpectedEOF
		} else if !p.animated { // the decoder supports stills only
			m, err = webp.Decode(r)
		}
	}
	if err != nil {
		return p.unreadable(err)
	}
	if m != nil && p.unfit() == "" {
		p.luma = lumaOf(m)
	}
	return nil
}

// unreadable turns a decoder's error into one with a sentence.
func (p *picture) unreadable(err error) error {
	sentence := fmt.Sprintf("The picture is damaged: its %s data can't be decoded.", p.format)
	var unsupported jpeg.UnsupportedError
	var unsupportedPNG png.UnsupportedError
	switch {
	// The GIF decoder formats the cause into its text without wrapping it.
	case p.format == container.JPEG && !p.jpegEnds(), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), strings.HasSuffix(err.Error(), "EOF"), strings.HasSuffix(err.Error(), "not enough image data"), strings.HasSuffix(err.Error(), "not enough pixel data"):
		sentence = "The picture breaks off before its end."
	case errors.As(err, &unsupported), errors.As(err, &unsupportedPNG):
		sentence = fmt.Sprintf("The picture uses a variety of %s that the sandbox can't decode.", p.format)
	}
	return &forensics.Unreadable{Sentence: sentence, Cause: err}
}

// plane is the luma of a picture, 0..255, rows of width w without gaps.
type plane struct {
	w, h int
	pix  []uint8
}

func (p *plane) row(y int) []uint8 { return p.pix[y*p.w : (y+1)*p.w] }

// clipped reports whether a pixel is so near black or white that the sensor or the
// encoder cut it off there; neither quantisation nor noise can be measured on it.
func clipped(v uint8) bool { return v < 2 || v > 253 }

// lumaOf extracts the luma of a picture. A JPEG's own luma is used as it was coded:
// converting to RGB and back would add rounding to what is measured. Transparent
// pixels are drawn over white.
func lumaOf(m image.Image) *plane {
	b := m.Bounds()
	p := &plane{w: b.Dx(), h: b.Dy(), pix: make([]uint8, b.Dx()*b.Dy())}
	switch m := m.(type) {
	case *image.YCbCr:
		for y := range p.h {
			copy(p.row(y), m.Y[m.YOffset(b.Min.X, b.Min.Y+y):])
		}
	case *image.Gray:
		for y := range p.h {
			copy(p.row(y), m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):])
		}
	default:
		if m, ok := m.(*image.RGBA); ok && m.Opaque() { // as most PNGs are decoded: nothing of the white would be seen
			for y := range p.h {
				lumaRow(p.row(y), m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):])
			}
			return p
		}
		// One row at a time through the standard converter keeps the memory at a row.
		line := image.NewRGBA(image.Rect(0, 0, p.w, 1))
		for y := range p.h {
			draw.Draw(line, line.Rect, image.White, image.Point{}, draw.Src)
			draw.Draw(line, line.Rect, m, image.Pt(b.Min.X, b.Min.Y+y), draw.Over)
			lumaRow(p.row(y), line.Pix)
		}
	}
	return p
}

// lumaRow computes the luma of a row of opaque RGBA pixels.
func lumaRow(row, pixels []uint8) {
	for x := range row {
		px := pixels[4*x : 4*x+3 : 4*x+3]
		row[x], _, _ = color.RGBToYCbCr(px[0], px[1], px[2])
	}
}
