package gui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client/folders"
	"assay/gui/present"
)

// notified is an app that hands its notifications over instead of showing them.
type notified struct {
	fyne.App
	send func(*fyne.Notification)
}

func (n notified) SendNotification(one *fyne.Notification) { n.send(one) }

func TestABatchIsToldInOneNotification(t *testing.T) {
	d := setup(t)
	sent := make(chan *fyne.Notification, 10)
	d.App = notified{d.App, func(n *fyne.Notification) { sent <- n }}
	d.notify(folders.Batch{}) // nothing came of it: nothing is told
	d.notify(folders.Batch{Arrived: 15, Held: 3, Answered: 12, Fake: 2, Suspicious: 1, Authentic: 9})
	const want = "12 files checked: 2 likely manipulated, 1 suspicious, 9 no sign found. 3 wait for your decision. " + present.SandboxNote
	if got := receive(t, sent); got.Title != "Assay" || got.Content != want {
		t.Errorf("%q: %q", got.Title, got.Content)
	}
	d.player.Close() // nothing more is on its way
	if len(sent) != 0 {
		t.Errorf("there is another one: %q", (<-sent).Content)
	}
}

func TestANotificationThatHangsHoldsUpNeitherTheWindowNorItsClosing(t *testing.T) {
	d := setup(t)
	begun, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	d.App = notified{d.App, func(*fyne.Notification) { close(begun); <-release }}
	d.notify(folders.Batch{Arrived: 1, Held: 1})
	receive(t, begun)
	d.player.Close() // waits for what still goes on
}

func receive[T any](t *testing.T, from <-chan T) (one T) {
	t.Helper()
	select {
	case one = <-from:
	case <-time.After(60 * time.Second):
		t.Fatal("it never came")
	}
	return one
}
