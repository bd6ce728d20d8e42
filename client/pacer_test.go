package client_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
)

func TestPacer(t *testing.T) {
	ask := func(t *testing.T, c *client.Client, times int) {
		t.Helper()
		for range times {
			if _, err := c.Result(t.Context(), "r1"); err != nil {
				t.Fatal(err)
			}
		}
	}
	good := answer(http.StatusOK, `{"requestId":"r1"}`)

	t.Run("K5 calls go in a small burst, then at the steady pace", func(t *testing.T) {
		p := newPatience()
		s := serve(t, good)
		c := connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer = client.NewPacer(60, 3) })
		ask(t, c, 5)
		assert.Equal(t, []time.Duration{time.Second, time.Second}, p.waited())
		p.set(time.Hour) // a rest fills the bucket, and no further
		ask(t, c, 4)
		assert.Equal(t, 3, len(p.waited()))
	})

	t.Run("K5 clients that share a pacer share the pace", func(t *testing.T) {
		p := newPatience()
		s := serve(t, good)
		shared := func(o *client.Options) { o.Pacer = client.NewPacer(60, 1) }
		one := connect(t, s.URL, p.use, shared)
		both := client.NewPacer(60, 1)
		two := connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer = both })
		three := connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer = both })
		ask(t, one, 1)
		ask(t, two, 1)
		if got := len(p.waited()); got != 0 {
			t.Fatalf("%d waits before anything is shared", got)
		}
		ask(t, three, 1)
		assert.Equal(t, 1, len(p.waited()))
	})

	t.Run("K5 a busy service halves the pace, success raises it slowly up to the steady one", func(t *testing.T) {
		p := newPatience()
		s := serve(t, answers(answer(429, ``), good))
		pacer := client.NewPacer(60, 3)
		c := connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer = pacer })
		ask(t, c, 1)
		if got := pacer.Pace(); got != 33 { // halved, and raised by a twentieth
			t.Errorf("the pace is %v a minute, want 33", got)
		}
		ask(t, c, 4)
		assert.Equal(t, 45, pacer.Pace())
		ask(t, c, 20)
		assert.Equal(t, 60, pacer.Pace())
	})

	t.Run("K5 calls that find the service busy at once halve the pace once", func(t *testing.T) {
		p := newPatience()
		var arrived sync.WaitGroup
		arrived.Add(3)
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			arrived.Done()
			arrived.Wait()
			answer(429, ``)(w, r)
		})
		pacer := client.NewPacer(60, 3)
		c := connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer, o.Attempts = pacer, 1 })
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { _, _ = c.Result(t.Context(), "r1") }) // busy, as the test's others have it
		}
		all.Wait()
		assert.Equal(t, 30, pacer.Pace())
	})

	t.Run("K5 however busy the service, the pace does not come to a stop", func(t *testing.T) {
		p := newPatience()
		s := serve(t, answer(503, ``))
		pacer := client.NewPacer(64, 3)
		c := connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer, o.Attempts = pacer, 12 })
		_, err := c.Result(t.Context(), "r1")
		wantKind(t, err, client.KindBusy)
		assert.Equal(t, 4, pacer.Pace())
	})

	t.Run("K5 Retry-After holds for all calls", func(t *testing.T) {
		p := newPatience()
		s := serve(t, answers(later(503, "40"), good))
		pacer := client.NewPacer(60, 3)
		first := connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer, o.Attempts = pacer, 1 })
		_, err := first.Result(t.Context(), "r1")
		wantKind(t, err, client.KindBusy)
		ask(t, connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer = pacer }), 1)
		assert.Equal(t, []time.Duration{40 * time.Second}, p.waited())
	})

	t.Run("K5 a call that waits for its turn ends with its context", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		s := serve(t, good)
		c := connect(t, s.URL, func(o *client.Options) {
			o.Pacer, o.Now = client.NewPacer(60, 1), newClock().Now
			o.Wait = func(ctx context.Context, _ time.Duration) error { stop(); <-ctx.Done(); return ctx.Err() }
		})
		ask(t, c, 1)
		_, err := c.Result(ctx, "r1")
		if !errors.Is(err, context.Canceled) || len(s.seen()) != 1 {
			t.Errorf("%d requests, %v", len(s.seen()), err)
		}
	})

	t.Run("K5 a clock that goes back, or stands still, stops nothing", func(t *testing.T) {
		p := newPatience()
		s := serve(t, good)
		c := connect(t, s.URL, p.use, func(o *client.Options) {
			o.Pacer, o.Wait = client.NewPacer(60, 2), noWait
		})
		ask(t, c, 3)
		p.set(-time.Hour)
		ask(t, c, 3)
		assert.Equal(t, 6, len(s.seen()))
	})

	t.Run("K5 by default a service elsewhere is paced and one on loopback is not", func(t *testing.T) {
		p := newPatience()
		s := serve(t, good)
		ask(t, connect(t, s.URL, p.use), 30)
		assert.Equal(t, 0, len(p.waited()))
		elsewhere := connect(t, "https://api.example", p.use, func(o *client.Options) {
			o.Attempts = 1
			o.DialWith(func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no network") })
		})
		for range 8 {
			_, err := elsewhere.Result(t.Context(), "r1")
			wantKind(t, err, client.KindNetwork)
		}
		assert.Equal(t, []time.Duration{time.Second, time.Second}, p.waited())
	})

	t.Run("K5 to ask when there will be a place takes none", func(t *testing.T) {
		pacer, now := client.NewPacer(60, 2), time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
		for range 5 {
			if got := pacer.FreeIn(now); got != 0 {
				t.Fatalf("free in %v, want now", got)
			}
		}
		for _, want := range []time.Duration{0, 0, time.Second} {
			assert.Equal(t, want, pacer.Take(now))
		}
		assert.Equal(t, 600*time.Millisecond, pacer.FreeIn(now.Add(400*time.Millisecond)).Round(time.Millisecond))
	})

	t.Run("K5 calls that wait for a place come before one that is planned", func(t *testing.T) {
		p := newPatience()
		pacer, free := client.NewPacer(60, 1), time.Duration(0)
		c := connect(t, serve(t, good).URL, p.use, func(o *client.Options) {
			o.Pacer = pacer
			o.Wait = func(ctx context.Context, d time.Duration) error { free = pacer.FreeIn(p.Now()); return p.wait(ctx, d) }
		})
		ask(t, c, 2) // of which the second waits
		if free.Round(time.Millisecond) != 2*time.Second {
			t.Errorf("one more was free in %v, want 2s: one is waiting", free)
		}
		if got := pacer.FreeIn(p.Now()); got.Round(time.Millisecond) != time.Second {
			t.Errorf("with none waiting free in %v, want 1s", got)
		}
	})

	t.Run("K5 the zero pacer holds no call up", func(t *testing.T) {
		p := newPatience()
		if pacer := new(client.Pacer); pacer.Take(p.Now()) != 0 || pacer.FreeIn(p.Now()) != 0 {
			t.Error("it has no place")
		}
		s := serve(t, good)
		ask(t, connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer = new(client.Pacer) }), 20)
		assert.Equal(t, 0, len(p.waited()))
	})
}
