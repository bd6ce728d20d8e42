package gui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/client"
	"assay/client/sandbox"
)

// witness stands before the sandbox: it notes what arrives, and may give other answers and other files.
type witness struct {
	*sandbox.Sandbox
	clock   movedClock            // of the sandbox
	arrival func(r *http.Request) // nil; called before a request is answered, and may wait

	mu       sync.Mutex
	reword   wording           // nil: answers are as the sandbox gives them
	files    map[string][]byte // behind the links that reword makes, by name
	requests []*http.Request   // without their bodies
	told     int               // how many of them arrived has told of
	posted   []string          // the bodies of judgements
}

// wording changes an answer. link makes a link to one of the witness's own files.
type wording func(answer map[string]any, link func(file string) any)

// answers has the next results worded so.
func (w *witness) answers(reword wording) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reword = reword
}

// serves puts a file behind a link, nil takes it away.
func (w *witness) serves(file string, content []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files[file] = content
}

// movedClock is the time, moved on by hand.
type movedClock struct{ ahead atomic.Int64 }

func (c *movedClock) now() time.Time       { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *movedClock) move(d time.Duration) { c.ahead.Add(int64(d)) }

const ownFiles = "/storage/own/"

func (w *witness) ServeHTTP(answer http.ResponseWriter, r *http.Request) {
	var body []byte
	if strings.HasSuffix(r.URL.Path, "/user-feedback") {
		body, _ = io.ReadAll(r.Body) // what is missing of it is missed below
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	w.mu.Lock()
	w.requests = append(w.requests, r)
	if body != nil {
		w.posted = append(w.posted, string(body))
	}
	reword := w.reword
	w.mu.Unlock()
	if w.arrival != nil {
		w.arrival(r)
	}
	switch {
	case strings.HasPrefix(r.URL.Path, ownFiles):
		w.serve(answer, r)
	case reword != nil && strings.HasPrefix(r.URL.Path, "/api/media/users/"):
		whole := httptest.NewRecorder()
		w.Sandbox.ServeHTTP(whole, r)
		var words map[string]any
		_ = json.Unmarshal(whole.Body.Bytes(), &words)
		reword(words, func(name string) any {
			return fmt.Sprintf("http://%s%s%s?issued=%d", r.Host, ownFiles, name, w.clock.now().Unix())
		})
		_ = json.NewEncoder(answer).Encode(words)
	default:
		w.Sandbox.ServeHTTP(answer, r)
	}
}

// serve answers with a file of the witness's own, as storage does.
func (w *witness) serve(answer http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	content := w.files[strings.TrimPrefix(r.URL.Path, ownFiles)]
	w.mu.Unlock()
	issued, _ := strconv.ParseInt(r.URL.Query().Get("issued"), 10, 64) // none is long ago
	if content == nil || w.clock.now().Sub(time.Unix(issued, 0)) >= client.SignedURLLife {
		answer.WriteHeader(http.StatusForbidden)
		return
	}
	answer.Header().Set("Content-Length", strconv.Itoa(len(content)))
	_, _ = answer.Write(content)
}

// arrived are the paths of the requests since the last call.
func (w *witness) arrived() (paths []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ; w.told < len(w.requests); w.told++ {
		paths = append(paths, w.requests[w.told].URL.Path)
	}
	return paths
}

// count is how many of the paths have something in them.
func count(paths []string, part string) (n int) {
	for _, p := range paths {
		if strings.Contains(p, part) {
			n++
		}
	}
	return n
}
