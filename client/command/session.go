package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"assay/client"
	"assay/client/intake"
	"assay/client/sandbox"
)

// Pauses of the embedded sandbox, which answers at once: long enough to see a model at work.
const (
	sandboxPoll    = 200 * time.Millisecond
	sandboxLatency = 150 * time.Millisecond
)

// Session is a service, the sandbox's or a real one, with a queue in front of it.
type Session struct {
	Queue   *intake.Queue
	Client  *client.Client
	Sandbox bool         // results come from the sandbox, which must be said
	Address string       // of the service, for the screen
	Log     *slog.Logger //

	closers []func()
}

// openSession connects to the service that the flags and the environment name. With none named, the window
// tries the sandbox, and a subcommand is misuse: its lines could be taken for a detector's.
func openSession(ctx context.Context, f flags, window bool, stderr io.Writer) (*Session, error) {
	log, err := newLog(f.logLevel, stderr)
	if err != nil {
		return nil, err
	}
	s := &Session{Log: log, Sandbox: f.sandbox || f.server == "" && window}
	options := client.Options{
		BaseURL:  f.server,
		Key:      func() string { return os.Getenv("ASSAY_API_KEY") },
		CAFile:   f.caFile,
		ProxyURL: f.proxy,
		Log:      log,
	}
	poll := time.Duration(0)
	switch {
	case s.Sandbox && f.server != "" && f.sandbox && !fromEnvironment(f.server):
		return nil, &Misuse{Sentence: "Give --sandbox or --server, not both."}
	case s.Sandbox:
		server, err := s.embedSandbox(ctx, f)
		if err != nil {
			return nil, err
		}
		options = client.Options{BaseURL: server.url, Key: server.box.Key, Proxy: noProxy}
		poll = sandboxPoll
	case f.server == "":
		return nil, &Misuse{Sentence: "No service is named: give --server (or ASSAY_SERVER) and ASSAY_API_KEY, or try --sandbox."}
	case os.Getenv("ASSAY_API_KEY") == "":
		return nil, &Misuse{Sentence: "The key is missing: set ASSAY_API_KEY, or try --sandbox."}
	}
	c, err := client.New(options)
	if err != nil {
		s.Close()
		return nil, misuse(err)
	}
	s.Client, s.Address = c, c.Address()
	s.Queue = intake.New(intake.Params{Service: c, Pacer: c.Pacer(), PollMin: poll, Log: log})
	s.closers = append(s.closers, c.Close, s.Queue.Close)
	return s, nil
}

// misuse puts what is wrong with a setting into the person's words.
func misuse(err error) error {
	var e *client.Error
	if errors.As(err, &e) {
		return &Misuse{Sentence: e.Sentence()}
	}
	return &Misuse{Sentence: err.Error()}
}

func fromEnvironment(server string) bool { return server == os.Getenv("ASSAY_SERVER") }

// Close stops the work and waits for it, the last opened first.
func (s *Session) Close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers = nil
}

// embedSandbox starts a sandbox for this session alone. Its copies of what was submitted go when the session ends.
func (s *Session) embedSandbox(ctx context.Context, f flags) (*runningSandbox, error) {
	parent, err := sandboxFolder(f)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, fmt.Errorf("the sandbox can't keep its files: %w", err)
	}
	dir, err := os.MkdirTemp(parent, "session-")
	if err != nil {
		return nil, fmt.Errorf("the sandbox can't keep its files: %w", err)
	}
	s.closers = append(s.closers, func() {
		if err := os.RemoveAll(dir); err != nil {
			s.Log.Warn("the sandbox's copies could not be removed", "error", err)
		}
	})
	server, err := startSandbox(ctx, "127.0.0.1:0", sandbox.Options{Dir: dir, Latency: sandboxLatency, Log: s.Log})
	if err != nil {
		s.Close()
		return nil, err
	}
	s.closers = append(s.closers, func() {
		if err := server.close(); err != nil {
			s.Log.Warn("the sandbox closed badly", "error", err)
		}
	})
	return server, nil
}

// sandboxFolder is where sandboxes keep their records by default.
func sandboxFolder(f flags) (string, error) {
	home, err := homeFolder(f.home)
	if err != nil {
		return "", err
	}
	return filepath.Join(home, "sandbox"), nil
}
