// Package gui is the shell of Assay's window: navigation, drop, shortcuts, and the one bridge from the queue's changes
// to the UI thread. It imports what is below it, and the packages of client.
package gui

import (
	"context"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	tooltip "github.com/dweymouth/fyne-tooltip"

	"assay/client"
	"assay/client/intake"
	"assay/client/submission"
	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/present"
	"assay/gui/screen"
)

// Params are what the window is built from.
type Params struct {
	App     fyne.App
	Queue   *intake.Queue
	Client  *client.Client // for artifacts
	Sandbox bool           // results come from the sandbox, which the screens say
	Files   []string       // submitted at once
	Log     *slog.Logger

	// OnUI runs a closure on the UI thread, later and without waiting for it; nil means fyne.Do.
	OnUI func(func())
	// Wait lets time pass between two frames; nil means a timer.
	Wait func(context.Context, time.Duration) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// The screens, in the rail's order.
const (
	inboxScreen = iota
	resultsScreen
)

// The window's size when it opens first.
const (
	windowWidth  float32 = 1280
	windowHeight float32 = 800
)

// Run opens the window and returns when it is closed or ctx ends. It must be called on the main goroutine.
func Run(ctx context.Context, p Params) error {
	a := newApp(p)
	ctx, cancel := context.WithCancel(ctx)
	closed := make(chan struct{})
	var owned sync.WaitGroup
	p.App.Lifecycle().SetOnStarted(func() { // closures for the UI thread have nowhere to run before
		owned.Go(func() { a.bridge.run(ctx) })
		owned.Go(func() {
			select {
			case <-ctx.Done():
				a.onUI(p.App.Quit)
			case <-closed:
			}
		})
		if len(p.Files) > 0 {
			p.Queue.Accept(p.Files, submission.Started)
		}
	})
	a.window.ShowAndRun()
	close(closed)
	cancel()
	owned.Wait()
	a.close()
	return nil
}

// app is the window with its screens. It belongs to the UI thread.
type app struct {
	Params
	window  fyne.Window
	onUI    func(func())
	bridge  *bridge
	workers *screen.Workers
	rail    *part.Rail
	inbox   *screen.Inbox
	results *screen.Results
	screens []fyne.CanvasObject
}

// workersAtATime bounds decoding: two at most, for pictures are large.
const workersAtATime = 2

func newApp(p Params) *app {
	if p.OnUI == nil {
		p.OnUI = fyne.Do
	}
	if p.Wait == nil {
		p.Wait = pause
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	a := &app{Params: p, onUI: p.OnUI, workers: screen.NewWorkers(workersAtATime, p.OnUI)}
	a.bridge = &bridge{queue: p.Queue, changes: p.Queue.Watch(), onUI: p.OnUI, now: p.Now, wait: p.Wait, apply: a.apply}

	p.App.Settings().SetTheme(look.New(look.ModeSystem))
	a.window = p.App.NewWindow("Assay")
	a.window.SetMaster()
	a.window.SetPadded(false)
	thumbs := screen.NewThumbs(a.workers, p.Queue)
	a.inbox = screen.NewInbox(screen.InboxParams{
		Thumbs:  thumbs,
		Sandbox: p.Sandbox,
		Choose:  a.choose,
		Paste:   a.paste,
		Act:     a.act,
		Retry:   a.retryFailed,
	})
	a.results = screen.NewResults(thumbs, screen.NewViewer(a.workers, newSubmissions(p.Queue, p.Client), p.Sandbox))
	a.screens = []fyne.CanvasObject{a.inbox.Object(), a.results.Object()}
	a.rail = part.NewRail([]part.RailItem{
		inboxScreen:   {Label: "Inbox", Icon: look.IconInbox},
		resultsScreen: {Label: "Results", Icon: look.IconResults},
	}, a.show)
	content := container.New(beside{}, a.rail, container.NewStack(a.screens...))
	a.window.SetContent(tooltip.AddWindowToolTipLayer(content, a.window.Canvas()))
	a.show(inboxScreen)
	a.window.SetOnDropped(a.dropped)
	a.addShortcuts()
	a.window.Resize(fyne.NewSize(windowWidth, windowHeight))
	return a
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func (a *app) close() {
	a.bridge.changes.Close()
	a.workers.Close()
}

// apply shows what the bridge carried over.
func (a *app) apply(u update) {
	a.inbox.Update(u.all, u.rows, u.overall)
	a.results.Update(u.results)
	a.rail.SetBadge(inboxScreen, u.overall.Active)
}

// show brings one screen to the front.
func (a *app) show(i int) {
	a.window.Canvas().Unfocus() // what is out of sight takes no keys
	for n, s := range a.screens {
		if n == i {
			s.Show()
		} else {
			s.Hide()
		}
	}
}

// dropped takes files from another program. The position is not used: the whole window is the target.
func (a *app) dropped(_ fyne.Position, uris []fyne.URI) {
	paths := make([]string, 0, len(uris))
	for _, u := range uris {
		paths = append(paths, u.Path())
	}
	a.Queue.Accept(paths, submission.Dropped)
	a.rail.Select(inboxScreen)
}

// paste takes a link; false for what is none.
func (a *app) paste(text string) (taken bool) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	a.Queue.Accept([]string{u.String()}, submission.Pasted)
	a.rail.Select(inboxScreen)
	return true
}

func (a *app) act(id string, action present.Action) {
	switch action {
	case present.Open:
		a.results.Open(id)
		a.rail.Select(resultsScreen)
	case present.Retry:
		a.Queue.Retry(id)
	case present.Cancel:
		a.Queue.Cancel(id)
	case present.Remove:
		a.Queue.Remove(id)
	}
}

func (a *app) retryFailed(ids []string) {
	for _, id := range ids {
		if s, ok := a.Queue.Get(id); ok && s.State == submission.Failed {
			a.Queue.Retry(id)
		}
	}
}

// addShortcuts makes everything reachable by keyboard.
func (a *app) addShortcuts() {
	c := a.window.Canvas()
	for key, act := range map[fyne.KeyName]func(){
		fyne.Key1: func() { a.rail.Select(inboxScreen) },
		fyne.Key2: func() { a.rail.Select(resultsScreen) },
		fyne.KeyO: a.choose,
	} {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) { act() })
	}
	c.SetOnTypedRune(a.typedRune)
	c.SetOnTypedKey(a.typedKey)
}

func (a *app) typedRune(r rune) {
	if a.rail.Selected() != resultsScreen {
		return
	}
	switch r {
	case 'j', 'J':
		a.results.Move(1)
	case 'k', 'K':
		a.results.Move(-1)
	case 'o', 'O':
		a.results.Viewer().ToggleOverlay()
	case '[':
		a.results.Viewer().ChangeOpacity(-1)
	case ']':
		a.results.Viewer().ChangeOpacity(1)
	}
}

func (a *app) typedKey(e *fyne.KeyEvent) {
	if a.rail.Selected() != resultsScreen {
		return
	}
	switch e.Name {
	case fyne.KeyDown:
		a.results.Move(1)
	case fyne.KeyUp:
		a.results.Move(-1)
	}
}

// beside lays the second object at the right of the first, which keeps its own width; no gap lies between them.
type beside struct{}

// Layout implements fyne.Layout.
func (beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left := objects[0].MinSize().Width
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(left, size.Height))
	objects[1].Move(fyne.NewPos(left, 0))
	objects[1].Resize(fyne.NewSize(size.Width-left, size.Height))
}

// MinSize implements fyne.Layout.
func (beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(a.Width+b.Width, max(a.Height, b.Height))
}
