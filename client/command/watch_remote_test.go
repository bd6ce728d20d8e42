package command

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/folders"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/submission"
)

const (
	in          = "/desk/in"
	beginsAsk   = "Watching /desk/in: each new file waits for your decision."
	beginsSend  = "Watching /desk/in: each new file is sent."
	beginsNever = "Watching /desk/in: nothing in it is sent."
)

func TestWatchHandover(t *testing.T) {
	t.Run("alone it says how it watches, and prints each file when it has ended", func(t *testing.T) {
		d := newFakeQueue(t)
		w := startWatch(t, t.TempDir(), d, watching(submission.GateSend, in), false)
		w.says(beginsSend)
		d.arrive(in+"/a.jpg", submission.Sending)
		d.arrive(in+"/b.jpg", submission.Sending)
		d.arrive("/desk/elsewhere/x.jpg", submission.Failed) // of another folder
		d.change(in+"/b.jpg", submission.Failed)
		w.prints("b.jpg: not answered. No luck with /desk/in/b.jpg.")
		d.change(in+"/a.jpg", submission.Cancelled)
		w.prints("a.jpg: not answered. Cancelled.")
		w.end()
	})
	t.Run("it passes on what was chosen for the folders", func(t *testing.T) {
		d := newFakeQueue(t)
		job := watchJob{Given: []string{"/b", "/a"}, Gate: submission.GateNever, Only: []string{"IMG*"}, Skip: []string{"x*"}, Quiet: 3, All: true}
		w := startWatch(t, t.TempDir(), d, job, false)
		w.says("Watching /b: nothing in it is sent.")
		w.says("Watching /a: nothing in it is sent.")
		w.end()
		if s := d.watched.settings; len(s) != 2 || s[0].Path != "/b" || s[1].Path != "/a" || s[0].Gate != submission.GateNever || s[0].Subfolders ||
			!slices.Equal(s[0].Only, job.Only) || !slices.Equal(s[0].Skip, job.Skip) || s[0].Quiet != 3 || d.watched.begins[0] != folders.All {
			t.Errorf("added: %+v, %v", s, d.watched.begins)
		}
	})
	t.Run("a file that is held is said, and printed once it was decided on and has ended", func(t *testing.T) {
		d := newFakeQueue(t)
		w := startWatch(t, t.TempDir(), d, watching(submission.GateAsk, in), false)
		w.says(beginsAsk)
		d.arrive(in+"/a.jpg", submission.Checking)
		d.change(in+"/a.jpg", submission.Held)
		w.says("a.jpg waits for your decision. Decide in Assay's window, or start with --gate send. No luck with /desk/in/a.jpg.")
		d.change(in+"/a.jpg", submission.Stays)
		w.prints("a.jpg: not answered. It stays on this computer, as you have decided.")
		d.change(in+"/a.jpg", submission.Sending) // they have thought better of it
		d.change(in+"/a.jpg", submission.Failed)
		w.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
		w.end()
	})
	t.Run("a file that was set going again is printed again", func(t *testing.T) {
		d := newFakeQueue(t)
		w := startWatch(t, t.TempDir(), d, watching(submission.GateSend, in), false)
		w.says(beginsSend)
		d.arrive(in+"/a.jpg", submission.Failed)
		w.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
		d.change(in+"/a.jpg", submission.Sending)
		d.arrive(in+"/b.jpg", submission.Failed)
		w.prints("b.jpg: not answered. No luck with /desk/in/b.jpg.") // and the other was seen to be on its way
		d.change(in+"/a.jpg", submission.Failed)
		w.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
		w.end()
	})
	t.Run("with --json one that is held is an object of its own", func(t *testing.T) {
		d := newFakeQueue(t)
		w := startWatch(t, t.TempDir(), d, watching(submission.GateAsk, in), true)
		w.says(beginsAsk)
		d.arrive(in+"/a.jpg", submission.Held)
		w.prints(`{"path":"/desk/in/a.jpg","sha256":"5a","score":null,"state":"held"}`)
		w.end()
	})
	t.Run("one that was written again while it was held is not said to have been cancelled", func(t *testing.T) {
		d := newFakeQueue(t)
		w := startWatch(t, t.TempDir(), d, watching(submission.GateAsk, in), false)
		w.says(beginsAsk)
		d.arrive(in+"/a.jpg", submission.Held)
		w.says("a.jpg waits for your decision. Decide in Assay's window, or start with --gate send.")
		d.mu.Lock()
		s := d.subs[in+"/a.jpg"]
		s.Problem = i18n.Verbatim("It was written again.")
		d.subs[s.ID] = s
		d.mu.Unlock()
		d.change(s.ID, submission.Cancelled)
		w.prints("a.jpg: not answered. It was written again.")
		w.end()
	})
	t.Run("what had ended before is not printed again, and what was under way is", func(t *testing.T) {
		d := newFakeQueue(t)
		d.arrive(in+"/old.jpg", submission.Failed)
		d.arrive(in+"/way.jpg", submission.Sending)
		w := startWatch(t, t.TempDir(), d, watching(submission.GateSend, in), false)
		w.says(beginsSend)
		d.change(in+"/way.jpg", submission.Failed)
		w.prints("way.jpg: not answered. No luck with /desk/in/way.jpg.")
		w.end()
	})
	t.Run("what ends while a folder is being added is printed, through a window too", func(t *testing.T) {
		for _, through := range []bool{false, true} {
			dir, d := t.TempDir(), newFakeQueue(t)
			d.arrive(in+"/old.jpg", submission.Failed)
			d.watched.adding = func() { d.arrive(in+"/quick.jpg", submission.Failed) }
			if through {
				showWindow(t, dir, d)
			}
			w := startWatch(t, dir, d, watching(submission.GateSend, in), false)
			w.says(beginsSend)
			w.prints("quick.jpg: not answered. No luck with /desk/in/quick.jpg.")
			w.end()
		}
	})
	t.Run("what ends while the session opens is printed", func(t *testing.T) {
		d := newFakeQueue(t)
		d.arrive(in+"/way.jpg", submission.Sending)
		printed := make(lines, 10)
		here := d.local()
		here.open = func(ctx context.Context) (queue, func(context.Context), error) {
			d.change(in+"/way.jpg", submission.Failed)
			return d.open(ctx)
		}
		start := &watchStart{
			local: here, dir: t.TempDir(), wait: pause, before: d.states, emit: newWatchPrinter(printed, make(lines, 10), false).take, job: watching(submission.GateSend, in),
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- start.run(ctx) }()
		got(t, printed, "the line")
		stop()
		if err := got(t, ended, "its end"); err != nil {
			t.Error(err)
		}
	})
	t.Run("it works through an open window, and prints the very same", func(t *testing.T) {
		const name = "<a> & \u202e\xff.jpg"
		dir := t.TempDir()
		alone, through := newFakeQueue(t), newFakeQueue(t)
		through.arrive("/d\xff/old.jpg", submission.Failed) // printed, or seen in the window
		showWindow(t, dir, through)
		lines := map[*fakeQueue]string{}
		for d, at := range map[*fakeQueue]string{alone: t.TempDir(), through: dir} {
			w := startWatch(t, at, d, watching(submission.GateSend, "/d\xff"), true)
			w.says("Watching /d\ufffd: each new file is sent.")
			d.arrive("/d\xff/"+name, submission.Refused)
			lines[d] = got(t, w.printed, "the line")
			w.end()
		}
		if lines[alone] != lines[through] || !strings.Contains(lines[alone], `<a> & `) || !json.Valid([]byte(lines[alone])) {
			t.Errorf("alone: %s\nthrough the window: %s", lines[alone], lines[through])
		}
		if len(through.opened) != 1 {
			t.Errorf("%d sessions were opened", len(through.opened))
		}
	})
	t.Run("it gives way to a window that starts, goes on through it, and takes over when that closes, and says nothing twice", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		w := startWatch(t, dir, d, watching(submission.GateAsk, in), false)
		w.says(beginsAsk)
		d.arrive(in+"/a.jpg", submission.Failed)
		w.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
		d.arrive(in+"/held.jpg", submission.Held)
		got(t, w.said, "that it is held")
		window := showWindow(t, dir, d)
		d.arrive(in+"/b.jpg", submission.Failed) // it may come before the folder is watched again: it is new all the same
		w.prints("b.jpg: not answered. No luck with /desk/in/b.jpg.")
		window.close()
		d.arrive(in+"/c.jpg", submission.Failed)
		w.prints("c.jpg: not answered. No luck with /desk/in/c.jpg.")
		d.change(in+"/held.jpg", submission.Failed)
		w.prints("held.jpg: not answered. No luck with /desk/in/held.jpg.")
		w.end()
	})
	t.Run("it goes on where a scan ends through which it worked", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		s := startScan(t, dir, d, scanJob{Given: []string{"a"}})
		s.accepted()
		w := startWatch(t, dir, d, watching(submission.GateSend, in), false)
		w.says(beginsSend)
		d.change("a#1", submission.Failed)
		s.item()
		if err := s.end(); err != nil {
			t.Error(err)
		}
		d.arrive(in+"/a.jpg", submission.Failed)
		w.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
		w.end()
	})
	t.Run("a scan works through it", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		w := startWatch(t, dir, d, watching(submission.GateSend, in), false)
		w.says(beginsSend)
		s := startScan(t, dir, d, scanJob{Given: []string{"a"}})
		s.accepted()
		d.change("a#1", submission.Failed)
		s.item()
		if err := s.end(); err != nil {
			t.Error(err)
		}
		w.end()
	})
	t.Run("two of one folder end one by one", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		one := startWatch(t, dir, d, watching(submission.GateSend, in), false)
		one.says(beginsSend)
		two := startWatch(t, dir, d, watching(submission.GateSend, in), false)
		two.says(beginsSend)
		two.end()
		d.arrive(in+"/a.jpg", submission.Failed)
		one.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
		one.end()
	})
	t.Run("it ends when it is stopped, and gives the folder free", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		w := startWatch(t, dir, d, watching(submission.GateSend, in), false)
		w.says(beginsSend)
		w.end()
		h, err := ipc.Take(t.Context(), dir)
		assert.NoError(t, err)
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestWatchOfHeldFilesFromBefore(t *testing.T) {
	t.Run("they are counted", func(t *testing.T) {
		d := newFakeQueue(t)
		d.arrive(in+"/a.jpg", submission.Held)
		d.arrive(in+"/b.jpg", submission.Held)
		w := startWatch(t, t.TempDir(), d, watching(submission.GateAsk, in), true)
		w.says(beginsAsk)
		w.says("2 earlier files of /desk/in may not leave yet: decide in Assay's window, or start with --gate send.")
		w.end()
	})
	t.Run("with --gate send they leave, through a window too", func(t *testing.T) {
		for _, through := range []bool{false, true} {
			dir, d := t.TempDir(), newFakeQueue(t)
			d.arrive(in+"/a.jpg", submission.Held)
			d.arrive("/other/b.jpg", submission.Held)
			if through {
				showWindow(t, dir, d)
			}
			w := startWatch(t, dir, d, watching(submission.GateSend, in), false)
			w.says(beginsSend)
			w.says("1 earlier file of /desk/in waited for your decision and may leave now.")
			d.change(in+"/a.jpg", submission.Failed)
			w.prints("a.jpg: not answered. No luck with /desk/in/a.jpg.")
			w.end()
			if !slices.Equal(d.watched.allowed, []string{in + "/a.jpg"}) {
				t.Errorf("allowed: %v", d.watched.allowed)
			}
		}
	})
	t.Run("with --gate never they stay where they are", func(t *testing.T) {
		d := newFakeQueue(t)
		d.arrive(in+"/a.jpg", submission.Held)
		w := startWatch(t, t.TempDir(), d, watching(submission.GateNever, in), false)
		w.says(beginsNever)
		w.says("1 earlier file of /desk/in may not leave yet: decide in Assay's window, or start with --gate send.")
		w.end()
		if len(d.watched.allowed) != 0 {
			t.Errorf("allowed: %v", d.watched.allowed)
		}
	})
	t.Run("what a folder of the window's holds back is decided in the window alone", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		d.keepFolder(folders.Folder{Settings: folders.Settings{Path: in, Gate: submission.GateAsk}})
		d.arrive(in+"/a.jpg", submission.Held)
		showWindow(t, dir, d)
		w := startWatch(t, dir, d, watching(submission.GateSend, in), false)
		w.says("/desk/in is watched as set up in Assay's window: each new file waits for your decision.")
		w.says("1 earlier file of /desk/in may not leave yet: decide in Assay's window.")
		d.arrive(in+"/b.jpg", submission.Held)
		w.says("b.jpg waits for your decision in Assay's window.")
		w.end()
		if len(d.watched.allowed) != 0 {
			t.Errorf("allowed: %v", d.watched.allowed)
		}
	})
}
