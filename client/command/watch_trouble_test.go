package command

import (
	"errors"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/session"
	"assay/client/submission"
	"assay/watch"
)

func TestWatchOfFoldersInTrouble(t *testing.T) {
	gone := &folders.Problem{Message: i18n.Verbatim("This folder does not exist.")}
	t.Run("where none can be watched it is misuse, and each has its sentence", func(t *testing.T) {
		for _, through := range []bool{false, true} {
			dir, d := t.TempDir(), newFakeQueue(t)
			d.fail("/a", gone)
			d.fail("/b", &folders.Problem{Message: i18n.Verbatim("This is a file, not a folder.")})
			if through {
				showWindow(t, dir, d)
			}
			w := startWatch(t, dir, d, watching(submission.GateSend, "/a", "/b"), false)
			err := got(t, w.ended, "its end")
			var misuse *session.Misuse
			if !errors.As(err, &misuse) || misuse.Sentence != "/a: This folder does not exist.\nassay: /b: This is a file, not a folder." {
				t.Errorf("got %v", err)
			}
			w.quiet()
		}
	})
	t.Run("where some can't, it is said, and the others are watched", func(t *testing.T) {
		for _, given := range [][]string{{"/gone", in}, {in, "/gone"}} {
			d := newFakeQueue(t)
			d.fail("/gone", gone)
			w := startWatch(t, t.TempDir(), d, watching(submission.GateSend, given...), false)
			said := []string{got(t, w.said, "a sentence"), got(t, w.said, "another")}
			slices.Sort(said)
			if want := []string{"assay: /gone: This folder does not exist.", "assay: " + beginsSend}; !slices.Equal(said, want) {
				t.Errorf("said: %q", said)
			}
			d.arrive(in+"/a.jpg", submission.Failed)
			w.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
			w.end()
		}
	})
	t.Run("an error of the records ends it", func(t *testing.T) {
		d := newFakeQueue(t)
		d.fail(in, errFull)
		w := startWatch(t, t.TempDir(), d, watching(submission.GateSend, in), false)
		if err := got(t, w.ended, "its end"); !errors.Is(err, errFull) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a folder that vanishes and comes back is said once each, over a window's start too", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		w := startWatch(t, dir, d, watching(submission.GateSend, in), false)
		w.says(beginsSend)
		d.stands(in, watch.Gone)
		w.says("/desk/in: It is not there. Assay keeps looking until it is back.")
		d.fail(in, &folders.Problem{Message: i18n.Verbatim("It is not there. Assay keeps looking until it is back.")})
		showWindow(t, dir, d)
		for range 3 {
			got(t, d.watched.tries, "another try")
		}
		d.fail(in, nil)
		w.says("/desk/in is watched again.")
		d.arrive(in+"/a.jpg", submission.Failed)
		w.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
		w.end()
	})
	t.Run("what else is in a folder's way is said in words", func(t *testing.T) {
		for _, c := range []struct {
			folder folders.Folder
			known  bool
			says   string
		}{
			{folders.Folder{State: watch.State{Phase: watch.Watching}}, true, ""},
			{folders.Folder{State: watch.State{Phase: watch.Polling}}, true, ""},
			{folders.Folder{State: watch.State{Phase: watch.Polling}, Problem: i18n.Verbatim("Something.")}, true, "Something."},
			{folders.Folder{State: watch.State{Phase: watch.Gone}, Problem: i18n.Verbatim("Something.")}, true, "Something. Assay keeps looking until it is back."},
			{folders.Folder{State: watch.State{Phase: watch.Paused}}, true, "It is paused: resume it in Assay's window."},
			{folders.Folder{State: watch.State{Phase: watch.Unreadable}}, true, "It can't be read. Assay tries again until it can."},
			{folders.Folder{State: watch.State{Phase: watch.Stuck}}, true, "Its disk does not answer. Assay waits for it."},
			{folders.Folder{}, false, "It was removed in Assay's window and is no longer watched."},
		} {
			if text := standsText(c.folder, c.known); text != c.says {
				t.Errorf("%+v: %q", c.folder.State, text)
			}
		}
	})
	t.Run("why nothing is sent is said once, and that it goes on", func(t *testing.T) {
		const reason = "The service did not accept the key."
		dir, d := t.TempDir(), newFakeQueue(t)
		w := startWatch(t, dir, d, watching(submission.GateSend, in), false)
		w.says(beginsSend)
		d.stand(intake.QueueStatus{Cause: intake.NoKey, Reason: i18n.Verbatim(reason)})
		w.says(reason)
		showWindow(t, dir, d)
		got(t, d.watching, "the first")
		got(t, d.watching, "that through the window")
		d.arrive(in+"/a.jpg", submission.Failed)
		w.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
		d.stand(intake.QueueStatus{})
		w.says("It goes on.")
		w.end()
	})
	t.Run("that it goes on is said where that came about between two processes", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		w := startWatch(t, dir, d, watching(submission.GateSend, in), false)
		w.says(beginsSend)
		d.stand(intake.QueueStatus{Cause: intake.NoNetwork, Reason: i18n.Verbatim("No network.")})
		w.says("No network.")
		h, _, err := session.HoldForWindow(t.Context(), dir, nil, pause)
		assert.NoError(t, err)
		d.stand(intake.QueueStatus{})
		k := session.NewEndpoint()
		k.Window = true
		assert.NoError(t, h.Serve(t.Context(), k.Handle))
		k.Open(d, session.SandboxAddress{}, newOperations(d, true).handlers())
		w.says("It goes on.")
		w.end()
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("alone it asks again a service that refused, and beside a window that is the person's", func(t *testing.T) {
		usual := refusedPause
		refusedPause = 0
		defer func() { refusedPause = usual }()
		dir, d := t.TempDir(), newFakeQueue(t)
		d.watched.retried = make(chan struct{}, 1)
		d.status = intake.QueueStatus{Cause: intake.NoKey, Reason: i18n.Verbatim("No.")}
		w := startWatch(t, dir, d, watching(submission.GateSend, in), false)
		got(t, d.watched.retried, "another try")
		w.stop()
		if err := got(t, w.ended, "its end"); err != nil {
			t.Error(err)
		}
		select { // of the last before it ended
		case <-d.watched.retried:
		default:
		}
		showWindow(t, dir, d)
		w = startWatch(t, dir, d, watching(submission.GateSend, in), false)
		w.says(beginsSend)
		w.says("No.")
		d.arrive(in+"/a.jpg", submission.Failed)
		w.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
		select {
		case <-d.watched.retried: // at once, if it does
			t.Error("it tries again over the person's head")
		default:
		}
	})
}
