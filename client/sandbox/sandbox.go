// Package sandbox is the service as an http.Handler, with classic forensic analysers behind it, for trial and tests.
// It may import assay/client for the wire types, assay/client/sandbox/forensics, and libraries for UUIDs and pictures.
//
// Its answers are computed from the bytes that were uploaded, never by name, chance or table. What the interface
// leaves open it settles as the public clients of such services expect it.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"assay/client"
	"assay/client/sandbox/forensics"
)

// ReleaseVersion is what every result of the sandbox carries as releaseVersion.
const ReleaseVersion = "sandbox-1"

// The one user that the key belongs to, and the organisation.
const (
	userID        = "sandbox-user"
	institutionID = "sandbox"
)

// analysers is how many submissions are analysed at once: each holds a decoded picture in memory.
const analysers = 2

// Options configure a Sandbox. Only Dir is required.
type Options struct {
	// Dir is where records and files live; it is created, private to the user. One Sandbox uses it at a time.
	Dir string
	// Key is the accepted API key; "" makes one at random and keeps it in Dir.
	Key string
	// Now is the clock for dates and for the expiry of links; nil means time.Now.
	Now func() time.Time
	// Latency is the least time from one model's end to the next, so that progress can be seen.
	Latency time.Duration
	// Hold, where it is not nil, is called before a model's end becomes visible, and the model stays ANALYZING until
	// it returns: a gate for tests. It runs on a goroutine of the sandbox and must return when ctx ends.
	Hold func(ctx context.Context, requestID, model string)
	// Log takes what goes wrong and each analysis's end; nil means nowhere. It gets no key and no signature.
	Log *slog.Logger
}

// Sandbox is the service. Its methods are safe for use by many goroutines.
type Sandbox struct {
	key     string
	now     func() time.Time
	latency time.Duration
	hold    func(ctx context.Context, requestID, model string)
	log     *slog.Logger
	folder  *folder
	links   signer
	handler http.Handler

	// analyseImage is forensics.Image, but for tests of what an analyser's fault does.
	analyseImage func(ctx context.Context, data []byte, finished func(forensics.Model)) (*forensics.ImageReport, error)

	mu      sync.RWMutex
	entries map[string]*entry // by requestId

	queue   *queue
	stop    context.CancelFunc
	workers sync.WaitGroup
}

// New opens or makes the sandbox in o.Dir and takes up the analyses that were under way. Close ends it.
func New(o Options) (*Sandbox, error) {
	s, err := open(o)
	if err != nil {
		return nil, err
	}
	s.start()
	return s, nil
}

// open makes a sandbox whose analysers do not run yet.
func open(o Options) (*Sandbox, error) {
	if o.Dir == "" {
		return nil, errors.New("the sandbox needs a folder to keep its records in")
	}
	s := &Sandbox{
		key: o.Key, now: o.Now, latency: o.Latency, hold: o.Hold, log: o.Log,
		analyseImage: forensics.Image,
		entries:      map[string]*entry{},
		queue:        newQueue(),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	folder, err := openFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	s.folder = folder
	if err := s.restore(); err != nil {
		return nil, errors.Join(err, folder.close())
	}
	s.handler = s.routes()
	return s, nil
}

// restore reads the key, the secret and the records.
func (s *Sandbox) restore() error {
	if s.key == "" {
		key, err := s.folder.secret("key")
		if err != nil {
			return fmt.Errorf("the sandbox's key: %w", err)
		}
		s.key = key
	}
	secret, err := s.folder.secret("secret")
	if err != nil {
		return fmt.Errorf("the sandbox's signing secret: %w", err)
	}
	s.links = signer{secret: []byte(secret), now: s.now}
	records, damaged, err := s.folder.records()
	if err != nil {
		return fmt.Errorf("the sandbox's records: %w", err)
	}
	for _, cause := range damaged {
		s.log.Warn("a record of the sandbox can't be read and is left out", "error", cause)
	}
	for _, r := range records {
		e := &entry{record: r}
		s.entries[r.RequestID] = e
		if r.underWay() {
			e.live = waitingModels(r.MediaType)
			s.queue.add(job{entry: e, object: r.Object})
		}
	}
	if len(damaged) == 0 { // a damaged record's files are still its own
		s.folder.sweep(records)
	}
	return nil
}

// start runs the analysers.
func (s *Sandbox) start() {
	ctx, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	for range analysers {
		s.workers.Go(func() { s.work(ctx) })
	}
}

// ServeHTTP answers as the service and as its object storage.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Key is the accepted API key.
func (s *Sandbox) Key() string { return s.key }

// Submissions counts the uploads that became an analysis, earlier runs on the same folder included.
// An upload repeated to the same address counts once.
func (s *Sandbox) Submissions() int {
	n := 0
	for _, e := range s.all() {
		if e.snapshot().record.uploaded() {
			n++
		}
	}
	return n
}

// Idle waits until no analysis is under way, so that a test can look at the end without polling.
func (s *Sandbox) Idle(ctx context.Context) error { return s.queue.idle(ctx) }

// Close stops the analyses and waits for them; those under way are done again by the next New on the folder.
// Stop serving requests before.
func (s *Sandbox) Close() error {
	s.stop()
	s.queue.close()
	s.workers.Wait()
	return s.folder.close()
}

func (s *Sandbox) all() []*entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	entries := make([]*entry, 0, len(s.entries))
	for _, e := range s.entries {
		entries = append(entries, e)
	}
	return entries
}

func (s *Sandbox) find(requestID string) (e *entry, found bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	e, found = s.entries[requestID]
	return e, found
}

// waitingModels are the models of a submission whose analysis has not begun.
func waitingModels(kind client.MediaType) []client.Model {
	models := []client.Model{}
	if kind == client.Image {
		for _, name := range forensics.ImageModels() {
			models = append(models, client.Model{Name: name, Status: client.Analyzing})
		}
	}
	return models
}
