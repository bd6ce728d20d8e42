// Package picture reads pictures, for the window and the sandbox alike: guarded decoding, orientation, fitting, parts for zooming,
// previews; it also writes them as PNG. It may import the standard library, imaging, x/image and imagemeta, and of Assay i18n, bounded,
// container and heif; no toolkit.
//
// The functions here belong on worker goroutines: none touches a screen, and none leaves a goroutine running when it returns.
// Pictures for the screen are *image.RGBA (premultiplied, origin at 0,0), which a window takes without a copy.
package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"

	"assay/client/media/container"
	"assay/client/media/heif"

	"github.com/disintegration/imaging"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"
)

// Picture is a decoded picture, ready for the screen.
type Picture struct {
	// Image is upright and fitted to Limits.LongSide. Its origin is 0,0.
	Image *image.RGBA
	// Source is the size of the whole picture in pixels, upright, before Image was fitted.
	Source image.Point
	// Orientation is the EXIF orientation, 1 to 8, that was applied; 1 where none is given. A heatmap of the same
	// picture needs it too: see LayerOrientation.
	Orientation int
	// Format is "JPEG", "PNG", "GIF", "WebP", "HEIF", "TIFF" or "BMP", determined from the bytes.
	Format string
}

// Decode reads one encoded picture: a JPEG, PNG, WebP, HEIF (without AVIF) or BMP, the first page of a TIFF, or the first frame of a GIF or an
// animated WebP. A HEIF and a TIFF count as upright: what turns them is applied as they are decoded. The bytes determine the format, limits are checked before a pixel is decoded, EXIF orientation is applied, and a decoder's panic
// becomes an error.
//
// A picture that cannot be shown returns an *Unreadable; a failing r, that failure, wrapped; an ended ctx, its error.
// The decoders don't know ctx: Decode checks it between its stages and whenever a decoder asks for more bytes, so that
// a JPEG, PNG, GIF, TIFF, BMP or HEIF stops soon, while a WebP frame is decoded to its end.
//
// A JPEG whose long side is nearly twice LongSide or more is decoded at a half, a fourth or an eighth of its size, unless
// Limits.Unsmoothed is set: its Image may then be up to 5 % smaller than LongSide.
//
// Memory: the encoded bytes, the decoder's own picture and the fitted result exist at the same time.
func Decode(ctx context.Context, r io.Reader, limits Limits) (*Picture, error) {
	return decodeWith(ctx, codecs, r, limits)
}

func decodeWith(ctx context.Context, codecs map[container.Format]codec, r io.Reader, limits Limits) (*Picture, error) {
	limits = limits.settled()
	stored, kind, orientation, err := readStored(ctx, codecs, r, limits, limits.LongSide)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("decode the picture: %w", err)
	}
	fitted := stored.fitted(ctx, limits)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("turn the picture upright: %w", err)
	}
	return &Picture{
		Image:       orient(fitted, orientation),
		Source:      Upright(stored.size, orientation),
		Orientation: orientation,
		Format:      string(kind),
	}, nil
}

// readAll reads the encoded picture, up to its limit. All of it is needed at once, since the orientation may follow the pixels.
func readAll(ctx context.Context, r io.Reader, limits Limits) ([]byte, error) {
	var read bytes.Buffer
	read.Grow(int(min(expectedBytes(r), limits.MaxBytes)) + bytes.MinRead) // a file of known length then needs no more than its length
	_, err := read.ReadFrom(io.LimitReader(&stoppableReader{ctx: ctx, r: r}, limits.MaxBytes+1))
	data := read.Bytes()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the picture: %w", err)
	case len(data) == 0:
		return nil, &Unreadable{Reason: Empty, Limits: limits}
	case int64(len(data)) > limits.MaxBytes:
		return nil, &Unreadable{Reason: TooManyBytes, Limits: limits}
	}
	return data, nil
}

// Shows reports whether Decode knows the format of a file of which head is the beginning, a few hundred bytes at least.
func Shows(head []byte) bool {
	_, err := pictureFormat(head, Limits{})
	return err == nil
}

// pictureFormat determines the format from the bytes, so that no decoder gets data of another format (imaging registers
// TIFF and BMP with package image).
func pictureFormat(data []byte, limits Limits) (container.Format, error) {
	kind := container.FormatOf(data)
	if _, known := codecs[kind]; !known || kind == container.HEIF && heif.Read(data).AVIF {
		return "", &Unreadable{Reason: UnknownFormat, Limits: limits}
	}
	return kind, nil
}

// expectedBytes is how many bytes a reader is likely to return, 0 where it doesn't report it.
func expectedBytes(r io.Reader) int64 {
	switch known := r.(type) {
	case interface{ Len() int }:
		return int64(known.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := known.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// storedPicture is a picture as it is stored, before orientation.
type storedPicture struct {
	image.Image
	size      image.Point // of the whole picture
	reduction int         // how many of its pixels, along each side, one pixel of Image stands for
}

// fitted returns the picture at the size that limits ask for.
func (s storedPicture) fitted(ctx context.Context, limits Limits) *image.RGBA {
	longSide := min(limits.LongSide, max(1, max(s.size.X, s.size.Y)/s.reduction)) // nothing is enlarged
	size := fittedSize(s.size, longSide, longSide)
	switch {
	case limits.Unsmoothed:
		return pick(s.Image, size)
	case s.reduction > 1:
		return averaged(ctx, s.Image, image.Rectangle{Max: s.size}, size, s.reduction)
	default:
		return scaled(ctx, s.Image, s.Bounds(), size)
	}
}

// readStored reads one encoded picture, and decodes it as decodeStored does. orientation is EXIF's, 1 to 8.
func readStored(
	ctx context.Context, codecs map[container.Format]codec, r io.Reader, limits Limits, longSide int,
) (stored storedPicture, kind container.Format, orientation int, err error) {
	data, err := readAll(ctx, r, limits)
	if err != nil {
		return storedPicture{}, "", 0, err
	}
	if kind, err = pictureFormat(data, limits); err != nil {
		return storedPicture{}, "", 0, err
	}
	if stored, err = decodeStored(ctx, codecs[kind], kind, data, limits, longSide); err != nil {
		return storedPicture{}, "", 0, err
	}
	return stored, kind, readOrientation(kind, data), nil
}

// decodeStored decodes the pixels as they are stored, before orientation. A JPEG may be decoded at a reduced size, unless
// Limits.Unsmoothed is set, if its long side stays about longSide pixels; a longSide of 0 asks for the full size.
func decodeStored(ctx context.Context, c codec, kind container.Format, data []byte, limits Limits, longSide int) (storedPicture, error) {
	refusal := &Unreadable{Reason: Damaged, Format: string(kind), Limits: limits}
	source := &stoppableReader{ctx: ctx, r: bytes.NewReader(data)}
	header, err := guarded(func() (image.Config, error) { return c.config(source) })
	if err != nil {
		return storedPicture{}, refusal.because(ctx, source, err)
	}
	refusal.Size = image.Pt(header.Width, header.Height)
	if header.Width <= 0 || header.Height <= 0 {
		refusal.Err = errors.New("the header claims no pixels")
		return storedPicture{}, refusal
	}
	if int64(header.Width)*int64(header.Height) > int64(limits.MaxPixels) {
		refusal.Reason = TooManyPixels
		return storedPicture{}, refusal
	}

	size := refusal.Size
	if reduction := jpegReduction(size, longSide); kind == container.JPEG && longSide > 0 && !limits.Unsmoothed && reduction > 1 {
		small, err := guarded(func() (image.Image, error) { return reducedJPEG(ctx, data, size, reduction) })
		if ctx.Err() != nil {
			return storedPicture{}, refusal.because(ctx, source, err)
		}
		if err == nil {
			return storedPicture{small, size, reduction}, nil
		}
	}

	var still stillFrame
	if kind == container.WebP {
		if still, err = firstWebPFrame(data); err != nil {
			source.ended = riffBreaksOff(data)
			return storedPicture{}, refusal.because(ctx, source, err)
		}
		data = still.data
	}
	source = &stoppableReader{ctx: ctx, r: bytes.NewReader(data)}
	decoded, err := guarded(func() (image.Image, error) { return c.decode(source) })
	if err != nil {
		return storedPicture{}, refusal.because(ctx, source, err)
	}
	if decoded.Bounds().Empty() {
		refusal.Err = errors.New("the decoder gave no pixels")
		return storedPicture{}, refusal
	}
	whole := still.placed(decoded)
	return storedPicture{whole, whole.Bounds().Size(), 1}, nil
}

// because adds the decoder's error to the refusal. A decoder that failed after it met the end of the data had a picture
// that breaks off. If ctx has ended, its error is returned instead: the picture is not at fault.
func (u *Unreadable) because(ctx context.Context, source *stoppableReader, err error) error {
	if ctxErr := ctx.Err(); ctxErr != nil {
		return fmt.Errorf("decode the picture: %w", ctxErr)
	}
	if source.ended {
		u.Reason = BreaksOff
	}
	u.Err = err
	return u
}

// guarded calls a decoder and turns its panic into an error, since hostile files find what fuzzing did not.
func guarded[T any](call func() (T, error)) (result T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the decoder panicked: %v", r)
		}
	}()
	return call()
}

// stoppableReader fails once ctx has ended, and remembers whether a read met the end of r.
type stoppableReader struct {
	ctx   context.Context // lives for one call of Decode, whose ctx it is
	r     io.Reader
	ended bool
}

// Read reads from r unless ctx has ended.
func (s *stoppableReader) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(p)
	if errors.Is(err, io.EOF) {
		s.ended = true
	}
	return n, err // io.EOF must not be wrapped
}

// orient turns a picture as stored upright. For 1, and for numbers that are no EXIF orientation, it returns img itself.
//
// imaging only moves NRGBA pixels and does not compute with them, so premultiplied ones can be passed as NRGBA.
func orient(img *image.RGBA, orientation int) *image.RGBA {
	lent := &image.NRGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}
	var turned *image.NRGBA
	switch orientation {
	case 2:
		turned = imaging.FlipH(lent)
	case 3:
		turned = imaging.Rotate180(lent)
	case 4:
		turned = imaging.FlipV(lent)
	case 5:
		turned = imaging.Transpose(lent)
	case 6:
		turned = imaging.Rotate270(lent) // imaging turns counterclockwise
	case 7:
		turned = imaging.Transverse(lent)
	case 8:
		turned = imaging.Rotate90(lent)
	default:
		return img
	}
	return &image.RGBA{Pix: turned.Pix, Stride: turned.Stride, Rect: turned.Rect}
}

// codec decodes one format. Tests replace the real ones with misbehaving ones.
type codec struct {
	config func(io.Reader) (image.Config, error) // reads the header alone
	decode func(io.Reader) (image.Image, error)
}

// codecs are the formats that the service accepts, see the interface's "Supported file types", and those of which Assay makes copies that it accepts.
var codecs = map[container.Format]codec{
	container.HEIF: {heifConfig, decodeHEIF},
	container.TIFF: {tiff.DecodeConfig, decodeTIFF},
	container.BMP:  {bmpConfig, bmp.Decode},
	container.JPEG: {jpeg.DecodeConfig, jpeg.Decode},
	container.PNG:  {png.DecodeConfig, png.Decode},
	container.GIF:  {gif.DecodeConfig, decodeFirstGIFFrame},
	container.WebP: {webp.DecodeConfig, webp.Decode},
}

// decodeFirstGIFFrame decodes the first frame and puts it at its place on the animation's canvas: a frame may be
// smaller than the canvas, and a heatmap's size refers to the canvas.
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

// canvas reads the size: two little-endian 16-bit numbers after the six bytes of the signature.
func (h *headerKeeper) canvas() image.Rectangle {
	return image.Rect(0, 0, int(h.bytes[6])|int(h.bytes[7])<<8, int(h.bytes[8])|int(h.bytes[9])<<8)
}
