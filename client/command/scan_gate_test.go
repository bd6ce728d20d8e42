package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScanFollowsTheGate(t *testing.T) {
	d, service := setup(t), newHostService(t)
	d.kept[service.url] = someKey
	if err := os.WriteFile(filepath.Join(d.home, "settings.json"),
		fmt.Appendf(nil, `{"version":1,"service":{"use":"service","address":%q},"gates":{"files":"sensitive"}}`, service.url), 0o600); err != nil {
		t.Fatal(err)
	}
	scan := func(args ...string) (code int, stdout string) {
		t.Helper()
		code, stdout, _ = d.call("", append([]string{"scan"}, args...)...)
		return code, stdout
	}
	t.Run("of the settings: what waits for the person ends the wait, and is not answered", func(t *testing.T) {
		if code, stdout := scan(note(t, "asks")); code != ExitFailed || stdout != "asks.txt waits for your word: decide in Assay's window.\n" {
			t.Errorf("exit %d: %q", code, stdout)
		}
		if code, stdout := scan("--json", note(t, "asks-too")); code != ExitFailed || !strings.Contains(stdout, `"state":"held"`) {
			t.Errorf("exit %d: %q", code, stdout)
		}
		equal(t, service.calls.Load(), 0)
	})
	t.Run("or its own, where that is stricter", func(t *testing.T) {
		if code, stdout := scan("--gate", "never", note(t, "never")); code != ExitFailed || !strings.Contains(stdout, "never.txt: not answered: It stays on this computer") {
			t.Errorf("exit %d: %q", code, stdout)
		}
		if code, stdout := scan("--gate", "send", note(t, "goes")); code != ExitFailed || !strings.HasPrefix(stdout, "goes.txt waits for your word") {
			t.Errorf("exit %d: %q", code, stdout)
		}
		if code, _ := scan("--gate", "perhaps", note(t, "what")); code != ExitMisuse {
			t.Errorf("exit %d", code)
		}
	})
	t.Run("also through a window that is open", func(t *testing.T) {
		w := d.openHost()
		if code, stdout := scan("--gate", "ask", note(t, "window")); code != ExitFailed || !strings.Contains(stdout, "window.txt waits for your word") {
			t.Errorf("exit %d: %q", code, stdout)
		}
		if code, stdout := scan("--gate", "send", note(t, "window-sends")); code != ExitFailed || !strings.Contains(stdout, "window-sends.txt waits for your word") {
			t.Errorf("exit %d: %q", code, stdout)
		}
		w.close()
	})
}
