package gui

import (
	"context"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/config"
	"assay/client/events"
	"assay/client/feedback"
	"assay/client/folders"
	"assay/client/intake"
	"assay/client/keys"
	"assay/client/logs"
	"assay/client/pull"
	"assay/client/sandbox"
	"assay/client/session"
	"assay/client/store"
)

// hostFixture is a row of services, each of which the desk can open, with records of its own. There is at most one session at a time.
type hostFixture struct {
	t       *testing.T
	folders []string // of each service's records
	boxes   []*sandbox.Sandbox
	servers []*httptest.Server

	mu      sync.Mutex
	now     int // which service is open; -1: none
	next    int // which one Open goes over to
	refused error
	closers []func()
	current *session.Session
	spoken  func() error
	waiting int
	hub     *events.Hub
	began   int
}

// setupHost has n services; none is open.
func setupHost(t *testing.T, n int) *hostFixture {
	t.Helper()
	s := &hostFixture{t: t, now: -1, hub: new(events.Hub), spoken: func() error { return nil }}
	for range n {
		box, err := sandbox.New(sandbox.Options{Dir: t.TempDir(), Latency: 50 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(box)
		t.Cleanup(func() {
			server.Close()
			if err := box.Close(); err != nil {
				t.Error(err)
			}
		})
		s.boxes, s.servers, s.folders = append(s.boxes, box), append(s.servers, server), append(s.folders, t.TempDir())
	}
	t.Cleanup(s.close)
	return s
}

func (s *hostFixture) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers, s.now, s.current = nil, -1, nil
}

// Open implements Host.
func (s *hostFixture) Open(ctx context.Context) (*session.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused != nil {
		return s.current, s.refused
	}
	s.close()
	must := func(err error) {
		if err != nil {
			s.t.Error(err)
		}
	}
	box, server := s.boxes[s.next], s.servers[s.next]
	c, err := client.New(client.Options{BaseURL: server.URL, Key: box.Key})
	must(err)
	s.closers = append(s.closers, c.Close)
	kept, err := store.Open(context.WithoutCancel(ctx), s.folders[s.next], store.Options{})
	must(err)
	s.closers = append(s.closers, func() { must(kept.Close()) })
	queue, err := intake.Open(context.WithoutCancel(ctx), intake.Params{Service: c, Store: kept, PollMin: 20 * time.Millisecond, Events: s.hub})
	must(err)
	s.closers = append(s.closers, queue.Close)
	sender, err := feedback.Open(context.WithoutCancel(ctx), feedback.Params{Store: kept, Client: c, Events: s.hub})
	must(err)
	s.closers = append(s.closers, sender.Close)
	watched, err := folders.Open(context.WithoutCancel(ctx), folders.Params{Queue: queue, Store: kept})
	must(err)
	s.closers = append(s.closers, watched.Close)
	s.now = s.next
	s.current = &session.Session{Queue: queue, Store: kept, Client: c, Events: s.hub, Pull: pull.New(pull.Params{Client: c, Store: kept, Account: c.Address(), Claimed: queue.Claims, OnUnfinished: queue.Adopt, Events: s.hub}), Feedback: sender, Folders: watched,
		Address: c.Address(), Folder: s.folders[s.next]}
	return s.current, nil
}

// Check implements Host.
func (s *hostFixture) Check(ctx context.Context, address, key string, network client.Network) error {
	return client.Check(ctx, client.Options{BaseURL: address, Key: func() string { return key }}.WithNetwork(network))
}

// Waiting implements Host.
func (s *hostFixture) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting
}

// Speak implements Host.
func (s *hostFixture) Speak(context.Context) error { return s.spoken() }

// Diagnostics implements Host.
func (s *hostFixture) Diagnostics(context.Context) string { return "" }

// FreeBytes implements Host.
func (s *hostFixture) FreeBytes() int64 { return 41 << 30 }

// Crash implements Host.
func (s *hostFixture) Crash() logs.Report { return logs.Report{} }

// wantTray is a tray that shows what it is told.
type wantTray struct {
	mu       sync.Mutex
	possible bool
	shown    bool
	words    trayWords
	actions  trayActions
}

func (w *wantTray) Possible(context.Context) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.possible
}

func (w *wantTray) setPossible(possible bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.possible = possible
}

func (w *wantTray) Show(words trayWords, actions trayActions) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown, w.words, w.actions = true, words, actions
}

func (w *wantTray) Say(words trayWords) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.words = words
}

func (w *wantTray) Close() {}

func (w *wantTray) state() (shown bool, words trayWords) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.shown, w.words
}

// shellFixture is the whole window on the test driver. The test's goroutine is the UI thread: closures run when it pumps.
type shellFixture struct {
	*shell
	t        *testing.T
	services *hostFixture
	icon     *wantTray
	closure  chan func()
	stop     func() // ends the run and waits for it
}

// setupShell opens the window: on the first of the services, or in the first run where open is false. change may alter what it is
// built from.
func setupShell(t *testing.T, services *hostFixture, open bool, change func(*Params)) *shellFixture {
	t.Helper()
	f := &shellFixture{t: t, services: services, icon: &wantTray{possible: true}, closure: make(chan func(), 4096)}
	settings, err := config.Open(config.Params{Dir: t.TempDir(), Events: services.hub})
	if err != nil {
		t.Fatal(err)
	}
	p := Params{
		App: themed(t), Config: settings, Keys: keysOf(t, services.hub), Events: services.hub, Host: services,
		OnUI: func(u func()) { f.closure <- u },
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Began: func() {
			services.mu.Lock()
			defer services.mu.Unlock()
			services.began++
		},
	}
	if open {
		if p.Session, err = services.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if change != nil {
		change(&p)
	}
	f.shell = newShell(p, f.icon)
	ctx, cancel := context.WithCancel(context.Background())
	f.start(ctx)
	f.stop = sync.OnceFunc(func() {
		cancel()
		f.end()
	})
	t.Cleanup(f.stop)
	f.window.Resize(fyne.NewSize(1280, 800))
	return f
}

// pump runs closures of the UI thread until a condition holds.
func (f *shellFixture) pump(what string, until func() bool) {
	f.t.Helper()
	limit := time.After(60 * time.Second)
	again := time.NewTicker(5 * time.Millisecond) // what the tray and the disk come to brings no closure
	defer again.Stop()
	for !until() {
		select {
		case u := <-f.closure:
			u()
		case <-again.C:
		case <-limit:
			f.t.Fatalf("it never came to this: %s; on screen: %q", what, texts(f.window.Content()))
		}
	}
}

// change changes the settings as a worker does.
func (f *shellFixture) change(do func(*config.Settings)) {
	f.t.Helper()
	if err := f.Config.Change(do); err != nil {
		f.t.Fatal(err)
	}
}

// over has the window go over to another of the services.
func (f *shellFixture) over(to int) {
	f.t.Helper()
	f.services.mu.Lock()
	f.services.next = to
	f.services.mu.Unlock()
	done := false
	f.switchTo(f.services.Open, func(err error) {
		if err != nil {
			f.t.Error(err)
		}
		done = true
	})
	f.pump("the other service is on screen", func() bool { return done })
}

var _ keys.Backend = keychain{}
