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
	rewind func() // forgets what was written, so that another attempt may follow; nil: that can't be done
}

func inMemory(body *bytes.Buffer) target { return target{w: body, rewind: body.Reset} }

// download downloads what a pre-signed URL leads to into a target, at most limit bytes. No key is sent. A denied address is KindExpired:
// a fresh result has another. Faults that may pass are tried again, as far as the target allows. It has a say in whether an answer may be what was asked for, or else a page in its
// place: plausible sees the beginning of the body before anything of it is written. The error of a target is KindFile.
func (c *Client) download(ctx context.Context, signedURL string, limit int64, plausible func(*http.Response, []byte) bool, to target) (n int64, err error) {
	var broken *Error // of an attempt that no other can follow
	err = c.persist(ctx, opArtifact, false, func() (failed *Error) {
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

// headSize is how much of a body is seen before any of it is written, in bytes: enough to know a page by its looks.
const headSize = 4 << 10

// downloadOnce makes one attempt; n is how much of it was written to w.
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
		body, _ := bounded.ReadUpTo(resp.Body, maxErrorBody)      // what arrived serves
		secret = append(secret, signatureOf(resp.Request.URL)...) // a redirect may have led to another signed URL
		return 0, secret.strip(c.storageError(op, resp, body))
	}
	tooLarge := &Error{Op: op, Kind: KindAnswer, Status: resp.StatusCode, Message: i18n.M("The file from the service is larger than Assay reads."), Err: ErrTooLarge}
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
	out := &patientWriter{w: w, before: func() { watchdog.Stop() }, after: func() { watchdog.Reset(c.stallTimeout) }}
	n, err = io.Copy(out, io.LimitReader(body, limit))
	if out.failed != nil {
		return n, secret.strip(&Error{Op: op, Kind: KindFile, Message: i18n.M("The file from the service could not be written on this computer."), Err: out.failed})
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

// brokenOff is the Error of a body that did not come to its end. Its status tells it from an answer that did not come at all.
func brokenOff(ctx context.Context, resp *http.Response, err error) *Error {
	e := *transportError(opArtifact, orCause(ctx, err))
	e.Status = resp.StatusCode
	return &e
}

// orCause prefers our own reason for having ended a transfer to the transport's.
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

// patientWriter keeps a slow disk from counting as a connection that does not move, and remembers its failure.
type patientWriter struct {
	w             io.Writer
	before, after func()
	failed        error
}

func (p *patientWriter) Write(data []byte) (n int, err error) {
	p.before()
	defer p.after()
	n, err = p.w.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	p.failed = err
	return n, err
}

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
		return 0, &Error{Op: opArtifact, Kind: KindAnswer, Message: i18n.M("The service has none of this for this result."), Err: ErrNoArtifact}
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
