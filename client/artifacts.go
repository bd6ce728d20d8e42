package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"assay/client/i18n"
)

// linkMargin is how long before their end links are not used any more: a transfer has to begin, and clocks differ.
const linkMargin = 30 * time.Second

// ErrNoArtifact is behind the Error of an artifact for which the result has no usable link.
var ErrNoArtifact = errors.New("the result has no link to it")

// Artifacts fetches what the links of one result lead to, and keeps those links fresh: they die SignedURLLife after
// their issue. It is safe for use by many goroutines; those whose links are denied at the same time share one refresh.
type Artifacts struct {
	client *Client

	mu        sync.Mutex
	result    *Result       // the newest answer
	fetched   time.Time     // when it was asked for
	refreshed int           // how many have ended
	failed    error         // of the last one
	running   chan struct{} // closed when the refresh under way ends; nil: there is none
}

// NewArtifacts starts from a result whose answer was asked for at fetched: by Options.Now, so that its age is taken by
// the monotonic clock; the zero time means that its links are not to be used. r is not changed.
func NewArtifacts(c *Client, r *Result, fetched time.Time) *Artifacts {
	return &Artifacts{client: c, result: r, fetched: fetched}
}

// Result is the newest answer, with the newest links. It must not be changed.
func (a *Artifacts) Result() *Result {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.result
}

// Fetch downloads what pick chooses among the result's links: Original, Thumbnail, Aggregation, AudioAggregation,
// Explainability or HeatmapOf. It reads at most limit bytes, and never more than the maximum of the kind, which is also
// what a limit of 0 means. Old links are replaced before they are used, denied ones once, by fetching the result again.
//
// Errors: ErrNoArtifact (KindAnswer) where the result has no such link, or one that is no usable link of it;
// KindExpired where a fresh link is denied as well; ErrTooLarge (KindAnswer) where it is larger than the limit; KindAnswer
// where a web page came instead; otherwise those of Client.Artifact and Client.Result.
func (a *Artifacts) Fetch(ctx context.Context, pick func(*Result) string, limit int64) ([]byte, error) {
	var body bytes.Buffer
	if _, err := a.transfer(ctx, pick, limit, inMemory(&body)); err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

// Save is Fetch in constant memory, for originals above all: it writes what arrives to w and returns how many bytes that
// were. What is not it, such as a denial or a log-in page, is never written. Until the first byte was written, faults that
// may pass are tried again; after it, none is: with an error and n over 0 w holds a part that is worth nothing, and the
// caller may begin anew with another w (Error.Temporary says whether that may help). An error of w is KindFile, with w's own behind it.
func (a *Artifacts) Save(ctx context.Context, pick func(*Result) string, limit int64, w io.Writer) (n int64, err error) {
	return a.transfer(ctx, pick, limit, target{w: w})
}

// transfer is Fetch into a target.
func (a *Artifacts) transfer(ctx context.Context, pick func(*Result) string, limit int64, to target) (int64, error) {
	a.mu.Lock()
	result, since, old := a.result, a.refreshed, a.old()
	a.mu.Unlock()
	if old || strings.HasSuffix(pick(result), leftOut) { // one that was kept by Shareable opens nothing
		fresh, err := a.refresh(ctx, result.RequestID, since)
		if err != nil {
			return 0, err
		}
		result, since = fresh, since+1
	}
	n, err := a.download(ctx, result, pick, limit, to)
	if !IsKind(err, KindExpired) {
		return n, err
	}
	fresh, err := a.refresh(ctx, result.RequestID, since)
	if err != nil {
		return 0, err
	}
	return a.download(ctx, fresh, pick, limit, to)
}

// old reports whether the links are at the end of their life; a.mu is held. A clock that went back tells nothing.
func (a *Artifacts) old() bool {
	age := a.client.now().Sub(a.fetched)
	return a.fetched.IsZero() || age < 0 || age >= SignedURLLife-linkMargin
}

func (a *Artifacts) download(ctx context.Context, r *Result, pick func(*Result) string, limit int64, to target) (int64, error) {
	address := pick(r)
	kind, ok := r.kindOfArtifact(address)
	if !ok {
		return 0, &Error{Op: opArtifact, Kind: KindAnswer, Message: i18n.T("The service has none of this for this result."), Err: ErrNoArtifact}
	}
	if limit <= 0 || limit > kind.limit {
		limit = kind.limit
	}
	return a.client.download(ctx, address, limit, kind.plausible, to)
}

// refresh returns the outcome of a refresh that has ended after since had: one that others made or are making, else
// its own. One that its maker gave up is nobody's outcome.
func (a *Artifacts) refresh(ctx context.Context, requestID string, since int) (*Result, error) {
	for {
		a.mu.Lock()
		if a.refreshed > since {
			defer a.mu.Unlock()
			return a.result, a.failed
		}
		running := a.running
		if running == nil {
			running = make(chan struct{})
			a.running = running
			a.mu.Unlock()
			return a.renew(ctx, requestID, running)
		}
		a.mu.Unlock()
		select {
		case <-running:
		case <-ctx.Done():
			return nil, transportError("fetch the result", ctx.Err())
		}
	}
}

// renew makes a refresh and tells those who wait for it.
func (a *Artifacts) renew(ctx context.Context, requestID string, running chan struct{}) (r *Result, err error) {
	err = errors.New("it broke off")
	asked := a.client.now()
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.running = nil
		close(running)
		if err == nil {
			a.result, a.fetched = r, asked
		}
		if err == nil || ctx.Err() == nil {
			a.failed = err
			a.refreshed++
		}
	}()
	return a.client.Result(ctx, requestID)
}
