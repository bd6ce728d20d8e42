package sandbox

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// armed is a fault that counts its calls.
type armed struct {
	Fault
	calls atomic.Int64
}

// faulty applies the faults of an operation before its handler, or around it.
func (s *Sandbox) faulty(op Operation, next http.HandlerFunc) http.HandlerFunc {
	var mine []*armed
	for _, f := range s.faults {
		if f.fitsTo(op) {
			mine = append(mine, f)
		}
	}
	if len(mine) == 0 {
		return next
	}
	return func(w http.ResponseWriter, r *http.Request) {
		var now []*armed
		for _, f := range mine { // all count the call, even if an earlier one ends it
			if f.hits(int(f.calls.Add(1))) {
				now = append(now, f)
			}
		}
		var shapes []Effect
		for _, f := range now {
			s.log.Info("a fault that was asked for", "operation", string(op), "effect", string(f.Effect), "status", f.Status)
			switch f.Effect {
			case EffectStatus:
				s.failOnPurpose(w, f.Fault, op == OpPut || op == OpArtifact)
				return
			case EffectReset:
				reset(w, r, f.After)
				return
			case EffectStall:
				if !stall(r, f.For) {
					panic(http.ErrAbortHandler) // this closes the connection without an answer
				}
			case EffectTruncate:
				w = &truncating{ResponseWriter: w}
			case EffectExpired:
				if op == OpPut || op == OpArtifact {
					s.deny(w, errExpired.Error())
					return
				}
				r = r.WithContext(context.WithValue(r.Context(), expiredKey{}, true))
			default:
				shapes = append(shapes, f.Effect)
			}
		}
		if len(shapes) > 0 {
			s.reshape(w, r, next, shapes)
			return
		}
		next(w, r)
	}
}

// failOnPurpose answers with a fault's status.
func (s *Sandbox) failOnPurpose(w http.ResponseWriter, f Fault, storage bool) {
	if f.RetryAfter > 0 {
		after := strconv.Itoa(int(f.RetryAfter / time.Second))
		if f.RetryDate {
			after = s.now().Add(f.RetryAfter).UTC().Format(http.TimeFormat)
		}
		w.Header().Set("Retry-After", after)
	}
	words := fmt.Sprintf("The sandbox was asked to answer %d here.", f.Status)
	switch {
	case f.Body == "empty":
		w.WriteHeader(f.Status)
	case f.Body == "html":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(f.Status)
		_, _ = fmt.Fprintf(w, "<!DOCTYPE html><html><body><h1>%d</h1><p>%s</p></body></html>", f.Status, words) // if the client has gone, nobody needs the answer
	case f.Body == "message", f.Body == "error":
		s.answer(w, f.Status, map[string]string{f.Body: words})
	case storage && f.Body == "":
		s.storageFail(w, f.Status, "FaultOnPurpose", words)
	default:
		s.fail(w, f.Status, "fault-on-purpose", words)
	}
}

// reset reads some of a request's body and then resets the connection.
func reset(w http.ResponseWriter, r *http.Request, after int64) {
	_, _ = io.CopyN(io.Discard, r.Body, after) // a shorter body is reset at its end
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // HTTP/2, or no server: closing without an answer comes nearest
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // so that closing resets; if it fails, it is an ordinary close
	}
	_ = conn.Close() // it is meant to break
}

type stoppingKey struct{}

// stall waits, and reports whether the call goes on after it. It ends early when the client goes, if the server notices, and when the server closes.
func stall(r *http.Request, length time.Duration) bool {
	var over <-chan time.Time
	if length > 0 {
		timer := time.NewTimer(length)
		defer timer.Stop()
		over = timer.C
	}
	stopping, _ := r.Context().Value(stoppingKey{}).(<-chan struct{})
	select {
	case <-over:
		return true
	case <-stopping:
	case <-r.Context().Done():
	}
	return false
}

// truncating passes on half of an answer and then closes the connection.
type truncating struct {
	http.ResponseWriter
	left  int64
	begun bool
}

// WriteHeader sends the header with the full length.
func (t *truncating) WriteHeader(status int) {
	if !t.begun {
		length, err := strconv.ParseInt(t.Header().Get("Content-Length"), 10, 64)
		if err == nil {
			t.left = length / 2
		}
		t.begun = true
	}
	t.ResponseWriter.WriteHeader(status)
}

// Write stops at half of the length; of an answer of unknown length it passes on nothing.
func (t *truncating) Write(p []byte) (int, error) {
	if !t.begun {
		t.WriteHeader(http.StatusOK)
	}
	n, err := t.ResponseWriter.Write(p[:min(int64(len(p)), t.left)])
	t.left -= int64(n)
	if err == nil && n < len(p) {
		_ = http.NewResponseController(t.ResponseWriter).Flush() // what can't be sent is cut off as well
		panic(http.ErrAbortHandler)
	}
	return n, err
}
