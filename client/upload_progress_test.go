package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

// large does not fit into the buffers between two processes: what is not read is not sent.
const large = 64 << 20

func TestPutTimeout(t *testing.T) {
	t.Run("U3 an upload that stalls ends, and may be tried again", func(t *testing.T) {
		over := make(chan struct{})
		s := newService(t, nil)
		s.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.CopyN(io.Discard, r.Body, 1<<20) // and no more
			<-over
		})
		s.Start()
		defer close(over)
		c := connect(t, s.URL, func(o *client.Options) { o.StallTimeout = 80 * time.Millisecond })
		start := time.Now()
		err := c.Put(t.Context(), s.URL+"/x", sparse(t, large), large, nil)
		wantKind(t, err, client.KindStalled)
		if !failure(t, err).Temporary() {
			t.Error("it is not tried again")
		}
		if took := time.Since(start); took < 80*time.Millisecond {
			t.Errorf("it ended after %v already", took)
		}
	})

	t.Run("U3 an upload that moves slowly outlasts the time-out many times", func(t *testing.T) {
		now := newClock()
		var slow time.Duration
		s := newService(t, nil)
		s.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			for range 6 {
				_, _ = io.CopyN(io.Discard, r.Body, 8<<20) // makes room for as much
				now.advance(54 * time.Second)
				slow += 54 * time.Second
			}
			_, _ = io.Copy(io.Discard, r.Body)
		})
		s.Start()
		c := connect(t, s.URL, func(o *client.Options) { o.Now, o.StallTimeout = now.Now, time.Minute })
		if err := c.Put(t.Context(), s.URL+"/x", sparse(t, large), large, nil); err != nil {
			t.Fatalf("after %v: %v", slow, err)
		}
		if slow < 5*time.Minute {
			t.Fatalf("it lasted %v only", slow)
		}
	})

	for _, c := range []struct {
		name string
		size int64
	}{{"a small file", 10}, {"a large file", large}} {
		t.Run("U3 storage may think about the whole of it longer than it may stall: "+c.name, func(t *testing.T) {
			now := newClock()
			s := serve(t, func(http.ResponseWriter, *http.Request) {
				now.advance(0) // the last byte has been noted
				now.advance(4 * time.Minute)
			})
			client := connect(t, s.URL, func(o *client.Options) { o.Now, o.StallTimeout = now.Now, time.Minute })
			assert.NoError(t, client.Put(t.Context(), s.URL+"/x", sparse(t, c.size), c.size, nil))
		})
	}

	t.Run("U3 storage that never answers ends it as well", func(t *testing.T) {
		now, over := newClock(), make(chan struct{})
		s := serve(t, func(http.ResponseWriter, *http.Request) {
			now.advance(0) // the last byte has been noted
			now.advance(5*time.Minute - 1)
			now.set(1) // and the client gives up
			<-over
		})
		defer close(over)
		c := connect(t, s.URL, func(o *client.Options) { o.Now = now.Now })
		wantKind(t, c.Put(t.Context(), s.URL+"/x", sparse(t, 10), 10, nil), client.KindStalled)
	})

	t.Run("an upload that is stopped ends at once, and says that it was", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan struct{})
		s := newService(t, nil)
		s.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
			stop()
			<-over
		})
		s.Start()
		defer close(over)
		err := connect(t, s.URL).Put(ctx, s.URL+"/x", sparse(t, large), large, nil)
		if !errors.Is(err, context.Canceled) || failure(t, err).Message.String() != "Stopped." {
			t.Errorf("got %v", err)
		}
	})
}

func TestPutProgress(t *testing.T) {
	t.Run("progress grows, ends with the size and comes no more once the upload has ended", func(t *testing.T) {
		half := make(chan struct{})
		s := newService(t, nil)
		s.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.CopyN(io.Discard, r.Body, large/2)
			<-half // progress was told before the end
			_, _ = io.Copy(io.Discard, r.Body)
		})
		s.Start()
		var last atomic.Int64
		var ended atomic.Bool
		var told []int64
		err := connect(t, s.URL).Put(t.Context(), s.URL+"/x", sparse(t, large), large, func(sent int64) {
			if sent <= last.Swap(sent) || sent > large || ended.Load() {
				t.Errorf("told %d after %v (ended: %v)", sent, told, ended.Load())
			}
			if told = append(told, sent); sent >= large/2 && sent < large {
				select {
				case <-half:
				default:
					close(half)
				}
			}
		})
		ended.Store(true)
		assert.NoError(t, err)
		if len(told) < 2 || last.Load() != large {
			t.Errorf("told %v of %d", told, large)
		}
	})

	t.Run("a file that is sent in one go is told as well", func(t *testing.T) {
		s := serve(t, answer(http.StatusOK, ""))
		var told int64
		if err := connect(t, s.URL).Put(t.Context(), s.URL+"/x", open(t, []byte("bytes")), 5, func(n int64) { told = n }); err != nil || told != 5 {
			t.Errorf("told %d, %v", told, err)
		}
	})

	t.Run("an upload that fails never tells more than went", func(t *testing.T) {
		s := newService(t, nil)
		s.Config.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		s.Start()
		var told int64
		err := connect(t, s.URL).Put(t.Context(), s.URL+"/x", sparse(t, large), large, func(n int64) { told = n })
		wantKind(t, err, client.KindNetwork)
		if told >= large {
			t.Errorf("told %d", told)
		}
	})
}
