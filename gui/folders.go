package gui

import (
	"context"
	"errors"
	"os"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/config"
	"assay/client/events"
	watched "assay/client/folders"
	"assay/client/i18n"
	"assay/client/report/bundle"
	"assay/client/store"
	"assay/client/submission"
	"assay/gui/folders"
	"assay/gui/inbox"
	"assay/gui/screens"
)

// newFolders builds the screen of the watched folders.
func (a *app) newFolders() screen {
	a.folders = folders.New(folders.Params{
		Workers: a.lookers,
		NewForm: func(path string) folders.Form {
			form := folders.NewForm(path, a.Config.NewFolderGate(), a.Folders.Lock())
			form.LocksUnread = a.Folders.LocksUnread
			return form
		},
		Choose:   a.chooseWatched,
		PickCase: func(chosen func(id, title string)) { a.cases.PickCase(chosen) },
		Look: func(ctx context.Context, f folders.Form) (folders.Inside, error) {
			settings, _ := f.Settings()
			inside, err := a.Folders.Look(ctx, settings)
			return folders.InsideOf(inside), err
		},
		Add: func(ctx context.Context, f folders.Form, begin folders.Begin, chosen []string) error {
			settings, _ := f.Settings()
			_, err := a.Folders.Add(ctx, settings, begin.Begin(), chosen)
			return err
		},
		Change: func(ctx context.Context, id string, f folders.Form) error {
			settings, _ := f.Settings()
			return a.Folders.Change(ctx, id, settings)
		},
		Pause:       func(ctx context.Context, id string) error { return a.Folders.SetPaused(ctx, id, true) },
		Resume:      func(ctx context.Context, id string) error { return a.Folders.SetPaused(ctx, id, false) },
		Remove:      a.Folders.Remove,
		Undo:        a.Folders.Restore,
		OpenInFiles: a.openInFiles,
		ShowHeld: func(string) {
			a.rail.Select(screens.Inbox)
			a.inbox.ShowOnly(inbox.FilterNeedsYou)
		},
		Now: a.Now,
	})
	return screen{object: a.folders.Object(), typedRune: func(r rune) { a.folders.TypedRune(r) }, typedKey: func(e *fyne.KeyEvent) { a.folders.TypedKey(e) },
		groups: withOwn(i18n.T("Folders"), a.folders.Shortcuts), say: a.folders.Say,
		remove: a.folders.RemoveFolder, pause: a.folders.PauseOrResume}
}

// chooseWatched asks for a folder.
func (a *app) chooseWatched(chosen func(path string)) {
	a.dialogs.folder(i18n.T("Choose a folder to watch"), chosen)
}

// gatherFolders updates the screen of the watched folders.
func (a *app) gatherFolders(ctx context.Context, _ events.Changes) func() {
	var rows []folders.Row
	for _, folder := range a.Folders.All() {
		rows = append(rows, folders.RowOf(folder))
	}
	for i := range rows {
		if id := rows[i].Form.Case; id != "" {
			c, err := a.Store.CaseByID(ctx, id)
			if err != nil && !errors.Is(err, store.ErrNoCase) {
				a.Log.Error("read the case of a folder", "error", err)
				continue
			}
			rows[i].SetCase(c.Title, err == nil)
		}
	}
	return func() { a.folders.Update(rows) }
}

// dropOnFolders offers to watch a folder that was dropped on the screen of the watched ones. Files are submitted; what folders hold never is here,
// where nobody would expect it to be sent. Evidence bundles are verified.
func (a *app) dropOnFolders(paths []string) {
	type dropped struct {
		rest, bundles []string
		folders       int // among the rest
	}
	a.lookers.Do(func(ctx context.Context) func() {
		looked := make(chan dropped, 1)
		go func() { // it may be left behind on a disk that does not answer
			rest, bundles := bundle.Split(paths)
			looked <- dropped{rest, bundles, foldersAmong(rest)}
		}()
		select {
		case <-ctx.Done():
			return nil
		case d := <-looked:
			return func() {
				a.verifyBundles(d.bundles)
				switch {
				case d.folders == 0:
					a.accept(d.rest, submission.Dropped)
				case len(d.rest) == 1:
					a.folders.Offer(d.rest[0])
				default:
					a.folders.Say(i18n.T("Drop one folder at a time: each has its own settings. Nothing was sent."))
				}
			}
		}
	})
}

func foldersAmong(paths []string) (n int) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			n++
		}
	}
	return n
}

// notifyMost is how long a notification may take. A desktop whose notifications hang must not hold up the window's workers, or its closing.
const notifyMost = 5 * time.Second

// notify tells the person of a batch of files from watched folders, in one notification, also while the window is in front: the toolkit can't tell
// whether it is. It may be called on any goroutine and returns at once: on some systems the toolkit waits for another program until it has taken the
// notification, which is not for the UI thread.
func (a *app) notify(b watched.Batch) {
	title, text := folders.BatchNotification(wished(b, a.Config.Settings().Notifications), a.Sandbox)
	if text == "" {
		return
	}
	a.player.Do(func(ctx context.Context) func() {
		ctx, cancel := context.WithTimeout(ctx, notifyMost)
		defer cancel()
		sent := make(chan struct{})
		go func() { // the toolkit's call can't be cancelled: it is left behind if it hangs
			defer close(sent)
			a.App.SendNotification(fyne.NewNotification(title, text))
		}()
		select {
		case <-sent:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				a.Log.Warn("a notification was not taken in time")
			}
		}
		return nil
	})
}

// wished is the part of a batch that the person wants to be told of.
func wished(b watched.Batch, of config.Notifications) watched.Batch {
	if !of.Answers {
		b = watched.Batch{Arrived: b.Arrived, Held: b.Held}
	}
	if !of.Decisions {
		b.Held = 0
	}
	return b
}
