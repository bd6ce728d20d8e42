package pull

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"assay/client"
)

// factName is under which name the store holds how far pulling came.
const factName = "pull"

// The lists are narrowed by days, whose zone is not known, and not every service sorts by the very date that it tells. So a
// pull reaches over what it has: the next one by a day, one that goes on by two, as long as no entry is more than a day out of order.
const (
	overNext   = 24 * time.Hour
	overOn     = 48 * time.Hour
	outOfOrder = 24 * time.Hour
)

// progress is how far pulling came. It is written down after each page, when all on it is on disk.
type progress struct {
	Account string    `json:"account"`
	Newest  time.Time `json:"newest,omitzero"` // the date of the newest upload of all pulls that came to their end
	Pass    *pass     `json:"pass,omitempty"`  // the one that did not
}

// pass is one way through the list, from the newest to the oldest, in as many runs as it takes.
type pass struct {
	Since  time.Time `json:"since,omitzero"`  // it asks for uploads from this day on; zero: for all
	Newest time.Time `json:"newest,omitzero"` // the newest date seen
	Oldest time.Time `json:"oldest,omitzero"` // the oldest date seen: what is newer has been seen, unless Mixed
	Mixed  bool      `json:"mixed,omitempty"` // the list does not begin with the newest: no date says what has been seen
}

// load reads the progress of this account; what can't be read is none.
func (p *Puller) load(ctx context.Context) (progress, error) {
	none := progress{Account: p.Account}
	text, err := p.Store.Fact(ctx, factName)
	if err != nil || text == "" {
		return none, ofStore(err)
	}
	var kept progress
	if json.Unmarshal([]byte(text), &kept) != nil || kept.Account != p.Account {
		return none, nil
	}
	return kept, nil
}

func (p *Puller) save(ctx context.Context, at progress) error {
	text, err := json.Marshal(at)
	if err != nil {
		return ofStore(fmt.Errorf("write down how far the pull came: %w", err)) // a date that is none
	}
	return ofStore(p.Store.SetFact(ctx, factName, string(text)))
}

// begin starts another pass.
func (at *progress) begin() {
	at.Pass = new(pass)
	if !at.Newest.IsZero() {
		at.Pass.Since = at.Newest.Add(-overNext)
	}
}

// finish ends the pass. A date of tomorrow or later, which a wrong clock tells, must not hide what comes until then.
func (at *progress) finish(now time.Time) {
	newest := at.Pass.Newest
	if newest.After(now) {
		newest = now
	}
	if newest.After(at.Newest) {
		at.Newest = newest
	}
	at.Pass = nil
}

// query asks for what the pass has not seen, and for some of what it has. Its days are those of UTC.
func (w *pass) query(size int) client.ListQuery {
	q := client.ListQuery{Size: size}
	if !w.Since.IsZero() {
		q.Since = w.Since.UTC()
	}
	if !w.Oldest.IsZero() && !w.Mixed {
		q.Until = w.Oldest.UTC().Add(overOn)
	}
	return q
}

// see takes the dates of a page that is on disk; oldest is that of the list that the page belongs to, so far.
func (w *pass) see(page []*client.Result, oldest *time.Time) {
	for _, r := range page {
		at, dated := dateOf(r)
		if !dated {
			continue
		}
		if !oldest.IsZero() && at.After(oldest.Add(outOfOrder)) {
			w.Mixed = true
		}
		if oldest.IsZero() || at.Before(*oldest) {
			*oldest = at
		}
		if w.Oldest.IsZero() || at.Before(w.Oldest) {
			w.Oldest = at
		}
		if at.After(w.Newest) {
			w.Newest = at
		}
	}
}
