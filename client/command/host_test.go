package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/client/assert"
	"assay/client/config"
	"assay/client/events"
	"assay/client/goroutinetest"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/session"
	"assay/client/submission"
)

func TestFirstRun(t *testing.T) {
	t.Run("there is no session, nothing is sent, and the keychain is not asked", func(t *testing.T) {
		d, service := setup(t), newHostService(t)
		d.kept[service.url] = someKey
		t.Setenv("ASSAY_API_KEY", someKey)
		w := d.openHost(note(t, "early"))
		if err := w.host.Config.Change(func(s *config.Settings) { s.Service.Address, s.Network.Proxy = service.url, service.url }); err != nil {
			t.Fatal(err) // typed, and not decided
		}
		if s := w.host.Session(); s != nil || w.files != nil || w.host.Waiting() != 1 {
			t.Errorf("session %v, files %v, %d wait", s, w.files, w.host.Waiting())
		}
		if s, err := w.host.Open(t.Context()); s != nil || err == nil {
			t.Errorf("nothing is chosen, and it opens: %v, %v", s, err)
		}
		w.close()
		if n := service.calls.Load(); n != 0 || d.gets != 0 {
			t.Errorf("%d calls, %d looks into the keychain", n, d.gets)
		}
	})
	t.Run("a second start hands over, and all is taken once the sandbox is chosen", func(t *testing.T) {
		d := setup(t)
		w := d.openHost(note(t, "first"))
		handed := w.host.Events.Subscribe(events.Handed)
		code, _, stderr := d.call("", note(t, "second"), note(t, "third"))
		if code != ExitAnswered || !strings.Contains(stderr, "assay: the open window takes 2 once Assay is set up.") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		if got(t, handed.Ready(), "the second start"); w.host.Waiting() != 3 {
			t.Errorf("%d wait", w.host.Waiting())
		}
		s := w.must("")
		if taken := s.Handed(); len(taken) != 1 || len(taken[0].Accepted.IDs) != 3 || w.host.Waiting() != 0 {
			t.Errorf("taken %+v, %d wait", taken, w.host.Waiting())
		}
		allDone(t, s)
		if code, _, stderr := d.call("", note(t, "fourth")); code != ExitAnswered || !strings.Contains(stderr, "the open window took 1.") {
			t.Errorf("then: exit %d: %s", code, stderr)
		}
		w.close()
		t.Run("and the next start needs no first run, nor do subcommands a flag", func(t *testing.T) {
			if s := d.openHost(); s.host.Session() == nil || !s.host.Session().Sandbox {
				t.Error("it begins anew")
			} else {
				s.close()
			}
			if code, stdout, stderr := d.call("", "scan", note(t, "fifth")); code != ExitAnswered || !strings.Contains(stdout, "fifth.txt") {
				t.Errorf("exit %d: %s", code, stderr)
			}
		})
	})
	t.Run("what the system hands to the window is taken like a second start's, once the sandbox is chosen and then", func(t *testing.T) {
		d := setup(t)
		w := d.openHost()
		handed := w.host.Events.Subscribe(events.Handed)
		assert.NoError(t, w.host.Take(t.Context(), []string{note(t, "first"), note(t, "second")}))
		if got(t, handed.Ready(), "what was opened"); w.host.Waiting() != 2 {
			t.Errorf("%d wait", w.host.Waiting())
		}
		s := w.must("")
		if taken := s.Handed(); len(taken) != 1 || len(taken[0].Accepted.IDs) != 2 || w.host.Waiting() != 0 {
			t.Errorf("taken %+v, %d wait", taken, w.host.Waiting())
		}
		assert.NoError(t, w.host.Take(t.Context(), []string{note(t, "third")}))
		if taken := s.Handed(); len(taken) != 1 || len(taken[0].Accepted.IDs) != 1 {
			t.Errorf("then: taken %+v", taken)
		}
		allDone(t, s)
		w.close()
	})
	t.Run("a service that can't be opened leaves the first run as it was", func(t *testing.T) {
		d, service := setup(t), newHostService(t)
		folder := session.DataFolder(d.home, service.url, false)
		assert.NoError(t, os.WriteFile(folder, []byte("in the way"), 0o600))
		w := d.openHost(note(t, "early"))
		if s, err := w.choose(service.url); s != nil || err == nil || w.host.Waiting() != 1 {
			t.Errorf("%v, %v; %d wait", s, err, w.host.Waiting())
		}
		if now := w.host.Config.Settings().Service; now.Use != config.Undecided || now.Address != service.url {
			t.Errorf("the settings name %+v", now)
		}
		assert.NoError(t, os.Remove(folder))
		d.kept[service.url] = someKey
		s := w.must(service.url)
		allDone(t, s)
		w.close()
	})
	t.Run("what another start has chosen meanwhile is opened", func(t *testing.T) {
		d := setup(t)
		held, err := ipc.Take(t.Context(), filepath.Join(d.home, "setup"))
		assert.NoError(t, err)
		asked := make(chan struct{})
		ask := sync.OnceFunc(func() { close(asked) }) // it is asked again where it has not given way by then
		if err := held.Serve(t.Context(), func(_ context.Context, r ipc.Request, answer func(any) error) error {
			if r.Op != string(session.OpOpen) {
				return ipc.OtherVersion()
			}
			settings, err := config.Open(config.Params{Dir: d.home}) // that start has read its own by now
			if err == nil {
				err = settings.Change(func(s *config.Settings) { s.Service.Use = config.UseSandbox })
			}
			ask()
			return errors.Join(err, answer(session.OpenAnswer{GivesWay: true}))
		}); err != nil {
			t.Fatal(err)
		}
		go func() {
			<-asked
			if err := held.Close(); err != nil {
				t.Error(err)
			}
		}()
		w := d.openHost()
		if s := w.host.Session(); s == nil || !s.Sandbox {
			t.Error("it is asked again")
		}
		w.close()
	})
}

func TestTheWindowGoesOverToAnotherService(t *testing.T) {
	t.Run("twenty times, with uploads under way: nothing is lost, nothing is sent twice, and nothing stays behind", func(t *testing.T) {
		d, one, two := setup(t), newHostServiceWith(t, "sk-the-one-0123456789"), newHostServiceWith(t, "sk-the-other-0123456789")
		d.kept[one.url], d.kept[two.url] = one.key, two.key
		services := []*hostService{one, two, nil}
		noGoroutine := goroutinetest.Mark()
		w := d.openHost("--log-level", "error")
		sent := map[*hostService]map[string]int{one: {}, two: {}, nil: {}}
		one.hold(true)
		two.hold(true)
		for i := range 20 {
			service, address := services[i%3], ""
			if service != nil {
				address = service.url
			}
			s := w.must(address)
			if s.Sandbox != (service == nil) || service != nil && s.Address != address {
				t.Fatalf("round %d works with %q", i, s.Address)
			}
			name := fmt.Sprintf("text-%d", i)
			submit(t, s, note(t, name))
			sent[service][name]++
			if service != nil {
				got(t, service.arrived, "the upload")
			}
		}
		one.hold(false)
		two.hold(false)
		for _, service := range services {
			address, key := "", ""
			if service != nil {
				address = service.url
			}
			s := w.must(address)
			allDone(t, s)
			address = s.Address
			if service != nil {
				key = service.key
			} else {
				var there session.SandboxAddress
				assert.NoError(t, session.OpService.Call(t.Context(), s.Folder, struct{}{}, func(a session.SandboxAddress) error { there = a; return nil }))
				key = there.Key
			}
			assert.Equal(t, len(sent[service]), len(s.Queue.All()))
			names := namesAt(t, address, key, "text-")
			if fmt.Sprint(names) != fmt.Sprint(sent[service]) {
				t.Errorf("the service has %v of %v", names, sent[service])
			}
		}
		w.close()
		assert.Equal(t, 0, one.keyless.Load()+two.keyless.Load())
		assert.Equal(t, 0, one.foreign.Load()+two.foreign.Load())
		noGoroutine(t)
		for _, folder := range []string{session.DataFolder(d.home, one.url, false), session.DataFolder(d.home, two.url, false), session.DataFolder(d.home, "", true), filepath.Join(d.home, "setup")} {
			h, err := ipc.Take(t.Context(), folder)
			if err != nil {
				t.Errorf("%s is still held: %v", filepath.Base(folder), err)
				continue
			}
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("where the settings name what is open, nothing is closed", func(t *testing.T) {
		d := setup(t)
		w := d.openHost("--sandbox")
		if s, err := w.host.Open(t.Context()); s != w.host.Session() || s == nil || err != nil {
			t.Errorf("%v, %v", s, err)
		}
		w.close()
	})
	t.Run("while another window has that service, it refuses and goes on with what it has", func(t *testing.T) {
		d := setup(t)
		other := d.openHost("--sandbox")
		service := newHostService(t)
		d.kept[service.url] = someKey
		w := d.openHost()
		was := w.must(service.url)
		s, err := w.choose("")
		var said interface{ Sentence() string }
		if s != was || !errors.As(err, &said) || !strings.Contains(said.Sentence(), "in another window") {
			t.Errorf("%v, %v", s, err)
		}
		if now := w.host.Config.Settings().Service; now.Address != service.url || now.Use != config.UseService {
			t.Errorf("the settings name %+v", now)
		}
		submit(t, was, note(t, "goes on"))
		allDone(t, was)
		w.close()
		other.close()
	})
	t.Run("where the other can't be opened, the one before is there again, with all it had", func(t *testing.T) {
		d, service, broken := setup(t), newHostService(t), newHostService(t)
		d.kept[service.url] = someKey
		inTheWay := filepath.Join(session.DataFolder(d.home, broken.url, false), "assay.db")
		assert.NoError(t, os.MkdirAll(filepath.Join(inTheWay, "full"), 0o700))
		w := d.openHost()
		was := w.must(service.url)
		submit(t, was, note(t, "kept"))
		allDone(t, was)
		s, err := w.choose(broken.url)
		if s == nil || s == was || err == nil || s.Address != was.Address {
			t.Fatalf("%v, %v", s, err)
		}
		if now := w.host.Config.Settings().Service; now.Address != service.url {
			t.Errorf("the settings name %+v", now)
		}
		submit(t, s, note(t, "and more"))
		allDone(t, s)
		if all := s.Queue.All(); len(all) != 2 {
			t.Errorf("%d are in the inbox", len(all))
		}
		if code, _, stderr := d.call("", note(t, "later")); code != ExitAnswered || !strings.Contains(stderr, "took 1") {
			t.Errorf("a later start: exit %d: %s", code, stderr)
		}
		w.close()
	})
	t.Run("closing the window while it opens another ends both", func(t *testing.T) {
		d, service := setup(t), newHostService(t)
		silent, err := ipc.Take(t.Context(), session.DataFolder(d.home, service.url, false)) // and never answers
		assert.NoError(t, err)
		asked := make(chan struct{}, 1)
		assert.NoError(t, silent.Serve(t.Context(), func(ctx context.Context, _ ipc.Request, _ func(any) error) error {
			asked <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		}))
		w := d.openHost()
		w.must("")
		opened := make(chan error, 1)
		go func() {
			_, err := w.choose(service.url)
			opened <- err
		}()
		got(t, asked, "that it is being opened")
		w.close()
		if err := got(t, opened, "the end of opening"); err == nil {
			t.Error("it opened")
		}
		if err := silent.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestSettingsHoldAtOnce(t *testing.T) {
	d, service := setup(t), newHostService(t)
	d.kept[service.url] = someKey
	w := d.openHost()
	s := w.must(service.url)
	change := func(do func(*config.Settings)) {
		t.Helper()
		assert.NoError(t, w.host.Config.Change(do))
	}
	state := func(ids []string) submission.State {
		sub, _ := s.Queue.Get(ids[0])
		return sub.State
	}
	t.Run("what is handed over asks first, or never leaves, from the next file on", func(t *testing.T) {
		change(func(s *config.Settings) { s.Gates.Files = submission.GateAsk })
		held := submit(t, s, note(t, "held"))
		until(t, s.Queue, "that it is held", func() bool { return state(held) == submission.Held })
		change(func(s *config.Settings) { s.Gates.Files = submission.GateNever })
		stays := submit(t, s, note(t, "stays"))
		until(t, s.Queue, "that it stays", func() bool { return state(stays) == submission.Stays })
		change(func(s *config.Settings) { s.Gates.Files = submission.GateSend })
		sent := submit(t, s, note(t, "sent"))
		until(t, s.Queue, "that it is answered", func() bool { return state(sent) == submission.Done })
	})
	t.Run("so many are uploaded at a time as is said", func(t *testing.T) {
		service.hold(true)
		change(func(s *config.Settings) { s.Uploads = 1 })
		submit(t, s, note(t, "up-1"), note(t, "up-2"), note(t, "up-3"))
		got(t, service.arrived, "the first")
		change(func(s *config.Settings) { s.Uploads = 3 })
		got(t, service.arrived, "the second")
		got(t, service.arrived, "the third")
	})
	t.Run("a certificate file that can't be read is said", func(t *testing.T) {
		change(func(s *config.Settings) { s.Network.Certificates = filepath.Join(d.home, "gone.pem") })
		until(t, s.Queue, "what is wrong is said", func() bool { return strings.Contains(s.Notice().String(), "certificate") })
	})
	t.Run("the language", func(t *testing.T) {
		if err := w.host.Speak(t.Context()); err != nil || i18n.Language() != "en" {
			t.Errorf("%v, %s", err, i18n.Language())
		}
	})
	w.close()
}

func TestAWindowOpensWithACertificateFileThatIsGone(t *testing.T) {
	d, service := setup(t), newHostService(t)
	d.kept[service.url] = someKey
	settings := fmt.Appendf(nil, `{"service":{"use":"service","address":%q},"network":{"certificates":%q}}`, service.url, filepath.Join(d.home, "gone.pem"))
	assert.NoError(t, os.WriteFile(filepath.Join(d.home, "settings.json"), settings, 0o600))
	w := d.openHost()
	s := w.host.Session()
	if said := s.Notice().String(); !strings.Contains(said, "certificate") {
		t.Errorf("it says %q", said)
	}
	submit(t, s, note(t, "sent"))
	allDone(t, s)
	w.close()
}
