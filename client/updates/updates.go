// Package updates asks once a week whether there is a newer version of Assay, if the person chose that, and keeps what was answered for a notice. It
// downloads nothing. A program that a system updates has none of this: no address is linked into it. It imports client, config, address, events and wait.
package updates

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"assay/client"
	"assay/client/address"
	"assay/client/config"
	"assay/client/events"
	"assay/client/wait"
)

// How long after a request the next one is at least, and by how much more at random, so that requests say nothing of a person's habits.
const (
	afterAnswer  = 7 * 24 * time.Hour
	afterFailure = 24 * time.Hour
	spread       = 24 * time.Hour
)

// How long after the start, and after the last look, it is seen whether it is time to ask: a random time between these. The clock is looked at that
// often since a computer that slept tells nobody.
const (
	shortestLook = 5 * time.Minute
	longestLook  = 30 * time.Minute
)

// patience is how long an answer may take.
const patience = 30 * time.Second

// Params are what a Checker needs.
type Params struct {
	Address string // the https URL that is asked: it answers with a Latest as JSON
	Version string // of this program
	Home    string // where it is kept when it was asked
	Config  *config.Config
	Network func() client.Network // how the person has Assay reach the network
	Events  *events.Hub           // gets events.Updates when Newer changes
	Log     *slog.Logger

	Now    func() time.Time                                 // nil: time.Now
	Wait   func(ctx context.Context, d time.Duration) error // nil: wait.For
	Jitter func() float64                                   // from 0 to 1; nil: at random

	patience time.Duration // tests shorten it; 0: patience
}

// Checker asks for newer versions. Its methods may be called on any goroutine.
type Checker struct {
	Params
	address *url.URL

	asking  sync.Mutex // held during a request
	keeping sync.Mutex // held during a change of kept
	kept    atomic.Pointer[config.UpdateState]
}

// New reads what earlier runs kept; it makes no request. An error means that the address is no https URL.
func New(p Params) (*Checker, error) {
	where, err := address.Parse(p.Address, "https")
	if err != nil {
		return nil, err
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Wait == nil {
		p.Wait = wait.For
	}
	if p.Jitter == nil {
		p.Jitter = rand.Float64
	}
	if p.patience == 0 {
		p.patience = patience
	}
	c := &Checker{Params: p, address: where}
	kept := config.LoadState(p.Home).Updates
	c.kept.Store(&kept)
	return c, nil
}

// Host is who is asked, as it is shown.
func (c *Checker) Host() string { return c.address.Host }

// Run asks whenever it is time, until ctx ends.
func (c *Checker) Run(ctx context.Context) {
	for c.Wait(ctx, shortestLook+time.Duration(c.Jitter()*float64(longestLook-shortestLook))) == nil {
		c.askIfDue(ctx)
	}
}

// Offline reports whether nothing may be asked at all: Assay works with the sandbox, or with nothing yet.
func (c *Checker) Offline() bool { return c.Config.Settings().Service.Use != config.UseService }

// chosen reports whether it is to be asked every week. While it can't be read what IT has locked, it is not.
func (c *Checker) chosen() bool {
	return c.Config.Settings().Updates.Check && !c.Config.LocksUnread()
}

func (c *Checker) askIfDue(ctx context.Context) {
	if !c.chosen() || c.Offline() {
		return
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	due := false
	err := c.keep(func(kept *config.UpdateState) {
		now := c.now()
		switch {
		case kept.Asked.After(now): // the clock was set back since, and a week by this clock begins now
			kept.Asked, kept.Next = now, c.after(now, afterAnswer)
		case !now.Before(kept.Next):
			due = true
			c.count(kept)
		}
	})
	if err != nil { // then it could ask again and again
		c.Log.Info("newer versions are not asked for, since it can't be kept when they were", "error", err)
		return
	}
	if due {
		_, _ = c.ask(ctx) // it is logged
	}
}

// setting is the key of what the person chooses.
const setting config.Key = "updates.check"

var errOffline = errors.New("nothing is asked while Assay works with the sandbox")

// Ask asks now, since the person wants to know. newer is false if there is no newer version. An error is a *client.Error; or it was not asked: a
// *config.Fixed where IT has locked that nothing is, another where Offline.
func (c *Checker) Ask(ctx context.Context) (latest Latest, newer bool, err error) {
	switch {
	case c.Offline():
		return Latest{}, false, errOffline
	case c.Config.Origin(setting) == config.Locked && !c.chosen():
		return Latest{}, false, &config.Fixed{Key: setting, By: config.Locked}
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	if err := c.keep(c.count); err != nil {
		c.Log.Info("it is not kept when newer versions were asked for", "error", err)
	}
	latest, err = c.ask(ctx)
	return latest, err == nil && newerThan(latest.Version, c.Version), err
}

// ask makes the request, which was counted before: one that fails, or during which Assay ends, counts too. c.asking is held.
func (c *Checker) ask(ctx context.Context) (Latest, error) {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	content, err := client.AskForLatest(ctx, c.Network(), c.Address)
	var latest Latest
	if err == nil {
		latest, err = Parse(content, c.address)
	}
	if err != nil {
		c.Log.Info("asked for the newest version, in vain", "error", err)
		return Latest{}, err
	}
	c.Log.Info("asked for the newest version", "version", latest.Version)
	if err := c.keep(func(kept *config.UpdateState) {
		kept.Version, kept.Page, kept.Next = latest.Version, latest.Page, c.after(kept.Asked, afterAnswer)
	}); err != nil {
		c.Log.Info("the newest version is not kept", "error", err)
	}
	return latest, nil
}

// Newer is the newer version that the person is to be told of; ok is false if there is none, if they want to hear no more of it, or if they did not
// choose that it is asked for.
func (c *Checker) Newer() (latest Latest, ok bool) {
	kept := c.kept.Load()
	latest = Latest{Version: kept.Version, Page: kept.Page}
	if !c.chosen() || kept.NotNow == kept.Version || latest.check(c.address) != nil || !newerThan(latest.Version, c.Version) {
		return Latest{}, false
	}
	return latest, true
}

// NotNow has Newer say no more of this version. It writes to the disk.
func (c *Checker) NotNow(version string) {
	if err := c.keep(func(kept *config.UpdateState) { kept.NotNow = version }); err != nil {
		c.Log.Info("it is not kept that the person wants to hear no more of a version", "error", err)
	}
}

// count notes a request that is about to be made.
func (c *Checker) count(kept *config.UpdateState) {
	kept.Asked = c.now()
	kept.Next = c.after(kept.Asked, afterFailure)
}

// keep changes what is kept, here and on the disk. With an error it holds for this run alone.
func (c *Checker) keep(do func(*config.UpdateState)) error {
	c.keeping.Lock()
	defer c.keeping.Unlock()
	before := *c.kept.Load()
	now := before
	err := config.ChangeState(c.Home, func(s *config.State) {
		do(&s.Updates)
		now = s.Updates
	})
	if err != nil {
		now = before
		do(&now)
	}
	c.kept.Store(&now)
	if now != before {
		c.Events.Publish(events.Event{Topic: events.Updates})
	}
	return err
}

// now is the clock to the second, as it is kept.
func (c *Checker) now() time.Time { return c.Now().UTC().Truncate(time.Second) }

func (c *Checker) after(asked time.Time, pause time.Duration) time.Time {
	return asked.Add(pause + time.Duration(c.Jitter()*float64(spread))).Truncate(time.Second)
}
