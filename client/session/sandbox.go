package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"assay/client/bounded"
	"assay/client/durable"
	"assay/client/sandbox"
)

// keptSandbox starts the embedded sandbox in dir, its data folder. It keeps its records, its key and, if that is free, its port from run to run: what
// was under way when the last process was killed goes on with the upload URLs that it holds. moved is true if the port is taken: those URLs must not
// be used any more. The caller holds dir.
func keptSandbox(ctx context.Context, dir string, log *slog.Logger) (server *RunningSandbox, moved bool, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, false, fmt.Errorf("the sandbox can't keep its files: %w", err)
	}
	removeSessions(dir, log)
	o := sandbox.Options{Dir: filepath.Join(dir, "service"), Latency: SandboxLatency, Log: log}
	kept, had := readPort(dir)
	if had {
		server, err = StartSandbox(ctx, loopback(kept), o)
		var misuse *Misuse
		if err != nil && !errors.As(err, &misuse) { // its files, not the port
			return nil, false, err
		}
	}
	if server == nil {
		if server, err = StartSandbox(ctx, loopback(0), o); err != nil {
			return nil, false, err
		}
	}
	port, err := portOf(server.URL)
	if err == nil && (!had || port != kept) {
		err = writePort(dir, port)
	}
	if err != nil {
		return nil, false, errors.Join(fmt.Errorf("the sandbox can't keep its port: %w", err), server.Close())
	}
	return server, had && port != kept, nil
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func portOf(address string) (int, error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(u.Port())
}

// readPort returns the port of the last run; ok is false where it can't be read.
func readPort(dir string) (port int, ok bool) {
	data, err := bounded.ReadFile(filepath.Join(dir, "port"), 64)
	if err != nil {
		return 0, false
	}
	port, err = strconv.Atoi(strings.TrimSpace(string(data)))
	return port, err == nil && port > 0 && port < 1<<16
}

// writePort keeps the port: whole or not at all, even if the system crashes.
func writePort(dir string, port int) error {
	return durable.WriteFile(filepath.Join(dir, "port"), []byte(strconv.Itoa(port)+"\n"), durable.Options{Temp: "port.new*"})
}

// removeSessions removes files of a session that earlier versions kept, and left behind when they were killed.
func removeSessions(dir string, log *slog.Logger) {
	listed, err := os.ReadDir(dir)
	if err != nil {
		log.Warn("the sandbox's old copies could not be looked for", "error", err)
		return
	}
	for _, entry := range listed {
		number, ok := strings.CutPrefix(entry.Name(), "session-")
		if _, err := strconv.ParseUint(number, 10, 64); !ok || err != nil || !entry.IsDir() {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			log.Warn("the sandbox's old copies could not be removed", "error", err)
		}
	}
}

// RunningSandbox is a sandbox and its server.
type RunningSandbox struct {
	Box   *sandbox.Sandbox
	URL   string
	Close func() error
}

// StartSandbox serves a sandbox on a loopback address. Only one at a time may use a folder.
func StartSandbox(ctx context.Context, addr string, o sandbox.Options) (*RunningSandbox, error) {
	box, err := sandbox.New(o)
	if err != nil {
		return nil, fmt.Errorf("the sandbox can't keep its files in %s: %w", o.Dir, err)
	}
	server, err := sandbox.Listen(ctx, addr, box)
	if err != nil {
		_ = box.Close() // nothing was running yet
		return nil, &Misuse{Sentence: fmt.Sprintf("The sandbox can't listen on %s: %v", addr, err)}
	}
	return &RunningSandbox{
		Box:   box,
		URL:   server.URL(),
		Close: func() error { return errors.Join(server.Close(), box.Close()) },
	}, nil
}
