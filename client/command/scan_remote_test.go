package command

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/session"
	"assay/client/submission"
)

func TestScanHandover(t *testing.T) {
	t.Run("alone it works by itself, and prints in the order given as soon as it can", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		s := startScan(t, dir, d, scanJob{Given: []string{"a", "b", "c"}})
		if a := s.accepted(); strings.Join(a.IDs, " ") != "a#1 b#1 c#1" || a.LeftOut != "Left out of the folders: 2 hidden." {
			t.Errorf("got %+v", a)
		}
		d.change("b#1", submission.Failed)
		d.change("a#1", submission.Failed)
		for _, name := range []string{"a", "b"} {
			if e := s.item(); e.Line != name+": not answered. No luck with "+name+"." || e.Answered || !strings.Contains(e.JSON, `"path":"`+name+`"`) {
				t.Errorf("got %+v", e)
			}
		}
		d.change("c#1", submission.Cancelled)
		s.item()
		if err := s.end(); err != nil {
			t.Error(err)
		}
		for len(s.said) > 1 {
			<-s.said
		}
		if p := <-s.said; p.Of != 3 || p.Ended == 3 {
			t.Errorf("the last progress was %+v", p)
		}
	})
	t.Run("it works through an open window, and prints the very same", func(t *testing.T) {
		alone, through := newFakeQueue(t), newFakeQueue(t)
		dir := t.TempDir()
		showWindow(t, dir, through)
		got := map[*fakeQueue]*itemEvent{}
		for d, at := range map[*fakeQueue]string{alone: t.TempDir(), through: dir} {
			s := startScan(t, at, d, scanJob{Given: []string{"<a> & \u202e\xff\n.jpg"}})
			id := s.accepted().IDs[0]
			d.change(d.accepted()[0].given[0]+"#1", submission.Refused)
			got[d] = s.item()
			if err := s.end(); err != nil || !strings.HasPrefix(id, "<a> & ") {
				t.Errorf("%q, %v", id, err)
			}
			if a := d.accepted(); len(a) != 1 || a[0].given[0] != "<a> & \u202e\xff\n.jpg" || a[0].source != submission.Scanned {
				t.Errorf("accepted: %+v", a)
			}
		}
		if *got[alone] != *got[through] || !strings.Contains(got[alone].JSON, "<a> & ") {
			t.Errorf("alone: %+v\nthrough the window: %+v", got[alone], got[through])
		}
		if len(through.opened) != 1 {
			t.Errorf("%d sessions were opened", len(through.opened))
		}
	})
	t.Run("it gives way to a window that starts, goes on through it, and takes over when that closes", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		s := startScan(t, dir, d, scanJob{Given: []string{"a", "b", "c"}, Again: true})
		s.accepted()
		d.change("a#1", submission.Failed)
		s.item()
		w := showWindow(t, dir, d)
		d.change("b#1", submission.Failed)
		if e := s.item(); !strings.HasPrefix(e.Line, "b:") {
			t.Errorf("got %+v", e)
		}
		w.close()
		d.change("c#1", submission.Failed)
		if e := s.item(); !strings.HasPrefix(e.Line, "c:") {
			t.Errorf("got %+v", e)
		}
		if err := s.end(); err != nil {
			t.Error(err)
		}
		if a := d.accepted(); len(a) != 1 || !a[0].again {
			t.Errorf("accepted: %+v", a)
		}
	})
	t.Run("it goes on where the process that it works through ends", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		first := startScan(t, dir, d, scanJob{Given: []string{"a"}})
		first.accepted()
		second := startScan(t, dir, d, scanJob{Given: []string{"b"}})
		second.accepted()
		if len(d.opened) != 1 {
			t.Errorf("%d sessions were opened", len(d.opened))
		}
		d.change("a#1", submission.Failed)
		first.item()
		if err := first.end(); err != nil {
			t.Error(err)
		}
		d.change("b#2", submission.Failed)
		second.item()
		if err := second.end(); err != nil {
			t.Error(err)
		}
		if a := d.accepted(); len(a) != 2 {
			t.Errorf("accepted: %+v", a)
		}
	})
	t.Run("with --no-wait an item has ended once the service has it", func(t *testing.T) {
		d := newFakeQueue(t)
		s := startScan(t, t.TempDir(), d, scanJob{Given: []string{"a"}, NoWait: true})
		s.accepted()
		d.change("a#1", submission.Analysing)
		if e := s.item(); !e.Answered || e.Line != "a: sent, not answered yet" || !strings.Contains(e.JSON, `"requestId":"at the service"`) {
			t.Errorf("got %+v", e)
		}
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
	t.Run("what was accepted before an error is answered, then the error is said", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		d.failing = errFull
		showWindow(t, dir, d)
		s := startScan(t, dir, d, scanJob{Given: []string{"a", "b"}})
		if a := s.accepted(); len(a.IDs) != 1 {
			t.Errorf("got %+v", a)
		}
		d.change("a#1", submission.Failed)
		s.item()
		if err := s.end(); err == nil || err.Error() != errFull.Error() {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a submission that is gone ends in words", func(t *testing.T) {
		d := newFakeQueue(t)
		s := startScan(t, t.TempDir(), d, scanJob{Given: []string{"a"}})
		s.accepted()
		d.change("a#1", "")
		if e := s.item(); e.Answered || !strings.Contains(e.Line, "It is gone") {
			t.Errorf("got %+v", e)
		}
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
	t.Run("where the queue waits for a person, each has its line alone, and it waits beside a window", func(t *testing.T) {
		const reason = "The service did not accept the key."
		stopped := intake.QueueStatus{Cause: intake.NoKey, Reason: i18n.Verbatim(reason), Why: i18n.Verbatim(reason)}
		d := newFakeQueue(t)
		s := startScan(t, t.TempDir(), d, scanJob{Given: []string{"a", "b", "c"}})
		s.accepted()
		d.change("b#1", submission.Failed)
		d.sent("c#1")
		d.stand(stopped)
		for _, want := range []string{
			"a: not answered. " + reason + " The next scan goes on with it.",
			"b: not answered. No luck with b.",
			"c: not answered. " + reason + " It was sent: the next scan prints its answer.",
		} {
			if e := s.item(); e.Answered || e.Line != want {
				t.Errorf("got %+v, want %q", e, want)
			}
		}
		if err := s.end(); err != nil {
			t.Errorf("got %v", err)
		}

		dir, d := t.TempDir(), newFakeQueue(t)
		showWindow(t, dir, d)
		s = startScan(t, dir, d, scanJob{Given: []string{"a"}})
		s.accepted()
		d.stand(stopped)
		for said := ""; said != reason; {
			said = got(t, s.said, "the reason").Status
		}
		d.change("a#1", submission.Failed)
		s.item()
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
	t.Run("where it can't be known whether it was accepted, it is only asked again where that can't be twice", func(t *testing.T) {
		for _, again := range []bool{true, false} {
			dir, d := t.TempDir(), newFakeQueue(t)
			dying, err := ipc.Take(t.Context(), dir)
			assert.NoError(t, err)
			asked := make(chan struct{}, 100)
			if err := dying.Serve(t.Context(), func(ctx context.Context, _ ipc.Request, _ func(any) error) error {
				asked <- struct{}{} // more than once where it is asked again before it has closed
				<-ctx.Done()
				return ctx.Err()
			}); err != nil {
				t.Fatal(err)
			}
			s := startScan(t, dir, d, scanJob{Given: []string{"a"}, Again: again})
			got(t, asked, "the request")
			assert.NoError(t, dying.Close())
			if again {
				var refusal *ipc.Refusal
				if err := s.end(); !errors.As(err, &refusal) || len(d.accepted()) != 0 {
					t.Errorf("got %v and %+v", err, d.accepted())
				}
				continue
			}
			s.accepted()
			d.change("a#1", submission.Failed)
			s.item()
			if err := s.end(); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("it ends with its ctx, and gives the folder free", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		ctx, stop := context.WithCancel(t.Context())
		start := &scanStart{local: d.local(), dir: dir, wait: pause, after: time.After, now: time.Now, job: scanJob{Given: []string{"a"}}, emit: func(e scanEvent) error {
			if e.Accepted != nil {
				stop()
			}
			return nil
		}}
		if err := start.run(ctx); !errors.Is(err, context.Canceled) || d.sessions != 0 {
			t.Errorf("%v, %d sessions", err, d.sessions)
		}
		h, err := ipc.Take(t.Context(), dir)
		assert.NoError(t, err)
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestWindowHandover(t *testing.T) {
	t.Run("a second start of the window hands its files over and shows the first", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		w := showWindow(t, dir, d)
		h, a, err := session.HoldForWindow(t.Context(), dir, []string{"a", "b"}, pause)
		if h != nil || err != nil || a.Taken != 2 || a.LeftOut == "" || a.GivesWay {
			t.Errorf("got %v, %+v, %v", h, a, err)
		}
		if a := got(t, w.raised, "the window"); len(a.IDs) != 2 {
			t.Errorf("the window is told of %+v", a)
		}
		if a := d.accepted(); len(a) != 1 || a[0].source != submission.Started || a[0].again {
			t.Errorf("accepted: %+v", a)
		}
	})
	t.Run("with nothing given it is only shown", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		w := showWindow(t, dir, d)
		if h, a, err := session.HoldForWindow(t.Context(), dir, nil, pause); h != nil || err != nil || a != (session.OpenAnswer{}) {
			t.Errorf("got %v, %+v, %v", h, a, err)
		}
		got(t, w.raised, "the window")
		if a := d.accepted(); len(a) != 0 {
			t.Errorf("accepted: %+v", a)
		}
	})
	t.Run("why files can't be taken is said by the one who wanted to hand them over", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		d.failing = errFull
		showWindow(t, dir, d)
		_, a, err := session.HoldForWindow(t.Context(), dir, []string{"a", "b"}, pause)
		var refusal *ipc.Refusal
		if !errors.As(err, &refusal) || refusal.Sentence != errFull.Error() || a.Taken != 1 {
			t.Errorf("got %+v, %v", a, err)
		}
	})
	t.Run("whoever comes before the session is open waits for it", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		h, _, err := session.HoldForWindow(t.Context(), dir, nil, pause)
		assert.NoError(t, err)
		k := session.NewEndpoint()
		k.Window, k.Raise = true, func(session.Handed) {}
		assert.NoError(t, h.Serve(t.Context(), k.Handle))
		s := startScan(t, dir, d, scanJob{Given: []string{"a"}})
		if a := d.accepted(); len(a) != 0 {
			t.Errorf("accepted: %+v", a)
		}
		k.Open(d, session.SandboxAddress{}, newOperations(d, true).handlers())
		s.accepted()
		d.change("a#1", submission.Failed)
		s.item()
		if err := s.end(); err != nil {
			t.Error(err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("the sandbox that it embeds serves other subcommands as well, a window's and a scan's", func(t *testing.T) {
		want := session.SandboxAddress{URL: "http://127.0.0.1:1", Key: "k"}
		ask := func(dir string) (there session.SandboxAddress, err error) {
			err = session.OpService.Call(t.Context(), dir, struct{}{}, func(a session.SandboxAddress) error { there = a; return nil })
			return there, err
		}
		dir := t.TempDir()
		h, _, err := session.HoldForWindow(t.Context(), dir, nil, pause)
		assert.NoError(t, err)
		k := session.NewEndpoint()
		k.Window = true
		k.Open(newFakeQueue(t), want, nil)
		assert.NoError(t, h.Serve(t.Context(), k.Handle))
		if there, err := ask(dir); there != want || err != nil {
			t.Errorf("a window's: %+v, %v", there, err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}

		dir, d := t.TempDir(), newFakeQueue(t)
		s := startScan(t, dir, d, scanJob{Given: []string{"a"}})
		s.accepted()
		if there, err := ask(dir); there != ownService || err != nil {
			t.Errorf("a scan's: %+v, %v", there, err)
		}

		dir = t.TempDir()
		showWindow(t, dir, newFakeQueue(t))
		var refusal *ipc.Refusal
		if there, err := ask(dir); !errors.As(err, &refusal) || there != (session.SandboxAddress{}) {
			t.Errorf("where there is none: %+v, %v", there, err)
		}
	})
	t.Run("what another version asks is refused in words", func(t *testing.T) {
		dir, d := t.TempDir(), newFakeQueue(t)
		showWindow(t, dir, d)
		for _, r := range []ipc.Request{{Op: "dance"}, {Op: string(opScan)}, {Op: string(opScan), Job: json.RawMessage(`{"follow":1}`)}} {
			err := ipc.Call(t.Context(), dir, r, func(json.RawMessage) error { return nil })
			var refusal *ipc.Refusal
			if !errors.As(err, &refusal) || *refusal != *ipc.OtherVersion() {
				t.Errorf("%+v: %v", r, err)
			}
		}
	})
}

func TestASessionWithoutRecordsKeepsNoCases(t *testing.T) {
	dir := t.TempDir()
	showWindow(t, dir, newFakeQueue(t))
	err := opCase.Call(t.Context(), dir, caseJob{Do: caseList}, func(caseAnswer) error { return nil })
	if err == nil || err.Error() != ipc.OtherVersion().Error() {
		t.Error(err)
	}
}
