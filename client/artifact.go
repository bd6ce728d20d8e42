package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"assay/client/bounded"
	"assay/client/i18n"
)

// ErrTooLarge is behind the Error of an artifact that is larger than the limit.
var ErrTooLarge = errors.New("larger than the limit")

const opArtifact = "fetch the file from storage"

// target is where a download goes.
type target struct {
	w      io.Writer
	rewind func() // discards what was written, so that another attempt may follow; nil: that is not possible
}

func inMemory(body *bytes.Buffer) target { return target{w: body, rewind: body.Reset} }

// download downloads what a pre-signed URL leads to, at most limit bytes, and sends no key. plausible is given the first headSize bytes before any is
// written, and says whether they may be what was asked for, and not a page in its place. Faults that may pass are retried, if the target can be
// rewound. A denied URL is KindExpired: a fresh result has another one. An error of the target is KindFile.
func (c *Client) download(ctx context.Context, signedURL string, limit int64, plausible func(*http.Response, []byte) bool, to target) (n int64, err error) {
	var broken *Error // of an attempt that can't be repeated
	err = c.withRetries(ctx, opArtifact, false, func() (failed *Error) {
		n, failed = c.downloadOnce(ctx, signedURL, limit, plausible, to.w)
		switch {
		case failed == nil || n == 0:
			return failed
		case to.rewind != nil:
			to.rewind()
			return failed
		}
		broken = failed
		c.log.LogAttrs(ctx, slog.LevelDebug, "call failed", slog.String("call", opArtifact), slog.String("kind", string(failed.Kind)),
			slog.Bool("again", false), slog.String("why", "a part of it has been handed over"), slog.Int64("bytes", n))
		return nil
	})
	if broken != nil {
		return n, broken
	}
	return n, err
}

// headSize is how much of a body is read before any of it is written, in bytes: enough to recognise a page.
const headSize = 4 << 10

// downloadOnce makes one attempt; n is how many bytes were written to w.
func (c *Client) downloadOnce(ctx context.Context, signedURL string, limit int64, plausible func(*http.Response, []byte) bool, w io.Writer) (n int64, failed *Error) {
	const op = opArtifact
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	u, err := url.Parse(signedURL)
	if err != nil || !c.storable(u) {
		return 0, &Error{Op: op, Kind: KindAnswer, Message: i18n.M("The service gave no usable address for this.")}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, signedURL, nil)
	if err != nil {
		return 0, &Error{Op: op, Kind: KindAnswer, Message: i18n.M("The service gave no usable address for this."), Err: withoutURL(err)}
	}
	req.Header.Set("User-Agent", "Assay")
	stalled := &Error{Op: op, Kind: KindStalled, Message: i18n.M("The download stopped moving."), Hint: i18n.M("The connection may be down; try again.")}
	watchdog := time.AfterFunc(c.stallTimeout, func() { cancel(stalled) })
	defer watchdog.Stop()
	secret := signatureOf(req.URL)
	resp, err := c.storage.Do(req)
	if err != nil {
		return 0, secret.strip(transportError(op, orCause(ctx, err)))
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	if !expected(resp.StatusCode, nil) {
		body, _ := bounded.ReadUpTo(resp.Body, maxErrorBody)      // an incomplete body will do
		secret = append(secret, signatureOf(resp.Request.URL)...) // a redirect may have led to another signed URL
		return 0, secret.strip(c.storageError(op, resp, body))
	}
	tooLarge := &Error{Op: op, Kind: KindAnswer, Status: resp.StatusCode, Message: i18n.M("The file from the service is too large for Assay."), Err: ErrTooLarge}
	if resp.ContentLength > limit {
		return 0, tooLarge
	}
	body := bufio.NewReaderSize(&movingReader{r: resp.Body, moved: func() { watchdog.Reset(c.stallTimeout) }}, headSize)
	head, err := body.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, secret.strip(brokenOff(ctx, resp, err))
	}
	if !plausible(resp, head) {
		return 0, pageInstead(op, resp.StatusCode)
	}
	out := &slowWriter{w: w, before: func() { watchdog.Stop() }, after: func() { watchdog.Reset(c.stallTimeout) }}
	n, err = io.Copy(out, io.LimitReader(body, limit))
	if out.failed != nil {
		return n, secret.strip(&Error{Op: op, Kind: KindFile, Message: i18n.M("Assay could not save the file from the service on this computer."), Err: out.failed})
	}
	if err == nil {
		_, err = body.Peek(1)
		if err == nil {
			return n, tooLarge
		}
	}
	if !errors.Is(err, io.EOF) {
		return n, secret.strip(brokenOff(ctx, resp, err))
	}
	return n, nil
}

// brokenOff is the Error of a body that ended early. Its Status, which is not 0, tells it from a call without an answer.
func brokenOff(ctx context.Context, resp *http.Response, err error) *Error {
	e := *transportError(opArtifact, orCause(ctx, err))
	e.Status = resp.StatusCode
	return &e
}

// orCause returns the cause with which ctx was ended, where there is one, in place of the transport's error.
func orCause(ctx context.Context, err error) error {
	var own *Error
	if errors.As(context.Cause(ctx), &own) {
		return own
	}
	return err
}

type movingReader struct {
	r     io.Reader
	moved func()
}

func (m *movingReader) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if n > 0 {
		m.moved()
	}
	return n, err
}

// slowWriter keeps the time that a slow disk takes from counting as a stalled connection, and remembers its error.
type slowWriter struct {
	w             io.Writer
	before, after func()
	failed        error
}

func (p *slowWriter) Write(data []byte) (n int, err error) {
	p.before()
	defer p.after()
	n, err = p.w.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	p.failed = err
	return n, err
}

// linkMargin is how long before their end links are not used any more: a transfer must still begin, and clocks differ.
const linkMargin = 30 * time.Second

// ErrNoArtifact is the cause where the result has no usable link to the artifact.
var ErrNoArtifact = errors.New("the result has no link to it")

// Artifacts fetches what the links of one result lead to, and refreshes those links, which expire SignedURLLife after their issue. It is safe for use
// by many goroutines; those whose links are denied at the same time share one refresh.
type Artifacts struct {
	client *Client

	mu        sync.Mutex
	result    *Result       // the newest answer
	fetched   time.Time     // when it was requested
	refreshed int           // how many refreshes have ended
	failed    error         // the error of the last one
	running   chan struct{} // closed when the refresh under way ends; nil: none is
}

// NewArtifacts starts from a result that was requested at fetched, a time of Options.Now, so that its age is measured by the monotonic clock; with
// the zero time its links are not used. r is not changed.
func NewArtifacts(c *Client, r *Result, fetched time.Time) *Artifacts {
	return &Artifacts{client: c, result: r, fetched: fetched}
}

// Result returns the newest answer, with the newest links. It must not be changed.
func (a *Artifacts) Result() *Result {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.result
}

// Fetch downloads the artifact whose link pick returns: Original, Thumbnail, Aggregation, AudioAggregation, Explainability or HeatmapOf. It reads at
// most limit bytes, and never more than the maximum of the kind, which is also the limit if limit is 0. Links that are too old are replaced before
// use, denied ones once, by fetching the result again.
//
// Errors: ErrNoArtifact (KindAnswer) where the result has no such link, or one that is no usable link of it; KindExpired where a fresh link is denied
// as well; ErrTooLarge (KindAnswer) where the artifact is larger than the limit; KindAnswer where a web page came instead; otherwise those of
// Client.Result.
func (a *Artifacts) Fetch(ctx context.Context, pick func(*Result) string, limit int64) ([]byte, error) {
	var body bytes.Buffer
	if _, err := a.transfer(ctx, pick, limit, inMemory(&body)); err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

// Save is Fetch in constant memory, for originals above all: it writes to w and returns how many bytes. What is not the artifact, such as a denial or
// a log-in page, is never written. Faults that may pass are retried until the first byte is written, and not after it: if n is over 0 with an error,
// w holds a part of no use, and the caller may start again with another w (Error.Temporary says whether that may help). An error of w is KindFile and
// wraps w's own.
func (a *Artifacts) Save(ctx context.Context, pick func(*Result) string, limit int64, w io.Writer) (n int64, err error) {
	return a.transfer(ctx, pick, limit, target{w: w})
}

// transfer is Fetch into a target.
func (a *Artifacts) transfer(ctx context.Context, pick func(*Result) string, limit int64, to target) (int64, error) {
	a.mu.Lock()
	result, since, old := a.result, a.refreshed, a.old()
	a.mu.Unlock()
	if old || strings.HasSuffix(pick(result), leftOut) { // Shareable has cut off the query of a kept link, so that it opens nothing
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

// old reports whether the links are too old to use; a.mu is held. If the clock went back, their age is not known.
func (a *Artifacts) old() bool {
	age := a.client.now().Sub(a.fetched)
	return a.fetched.IsZero() || age < 0 || age >= SignedURLLife-linkMargin
}

func (a *Artifacts) download(ctx context.Context, r *Result, pick func(*Result) string, limit int64, to target) (int64, error) {
	address := pick(r)
	kind, ok := r.kindOfArtifact(address)
	if !ok {
		return 0, &Error{Op: opArtifact, Kind: KindAnswer, Message: i18n.M("The service has no such file for this result."), Err: ErrNoArtifact}
	}
	if limit <= 0 || limit > kind.limit {
		limit = kind.limit
	}
	return a.client.download(ctx, address, limit, kind.plausible, to)
}

// refresh returns the outcome of the first refresh to end after number since: one that another goroutine makes, or its own. A refresh whose maker was
// cancelled does not count.
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

// renew makes a refresh and wakes those who wait for it.
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
