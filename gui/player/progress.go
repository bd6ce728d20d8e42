package player

import "time"

const (
	// ahead is how far the position may run on from what an output last reported: outputs report by the period, a screen
	// wants to know between.
	ahead = 60 * time.Millisecond
	// patience is how long an output may play nothing. With what it takes to notice, it is under two seconds.
	patience = 1800 * time.Millisecond
)

// progress is how far an output has come, smoothly. It counts frames of the output. Its user locks.
type progress struct {
	heard  int64     // as last reported
	when   time.Time // that was
	shown  int64     // the largest that was told since the last jump
	moving bool      // the output has taken something since it began
}

// rest says that playing begins now.
func (p *progress) rest(now time.Time) { p.when, p.moving = now, false }

// jump says that frames before this one don't count any more.
func (p *progress) jump(now time.Time, asked int64) {
	*p = progress{heard: asked, when: now, shown: asked}
}

// hold keeps what was shown when playing stops.
func (p *progress) hold(now time.Time, q *queue, rate float64) { p.now(now, q, true, rate) }

// report says how many frames were heard, and for how long that has not changed.
func (p *progress) report(now time.Time, heard int64) (still time.Duration) {
	if heard > p.heard {
		p.heard, p.when, p.moving = heard, now, true
	}
	return now.Sub(p.when)
}

// now is the frame that is heard. It never goes back but in a jump.
func (p *progress) now(now time.Time, q *queue, playing bool, rate float64) int64 {
	at := p.heard
	if playing && p.moving {
		at += int64(min(now.Sub(p.when), ahead).Seconds() * rate)
	}
	p.shown = max(p.shown, min(at, q.asked))
	return p.shown
}
