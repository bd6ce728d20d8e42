package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/config"
	"assay/client/folders"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/session"
	"assay/client/submission"
)

// manage has IT manage this computer, from the next start on; "" ends that.
func (d *fixture) manage(managed string, values ...any) {
	d.t.Helper()
	if os.Geteuid() != 0 {
		d.t.Skip("only root can make such a file")
	}
	if managed == "" {
		d.machine.Managed = ""
		return
	}
	d.machine.Managed = filepath.Join(d.t.TempDir(), "managed.json")
	assert.NoError(d.t, os.WriteFile(d.machine.Managed, fmt.Appendf(nil, managed, values...), 0o600))
}

// uses has the settings name a service.
func (d *fixture) uses(address, rest string) {
	d.t.Helper()
	d.kept[address] = someKey
	text := fmt.Sprintf(`{"version":1,"service":{"use":"service","address":%q}%s}`, address, rest)
	assert.NoError(d.t, os.WriteFile(filepath.Join(d.home, "settings.json"), []byte(text), 0o600))
}

// watchUntil runs `assay watch` until it has printed or said this.
func (d *fixture) watchUntil(want string, args ...string) string {
	d.t.Helper()
	said := newSaying(want)
	ctx, stop := context.WithCancel(d.t.Context())
	defer stop()
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, session.Options{KeyBackend: d, Machine: d.machine}, append([]string{"watch", "--home", d.home, "--quiet", "200ms"}, args...), strings.NewReader(""), said, said, someWindow)
	}()
	select {
	case <-said.heard:
	case code := <-ended:
		d.t.Fatalf("exit %d: %s", code, said)
	case <-time.After(time.Minute):
		d.t.Fatalf("it never says %q, but: %s", want, said)
	}
	stop()
	<-ended
	return said.String()
}

const (
	neverLeaves = `{"version":1,"settings":{"gates":{"files":"never","links":"never"}},"locked":["gates.files","gates.links"]}`
	asksFirst   = `{"version":1,"settings":{"gates":{"files":"sensitive","links":"sensitive","folders":"sensitive"}},"locked":["gates"]}`
	itSaysNever = "Your organisation's IT has set that this never leaves this computer."
	itSaysAsk   = "Your organisation's IT has set that Assay asks you before this leaves this computer."
	link        = "https://posts.example/1"
)

// TestNothingGetsRoundALockedGate is the table of all ways in which something can be handed over, under gates that IT has locked.
func TestNothingGetsRoundALockedGate(t *testing.T) {
	service := newHostService(t)
	start := func(t *testing.T) *fixture {
		t.Helper()
		d := setup(t)
		d.uses(service.url, "")
		return d
	}
	nothingAsked := func(t *testing.T) {
		t.Helper()
		assert.Equal(t, 0, service.calls.Swap(0))
	}
	folderWith := func(t *testing.T, name string) string {
		t.Helper()
		return filepath.Dir(note(t, name))
	}
	stays := func(t *testing.T, s *session.Session, ids ...string) {
		t.Helper()
		for _, id := range ids {
			until(t, s.Queue, "that it stays", func() bool {
				sub, _ := s.Queue.Get(id)
				return sub.State == submission.Stays && sub.Gate == submission.GateNever && sub.Problem.String() == itSaysNever
			})
		}
	}
	t.Run("a subcommand's --gate send, for a file, a folder and a link", func(t *testing.T) {
		d := start(t)
		d.manage(neverLeaves)
		for _, given := range []string{note(t, "file"), folderWith(t, "inside"), link} {
			code, stdout, stderr := d.call("", "scan", "--gate", "send", given)
			if code != ExitFailed || !strings.Contains(stdout, itSaysNever) || !strings.Contains(stderr, "assay: --gate send has no effect. "+itSaysNever+"\n") {
				t.Errorf("%s: exit %d: %s%s", given, code, stdout, stderr)
			}
		}
		if code, stdout, stderr := d.call("", "scan", "--json", "--gate", "send", note(t, "json")); code != ExitFailed || !strings.Contains(stdout, `"error":"`+itSaysNever) ||
			!strings.Contains(stdout, `"state":"stays"`) {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
		nothingAsked(t)
	})
	t.Run("without a flag it is said too, and a stricter flag holds", func(t *testing.T) {
		d := start(t)
		d.manage(neverLeaves)
		if code, stdout, stderr := d.call("", "scan", note(t, "plain")); code != ExitFailed || !strings.Contains(stdout, itSaysNever) || strings.Contains(stderr, "--gate") {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
		d.manage(asksFirst)
		if code, stdout, _ := d.call("", "scan", "--gate", "never", note(t, "stricter")); code != ExitFailed || !strings.Contains(stdout, "It stays on this computer, as you have decided.") {
			t.Errorf("exit %d: %s", code, stdout)
		}
		nothingAsked(t)
	})
	t.Run("a lock that asks first holds back what --gate send names, until it is allowed", func(t *testing.T) {
		d := start(t)
		d.manage(asksFirst)
		code, stdout, stderr := d.call("", "scan", "--gate", "send", note(t, "asks"))
		if code != ExitFailed || stdout != "asks.txt waits for your decision in Assay's window. "+itSaysAsk+"\n" || !strings.Contains(stderr, itSaysAsk) {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
		nothingAsked(t)
		w := d.openHost()
		s := w.host.Session()
		s.Queue.Approve(intake.ApproveOptions{}, s.Queue.Order()...)
		allDone(t, s)
		w.close()
		service.calls.Store(0)
	})
	t.Run("all that a window takes: dropped, chosen, pasted, given to it and by later starts, scanned again, retried", func(t *testing.T) {
		d := start(t)
		d.manage(neverLeaves)
		w := d.openHost()
		s := w.host.Session()
		for _, source := range []submission.Source{submission.Dropped, submission.Chosen, submission.Pasted, submission.Started} {
			a, err := s.Queue.Accept(t.Context(), intake.Inputs(note(t, "taken"+string(source)), link), intake.Options{Source: source})
			assert.NoError(t, err)
			stays(t, s, a.IDs...)
		}
		if code, _, stderr := d.call("", note(t, "second start")); code != ExitAnswered {
			t.Errorf("exit %d: %s", code, stderr)
		}
		stays(t, s, s.Queue.Order()...)
		if code, stdout, stderr := d.call("", "scan", "--gate", "send", note(t, "later start")); code != ExitFailed || !strings.Contains(stdout, itSaysNever) || !strings.Contains(stderr, itSaysNever) {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
		before := s.Queue.Order()
		s.Queue.ScanAgain(s.Queue.All()...)
		until(t, s.Queue, "that all is taken again", func() bool { return len(s.Queue.Order()) == 2*len(before) })
		stays(t, s, s.Queue.Order()...)
		s.Queue.Approve(intake.ApproveOptions{}, before...)
		s.Queue.Retry(before...)
		s.Queue.ResumeAll()
		a, err := s.Queue.Accept(t.Context(), intake.Inputs(note(t, "last")), intake.Options{Source: submission.Dropped}) // what was said before has been carried out
		assert.NoError(t, err)
		stays(t, s, append(before, a.IDs...)...)
		w.close()
		nothingAsked(t)
	})
	t.Run("a later start whose job says send, whatever made it", func(t *testing.T) {
		d := start(t)
		d.manage(neverLeaves)
		w := d.openHost()
		items := 0
		job := scanJob{Given: ipc.Paths{note(t, "foreign")}, Gate: submission.GateSend}
		if err := opScan.Call(t.Context(), w.host.Session().Folder, job, func(e scanEvent) error {
			if e.Item != nil && strings.Contains(e.Item.Line, itSaysNever) {
				items++
			}
			return nil
		}); err != nil || items != 1 {
			t.Errorf("%d items, %v", items, err)
		}
		w.close()
		nothingAsked(t)
	})
	t.Run("a watched folder without a flag: only why is said, as nobody said send", func(t *testing.T) {
		d := start(t)
		d.manage(neverLeaves)
		said := d.watchUntil("plainly.txt: not answered", "--all", folderWith(t, "plainly"))
		if !strings.Contains(said, "assay: "+itSaysNever+"\n") || strings.Contains(said, "--gate send has no effect") {
			t.Errorf("it says %s", said)
		}
		if _, _, stderr := d.call("", "scan", "--gate", "ask", note(t, "asked")); !strings.Contains(stderr, "assay: "+itSaysNever+"\n") || strings.Contains(stderr, "--gate") {
			t.Errorf("it says %s", stderr)
		}
		nothingAsked(t)
	})
	t.Run("where nobody can tell what IT has set, that is what is said, and not that IT has set it", func(t *testing.T) {
		d := start(t)
		d.manage(`{`)
		const says = "The settings of this computer's administrators can't be read, so Assay asks first."
		code, stdout, stderr := d.call("", "scan", "--gate", "send", note(t, "unread"))
		if code != ExitFailed || stdout != "unread.txt waits for your decision in Assay's window. "+says+"\n" || !strings.Contains(stderr, "assay: --gate send has no effect. "+says+"\n") {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
		said := d.watchUntil("decision in Assay's window", "--all", "--gate", "send", folderWith(t, "unread too"))
		if strings.Contains(said, itSaysAsk) || !strings.Contains(said, says) {
			t.Errorf("it says %s", said)
		}
		w := d.openHost()
		if !w.host.Session().Folders.LocksUnread {
			t.Error("the window does not learn it")
		}
		w.close()
		nothingAsked(t)
	})
	t.Run("a watched folder, by a lock of folders", func(t *testing.T) {
		d := start(t)
		d.manage(`{"settings":{"gates":{"folders":"never"}},"locked":["gates.folders"]}`)
		said := d.watchUntil("watched.txt: not answered", "--all", "--gate", "send", folderWith(t, "watched"))
		if !strings.Contains(said, itSaysNever) || !strings.Contains(said, "--gate send has no effect.") || !strings.Contains(said, "nothing in it is sent") {
			t.Errorf("it says %s", said)
		}
		nothingAsked(t)
	})
	t.Run("a watched folder, by a lock of files, which watching must not get round", func(t *testing.T) {
		d := start(t)
		d.manage(neverLeaves)
		if said := d.watchUntil("around.txt: not answered", "--all", "--gate", "send", folderWith(t, "around")); !strings.Contains(said, itSaysNever) {
			t.Errorf("it says %s", said)
		}
		nothingAsked(t)
	})
	t.Run("a watched folder whose lock asks first is not told of --gate send", func(t *testing.T) {
		d := start(t)
		d.manage(asksFirst)
		said := d.watchUntil("decision in Assay's window", "--all", "--gate", "send", folderWith(t, "held"))
		if strings.Contains(said, "start with --gate send") || !strings.Contains(said, "each new file waits for your decision") {
			t.Errorf("it says %s", said)
		}
		nothingAsked(t)
	})
	t.Run("a lock of folders alone is what holds for them, beside one of files", func(t *testing.T) {
		d := start(t)
		d.manage(`{"settings":{"gates":{"files":"never","folders":"public"}},"locked":["gates.files","gates.folders"]}`)
		d.watchUntil("allowed.txt: ", "--all", "--gate", "send", folderWith(t, "allowed"))
		if service.calls.Swap(0) == 0 {
			t.Error("nothing was sent")
		}
	})
	t.Run("a folder that was set up before the lock, and its card afterwards", func(t *testing.T) {
		d := start(t)
		folder := t.TempDir()
		w := d.openHost()
		id, err := w.host.Session().Folders.Add(t.Context(), folders.Settings{Path: folder, Gate: submission.GateSend, Subfolders: true}, folders.OnlyNew, nil)
		assert.NoError(t, err)
		w.close()
		d.manage(neverLeaves)
		w = d.openHost()
		s := w.host.Session()
		assert.NoError(t, s.Folders.Change(t.Context(), id, folders.Settings{Path: folder, Gate: submission.GateSend, Subfolders: true, Quiet: 200e6}))
		if kept, _ := s.Folders.Get(id); kept.Gate != submission.GateSend || kept.Lock != submission.GateNever {
			t.Errorf("the folder has %q, and the lock says %q", kept.Gate, kept.Lock)
		}
		assert.NoError(t, os.WriteFile(filepath.Join(folder, "arrives.txt"), []byte("It arrives."), 0o600))
		until(t, s.Queue, "that it arrives and stays", func() bool {
			all := s.Queue.All()
			return len(all) == 1 && all[0].State == submission.Stays && all[0].Problem.String() == itSaysNever
		})
		w.close()
		nothingAsked(t)
	})
	t.Run("what was accepted, held or allowed by an earlier run, before the lock came", func(t *testing.T) {
		d := start(t)
		d.uses(service.url, `,"gates":{"links":"sensitive"}`)
		w := d.openHost()
		s := w.host.Session()
		s.Queue.PauseAll()
		waiting := submit(t, s, note(t, "waiting"))
		s.Queue.ResumeAll()
		held := submit(t, s, link)
		until(t, s.Queue, "that it is held", func() bool { sub, _ := s.Queue.Get(held[0]); return sub.State == submission.Held })
		service.hold(true)
		under := submit(t, s, note(t, "under way"))
		got(t, service.arrived, "its upload")
		w.close()
		service.hold(false)
		before := service.puts.Load()
		d.manage(neverLeaves)
		w = d.openHost()
		s = w.host.Session()
		stays(t, s, held...)
		s.Queue.Approve(intake.ApproveOptions{}, held...)
		a := submit(t, s, note(t, "after"))
		stays(t, s, append(append(a, held...), under...)...)
		assert.Equal(t, 0, service.puts.Load()-before)
		_ = waiting
		w.close()
	})
	t.Run("the settings are not loosened by a flag either, and it is said", func(t *testing.T) {
		service.calls.Store(0)
		d := start(t)
		for gate, want := range map[string]string{"sensitive": "The settings say that Assay asks you before this leaves this computer.", "never": "The settings say that this never leaves this computer."} {
			d.uses(service.url, fmt.Sprintf(`,"gates":{"files":%q,"links":%q}`, gate, gate))
			for _, given := range []string{note(t, "set"), link} {
				if code, stdout, stderr := d.call("", "scan", "--gate", "send", given); code != ExitFailed || !strings.Contains(stdout, want) || !strings.Contains(stderr, "assay: --gate send has no effect. "+want+"\n") {
					t.Errorf("%s: exit %d: %s%s", gate, code, stdout, stderr)
				}
			}
		}
		nothingAsked(t)
	})
}

// TestNoWayRoundAnotherLock is the same of the settings that a start can be given.
func TestNoWayRoundAnotherLock(t *testing.T) {
	own, other := newHostService(t), newHostService(t)
	start := func(t *testing.T, managed string, values ...any) *fixture {
		t.Helper()
		d := setup(t)
		d.uses(own.url, "")
		d.kept[other.url] = someKey
		d.manage(managed, values...)
		return d
	}
	certificates := filepath.Join(t.TempDir(), "ca.pem")
	for _, at := range []struct {
		name, managed string
		values        []any
		flag          string
	}{
		{"service.use, by the sandbox", `{"settings":{"service":{"use":"service"}},"locked":["service.use"]}`, nil, "--sandbox"},
		{"service.address", `{"settings":{"service":{"address":%q}},"locked":["service.address"]}`, []any{own.url}, "--server=" + other.url},
		{"service.use, by another service", `{"settings":{"service":{"use":"sandbox"}},"locked":["service.use"]}`, nil, "--server=" + other.url},
		{"network.proxy", `{"settings":{"network":{"proxy":"http://proxy.example:3128"}},"locked":["network.proxy"]}`, nil, "--proxy=" + other.url},
		{"network.proxy, locked to none", `{"locked":["network.proxy"]}`, nil, "--proxy=" + other.url},
		{"network.certificates", `{"locked":["network"]}`, nil, "--ca-file=" + certificates},
		{"in another case", `{"Settings":{"SERVICE":{"Address":%q}},"Locked":["Service.Address"]}`, []any{own.url}, "--server=" + other.url},
	} {
		t.Run(at.name, func(t *testing.T) {
			d := start(t, at.managed, at.values...)
			name, _, _ := strings.Cut(at.flag, "=")
			for _, args := range [][]string{{"scan", note(t, "x")}, {"watch", t.TempDir()}, {"list"}, {"show", "id"}, {"feedback", "id", "--label", "real", "--category", "other"}, {}} {
				if code, _, said := d.call("", append(args, at.flag)...); code != ExitMisuse || !strings.Contains(said, name+" is set by your organisation's IT.") {
					t.Errorf("%v: exit %d: %s", args, code, said)
				}
			}
			for _, verb := range []string{"set", "status", "clear"} {
				if code, _, said := d.call("other-key-0123456789", "key", verb, at.flag); code != ExitMisuse || !strings.Contains(said, name) && !strings.Contains(said, "The sandbox makes its own key") {
					t.Errorf("key %s: exit %d: %s", verb, code, said)
				}
			}
			assert.Equal(t, 0, other.calls.Load())
		})
	}
	t.Run("by the environment: it does nothing", func(t *testing.T) {
		d := start(t, `{"settings":{"service":{"use":"service","address":%q}},"locked":["service","network"]}`, own.url)
		t.Setenv("ASSAY_SERVER", other.url)
		t.Setenv("ASSAY_CA_FILE", filepath.Join(d.home, "gone.pem"))
		if code, _, said := d.call("", "list"); code != ExitAnswered || other.calls.Load() != 0 {
			t.Errorf("exit %d: %s", code, said)
		}
	})
	t.Run("by the window: first run, controls, another service", func(t *testing.T) {
		d := start(t, `{"settings":{"service":{"use":"service","address":%q}},"locked":["service"]}`, own.url)
		w := d.openHost()
		for _, do := range []func(*config.Settings){
			func(s *config.Settings) { s.Service.Address = other.url },
			func(s *config.Settings) { s.Service.Use = config.UseSandbox },
			func(s *config.Settings) { s.Service.Use = config.Undecided },
			func(s *config.Settings) { s.Service.UploadPath = "/elsewhere" },
		} {
			if err := w.host.Config.Change(do); err == nil {
				t.Errorf("it was changed to %+v", w.host.Config.Settings().Service)
			}
		}
		if err := w.host.Check(t.Context(), other.url, someKey, client.Network{}); err == nil || other.calls.Load() != 0 {
			t.Errorf("the key was tried on another service: %v", err)
		}
		w.close()
	})
	t.Run("the sandbox that is served sends nothing anywhere", func(t *testing.T) {
		d := start(t, `{"settings":{"service":{"use":"service","address":%q}},"locked":["service"]}`, own.url)
		ctx, stop := context.WithCancel(t.Context())
		served := newSaying("key: ")
		ended := make(chan int, 1)
		go func() {
			ended <- Main(ctx, session.Options{KeyBackend: d, Machine: d.machine}, []string{"sandbox", "--dir", t.TempDir()}, strings.NewReader(""), served, io.Discard, nil)
		}()
		got(t, served.heard, "the sandbox")
		stop()
		<-ended
		assert.Equal(t, 0, other.calls.Load())
	})
}
