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

// Bounds for the values in a header.
const (
	lowestRate   = 1000 // samples per second
	highestRate  = 768000
	mostChannels = 64
)

// source is a recording in one format.
type source interface {
	facts() facts
	frames() int64 // as far as it is known
	exact() bool   // frames won't change
	cut() bool     // there are fewer frames than the header claims
	// open reads from a frame on. Several goroutines may call it.
	open(ctx context.Context, from int64) (Stream, error)
	release() error
}

// facts are the values in a source's header.
type facts struct {
	format         string
	rate, channels int
}

// Stream returns the samples of a recording in order, left and right, each from -1 to 1.
type Stream interface {
	// Read fills frames from their beginning. It returns either n > 0 without an error, or 0 with an error; Ended distinguishes the
	// recording's end from errors.
	Read(frames [][2]float64) (n int, err error)
}

// tame makes any number a valid sample; NaN becomes silence.
func tame(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return max(-1, min(1, v))
}

// mix combines any number of channels into two.
type mix [2][]float64

// newMix returns the usual weights for 5.1 (front left and right, centre, low frequencies, back left and right), and for other numbers
// above two the mean of all. The weights sum to one, so that nothing is clipped.
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

// decoded is the stream of one of beep's decoders from a frame on. Hostile bytes may make a decoder panic, which becomes an error.
type decoded struct {
	format string
	s      beep.Streamer
	skip   int64 // frames to drop first
	left   int64 // frames until the end, according to the container
}

// decode starts a decoder and drops the frames before the wanted one.
func decode(format string, skip, left int64, start func() (beep.StreamSeekCloser, beep.Format, error)) (d *decoded, err error) {
	defer recovered(format, &err)
	if left <= 0 {
		return &decoded{}, nil // nothing is left to decode
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

// recovered turns a panic into an error.
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
	return &Unreadable{Words: i18n.F("This %s recording is damaged or of an unusual kind, so Assay can't read it.", format), Cause: cause}
}

// breaksOff is the error for a file that ends before the recording does; other errors of reading are returned as they are.
func breaksOff(cause error) error {
	if cause == nil || errors.Is(cause, io.EOF) || errors.Is(cause, io.ErrUnexpectedEOF) {
		return &Unreadable{Words: i18n.T("This recording breaks off: the end of the file is missing."), Cause: cause}
	}
	return cause
}
