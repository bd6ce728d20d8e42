package player

import (
	"sort"
	"time"
)

// block has decoded frames for the output.
type block struct {
	frames [][2]float32
	at     float64 // position of the first frame in the recording, in frames
	step   float64 // from one frame to the next, in frames of the recording
}

// span maps frames that the output asked for to frames of the recording.
type span struct {
	out  int64 // first frame of the output
	at   float64
	step float64 // 0 for silence
}

// queue lies between the decoder and the output, and maps the output's frames to those of the recording. Its caller must lock.
type queue struct {
	blocks []block
	size   int   // frames in blocks
	asked  int64 // frames that the output asked for, including silence
	spans  []span
	gain   float32 // of the last frame; negative after a jump
	// held makes fill return silence, until the output has discarded its frames from before a jump.
	held bool
	// last is set once the recording's last frame was pushed. end is set once the output has that frame, to the number of frames asked for by then.
	last bool
	end  int64
}

// jump drops everything and goes on from another position, in frames of the recording.
func (q *queue) jump(to float64) {
	q.blocks, q.size, q.last, q.end, q.gain = nil, 0, false, 0, -1
	q.spans = append(q.spans[:0], span{out: q.asked, at: to})
}

func (q *queue) push(b block) {
	q.blocks = append(q.blocks, b)
	q.size += len(b.frames)
}

// fill gives the output its frames. The volume changes gradually, to avoid clicks.
func (q *queue) fill(frames [][2]float32, volume float32) {
	if q.gain < 0 {
		q.gain = volume
	}
	rise := (volume - q.gain) / float32(max(1, len(frames)))
	for len(frames) > 0 {
		if q.held || len(q.blocks) == 0 {
			q.mark(q.place(q.asked), 0)
			clear(frames)
			q.asked += int64(len(frames))
			break
		}
		b := &q.blocks[0]
		n := min(len(frames), len(b.frames))
		q.mark(b.at, b.step)
		for i, f := range b.frames[:n] {
			q.gain += rise
			frames[i] = [2]float32{f[0] * q.gain, f[1] * q.gain}
		}
		q.asked += int64(n)
		q.size -= n
		frames = frames[n:]
		b.frames, b.at = b.frames[n:], b.at+float64(n)*b.step
		if len(b.frames) == 0 {
			q.blocks = q.blocks[1:]
			if q.last && len(q.blocks) == 0 {
				q.end = q.asked
			}
		}
	}
	q.gain = volume
}

// drained reports whether the output has asked for everything up to the end of the recording.
func (q *queue) drained() bool { return q.last && len(q.blocks) == 0 }

// mark begins a span at the next frame, unless that continues the last span.
func (q *queue) mark(at, step float64) {
	if n := len(q.spans); n > 0 {
		s := q.spans[n-1]
		gap := s.at + float64(q.asked-s.out)*s.step - at
		if s.step == step && gap < 1 && gap > -1 {
			return
		}
		if s.out == q.asked {
			q.spans = q.spans[:n-1]
		}
	}
	q.spans = append(q.spans, span{out: q.asked, at: at, step: step})
}

// place returns which frame of the recording a frame of the output is.
func (q *queue) place(out int64) float64 {
	i := sort.Search(len(q.spans), func(i int) bool { return q.spans[i].out > out }) - 1
	if i < 0 {
		if len(q.spans) == 0 {
			return 0
		}
		return q.spans[0].at
	}
	return q.spans[i].at + float64(out-q.spans[i].out)*q.spans[i].step
}

// heard drops spans before what was heard.
func (q *queue) heard(out int64) {
	for len(q.spans) > 1 && q.spans[1].out <= out {
		q.spans = q.spans[1:]
	}
}

const (
	// ahead is how far the position may advance beyond what the output last reported: outputs report once a period, but the screen shows moments in
	// between.
	ahead = 60 * time.Millisecond
	// patience is how long an output may play nothing. With the time to notice it, that is under two seconds.
	patience = 1800 * time.Millisecond
)

// progress is how far an output has come, smoothed, in frames of the output. Its caller must lock.
type progress struct {
	heard  int64     // as last reported
	when   time.Time // time of that report
	shown  int64     // the largest that was returned since the last jump
	moving bool      // whether the output has taken anything since playing began
}

// start is called when playing begins.
func (p *progress) start(now time.Time) { p.when, p.moving = now, false }

// jump makes frames before asked not count any more.
func (p *progress) jump(now time.Time, asked int64) {
	*p = progress{heard: asked, when: now, shown: asked}
}

// hold keeps the last position when playing stops.
func (p *progress) hold(now time.Time, q *queue, rate float64) { p.now(now, q, true, rate) }

// report takes how many frames were heard, and returns for how long that has not changed.
func (p *progress) report(now time.Time, heard int64) (still time.Duration) {
	if heard > p.heard {
		p.heard, p.when, p.moving = heard, now, true
	}
	return now.Sub(p.when)
}

// now returns the frame that is heard. It goes back only in a jump.
func (p *progress) now(now time.Time, q *queue, playing bool, rate float64) int64 {
	at := p.heard
	if playing && p.moving {
		at += int64(min(now.Sub(p.when), ahead).Seconds() * rate)
	}
	p.shown = max(p.shown, min(at, q.asked))
	return p.shown
}
