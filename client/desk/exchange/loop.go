package exchange

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
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

	questions chan question
	late      atomic.Bool // a question was not answered in time

	mu     sync.Mutex
	status Status
}

// Start begins. Close ends it.
func Start(p Params) *Loop {
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	ctx, stop := context.WithCancel(context.Background())
	l := &Loop{Params: p, stop: stop, wake: make(chan struct{}, 1), questions: make(chan question), status: Status{Since: time.Now(), Trying: true}}
	l.running.Go(func() { l.run(ctx) })
	if p.Files != nil {
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
	defer l.Looking.lost()
	defer x.looksAway(ctx)
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

// untilNew waits until the desk tells of something, something was done here, or it is time to look again. Meanwhile it tells which case is open.
func (l *Loop) untilNew(ctx context.Context, x *exchange, own *events.Subscription) error {
	again := time.Now().Add(lookAgain)
	for time.Now().Before(again) {
		until, err := x.look(ctx)
		if err != nil {
			return err
		}
		if until.IsZero() || until.After(again) {
			until = again
		}
		if came, err := l.wait(ctx, x, own, until); err != nil || came {
			return err
		}
	}
	return ctx.Err()
}

// wait waits until a time, or until there is something to do. came says that there may be something to send or to receive. What is asked on this computer
// is answered.
func (l *Loop) wait(ctx context.Context, x *exchange, own *events.Subscription, until time.Time) (came bool, err error) {
	waiting, end := context.WithDeadline(ctx, until)
	defer end()
	l.late.Store(false)
	done := make(chan bool, 1)
	var asked *question
	go func() { done <- l.here(waiting, x, own, &asked, end) }()
	notice, err := x.conn.Wait(waiting)
	end()
	came = <-done
	if err == nil && asked != nil {
		err = x.answer(ctx, *asked)
	}
	switch {
	case err != nil:
		return false, err
	case notice == postgres.NewViewers:
		x.lookNext = time.Now().Add(lookSoon)
	case notice == postgres.NewEvents:
		came = true
	}
	return came, ctx.Err()
}

// here ends the waiting where something was done or asked on this computer, and reports whether that may be something to send.
func (l *Loop) here(waiting context.Context, x *exchange, own *events.Subscription, asked **question, end func()) (came bool) {
	var done <-chan struct{}
	if own != nil {
		done = own.Ready()
	}
	var looking <-chan struct{}
	if l.Looking != nil {
		looking = l.Looking.changed
	}
	defer end()
	for {
		select {
		case <-done:
			own.Take()
			if unsent, err := l.Store.Unsent(waiting, 1); err == nil && len(unsent) > 0 && x.sends {
				return true
			}
		case <-l.wake:
			return true
		case <-looking:
			return false
		case q := <-l.questions:
			*asked = &q
			return false
		case <-waiting.Done():
			return false
		}
	}
}
