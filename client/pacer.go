package client

import (
	"context"
	"sync"
	"time"

	"assay/client/i18n"
)

// The default pace, for a service that does not show its rate limits (interface, "Limits").
const (
	DefaultPace  = 60 // calls a minute
	DefaultBurst = 6  // calls that may be made at once after a rest
)

// How a Pacer reacts to the outcome of calls.
const (
	slowestPart = 16 // the pace never falls below this part of the steady one
	raisingPart = 20 // a success raises the pace by this part of the steady one
)

// Pacer spreads the calls of all clients that share it. It is one token bucket, which fills at a steady pace. An answer of 429 or 503 halves the pace
// and may pause all calls; each success raises it a little, up to the steady pace. A Client takes a token for each of its requests, retries included.
// A caller that plans a Client's calls asks FreeIn when a token will be free and leaves the taking to the Client, so that a call takes one token and
// not two. It is safe for use by many goroutines. The zero value delays no call.
type Pacer struct {
	steady float64       // calls a minute; 0: no pacing
	burst  float64       // calls
	turn   chan struct{} // holds one while somebody waits for a token: first come, first served

	mu      sync.Mutex
	rate    float64   // calls a minute
	calls   float64   // tokens in the bucket
	waiting int       // calls of clients that wait for a token
	filled  time.Time // when calls was last brought up to date
	slowed  time.Time // when the pace was last halved
	paused  time.Time // until when no call is made
	status  int       // of the answer that asked for the pause
}

// NewPacer returns a pacer of perMinute calls a minute, with burst calls at once after a rest. Values that are not positive become the defaults.
func NewPacer(perMinute float64, burst int) *Pacer {
	if perMinute <= 0 {
		perMinute = DefaultPace
	}
	if burst <= 0 {
		burst = DefaultBurst
	}
	return &Pacer{steady: perMinute, burst: float64(burst), turn: make(chan struct{}, 1), rate: perMinute, calls: float64(burst)}
}

// Pacer is the one that spreads this client's calls, for callers that plan them.
func (c *Client) Pacer() *Pacer { return c.pacer }

// enter waits for a token for one call. It fails with ctx's error, or with KindBusy where the service asked for a pause longer than a call waits.
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
		at = at.Add(d) // even if the clock stood still meanwhile
		if read := now(); read.After(at) {
			at = read
		}
	}
}

// queue adds to the calls that wait for a token, or subtracts from them.
func (p *Pacer) queue(calls int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting += calls
}

// Take takes a token and returns 0; or it takes none, and returns the time until one may be free.
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

// longPause is the error of a call in a pause that is longer than a call waits; nil without such a pause.
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

// FreeIn returns the time until a token may be free for one call more than wait already; 0 means now. It takes none.
func (p *Pacer) FreeIn(now time.Time) time.Duration {
	if p.steady == 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.until(1+p.waiting, now)
}

// until is the time until there are tokens for so many calls; p.mu is held.
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

// fill adds the tokens for the time since it was last called; p.mu is held. A clock that went back adds none.
func (p *Pacer) fill(now time.Time) {
	if !p.filled.IsZero() {
		p.calls = min(p.calls+max(now.Sub(p.filled).Minutes(), 0)*p.rate, p.burst)
	}
	p.filled = now
}

// busy records that a call that began at began was answered with 429 or 503. If it began before the pace was last halved, the pace is not halved
// again, so that calls that fail together halve it once. The pause that e asks for holds for all calls.
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

// succeeded records that a call was answered.
func (p *Pacer) succeeded(now time.Time) {
	if p.steady == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fill(now)
	p.rate = min(p.rate+p.steady/raisingPart, p.steady)
}
