package nearly

import (
	"context"
	"slices"

	"assay/client/events"
	"assay/client/store"
)

const (
	// mostHeard bounds how many fingerprints that colleagues shared are in memory: the newest when Assay started, and those that came since.
	mostHeard = 50_000
	// mostShared bounds of how many contents that are near it is asked who has shared them.
	mostShared = 20
)

// hear adds the fingerprints that colleagues have shared since the last call, and reports whether there were more. Whatever they hold, they are only compared:
// one that is none is like nothing.
func (f *Finder) hear() (more bool) {
	all, err := f.Store.DeskHashes(f.ctx, f.heard, mostHeard-f.many)
	if err != nil {
		f.report("read the fingerprints that colleagues shared", err)
		return false
	}
	for _, h := range all {
		f.heard = max(f.heard, h.Seq)
		f.theirs.add(h.Content, h.Fingerprint)
	}
	f.many += len(all)
	return len(all) > 0
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
func (f *Finder) sharedNear(ctx context.Context, own *index, content string, all []store.Fingerprint) (map[string]sharedContent, error) {
	found := map[string]sharedContent{}
	nearest := slices.DeleteFunc(f.theirs.near(content, all), func(n near) bool { return own.has(n.content) })
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
