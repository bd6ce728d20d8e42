package gui

import (
	"context"
	"errors"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/config"
	"assay/client/folders"
	foldersui "assay/gui/folders"
)

// notifyMost is how long a notification may take. A desktop whose notifications hang must not hold up the window's workers, nor
// its closing.
const notifyMost = 5 * time.Second

// notify tells the person what came of a batch of files of watched folders, in one notification, also while the window is in front: the
// toolkit can't tell whether it is. It may be called on any goroutine and returns at once: on some systems the toolkit waits for
// another program until the notification is taken, which is nothing for the UI thread.
func (a *app) notify(b folders.Batch) {
	title, text := foldersui.BatchNotification(wished(b, a.Config.Settings().Notifications), a.Sandbox)
	if text == "" {
		return
	}
	a.player.Do(func(ctx context.Context) func() {
		ctx, cancel := context.WithTimeout(ctx, notifyMost)
		defer cancel()
		sent := make(chan struct{})
		go func() { // the toolkit's call can't be ended: left behind where it hangs
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

// wished leaves of a batch what the person wants to be told.
func wished(b folders.Batch, of config.Notifications) folders.Batch {
	if !of.Answers {
		b = folders.Batch{Arrived: b.Arrived, Held: b.Held}
	}
	if !of.Decisions {
		b.Held = 0
	}
	return b
}
