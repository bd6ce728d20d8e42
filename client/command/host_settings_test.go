package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/submission"
)

func TestSettingsHoldAtOnce(t *testing.T) {
	d, service := newKeyDesk(t), newHostService(t)
	d.kept[service.url] = someKey
	w := d.openHost()
	s := w.must(service.url)
	change := func(do func(*config.Settings)) {
		t.Helper()
		if err := w.host.Config.Change(do); err != nil {
			t.Fatal(err)
		}
	}
	state := func(ids []string) submission.State {
		sub, _ := s.Queue.Get(ids[0])
		return sub.State
	}
	t.Run("what is handed over asks first, or never leaves, from the next file on", func(t *testing.T) {
		change(func(s *config.Settings) { s.Gates.Files = config.GateSensitive })
		held := submit(t, s, note(t, "held"))
		until(t, s.Queue, "that it is held", func() bool { return state(held) == submission.Held })
		change(func(s *config.Settings) { s.Gates.Files = config.GateNever })
		stays := submit(t, s, note(t, "stays"))
		until(t, s.Queue, "that it stays", func() bool { return state(stays) == submission.Stays })
		change(func(s *config.Settings) { s.Gates.Files = config.GatePublic })
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
		until(t, s.Queue, "what is wrong is said", func() bool { return strings.Contains(s.Notice(), "certificate") })
	})
	t.Run("the language", func(t *testing.T) {
		if err := w.host.Speak(t.Context()); err != nil || i18n.Language() != "en" {
			t.Errorf("%v, %s", err, i18n.Language())
		}
	})
	w.close()
}

func TestAWindowOpensWithACertificateFileThatIsGone(t *testing.T) {
	d, service := newKeyDesk(t), newHostService(t)
	d.kept[service.url] = someKey
	settings := fmt.Appendf(nil, `{"service":{"use":"service","address":%q},"network":{"certificates":%q}}`, service.url, filepath.Join(d.home, "gone.pem"))
	if err := os.WriteFile(filepath.Join(d.home, "settings.json"), settings, 0o600); err != nil {
		t.Fatal(err)
	}
	w := d.openHost()
	s := w.host.Session()
	if said := s.Notice(); !strings.Contains(said, "certificate") {
		t.Errorf("it says %q", said)
	}
	submit(t, s, note(t, "sent"))
	allDone(t, s)
	w.close()
}
