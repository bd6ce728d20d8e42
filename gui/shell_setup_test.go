package gui

import (
	"context"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/assert"
	"assay/client/config"
	"assay/client/events"
	"assay/client/logs"
	"assay/client/sandbox"
	"assay/client/session"
	"assay/gui/guitest"
)

// hostFixture is a row of services, each of which the window can open, with records of its own. There is at most one session at a time.
type hostFixture struct {
	t       *testing.T
	folders []string // of each service's records
	boxes   []*sandbox.Sandbox
	servers []*httptest.Server

	mu      sync.Mutex
	next    int // which one Open goes over to
	refused error
	end     func() // nil: none is open
	current *session.Session
	spoken  func() error
	waiting int
	hub     *events.Hub
	began   int
}

// setupHost has n services; none is open.
func setupHost(t *testing.T, n int) *hostFixture {
	t.Helper()
	s := &hostFixture{t: t, hub: new(events.Hub), spoken: func() error { return nil }}
	for range n {
		box, server := newSandbox(t, sandbox.Options{Latency: 50 * time.Millisecond}, nil)
		s.boxes, s.servers, s.folders = append(s.boxes, box), append(s.servers, server), append(s.folders, t.TempDir())
	}
	t.Cleanup(s.close)
	return s
}

func (s *hostFixture) close() {
	if s.end != nil {
		s.end()
	}
	s.end, s.current = nil, nil
}

// Open implements Host.
func (s *hostFixture) Open(ctx context.Context) (*session.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused != nil {
		return s.current, s.refused
	}
	s.close()
	c, err := client.New(client.Options{BaseURL: s.servers[s.next].URL, Key: s.boxes[s.next].Key})
	if err != nil {
		return nil, err
	}
	current, end := openSession(context.WithoutCancel(ctx), s.t, c, s.folders[s.next], s.hub, sessionOptions{pollMin: 20 * time.Millisecond})
	s.current, s.end = current, func() {
		end()
		c.Close()
	}
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
func (s *hostFixture) Diagnostics(context.Context, string) string { return "" }

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

// shellFixture is the whole window on the test driver. The test's goroutine is the UI thread.
type shellFixture struct {
	*shell
	*guitest.UI
	services *hostFixture
	icon     *wantTray
	stop     func() // ends the run and waits for it
}

// setupShell opens the window: on the first of the services, or in the first run where open is false. change may alter what it is
// built from.
func setupShell(t *testing.T, services *hostFixture, open bool, change func(*Params)) *shellFixture {
	t.Helper()
	f := &shellFixture{UI: guitest.NewUI(t), services: services, icon: &wantTray{possible: true}}
	f.OnScreen = func() []string { return guitest.Read(f.window.Content()) }
	p := windowParams(t, services.hub, f.UI, t.TempDir())
	p.Host, p.Began = services, func() {
		services.mu.Lock()
		defer services.mu.Unlock()
		services.began++
	}
	if open {
		var err error
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

// change changes the settings as a worker does.
func (f *shellFixture) change(do func(*config.Settings)) {
	f.T.Helper()
	assert.NoError(f.T, f.Config.Change(do))
}

// over has the window go over to another of the services.
func (f *shellFixture) over(to int) {
	f.T.Helper()
	f.services.mu.Lock()
	f.services.next = to
	f.services.mu.Unlock()
	done := false
	f.switchTo(f.services.Open, func(err error) {
		if err != nil {
			f.T.Error(err)
		}
		done = true
	})
	f.Until("the other service is on screen", func() bool { return done })
}
