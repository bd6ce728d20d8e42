package intake_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/clocktest"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/submission"
)

// offlineThenBack hands files over while the service can't be reached, checks that this is said and waited out, and that all
// goes on once back has been called.
func offlineThenBack(t *testing.T, s *sandboxed, back func()) {
	t.Helper()
	files := []string{pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 40), noise(t, 9)}
	ids := s.drop(files...)
	waited := s.clock.Now().Add(2 * time.Hour)
	s.when("it has waited for the network for two hours", func() bool {
		return s.QueueStatus().Cause == intake.NoNetwork && s.clock.Now().After(waited)
	})
	assert.True(t, !s.QueueStatus().Reason.IsZero() && !s.QueueStatus().Stopped(), "it says %+v", s.QueueStatus())
	for _, id := range ids {
		got, _ := s.Get(id)
		assert.True(t, !got.State.Ended(), "%q is %q: %q", got.Name, got.State, got.Problem)
	}
	back()
	s.untilEach(ids, submission.Done)
	assert.True(t, s.QueueStatus() == (intake.QueueStatus{}), "afterwards it says %+v", s.QueueStatus())
	s.atService(files...)
}

func TestNoNetworkIsSaidAndWaitedOut(t *testing.T) {
	t.Run("a port where nobody answers", func(t *testing.T) {
		var down atomic.Bool
		down.Store(true)
		refused := refusedAddress(t)
		s := setupSandbox(t, plan{tls: true, options: func(o *client.Options) {
			o.Proxy = func(*http.Request) (*url.URL, error) { // the only way to the service
				if down.Load() {
					return &url.URL{Scheme: "http", Host: refused}, nil
				}
				return nil, nil
			}
		}})
		resolve(t, func() bool { return true })
		offlineThenBack(t, s, func() { down.Store(false) })
	})
	t.Run("no DNS", func(t *testing.T) {
		var known atomic.Bool
		resolve(t, known.Load)
		s := setupSandbox(t, plan{tls: true})
		offlineThenBack(t, s, func() {
			assert.True(t, strings.Contains(s.QueueStatus().Reason.String(), "name was not found"), "it says %q", s.QueueStatus().Reason)
			known.Store(true)
		})
	})
	t.Run("a proxy that wants a login", func(t *testing.T) {
		resolve(t, func() bool { return true })
		var open atomic.Bool
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			assert.True(t, r.Method == http.MethodConnect && r.Header.Get("X-Api-Key") == "", "the proxy was asked to %s and shown %v", r.Method, r.Header)
			if !open.Load() {
				w.Header().Set("Proxy-Authenticate", `Basic realm="office"`)
				http.Error(w, portal, http.StatusProxyAuthRequired)
				return
			}
			tunnel(w, r)
		}))
		defer proxy.Close()
		at, err := url.Parse(proxy.URL)
		assert.NoError(t, err)
		s := setupSandbox(t, plan{tls: true, options: func(o *client.Options) { o.Proxy = http.ProxyURL(at) }})
		offlineThenBack(t, s, func() { open.Store(true) })
		s.stop() // before the proxy ends
	})
	t.Run("that goes and comes back at every operation", func(t *testing.T) {
		for _, op := range []sandbox.Operation{sandbox.OpUploadURL, sandbox.OpPut, sandbox.OpResult} {
			s := setupSandbox(t, plan{troubles: []trouble{{op: op, from: 1, do: cutAfter(0.3)}}})
			file := noise(t, 11)
			ids := s.drop(file)
			s.when(fmt.Sprintf("%s finds no network", op), func() bool { return s.QueueStatus().Cause == intake.NoNetwork })
			s.wire.heal()
			s.untilEach(ids, submission.Done)
			s.atService(file)
		}
	})
}

// refusedAddress is one on this computer at which nobody listens.
func refusedAddress(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	assert.NoError(t, listener.Close())
	return listener.Addr().String()
}

// tunnel connects a client of a proxy with this computer.
func tunnel(w http.ResponseWriter, r *http.Request) {
	_, port, _ := net.SplitHostPort(r.Host)
	there, err := new(net.Dialer).DialContext(r.Context(), "tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		http.Error(w, "no such host", http.StatusBadGateway)
		return
	}
	defer there.Close() //nolint:errcheck // at its end
	w.WriteHeader(http.StatusOK)
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close() //nolint:errcheck // at its end
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(there, buffered)
		_ = there.Close() // ends the other direction
	}()
	_, _ = io.Copy(here, there)
	_ = here.Close()
	<-done
}

// resolve answers for the test's time every question for a name: with this computer, or that there is no such name.
func resolve(t *testing.T, known func() bool) {
	t.Helper()
	server, err := new(net.ListenConfig).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	assert.NoError(t, err)
	served := make(chan struct{})
	go func() {
		defer close(served)
		question := make([]byte, 4096)
		for {
			n, from, err := server.ReadFrom(question)
			if err != nil {
				return // closed
			}
			_, _ = server.WriteTo(nameAnswer(question[:n], known()), from)
		}
	}()
	before := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
	t.Cleanup(func() {
		net.DefaultResolver = before
		assert.NoError(t, server.Close())
		<-served
	})
}

// nameAnswer is a name server's: 127.0.0.1 for a question for an IPv4 address, nothing for another.
func nameAnswer(question []byte, known bool) []byte {
	const headerLength, answered, noSuchName = 12, 0x8180, 0x8183
	end := headerLength
	for question[end] != 0 { // the labels of the name
		end += 1 + int(question[end])
	}
	kind := binary.BigEndian.Uint16(question[end+1:])
	answer := slices.Clone(question[:end+5])
	flags, answers := uint16(noSuchName), uint16(0)
	if known {
		flags = answered
		if kind == 1 {
			answers = 1
			answer = append(answer, 0xC0, headerLength, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1) // of that name, for no time
		}
	}
	for i, field := range []uint16{flags, 1, answers, 0, 0} {
		binary.BigEndian.PutUint16(answer[2+2*i:], field)
	}
	return answer
}

// breakOff resets a connection.
func breakOff(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // closing then resets
	}
	_ = conn.Close() // it is to break
}

// cutAfter resets the connection after a share of the body.
func cutAfter(share float64) handler {
	return func(_ *sandboxed, w http.ResponseWriter, r *http.Request) {
		_, _ = io.CopyN(io.Discard, r.Body, int64(share*float64(r.ContentLength)))
		breakOff(w)
	}
}

// loseAnswer lets the sandbox do what it is asked for, and resets the connection in place of its answer.
func loseAnswer(s *sandboxed, w http.ResponseWriter, r *http.Request) {
	s.wire.pass(httptest.NewRecorder(), r)
	breakOff(w)
}

// shorten gives the sandbox less of the body than was promised.
func shorten(s *sandboxed, w http.ResponseWriter, r *http.Request) {
	r.Body = io.NopCloser(io.LimitReader(r.Body, r.ContentLength/2))
	s.wire.pass(w, r)
}

// hang reads some of the body and answers never.
func hang(share float64) handler {
	return func(s *sandboxed, _ http.ResponseWriter, r *http.Request) {
		_, _ = io.CopyN(io.Discard, r.Body, int64(share*float64(max(r.ContentLength, 0))))
		select {
		case <-r.Context().Done():
		case <-s.over:
		}
	}
}

// drip answers a byte at a time, for ever.
func drip(s *sandboxed, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for {
		if _, err := io.WriteString(w, " "); err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-again.C:
		case <-r.Context().Done():
			return
		case <-s.over:
			return
		}
	}
}

// toOneURL checks that all uploads went to the same upload URL, each of the whole length, and with no key.
func (s *sandboxed) toOneURL(puts int, path string) {
	s.t.Helper()
	info, err := os.Stat(path)
	assert.NoError(s.t, err)
	calls := s.wire.asked(sandbox.OpPut)
	assert.True(s.t, len(calls) == puts, "%d uploads, want %d", len(calls), puts)
	for _, c := range calls {
		assert.True(s.t, c.uri == calls[0].uri && c.length == info.Size() && c.key == "",
			"an upload of %d bytes (want %d) went to %.60s, the first to %.60s", c.length, info.Size(), c.uri, calls[0].uri)
	}
}

func TestAnUploadThatBreaksBeginsAgainWithTheSameURL(t *testing.T) {
	for _, c := range []struct {
		name string
		do   handler
	}{
		{"a reset before the first byte", cutAfter(0)},
		{"a reset in mid-body", cutAfter(0.5)},
		{"a reset after the last byte, which the service did not keep", cutAfter(1)},
		{"the answer lost after the whole body", loseAnswer},
		{"a body that arrives in part", shorten},
	} {
		for _, times := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, %d times", c.name, times), func(t *testing.T) {
				s := setupSandbox(t, plan{troubles: []trouble{{op: sandbox.OpPut, from: 1, to: times, do: c.do}}})
				file := noise(t, 1)
				s.untilEach(s.drop(file), submission.Done)
				s.toOneURL(times+1, file)
				assert.True(t, len(s.wire.asked(sandbox.OpUploadURL)) == 1, "%d upload URLs were asked for", len(s.wire.asked(sandbox.OpUploadURL)))
				s.atService(file)
			})
		}
	}
	for _, faults := range [][]string{
		{"put:reset@1-3,after=10000"}, {"put:reset@1"}, {"put:reset@/2,after=999999999"}, {"upload-url:reset@1-2", "result:reset@1-4"},
		{"upload-url:truncate@1-5", "result:truncate@2-6"}, {"any:reset@/3"}, {"any:truncate@/2"},
	} {
		t.Run(strings.Join(faults, " "), func(t *testing.T) {
			s := setupSandbox(t, plan{faults: faults})
			files := []string{noise(t, 1), noise(t, 2), pictureFile(t, "a.png", 1)}
			s.untilEach(s.drop(files...), submission.Done)
			s.atService(files...)
		})
	}
	for _, c := range []struct {
		name string
		do   handler
	}{{"the answer lost after the service took it", loseAnswer}, {"an answer broken off", func(s *sandboxed, w http.ResponseWriter, r *http.Request) {
		s.wire.pass(httptest.NewRecorder(), r)
		w.Header().Set("Content-Length", "5000")
		_, _ = io.WriteString(w, `{"requ`) // and no more
	}}} {
		t.Run("a link: "+c.name, func(t *testing.T) {
			s := setupSandbox(t, plan{troubles: []trouble{{op: sandbox.OpSocial, from: 1, do: c.do}}})
			file := pictureFile(t, "a.png", 1)
			s.untilEach(s.drop(servedLink(t, file)), submission.Done)
			assert.True(t, len(s.wire.asked(sandbox.OpSocial)) == 1, "submitted %d times", len(s.wire.asked(sandbox.OpSocial)))
			s.atService(file)
		})
	}
}

func TestWhatStallsIsEndedAndHoldsNothingElseUp(t *testing.T) {
	for _, share := range []float64{0, 0.5, 1} {
		t.Run(fmt.Sprintf("an upload, after %v of its body", share), func(t *testing.T) {
			var looks atomic.Int64 // of the client at the clock
			s := setupSandbox(t, plan{troubles: []trouble{{op: sandbox.OpPut, from: 1, to: 1, do: hang(share)}},
				options: func(o *client.Options) {
					now := o.Now
					o.Now = func() time.Time { looks.Add(1); return now() }
					o.StallTimeout, o.AnswerTimeout = 8*time.Minute, 8*time.Minute
				}})
			large, small := noise(t, 7), []string{pictureFile(t, "a.png", 1), pictureFile(t, "b.png", 50)}
			ids := s.drop(large)
			s.when("it hangs", func() bool { return len(s.wire.asked(sandbox.OpPut)) == 1 })
			s.untilEach(s.drop(small...), submission.Done) // in the other place
			s.is(submission.Sending, ids[0])
			before := looks.Load()
			s.when("the watchdog has seen that nothing moves", func() bool { return looks.Load() > before+2 })
			s.clock.Advance(8 * time.Minute)
			s.untilEach(ids, submission.Done)
			s.atService(append(small, large)...)
			puts := s.wire.asked(sandbox.OpPut)
			first, last := puts[0], puts[len(puts)-1]
			assert.True(t, first.uri == last.uri && len(puts) == 4, "%d uploads; the last went elsewhere than the first", len(puts))
		})
	}
	t.Run("8 KB/s is slow, and not a stall", func(t *testing.T) {
		const rate = 8 << 10                                                                                   // bytes a second
		s := setupSandbox(t, plan{options: func(o *client.Options) { o.StallTimeout, o.AnswerTimeout = 0, 0 }, // as it is delivered
			troubles: []trouble{{op: sandbox.OpPut, from: 1, do: func(s *sandboxed, w http.ResponseWriter, r *http.Request) {
				r.Body = io.NopCloser(slowly{r.Body, s.clock, rate})
				s.wire.pass(w, r)
			}}}})
		file := filepath.Join(t.TempDir(), "recording.mp3")
		assert.NoError(t, os.WriteFile(file, nil, 0o600))
		assert.NoError(t, os.Truncate(file, 150*rate)) // two and a half minutes
		s.untilEach(s.drop(file), submission.Done)
		info, err := os.Stat(file)
		assert.NoError(t, err)
		took := s.clock.Now().Sub(start)
		assert.True(t, took >= time.Duration(info.Size()/rate)*time.Second, "it took %v only", took)
		s.toOneURL(1, file)
		s.atService(file)
	})
	for _, op := range []sandbox.Operation{sandbox.OpUploadURL, sandbox.OpResult, sandbox.OpSocial} {
		for name, do := range map[string]handler{"silence": hang(0), "a byte at a time": drip} {
			t.Run(fmt.Sprintf("%s: %s", op, name), func(t *testing.T) {
				s := setupSandbox(t, plan{troubles: []trouble{{op: op, from: 1, to: 2, do: do}},
					options: func(o *client.Options) { o.CallTimeout = 500 * time.Millisecond }}) // enough for the third
				file := pictureFile(t, "a.png", 1)
				ids := s.drop(handed(t, op, file))
				for got := s.untilEach(ids, submission.Done, submission.Failed); op == sandbox.OpSocial && got.State == submission.Failed; {
					// It is not known whether the service has the link: the person is asked.
					s.RetryFailed()
					got = s.untilEach(ids, submission.Done, submission.Failed)
				}
				s.untilEach(ids, submission.Done)
				s.atService(file)
			})
		}
	}
}

// slowly is a body that takes its time, on the queue's clock.
type slowly struct {
	io.Reader
	clock *clocktest.Clock
	rate  int // bytes a second
}

func (s slowly) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p[:min(len(p), s.rate)])
	s.clock.Advance(time.Duration(n) * time.Second / time.Duration(s.rate))
	return n, err
}
