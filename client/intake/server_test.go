package intake_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"sync"
	"time"

	"assay/client"
	"assay/client/clocktest"
	"assay/client/i18n"
	"assay/client/plain"
)

// server is a service that outlives queues and remembers what it was given, as the real one does.
type server struct {
	clock  *clocktest.Clock
	behind time.Duration // how far its clock is behind ours
	silent bool          // it does not say under which request ID an upload or a link is
	hidden int           // how often its list shows nothing

	page   func(*client.Result) // adds to what the list says of each; nil: nothing
	script []answer             // what the next results are; the last one stays; none: authentic at once

	mu      sync.Mutex
	urls    map[string]*uploadURL
	taken   []taken
	calls   []string           // in order: "upload-url", "put /1", "find", "link", "list", "look id"
	givenUp int                // calls that nobody waited for any more
	gates   map[string]*gate   // by the first word of a call
	before  map[string][]error // what the next calls fail with, without an effect; nil: nothing
	after   map[string][]error // likewise, after their effect: their answer is lost
	putting func(*os.File)     // while a file is sent, after its first half
}

// gate holds calls up until it is opened, or their ctx ends.
type gate struct {
	reached chan struct{} // receives for each call
	open    chan struct{}
}

func (g *gate) release() { close(g.open) }

// shut holds all calls of a kind up.
func (w *server) shut(call string) *gate {
	w.mu.Lock()
	defer w.mu.Unlock()
	g := &gate{reached: make(chan struct{}, 1000), open: make(chan struct{})}
	if w.gates == nil {
		w.gates = map[string]*gate{}
	}
	w.gates[call] = g
	return g
}

// fail makes the next calls of a kind fail.
func (w *server) fail(call string, with ...error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.before == nil {
		w.before = map[string][]error{}
	}
	w.before[call] = append(w.before[call], with...)
}

// lose lets the next calls of a kind have their effect and fail all the same.
func (w *server) lose(call string, with ...error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.after == nil {
		w.after = map[string][]error{}
	}
	w.after[call] = append(w.after[call], with...)
}

// heal takes back what fail and lose said.
func (w *server) heal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before, w.after = nil, nil
}

func stopped() error {
	return &client.Error{Op: "test", Kind: client.KindNetwork, Message: i18n.Verbatim("Stopped.")}
}

// pass notes a call and lets it go on, or not.
func (w *server) pass(ctx context.Context, call, rest string) error {
	w.mu.Lock()
	g := w.gates[call]
	w.called(call + rest)
	failure := pop(w.before, call)
	w.mu.Unlock()
	if g != nil {
		g.reached <- struct{}{}
		select {
		case <-g.open:
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.givenUp++
		return stopped() // whoever gave up asking is not told, and nothing is taken from them
	}
	return failure
}

// pop takes the next failure of a call.
func pop(failures map[string][]error, call string) error {
	if len(failures[call]) == 0 {
		return nil
	}
	failure := failures[call][0]
	failures[call] = failures[call][1:]
	return failure
}

// uploadURL is one that was given.
type uploadURL struct {
	name, id string
	issued   time.Time
}

// taken is a submission as the service sees it.
type taken struct {
	id, name, link string
	content        [sha256.Size]byte
	at             time.Time
}

func newServer(c *clocktest.Clock) *server {
	return &server{clock: c, urls: map[string]*uploadURL{}}
}

func (w *server) called(call string) { w.calls = append(w.calls, call) }

// asked counts the calls that begin so.
func (w *server) asked(call string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, c := range w.calls {
		if len(c) >= len(call) && c[:len(call)] == call {
			n++
		}
	}
	return n
}

// gaveUp counts the calls that nobody waited for any more.
func (w *server) gaveUp() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.givenUp
}

// took counts what the service has of anybody: upload URLs that it gave, files and links. A call that was given up before it was made is
// none of them.
func (w *server) took() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.urls) + len(w.taken)
}

// forgetCalls begins a new list of calls, and returns the old one.
func (w *server) forgetCalls() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	calls := w.calls
	w.calls = nil
	return calls
}

func (w *server) submissions() []taken {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.taken)
}

func (w *server) RequestUpload(ctx context.Context, name string) (client.Upload, error) {
	if err := w.pass(ctx, "upload-url", ""); err != nil {
		return client.Upload{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.urls) + 1
	u := client.Upload{SignedURL: fmt.Sprintf("https://storage.example/%d", n), RequestID: fmt.Sprintf("id-%d", n), Issued: w.clock.Now()}
	w.urls[u.SignedURL] = &uploadURL{name: name, id: u.RequestID, issued: u.Issued}
	if w.silent {
		u.RequestID = ""
	}
	return u, nil
}

func (w *server) Put(ctx context.Context, signedURL string, file *os.File, size int64, progress func(int64)) error {
	defer file.Close() //nolint:errcheck // only read from
	progress(size / 2)
	if err := w.pass(ctx, "put", " "+signedURL[len("https://storage.example"):]); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.urls[signedURL]
	if a == nil || w.clock.Now().Sub(a.issued) > client.SignedURLLife {
		return denied()
	}
	if w.putting != nil {
		w.putting(file)
	}
	body, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	t := taken{id: a.id, name: a.name, content: sha256.Sum256(body), at: w.clock.Now()}
	if i := slices.IndexFunc(w.taken, func(o taken) bool { return o.id == a.id && o.content == t.content }); i < 0 {
		w.taken = append(w.taken, t)
	}
	return pop(w.after, "put")
}

// slowToNotice has the first upload not notice for a while that it was given up.
func (w *server) slowToNotice() (reached <-chan struct{}, release chan<- struct{}) {
	at, goOn := make(chan struct{}), make(chan struct{})
	w.putting = func(*os.File) {
		w.putting = nil
		close(at)
		<-goOn
	}
	w.lose("put", stopped())
	return at, goOn
}

// answer is what the service says of the result of a request.
type answer = func(id string) (*client.Result, error)

func answered(r *client.Result) answer {
	return func(string) (*client.Result, error) { return r, nil }
}

func status(s client.Status) answer { return answered(&client.Result{OverallStatus: s}) }

func notFound(string) (*client.Result, error) {
	return nil, &client.Error{Op: "test", Kind: client.KindRefused, Status: 404, Message: i18n.Verbatim("No such result.")}
}

// answers sets what the next results are.
func (w *server) answers(script ...answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.script = script
}

func denied() error {
	return &client.Error{Op: "test", Kind: client.KindExpired, Status: 403, Message: i18n.Verbatim("Denied.")}
}

func (w *server) Result(ctx context.Context, id string) (*client.Result, error) {
	if err := w.pass(ctx, "look", " "+id); err != nil {
		return nil, err
	}
	w.mu.Lock()
	known := slices.ContainsFunc(w.taken, func(t taken) bool { return t.id == id })
	step := answered(&client.Result{RequestID: id, OverallStatus: client.Authentic, Raw: []byte(`{}`)})
	if len(w.script) > 0 {
		step = w.script[0]
		w.script = w.script[min(1, len(w.script)-1):]
	}
	w.mu.Unlock()
	if !known {
		return notFound(id)
	}
	return step(id)
}

func (w *server) FindUpload(ctx context.Context, name string, since time.Time) (string, error) {
	if err := w.pass(ctx, "find", ""); err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.hidden--; w.hidden >= 0 {
		return "", notListed()
	}
	for _, t := range w.taken {
		if t.name == name && !t.at.Add(-w.behind).Before(since.Add(-2*time.Minute)) {
			return t.id, nil
		}
	}
	return "", notListed()
}

func notListed() error {
	return &client.Error{Op: "test", Kind: client.KindAnswer, Message: i18n.Verbatim("Not listed."), Err: client.ErrNotListed}
}

// CheckLink judges links as a client with the default table of hosts does.
func (w *server) CheckLink(link string) (client.Link, error) {
	c, err := client.New(client.Options{BaseURL: "https://api.example"})
	if err != nil {
		return client.Link{}, err
	}
	return c.CheckLink(link)
}

// takeOthers has the service take so many links of others.
func (w *server) takeOthers(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range n {
		w.taken = append(w.taken, taken{id: fmt.Sprintf("other-%d", i), link: fmt.Sprintf("https://x.com/other/%d", i), at: w.clock.Now()})
	}
}

func (w *server) SubmitLink(ctx context.Context, link string) (client.LinkSubmission, error) {
	if err := w.pass(ctx, "link", ""); err != nil {
		return client.LinkSubmission{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	id := fmt.Sprintf("link-%d", len(w.taken)+1)
	w.taken = append(w.taken, taken{id: id, link: link, at: w.clock.Now()})
	if w.silent {
		return client.LinkSubmission{}, &client.Error{Op: "test", Kind: client.KindAnswer, Message: i18n.Verbatim("No number."), Uncertain: true}
	}
	return client.LinkSubmission{RequestID: id}, pop(w.after, "link")
}

// Results goes through the whole list, of which List gives the newest.
func (w *server) Results(ctx context.Context, _ client.ListQuery) iter.Seq2[*client.Result, error] {
	return func(yield func(*client.Result, error) bool) {
		all, err := w.List(ctx, client.ListQuery{})
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func (w *server) List(ctx context.Context, query client.ListQuery) ([]*client.Result, error) {
	if err := w.pass(ctx, "list", ""); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.hidden--; w.hidden >= 0 {
		return nil, nil
	}
	var page []*client.Result
	for _, t := range slices.Backward(w.taken) {
		page = append(page, &client.Result{RequestID: t.id, OriginalFileName: plain.From(t.name), SocialLink: t.link, UploadedDate: plain.From(t.at.Format(time.RFC3339Nano))})
		if w.page != nil {
			w.page(page[len(page)-1])
		}
	}
	if query.Size > 0 && len(page) > query.Size {
		page = page[:query.Size]
	}
	return page, nil
}
