package ipc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// connect dials a holder as anybody of the same user could.
func connect(t *testing.T, dir string) net.Conn {
	t.Helper()
	conn, err := dial(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// endless is a line without an end. It returns how many bytes were taken.
func endless(w io.Writer) (taken int) {
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
	for _, c := range []struct{ name, said, answer string }{
		{"garbage", "\x00\xff\x13GET / HTTP/1.1\n", "did not understand"},
		{"another shape", "[1,2,3]\n", "did not understand"},
		{"no operation", "{}\n", "did not understand"},
		{"paths that are no base64", `{"op":"echo","given":["%%%"]}` + "\n", "did not understand"},
		{"two requests", `{"op":"echo"}` + "\n" + `{"op":"echo"}` + "\n", "did not understand"},
		{"deep nesting", `{"op":"echo","options":` + strings.Repeat("[", 100_000) + "\n", "did not understand"},
	} {
		t.Run(c.name+" is refused in words", func(t *testing.T) {
			dir := t.TempDir()
			serve(t, dir, echo)
			conn := connect(t, dir)
			if _, err := io.WriteString(conn, c.said); err != nil {
				t.Fatal(err)
			}
			said, err := io.ReadAll(conn)
			if err != nil && len(said) == 0 || !strings.Contains(string(said), c.answer) {
				t.Errorf("got %q, %v", said, err)
			}
			wantEcho(t, dir, "served as ever")
		})
	}
	t.Run("an endless line is cut off, and costs no more than the limit", func(t *testing.T) {
		dir := t.TempDir()
		h := serve(t, dir, echo)
		conn := connect(t, dir)
		if taken := endless(conn); taken > maxLine+(4<<20) { // with what the socket holds
			t.Errorf("%d bytes were taken", taken)
		}
		wantEcho(t, dir, "served as ever")
		eventually(t, func() bool { return h.server.reading.Load() == 0 })
	})
	t.Run("many endless lines share one limit", func(t *testing.T) {
		dir := t.TempDir()
		h := serve(t, dir, echo)
		sent := make(chan struct{})
		const callers = 6
		for range callers {
			conn := connect(t, dir)
			go func() {
				endless(conn)
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
	t.Run("more calls than there are places for are told to come later", func(t *testing.T) {
		dir := t.TempDir()
		h := serve(t, dir, echo)
		var all []net.Conn
		for range maxCalls {
			all = append(all, connect(t, dir))
		}
		eventually(t, func() bool { return len(h.server.places) == maxCalls })
		if err := Call(t.Context(), dir, Request{Op: "echo"}, nothing); !errors.Is(err, ErrNotServing) {
			t.Errorf("got %v", err)
		}
		for _, conn := range all {
			_ = conn.Close()
		}
		eventually(t, func() bool { return len(h.server.places) == 0 })
		wantEcho(t, dir, "served as ever")
	})
	t.Run("one that hangs up in the middle of its request is not handled", func(t *testing.T) {
		dir := t.TempDir()
		h := serve(t, dir, func(context.Context, Request, func(any) error) error {
			t.Error("it was handled")
			return nil
		})
		conn := connect(t, dir)
		if _, err := io.WriteString(conn, `{"op":"ec`); err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		eventually(t, func() bool { return len(h.server.places) == 0 })
	})
	t.Run("one that reads nothing does not keep the holder from closing", func(t *testing.T) {
		dir, blocked := t.TempDir(), make(chan struct{})
		h := take(t, dir)
		if err := h.Serve(t.Context(), func(_ context.Context, _ Request, answer func(any) error) error {
			close(blocked)
			for {
				if err := answer(strings.Repeat("x", 1<<20)); err != nil {
					return err
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		conn := connect(t, dir)
		if _, err := io.WriteString(conn, `{"op":"echo"}`+"\n"); err != nil {
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
	t.Run("what listens in the holder's place is not trusted with an endless answer", func(t *testing.T) {
		_, err := nextReply(newEndlessReader())
		if err == nil {
			t.Error("it was read")
		}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			t.Error("it was read to an end that it has not")
		}
	})
}
