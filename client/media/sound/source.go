package sound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"assay/client/i18n"

	"github.com/gopxl/beep/v2"
)

// Limits of what a header may claim.
const (
	lowestRate   = 1000 // samples per second
	highestRate  = 768000
	mostChannels = 64
)

// source is a recording of one kind.
type source interface {
	facts() facts
	frames() int64 // how many there are, as far as is known
	exact() bool   // frames won't change any more
	cut() bool     // there are fewer than the header claims
	// open reads from a frame on. It may be called by several goroutines.
	open(ctx context.Context, from int64) (Stream, error)
	release() error
}

// facts are what a source's header says.
type facts struct {
	format         string
	rate, channels int
}

// Stream gives the samples of a recording in order, left and right, each from -1 to 1.
type Stream interface {
	// Read fills frames from their beginning. It gives n of them and no error, or none and the reason: Ended tells the recording's end
	// from what cannot be read.
	Read(frames [][2]float64) (n int, err error)
}

// tame makes a number a sample: what is none is silence.
func tame(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return max(-1, min(1, v))
}

// mix makes two channels of any number.
type mix [2][]float64

// newMix gives the usual weights for 5.1 (front left and right, centre, low tones, back left and right), and the mean of all for other
// numbers above two. They sum to one, so that nothing is cut off.
func newMix(channels int) mix {
	switch channels {
	case 1:
		return mix{{1}, {1}}
	case 2:
		return mix{{1, 0}, {0, 1}}
	case 6:
		const front, side = 1 / (1 + 2*math.Sqrt2/2), math.Sqrt2 / 2 / (1 + 2*math.Sqrt2/2)
		return mix{{front, 0, side, 0, side, 0}, {0, front, side, 0, 0, side}}
	}
	even := make([]float64, channels)
	for i := range even {
		even[i] = 1 / float64(channels)
	}
	return mix{even, even}
}

func (m *mix) down(sample []float64) (frame [2]float64) {
	switch len(sample) {
	case 1:
		return [2]float64{sample[0], sample[0]}
	case 2:
		return [2]float64{sample[0], sample[1]}
	}
	for i, v := range sample {
		frame[0] += m[0][i] * v
		frame[1] += m[1][i] * v
	}
	return frame
}

// decoded is a beep decoder's stream from a frame on. The decoders are other people's and meet hostile bytes: a panic is an error.
type decoded struct {
	format string
	s      beep.Streamer
	skip   int64 // frames to drop first
	left   int64 // frames until the end, as far as the container knows
}

// decode starts a decoder and drops the frames before the first that is wanted.
func decode(format string, skip, left int64, start func() (beep.StreamSeekCloser, beep.Format, error)) (d *decoded, err error) {
	defer recovered(format, &err)
	if left <= 0 {
		return &decoded{}, nil // the end needs no decoder
	}
	s, _, err := start()
	if err != nil {
		return nil, damaged(format, err)
	}
	d = &decoded{format: format, s: s, skip: skip, left: left}
	return d, d.drop()
}

func (d *decoded) drop() error {
	block := make([][2]float64, 512)
	for d.skip > 0 {
		n, ok := d.s.Stream(block[:min(int64(len(block)), d.skip)])
		d.skip -= int64(n)
		if !ok || n == 0 {
			return damaged(d.format, errors.Join(errors.New("the place was not reached"), d.s.Err()))
		}
	}
	return nil
}

func (d *decoded) Read(frames [][2]float64) (n int, err error) {
	defer recovered(d.format, &err)
	if d.left == 0 {
		return 0, io.EOF
	}
	n, _ = d.s.Stream(frames[:min(int64(len(frames)), d.left)])
	for i := range frames[:n] {
		frames[i] = [2]float64{tame(frames[i][0]), tame(frames[i][1])}
	}
	d.left -= int64(n)
	switch {
	case n > 0:
		return n, nil
	case d.s.Err() != nil:
		return 0, damaged(d.format, d.s.Err())
	default:
		return 0, breaksOff(io.ErrUnexpectedEOF)
	}
}

// recovered makes a panic an error.
func recovered(format string, err *error) {
	if cause := recover(); cause != nil {
		*err = damaged(format, fmt.Errorf("the decoder gave up: %v", cause))
	}
}

// damaged is the error for bytes that a decoder can't read.
func damaged(format string, cause error) error {
	if errors.Is(cause, io.ErrUnexpectedEOF) || errors.Is(cause, io.EOF) {
		return breaksOff(cause)
	}
	return &Unreadable{Words: i18n.F("This %s recording is damaged or of an unusual kind: Assay cannot read it.", format), Cause: cause}
}

// breaksOff is the error where the file ends before the recording does; other errors of reading stay as they are.
func breaksOff(cause error) error {
	if cause == nil || errors.Is(cause, io.EOF) || errors.Is(cause, io.ErrUnexpectedEOF) {
		return &Unreadable{Words: i18n.T("This recording breaks off: the end of the file is missing."), Cause: cause}
	}
	return cause
}
