package sandbox

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // pictures may be GIFs
	"image/jpeg"
	_ "image/png" // pictures may be PNGs
	"io"

	"github.com/disintegration/imaging"
	_ "golang.org/x/image/webp" // pictures may be WebP
)

// thumbnailSide is the longest side of a thumbnail in pixels.
const thumbnailSide = 320

// thumbnail makes a small picture, turned upright, on white where the original is transparent. It is for pictures
// that the analysers have accepted: their size is known to be bearable.
func thumbnail(data []byte) (made image.Image, err error) {
	defer func() {
		if cause := recover(); cause != nil { // a decoder's fault costs the thumbnail alone
			made, err = nil, fmt.Errorf("decoder: %v", cause)
		}
	}()
	picture, err := imaging.Decode(bytes.NewReader(data), imaging.AutoOrientation(true))
	if err != nil {
		return nil, err
	}
	return small(picture), nil
}

// small fits a picture into the size of thumbnails.
func small(picture image.Image) image.Image {
	fitted := imaging.Fit(picture, thumbnailSide, thumbnailSide, imaging.Box)
	ground := imaging.New(fitted.Bounds().Dx(), fitted.Bounds().Dy(), color.White)
	return imaging.Overlay(ground, fitted, image.Point{}, 1)
}

func encodeThumbnail(w io.Writer, small image.Image) error {
	return jpeg.Encode(w, small, &jpeg.Options{Quality: 80})
}
