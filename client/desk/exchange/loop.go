package exchange

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"assay/client/desk/postgres"
	"assay/client/events"
	"assay/client/retry"
	"assay/client/store"
)

const (
	// lookAgain is how often the desk is asked although it tells of nothing new: a notice may have been lost.
	lookAgain = 30 * time.Second
	// heldBack is for how long another program's open transaction may keep events back before that is said.
	heldBack = 10 * time.Second
	// longPause is that after what a person has to put right: each attempt may ask for the keychain's password, or count as a guess at the desk's.
	longPause = 15 * time.Minute
)

var backoff = retry.Backoff{First: time.Second, Longest: time.Minute}

// Status is how the connection to the desk is.
type Status struct {
	Connected bool
	Since     time.Time // since when it has been connected, or not
	Trying    bool      // it is being connected
	Next      time.Time // when that is tried again, without a connection
	Me        postgres.Member
	Problem   error         // why not; nil while it is connected, or being connected for the first time
	Newer     bool          // a later Assay has changed the desk: what is done here is not sent
	HeldBack  time.Duration // for how long somebody else's open transaction has kept new events back; 0: none does
}

// Loop exchanges in the background: at once what is done here, and what the desk tells of. One goroutine owns the connection; nothing else waits for
// it. Its methods may be called on any goroutine.
type Loop struct {
	Params
	stop    context.CancelFunc
	running sync.WaitGroup
	wake    chan struct{}

	mu     sync.Mutex
	status Status
}

// Start begins. Close ends it.
func Start(p Params) *Loop {
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	ctx, stop := context.WithCancel(context.Background())
	l := &Loop{Params: p, stop: stop, wake: make(chan struct{}, 1), status: Status{Since: time.Now(), Trying: true}}
	l.running.Go(func() { l.run(ctx) })
	if p.Address.Files() != "" {
		l.running.Go(func() { l.runFiles(ctx) })
	}
	return l
}

// Close ends the connection and waits for it.
func (l *Loop) Close() {
	l.stop()
	l.running.Wait()
}

// Status is how it is now.
func (l *Loop) Status() Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.status
}

// TryNow ends a pause after a failure.
func (l *Loop) TryNow() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *Loop) set(s Status) {
	l.mu.Lock()
	if s.Since = l.status.Since; s.Connected != l.status.Connected {
		s.Since = time.Now()
	}
	changed := l.status.Connected != s.Connected || l.status.Trying != s.Trying || l.status.Newer != s.Newer || (l.status.HeldBack == 0) != (s.HeldBack == 0) || !sameCause(l.status.Problem, s.Problem)
	l.status = s
	l.mu.Unlock()
	if changed && l.Events != nil {
		l.Events.Publish(events.Event{Topic: events.Desk})
	}
}

func sameCause(a, b error) bool {
	var one, other *postgres.Problem
	if errors.As(a, &one) && errors.As(b, &other) {
		return one.Cause == other.Cause
	}
	return (a == nil) == (b == nil)
}

// run connects again and again, with growing pauses.
func (l *Loop) run(ctx context.Context) {
	failures := 0
	for ctx.Err() == nil {
		err := l.connected(ctx, func() { failures = 0 })
		if ctx.Err() != nil {
			return
		}
		failures++
		wait := backoff.Pause(failures, rand.Float64()) //nolint:gosec // it only spreads the attempts of many
		if !temporary(err) {
			wait = longPause
		}
		l.set(Status{Problem: err, Next: time.Now().Add(wait)})
		pause, end := context.WithTimeout(ctx, wait)
		select {
		case <-pause.Done():
		case <-l.wake:
		}
		end()
		l.set(Status{Problem: err, Trying: true})
	}
}

// temporary reports whether an error may be over without anybody's help: those of the keychain and of the person's login are not.
func temporary(err error) bool {
	var p *postgres.Problem
	if errors.As(err, &p) {
		return p.Temporary()
	}
	var own *store.Error
	return errors.As(err, &own)
}

// connected is one connection, until it breaks. It calls worked each time that all was exchanged.
func (l *Loop) connected(ctx context.Context, worked func()) error {
	x, err := connect(ctx, l.Params)
	if err != nil {
		return err
	}
	defer x.conn.Close()
	if err := x.conn.Listen(ctx); err != nil {
		return err
	}
	var own *events.Subscription
	if l.Events != nil {
		own = l.Events.Subscribe(events.Desk)
		defer own.Close()
	}
	status := Status{Connected: true}
	x.working = func() { // however long it takes to receive what is there
		status.Me, status.Newer = x.conn.Me(), x.conn.Newer
		l.set(status)
	}
	for {
		if err := x.both(ctx); err != nil && !is(err, postgres.NewerDesk) { // which is still read
			return err
		}
		worked()
		held, err := x.conn.Waiting(ctx)
		if err != nil {
			return err
		}
		status.HeldBack = 0
		if d := time.Duration(held * float64(time.Second)); d >= heldBack {
			status.HeldBack = d
		}
		l.set(status)
		if err := l.untilNew(ctx, x, own); err != nil {
			return err
		}
	}
}

// untilNew waits until the desk tells of something, something was done here, or it is time to look again.
func (l *Loop) untilNew(ctx context.Context, x *exchange, own *events.Subscription) error {
	waiting, end := context.WithTimeout(ctx, lookAgain)
	defer end()
	done := make(chan struct{})
	defer func() { end(); <-done }()
	go func() {
		defer close(done)
		for own != nil {
			select {
			case <-own.Ready():
				own.Take()
				if unsent, err := l.Store.Unsent(waiting, 1); err == nil && len(unsent) > 0 && x.sends {
					end()
				}
			case <-l.wake:
				end()
			case <-waiting.Done():
				return
			}
		}
	}()
	if err := x.conn.Wait(waiting); err != nil {
		return err
	}
	return ctx.Err()
}
