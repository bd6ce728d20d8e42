//go:build e2e && linux

package e2e

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// growing is a file that a cp of its own writes, as slowly as the test feeds it.
type growing struct {
	t       *testing.T
	path    string
	feed    io.WriteCloser
	written int64
	done    chan error
}

// grow starts to copy into a file, which stays open until finish.
func grow(t *testing.T, path string) *growing {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), "cp", "/dev/stdin", path)
	feed, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	g := &growing{t: t, path: path, feed: feed, done: make(chan error, 1)}
	go func() { g.done <- command.Wait() }()
	t.Cleanup(func() { _ = feed.Close() }) // which ends it
	return g
}

// write adds a piece, and waits until it is in the file.
func (g *growing) write(piece []byte) {
	g.t.Helper()
	if _, err := g.feed.Write(piece); err != nil {
		g.t.Fatal(err)
	}
	g.written += int64(len(piece))
	waitFor(g.t, 20*time.Second, "the piece is in the file", func() bool {
		info, err := os.Stat(g.path)
		return err == nil && info.Size() == g.written
	})
}

// finish closes the file.
func (g *growing) finish() {
	g.t.Helper()
	if err := g.feed.Close(); err != nil {
		g.t.Fatal(err)
	}
	select {
	case err := <-g.done:
		if err != nil {
			g.t.Fatal(err)
		}
	case <-time.After(20 * time.Second):
		g.t.Fatal("cp does not end")
	}
}
