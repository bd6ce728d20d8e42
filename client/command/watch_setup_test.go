package command_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/sandbox"
	"assay/client/session"
)

// patience is for what must come about: none of these tests waits for it to be over.
const patience = 3 * time.Minute

// countingService is the sandbox in a real service's place, which counts what it is asked.
type countingService struct {
	url      string
	requests atomic.Int64 // all of them
	uploads  atomic.Int64 // of these, those with a file's bytes
}

// serviceKey is the key of all of them: a test sets it once, and those in it run side by side.
const serviceKey = "key-of-these-tests"

func setKey(t *testing.T) {
	t.Helper()
	t.Setenv("ASSAY_SERVER", "")
	t.Setenv("ASSAY_API_KEY", serviceKey)
}

func startService(t *testing.T, o sandbox.Options) *countingService {
	t.Helper()
	return startServiceBehind(t, o, func(http.ResponseWriter, *http.Request) bool { return false })
}

// startServiceBehind is startService behind what may answer in its place.
func startServiceBehind(t *testing.T, o sandbox.Options, instead func(http.ResponseWriter, *http.Request) bool) *countingService {
	t.Helper()
	o.Dir, o.Key = t.TempDir(), serviceKey
	box, err := sandbox.New(o)
	assert.NoError(t, err)
	s := &countingService{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		if instead(w, r) {
			return
		}
		if r.Method == http.MethodPut {
			s.uploads.Add(1)
		}
		box.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.Close()
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	s.url = server.URL
	return s
}

// watchRun is a running `assay watch`.
type watchRun struct {
	t             *testing.T
	printed, said *lines
	stop          context.CancelFunc
	ended         chan int
}

// watch starts it with these arguments, and waits until it watches so many folders.
func (s *countingService) watch(t *testing.T, folders int, args ...string) *watchRun {
	t.Helper()
	w := &watchRun{t: t, printed: newLines(), said: newLines(), ended: make(chan int, 1)}
	var ctx context.Context
	ctx, w.stop = context.WithCancel(context.Background()) //nolint:usetesting // T's own ends before cleaning up
	var running sync.WaitGroup
	running.Go(func() {
		w.ended <- command.Main(ctx, session.Options{}, append([]string{"watch", "--server", s.url, "--quiet", "200ms"}, args...), nil, w.printed, w.said, someWindow)
	})
	t.Cleanup(func() {
		w.stop()
		running.Wait()
	})
	for range folders {
		if line := w.says(); !strings.Contains(line, "Watching ") {
			t.Fatalf("it says %q", line)
		}
	}
	return w
}

// says is the next sentence.
func (w *watchRun) says() string {
	w.t.Helper()
	return w.next(w.said, w.printed)
}

// prints is the next line.
func (w *watchRun) prints() string {
	w.t.Helper()
	return w.next(w.printed, w.said)
}

func (w *watchRun) next(wanted, other *lines) string {
	w.t.Helper()
	select {
	case line := <-wanted.each:
		return line
	case code := <-w.ended:
		w.ended <- code
		w.t.Fatalf("it ended with %d, and has said %q", code, other.rest())
	case <-time.After(patience):
		w.t.Fatalf("nothing comes; of the other kind: %q", other.rest())
	}
	return ""
}

// end stops it, and wants it to have nothing more to say, and to end well.
func (w *watchRun) end() {
	w.t.Helper()
	w.stop()
	select {
	case code := <-w.ended:
		w.ended <- code
		if code != command.ExitAnswered {
			w.t.Errorf("exit %d", code)
		}
	case <-time.After(patience):
		w.t.Fatal("it does not end")
	}
	if printed, said := w.printed.rest(), w.said.rest(); len(printed)+len(said) != 0 {
		w.t.Errorf("it printed %q and said %q", printed, said)
	}
}

// lines takes what is written, line by line.
type lines struct{ each chan string }

func newLines() *lines { return &lines{make(chan string, 1000)} }

func (l *lines) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		l.each <- strings.TrimSuffix(line, "\n")
	}
	return len(p), nil
}

// rest is what nobody has taken.
func (l *lines) rest() (all []string) {
	for {
		select {
		case line := <-l.each:
			all = append(all, line)
		default:
			return all
		}
	}
}

// put copies one of the pictures into a folder, with something behind it that makes it another content, and returns its path.
// The pictures are small ones, which even a busy computer looks at in no time.
func put(t *testing.T, folder, name, from string, behind ...byte) string {
	t.Helper()
	data, err := os.ReadFile(picture(from))
	assert.NoError(t, err)
	path := filepath.Join(folder, name)
	assert.NoError(t, os.WriteFile(path, append(data, behind...), 0o600))
	return path
}

// someWindow is that of a build with one, which these calls do not open.
func someWindow(context.Context, *session.Host, []string) error {
	return errors.New("a window was opened")
}
