package client_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
)

// fullDisk takes so many bytes and then no more.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.room {
		n := d.room
		d.room = 0
		return n, fmt.Errorf("write: %w", syscall.ENOSPC)
	}
	d.room -= len(p)
	return len(p), nil
}

// counting is a hash that knows how much it was given.
type counting struct {
	hash.Hash
	bytes int64
}

func (c *counting) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	return c.Hash.Write(p)
}

func TestSave(t *testing.T) {
	const refreshed = "/api/media/users/r1"
	save := func(t *testing.T, a *client.Artifacts, pick func(*client.Result) string) (string, int64, error) {
		t.Helper()
		var b bytes.Buffer
		n, err := a.Save(t.Context(), pick, 0, &b)
		if n != int64(b.Len()) {
			t.Errorf("%d bytes are told of, %d were written", n, b.Len())
		}
		return b.String(), n, err
	}
	saved := func(t *testing.T, l *linked, a *client.Artifacts, want ...string) {
		t.Helper()
		got, _, err := save(t, a, client.Original)
		if err != nil || got != "the original" {
			t.Errorf("got %q, %v", got, err)
		}
		assert.Equal(t, want, l.paths())
	}

	t.Run("A3 saved: an old link is replaced before it is used", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		a := l.artifacts(t, p)
		p.set(client.SignedURLLife)
		saved(t, l, a, refreshed, "/storage/2/original")
	})
	for _, status := range []int{400, 401, 403} {
		t.Run(fmt.Sprintf("A4 saved: a link denied with %d leads to one refresh and one more try, and of the denial nothing is written", status), func(t *testing.T) {
			l, p := serveLinked(t), newPatience()
			l.deny = status
			a := l.artifacts(t, p)
			l.denies.Store(1)
			saved(t, l, a, "/storage/1/original", refreshed, "/storage/2/original")
		})
	}
	t.Run("A4 saved: one denied for good is given up after one more try", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		a := l.artifacts(t, p)
		l.denies.Store(1000)
		got, _, err := save(t, a, client.Original)
		wantKind(t, err, client.KindExpired)
		if diff := cmp.Diff([]string{"/storage/1/original", refreshed, "/storage/2/original"}, l.paths()); diff != "" || got != "" {
			t.Errorf("%q was written; asked (-want +got):\n%s", got, diff)
		}
	})
	t.Run("A4 saved or fetched, those denied at once share one refresh", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		a := l.artifacts(t, p)
		l.denies.Store(1)
		var both, all sync.WaitGroup
		both.Add(2)
		var first sync.Map
		l.gate = func(name string) {
			if _, again := first.LoadOrStore(name, true); !again {
				both.Done()
				both.Wait()
			}
		}
		all.Go(func() {
			if _, err := a.Fetch(t.Context(), client.Thumbnail, 0); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			if _, err := a.Save(t.Context(), client.Original, 0, io.Discard); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		if got := strings.Count(strings.Join(l.paths(), " "), refreshed); got != 1 {
			t.Errorf("%d refreshes: %v", got, l.paths())
		}
	})
	t.Run("A5 saved: storage sees no key, refreshed or not", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		a := l.artifacts(t, p)
		l.denies.Store(1)
		if _, _, err := save(t, a, client.Original); err != nil {
			t.Fatal(err)
		}
		for _, r := range l.seen() {
			if sent := r.Header.Get("x-api-key"); (sent == key) != strings.HasPrefix(r.Target, basePath) {
				t.Errorf("%s saw the key %q", r.Target, sent)
			}
		}
	})
	for _, c := range []struct{ name, contentType, body string }{
		{"by its type", "text/html; charset=utf-8", "Welcome"}, {"by its looks", "application/octet-stream", "\n <!DOCTYPE html><html>Welcome</html>"},
	} {
		t.Run("of a log-in page nothing is written: "+c.name, func(t *testing.T) {
			l := serveLinked(t)
			l.stored = func(w http.ResponseWriter, _ string) {
				w.Header().Set("Content-Type", c.contentType)
				_, _ = w.Write([]byte(c.body))
			}
			got, _, err := save(t, l.artifacts(t, newPatience()), client.Original)
			wantKind(t, err, client.KindAnswer)
			if got != "" || !strings.Contains(failure(t, err).Sentence(), "log-in page") {
				t.Errorf("%q was written: %v", got, err)
			}
		})
	}
	t.Run("what fails before the first byte is tried again", func(t *testing.T) {
		l := serveLinked(t)
		l.denies.Store(1)
		l.deny = 503
		p := newPatience()
		a := l.artifacts(t, p)
		l.gate = func(string) {
			if len(p.waited()) == 2 {
				l.denies.Store(0)
			}
		}
		saved(t, l, a, "/storage/1/original", "/storage/1/original", "/storage/1/original")
	})
	cutOff := func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write(make([]byte, 50000))
	}
	t.Run("one that is cut off is an error that may pass, is not tried again by itself, and says how much of it was written", func(t *testing.T) {
		l := serveLinked(t)
		l.stored = cutOff
		_, n, err := save(t, l.artifacts(t, newPatience()), client.Original)
		wantKind(t, err, client.KindNetwork)
		if n != 50000 || len(l.seen()) != 1 || !failure(t, err).Temporary() {
			t.Errorf("%d bytes by %v", n, l.paths())
		}
	})
	t.Run("one that is cut off is fetched again from the start, where it is kept in memory", func(t *testing.T) {
		l := serveLinked(t)
		whole := strings.Repeat("x", 100000)
		l.stored = func(w http.ResponseWriter, name string) {
			if len(l.seen()) == 1 {
				cutOff(w, name)
				return
			}
			_, _ = io.WriteString(w, whole)
		}
		body, err := l.artifacts(t, newPatience()).Fetch(t.Context(), client.Original, 0)
		if err != nil || string(body) != whole || len(l.seen()) != 2 {
			t.Errorf("%d bytes by %v, %v", len(body), l.paths(), err)
		}
	})
	t.Run("one that stalls half-way ends", func(t *testing.T) {
		over := make(chan struct{})
		defer close(over)
		l := serveLinked(t)
		l.stored = func(w http.ResponseWriter, _ string) {
			_, _ = w.Write(make([]byte, 50000))
			_ = http.NewResponseController(w).Flush()
			<-over
		}
		p := newPatience()
		c := connect(t, l.URL, p.use, func(o *client.Options) { o.StallTimeout = 100 * time.Millisecond })
		r, err := c.Result(t.Context(), "r1")
		assert.NoError(t, err)
		_, n, err := save(t, client.NewArtifacts(c, r, p.Now()), client.Original)
		wantKind(t, err, client.KindStalled)
		if n != 50000 {
			t.Errorf("%d bytes were written", n)
		}
	})
	t.Run("a disk that is slow is no connection that stalls", func(t *testing.T) {
		l, p := serveLinked(t), newPatience()
		l.stored = func(w http.ResponseWriter, _ string) { _, _ = w.Write(make([]byte, 1<<20)) }
		const stall = 100 * time.Millisecond
		c := connect(t, l.URL, p.use, func(o *client.Options) { o.StallTimeout = stall })
		r, err := c.Result(t.Context(), "r1")
		assert.NoError(t, err)
		first := true
		slow := writerFunc(func(data []byte) (int, error) {
			if first {
				<-time.After(3 * stall)
				first = false
			}
			return len(data), nil
		})
		if n, err := client.NewArtifacts(c, r, p.Now()).Save(t.Context(), client.Original, 0, slow); err != nil || n != 1<<20 {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
	t.Run("a limit is said before anything is written where the length is told, else after so many bytes", func(t *testing.T) {
		for _, told := range []bool{true, false} {
			l := serveLinked(t)
			l.stored = func(w http.ResponseWriter, _ string) {
				if told {
					w.Header().Set("Content-Length", "100000")
				}
				_, _ = w.Write(make([]byte, 100000))
			}
			var b bytes.Buffer
			n, err := l.artifacts(t, newPatience()).Save(t.Context(), client.Original, 60000, &b)
			wantKind(t, err, client.KindAnswer)
			if want := map[bool]int64{true: 0, false: 60000}[told]; !errors.Is(err, client.ErrTooLarge) || n != want || int64(b.Len()) != n || len(l.seen()) != 1 {
				t.Errorf("length told %v: %d bytes, %v", told, n, err)
			}
		}
	})
	t.Run("a full disk is an error of its own, with its cause, and not tried again", func(t *testing.T) {
		for _, room := range []int{0, 40000} {
			l := serveLinked(t)
			l.stored = func(w http.ResponseWriter, _ string) { _, _ = w.Write(make([]byte, 100000)) }
			n, err := l.artifacts(t, newPatience()).Save(t.Context(), client.Original, 0, &fullDisk{room: room})
			wantKind(t, err, client.KindFile)
			if !errors.Is(err, syscall.ENOSPC) || failure(t, err).Temporary() || n != int64(room) || len(l.seen()) != 1 {
				t.Errorf("%d bytes by %v, %v", n, l.paths(), err)
			}
		}
	})
	t.Run("an original of 250 MB comes whole, in constant memory", func(t *testing.T) {
		l := serveLinked(t)
		piece := bytes.Repeat([]byte("0123456789abcdef"), 4096)
		sent := sha256.New()
		for range client.MaxOriginal / len(piece) {
			sent.Write(piece)
		}
		l.stored = func(w http.ResponseWriter, _ string) {
			w.Header().Set("Content-Length", fmt.Sprint(client.MaxOriginal))
			for range client.MaxOriginal / len(piece) {
				_, _ = w.Write(piece)
			}
		}
		a := l.artifacts(t, newPatience())
		got := &counting{Hash: sha256.New()}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, err := a.Save(t.Context(), client.Original, 0, got)
		runtime.ReadMemStats(&after)
		if err != nil || n != client.MaxOriginal || got.bytes != n || !bytes.Equal(got.Sum(nil), sent.Sum(nil)) {
			t.Errorf("%d bytes, %v", n, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
			t.Errorf("%d bytes were allocated on the way", used)
		}
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
