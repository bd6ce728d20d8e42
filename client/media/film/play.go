package film

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strconv"
	"time"

	"assay/client/ffmpeg"
	"assay/client/i18n"
)

const (
	// usualRate is the number of frames per second that are played of a clip that tells no rate; of a faster one no more than mostRate are.
	usualRate, mostRate = 25.0, 30.0
	// longestPlay is how long ffmpeg may decode without being started again, pauses included.
	longestPlay = 6 * time.Hour
	// patience is how long ffmpeg may take to the next frame. On a very busy computer it was seen to need more than eight seconds.
	patience = 30 * time.Second
)

// PlayRate is how many frames Play gives for each second of a clip.
func (i Info) PlayRate() float64 {
	if !(i.FrameRate > 0) {
		return usualRate
	}
	return math.Min(math.Max(i.FrameRate, 1), mostRate)
}

// Play decodes a clip from a time on, with one run of ffmpeg, at PlayRate frames for each second of the clip: a clip of another or a varying rate gets
// frames repeated or left out. visit gets each with its time, in order, as it is decoded; the frame is visit's own. visit may wait, and ffmpeg waits
// with it; if visit returns an error, Play ends with it. Frames are as those of Frame. Play ends without an error after the last frame, with
// ctx's error when that ends, and with an *ffmpeg.Unreadable if the clip is damaged or no frame comes for half a minute. When it returns, ffmpeg has ended.
func (p *Projector) Play(ctx context.Context, path string, from time.Duration, longSide int, visit func(at time.Duration, frame *image.RGBA) error) error {
	info, err := p.Probe(ctx, path)
	if err != nil {
		return err
	}
	tool, err := p.find()
	if err != nil {
		return err
	}
	input, err := demuxer(ctx, path)
	if err != nil {
		return err
	}
	from = max(0, from)
	size, rate := fit(info, longSide), info.PlayRate()
	running, stop := context.WithCancel(ctx)
	defer stop()
	var stopped error
	err = tool.Run(running, ffmpeg.Job{
		Path: path, Demuxer: input, Longest: longestPlay,
		Before: []string{"-max_pixels", strconv.Itoa(MostPixels), "-ss", strconv.FormatFloat(from.Seconds(), 'f', 6, 64)},
		After: []string{
			"-map", "0:V:0", "-an", "-sn", "-dn",
			"-vf", fmt.Sprintf("fps=%s:start_time=0,scale=%d:%d:flags=area,setsar=1,format=rgba", strconv.FormatFloat(rate, 'f', 6, 64), size.X, size.Y),
			"-f", "rawvideo", "pipe:1",
		},
	}, func(out io.Reader) error {
		for n := 0; ; n++ {
			frame := image.NewRGBA(image.Rectangle{Max: size})
			late := time.AfterFunc(p.patience, stop)
			_, err := io.ReadFull(out, frame.Pix)
			late.Stop()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			opaque(frame)
			if stopped = visit(from+time.Duration(float64(n)/rate*float64(time.Second)), frame); stopped != nil {
				return stopped
			}
		}
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case stopped != nil:
		return stopped
	case err != nil:
		return &ffmpeg.Unreadable{Words: i18n.T("The picture stops here: this part of the clip can't be read."), Cause: err}
	}
	return nil
}
