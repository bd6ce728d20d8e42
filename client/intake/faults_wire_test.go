package intake_test

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"assay/client/sandbox"
)

// wire is what lies between the client and the sandbox.
type wire struct {
	scene *scene
	next  http.Handler

	mu         sync.Mutex
	calls      []exchange
	troubles   []*trouble
	signatures map[string]bool // of all addresses that the service gave
}

// exchange is a call that came over the wire.
type exchange struct {
	op     sandbox.Operation
	uri    string
	length int64
	key    string
	at     time.Time
}

// trouble is what happens to some calls of an operation instead of what would.
type trouble struct {
	op       sandbox.Operation
	from, to int // counted from 1; to 0: without end
	do       func(s *scene, w http.ResponseWriter, r *http.Request)

	seen int
}

var signature = regexp.MustCompile(`X-Sandbox-Signature=([0-9a-f]{64})`)

func (l *wire) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	op := operationOf(r)
	l.mu.Lock()
	l.calls = append(l.calls, exchange{op, r.URL.RequestURI(), r.ContentLength, r.Header.Get("X-Api-Key"), l.scene.clock.Now()})
	var now *trouble
	for _, t := range l.troubles {
		if t.op != op && t.op != sandbox.OpAny {
			continue
		}
		t.seen++
		if now == nil && t.seen >= t.from && (t.to == 0 || t.seen <= t.to) {
			now = t
		}
	}
	l.mu.Unlock()
	if now != nil {
		now.do(l.scene, w, r)
		return
	}
	l.pass(w, r)
}

// pass lets the sandbox answer, and notes the signatures that it gives.
func (l *wire) pass(w http.ResponseWriter, r *http.Request) {
	l.next.ServeHTTP(reader{w, l}, r)
}

type reader struct {
	http.ResponseWriter
	wire *wire
}

func (r reader) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r reader) Write(p []byte) (int, error) {
	r.wire.mu.Lock()
	for _, found := range signature.FindAllSubmatch(p, -1) {
		r.wire.signatures[string(found[1])] = true
	}
	r.wire.mu.Unlock()
	return r.ResponseWriter.Write(p)
}

// heal ends all troubles.
func (l *wire) heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.troubles = nil
}

// asked are the calls of an operation.
func (l *wire) asked(op sandbox.Operation) (calls []exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.calls {
		if c.op == op || op == sandbox.OpAny {
			calls = append(calls, c)
		}
	}
	return calls
}

func operationOf(r *http.Request) sandbox.Operation {
	switch path := r.URL.Path; {
	case r.Method == http.MethodPut:
		return sandbox.OpPut
	case path == "/api/files/social":
		return sandbox.OpSocial
	case strings.HasPrefix(path, "/api/files/"):
		return sandbox.OpUploadURL
	case strings.HasPrefix(path, "/api/v2/media/users"):
		return sandbox.OpList
	case strings.HasPrefix(path, "/api/media/users/"):
		return sandbox.OpResult
	}
	return sandbox.OpArtifact
}
