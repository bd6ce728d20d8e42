package ipc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// connect dials a holder as anybody of the same user could.
func connect(t *testing.T, dir string) net.Conn {
	t.Helper()
	conn, err := dial(t.Context(), dir)
	assert.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// endless begins so, and has no end. It returns how many bytes were taken.
func endless(w io.Writer, begin string) (taken int) {
	_, _ = io.WriteString(w, begin)
	chunk := bytes.Repeat([]byte{'x'}, 1<<20)
	for {
		n, err := w.Write(chunk)
		taken += n
		if err != nil {
			return taken
		}
	}
}

func TestHostileCallers(t *testing.T) {
	const begin = "POST " + pathPrefix + "echo HTTP/1.1\r\nHost: assay\r\n"
	post := func(body string) string {
		return begin + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	refused := "a different version"
	for _, c := range []struct{ name, said, answer string }{
		{"garbage", "\x00\xff\x13GET / HTTP/1.1\r\n\r\n", "400 Bad Request"},
		{"what does not post", "GET " + pathPrefix + "echo HTTP/1.1\r\nHost: assay\r\n\r\n", "404 Not Found"},
		{"another path", "POST /assay/1/echo HTTP/1.1\r\nHost: assay\r\nContent-Length: 2\r\n\r\n{}", "404 Not Found"},
		{"endless headers", begin + strings.Repeat("X-More: and more\r\n", 10_000), "431 Request Header Fields Too Large"},
		{"no operation", "POST " + pathPrefix + " HTTP/1.1\r\nHost: assay\r\nContent-Length: 2\r\n\r\n{}", "404 Not Found"},
		{"another shape", post("[1,2,3]"), refused},
		{"paths that are no base64", post(`["%%%"]`), refused},
		{"two requests", post("{}{}"), refused},
		{"deep nesting", post(strings.Repeat("[", 100_000)), refused},
	} {
		t.Run(c.name+" is refused", func(t *testing.T) {
			dir := t.TempDir()
			serve(t, dir, echo)
			conn := connect(t, dir)
			if _, err := io.WriteString(conn, c.said); err != nil && c.name != "endless headers" {
				t.Fatal(err)
			}
			said, err := io.ReadAll(conn)
			if err != nil && len(said) == 0 || !strings.Contains(string(said), c.answer) {
				t.Errorf("got %q, %v", said, err)
			}
			wantEcho(t, dir, "served as ever")
		})
	}
	const endlessBody = begin + "Content-Length: 1099511627776\r\n\r\n"
	t.Run("an endless request is cut off, and costs no more than the limit", func(t *testing.T) {
		dir := t.TempDir()
		h := serve(t, dir, echo)
		conn := connect(t, dir)
		if taken := endless(conn, endlessBody); taken > maxBody+(4<<20) { // with what the socket holds
			t.Errorf("%d bytes were taken", taken)
		}
		wantEcho(t, dir, "served as ever")
		eventually(t, func() bool { return h.server.reading.Load() == 0 })
	})
	t.Run("many endless requests share one limit", func(t *testing.T) {
		dir := t.TempDir()
		h := serve(t, dir, echo)
		sent := make(chan struct{})
		const callers = 6
		for range callers {
			conn := connect(t, dir)
			go func() {
				endless(conn, endlessBody)
				sent <- struct{}{}
			}()
		}
		for range callers {
			<-sent
		}
		eventually(t, func() bool { return h.server.reading.Load() == 0 })
		wantEcho(t, dir, "served as ever")
	})
	t.Run("a hundred silent connections hold nobody up", func(t *testing.T) {
		dir := t.TempDir()
		serve(t, dir, echo)
		for range 100 {
			connect(t, dir)
		}
		wantEcho(t, dir, "served as ever")
	})
	t.Run("more calls than there are slots for are told to come later", func(t *testing.T) {
		dir := t.TempDir()
		h := serve(t, dir, echo)
		var all []net.Conn
		for range maxCalls {
			all = append(all, connect(t, dir))
		}
		eventually(t, func() bool { return len(h.server.slots) == maxCalls })
		if err := Call(t.Context(), dir, Request{Op: "echo"}, nothing); !errors.Is(err, ErrNotServing) {
			t.Errorf("got %v", err)
		}
		for _, conn := range all {
			_ = conn.Close()
		}
		eventually(t, func() bool { return len(h.server.slots) == 0 })
		wantEcho(t, dir, "served as ever")
	})
	t.Run("one that hangs up in the middle of its request is not handled", func(t *testing.T) {
		dir := t.TempDir()
		h := serve(t, dir, func(context.Context, Request, func(any) error) error {
			t.Error("it was handled")
			return nil
		})
		conn := connect(t, dir)
		if _, err := io.WriteString(conn, begin+"Content-Length: 100\r\n\r\n{"); err != nil {
			t.Fatal(err)
		}
		assert.NoError(t, conn.Close())
		eventually(t, func() bool { return len(h.server.slots) == 0 })
	})
	t.Run("one that reads nothing does not keep the holder from closing", func(t *testing.T) {
		dir, blocked := t.TempDir(), make(chan struct{})
		h := take(t, dir)
		assert.NoError(t, h.Serve(t.Context(), func(_ context.Context, _ Request, answer func(any) error) error {
			close(blocked)
			for {
				if err := answer(strings.Repeat("x", 1<<20)); err != nil {
					return err
				}
			}
		}))
		conn := connect(t, dir)
		if _, err := io.WriteString(conn, post("{}")); err != nil {
			t.Fatal(err)
		}
		<-blocked
		began := time.Now()
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 10*closingLimit {
			t.Errorf("it took %v", took)
		}
	})
	t.Run("what listens in the holder's place is not trusted with an endless answer, nor with endless headers", func(t *testing.T) {
		for _, begin := range []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n", "HTTP/1.1 200 OK\r\nX: "} {
			dir := t.TempDir()
			listener := listenFor(t, dir)
			taken := make(chan int, 1)
			go func() {
				conn, err := listener.Accept()
				if err != nil {
					taken <- 0
					return
				}
				_, _ = conn.Read(make([]byte, 4096))
				taken <- endless(conn, begin)
			}()
			err := Call(t.Context(), dir, Request{Op: "echo"}, nothing)
			if !errors.Is(err, ErrNotServing) && !errors.Is(err, ErrLost) {
				t.Errorf("%q: %v", begin, err)
			}
			if n := <-taken; n == 0 || n > maxBody+(4<<20) {
				t.Errorf("%q: %d bytes were taken", begin, n)
			}
		}
	})
}
