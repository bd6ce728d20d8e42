package command

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"time"

	"assay/client"
	"assay/client/instance"
	"assay/client/keys"
)

// Pauses of the embedded sandbox, which answers at once: long enough to see a model at work.
const (
	sandboxPoll    = 200 * time.Millisecond
	sandboxLatency = 150 * time.Millisecond
)

func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

// service is what the flags and the environment name: a real one, or the sandbox.
type service struct {
	flags
	log     *slog.Logger
	sandbox bool   // results come from the sandbox, which must be said
	folder  string // where everything of it is kept

	client   *client.Client // nil before it is connected
	keychain *keys.Keychain // of a service elsewhere
	key      string         // likewise; "" before it is read from the keychain
	moved    bool           // the sandbox has another address than last time
	own      *runningSandbox
}

// chooseService reads the flags. With no service named, the window tries the sandbox, and a subcommand is misuse: its
// lines could be taken for a detector's.
func chooseService(f flags, window bool, stderr io.Writer) (*service, error) {
	log, err := newLog(f.logLevel, stderr)
	if err != nil {
		return nil, err
	}
	home, err := homeFolder(f.home)
	if err != nil {
		return nil, err
	}
	s := &service{flags: f, log: log, sandbox: f.sandbox || f.server == "" && window}
	switch {
	case s.sandbox && f.server != "" && f.sandbox && !fromEnvironment(f.server):
		return nil, &Misuse{Sentence: "Give --sandbox or --server, not both."}
	case s.sandbox:
		s.folder = dataFolder(home, "", true)
		return s, nil
	case f.server == "":
		return nil, &Misuse{Sentence: "No service is named: give --server (or ASSAY_SERVER), with its key kept by assay key set or in ASSAY_API_KEY, or try --sandbox."}
	}
	if s.key, err = environmentKey(); err != nil { // a window forgets it, lest the programs that it starts are told
		return nil, err
	}
	s.keychain = f.keychain(stderr)
	if err := s.connectTo(client.Options{
		BaseURL:  f.server,
		Key:      func() string { return s.key },
		CAFile:   f.caFile,
		ProxyURL: f.proxy,
	}); err != nil {
		return nil, err
	}
	s.folder = dataFolder(home, s.client.Address(), false)
	return s, nil
}

func fromEnvironment(server string) bool { return server == os.Getenv("ASSAY_SERVER") }

// connectTo makes the client; it touches no network.
func (s *service) connectTo(o client.Options) error {
	o.Log = s.log
	c, err := client.New(o)
	if err != nil {
		return misuse(err)
	}
	s.client = c
	return nil
}

// connect starts the sandbox, where that is the service: the caller holds the folder. Elsewhere it reads the key, and may wait
// until the person has unlocked the keychain.
func (s *service) connect(ctx context.Context) (err error) {
	if !s.sandbox {
		return s.readKey(ctx)
	}
	if s.own, s.moved, err = keptSandbox(ctx, s.folder, s.log); err != nil {
		return err
	}
	return s.connectTo(client.Options{BaseURL: s.own.url, Key: s.own.box.Key, Proxy: noProxy})
}

// answer is where the embedded sandbox listens, once it does.
func (s *service) answer() serviceAnswer {
	if s.own == nil {
		return serviceAnswer{}
	}
	return serviceAnswer{URL: s.own.url, Key: s.own.box.Key()}
}

// poll is the least time between two looks at a result; 0 for the usual.
func (s *service) poll() time.Duration {
	if s.sandbox {
		return sandboxPoll
	}
	return 0
}

// Close ends the connections, and the sandbox.
func (s *service) close() {
	if s.client != nil {
		s.client.Close()
	}
	if s.own != nil {
		if err := s.own.close(); err != nil {
			s.log.Warn("the sandbox closed badly", "error", err)
		}
	}
}

// misuse puts what is wrong with a setting into the person's words.
func misuse(err error) error {
	var e *client.Error
	if errors.As(err, &e) {
		return &Misuse{Sentence: e.Sentence()}
	}
	return &Misuse{Sentence: err.Error()}
}

// lookup is a service for a subcommand that asks it something and keeps nothing.
type lookup struct {
	*service
	holder *instance.Holder // of the sandbox's folder, where no other process has it
}

// openLookup connects to the service. The sandbox is the one of the process that has it, where there is one.
func openLookup(ctx context.Context, f flags, stderr io.Writer) (*lookup, error) {
	s, err := chooseService(f, false, stderr)
	if err != nil {
		return nil, err
	}
	l := &lookup{service: s}
	if !s.sandbox {
		if err := s.connect(ctx); err != nil {
			l.close()
			return nil, err
		}
		return l, nil
	}
	var there serviceAnswer
	for { // until this process has the folder, or another has answered: one like this may just have ended over it
		l.holder, err = instance.TakeOrCall(ctx, instance.Start{
			Dir:     s.folder,
			Request: instance.Request{Op: opService},
			Each:    func(data json.RawMessage) error { return json.Unmarshal(data, &there) },
		})
		if !errors.Is(err, instance.ErrLost) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	if l.holder == nil {
		return l, s.connectTo(client.Options{BaseURL: there.URL, Key: func() string { return there.Key }, Proxy: noProxy})
	}
	d := newDesk() // it never opens: who comes waits until this process ends, which is soon
	d.leave = func() {}
	if err := l.holder.Serve(ctx, d.handle); err != nil {
		s.log.Warn("later starts can't be served", "error", err)
	}
	if err := s.connect(ctx); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *lookup) close() {
	l.service.close()
	if l.holder != nil {
		if err := l.holder.Close(); err != nil {
			l.log.Warn("leave the sandbox's folder", "error", err)
		}
	}
}
