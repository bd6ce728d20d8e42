package convert

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"os"
	"strconv"
	"time"

	"assay/client/ffmpeg"
	"assay/client/i18n"
	"assay/client/media/container"
	"assay/client/media/heif"
	"assay/client/media/picture"
)

const (
	// quality is the JPEG quality of copies.
	quality = 95
	// mostPicture bounds the bytes of a picture that a copy is made of: a TIFF of 120 million pixels has 360 MB.
	mostPicture = 400 << 20
	// longestPicture is how long the making of a copy may take: libheif needs about a second for a million pixels.
	longestPicture = 4 * time.Minute
)

// copyPicture writes a picture as JPEG: upright, its colours with their profile, on white where it is transparent.
func copyPicture(ctx context.Context, from Source, format container.Format, to *os.File) (Made, error) {
	data, err := whole(from)
	if err != nil {
		return Made{}, err
	}
	limited, cancel := context.WithTimeout(ctx, longestPicture)
	defer cancel()
	said := statementsIn(data, format)
	var img image.Image
	switch format {
	case container.HEIF, container.TIFF, container.BMP, container.JPEG, container.PNG, container.WebP, container.GIF:
		if said.av1 {
			img, err = decodeByFFmpeg(limited, from)
		} else {
			img, err = decode(limited, data)
		}
	default:
		err = errors.New("no picture of a known format")
	}
	if err != nil {
		return Made{}, pictureProblem(ctx, err)
	}
	buffered := bufio.NewWriterSize(to, 1<<18)
	if err := writeJPEG(buffered, onWhite(img), said); err != nil {
		return Made{}, err
	}
	return Made{Extension: ".jpg", Format: "JPEG", Note: said.note}, buffered.Flush()
}

// Stated is a JPEG of one pixel with all that the copy of a picture would say of itself. It takes a moment where the copy takes seconds. Its error is a
// *Problem.
func Stated(ctx context.Context, from Source) ([]byte, error) {
	data, err := whole(from)
	if err != nil {
		return nil, err
	}
	var stated bytes.Buffer
	err = writeJPEG(&stated, image.NewGray(image.Rect(0, 0, 1, 1)), statementsIn(data, container.NewSource(ctx, from.File, from.Size).Format()))
	return stated.Bytes(), err
}

// whole is a picture's file; its error is a *Problem.
func whole(from Source) ([]byte, error) {
	if from.Size > mostPicture {
		return nil, &Problem{Text: i18n.M("This picture is %s; Assay makes copies of pictures up to %s.", i18n.SizeMessage(from.Size), i18n.SizeMessage(mostPicture))}
	}
	data := make([]byte, from.Size)
	if _, err := io.ReadFull(io.NewSectionReader(from.File, 0, from.Size), data); err != nil {
		return nil, unreadable(err)
	}
	return data, nil
}

// statementsIn reads what a picture says of itself, as far as a copy says so, too.
func statementsIn(data []byte, format container.Format) (said statements) {
	switch format {
	case container.HEIF:
		about := heif.Read(data)
		if about.Film {
			said.note = i18n.M("The file also has a sequence of pictures. The copy has only the main picture.")
		}
		said.exif, said.xmp, said.profile, said.av1 = upright(about.EXIF), about.XMP, about.Profile, about.AVIF
		if said.profile == nil {
			said.profile = profileOf(about.Colours.Primaries)
		}
	case container.TIFF:
		tags := readTIFF(data)
		said.exif, said.xmp, said.profile = tags.exif(), tags.value(tagXMP), tags.value(tagProfile)
		if pages := tags.pages(); pages > 1 {
			said.note = i18n.MN(pages, "The file has %s page. The copy has only the first.", "The file has %s pages. The copy has only the first.")
		}
	}
	return said
}

// decode decodes a picture that client/media/picture knows, upright.
func decode(ctx context.Context, data []byte) (image.Image, error) {
	full, err := picture.Open(ctx, byteReader(data), picture.Limits{MaxBytes: mostPicture})
	if err != nil {
		return nil, err
	}
	size := full.Size()
	img := full.Region(ctx, image.Rectangle{Max: size}, size.X, size.Y)
	return img, ctx.Err()
}

// decodeByFFmpeg decodes an AVIF.
func decodeByFFmpeg(ctx context.Context, from Source) (image.Image, error) {
	tool, err := ffmpeg.Find()
	if err != nil {
		return nil, err
	}
	facts, err := tool.Probe(ctx, from.Path, ffmpeg.Demuxer(container.HEIF))
	if err != nil {
		return nil, err
	}
	if facts.Video == nil || facts.Video.Width < 1 || facts.Video.Height < 1 {
		return nil, errors.New("ffmpeg finds no picture in it")
	}
	size := image.Pt(facts.Video.Width, facts.Video.Height)
	if size.X > picture.DefaultLimits.MaxPixels/size.Y {
		return nil, &picture.Unreadable{Reason: picture.TooManyPixels, Format: "AVIF", Size: size, Limits: picture.DefaultLimits}
	}
	if facts.Video.Rotation%180 != 0 {
		size.X, size.Y = size.Y, size.X
	}
	img := image.NewRGBA(image.Rectangle{Max: size})
	err = tool.Run(ctx, ffmpeg.Job{
		Path: from.Path, Demuxer: ffmpeg.Demuxer(container.HEIF), Before: []string{"-max_pixels", strconv.Itoa(picture.DefaultLimits.MaxPixels)},
		After: []string{"-map", "0:V:0", "-frames:v", "1", "-vf", "format=rgba", "-f", "rawvideo", "pipe:1"},
	}, func(out io.Reader) error {
		_, err := io.ReadFull(out, img.Pix)
		return err
	})
	return img, err
}

// pictureProblem says why a picture could not be read. ctx is the caller's, which has no limit of time.
func pictureProblem(ctx context.Context, err error) error {
	var broken *picture.Unreadable
	switch {
	case ctx.Err() != nil, ffmpeg.IsMissing(err):
		return err
	case errors.Is(err, heif.ErrHDR):
		return &Problem{Text: i18n.M("This picture is made for HDR screens. A JPEG can't hold its brightness, so Assay makes no copy of it."), Cause: err}
	case errors.Is(err, context.DeadlineExceeded):
		return tooLong(err)
	case errors.As(err, &broken) && broken.Reason == picture.TooManyPixels:
		return &Problem{Text: i18n.M("This picture claims %s × %s pixels. Assay makes copies of pictures up to %s pixels.",
			i18n.CountMessage(broken.Size.X), i18n.CountMessage(broken.Size.Y), i18n.CountMessage(broken.Limits.MaxPixels)), Cause: err}
	}
	return unreadable(err)
}

// onWhite puts a picture with transparent parts on white.
func onWhite(img image.Image) image.Image {
	if whole, ok := img.(interface{ Opaque() bool }); ok && whole.Opaque() {
		return img
	}
	flat := image.NewRGBA(img.Bounds())
	draw.Draw(flat, flat.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Rect, img, img.Bounds().Min, draw.Over)
	return flat
}

// writeJPEG writes a picture with what was said of it.
func writeJPEG(w io.Writer, img image.Image, said statements) error {
	return jpeg.Encode(&withSegments{w: w, segments: said.segments()}, img, &jpeg.Options{Quality: quality})
}
