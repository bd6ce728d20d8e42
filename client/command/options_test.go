package command

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/config"
	"assay/client/session"
)

func TestWhatTheSettingsSayHoldsWhereNoFlagDoes(t *testing.T) {
	one, two := newHostService(t), newHostService(t)
	keep := func(t *testing.T, d *fixture, settings string, values ...any) {
		t.Helper()
		assert.NoError(t, os.WriteFile(filepath.Join(d.home, "settings.json"), fmt.Appendf(nil, settings, values...), 0o600))
	}
	called := func(s *hostService) int64 { return s.calls.Swap(0) }
	t.Run("a subcommand asks the service that was set up", func(t *testing.T) {
		d := setup(t)
		d.kept[one.url], d.kept[two.url] = someKey, someKey
		keep(t, d, `{"service":{"use":"service","address":%q}}`, one.url)
		if code, _, stderr := d.call("", "list"); code != ExitAnswered || called(one) == 0 {
			t.Errorf("exit %d: %s", code, stderr)
		}
		if code, _, stderr := d.call("", "list", "--server", two.url); code != ExitAnswered || called(one) != 0 || called(two) == 0 {
			t.Errorf("with --server: exit %d: %s", code, stderr)
		}
		t.Setenv("ASSAY_SERVER", two.url)
		if code, _, stderr := d.call("", "list"); code != ExitAnswered || called(one) != 0 || called(two) == 0 {
			t.Errorf("with ASSAY_SERVER: exit %d: %s", code, stderr)
		}
		if code, _, stderr := d.call("", "list", "--sandbox"); code != ExitAnswered || called(one)+called(two) != 0 {
			t.Errorf("with --sandbox: exit %d: %s", code, stderr)
		}
	})
	t.Run("the key's subcommands too, also while the sandbox is used", func(t *testing.T) {
		d := setup(t)
		keep(t, d, `{"service":{"use":"sandbox","address":%q}}`, one.url)
		if code, stdout, stderr := d.call(someKey, "key", "set"); code != ExitAnswered || !strings.Contains(stdout, one.url) || d.kept[one.url] != someKey {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
	})
	t.Run("where nothing is decided, what to do is said", func(t *testing.T) {
		d := setup(t)
		for _, args := range [][]string{{"list"}, {"scan", "x.png"}, {"watch", d.home}} {
			if code, _, stderr := d.call("", args...); code != ExitMisuse || !strings.Contains(stderr, "or set it up in Assay's window") {
				t.Errorf("%s: exit %d: %s", args[0], code, stderr)
			}
		}
		if code, _, stderr := d.call("", "key", "status"); code != ExitMisuse || !strings.Contains(stderr, "--server") {
			t.Errorf("key: exit %d: %s", code, stderr)
		}
	})
	t.Run("a file of settings that can't be read is said", func(t *testing.T) {
		d := setup(t)
		keep(t, d, `{`)
		if code, _, stderr := d.call("", "list", "--sandbox"); code != ExitAnswered || !strings.Contains(stderr, "assay: ") || !strings.Contains(stderr, "settings-damaged-") {
			t.Errorf("exit %d: %s", code, stderr)
		}
	})
	t.Run("what IT has fixed is fixed for flags too", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can make such a file")
		}
		d := setup(t)
		d.kept[one.url] = someKey
		managed := filepath.Join(t.TempDir(), "managed.json")
		text := fmt.Appendf(nil, `{"version":1,"settings":{"service":{"use":"service","address":%q}},"locked":["service"]}`, one.url)
		assert.NoError(t, os.WriteFile(managed, text, 0o600))
		call := func(args ...string) (int, string) {
			var out, errs bytes.Buffer
			code := Main(t.Context(), session.Options{KeyBackend: d, Machine: session.Machine{Managed: managed}}, append(args, "--home", d.home), strings.NewReader(""), &out, &errs, someWindow)
			return code, errs.String()
		}
		if code, said := call("list"); code != ExitAnswered || called(one) == 0 {
			t.Errorf("exit %d: %s", code, said)
		}
		for flag, args := range map[string][]string{"--server": {"--server", two.url}, "--sandbox": {"--sandbox"}} {
			if code, said := call(append(args, "list")...); code != ExitMisuse || !strings.Contains(said, flag+" is set by your organisation's IT.") {
				t.Errorf("%s: exit %d: %s", flag, code, said)
			}
		}
		t.Setenv("ASSAY_SERVER", two.url)
		if code, said := call("list"); code != ExitAnswered || called(one) == 0 || called(two) != 0 {
			t.Errorf("ASSAY_SERVER: exit %d: %s", code, said)
		}
	})
}

func TestASecondOpeningWaitsForTheFirst(t *testing.T) {
	d := setup(t)
	w := d.openHost()
	assert.NoError(t, w.host.Config.Change(func(s *config.Settings) { s.Service.Use = config.UseSandbox }))
	type opened struct {
		s   *session.Session
		err error
	}
	both := make(chan opened, 2)
	for range 2 {
		go func() {
			s, err := w.host.Open(context.WithoutCancel(t.Context()))
			both <- opened{s, err}
		}()
	}
	one, two := got(t, both, "the one"), got(t, both, "the other")
	if one != two || one.err != nil || one.s == nil {
		t.Errorf("%v, %v", one, two)
	}
	w.close()
}

func TestScanFollowsTheGate(t *testing.T) {
	d, service := setup(t), newHostService(t)
	d.kept[service.url] = someKey
	assert.NoError(t, os.WriteFile(filepath.Join(d.home, "settings.json"),
		fmt.Appendf(nil, `{"version":1,"service":{"use":"service","address":%q},"gates":{"files":"sensitive"}}`, service.url), 0o600))
	scan := func(args ...string) (code int, stdout string) {
		t.Helper()
		code, stdout, _ = d.call("", append([]string{"scan"}, args...)...)
		return code, stdout
	}
	t.Run("of the settings: what waits for the person ends the wait, and is not answered", func(t *testing.T) {
		if code, stdout := scan(note(t, "asks")); code != ExitFailed || stdout != "asks.txt waits for your decision in Assay's window.\n" {
			t.Errorf("exit %d: %q", code, stdout)
		}
		if code, stdout := scan("--json", note(t, "asks-too")); code != ExitFailed || !strings.Contains(stdout, `"state":"held"`) {
			t.Errorf("exit %d: %q", code, stdout)
		}
		assert.Equal(t, 0, service.calls.Load())
	})
	t.Run("or its own, where that is stricter", func(t *testing.T) {
		if code, stdout := scan("--gate", "never", note(t, "never")); code != ExitFailed || !strings.Contains(stdout, "never.txt: not answered. It stays on this computer") {
			t.Errorf("exit %d: %q", code, stdout)
		}
		if code, stdout := scan("--gate", "send", note(t, "goes")); code != ExitFailed || !strings.HasPrefix(stdout, "goes.txt waits for your decision") {
			t.Errorf("exit %d: %q", code, stdout)
		}
		if code, _ := scan("--gate", "perhaps", note(t, "what")); code != ExitMisuse {
			t.Errorf("exit %d", code)
		}
	})
	t.Run("also through a window that is open", func(t *testing.T) {
		w := d.openHost()
		if code, stdout := scan("--gate", "ask", note(t, "window")); code != ExitFailed || !strings.Contains(stdout, "window.txt waits for your decision") {
			t.Errorf("exit %d: %q", code, stdout)
		}
		if code, stdout := scan("--gate", "send", note(t, "window-sends")); code != ExitFailed || !strings.Contains(stdout, "window-sends.txt waits for your decision") {
			t.Errorf("exit %d: %q", code, stdout)
		}
		w.close()
	})
}
