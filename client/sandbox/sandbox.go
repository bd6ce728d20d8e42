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
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"assay/client"
	"assay/client/plain"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/audio"
	"assay/client/sandbox/forensics/picture"
	"assay/client/sandbox/forensics/video"
)

// ReleaseVersion is what every result of the sandbox carries as releaseVersion.
const ReleaseVersion = "sandbox-1"

// analysers is how many submissions are analysed at once: each holds a decoded picture in memory.
const analysers = 2

// Options configure a Sandbox. Only Dir is required.
type Options struct {
	// Dir is where records and files live; it is created, private to the user. One Sandbox uses it at a time.
	Dir string
	// Key is the accepted API key; "" makes one at random and keeps it in Dir.
	Key string
	// SecondUser lets in a second user, of another organisation, with the key SecondKey: what one of the two submits
	// the other may neither see nor give feedback on.
	SecondUser bool
	// Now is the clock for dates and for the expiry of links; nil means time.Now.
	Now func() time.Time
	// Latency is the least time from one model's end to the next, so that progress can be seen.
	Latency time.Duration
	// Hold, where it is not nil, is called before a model's end becomes visible, and the model stays ANALYZING until
	// it returns: a gate for tests. It runs on a goroutine of the sandbox and must return when ctx ends.
	Hold func(ctx context.Context, requestID, model string)
	// Revise, where it is not nil, may change what was found before it is kept, for tests of a later release of the service that answers otherwise:
	// nth counts the submissions whose analysis has ended of the same bytes, 1 for the first.
	Revise func(nth int, r *Revision)
	// Faults make calls go wrong, for trying out clients.
	Faults []Fault
	// Log takes what goes wrong and each analysis's end; nil means nowhere. It gets no key and no signature.
	Log *slog.Logger
}

// Revision is the part of an outcome that Options.Revise may change.
type Revision struct {
	SHA256  string // of the bytes; a change of it has no effect
	Release string // "": ReleaseVersion
	Status  client.Status
	Score   client.Score // the summary's
	Models  []client.Model
}

// Sandbox is the service. Its methods are safe for use by many goroutines.
type Sandbox struct {
	key     string
	second  string // the second user's key; "" where there is none
	now     func() time.Time
	latency time.Duration
	hold    func(ctx context.Context, requestID, model string)
	revise  func(nth int, r *Revision)
	log     *slog.Logger
	folder  *folder
	links   signer
	handler http.Handler
	faults  []*armed

	// The functions of forensics, but for tests of what their faults and findings do.
	analyseImage func(ctx context.Context, data []byte, finished func(forensics.Model)) (*picture.Report, error)
	analyseAudio func(ctx context.Context, data []byte, extension string, finished func(forensics.Model)) (*audio.Report, error)
	analyseVideo func(ctx context.Context, path string, finished func(forensics.Model)) (*video.Report, error)
	extractSound func(ctx context.Context, path string, w io.Writer) error

	mu      sync.RWMutex
	entries map[string]*entry // by requestId
	ordered []*entry          // the same, about as they came; it only grows

	fetches    *queue // links
	fetchLimit time.Duration
	queue      *queue // whatever is to be analysed
	stop       context.CancelFunc
	workers    sync.WaitGroup
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
		key: o.Key, now: o.Now, latency: o.Latency, hold: o.Hold, revise: o.Revise, log: o.Log,
		analyseImage: picture.Analyse,
		analyseAudio: audio.Analyse,
		analyseVideo: video.Analyse,
		extractSound: video.Sound,
		entries:      map[string]*entry{},
		fetches:      newQueue(),
		fetchLimit:   fetchLimit,
		queue:        newQueue(),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	for _, f := range o.Faults {
		if err := f.check(); err != nil {
			return nil, fmt.Errorf("a fault of the sandbox: %w", err)
		}
		s.faults = append(s.faults, &armed{Fault: f})
	}
	folder, err := openFolder(o.Dir)
	if err != nil {
		return nil, err
	}
	s.folder = folder
	if err := s.restore(o.SecondUser); err != nil {
		return nil, errors.Join(err, folder.close())
	}
	s.handler = s.routes()
	return s, nil
}

// restore reads the keys, the secret and the records.
func (s *Sandbox) restore(second bool) error {
	if s.key == "" {
		key, err := s.folder.secret("key")
		if err != nil {
			return fmt.Errorf("the sandbox's key: %w", err)
		}
		s.key = key
	}
	if second {
		key, err := s.folder.secret("second-key")
		if err != nil {
			return fmt.Errorf("the sandbox's second key: %w", err)
		}
		s.second = key
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
	slices.SortFunc(records, func(a, b record) int { return a.date().Compare(b.date()) })
	for _, r := range records {
		e := &entry{record: r}
		s.add(e)
		if r.fetching() {
			s.fetches.add(job{entry: e})
		}
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

// start runs the fetchers and the analysers.
func (s *Sandbox) start() {
	ctx, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	for range fetchers {
		s.workers.Go(func() { s.fetchLinks(ctx) })
	}
	for range analysers {
		s.workers.Go(func() { s.work(ctx) })
	}
}

// ServeHTTP answers as the service and as its object storage.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Key is the accepted API key.
func (s *Sandbox) Key() string { return s.key }

// SecondKey is the key of the second user, "" without Options.SecondUser.
func (s *Sandbox) SecondKey() string { return s.second }

// Submissions counts the uploads that became an analysis and the links, earlier runs on the same folder included.
// An upload repeated to the same address counts once.
func (s *Sandbox) Submissions() int {
	n := 0
	for _, e := range s.all() {
		if r := e.snapshot().record; r.submitted() && r.ExtractedFrom == "" {
			n++
		}
	}
	return n
}

// Idle waits until no link is being fetched and no analysis is under way, so that a test can look at the end without
// polling.
func (s *Sandbox) Idle(ctx context.Context) error {
	if err := s.fetches.idle(ctx); err != nil { // what was fetched is in the other queue by then
		return err
	}
	return s.queue.idle(ctx)
}

// Close stops the analyses and waits for them; those under way are done again by the next New on the folder.
// Stop serving requests before.
func (s *Sandbox) Close() error {
	s.stop()
	s.fetches.close()
	s.queue.close()
	s.workers.Wait()
	return s.folder.close()
}

// all are the entries about as they came; the caller must not change the slice.
func (s *Sandbox) all() []*entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ordered
}

func (s *Sandbox) add(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[e.record.RequestID] = e
	s.ordered = append(s.ordered, e)
}

// enter saves a new submission and makes it known.
func (s *Sandbox) enter(r record) (*entry, error) {
	if err := s.folder.save(r); err != nil {
		return nil, err
	}
	e := &entry{record: r}
	s.add(e)
	return e, nil
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
	for _, name := range modelNames(kind) {
		models = append(models, client.Model{Name: plain.From(name), Status: client.Analyzing})
	}
	return models
}
