package session

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
)

const embeddedFolder = "ASSAY_TEST_EMBEDDED"

// TestEmbeddedSandboxChild is no test: it is the process that the one below kills.
func TestEmbeddedSandboxChild(t *testing.T) {
	dir := os.Getenv(embeddedFolder)
	if dir == "" {
		t.Skip("only as a process of another test's")
	}
	server, _, err := keptSandbox(context.Background(), dir, slog.New(slog.DiscardHandler)) //nolint:usetesting // it lives until it is killed
	assert.NoError(t, err)
	_, _ = fmt.Fprintf(os.Stdout, "\nurl: %s\nkey: %s\n", server.URL, server.Box.Key())
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends or kills it
	_ = server.Close()
}

// embedded is an embedded sandbox in a process of its own.
type embedded struct {
	url, key string
	kill     func()
}

func startEmbedded(t *testing.T, dir string) embedded {
	t.Helper()
	self, err := os.Executable()
	assert.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestEmbeddedSandboxChild$", "-test.v") //nolint:gosec // this very program
	cmd.Env = append(os.Environ(), embeddedFolder+"="+dir)
	input, err := cmd.StdinPipe()
	assert.NoError(t, err)
	output, err := cmd.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, cmd.Start())
	e := embedded{kill: func() {
		_ = cmd.Process.Kill() // gone already where the test killed it
		_ = cmd.Wait()
		_ = input.Close()
	}}
	t.Cleanup(e.kill)
	lines := bufio.NewScanner(output)
	for e.key == "" && lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "url: "); ok {
			e.url = url
		}
		if key, ok := strings.CutPrefix(lines.Text(), "key: "); ok {
			e.key = key
		}
	}
	if e.key == "" {
		t.Fatal("it did not start")
	}
	return e
}

func (e embedded) client(t *testing.T) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{BaseURL: e.url, Key: func() string { return e.key }, Proxy: noProxy, Attempts: 1})
	assert.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func TestKeptSandbox(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	t.Run("killed and started again it has its address, its key and its records, and takes bytes for an address from before", func(t *testing.T) {
		dir := t.TempDir()
		put := func(c *client.Client, to client.Upload) error {
			picture, err := os.Open(filepath.Join("..", "..", "testdata", "pictures", "poster.png"))
			assert.NoError(t, err)
			defer picture.Close() //nolint:errcheck // closed by Put
			facts, err := picture.Stat()
			assert.NoError(t, err)
			return c.Put(t.Context(), to.SignedURL, picture, facts.Size(), nil)
		}

		before := startEmbedded(t, dir)
		c := before.client(t)
		sent, err := c.RequestUpload(t.Context(), "sent.png")
		assert.NoError(t, err)
		assert.NoError(t, put(c, sent))
		held, err := c.RequestUpload(t.Context(), "held.png")
		assert.NoError(t, err)
		before.kill()
		if _, err := c.Result(t.Context(), sent.RequestID); err == nil {
			t.Fatal("it still serves")
		}

		after := startEmbedded(t, dir)
		if after.url != before.url || after.key != before.key {
			t.Errorf("%s is now %s, or the key is another", before.url, after.url)
		}
		c = after.client(t)
		if result, err := c.Result(t.Context(), sent.RequestID); err != nil || result.RequestID != sent.RequestID {
			t.Errorf("the record: %v", err)
		}
		if err := put(c, held); err != nil {
			t.Errorf("the address from before: %v", err)
		}
		if result, err := c.Result(t.Context(), held.RequestID); err != nil || result.RequestID != held.RequestID {
			t.Errorf("what it took: %v", err)
		}
	})
	t.Run("listens elsewhere where its port is taken, and says so", func(t *testing.T) {
		dir := t.TempDir()
		taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		assert.NoError(t, err)
		defer taken.Close() //nolint:errcheck // a test's
		port := taken.Addr().(*net.TCPAddr).Port
		assert.NoError(t, writePort(dir, port))
		server, moved, err := keptSandbox(t.Context(), dir, quiet)
		assert.NoError(t, err)
		defer server.Close() //nolint:errcheck // a test's
		now, err := portOf(server.URL)
		if kept, ok := readPort(dir); err != nil || now == port || !moved || !ok || kept != now {
			t.Errorf("on %d (%v), moved: %v, kept: %d", now, err, moved, kept)
		}
	})
	t.Run("a port that can't be read is none", func(t *testing.T) {
		for _, text := range []string{"", "none", "0", "-1", "65536", "99999999999999999999"} {
			dir := t.TempDir()
			assert.NoError(t, os.WriteFile(filepath.Join(dir, "port"), []byte(text), 0o600))
			server, moved, err := keptSandbox(t.Context(), dir, quiet)
			if err != nil || moved {
				t.Fatalf("%q: %v, moved: %v", text, err, moved)
			}
			if err := server.Close(); err != nil {
				t.Error(err)
			}
			if _, ok := readPort(dir); !ok {
				t.Errorf("%q: no port is kept", text)
			}
		}
	})
	t.Run("old sessions' copies go, and nothing else", func(t *testing.T) {
		dir := t.TempDir()
		for _, name := range []string{"session-123456", "session-notes", "served", "session-"} {
			assert.NoError(t, os.MkdirAll(filepath.Join(dir, name, "records"), 0o700))
		}
		server, _, err := keptSandbox(t.Context(), dir, quiet)
		assert.NoError(t, err)
		defer server.Close() //nolint:errcheck // a test's
		for name, want := range map[string]bool{"session-123456": false, "session-notes": true, "served": true, "session-": true, "service": true} {
			if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	t.Run("says what is wrong with its folder", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		assert.NoError(t, os.WriteFile(file, nil, 0o600))
		if _, _, err := keptSandbox(t.Context(), file, quiet); err == nil || !strings.Contains(err.Error(), "can't keep its files") {
			t.Error(err)
		}
	})
}
