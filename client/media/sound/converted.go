package sound

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"assay/client/ffmpeg"
	"assay/client/i18n"
)

const (
	// mostConverted bounds what ffmpeg decodes of a recording, in bytes: 12 hours of two channels at 48 kHz.
	mostConverted = 8 << 30
	// longestConverting bounds a run of ffmpeg, which decodes an hour of sound in about ten seconds.
	longestConverting = 30 * time.Minute
)

// converted is a recording that ffmpeg decodes, once, to a temporary file of 16-bit samples. The waveform needs one whole decoding anyway,
// and in the file every place is found at once and exactly. A run of ffmpeg for every seek would take a tenth of a second, and in a format
// without an index, such as AAC, it would only guess the place. The file can be read while it grows.
type converted struct {
	about   facts
	samples *os.File
	stop    context.CancelFunc
	ended   sync.WaitGroup

	mu      sync.Mutex
	written int64         // bytes
	claimed int64         // frames, by the header
	done    bool          // nothing more will be written
	failed  error         // the error with which it ended
	grown   chan struct{} // closed when written or done changes
}

// convert starts ffmpeg, and waits for the first samples.
func (o Opener) convert(ctx context.Context, f *file) (source, error) {
	find := o.FFmpeg
	if find == nil {
		find = ffmpeg.Find
	}
	tool, err := find()
	if err != nil {
		return nil, &NeedsFFmpeg{Format: f.name, Cause: err}
	}
	about, err := tool.Probe(ctx, f.path, ffmpeg.Demuxer(f.format))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case ffmpeg.IsMissing(err):
		return nil, &NeedsFFmpeg{Format: f.name, Cause: err}
	case err != nil:
		return nil, damaged(f.name, err)
	case about.Sound == nil:
		return nil, &Unreadable{Words: i18n.F("There is no sound in this %s file.", f.name)}
	}
	c := &converted{about: facts{format: f.name, rate: about.Sound.Rate, channels: about.Sound.Channels}, grown: make(chan struct{})}
	if err := (&Recording{about: c.about}).check(); err != nil {
		return nil, err
	}
	length := about.Sound.Duration
	if length == 0 {
		length = about.Duration
	}
	c.claimed = int64(length.Seconds() * float64(c.about.rate))
	if c.samples, err = createNameless(o.Dir); err != nil {
		return nil, fmt.Errorf("a temporary file for the decoded sound: %w", err)
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	c.stop = stop
	c.ended.Go(func() {
		c.run(running, tool, ffmpeg.Job{Path: f.path, Demuxer: ffmpeg.Demuxer(f.format), Longest: longestConverting, After: c.arguments()})
	})
	if err := tryOut(ctx, c); err != nil {
		return nil, errors.Join(noSamples(err), c.release())
	}
	return c, nil
}

// noSamples turns the end of a recording before its first sample into an error with a sentence.
func noSamples(err error) error {
	if Ended(err) {
		return &Unreadable{Words: i18n.T("There is no sound in this recording: it has no samples."), Cause: err}
	}
	return err
}

// heard is the number of channels that are decoded.
func (c *converted) heard() int { return min(2, c.about.channels) }

func (c *converted) arguments() []string {
	return []string{
		"-map", "0:a:0", "-vn", "-sn", "-dn", "-ac", fmt.Sprint(c.heard()), "-ar", fmt.Sprint(c.about.rate),
		"-c:a", "pcm_s16le", "-f", "s16le", "pipe:1",
	}
}

// run writes the samples from ffmpeg to the file.
func (c *converted) run(ctx context.Context, tool ffmpeg.Tool, job ffmpeg.Job) {
	err := tool.Run(ctx, job, func(out io.Reader) error {
		block := make([]byte, 1<<18)
		for {
			n, err := io.ReadFull(out, block)
			if n > 0 {
				if c.written+int64(n) > mostConverted {
					return &Unreadable{Words: i18n.T("This recording is too long, so Assay can't play the rest of it.")}
				}
				if _, err := c.samples.WriteAt(block[:n], c.written); err != nil {
					return err
				}
				c.grow(int64(n))
			}
			if err != nil {
				return nil // ffmpeg's own error follows
			}
		}
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done, c.failed = true, err
	close(c.grown)
	c.grown = make(chan struct{})
}

// grow adds to written. Only run calls it, so run may read written without the lock.
func (c *converted) grow(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written += n
	close(c.grown)
	c.grown = make(chan struct{})
}

func (c *converted) facts() facts { return c.about }

func (c *converted) frames() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	written := c.written / int64(2*c.heard())
	if c.done {
		return written
	}
	return max(written, c.claimed, 1)
}

func (c *converted) exact() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.done
}

func (c *converted) cut() bool { return false }

func (c *converted) release() error {
	c.stop()
	c.ended.Wait()
	return c.samples.Close()
}

func (c *converted) open(ctx context.Context, from int64) (Stream, error) {
	return &convertedStream{of: c, ctx: ctx, at: from * int64(2*c.heard())}, nil
}

// convertedStream reads the samples, and waits for those that are not decoded yet.
type convertedStream struct {
	of     *converted
	ctx    context.Context
	at     int64
	buffer []byte
}

func (s *convertedStream) Read(frames [][2]float64) (int, error) {
	size := 2 * s.of.heard()
	there, err := s.wait()
	if there < int64(size) {
		return 0, err
	}
	n := int(min(int64(len(frames)), there/int64(size), 1<<14))
	if len(s.buffer) < n*size {
		s.buffer = make([]byte, n*size)
	}
	b := s.buffer[:n*size]
	if _, err := s.of.samples.ReadAt(b, s.at); err != nil {
		return 0, err
	}
	s.at += int64(len(b))
	for i := range frames[:n] {
		left := int16(binary.LittleEndian.Uint16(b[i*size:]))
		right := int16(binary.LittleEndian.Uint16(b[i*size+size-2:]))
		frames[i] = [2]float64{float64(left) / (1 << 15), float64(right) / (1 << 15)}
	}
	return n, nil
}

// wait returns the number of bytes that can be read, at least one frame's; if it is less, reason says why.
func (s *convertedStream) wait() (there int64, reason error) {
	c := s.of
	for {
		c.mu.Lock()
		there, done, failed, grown := c.written-s.at, c.done, c.failed, c.grown
		c.mu.Unlock()
		if there >= int64(2*c.heard()) {
			return there, nil
		}
		if done {
			var disk *fs.PathError
			switch {
			case failed == nil:
				return 0, io.EOF
			case errors.As(failed, &disk):
				return 0, &Unreadable{Words: i18n.T("Assay could not play this recording: there is no room for it in the folder for temporary files."), Cause: failed}
			case isUnreadable(failed), errors.Is(failed, context.Canceled):
				return 0, failed
			default:
				return 0, &Unreadable{Words: i18n.T("This recording is damaged: Assay can't read it from here on."), Cause: failed}
			}
		}
		select {
		case <-grown:
		case <-s.ctx.Done():
			return 0, s.ctx.Err()
		}
	}
}
