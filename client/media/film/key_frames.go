package film

import (
	"context"
	"fmt"
	"image"
	"io"
	"strconv"
	"time"

	"assay/client/ffmpeg"
)

// longestKeyFrames is how long ffmpeg may take for the key frames of a clip.
const longestKeyFrames = time.Minute

// KeyFrames has ffmpeg decode a clip's key frames alone, those that need no other to be decoded, at most most of them; encoders set them where scenes
// begin, too. Each is upright and stretched to size. visit gets them in order; a picture is valid until visit returns. A clip without one is no error. Its
// errors are those of Probe, and ffmpeg's.
func KeyFrames(ctx context.Context, tool ffmpeg.Tool, path string, size image.Point, most int, visit func(frame *image.RGBA)) error {
	input, err := demuxer(ctx, path)
	if err != nil {
		return err
	}
	frame := image.NewRGBA(image.Rectangle{Max: size})
	return tool.Run(ctx, ffmpeg.Job{
		Path: path, Demuxer: input, Longest: longestKeyFrames, Before: []string{"-skip_frame", "nokey", "-max_pixels", strconv.Itoa(MostPixels)},
		After: []string{
			// The frames get times of their own, one after another: by their real ones ffmpeg would repeat them.
			"-map", "0:V:0", "-an", "-sn", "-dn", "-vf", fmt.Sprintf("settb=1/25,setpts=N,scale=%d:%d:flags=area,format=rgba", size.X, size.Y), "-r", "25",
			"-frames:v", strconv.Itoa(most), "-f", "rawvideo", "pipe:1",
		},
	}, func(out io.Reader) error {
		return readFrames(out, frame.Pix, most, func() {
			opaque(frame)
			visit(frame)
		})
	})
}

// opaque makes a frame's transparency count for nothing.
func opaque(frame *image.RGBA) {
	for i := 3; i < len(frame.Pix); i += 4 {
		frame.Pix[i] = 0xff
	}
}
