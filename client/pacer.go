package client

import (
	"context"
	"sync"
	"time"

	"assay/client/i18n"
)

// The pacing of a service whose limits are not known (interface, "Limits": rate limits are not shown).
const (
	DefaultPace  = 60 // calls a minute
	DefaultBurst = 6  // calls that may go at once after a rest
)

// How a Pacer answers to how its calls fare.
const (
	slowestPart = 16 // its pace never falls below this part of the steady one
	raisingPart = 20 // a success raises the pace by this part of the steady one
)

// Pacer spreads the calls of all clients that share it: one bucket of calls, which fills at a steady pace. A busy
// service (429, 503) halves the pace and may pause all calls, each success raises it a little, up to the steady one.
// A Client takes a place for each of its requests, those of a retry included. Who plans calls of a Client asks FreeIn
// when there will be a place and leaves the taking to the Client, so that a call takes one place and not two.
// It is safe for use by many goroutines. The zero value holds no call up.
type Pacer struct {
	steady float64       // calls a minute; 0: no pacing
	burst  float64       // calls
	turn   chan struct{} // holds one while somebody waits for the bucket: first come, first served

	mu      sync.Mutex
	rate    float64   // calls a minute
	calls   float64   // in the bucket
	waiting int       // calls of clients that have no place yet
	filled  time.Time // when calls was reckoned
	slowed  time.Time // when the pace was halved
	paused  time.Time // until when no call goes
	status  int       // with which the service asked for that
}

// NewPacer returns a pacer of perMinute calls a minute, with burst calls at once after a rest. What is not positive
// becomes the default.
func NewPacer(perMinute float64, burst int) *Pacer {
	if perMinute <= 0 {
		perMinute = DefaultPace
	}
	if burst <= 0 {
		burst = DefaultBurst
	}
	return &Pacer{steady: perMinute, burst: float64(burst), turn: make(chan struct{}, 1), rate: perMinute, calls: float64(burst)}
}

// Pacer is the one that spreads this client's calls, for who plans them.
func (c *Client) Pacer() *Pacer { return c.pacer }

// enter waits for a place for one call, and returns when it got it. It fails with ctx's error, and with one of KindBusy where the
// service asked for a longer pause than a call waits.
func (p *Pacer) enter(ctx context.Context, now func() time.Time, wait func(context.Context, time.Duration) error) (at time.Time, err error) {
	at = now()
	if p.steady == 0 {
		return at, ctx.Err()
	}
	p.queue(1)
	defer p.queue(-1)
	select {
	case <-ctx.Done():
		return at, ctx.Err()
	case p.turn <- struct{}{}:
	}
	defer func() { <-p.turn }()
	at = now()
	for {
		d := p.Take(at)
		if d <= 0 {
			return at, ctx.Err()
		}
		if busy := p.longPause(at); busy != nil {
			return at, busy
		}
		if err := wait(ctx, d); err != nil {
			return at, err
		}
		at = at.Add(d) // even where the clock stood still meanwhile
		if read := now(); read.After(at) {
			at = read
		}
	}
}

// queue reckons with calls that wait for a place, or do no longer.
func (p *Pacer) queue(calls int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting += calls
}

// Take takes a place for one call and returns 0; or it takes none, and says how long it takes until there may be one.
func (p *Pacer) Take(now time.Time) time.Duration {
	if p.steady == 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.until(1, now)
	if d == 0 {
		p.calls--
	}
	return d
}

// longPause is the error of a call in a pause that is longer than a call waits; nil: there is none.
func (p *Pacer) longPause(now time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := p.paused.Sub(now)
	if left <= longestAsked {
		return nil
	}
	return &Error{Op: "call the service", Kind: KindBusy, Status: p.status, RetryAfter: left,
		Message: i18n.M("The service answered %d (%s).", p.status, statusWords(p.status))}
}

// FreeIn says how long it takes until there may be a place for one more call than wait for one already; 0 means now.
// It takes none.
func (p *Pacer) FreeIn(now time.Time) time.Duration {
	if p.steady == 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.until(1+p.waiting, now)
}

// until is how long it takes until there are places for so many calls; p.mu is held.
func (p *Pacer) until(calls int, now time.Time) time.Duration {
	p.fill(now)
	if d := p.paused.Sub(now); d > 0 {
		return d
	}
	missing := float64(calls) - p.calls
	if missing <= 0 {
		return 0
	}
	return max(time.Duration(missing/p.rate*float64(time.Minute)), time.Millisecond)
}

// fill reckons with the time since the last reckoning; p.mu is held. A clock that went back adds nothing.
func (p *Pacer) fill(now time.Time) {
	if !p.filled.IsZero() {
		p.calls = min(p.calls+max(now.Sub(p.filled).Minutes(), 0)*p.rate, p.burst)
	}
	p.filled = now
}

// busy is told of a call that began at a time and was answered with 429 or 503. Calls that had begun before the pace
// was last halved say nothing new, so that those that fail at once halve it once. The pause that e asks for holds for all calls.
func (p *Pacer) busy(began, now time.Time, e *Error) {
	if p.steady == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fill(now)
	if until := now.Add(e.Pause()); e.RetryAfter > 0 && until.After(p.paused) {
		p.paused, p.status = until, e.Status
	}
	if p.slowed.IsZero() || began.After(p.slowed) {
		p.rate, p.slowed = max(p.rate/2, p.steady/slowestPart), now
		p.calls = min(p.calls, 1)
	}
}

// succeeded is told of a call that was answered.
func (p *Pacer) succeeded(now time.Time) {
	if p.steady == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fill(now)
	p.rate = min(p.rate+p.steady/raisingPart, p.steady)
}
