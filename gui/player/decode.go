package player

import (
	"io"

	"assay/client/media/sound"

	"github.com/gopxl/beep/v2"
)

const (
	// blockFrames are decoded at a time; up to queueFrames wait for the output: 0.3 s at 48 kHz.
	blockFrames = 1024
	queueFrames = 14 * blockFrames
	// resampling is beep's quality: eight points, without audible artefacts.
	resampling = 4
)

// decode keeps the queue filled, from the position of the last jump on.
func (p *Player) decode() {
	var from *reading
	jumps := -1
	for {
		p.mu.Lock()
		for !p.closed && (!p.started || jumps == p.jumps && (p.queue.size >= queueFrames || p.queue.last)) {
			p.room.Wait()
		}
		closed, jumped, target, a, b := p.closed, jumps != p.jumps, p.target, p.from, p.to
		jumps = p.jumps
		p.mu.Unlock()
		if closed {
			return
		}
		if jumped {
			from = p.read(target)
		}
		if a < b && from.at() >= float64(b) {
			from = p.read(a)
		}
		made, err := from.block(a, b)
		p.mu.Lock()
		if jumps == p.jumps {
			p.take(made, err)
		}
		waited := p.queue.held
		p.mu.Unlock()
		if waited {
			p.nudge()
		}
	}
}

// take adds decoded frames to the queue. The lock must be held.
func (p *Player) take(made block, err error) {
	if len(made.frames) > 0 {
		p.queue.push(made)
	}
	switch {
	case err == nil:
		return
	case !sound.Ended(err):
		p.decoding = err
	}
	p.queue.last = true
	if len(p.queue.blocks) == 0 {
		p.queue.end = p.queue.asked
	}
}

// reading reads a recording from a frame on, resampled to the output's rate.
type reading struct {
	stream sound.Stream
	err    error // why it ended
	first  int64 // the first frame that was read
	step   float64
	given  int64 // frames returned so far, at the output's rate
	out    beep.Streamer
}

func (p *Player) read(first int64) *reading {
	r := &reading{first: first, step: float64(p.recording.Rate()) / float64(p.options.Output.Rate())}
	r.stream, r.err = p.recording.Stream(p.ctx, first)
	r.out = r
	if r.step != 1 {
		r.out = beep.ResampleRatio(resampling, r.step, r)
	}
	return r
}

// at returns the position in the recording, in its frames, of the next frame to return.
func (r *reading) at() float64 { return float64(r.first) + float64(r.given)*r.step }

// block returns the next frames, up to the end of the loop a..b if that is ahead.
func (r *reading) block(a, b int64) (block, error) {
	want := blockFrames
	if a < b && r.at() < float64(b) {
		want = min(want, max(1, int((float64(b)-r.at())/r.step)))
	}
	frames := make([][2]float64, want)
	n := 0
	for n < want {
		got, ok := r.out.Stream(frames[n:])
		n += got
		if !ok || got == 0 {
			break
		}
	}
	made := block{frames: make([][2]float32, n), at: r.at(), step: r.step}
	for i, f := range frames[:n] {
		made.frames[i] = [2]float32{float32(f[0]), float32(f[1])}
	}
	r.given += int64(n)
	if n < want {
		if r.err == nil {
			r.err = io.EOF
		}
		return made, r.err
	}
	return made, nil
}

// Stream implements beep.Streamer, which takes fewer frames than asked for as the end.
func (r *reading) Stream(frames [][2]float64) (n int, ok bool) {
	for n < len(frames) && r.err == nil {
		var got int
		got, r.err = r.stream.Read(frames[n:])
		n += got
	}
	return n, n > 0
}

// Err implements beep.Streamer.
func (r *reading) Err() error { return r.err }
