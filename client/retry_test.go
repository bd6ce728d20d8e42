package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
)

// patience is a clock on which waiting takes no time, and which keeps for how long it was waited.
type patience struct {
	*clock
	mu    sync.Mutex
	waits []time.Duration
}

func newPatience() *patience { return &patience{clock: newClock()} }

// use is for connect. Chance is left out: attempts are spread by nothing.
func (p *patience) use(o *client.Options) {
	o.Now, o.Wait, o.Jitter = p.Now, p.wait, func() float64 { return 0 }
}

func (p *patience) wait(ctx context.Context, d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waits = append(p.waits, d)
	p.set(d)
	return ctx.Err()
}

func (p *patience) waited() []time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]time.Duration(nil), p.waits...)
}

// answers gives one answer after another, the last one for good.
func answers(list ...http.HandlerFunc) http.HandlerFunc {
	var mu sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		next := list[0]
		if len(list) > 1 {
			list = list[1:]
		}
		mu.Unlock()
		next(w, r)
	}
}

// later answers with a status and a Retry-After.
func later(status int, after string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", after)
		answer(status, ``)(w, r)
	}
}

// hangUp ends the connection without an answer, when the request is read.
func hangUp(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	_ = conn.Close() // that is the fault
}

func TestRetry(t *testing.T) {
	for _, op := range operations {
		for _, status := range []int{429, 503} {
			t.Run(fmt.Sprintf("K5 %d is waited out: %s", status, op.name), func(t *testing.T) {
				p := newPatience()
				s := serve(t, answers(later(status, "7"), op.succeeds()))
				assert.NoError(t, op.do(t, connect(t, s.URL, p.use)))
				assert.Equal(t, []time.Duration{7 * time.Second}, p.waited())
			})
		}
		for name, fault := range map[string]http.HandlerFunc{
			"500": answer(500, ``), "502": answer(502, `<html>Bad gateway</html>`), "504": answer(504, ``), "no answer": hangUp,
		} {
			t.Run(fmt.Sprintf("K5 a fault is tried again where that does nothing twice: %s, %s", op.name, name), func(t *testing.T) {
				p := newPatience()
				s := serve(t, answers(fault, fault, op.succeeds()))
				err := op.do(t, connect(t, s.URL, p.use))
				if op.once {
					e := failure(t, err)
					if seen := len(s.seen()); seen != 1 || !e.Uncertain || e.Temporary() {
						t.Errorf("%d requests, and %+v", seen, e)
					}
					return
				}
				assert.NoError(t, err)
				if diff := cmp.Diff([]time.Duration{500 * time.Millisecond, time.Second}, p.waited()); diff != "" || len(s.seen()) != 3 {
					t.Errorf("%d requests; waits (-want +got):\n%s", len(s.seen()), diff)
				}
			})
		}
		for _, status := range []int{400, 401, 403, 404, 408, 409, 422} {
			t.Run(fmt.Sprintf("K5 %d is not tried again: %s", status, op.name), func(t *testing.T) {
				p := newPatience()
				s := serve(t, later(status, "1"))
				e := failure(t, op.do(t, connect(t, s.URL, p.use)))
				for _, r := range s.seen()[1:] {
					if r.Target == s.seen()[0].Target {
						t.Errorf("asked again: %s", r.Target)
					}
				}
				if len(p.waited()) != 0 || e.Temporary() || e.Uncertain {
					t.Errorf("waited %v, %+v", p.waited(), e)
				}
			})
		}
		t.Run("K5 what never reached the service is tried again, whatever it is: "+op.name, func(t *testing.T) {
			listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
			assert.NoError(t, err)
			address := listener.Addr().String()
			assert.NoError(t, listener.Close())
			p := newPatience()
			e := failure(t, op.do(t, connect(t, "http://"+address, p.use)))
			if len(p.waited()) != 2 || e.Uncertain || !e.Temporary() {
				t.Errorf("waited %v, %+v", p.waited(), e)
			}
		})
	}

	for _, c := range []struct {
		after string
		want  time.Duration
	}{
		{"60", time.Minute}, {"1e300", 500 * time.Millisecond}, {"1.5", 1500 * time.Millisecond}, {"Sun, 01 Mar 2026 12:00:20 GMT", 20 * time.Second},
		{"-1", 500 * time.Millisecond}, {"soon", 500 * time.Millisecond}, {"", 500 * time.Millisecond},
	} {
		t.Run("K5 Retry-After is obeyed up to a minute, nonsense gives way to the usual wait: "+c.after, func(t *testing.T) {
			p := newPatience()
			s := serve(t, answers(later(503, c.after), answer(200, `{"requestId":"r1"}`)))
			if _, err := connect(t, s.URL, p.use).Result(t.Context(), "r1"); err != nil {
				t.Fatal(err)
			}
			assert.Equal(t, []time.Duration{c.want}, p.waited())
		})
	}

	for _, c := range []struct {
		after string
		asked time.Duration
		says  string
	}{
		{"61", 61 * time.Second, "The service is busy (503)."},
		{"3600", time.Hour, "The service is busy (503)."},
		{"3601", time.Hour, "The service asked Assay to wait 60 min."},
		{"7200", time.Hour, "The service asked Assay to wait 2 h."},
		{"864000", time.Hour, "The service asked Assay to wait 10 days."},
		{"94672800", time.Hour, "The service asked Assay to wait 3 years."},
		{"99999999999999999999", time.Hour, "The service asked Assay to wait more than a hundred years."},
		{"9999999999", time.Hour, "The service asked Assay to wait more than a hundred years."},
		{"2500000000", time.Hour, "The service asked Assay to wait 79 years."},
		{"Fri, 01 Mar 2126 12:00:00 GMT", time.Hour, "The service asked Assay to wait more than a hundred years."},
		{"Fri, 31 Dec 9999 23:59:59 GMT", time.Hour, "The service asked Assay to wait more than a hundred years."},
	} {
		t.Run("K5 no call waits for a Retry-After of more than a minute: its caller is told, and of an hour at most: "+c.after, func(t *testing.T) {
			p := newPatience()
			s := serve(t, later(503, c.after))
			shared := client.NewPacer(600, 6)
			connected := connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer = shared })
			_, err := connected.Result(t.Context(), "r1")
			e := failure(t, err)
			if len(p.waited()) != 0 || len(s.seen()) != 1 || e.Kind != client.KindBusy || e.Pause() != c.asked {
				t.Errorf("%d requests, waited %v; %v: %+v", len(s.seen()), p.waited(), e.Pause(), e)
			}
			now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
			if said := e.WaitMessage(now.Add(time.Hour), now).String(); said != c.says+" Assay asks again at 13:00." && said != c.says+" Assay asks again at 1:00 PM." {
				t.Errorf("it says %q", said)
			}
			t.Run("nor does any other call of those that share its pace", func(t *testing.T) {
				_, err := connect(t, s.URL, p.use, func(o *client.Options) { o.Pacer = shared }).Result(t.Context(), "r2")
				if e := failure(t, err); len(p.waited()) != 0 || len(s.seen()) != 1 || e.Kind != client.KindBusy || e.Status != 503 || e.Pause() != c.asked {
					t.Errorf("%d requests, waited %v; %v: %+v", len(s.seen()), p.waited(), e.Pause(), e)
				}
			})
		})
	}

	t.Run("who waits is told why and until when before the call is made again", func(t *testing.T) {
		p := newPatience()
		s := serve(t, answers(later(503, "20"), answer(500, ``), answer(200, `{"requestId":"r1"}`)))
		var told []string
		ctx := client.OnWait(t.Context(), func(e *client.Error, until time.Time) {
			told = append(told, e.WaitMessage(until, p.Now()).String())
		})
		if _, err := connect(t, s.URL, p.use).Result(ctx, "r1"); err != nil {
			t.Fatal(err)
		}
		want := []string{"The service is busy (503). Assay asks again in 20 s.", "The service answered 500 (Internal Server Error). Assay asks again in 1 s."}
		assert.Equal(t, want, told)
	})

	t.Run("K5 waits grow, whatever chance adds to them, and end", func(t *testing.T) {
		p := newPatience()
		chance := 1.0
		s := serve(t, answer(500, ``))
		c := connect(t, s.URL, p.use, func(o *client.Options) {
			o.Attempts = 8
			o.Jitter = func() float64 { chance = 1 - chance; return chance }
		})
		_, err := c.Result(t.Context(), "r1")
		wantKind(t, err, client.KindService)
		want := []time.Duration{500 * time.Millisecond, 2 * time.Second, 2 * time.Second, 8 * time.Second, 5 * time.Second, 10 * time.Second, 5 * time.Second}
		assert.Equal(t, want, p.waited())
	})

	t.Run("K5 three attempts are made unless the options say otherwise", func(t *testing.T) {
		for attempts, want := range map[int]int{0: 3, 1: 1, 5: 5} {
			s := serve(t, answer(503, ``))
			c := connect(t, s.URL, func(o *client.Options) { o.Attempts = attempts })
			_, err := c.Result(t.Context(), "r1")
			wantKind(t, err, client.KindBusy)
			if got := len(s.seen()); got != want {
				t.Errorf("%d: %d attempts, want %d", attempts, got, want)
			}
		}
	})

	t.Run("K5 a wait ends with the context, at once", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { later(503, "60")(w, r) })
		c := connect(t, s.URL, func(o *client.Options) {
			o.Wait = func(ctx context.Context, _ time.Duration) error { stop(); <-ctx.Done(); return ctx.Err() }
		})
		_, err := c.Result(ctx, "r1")
		if !errors.Is(err, context.Canceled) || len(s.seen()) != 1 {
			t.Errorf("%d requests, %v", len(s.seen()), err)
		}
	})

	t.Run("K5 a real wait ends with the context, too", func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		s := serve(t, later(503, "60"))
		c := connect(t, s.URL, func(o *client.Options) {
			o.Wait = nil
			o.Jitter = func() float64 { stop(); return 0 } // it is asked just before the wait
		})
		_, err := c.Result(ctx, "r1")
		if !errors.Is(err, context.Canceled) || len(s.seen()) != 1 {
			t.Errorf("%d requests, %v", len(s.seen()), err)
		}
	})

	t.Run("K5 a certificate is not tried again", func(t *testing.T) {
		p := newPatience()
		s := newService(t, answer(200, `{}`))
		s.Config.ErrorLog = quiet
		s.StartTLS()
		_, err := connect(t, s.URL, p.use).Result(t.Context(), "r1")
		wantKind(t, err, client.KindNetwork)
		if len(p.waited()) != 0 {
			t.Errorf("waited %v", p.waited())
		}
	})

	t.Run("K5 an artifact is fetched again after a fault, and not after a refusal", func(t *testing.T) {
		for status, want := range map[int]int{500: 3, 503: 3, 403: 1, 404: 1} {
			s := serve(t, answer(status, ``))
			_, err := connect(t, s.URL).Artifact(t.Context(), s.URL+"/x", 100)
			if e := failure(t, err); e.Status != status || len(s.seen()) != want {
				t.Errorf("%d: %d requests, want %d; %v", status, len(s.seen()), want, e)
			}
		}
	})

	t.Run("K5 the log says of each failed attempt what is done and why, and nothing secret", func(t *testing.T) {
		var lines bytes.Buffer
		s := serve(t, answers(answer(502, `{"message":"`+key+`"}`), answer(404, ``)))
		c := connect(t, s.URL, func(o *client.Options) {
			o.Log = slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		_, err := c.Result(t.Context(), "r1")
		wantKind(t, err, client.KindRefused)
		said := strings.Split(strings.TrimSpace(lines.String()), "\n")
		if len(said) != 2 || !strings.Contains(said[0], `attempt=1 kind=service status=502 again=true why="the service failed"`) ||
			!strings.Contains(said[1], `attempt=2 kind=refused status=404 again=false why="the same call would fail again"`) {
			t.Errorf("it says %q", said)
		}
		if strings.Contains(lines.String(), key) || strings.Contains(lines.String(), "127.0.0.1") {
			t.Errorf("it gives away: %s", lines.String())
		}
	})
}
