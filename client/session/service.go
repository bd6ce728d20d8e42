package command

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"assay/client"
	"assay/client/config"
	"assay/client/ipc"
	"assay/client/keys"
)

// Pauses of the embedded sandbox, which answers at once: long enough to see a model at work. Tests have less time.
var (
	sandboxPoll    = 200 * time.Millisecond
	sandboxLatency = 150 * time.Millisecond
)

// servicePoll is the same of a service elsewhere; 0: the usual. Tests have one that answers at once.
var servicePoll time.Duration

func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

// service is what the settings name: a real one, or the sandbox.
type service struct {
	*base
	chosen  config.Service // as of the settings
	sandbox bool           // results come from the sandbox, which must be said
	folder  string         // where everything of it is kept

	client *client.Client // nil before it is connected
	warned string         // what is wrong with the settings, and did not keep the window from opening: a sentence
	moved  bool           // the sandbox has another address than last time
	own    *runningSandbox

	// Where the key of a service elsewhere comes from: a subcommand reads it once, a window has a ring.
	keychain *keys.Keychain
	key      string // "" before it is read from the keychain
	window   *windowKey
}

// service is the one that is chosen, reached that way. It touches no network. An error is a *client.Error.
func (b *base) service(chosen config.Service, n client.Network) (*service, error) {
	s := &service{base: b, chosen: chosen, sandbox: chosen.Use == config.UseSandbox}
	if s.sandbox {
		s.folder = dataFolder(b.home, "", true)
		return s, nil
	}
	o := client.Options{BaseURL: chosen.Address, Key: s.currentKey, KeyRequired: true, UploadPath: chosen.UploadPath}
	if err := s.connectTo(o.WithNetwork(n)); err != nil {
		return nil, err
	}
	s.folder = dataFolder(b.home, s.client.Address(), false)
	return s, nil
}

// currentKey is the key of a service elsewhere, asked for by each call.
func (s *service) currentKey() string {
	if s.window != nil {
		return s.window.key()
	}
	return s.key
}

// readProxyPassword takes the proxy's password from the keychain, where it wants one that was not given.
func (s *service) readProxyPassword(ctx context.Context) error {
	if !s.proxyAsks() {
		return nil
	}
	err := s.ring.LoadProxyPassword(ctx, s.config.Settings().Network.Proxy)
	if err != nil && !keys.IsProblem(err, keys.Missing) { // a proxy may do without
		return err
	}
	n := s.network()
	s.secrets.Add(n.ProxyPassword)
	return s.client.SetNetwork(n)
}

// connectTo makes the client; it touches no network.
func (s *service) connectTo(o client.Options) (err error) {
	o.Log = s.log
	s.client, err = client.New(o)
	return err
}

// connect starts the sandbox, where that is the service: the caller holds the folder. Elsewhere a subcommand reads the key, and may wait
// until the person has unlocked the keychain; a window does not wait.
func (s *service) connect(ctx context.Context) (err error) {
	switch {
	case s.sandbox:
		// It serves until it is closed, however long the wait for its start goes on.
		if s.own, s.moved, err = keptSandbox(context.WithoutCancel(ctx), s.folder, s.log); err != nil {
			return err
		}
		s.secrets.Add(s.own.box.Key())
		return s.connectTo(client.Options{BaseURL: s.own.url, Key: s.own.box.Key, Proxy: noProxy})
	case s.window != nil:
		s.window.load(s.readProxyPassword)
		return nil
	}
	if err := s.readProxyPassword(ctx); err != nil {
		return keyTrouble(err)
	}
	return s.readKey(ctx)
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
	return servicePoll
}

// close ends the connections, and the sandbox.
func (s *service) close() {
	if s.window != nil {
		s.window.close()
	}
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
	return &Misuse{Sentence: sentenceOf(err)}
}

// sentenceOf is what an error says to the person.
func sentenceOf(err error) string {
	var said interface{ Sentence() string }
	if errors.As(err, &said) {
		return said.Sentence()
	}
	return err.Error()
}

// lookup is a service for a subcommand that asks it something and keeps nothing.
type lookup struct {
	*service
	holder *ipc.Holder // of the sandbox's folder, where no other process has it
}

// openLookup connects to the service. The sandbox is the one of the process that has it, where there is one.
func openLookup(ctx context.Context, f *flags, stderr io.Writer) (*lookup, error) {
	s, err := chooseService(f, stderr)
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
		l.holder, err = ipc.TakeOrCall(ctx, ipc.Start{
			Dir:     s.folder,
			Request: ipc.Request{Op: opService},
			Each:    func(data json.RawMessage) error { return json.Unmarshal(data, &there) },
		})
		if !errors.Is(err, ipc.ErrLost) {
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
