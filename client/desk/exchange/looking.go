package exchange

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"assay/client/events"
)

const (
	// lookEvery is how often the desk is told that a case is still open: desk.look_at forgets it after 40 seconds.
	lookEvery = 15 * time.Second
	// lookSoon is how long after a notice the desk is asked who has the case open: many may come at once.
	lookSoon = time.Second
)

// Looking is which shared case the person has open, and who else has. It is kept nowhere but at the desk, for less than a minute. Its methods may be called on
// any goroutine, and none waits.
type Looking struct {
	hub     *events.Hub
	changed chan struct{}

	mu     sync.Mutex
	open   uuid.UUID
	others []string
}

// NewLooking begins with no open case. The hub gets events.Viewers when Others has changed.
func NewLooking(hub *events.Hub) *Looking {
	return &Looking{hub: hub, changed: make(chan struct{}, 1)}
}

// At says which shared case is open now, by its ID at the desk; uuid.Nil, or Away, for none.
func (l *Looking) At(caseID uuid.UUID) {
	l.mu.Lock()
	same := l.open == caseID
	if l.open = caseID; !same {
		l.others = nil
	}
	l.mu.Unlock()
	if !same {
		select {
		case l.changed <- struct{}{}:
		default:
		}
	}
}

// Away says that no shared case is open.
func (l *Looking) Away() { l.At(uuid.Nil) }

// Others are the members who have the open case open, too, by their logins, as the desk last said. Without a connection there are none.
func (l *Looking) Others() (caseID uuid.UUID, logins []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open, l.others
}

func (l *Looking) now() uuid.UUID {
	if l == nil {
		return uuid.Nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

// found keeps who else has a case open, unless another is open by now.
func (l *Looking) found(caseID uuid.UUID, others []string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	changed := l.open == caseID && !slices.Equal(l.others, others)
	if changed {
		l.others = others
	}
	l.mu.Unlock()
	if changed && l.hub != nil {
		l.hub.Publish(events.Event{Topic: events.Viewers})
	}
}

// lost forgets who else has the case open: there is no connection.
func (l *Looking) lost() { l.found(l.now(), nil) }

// look tells the desk which case is open and asks who else has it open, where it is time to. While none is open, nothing is asked. It returns when it is time
// again; zero: once another is open.
func (x *exchange) look(ctx context.Context) (next time.Time, err error) {
	open := x.Looking.now()
	switch {
	case open == x.told && (x.lookNext.IsZero() || time.Now().Before(x.lookNext)):
		return x.lookNext, nil
	case x.conn.Newer:
		return time.Time{}, nil
	}
	if opens := open != uuid.Nil; opens != (x.told != uuid.Nil) {
		if err := x.conn.ListenViewers(ctx, opens); err != nil {
			return time.Time{}, err
		}
	}
	others, err := x.conn.LookAt(ctx, DeviceOf(x.conn.Me().Name, x.key), open)
	if err != nil && !refused(err) { // of a case that the desk does not have yet, or in which the member is no longer, nothing is told
		return time.Time{}, err
	}
	x.Looking.found(open, others)
	x.told, x.lookNext = open, time.Time{}
	if open != uuid.Nil {
		x.lookNext = time.Now().Add(lookEvery)
	}
	return x.lookNext, nil
}

// looksAway tells the desk, before the connection is closed, that the open case is no longer: without that it would take the desk most of a minute.
func (x *exchange) looksAway(ctx context.Context) {
	if x.told == uuid.Nil {
		return
	}
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer end()
	if _, err := x.conn.LookAt(ctx, DeviceOf(x.conn.Me().Name, x.key), uuid.Nil); err != nil {
		x.Log.Debug("the desk is not told that no case is open", "error", err)
	}
}
