package picture

import (
	"bytes"
	"context"
	"image"

	decoder "assay/client/media/picture"
)

// Reduced decodes a picture, or its first frame, turned upright and reduced until its longer side is so many pixels at most. Of a JPEG only
// what that size needs is computed.
func Reduced(ctx context.Context, data []byte, side int) (image.Image, error) {
	decoded, err := decoder.Decode(ctx, bytes.NewReader(data), decoder.Limits{MaxPixels: MaxPixels, MaxBytes: int64(len(data)), LongSide: side})
	if err != nil {
		return nil, err
	}
	return decoded.Image, nil
}
