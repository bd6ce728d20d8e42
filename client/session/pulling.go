package command

import (
	"context"
	"log/slog"
	"time"

	"assay/client"
	"assay/client/intake"
	"assay/client/pull"
	"assay/client/store"
)

// Pulling brings the service's own list into the store. Its methods are safe on any goroutine.
type Pulling struct {
	*pull.Puller
	store   *store.Store
	log     *slog.Logger
	changed chan struct{}
}

// factFetched is the store's fact of when the whole list was fetched last.
const factFetched = "pull.fetched"

func newPulling(c *client.Client, s *store.Store, q *intake.Queue, log *slog.Logger) *Pulling {
	p := &Pulling{store: s, log: log, changed: make(chan struct{}, 1)}
	p.Puller = pull.New(pull.Params{
		Client:       c,
		Store:        s,
		Account:      c.Address(),
		Claimed:      q.Claims,
		OnUnfinished: q.Adopt,
		OnChange:     p.note,
		Log:          log,
	})
	return p
}

// note writes down when a pull came to its end, and tells of the change.
func (p *Pulling) note() {
	if state := p.State(); state.Phase == pull.Idle && !state.Ended.IsZero() && !state.Stopped {
		if err := p.store.SetFact(context.Background(), factFetched, state.Ended.UTC().Format(time.RFC3339)); err != nil {
			p.log.Error("write down the fetching of the list", "error", err)
		}
	}
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// Changed receives when State or Fetched may have changed.
func (p *Pulling) Changed() <-chan struct{} { return p.changed }

// Fetched is when the whole list was fetched last; zero: never. It reads the disk.
func (p *Pulling) Fetched(ctx context.Context) time.Time {
	value, err := p.store.Fact(ctx, factFetched)
	if err != nil {
		p.log.Error("read when the list was fetched", "error", err)
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return time.Time{}
	}
	return at
}
