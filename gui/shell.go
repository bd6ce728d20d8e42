package gui

import (
	"context"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/config"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/session"
	"assay/client/submission"
	"assay/gui/firstrun"
	"assay/gui/inbox"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/settings"
	"assay/gui/work"
)

// shell is the window over its whole life: which session it shows, or the first run, its look and language, and how it ends. It belongs to the UI
// thread. There is at most one app at a time: the screens of the session that it shows.
type shell struct {
	Params
	window        fyne.Window
	systemWorkers *work.Workers // for calls of the system: keychain, entries, the file of settings
	trayWorkers   *work.Workers // for calls of the system's tray, in their order
	look          *appearance
	tray          *tray
	dialogs       *fileDialogs // for what the settings name

	ctx   context.Context // of the run
	owned sync.WaitGroup

	app          *app
	first        *firstrun.Screen // in place of the app, while there is no session
	stopCarrying func()           // ends the goroutines that bring changes to the app, or to the first run

	greeted *session.Session // the session whose notices were shown

	spoken    string   // the language that the toolkit uses
	rebuilds  bool     // the first run is to be built again
	switching bool     // to another session or language
	next      []func() // what to switch to after that
	dropped   []string // dropped on the window meanwhile
	size      fyne.Size
}

// systemWorkersAtATime is how many calls of the system may be under way: one that hangs must not hold up the rest.
const systemWorkersAtATime = 4

func newShell(p Params, icon trayIcon) *shell {
	p = p.filled()
	s := &shell{Params: p, stopCarrying: func() {}}
	s.systemWorkers, s.trayWorkers = work.New(systemWorkersAtATime, p.OnUI), work.New(1, p.OnUI)
	s.look = newAppearance(p.App, p.Config.Origin("appearance.scale") == config.Locked)
	s.look.apply(p.Config.Settings().Appearance)
	var fonts sync.WaitGroup
	fonts.Go(look.ReadFonts) // while the display makes a window
	s.window = newWindow(p.App)
	s.look.window = s.window
	fonts.Wait()
	s.listen()
	s.tray = newTray(s, icon)
	s.dialogs = &fileDialogs{window: s.window, workers: s.systemWorkers, log: p.Log, say: s.sayOfDialog}
	s.keepSize()
	s.build(position{})
	return s
}

// start brings changes to the screen, until ctx ends.
func (s *shell) start(ctx context.Context) {
	s.ctx = ctx
	changed := s.Events.Subscribe(events.Settings, events.Front)
	before := s.Config.Settings() // here, since the goroutine may begin only after a change
	s.owned.Go(func() {
		defer changed.Close()
		for {
			select {
			case <-changed.Ready():
				all := changed.Take()
				if all.Has(events.Settings) {
					last, now := before, s.Config.Settings()
					before = now
					s.OnUI(func() { s.settingsChanged(last, now) })
				}
				for _, token := range all.IDs(events.Front) {
					s.OnUI(func() { comeToFront(s.window, token) })
				}
			case <-ctx.Done():
				s.OnUI(s.quit)
				return
			}
		}
	})
	s.tray.follow(s.Config.Settings().Desktop)
	if s.FrontToken != "" {
		comeToFront(s.window, s.FrontToken)
	}
	files := s.Files
	s.Files = nil
	s.carry()
	if s.app != nil {
		s.app.accept(files, submission.Started)
	}
}

// end waits for all that the shell has started, after the window is gone.
func (s *shell) end() {
	s.stopCarrying()
	s.owned.Wait()
	if s.app != nil {
		s.app.stop()
		s.app.close(s.ctx)
	}
	s.systemWorkers.Close()
	s.trayWorkers.Close()
	s.tray.icon.Close()
	s.saveSize()
}

// position is the screen and section in front.
type position struct {
	screen  int
	section settings.Section
}

// build fills the window with the screens of the session, or with the first run if there is none.
func (s *shell) build(at position) {
	if s.Refused != "" {
		s.showRefused()
		return
	}
	if s.Session == nil {
		s.app = nil
		draft := s.given()
		if s.first != nil {
			draft = s.first.Draft()
			s.first.Close()
		}
		s.first = s.newFirstRun(draft)
		s.showFirstRun()
		return
	}
	if s.first != nil {
		s.first.Close()
		s.first, s.Notices = nil, nil // they were shown there
	}
	if s.Session != s.greeted {
		s.greeted, s.Notices = s.Session, append(s.Notices, inbox.SetAsideText(s.SetAside()))
	}
	s.app = newApp(s.Params, s.window, s)
	s.app.goTo(at)
	s.Began, s.Notices = func() {}, nil // once
}

// carry starts to bring changes to what build has shown.
func (s *shell) carry() {
	ctx, cancel := context.WithCancel(s.ctx)
	var owned sync.WaitGroup
	s.stopCarrying = func() {
		cancel()
		owned.Wait()
	}
	if s.app != nil {
		s.app.carry(ctx, &owned)
		return
	}
	s.carryFirstRun(ctx, &owned)
}

// switchTo stops what is shown, runs open on a worker to get what comes next, shows that at the same position, and then calls then with the outcome.
// When open is called, nothing uses the session any more.
func (s *shell) switchTo(open func(ctx context.Context) (*session.Session, error), then func(err error)) {
	if s.switching {
		s.next = append(s.next, func() { s.switchTo(open, then) })
		return
	}
	s.switching = true
	old, end := s.app, s.stopCarrying
	var at position
	if old != nil {
		at = old.position()
		old.stop()
		s.app, s.stopCarrying = nil, func() {}
		s.showSwitching()
	}
	s.owned.Go(func() {
		if old != nil {
			end()
			old.close(s.ctx)
		}
		next, err := open(s.ctx)
		s.OnUI(func() {
			s.switched(old == nil, next, at)
			then(err)
			if len(s.next) > 0 {
				another := s.next[0]
				s.next = s.next[1:]
				another()
			}
		})
	})
}

// switched shows the session after a switch.
func (s *shell) switched(wasFirst bool, next *session.Session, at position) {
	s.switching = false
	if s.ctx.Err() != nil {
		return
	}
	s.Session = next
	if wasFirst && next == nil && !s.rebuilds {
		return // it is shown already
	}
	if wasFirst {
		s.stopCarrying()
	}
	s.rebuilds = false
	s.listen()
	s.build(at)
	s.carry()
	if s.app != nil {
		s.app.accept(s.dropped, submission.Dropped)
		s.dropped = nil
	}
}

// showSwitching is shown while one session closes and another opens.
func (s *shell) showSwitching() {
	s.tray.tell(nil)
	setContent(s.window, container.NewStack(kit.NewFill(look.ColorBackground), container.NewCenter(kit.NewText(i18n.T("One moment…"), kit.TextStyle{Color: look.ColorMuted}))))
	s.window.SetOnDropped(func(_ fyne.Position, uris []fyne.URI) {
		for _, u := range uris {
			s.dropped = append(s.dropped, u.Path())
		}
	})
}

// settingsChanged applies changed settings to the window.
func (s *shell) settingsChanged(before, now config.Settings) {
	s.look.apply(now.Appearance)
	s.tray.follow(now.Desktop)
	if before.Appearance.Language != now.Appearance.Language {
		s.speak()
	}
	if s.app != nil {
		s.app.settingsChanged(before, now)
	}
}

// seen says whether the window can be seen.
func (s *shell) seen(can bool) {
	if s.app != nil {
		s.app.cases.Away(!can)
	}
}

// raise brings the window to the front, also where it was hidden.
func (s *shell) raise() {
	s.window.Show()
	s.seen(true)
	s.window.RequestFocus()
	comeToFront(s.window, "")
}

// showUnlessShown shows the window that was to start hidden, if there is no tray to open it from.
func (s *shell) showUnlessShown() {
	if s.Hidden {
		s.raise()
	}
}

// quit ends the run, hidden or not.
func (s *shell) quit() {
	s.size = s.window.Canvas().Size()
	s.App.Quit()
}

// coverAll covers what the window shows; what is covered already stays so.
func (s *shell) coverAll() {
	if s.app != nil {
		s.app.cover.put()
	}
}

// pauseOrResume does what the tray's item says at the moment.
func (s *shell) pauseOrResume() {
	switch {
	case s.app == nil:
	case s.app.latest.Offers(inbox.ResumeAll):
		s.app.Queue.ResumeAll()
	case s.app.latest.Offers(inbox.PauseAll):
		s.app.Queue.PauseAll()
	}
}

// speak switches to the language that the settings name: the screens are built again on the same session.
func (s *shell) speak() {
	s.rebuilds = true
	s.switchTo(func(ctx context.Context) (*session.Session, error) {
		return s.Session, s.Host.Speak(ctx)
	}, func(err error) {
		if err != nil {
			s.Log.Error("the language was not changed", "error", err)
		}
	})
}

// listen has the toolkit use the language.
func (s *shell) listen() {
	if now := i18n.Language(); now != s.spoken {
		s.spoken = now
		speakToolkit(s.Log)
	}
}
