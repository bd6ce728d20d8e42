package vault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
)

type (
	responseWriter = http.ResponseWriter
	request        = http.Request
)

func flush(w responseWriter) { _ = http.NewResponseController(w).Flush() }

func keys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

func clientOf(t *testing.T, address string) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{BaseURL: address, Key: func() string { return "key" }})
	assert.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// failing answers with what fails so many times, and with content then.
func failing(times int, fail func(w responseWriter), content string) func(responseWriter, *request) {
	var mu sync.Mutex
	return func(w responseWriter, _ *request) {
		mu.Lock()
		times--
		now := times >= 0
		mu.Unlock()
		if now {
			fail(w)
			return
		}
		_, _ = io.WriteString(w, content)
	}
}

const always = 1 << 30

func status(code int) func(responseWriter) {
	return func(w responseWriter) { w.WriteHeader(code) }
}

func cutOff(w responseWriter) {
	w.Header().Set("Content-Length", "1000")
	_, _ = w.Write(make([]byte, 500))
}

func noAnswer(responseWriter) { panic(http.ErrAbortHandler) }

func TestFailures(t *testing.T) {
	const attempts = client.DefaultAttempts // that the client makes by itself
	for _, c := range []struct {
		what string
		fail func(responseWriter)
		n    int
	}{
		{"storage that fails", status(500), 3 * attempts}, {"storage that is busy", status(503), 3 * attempts}, {"a download that is cut off", cutOff, 3 * attempts},
		{"no answer", noAnswer, 20 * attempts}, {"a log-in page", func(w responseWriter) { _, _ = io.WriteString(w, "<html>") }, 3},
		{"a denial", status(403), 6},
	} {
		t.Run("is tried again until it is over: "+c.what, func(t *testing.T) {
			k := setup(t)
			sub := k.service.submitted("r1", picture("r1"), k.clock.Now())
			k.service.stored["r1/thumbnail"] = failing(c.n, c.fail, "r1/thumbnail")
			began := k.clock.Now()
			k.Fetch(sub)
			k.done()
			assert.Equal(t, whole("r1"), k.vault("r1"))
			waited := k.clock.Now().Sub(began)
			assert.True(t, waited >= 3*time.Second, "it waited %v", waited)
		})
	}
	for _, c := range []struct {
		what string
		fail func(responseWriter)
		most int // requests
	}{
		{"storage that fails", status(500), 8 * attempts}, {"a download that is cut off", cutOff, 8 * attempts},
		{"a log-in page", func(w responseWriter) { _, _ = io.WriteString(w, "<html>") }, 8}, {"a denial", status(403), 16},
		{"what is not there", status(404), 1},
		{"what is too large", func(w responseWriter) { w.Header().Set("Content-Length", fmt.Sprint(client.MaxThumbnail+1)) }, 1},
	} {
		t.Run("that does not end is given up and told in the log, the rest is kept: "+c.what, func(t *testing.T) {
			k := setup(t)
			sub := k.service.submitted("r1", picture("r1"), k.clock.Now())
			k.service.stored["r1/thumbnail"] = failing(always, c.fail, "")
			k.Fetch(sub)
			k.done()
			assert.Equal(t, whole("r1", "heatmap oak", "explainability", "aggregation", "original"), k.vault("r1"))
			got := count(k.service.requests(), "r1/thumbnail")
			assert.True(t, got != 0 && got <= c.most, "it was asked for %d times", got)
			log := k.log.String()
			at := strings.Index(log, "level=WARN")
			assert.True(t, at >= 0 && strings.Contains(log[at:], `id="sub r1" kind=thumbnail`) && strings.Count(log, "level=WARN") == 1, "the log says:\n%s", log)
		})
	}
	t.Run("what a refresh shows to be gone is given up without a word of warning", func(t *testing.T) {
		k := setup(t)
		sub := k.service.submitted("r1", picture("r1"), k.clock.Now())
		k.service.results["r1"] = func() string { return strings.Replace(picture("r1"), "STORE/r1/original", "", 1) }
		k.clock.Advance(time.Hour)
		k.Fetch(sub)
		k.done()
		got := k.vault("r1")
		assert.True(t, len(got) == 4 && !strings.Contains(k.log.String(), "WARN"), "kept %v; the log says:\n%s", keys(got), k.log)
	})
	t.Run("pauses grow", func(t *testing.T) {
		var pauses []time.Duration
		clock := newClock()
		k := setup(t, func(p *vault.Params) {
			p.Now, p.AtOnce = clock.Now, 1
			p.Wait = func(ctx context.Context, d time.Duration) error {
				pauses = append(pauses, d)
				return clock.Skip(ctx, d)
			}
		})
		sub := k.service.submitted("r1", `{"requestId":"r1","overallStatus":"FAKE","thumbnail":"STORE/r1/thumbnail"}`, clock.Now())
		k.service.stored["r1/thumbnail"] = failing(always, cutOff, "")
		k.Fetch(sub)
		k.done()
		want := []time.Duration{3750 * time.Millisecond, 7500 * time.Millisecond, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute}
		assert.Equal(t, want, pauses)
	})
	t.Run("while nothing can be reached all waits, and no piece is tried on its own", func(t *testing.T) {
		k := setup(t)
		began := k.clock.Now()
		var mu sync.Mutex
		tried := 0
		for n := range 20 {
			id := fmt.Sprintf("r%d", n)
			sub := k.service.submitted(id, picture(id), began)
			for kind, content := range whole(id) {
				k.service.mu.Lock()
				k.service.stored[id+"/"+kind] = func(w responseWriter, _ *request) {
					if k.clock.Now().Sub(began) < 10*time.Minute {
						mu.Lock()
						tried++
						mu.Unlock()
						noAnswer(w)
					}
					_, _ = io.WriteString(w, content)
				}
				k.service.mu.Unlock()
			}
			k.Fetch(sub)
		}
		k.done()
		for n := range 20 {
			id := fmt.Sprintf("r%d", n)
			assert.True(t, len(k.vault(id)) == 5, "of %s there is %v", id, keys(k.vault(id)))
		}
		if tried > 40*attempts { // 100 pieces
			t.Errorf("%d requests while there was no network", tried)
		}
	})
	t.Run("one file that never comes does not hold the others up", func(t *testing.T) {
		k := setup(t)
		never := k.service.submitted("never", `{"requestId":"never","overallStatus":"FAKE","thumbnail":"STORE/never/thumbnail"}`, k.clock.Now())
		k.service.stored["never/thumbnail"] = failing(always, noAnswer, "")
		k.Fetch(never)
		for n := range 5 {
			id := fmt.Sprintf("r%d", n)
			k.Fetch(k.service.submitted(id, picture(id), k.clock.Now()))
		}
		limit := time.After(time.Minute)
		for k.Waiting() > 1 {
			select {
			case <-limit:
				t.Fatalf("%d wait:\n%s", k.Waiting(), k.log.end())
			case <-time.After(time.Millisecond):
			}
		}
	})
	t.Run("TryNow ends the waiting", func(t *testing.T) {
		waiting := make(chan struct{}, 1)
		k := setup(t, func(p *vault.Params) {
			p.Wait = func(ctx context.Context, _ time.Duration) error {
				select {
				case waiting <- struct{}{}:
				default:
				}
				<-ctx.Done()
				return ctx.Err()
			}
		})
		sub := k.service.submitted("r1", `{"requestId":"r1","overallStatus":"FAKE","thumbnail":"STORE/r1/thumbnail"}`, k.clock.Now())
		k.service.stored["r1/thumbnail"] = failing(attempts, noAnswer, "r1/thumbnail")
		k.Fetch(sub)
		<-waiting
		k.TryNow()
		k.done()
		assert.Equal(t, whole("r1", "thumbnail"), k.vault("r1"))
	})
}

// fullVault is one whose disk is full so many times.
type fullVault struct {
	vault.Vault
	mu   sync.Mutex
	left int
	room int // bytes, before it is
}

func (f *fullVault) Keep(ctx context.Context, requestID, kind, model string, write func(io.Writer) error) (store.Artifact, error) {
	f.mu.Lock()
	f.left--
	full := f.left >= 0
	f.mu.Unlock()
	if !full {
		return f.Vault.Keep(ctx, requestID, kind, model, write)
	}
	return f.Vault.Keep(ctx, requestID, kind, model, func(w io.Writer) error { return write(&narrow{w: w, room: f.room}) })
}

type narrow struct {
	w    io.Writer
	room int
}

func (n *narrow) Write(p []byte) (int, error) {
	if len(p) > n.room {
		return 0, fmt.Errorf("write to the disk: %w", syscall.ENOSPC)
	}
	n.room -= len(p)
	return n.w.Write(p)
}

// brokenVault fails in its own way.
type brokenVault struct {
	vault.Vault
	mu    sync.Mutex
	left  int
	cause error
}

func (b *brokenVault) Artifacts(ctx context.Context, requestID string) ([]store.Artifact, error) {
	b.mu.Lock()
	b.left--
	fails := b.left >= 0
	b.mu.Unlock()
	if fails {
		return nil, b.cause
	}
	return b.Vault.Artifacts(ctx, requestID)
}

func TestAFullDisk(t *testing.T) {
	for _, room := range []int{0, 5} {
		t.Run(fmt.Sprintf("is said once, is waited for, and is said to be over: %d bytes fit", room), func(t *testing.T) {
			k := setup(t, func(p *vault.Params) { p.Vault = &fullVault{Vault: p.Vault, left: 30, room: room} })
			began := k.clock.Now()
			k.Fetch(k.service.submitted("r1", picture("r1"), k.clock.Now()))
			k.Fetch(k.service.submitted("r2", picture("r2"), k.clock.Now()))
			k.done()
			got := k.said()
			assert.True(t, len(got) == 2 && strings.Contains(got[0], "disk with Assay's folder is full") && got[1] == "", "it says %q", got)
			for _, id := range []string{"r1", "r2"} {
				assert.Equal(t, whole(id), k.vault(id))
			}
			waited := k.clock.Now().Sub(began)
			assert.True(t, waited >= 10*time.Minute, "30 times full took %v", waited)
			assert.True(t, !strings.Contains(k.log.String(), "level=WARN"), "the log says:\n%s", k.log)
		})
	}
	t.Run("that can't be read either is said, too", func(t *testing.T) {
		k := setup(t, func(p *vault.Params) {
			p.Vault = &brokenVault{Vault: p.Vault, left: 3, cause: &store.Error{Op: "x", Message: i18n.Verbatim("The folder is gone."), Kind: store.ErrIO}}
		})
		k.Fetch(k.service.submitted("r1", picture("r1"), k.clock.Now()))
		k.done()
		got := k.said()
		assert.True(t, slices.Equal(got, []string{"The folder is gone.", ""}) && len(k.vault("r1")) == 5, "it says %q and keeps %v", got, keys(k.vault("r1")))
	})
	t.Run("is not what any other failure of the vault is", func(t *testing.T) {
		k := setup(t, func(p *vault.Params) {
			p.Vault = &brokenVault{Vault: p.Vault, left: 3, cause: errors.New("something else")}
		})
		k.Fetch(k.service.submitted("r1", picture("r1"), k.clock.Now()))
		k.done()
		got := k.said()
		assert.True(t, len(got) == 0 && len(k.vault("r1")) == 5, "it says %q and keeps %v", got, keys(k.vault("r1")))
	})
	t.Run("keeps Missing from telling what is there", func(t *testing.T) {
		cause := errors.New("the disk is gone")
		k := setup(t, func(p *vault.Params) { p.Vault = &brokenVault{Vault: p.Vault, left: 1, cause: cause} })
		sub := k.service.submitted("r1", picture("r1"), k.clock.Now())
		_, err := k.FetchMissing(t.Context(), []submission.Submission{sub})
		assert.True(t, errors.Is(err, cause), "got %v", err)
	})
}
