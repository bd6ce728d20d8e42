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
	"time"
)

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
		at = addressOut
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
	must(s.t, err)
	p := &soaked{command: exec.CommandContext(context.WithoutCancel(s.t.Context()), self), words: make(chan word, 100)} //nolint:gosec // itself
	p.command.Env = append(os.Environ(), soakFolder+"="+s.folder, soakURL+"="+s.url, soakKey+"="+s.sandbox.Key(), soakEnds+"="+ends)
	p.command.Stderr = &p.errors
	p.orders, err = p.command.StdinPipe()
	must(s.t, err)
	said, err := p.command.StdoutPipe()
	must(s.t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.process = p
	must(s.t, p.command.Start())
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
