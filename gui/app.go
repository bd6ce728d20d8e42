// Package gui is the shell of Assay's window: navigation, drop, shortcuts, and the one bridge from the queue's changes
// to the UI thread. It imports what is below it, and the packages of client.
package gui

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/config"
	"assay/client/events"
	"assay/client/keys"
	"assay/client/media/film"
	"assay/gui/cases"
	"assay/gui/compare"
	"assay/gui/folders"
	"assay/gui/inbox"
	"assay/gui/kit"
	"assay/gui/present"
	"assay/gui/recheck"
	reportsheet "assay/gui/report"
	"assay/gui/results"
	"assay/gui/screens"
	"assay/gui/settings"
	"assay/gui/thumbs"
	"assay/gui/undo"
	"assay/gui/verify"
	"assay/gui/viewer"
	feedbackbar "assay/gui/viewer/feedback"
	"assay/gui/viewer/part"
	"assay/gui/work"
)

// afterFirst is by how long work is delayed that the first screen does not need.
const afterFirst = time.Second

// ageTick is how often the words for how long ago something was are updated.
const ageTick = time.Minute

// carry brings changes to the screen, until ctx ends. By then closures for the UI thread have somewhere to run.
func (a *app) carry(ctx context.Context, owned *sync.WaitGroup) {
	owned.Go(func() {
		a.loadPreview() // before anything is shown
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

// sources are the parts of the screen that the bridge updates, with what each follows.
func (a *app) sources() []source {
	always := func(show func()) func(context.Context, events.Changes) func() {
		return func(context.Context, events.Changes) func() { return show }
	}
	return []source{
		{[]events.Topic{events.Submission, events.Inbox, events.Queue, events.Results, events.Nearly}, a.gatherQueue},
		{[]events.Topic{events.Folders, events.Case}, a.gatherFolders},
		{[]events.Topic{events.Keys}, a.gatherKey},
		{[]events.Topic{events.Pull}, a.gatherPull},
		{[]events.Topic{events.Handed}, func(context.Context, events.Changes) func() {
			handed := a.Handed()
			return func() {
				for _, h := range handed {
					a.takenElsewhere(h)
				}
			}
		}},
		{[]events.Topic{events.Case}, always(func() {
			a.cases.Changed()
			a.viewer.Again()
		})},
		{[]events.Topic{events.Desk}, always(a.cases.Changed)},
		{[]events.Topic{events.Viewers}, always(a.cases.Look)},
		{[]events.Topic{events.Feedback}, always(a.feedbackBar.Reload)},
		{[]events.Topic{events.Sound}, always(a.viewer.Again)},
		{[]events.Topic{events.Nearly}, func(_ context.Context, changed events.Changes) func() {
			if !slices.Contains(changed.IDs(events.Nearly), "") {
				return nil
			}
			return a.nearChanged
		}},
		{[]events.Topic{events.Artifacts}, always(a.results.Tick)}, // there may be a thumbnail
		{[]events.Topic{events.Notice}, func(context.Context, events.Changes) func() {
			sentence := a.Notice().String()
			return func() { a.inbox.Say(sentence) }
		}},
		{[]events.Topic{events.Desk}, a.gatherDesk},
		{[]events.Topic{events.Updates}, always(a.updateKnown)},
		{[]events.Topic{events.Batch}, func(context.Context, events.Changes) func() {
			for _, batch := range a.Batches() {
				a.notify(batch)
			}
			return nil
		}},
	}
}

// app is the window's screens for one session. It belongs to the UI thread.
type app struct {
	Params
	window      fyne.Window
	onUI        func(func())
	bridge      *bridge
	decoders    *work.Workers // for pictures
	readers     *work.Workers // read the rows of results
	acceptors   *work.Workers // accept files and links
	lookers     *work.Workers // examine watched folders
	frames      *film.Projector
	rail        *kit.Rail
	inbox       *inbox.Screen
	results     *results.Screen
	cases       *cases.Screen
	folders     *folders.Screen
	player      *work.Workers // for playback, and for what may ask the service
	viewer      *viewer.Viewer
	kept        *submissions
	feedbackBar *feedbackbar.Bar // asks for feedback
	thumbs      *thumbs.Loader   // for rows
	tiles       *thumbs.Loader   // for the items of cases
	sheet       *kit.Sheet
	undo        *undo.Acts
	review      *reviewer
	verify      *verify.Sheet
	parts       *part.Sheet
	bundles     []string // that wait to be verified
	report      *reportsheet.Sheet
	rechecks    *recheck.Sheet
	rechecking  map[string]bool // the IDs of submissions that were scanned again and are not answered yet
	settings    *settings.Screen
	update      *updateBar // nil where the system updates Assay
	compared    *compare.Screen
	screens     []screen // by screens.ID
	shell       *shell   // nil in tests of the screens alone

	main    *fyne.Container // rail and screens
	filling *fyne.Container // what fills the window in their place

	comparing    bool // two answers are compared, over the results
	comparedFrom int  // the screen that was in front before

	cover    *cover
	breaks   *breaks
	deskLine *deskLine
	dialogs  *fileDialogs

	stopped bool          // the window shows another session, or none
	latest  inbox.Summary // of the queue, as last shown
	key     keys.Status   // of the service's key

	lending sync.Mutex
	lent    string // the folder of the copies made for other programs, "" for none
}

// How many workers of each kind there are. Decoding is bounded because pictures are large; accepting keeps the order.
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
	a.frames = film.New(framesMemory)
	a.readers = work.New(readersAtATime, p.OnUI)
	a.acceptors = work.New(acceptorsAtATime, p.OnUI)
	a.lookers = work.New(lookersAtATime, p.OnUI)
	a.dialogs = &fileDialogs{window: a.window, workers: a.lookers, log: p.Log, say: a.sayInFront}
	a.bridge = newBridge(p)

	a.sheet = kit.NewSheet(a.window.Canvas())
	a.undo = undo.New(undo.Params{OnUI: p.OnUI, Wait: p.Wait})
	a.cover = &cover{app: a}
	a.screens = a.buildScreens()
	stack := container.NewStack()
	a.rail = screens.NewRail(a.show)
	a.breaks = newBreaks(a.rail, p.OnUI, p.Wait)
	a.breaks.follow(a.Config.Settings().Appearance.BreakMinutes)
	a.deskLine = newDeskLine(a.breaks.root, func() { a.showSettings(settings.SectionDesk) })
	for _, s := range a.screens {
		stack.Add(s.object)
	}
	main := fyne.CanvasObject(stack)
	if a.Updates != nil {
		a.update = a.newUpdateBar()
		main = a.update.below(stack)
	}
	a.main, a.filling = container.New(beside{a.rail, a.window}, a.rail, main), container.NewStack()
	setContent(a.window, container.NewStack(a.main, a.breaks.root, a.filling, a.undo.Object()))
	a.show(screens.Inbox)
	a.window.SetOnDropped(a.dropped)
	a.addShortcuts()
	a.inbox.Say(strings.TrimSpace(strings.Join(p.Notices, " ")))
	return a
}

// buildScreens makes the screens of the table screens.All.
func (a *app) buildScreens() []screen {
	kept := newSubmissions(a.Queue, a.Store, a.Client, a.Keep, a.Now)
	kept.near = a.near
	a.kept = kept
	a.thumbs, a.tiles = thumbs.New(a.decoders, kept, thumbs.Row), thumbs.New(a.decoders, kept, thumbs.Tile)
	a.verify = a.newVerify()
	a.viewer = a.newViewer(kept)
	a.review = a.newReview()
	a.report = a.newReport()
	a.rechecks, a.rechecking = a.newRecheck(), map[string]bool{}
	a.compared = a.newCompare(kept)
	return []screen{
		screens.Inbox:    a.newInbox(),
		screens.Results:  a.newResults(),
		screens.Cases:    a.newCases(kept),
		screens.Folders:  a.newFolders(),
		screens.Settings: a.newSettings(),
	}
}

// stop ends the work of the screens, on the UI thread, before the window shows something else. What is being accepted is accepted to its end; other
// work may still be ending.
func (a *app) stop() {
	a.undo.Flush()
	a.breaks.end()
	a.stopped = true
	a.sheet.Close()
	a.parts.Close()
	a.settings.Close()
	a.viewer.Close()
	a.review.player.pane.Close()
	for _, w := range a.backgroundWorkers() {
		w.End()
	}
	overlays := a.window.Canvas().Overlays()
	for top := overlays.Top(); top != nil; top = overlays.Top() {
		overlays.Remove(top)
	}
}

// close waits until no work of the screens is left: then the session can be closed. If ctx ends before all is accepted, the rest is not.
func (a *app) close(ctx context.Context) {
	a.bridge.changes.Close()
	a.undo.Close()
	a.breaks.close()
	a.acceptors.Finish(ctx)
	for _, w := range a.backgroundWorkers() {
		w.Close()
	}
	a.takeBack()
}

// backgroundWorkers are the workers whose work is of no use once the screens are gone.
func (a *app) backgroundWorkers() []*work.Workers {
	return []*work.Workers{a.lookers, a.readers, a.player, a.decoders}
}

// apply shows an update of the bridge.
func (a *app) apply(u update) {
	if a.stopped {
		return
	}
	underWay := a.latest.Active != u.summary.Active
	a.latest = u.summary
	a.inbox.Update(u.order, u.rows, a.withKey(u.summary))
	a.review.follow(u.changed)
	a.followRecheck(u.changed)
	a.cases.SubmissionsChanged(u.changed)
	if u.answers {
		a.results.Changed()
	}
	a.rail.SetBadge(screens.Inbox, u.summary.NeedsYou)
	if underWay {
		a.settings.Refresh()
	}
	if a.shell != nil {
		a.shell.tray.tell(&u.summary)
	}
}

// position is the screen and section in front; stand restores it.
func (a *app) position() position { return position{a.rail.Selected(), a.settings.Section()} }

func (a *app) goTo(at position) {
	a.settings.ShowSection(at.section)
	a.rail.Select(at.screen)
}

// settingsChanged applies changed settings to the screens.
func (a *app) settingsChanged(before, now config.Settings) {
	a.settings.Refresh()
	a.inbox.SetSending(a.sending())
	if before.Updates != now.Updates {
		a.updateKnown()
	}
	a.breaks.follow(now.Appearance.BreakMinutes)
	if before.Appearance.Careful != now.Appearance.Careful {
		a.showPreview(present.PreviewChoiceOf(now.Appearance.Careful))
	}
}
