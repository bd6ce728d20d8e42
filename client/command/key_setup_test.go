package command

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/zalando/go-keyring"

	"assay/client/assert"
	"assay/client/sandbox"
	"assay/client/session"
)

const (
	someService = "https://service.example"
	someKey     = "sk-live-0123456789abcdef"
)

// fixture is a computer with a keychain of the test's own, on which `assay` is called.
type fixture struct {
	t       *testing.T
	home    string
	machine session.Machine

	mu   sync.Mutex
	kept map[string]string
	gets int
	err  error           // of every call
	hold <-chan struct{} // every call waits for it; nil: none does
}

func setup(t *testing.T) *fixture {
	t.Helper()
	t.Setenv("ASSAY_SERVER", "")
	t.Setenv("ASSAY_API_KEY", "")
	return &fixture{t: t, home: t.TempDir(), kept: map[string]string{}}
}

func (d *fixture) begin() error {
	if d.hold != nil {
		<-d.hold
	}
	d.mu.Lock()
	return d.err
}

// Set implements keys.Backend, as do the next two.
func (d *fixture) Set(_, account, secret string) error {
	defer d.mu.Unlock()
	if err := d.begin(); err != nil {
		return err
	}
	d.kept[account] = secret
	return nil
}

func (d *fixture) Get(_, account string) (string, error) {
	defer d.mu.Unlock()
	if err := d.begin(); err != nil {
		return "", err
	}
	if !strings.HasPrefix(account, "custody log ") { // which is asked for at a session's end
		d.gets++
	}
	key, ok := d.kept[account]
	if !ok {
		return "", keyring.ErrNotFound
	}
	return key, nil
}

func (d *fixture) Delete(_, account string) error {
	defer d.mu.Unlock()
	if err := d.begin(); err != nil {
		return err
	}
	if _, ok := d.kept[account]; !ok {
		return keyring.ErrNotFound
	}
	delete(d.kept, account)
	return nil
}

// call runs `assay` with this on its standard input. Neither of its outputs may ever hold the key.
func (d *fixture) call(stdin string, args ...string) (code int, stdout, stderr string) {
	d.t.Helper()
	return d.callWith(d.t.Context(), strings.NewReader(stdin), args...)
}

func (d *fixture) callWith(ctx context.Context, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	d.t.Helper()
	var out, errs bytes.Buffer
	code = Main(ctx, session.Options{KeyBackend: d, Machine: d.machine}, append(args, "--home", d.home, "--log-level", "debug"), stdin, &out, &errs, d.noWindow)
	if said := out.String() + errs.String(); strings.Contains(said, someKey) || strings.Contains(said, someKey[3:]) || strings.Contains(said, someKey[:12]) {
		d.t.Errorf("the key, or a part of it, was printed: %s", said)
	}
	return code, out.String(), errs.String()
}

// noWindow stands for the window, which no call of these tests opens: it would be the first.
func (d *fixture) noWindow(context.Context, *session.Host, []string) error {
	d.t.Error("a window was opened")
	return nil
}

// keyedService is the sandbox in a real service's place, and which keys its calls carried.
func keyedService(t *testing.T) (address string, carried func() map[string]int) {
	t.Helper()
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir(), Key: someKey})
	assert.NoError(t, err)
	var mu sync.Mutex
	counts := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			mu.Lock()
			counts[r.Header.Get("X-Api-Key")]++
			mu.Unlock()
		}
		box.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.Close()
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.URL, func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		return counts
	}
}

// saying is a standard error that tells when it has been told something.
type saying struct {
	mu    sync.Mutex
	text  bytes.Buffer
	want  string
	heard chan struct{} // closed then
	done  bool
}

func newSaying(want string) *saying { return &saying{want: want, heard: make(chan struct{})} }

func (s *saying) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(p)
	if !s.done && strings.Contains(s.text.String(), s.want) {
		s.done = true
		close(s.heard)
	}
	return len(p), nil
}

func (s *saying) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
