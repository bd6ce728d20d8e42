package pull

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"assay/client"
)

// factName is the name of the fact in the store that is the progress.
const factName = "pull"

// The list can be narrowed by days, but their time zone is not known, and not every service sorts by the date that it shows. So a pull overlaps with
// what was seen: a new pass by a day, a resumed one by two, for lists in which no entry is more than a day out of order.
const (
	overNext   = 24 * time.Hour
	overOn     = 48 * time.Hour
	outOfOrder = 24 * time.Hour
)

// progress is how far pulling has come. It is written to disk after each page, once the page's results are on disk.
type progress struct {
	Account string    `json:"account"`
	Newest  time.Time `json:"newest,omitzero"` // the date of the newest upload in all passes that were completed
	Pass    *pass     `json:"pass,omitempty"`  // the one that was not completed
}

// pass is one pass through the list, from the newest to the oldest, in one or more runs.
type pass struct {
	Since  time.Time `json:"since,omitzero"`  // it asks for uploads from this day on; zero: for all
	Newest time.Time `json:"newest,omitzero"` // the newest date seen
	Oldest time.Time `json:"oldest,omitzero"` // the oldest date seen: all newer results have been seen, unless Mixed
	Mixed  bool      `json:"mixed,omitempty"` // the list does not begin with the newest: dates say nothing of what has been seen
}

// load reads the progress of this account; if it can't be read, it is zero.
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
		return ofStore(fmt.Errorf("write down how far the pull came: %w", err)) // a date that can't be encoded
	}
	return ofStore(p.Store.SetFact(ctx, factName, string(text)))
}

// begin begins another pass.
func (at *progress) begin() {
	at.Pass = new(pass)
	if !at.Newest.IsZero() {
		at.Pass.Since = at.Newest.Add(-overNext)
	}
}

// finish completes the pass. A date of tomorrow or later, from a wrong clock, must not hide what comes until then.
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

// query asks for what the pass has not seen, with an overlap. Its days are those of UTC.
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

// see takes in the dates of a page that is on disk; oldest is the oldest date so far of the list that the page is from.
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
