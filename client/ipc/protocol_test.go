package ipc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// olderReply is a line of the versions that did not speak HTTP.
type olderReply struct {
	Received bool   `json:"received"`
	End      bool   `json:"end"`
	Error    string `json:"error"`
}

// TestOlderVersions is about those that said a line of JSON where HTTP says its request, and its status.
func TestOlderVersions(t *testing.T) {
	t.Run("one that calls this one is told that they differ, and does not wait", func(t *testing.T) {
		for _, given := range []int{0, 10, 200_000} { // also more than a socket holds
			dir := t.TempDir()
			serve(t, dir, echo)
			conn := connect(t, dir)
			_ = conn.SetDeadline(time.Now().Add(time.Minute))
			_, sending := fmt.Fprintf(conn, `{"op":"open","given":[%s]}`+"\n", strings.TrimSuffix(strings.Repeat(`"L3RtcC9h",`, given), ","))
			first, err := bufio.NewReader(conn).ReadBytes('\n')
			var r olderReply
			if err := errors.Join(err, json.Unmarshal(first, &r)); err != nil || r.Received || !r.End || r.Error != OtherVersion().Sentence {
				t.Errorf("%d paths, sent with %v: %q, %v", given, sending, first, err)
			}
			wantEcho(t, dir, "served as ever")
		}
	})
	t.Run("one that is called is found to differ, and is not waited for", func(t *testing.T) {
		dir := t.TempDir()
		take(t, dir)
		listener := listenFor(t, dir)
		handled := make(chan string, 1)
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			handled <- olderHolder(conn)
		}()
		h, err := TakeOrCall(t.Context(), Start{Dir: dir, Request: Request{Op: "open", Job: given([]string{"/a"})}, Each: nothing, Wait: noWait(t)})
		var refusal *Refusal
		if h != nil || !errors.As(err, &refusal) || *refusal != *OtherVersion() {
			t.Errorf("got %v, %v", h, err)
		}
		assert.Equal(t, "", <-handled)
	})
}

// olderHolder answers a connection as such a version did: a line that nothing may follow, or a refusal. It returns the request that it took.
func olderHolder(conn net.Conn) string {
	defer conn.Close() //nolint:errcheck // nothing is left to be said
	chunk := make([]byte, 32<<10)
	n, err := conn.Read(chunk)
	if err != nil {
		return err.Error()
	}
	said := string(chunk[:n])
	if at := strings.IndexByte(said, '\n'); at == n-1 && json.Valid(chunk[:n]) {
		_, _ = io.WriteString(conn, `{"received":true}`+"\n"+`{"end":true}`+"\n")
		return said
	}
	_, _ = io.WriteString(conn, `{"end":true,"error":"The running Assay did not understand this: it may be of another version."}`+"\n")
	return ""
}

func TestRun(t *testing.T) {
	count := Operation[int, int]("count")
	t.Run("goes on elsewhere where the holder ends in the middle, and here where it gives way, with what is left by then", func(t *testing.T) {
		dir := t.TempDir()
		first := serve(t, dir, count.Handle(func(ctx context.Context, job int, answer func(int) error) error {
			if err := answer(job); err != nil {
				return err
			}
			<-ctx.Done()
			return ctx.Err()
		}))
		var done []string
		left, ended := 3, make(chan struct{})
		err := count.Run(t.Context(), Work[int, int]{
			Dir: dir,
			Job: func() (int, error) { return left, nil },
			Each: func(n int) error {
				done, left = append(done, "there"), n-1
				go func() { // it ends in the middle
					defer close(ended)
					_ = first.Close()
				}()
				return nil
			},
			Here: func(_ context.Context, h *Holder) error {
				done = append(done, "here")
				if left--; left > 0 {
					return errors.Join(ErrGaveWay, h.Close())
				}
				return h.Close()
			},
			Wait: func(context.Context, time.Duration) error {
				<-ended
				return nil
			},
		})
		if err != nil || !slices.Equal(done, []string{"there", "here", "here"}) {
			t.Errorf("%v, %v", done, err)
		}
	})
	t.Run("ends with what is wrong with the job, or went wrong here", func(t *testing.T) {
		wrong := errors.New("wrong")
		w := Work[int, int]{Dir: t.TempDir(), Job: func() (int, error) { return 0, nil }, Here: func(_ context.Context, h *Holder) error { return errors.Join(wrong, h.Close()) }}
		if err := count.Run(t.Context(), w); !errors.Is(err, wrong) {
			t.Errorf("here: %v", err)
		}
		w.Job = func() (int, error) { return 0, wrong }
		if err := count.Run(t.Context(), w); !errors.Is(err, wrong) {
			t.Errorf("the job: %v", err)
		}
	})
}
