package gui

import (
	"context"
	"strings"
	"time"

	"assay/client/config"
	"assay/client/i18n"
	"assay/gui/inbox"
)

// trayRest is the least time between two changes of the tray's words.
const trayRest = 2 * time.Second

// trayWords are the words of the tray's menu: fixed words and numbers, never a name.
type trayWords struct {
	State         string // the state, which is no command
	Open          string
	Cover         string // covers everything that the window shows
	PauseOrResume string // pauses or resumes everything
	Quit          string
	Resumes, Can  bool // what PauseOrResume does, and whether it can
}

// trayActions are the functions of its commands. They are called on any goroutine.
type trayActions struct{ Open, Cover, PauseOrResume, Quit func() }

// trayIcon is Assay's icon in the system's tray. Its methods may wait for another program: they are called on workers, one after another, unless the
// system needs the UI thread.
type trayIcon interface {
	// Possible reports whether the desktop shows tray icons.
	Possible(ctx context.Context) bool
	Show(w trayWords, d trayActions)
	Say(w trayWords)
	Close() // also if it was never shown
}

// tray keeps the words of the icon up to date. It belongs to the UI thread.
type tray struct {
	shell   *shell
	icon    trayIcon
	wanted  bool
	shown   bool
	said    trayWords // shown, or about to be
	latest  *inbox.Summary
	resting bool
}

func newTray(s *shell, icon trayIcon) *tray { return &tray{shell: s, icon: icon} }

// there reports whether the icon is shown, so that the window may hide.
func (t *tray) there() bool { return t.shown && t.wanted }

// follow shows the icon once the person wants it. It can't be taken away again: the system shows it to the end of the run.
func (t *tray) follow(now config.Desktop) {
	t.wanted = now.Tray
	if !t.wanted || t.shown {
		return
	}
	actions := trayActions{
		Open:          func() { t.shell.OnUI(t.shell.raise) },
		Cover:         func() { t.shell.OnUI(t.shell.coverAll) },
		PauseOrResume: func() { t.shell.OnUI(t.shell.pauseOrResume) },
		Quit:          func() { t.shell.OnUI(t.shell.quit) },
	}
	t.shell.trayWorkers.Do(func(ctx context.Context) func() {
		if !t.icon.Possible(ctx) {
			return t.shell.showUnlessShown
		}
		return func() {
			if t.shown || !t.wanted {
				return
			}
			words := trayWordsOf(t.latest)
			t.shown, t.said = true, words
			t.call(func() { t.icon.Show(words, actions) })
		}
	})
}

// tell sets the state to show; nil is no session.
func (t *tray) tell(o *inbox.Summary) {
	t.latest = o
	if t.shown && !t.resting && trayWordsOf(o) != t.said {
		t.say()
	}
}

// say changes the words, then leaves them for a while.
func (t *tray) say() {
	t.said, t.resting = trayWordsOf(t.latest), true
	words := t.said
	t.call(func() { t.icon.Say(words) })
	t.shell.systemWorkers.Do(func(ctx context.Context) func() {
		if t.shell.Wait(ctx, trayRest) != nil {
			return nil
		}
		return func() {
			t.resting = false
			t.tell(t.latest)
		}
	})
}

// call calls f, which may wait for another program, on a worker if the system allows that.
func (t *tray) call(f func()) {
	if trayOnUI {
		f()
		return
	}
	t.shell.trayWorkers.Do(func(context.Context) func() {
		f()
		return nil
	})
}

// trayWordsOf are the words for a summary.
func trayWordsOf(o *inbox.Summary) trayWords {
	w := trayWords{Open: i18n.T("Open Assay"), Cover: i18n.T("Cover everything"), PauseOrResume: i18n.T("Pause all"), Quit: i18n.T("Quit")}
	if o == nil {
		w.State = i18n.T("No service is open")
		return w
	}
	w.Resumes = o.Offers(inbox.ResumeAll)
	w.Can = w.Resumes || o.Offers(inbox.PauseAll)
	if w.Resumes {
		w.PauseOrResume = i18n.T("Resume all")
	}
	w.State = trayState(*o, w.Resumes)
	return w
}

func trayState(o inbox.Summary, stopped bool) string {
	var parts []string
	switch {
	case stopped:
		parts = append(parts, i18n.T("Everything is paused"))
	case o.Active > 0:
		parts = append(parts, i18n.N(o.Active, "%s under way", "%s under way"))
	}
	if o.Held > 0 {
		parts = append(parts, i18n.N(o.Held, "%s waits for your decision", "%s wait for your decision"))
	}
	if o.Failed > 0 {
		parts = append(parts, i18n.N(o.Failed, "%s could not be checked", "%s could not be checked"))
	}
	if len(parts) == 0 {
		return i18n.T("Nothing is under way")
	}
	return strings.Join(parts, " · ")
}
