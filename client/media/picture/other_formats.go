package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"

	"assay/client/bounded"
	"assay/client/media/heif"

	"github.com/bep/imagemeta"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// mostHeld bounds what is read of a reader once more: Limits.MaxBytes has bounded it before.
const mostHeld = 1 << 30

// contextOf is the context of the call of Decode that a codec's reader belongs to.
func contextOf(r io.Reader) context.Context {
	if s, ok := r.(*stoppableReader); ok {
		return s.ctx
	}
	return context.Background()
}

func heifConfig(r io.Reader) (image.Config, error) {
	data, err := bounded.ReadAll(r, mostHeld)
	if err != nil {
		return image.Config{}, err
	}
	size, err := heif.Size(contextOf(r), data)
	return image.Config{ColorModel: color.YCbCrModel, Width: size.X, Height: size.Y}, err
}

func decodeHEIF(r io.Reader) (image.Image, error) {
	data, err := bounded.ReadAll(r, mostHeld)
	if err != nil {
		return nil, err
	}
	return heif.Decode(contextOf(r), data)
}

// decodeTIFF decodes the first page, and turns it upright.
func decodeTIFF(r io.Reader) (image.Image, error) {
	data, err := bounded.ReadAll(r, mostHeld)
	if err != nil {
		return nil, err
	}
	img, err := tiff.Decode(&stoppableReader{ctx: contextOf(r), r: bytes.NewReader(data)})
	if err != nil {
		return nil, err
	}
	turn := orientationOf(imagemeta.Options{R: bytes.NewReader(data), Sources: imagemeta.EXIF, ImageFormat: imagemeta.TIFF})
	if turn < 2 {
		return img, nil
	}
	full := FullOf(img, turn)
	size := full.Size()
	return full.Region(contextOf(r), image.Rectangle{Max: size}, size.X, size.Y), nil
}

// bmpConfig reads the header, and refuses a file that has fewer bytes than its header claims pixels: the decoder would make room for all of them first.
func bmpConfig(r io.Reader) (image.Config, error) {
	const head, bitsAt = 54, 28
	data, err := bounded.ReadAll(r, mostHeld)
	if err != nil {
		return image.Config{}, err
	}
	config, err := bmp.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return config, err
	}
	if len(data) < head || int64(config.Width)*int64(config.Height)*int64(binary.LittleEndian.Uint16(data[bitsAt:]))/8 > int64(len(data)) {
		return image.Config{}, errors.New("it has fewer bytes than its header claims pixels")
	}
	return config, nil
}
