package ipc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"assay/client/assert"
)

// childFolder, where it is set, makes the test binary a start of Assay's in that folder.
const childFolder = "ASSAY_TEST_INSTANCE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childFolder); dir != "" {
		if err := child(dir, os.Args[1:]); err != nil {
			_, _ = fmt.Fprintln(os.Stdout, "failed:", err)
			os.Exit(1) //nolint:forbidigo // a program of its own
		}
		os.Exit(0) //nolint:forbidigo // likewise
	}
	os.Exit(m.Run()) //nolint:forbidigo // how tests end
}

// child starts in dir with these paths. As the holder it says "holding", then "got PATH" for each path of its own and of
// later starts, until its input ends; else it says "handed over".
func child(dir string, paths []string) error {
	ctx := context.Background()
	h, err := TakeOrCall(ctx, Start{Dir: dir, Request: Request{Op: "open", Job: given(paths)}, Each: nothing})
	if err != nil {
		return err
	}
	if h == nil {
		_, _ = fmt.Fprintln(os.Stdout, "handed over")
		return nil
	}
	_, _ = fmt.Fprintln(os.Stdout, "holding")
	got := func(paths []string) {
		for _, path := range paths {
			_, _ = fmt.Fprintf(os.Stdout, "got %q\n", path)
		}
	}
	got(paths)
	err = h.Serve(ctx, func(_ context.Context, r Request, _ func(any) error) error {
		var paths Paths
		err := json.Unmarshal(r.Job, &paths)
		got(paths)
		return err
	})
	if err == nil {
		_, err = io.Copy(io.Discard, os.Stdin)
	}
	return errors.Join(err, h.Close())
}

func nothing(json.RawMessage) error { return nil }

// process is a start in a process of its own.
type process struct {
	cmd   *exec.Cmd
	input io.Closer
	lines *bufio.Scanner
}

func startProcess(t *testing.T, dir string, paths ...string) *process {
	t.Helper()
	self, err := os.Executable()
	assert.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, paths...) //nolint:gosec // this very program
	cmd.Env = append(os.Environ(), childFolder+"="+dir)
	input, err := cmd.StdinPipe()
	assert.NoError(t, err)
	output, err := cmd.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, cmd.Start())
	p := &process{cmd: cmd, input: input, lines: bufio.NewScanner(output)}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // gone already where the test waited for it
		_ = cmd.Wait()
	})
	return p
}

// line is the next that the process says, "" at its end.
func (p *process) line() string {
	if !p.lines.Scan() {
		return ""
	}
	return p.lines.Text()
}

// take becomes the holder until the test ends.
func take(t *testing.T, dir string) *Holder {
	t.Helper()
	h, err := Take(t.Context(), dir)
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, h.Close()) })
	return h
}

// serve is take, and handles calls.
func serve(t *testing.T, dir string, handle Handle) *Holder {
	t.Helper()
	h := take(t, dir)
	assert.NoError(t, h.Serve(t.Context(), handle))
	return h
}

// echo answers with each path that was given.
func echo(ctx context.Context, r Request, answer func(any) error) error {
	return Operation[Paths, []byte]("echo").Handle(func(_ context.Context, paths Paths, answer func([]byte) error) error {
		for _, path := range paths {
			if err := answer([]byte(path)); err != nil {
				return err
			}
		}
		return nil
	})(ctx, r, answer)
}

// given is a job of paths.
func given(paths []string) json.RawMessage {
	data, err := json.Marshal(Paths(paths))
	if err != nil {
		panic(err)
	}
	return data
}

// wantEcho calls the holder of dir and wants these paths back.
func wantEcho(t *testing.T, dir string, paths ...string) {
	t.Helper()
	var got []string
	err := Call(t.Context(), dir, Request{Op: "echo", Job: given(paths)}, func(data json.RawMessage) error {
		var path []byte
		if err := json.Unmarshal(data, &path); err != nil {
			return err
		}
		got = append(got, string(path))
		return nil
	})
	if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", paths) {
		t.Errorf("got %.200q (%v), want %.200q", got, err, paths)
	}
}

// noWait is a Start's Wait that must not be called.
func noWait(t *testing.T) func(context.Context, time.Duration) error {
	return func(context.Context, time.Duration) error {
		t.Error("it waited")
		return errors.New("it waited")
	}
}

// eventually polls until a condition holds that other goroutines bring about.
func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(time.Minute); !holds(); <-ticker.C {
		if time.Now().After(deadline) {
			t.Fatal("it does not come about")
		}
	}
}

// listenFor listens in the place of a holder of dir.
func listenFor(t *testing.T, dir string) net.Listener {
	t.Helper()
	listener, err := listen(t.Context(), dir)
	assert.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	assert.NoError(t, writeAddress(dir, listener.Addr().String()))
	return listener
}
