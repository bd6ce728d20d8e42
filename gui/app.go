// Package gui is the shell of Assay's window: navigation, drop, shortcuts, and the one bridge from the queue's changes
// to the UI thread. It imports what is below it, and the packages of client.
package gui

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	tooltip "github.com/dweymouth/fyne-tooltip"

	"assay/client"
	"assay/client/feedback"
	"assay/client/folders"
	"assay/client/intake"
	"assay/client/pull"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/look"
	"assay/gui/part"
	"assay/gui/screen"
	"assay/gui/sound"
	"assay/gui/viewer"
	feedbackbar "assay/gui/viewer/feedback"
	"assay/gui/work"
)

// Params are what the window is built from.
type Params struct {
	App    fyne.App
	Queue  *intake.Queue
	Store  *store.Store
	Client *client.Client // for artifacts
	Pull   Pull           // the service's own list
	// Feedback keeps the desk's judgements, and sends them; Judged receives after some of them have come to stand differently.
	Feedback *feedback.Sender
	Judged   <-chan struct{}
	// Folders are the watched folders; Batches receives what came of files from them.
	Folders *folders.Folders
	Batches <-chan folders.Batch
	// Heard receives after the result of a clip's sound has been kept, Kept after anything that stands behind a result has.
	Heard, Kept <-chan struct{}
	// Keep puts what stands behind a result into the vault, where it is not yet. It returns at once.
	Keep    func(submission.Submission)
	Sandbox bool     // results come from the sandbox, which the screens say
	Files   []string // files, folders and links that are submitted at once
	// Lending is a folder of its own for copies that other programs open; "" for one among the system's temporary files. What an
	// earlier run left in it is removed.
	Lending string
	Notice  string // said in the inbox at first; "" for nothing
	// Began is called once the window is there, for what can wait until then. It returns soon.
	Began func()
	// Opened receives what later starts have handed over, to be said and to be brought to the front; nil: there is none.
	Opened <-chan intake.Accepted
	// Troubles receives sentences to be said, "" where there is nothing to say any more; nil: there is none.
	Troubles <-chan string
	Log      *slog.Logger // nil: nothing is logged

	// Output is where sound goes; nil means the computer's own.
	Output sound.Output
	// OnUI runs a closure on the UI thread, later and without waiting for it; nil means fyne.Do.
	OnUI func(func())
	// Wait lets time pass between two frames; nil means a timer.
	Wait func(context.Context, time.Duration) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Pull brings the service's own list here.
type Pull interface {
	Start()
	Stop()
	State() pull.State
	Fetched(ctx context.Context) time.Time // when the whole list was fetched last; zero: never. It reads the disk
	Changed() <-chan struct{}              // receives when any of this may have changed
}

// The screens, in the rail's order.
const (
	inboxScreen = iota
	resultsScreen
	foldersScreen
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
		a.carry(ctx, &owned)
		owned.Go(func() {
			select {
			case <-ctx.Done():
				a.onUI(p.App.Quit)
			case <-closed:
			}
		})
		a.accept(p.Files, submission.Started)
	})
	a.window.ShowAndRun()
	close(closed)
	cancel()
	owned.Wait()
	a.close()
	return nil
}

// afterFirst is how long what is not seen at first waits, for what is.
const afterFirst = time.Second

// ageTick is how often the words for how long ago something was are said anew.
const ageTick = time.Minute

// carry brings to the screen what happens elsewhere, until ctx ends.
func (a *app) carry(ctx context.Context, owned *sync.WaitGroup) {
	owned.Go(func() {
		a.loadPreview(ctx) // before there is anything to see
		a.bridge.run(ctx)
	})
	owned.Go(func() {
		if a.Wait(ctx, afterFirst) != nil {
			return
		}
		a.onUI(a.results.Changed)
		a.takeBackEarlier()
		a.Began()
		a.carryPull(ctx)
	})
	owned.Go(func() { a.carryFolders(ctx) })
	owned.Go(func() {
		ticker := time.NewTicker(ageTick)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				a.onUI(func() {
					a.results.Tick()
					a.folders.Tick()
				})
			case <-ctx.Done():
				return
			}
		}
	})
	owned.Go(func() {
		for {
			select {
			case taken := <-a.Opened:
				a.onUI(func() { a.opened(taken) })
			case <-a.Judged:
				a.onUI(a.bar.Reload)
			case <-a.Heard:
				a.onUI(a.viewer.Again)
			case <-a.Kept:
				a.onUI(a.results.Tick) // there may be a thumbnail
			case batch := <-a.Batches:
				a.onUI(func() { a.notify(batch) })
			case sentence := <-a.Troubles:
				a.onUI(func() { a.inbox.Say(sentence) })
			case <-ctx.Done():
				return
			}
		}
	})
}

// app is the window with its screens. It belongs to the UI thread.
type app struct {
	Params
	window  fyne.Window
	onUI    func(func())
	bridge  *bridge
	workers *work.Workers // for pictures
	readers *work.Workers // for the rows of results
	takers  *work.Workers // for what is handed over
	lookers *work.Workers // for watched folders
	rail    *part.Rail
	inbox   *screen.Inbox
	results *screen.Results
	folders *screen.Folders
	player  *work.Workers // for what is heard, and what may ask the service
	viewer  *viewer.Viewer
	bar     *feedbackbar.Bar // asks for judgements
	thumbs  *screen.Thumbs
	sheet   *screen.ShortcutSheet
	screens []fyne.CanvasObject

	lending sync.Mutex
	lent    string // the folder of the copies made for other programs, "" for none
}

// How many work at a time. Decoding is bounded because pictures are large; what is handed over is taken in its order.
const (
	decodersAtATime = 2
	readersAtATime  = 2
	takersAtATime   = 1
	lookersAtATime  = 4 // one may wait for a share that does not answer
	playersAtATime  = 6 // one may read a long recording; most wait for the service
)

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
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	a := &app{Params: p, onUI: p.OnUI}
	a.workers = work.New(decodersAtATime, p.OnUI)
	a.readers = work.New(readersAtATime, p.OnUI)
	a.takers = work.New(takersAtATime, p.OnUI)
	a.lookers = work.New(lookersAtATime, p.OnUI)
	a.bridge = &bridge{queue: p.Queue, changes: p.Queue.Watch(), onUI: p.OnUI, wait: p.Wait, apply: a.apply}

	p.App.Settings().SetTheme(look.New(look.ModeSystem))
	a.window = p.App.NewWindow("Assay")
	a.window.SetMaster()
	a.window.SetPadded(false)
	a.sheet = screen.NewShortcutSheet(a.window.Canvas())
	a.newScreens()
	a.screens = []fyne.CanvasObject{a.inbox.Object(), a.results.Object(), a.folders.Object()}
	a.rail = part.NewRail([]part.RailItem{
		inboxScreen:   {Label: "Inbox", Icon: look.IconInbox},
		resultsScreen: {Label: "Results", Icon: look.IconResults},
		foldersScreen: {Label: "Folders", Icon: look.IconFolders},
	}, a.show)
	content := container.New(beside{}, a.rail, container.NewStack(a.screens...))
	a.window.SetContent(tooltip.AddWindowToolTipLayer(content, a.window.Canvas()))
	a.show(inboxScreen)
	a.window.SetOnDropped(a.dropped)
	a.addShortcuts()
	a.window.Resize(fyne.NewSize(windowWidth, windowHeight))
	if p.Notice != "" {
		a.inbox.Say(p.Notice)
	}
	return a
}

func (a *app) newScreens() {
	kept := newSubmissions(a.Queue, a.Store, a.Client, a.Keep, a.Now)
	a.thumbs = screen.NewThumbs(a.workers, kept)
	a.inbox = screen.NewInbox(screen.InboxParams{
		Thumbs:       a.thumbs,
		Sandbox:      a.Sandbox,
		Choose:       a.choose,
		ChooseFolder: a.chooseFolder,
		Paste:        a.paste,
		Act:          a.act,
		PauseAll:     a.Queue.PauseAll,
		ResumeAll:    a.Queue.ResumeAll,
		RetryFailed:  a.Queue.RetryFailed,
		ClearDone:    a.Queue.ClearDone,
	})
	a.folders = a.newFolders()
	a.viewer = a.newViewer(kept)
	a.results = screen.NewResults(screen.ResultsParams{
		Answers:  newAnswers(a.Store, a.Now),
		Workers:  a.readers,
		Thumbs:   a.thumbs,
		Viewer:   a.viewer,
		Sandbox:  a.Sandbox,
		Later:    true,
		Pull:     a.Pull.Start,
		StopPull: a.Pull.Stop,
		Act:      a.act,
		Before:   a.viewerFirst,
		Now:      a.Now,
	})
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
	a.viewer.Close()
	a.takers.Close()
	a.lookers.Close()
	a.readers.Close()
	a.player.Close()
	a.workers.Close()
	a.takeBack()
}

// apply shows what the bridge carried over.
func (a *app) apply(u update) {
	a.inbox.Update(u.order, u.rows, u.overall)
	if u.answers {
		a.results.Changed()
	}
	a.rail.SetBadge(inboxScreen, u.overall.Active+u.overall.Held)
}

// show brings one screen to the front.
func (a *app) show(i int) {
	a.window.Canvas().Unfocus() // what is out of sight takes no keys
	if i != resultsScreen {
		a.viewer.Leave()
	}
	for n, s := range a.screens {
		if n == i {
			s.Show()
		} else {
			s.Hide()
		}
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
