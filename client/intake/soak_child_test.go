package intake_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake"
	"assay/client/store"
	"assay/client/submission"
)

// What a process of the soak is told through its environment.
const (
	soakFolder = "ASSAY_SOAK_FOLDER" // of its store; it says, too, that this is such a process
	soakURL    = "ASSAY_SOAK_URL"
	soakKey    = "ASSAY_SOAK_KEY"
	soakEnds   = "ASSAY_SOAK_ENDS" // a moment and how often it must have come before it ends there: "after put 2"
)

// TestMain makes a process of the soak what it is to be, and any other the tests.
func TestMain(m *testing.M) {
	if os.Getenv(soakFolder) == "" {
		m.Run()
		return
	}
	if err := soakProcess(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		panic(err) // the parent sees that it failed
	}
}

// order is a line that a process of the soak gets, word one that it says.
type (
	order struct {
		Accept  []string       // paths and links
		Arrive  []intake.Input // of watched folders
		Approve []string       // IDs of what may leave from now on
		Clear   bool           // before that, take out of the inbox what is done
		Finish  bool           // until all is answered that may leave, and end
	}
	word struct {
		Ready    bool
		Accepted []string          // IDs
		Arrived  []string          // likewise, of watched folders
		Ended    map[string]string // how each of the inbox ended, by ID
		Asked    int               // how often it was tried again what had failed, as a person would
	}
)

// killer is a process that ends itself at a moment.
type killer struct {
	mu   sync.Mutex
	ends string
	left int
}

func (m *killer) reach(at string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if at != m.ends {
		return
	}
	if m.left--; m.left == 0 {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill() // as if the power went
		}
		select {} // until that is so
	}
}

// around ends the process before or after a call or a write, at the chosen moment.
func (m *killer) around(name string, do func() error) error {
	m.reach("before " + name)
	defer m.reach("after " + name)
	return do()
}

// soakProcess takes up the store, and goes on with what it is told until it is killed or has finished.
func soakProcess(orders io.Reader, words io.Writer) (err error) {
	ctx := context.Background()
	m := &killer{}
	if at, times, given := cutLast(os.Getenv(soakEnds)); given {
		m.ends = at
		if m.left, err = strconv.Atoi(times); err != nil {
			return err
		}
	}
	kept, err := store.Open(ctx, os.Getenv(soakFolder), store.Options{})
	if err != nil {
		return err
	}
	if kept.SetAside() != "" {
		return fmt.Errorf("the store was set aside as %s", kept.SetAside())
	}
	c, err := client.New(client.Options{BaseURL: os.Getenv(soakURL), Key: func() string { return os.Getenv(soakKey) }, Wait: hurried})
	if err != nil {
		return err
	}
	q, err := intake.Open(ctx, intake.Params{Service: aroundService{c, m.around}, Store: aroundStore{kept, m.around}, Wait: hurried,
		PollMin: 20 * time.Millisecond, PollMax: 100 * time.Millisecond, Pacer: c.Pacer()})
	if err != nil {
		return err
	}
	say := json.NewEncoder(words)
	if err := say.Encode(word{Ready: true}); err != nil {
		return err
	}
	allowed := map[string]bool{}
	lines := bufio.NewScanner(orders)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o order
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return err
		}
		for _, id := range o.Approve {
			allowed[id] = true
		}
		if o.Finish {
			w := finish(q, allowed)
			q.Close()
			c.Close()
			if err := kept.Close(); err != nil {
				return err
			}
			return say.Encode(w)
		}
		if o.Clear {
			for _, s := range q.All() {
				if s.State == submission.Done {
					q.Remove(s.ID)
				}
			}
		}
		accepted, err := q.Accept(ctx, intake.Inputs(o.Accept...), intake.Options{Source: submission.Dropped})
		if err != nil {
			return err
		}
		arrived := word{Accepted: accepted.IDs}
		for _, a := range o.Arrive {
			arrived.Arrived = append(arrived.Arrived, a.ID)
		}
		if _, err := q.Accept(ctx, o.Arrive, intake.Options{Source: submission.Watched}); err != nil {
			return err
		}
		q.Approve(intake.ApproveOptions{}, o.Approve...)
		if err := say.Encode(arrived); err != nil {
			return err
		}
	}
	return lines.Err()
}

func cutLast(text string) (before, after string, found bool) {
	i := strings.LastIndex(text, " ")
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+1:], true
}

// soakPatience is for how long nothing may end in a process that is to finish.
const soakPatience = 100 * time.Second

// finish waits until all has ended but what is held, allows what is, and tries again what failed, a few times.
func finish(q *intake.Queue, allowed map[string]bool) word {
	changes := q.Events.Subscribe()
	defer changes.Close()
	w, most := word{Ended: map[string]string{}}, 0
	limit := time.NewTimer(soakPatience)
	defer limit.Stop()
	for over := false; !over; {
		undecided := 0
		for _, s := range q.All() {
			if s.State == submission.Held && allowed[s.ID] {
				undecided++
				q.Approve(intake.ApproveOptions{}, s.ID)
			}
		}
		totals := q.Totals()
		if totals.Ended > most { // after many kills, much is left to do
			most = totals.Ended
			limit.Reset(soakPatience)
		}
		if undecided == 0 && totals.Ended+totals.Held == totals.All {
			if totals.Failed == 0 || w.Asked >= 20 {
				break
			}
			w.Asked++
			q.RetryFailed()
		}
		select {
		case <-changes.Ready():
			changes.Take()
		case <-limit.C:
			over = true
		}
	}
	for _, s := range q.All() {
		w.Ended[s.ID] = string(s.State)
		if !s.Problem.IsZero() {
			w.Ended[s.ID] += ": " + s.Problem.String()
		}
	}
	return w
}

// hurried lets long waits pass twenty times as fast.
func hurried(ctx context.Context, d time.Duration) error {
	if d > 200*time.Millisecond {
		d /= 20
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// soaked is a process of the soak.
type soaked struct {
	command *exec.Cmd
	orders  io.WriteCloser
	words   chan word // closed when it has ended
	errors  bytes.Buffer
}

// ServeHTTP is the service, whose answers are lost at times, and which ends the process that calls it where it is told to.
// It also has the media that links lead to.
func (s *soak) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var link int
	if n, _ := fmt.Sscanf(r.URL.Path, "/media/%d.txt", &link); n == 1 {
		_, _ = fmt.Fprintf(w, "What stands behind link %d, in a few words.\n", link) // the sandbox notices what is missing
		return
	}
	var at string
	switch {
	case r.Method == http.MethodPut:
		at = allThere
		if s.is(halfThere) {
			_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2)
			s.end(halfThere)
			panic(http.ErrAbortHandler)
		}
	case strings.HasSuffix(r.URL.Path, "/social"):
		at = linkThere
	case r.Method == http.MethodPost:
		at = urlGiven
	}
	if at == "" || !s.is(at) && !s.loses() {
		s.sandbox.ServeHTTP(w, r)
		return
	}
	s.sandbox.ServeHTTP(httptest.NewRecorder(), r) // and nobody hears of it; one of its faults may have kept it from its effect
	s.end(at)
	panic(http.ErrAbortHandler)
}

// loses reports whether an answer is lost.
func (s *soak) loses() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.luck.IntN(8) == 0
}

func (s *soak) is(at string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ends == at
}

// end kills the process, where it is to end here.
func (s *soak) end(at string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ends == at {
		s.ends = ""
		s.process.kill()
	}
}

func (p *soaked) kill() { _ = p.command.Process.Kill() } // it may have ended by itself

// start begins a process, which ends itself at a moment where that is not "".
func (s *soak) start(ends string) *soaked {
	s.t.Helper()
	self, err := os.Executable()
	assert.NoError(s.t, err)
	p := &soaked{command: exec.CommandContext(context.WithoutCancel(s.t.Context()), self), words: make(chan word, 100)} //nolint:gosec // itself
	p.command.Env = append(os.Environ(), soakFolder+"="+s.folder, soakURL+"="+s.url, soakKey+"="+s.sandbox.Key(), soakEnds+"="+ends)
	p.command.Stderr = &p.errors
	p.orders, err = p.command.StdinPipe()
	assert.NoError(s.t, err)
	said, err := p.command.StdoutPipe()
	assert.NoError(s.t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.process = p
	assert.NoError(s.t, p.command.Start())
	go func() {
		defer close(p.words)
		lines := bufio.NewScanner(said)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var w word
			if json.Unmarshal(lines.Bytes(), &w) == nil { // a line may be cut off
				p.words <- w
			}
		}
	}()
	return p
}

// tell gives an order; a process that has been killed hears nothing.
func (p *soaked) tell(o order) {
	line, err := json.Marshal(o)
	if err == nil {
		_, _ = p.orders.Write(append(line, '\n'))
	}
}

// hear notes what a process says until it has ended, and returns its last word; after some time it is killed.
func (s *soak) hear(p *soaked, patience time.Duration, ready func()) (last word) {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		select {
		case w, more := <-p.words:
			if !more {
				_ = p.command.Wait() // killed or not, its words tell
				return last
			}
			if w.Ready {
				ready()
			}
			if w.Accepted != nil {
				s.open = nil
			}
			if w.Arrived != nil {
				s.openArrivals = nil
			}
			for _, id := range w.Arrived {
				s.arrived[id].acknowledged = true
			}
			for _, id := range w.Accepted {
				s.accepted[id] = true
			}
			last = w
		case <-limit.C:
			p.kill()
		}
	}
}

// killAfter is a process that is killed at an instant.
func (s *soak) killAfter(d time.Duration) {
	o := s.more("")
	p := s.start("")
	s.hear(p, d, func() { p.tell(o) })
	s.kills++
}

// killAt is a process that ends at a moment of its own, or where the service is.
func (s *soak) killAt(ends string, times int, byService bool) (reached bool) {
	o := s.more(ends)
	own := ends + " " + strconv.Itoa(times)
	if byService {
		own = ""
		s.mu.Lock()
		s.ends = ends
		s.mu.Unlock()
	}
	p := s.start(own)
	began := time.Now()
	patience := 10 * time.Second
	if times > 1 {
		patience = 2 * time.Second // so often it may not come
	}
	s.hear(p, patience, func() { p.tell(o) })
	s.kills++
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ends = ""
	if p.errors.Len() > 0 {
		s.t.Errorf("ended %s: %s", ends, p.errors.String())
	}
	return time.Since(began) < patience
}
