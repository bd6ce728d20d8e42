//go:build e2e && wine && linux

package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// wineLimit is how long one start of a program may take under wine, whose first also starts wine itself.
const wineLimit = 2 * time.Minute

// TestTheWindowsBuildKeepsItsKey runs build/assay.exe, as `make windows` builds it, under wine: the key goes into the Credential
// Manager, another process scans with it, and the window opens.
func TestTheWindowsBuildKeepsItsKey(t *testing.T) {
	desktop := setup(t)
	root, err := Root()
	assert.NoError(t, err)
	wine := startWine(t, desktop, root)
	service, err := desktop.StartService(t.Context(), t.TempDir(), "127.0.0.1:0")
	assert.NoError(t, err)
	picture := manipulated(t)

	t.Run("a key is set", func(t *testing.T) {
		wine.succeeds(t, `printf '%s\n' "$KEY" | wine "$EXE" key set --server "$SERVER"`, "KEY="+service.Key, "SERVER="+service.URL)
	})
	t.Run("another process finds it", func(t *testing.T) {
		said := wine.succeeds(t, `wine "$EXE" key status --server "$SERVER"`, "SERVER="+service.URL)
		if !strings.Contains(said, "a key is kept for this service") {
			t.Errorf("said %q", said)
		}
	})
	t.Run("a scan works with it", func(t *testing.T) {
		said := wine.succeeds(t, `wine "$EXE" scan --server "$SERVER" "Z:$PICTURE"`, "SERVER="+service.URL, "PICTURE="+picture)
		if !strings.Contains(said, "Likely manipulated or AI-generated") {
			t.Errorf("said %q", said)
		}
	})
	t.Run("no file holds it readably", func(t *testing.T) {
		for path, content := range filesBelow(t, wine.prefix) {
			if strings.Contains(string(content), service.Key) {
				t.Errorf("the key stands in %s", path)
			}
		}
	})
	t.Run("the window opens", func(t *testing.T) {
		if _, err := desktop.StartWith(wine.variables, "wine", wine.binary); err != nil {
			t.Fatal(err)
		}
		var window *Window
		err := Until(t.Context(), wineLimit, "the window is there", func() (bool, error) {
			if desktop.Windows(t.Context(), "--name", "^Assay$") == 0 {
				return false, nil
			}
			var err error
			window, err = desktop.Window(t.Context(), "--name", "^Assay$")
			return err == nil, err
		})
		assert.NoError(t, err)
		err = Until(t.Context(), wineLimit, "the window is painted", func() (bool, error) {
			shot, err := window.Shot(t.Context())
			return err == nil && !shot.Blank(), nil
		})
		assert.NoError(t, err)
		keep(t, desktop, window, "first start")
	})
}

// wine is a Windows of the test's own.
type wine struct {
	desktop        *Desktop
	prefix, binary string
	variables      []string
}

func startWine(t *testing.T, desktop *Desktop, root string) *wine {
	t.Helper()
	w := &wine{desktop: desktop, prefix: filepath.Join(desktop.Dir, "wine"), binary: filepath.Join(root, "build", "assay.exe")}
	// Neither a browser nor .NET is needed, and wine would ask to download both.
	w.variables = []string{"WINEPREFIX=" + w.prefix, "WINEDEBUG=-all", "WINEDLLOVERRIDES=bcryptprimitives=n;mscoree=;mshtml=", "EXE=" + w.binary}
	t.Cleanup(func() { w.succeeds(t, `wine wineboot --kill`) })
	w.succeeds(t, `wine wineboot --init`)
	library := filepath.Join(w.prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	build := exec.CommandContext(t.Context(), "x86_64-w64-mingw32-gcc", "-shared", "-o", library, filepath.Join(root, ".ci", "bcryptprimitives.c"), "-ladvapi32")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return w
}

// succeeds runs a shell's line with wine, and returns what it printed.
func (w *wine) succeeds(t *testing.T, line string, variables ...string) string {
	t.Helper()
	process, err := w.desktop.StartWith(append(variables, w.variables...), "sh", "-c", line)
	assert.NoError(t, err)
	code, err := process.Wait(wineLimit)
	if err == nil && code != 0 {
		err = fmt.Errorf("exit code %d", code)
	}
	if err != nil {
		t.Fatalf("%s: %v; printed %q, logged %q", line, err, process.Output, process.Errors)
	}
	return process.Output.String() + process.Errors.String()
}
