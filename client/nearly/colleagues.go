package nearly

import (
	"context"
	"slices"

	"assay/client/events"
	"assay/client/store"
)

// mostShared bounds of how many contents that are near it is asked who has shared them.
const mostShared = 20

// hear takes in what colleagues have shared since the last call, and reports whether there was something.
func (f *Finder) hear() (more bool) {
	newest, err := f.Store.DeskHashes(f.ctx, f.heard, 1)
	if err == nil && len(newest) > 0 {
		f.heard, more = newest[0].Seq, true
		err = f.memory.hear(f.ctx, f.Store)
	}
	f.report("read the fingerprints that colleagues shared", err)
	return more
}

// renew looks again what is near to all that waits, and says that what is near to results may be other.
func (f *Finder) renew() {
	f.mu.Lock()
	contents := make([]string, 0, len(f.hints))
	for content := range f.hints {
		contents = append(contents, content)
	}
	f.mu.Unlock()
	for _, content := range contents {
		f.hint(content)
	}
	f.Events.Publish(events.Event{Topic: events.Nearly})
}

// sharedContent is a content that a colleague shared, and that is near.
type sharedContent struct {
	near
	store.Checked
}

// sharedNear returns, by their contents, those near to one with these fingerprints that colleagues shared, and still share. A content that was fingerprinted here is
// not among them: what a colleague says of it has no say.
func (f *Finder) sharedNear(ctx context.Context, known *fingerprints, content string, prints []store.Fingerprint) (map[string]sharedContent, error) {
	found := map[string]sharedContent{}
	nearest := slices.DeleteFunc(known.theirs.near(content, prints), func(n near) bool { return known.own.has(n.content) })
	for _, n := range nearest[:min(len(nearest), mostShared)] {
		by, err := f.Store.CheckedByColleagues(ctx, n.content)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(by, func(c store.Checked) bool { return c.ID != "" }); i >= 0 {
			found[n.content] = sharedContent{n, by[i]}
		}
	}
	return found, nil
}
