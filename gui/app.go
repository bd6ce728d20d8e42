// Package gui is the shell of Assay's window: navigation, drop, shortcuts, and the one bridge from the queue's changes
// to the UI thread. It imports what is below it, and the packages of client.
package gui

import (
	"context"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/config"
	"assay/client/events"
	"assay/client/keys"
	"assay/gui/folders"
	"assay/gui/inbox"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/results"
	"assay/gui/screens"
	"assay/gui/settings"
	"assay/gui/thumbs"
	"assay/gui/viewer"
	feedbackbar "assay/gui/viewer/feedback"
	"assay/gui/work"
)

// afterFirst is how long what is not seen at first waits, for what is.
const afterFirst = time.Second

// ageTick is how often the words for how long ago something was are said anew.
const ageTick = time.Minute

// carry brings to the screen what happens elsewhere, until ctx ends: closures for the UI thread have somewhere to run by then.
func (a *app) carry(ctx context.Context, owned *sync.WaitGroup) {
	owned.Go(func() {
		a.loadPreview() // before there is anything to see
		a.bridge.run(ctx, a.sources(), a.opening())
	})
	owned.Go(func() {
		if a.Wait(ctx, afterFirst) != nil {
			return
		}
		a.onUI(a.results.Changed)
		a.takeBackEarlier()
		a.Began()
		a.Resume()
		a.Events.Publish(events.Event{Topic: events.Pull})
	})
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
}

// sources are what the bridge carries, by what has changed.
func (a *app) sources() []source {
	always := func(show func()) func(context.Context, events.Changes) func() {
		return func(context.Context, events.Changes) func() { return show }
	}
	return []source{
		{[]events.Topic{events.Submission, events.Inbox, events.Queue, events.Results}, a.gatherQueue},
		{[]events.Topic{events.Folders}, a.gatherFolders},
		{[]events.Topic{events.Keys}, a.gatherKey},
		{[]events.Topic{events.Pull}, a.gatherPull},
		{[]events.Topic{events.Handed}, func(context.Context, events.Changes) func() {
			handed := a.Handed()
			return func() {
				for _, taken := range handed {
					a.takenElsewhere(taken)
				}
			}
		}},
		{[]events.Topic{events.Feedback}, always(a.feedbackBar.Reload)},
		{[]events.Topic{events.Sound}, always(a.viewer.Again)},
		{[]events.Topic{events.Artifacts}, always(a.results.Tick)}, // there may be a thumbnail
		{[]events.Topic{events.Notice}, func(context.Context, events.Changes) func() {
			sentence := a.Notice()
			return func() { a.inbox.Say(sentence) }
		}},
		{[]events.Topic{events.Batch}, func(context.Context, events.Changes) func() {
			for _, batch := range a.Batches() {
				a.notify(batch)
			}
			return nil
		}},
	}
}

// app is the window with its screens. It belongs to the UI thread.
type app struct {
	Params
	window      fyne.Window
	onUI        func(func())
	bridge      *bridge
	decoders    *work.Workers // for pictures
	readers     *work.Workers // for the rows of results
	acceptors   *work.Workers // for what is handed over
	lookers     *work.Workers // for watched folders
	rail        *kit.Rail
	inbox       *inbox.Screen
	results     *results.Screen
	folders     *folders.Screen
	player      *work.Workers // for what is heard, and what may ask the service
	viewer      *viewer.Viewer
	feedbackBar *feedbackbar.Bar // asks for judgements
	thumbs      *thumbs.Loader
	sheet       *kit.Sheet
	review      *reviewer
	settings    *settings.Screen
	screens     []screen // by screens.ID
	shell       *shell   // nil in tests of the screens alone

	choosing bool // the desktop's dialog for files is open

	stopped bool          // another session has the window, or none
	latest  inbox.Summary // as the queue has it
	key     keys.Status   // of the service's key

	lending sync.Mutex
	lent    string // the folder of the copies made for other programs, "" for none
}

// How many work at a time. Decoding is bounded because pictures are large; what is handed over is taken in its order.
const (
	decodersAtATime  = 2
	readersAtATime   = 2
	acceptorsAtATime = 1
	lookersAtATime   = 4 // one may wait for a share that does not answer
	playersAtATime   = 6 // one may read a long recording; most wait for the service
)

// newApp fills the window with a session's screens.
func newApp(p Params, window fyne.Window, of *shell) *app {
	p = p.filled()
	a := &app{Params: p, onUI: p.OnUI, window: window, shell: of}
	a.decoders = work.New(decodersAtATime, p.OnUI)
	a.readers = work.New(readersAtATime, p.OnUI)
	a.acceptors = work.New(acceptorsAtATime, p.OnUI)
	a.lookers = work.New(lookersAtATime, p.OnUI)
	a.bridge = newBridge(p)

	a.sheet = kit.NewSheet(a.window.Canvas())
	a.screens = a.buildScreens()
	stack := container.NewStack()
	a.rail = screens.NewRail(a.show)
	for _, s := range a.screens {
		stack.Add(s.object)
	}
	setContent(a.window, container.New(beside{}, a.rail, stack))
	a.show(screens.Inbox)
	a.window.SetOnDropped(a.dropped)
	a.addShortcuts()
	a.inbox.Say(strings.TrimSpace(strings.Join(p.Notices, " ")))
	return a
}

// buildScreens makes what stands behind the table of screens.
func (a *app) buildScreens() []screen {
	kept := newSubmissions(a.Queue, a.Store, a.Client, a.Keep, a.Now)
	a.thumbs = thumbs.New(a.decoders, kept)
	a.review = a.newReview()
	a.viewer = a.newViewer(kept)
	return []screen{
		screens.Inbox:    a.newInbox(),
		screens.Results:  a.newResults(),
		screens.Folders:  a.newFolders(),
		screens.Settings: a.newSettings(),
	}
}

// stop ends what the screens do, on the UI thread: the window takes other content. What was handed over is taken up to its end; what
// else runs elsewhere may still be at its own.
func (a *app) stop() {
	a.stopped = true
	a.sheet.Close()
	a.settings.Close()
	a.viewer.Close()
	for _, w := range a.backgroundWorkers() {
		w.End()
	}
	overlays := a.window.Canvas().Overlays()
	for top := overlays.Top(); top != nil; top = overlays.Top() {
		overlays.Remove(top)
	}
}

// close waits until nothing of what was left runs any more: the session can be closed then. Where ctx ends before what was handed over is
// taken, the rest is not.
func (a *app) close(ctx context.Context) {
	a.bridge.changes.Close()
	a.acceptors.Finish(ctx)
	for _, w := range a.backgroundWorkers() {
		w.Close()
	}
	a.takeBack()
}

// backgroundWorkers are the workers whose work is worth nothing once nobody sees it.
func (a *app) backgroundWorkers() []*work.Workers {
	return []*work.Workers{a.lookers, a.readers, a.player, a.decoders}
}

// apply shows what the bridge carried over.
func (a *app) apply(u update) {
	if a.stopped {
		return
	}
	underWay := a.latest.Active != u.summary.Active
	a.latest = u.summary
	a.inbox.Update(u.order, u.rows, a.withKey(u.summary))
	a.review.follow(u.changed)
	if u.answers {
		a.results.Changed()
	}
	a.rail.SetBadge(screens.Inbox, u.summary.Active+u.summary.Held)
	if underWay {
		a.settings.Refresh()
	}
	if a.shell != nil {
		a.shell.tray.tell(&u.summary)
	}
}

// position is where the person is; stand brings them there.
func (a *app) position() position { return position{a.rail.Selected(), a.settings.Section()} }

func (a *app) goTo(at position) {
	a.settings.ShowSection(at.section)
	a.rail.Select(at.screen)
}

// settingsChanged has the screens follow the settings.
func (a *app) settingsChanged(before, now config.Settings) {
	a.settings.Refresh()
	if before.Appearance.Preview != now.Appearance.Preview {
		a.showPreview(present.PreviewChoiceOf(now.Appearance.Preview))
	}
}
