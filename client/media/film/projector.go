// Package film decodes still frames of clips by means of client/ffmpeg; it needs no window toolkit. Its functions read a disk and wait
// for another program: call them on a worker.
package film

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"assay/client/ffmpeg"
	"assay/client/i18n"
	"assay/client/media/container"
)

const (
	// usualMemory bounds the cached frames, in bytes.
	usualMemory = 64 << 20
	// mostSide is the longest side of a returned frame, in pixels.
	mostSide = 4096
	// MostPixels is the largest frame that ffmpeg may decode: 8K. A clip whose header claims more is refused.
	MostPixels = 40_000_000
	// longest is how long ffmpeg may take for a frame.
	longest = 20 * time.Second
)

// Info is what a clip's headers state, for the picture as it is shown: after its rotation.
type Info struct {
	Duration      time.Duration // 0 where it is unknown
	Width, Height int           // in pixels, after rotation and with square pixels
	FrameRate     float64       // frames per second on average; 0 where it is unknown
	Codec         string        // as ffmpeg names it, "h264"
	HasSound      bool
}

// Projector decodes frames of clips, and caches the latest. Any number of goroutines may use it.
type Projector struct {
	find     func() (ffmpeg.Tool, error)
	kept     *frames
	patience time.Duration
}

// New returns a projector that caches at most mostBytes of frames (0: 64 MB).
func New(mostBytes int) *Projector {
	if mostBytes <= 0 {
		mostBytes = usualMemory
	}
	return &Projector{find: ffmpeg.Find, kept: newFrames(mostBytes), patience: patience}
}

// Probe reads a clip's headers. Its errors: *ffmpeg.Missing if ffmpeg isn't installed, *ffmpeg.Unreadable if the file is no clip, else the
// error of reading the file.
func (p *Projector) Probe(ctx context.Context, path string) (Info, error) {
	clip, err := identify(path)
	if err != nil {
		return Info{}, err
	}
	if info, ok := p.kept.info(clip); ok {
		return info, nil
	}
	tool, err := p.find()
	if err != nil {
		return Info{}, err
	}
	input, err := demuxer(ctx, path)
	if err != nil {
		return Info{}, err
	}
	facts, err := tool.Probe(ctx, path, input)
	switch {
	case ctx.Err() != nil:
		return Info{}, ctx.Err()
	case ffmpeg.IsMissing(err):
		return Info{}, err
	case err != nil:
		return Info{}, &ffmpeg.Unreadable{Words: i18n.T("This clip is damaged or of an unusual kind, so Assay can't show its picture."), Cause: err}
	case facts.Video == nil:
		return Info{}, &ffmpeg.Unreadable{Words: i18n.T("There is no video in this file.")}
	}
	info, err := shown(facts)
	if err != nil {
		return Info{}, err
	}
	p.kept.know(clip, info)
	return info, nil
}

// shown computes the size of the picture on screen from the headers.
func shown(facts ffmpeg.Facts) (Info, error) {
	v := facts.Video
	if v.Width > MostPixels/v.Height {
		return Info{}, &ffmpeg.Unreadable{Words: i18n.F("This clip claims frames of %d × %d pixels, which is more than Assay opens.", v.Width, v.Height)}
	}
	width, height := float64(v.Width)*v.PixelAspect, float64(v.Height)
	if width > 100*height || width > 1<<16 || width < 0.5 {
		width = float64(v.Width) // no camera has pixels of that shape
	}
	info := Info{Duration: v.Duration, Width: max(1, int(math.Round(width))), Height: v.Height, FrameRate: v.FrameRate, Codec: v.Codec, HasSound: facts.Sound != nil}
	if v.Rotation%180 != 0 {
		info.Width, info.Height = info.Height, info.Width
	}
	if info.Duration == 0 {
		info.Duration = facts.Duration
	}
	return info, nil
}

// Frame returns the frame that is seen at the given time, or the last one if that is beyond the end; upright, its longer side at most
// longSide pixels and never larger than the clip's. The picture is shared: don't change it. Its errors are those of Probe.
func (p *Projector) Frame(ctx context.Context, path string, at time.Duration, longSide int) (*image.RGBA, error) {
	info, err := p.Probe(ctx, path)
	if err != nil {
		return nil, err
	}
	clip, err := identify(path)
	if err != nil {
		return nil, err
	}
	at = max(0, at)
	if info.Duration > 0 {
		at = min(at, info.Duration)
	}
	key := frameKey{clip: clip, at: at, longSide: longSide}
	if kept := p.kept.frame(key); kept != nil {
		return kept, nil
	}
	size := fit(info, longSide)
	// The last frame begins before the clip's end: if no frame begins at or after a time, an earlier one is tried.
	for _, back := range []time.Duration{0, 200 * time.Millisecond, time.Second, 5 * time.Second, at} {
		if back > at {
			continue
		}
		var frame *image.RGBA
		frame, err = p.take(ctx, path, at-back, size)
		if err == nil {
			p.kept.keep(key, frame)
			return frame, nil
		}
		if !errors.Is(err, errNoFrame) {
			break
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, &ffmpeg.Unreadable{Words: i18n.T("Assay can't read a picture at this point of the clip."), Cause: err}
}

// fit returns the size of the clip's frames, reduced to a longer side.
func fit(info Info, longSide int) image.Point {
	longSide = max(1, min(longSide, mostSide))
	scale := min(1, float64(longSide)/float64(max(info.Width, info.Height)))
	side := func(n int) int { return max(1, int(math.Round(float64(n)*scale))) }
	return image.Pt(side(info.Width), side(info.Height))
}

// errNoFrame means that the clip has no frame at or after a time.
var errNoFrame = errors.New("no frame there")

// take has ffmpeg decode one frame; ffmpeg applies the rotation.
func (p *Projector) take(ctx context.Context, path string, at time.Duration, size image.Point) (*image.RGBA, error) {
	tool, err := p.find()
	if err != nil {
		return nil, err
	}
	input, err := demuxer(ctx, path)
	if err != nil {
		return nil, err
	}
	frame := image.NewRGBA(image.Rectangle{Max: size})
	err = tool.Run(ctx, ffmpeg.Job{
		Path: path, Demuxer: input, Longest: longest,
		Before: []string{"-max_pixels", strconv.Itoa(MostPixels), "-ss", strconv.FormatFloat(at.Seconds(), 'f', 6, 64)},
		After: []string{
			"-map", "0:V:0", "-an", "-sn", "-dn", "-vf", fmt.Sprintf("scale=%d:%d:flags=area,setsar=1,format=rgba", size.X, size.Y),
			"-frames:v", "1", "-f", "rawvideo", "pipe:1",
		},
	}, func(out io.Reader) error {
		_, err := io.ReadFull(out, frame.Pix)
		if errors.Is(err, io.EOF) {
			return errNoFrame
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	opaque(frame)
	return frame, nil
}

// Forget drops the cached frames.
func (p *Projector) Forget() { p.kept.forget() }

// clipKey identifies one state of a file.
type clipKey struct {
	path     string
	size     int64
	modified time.Time
}

func identify(path string) (clipKey, error) {
	about, err := os.Stat(path)
	switch {
	case err != nil:
		return clipKey{}, err
	case !about.Mode().IsRegular():
		return clipKey{}, &ffmpeg.Unreadable{Words: i18n.T("This is not a file.")}
	case about.Size() == 0:
		return clipKey{}, &ffmpeg.Unreadable{Words: i18n.T("This file is empty: there is no video in it.")}
	}
	return clipKey{path: path, size: about.Size(), modified: about.ModTime()}, nil
}

// Read has ffmpeg decode a whole clip: perSecond frames a second, upright, scaled to size, at most most of them. visit gets them in order,
// three bytes a pixel, row by row, in a slice that is valid until visit returns. demuxer is the name of the file's container for ffmpeg. A
// clip without a frame is no error.
func Read(
	ctx context.Context, tool ffmpeg.Tool, path, demuxer string, perSecond float64, size image.Point, most int, visit func(pixels []byte),
) error {
	job := ffmpeg.Job{
		Path: path, Demuxer: demuxer, Before: []string{"-max_pixels", strconv.Itoa(MostPixels)},
		After: []string{
			"-map", "0:V:0", "-an", "-sn", "-dn",
			"-vf", fmt.Sprintf("fps=%s,scale=%d:%d:flags=area,format=rgb24", strconv.FormatFloat(perSecond, 'f', 6, 64), size.X, size.Y),
			"-frames:v", strconv.Itoa(most), "-f", "rawvideo", "pipe:1",
		},
	}
	pixels := make([]byte, size.X*size.Y*3)
	return tool.Run(ctx, job, func(out io.Reader) error { return readFrames(out, pixels, most, func() { visit(pixels) }) })
}

// readFrames reads frames into pixels, one after another, until there are no more.
func readFrames(out io.Reader, pixels []byte, most int, visit func()) error {
	for range most {
		if _, err := io.ReadFull(out, pixels); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		visit()
	}
	return nil
}

// clips are the formats that may hold a film. The other formats that ffmpeg would detect are left out on purpose: among them are playlists,
// which refer to other files.
var clips = []container.Format{
	container.MP4, container.QuickTime, container.M4A, container.HEIF, container.Matroska, container.AVI, container.Ogg, container.FLV,
	container.MPEGPS, container.MPEGTS, container.ASF,
}

// demuxer returns ffmpeg's name for a file's container.
func demuxer(ctx context.Context, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // opened for reading: closing it loses nothing
	about, err := f.Stat()
	if err != nil {
		return "", err
	}
	src := container.NewSource(ctx, f, about.Size())
	format := src.Format()
	switch {
	case src.Err() != nil:
		return "", src.Err()
	case !slices.Contains(clips, format):
		return "", &ffmpeg.Unreadable{Words: i18n.T("Assay does not know this kind of clip.")}
	}
	return ffmpeg.Demuxer(format), nil
}
