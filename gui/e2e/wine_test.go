//go:build e2e && wine && linux

package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

// TestTheWindowsBuildKeepsItsKey runs build/assay.exe, as `make windows` builds it, under wine: the key goes into the Credential
// Manager, another process scans with it, and the window opens.
func TestTheWindowsBuildKeepsItsKey(t *testing.T) {
	desktop := setup(t)
	root, err := Root()
	assert.NoError(t, err)
	wine, err := desktop.StartWine(t.Context(), root, "EXE="+filepath.Join(root, "build", "assay.exe"))
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, wine.Stop()) })
	succeeds := func(t *testing.T, line string, variables ...string) string {
		t.Helper()
		said, err := wine.Succeeds(line, variables...)
		assert.NoError(t, err)
		return said
	}
	service, err := desktop.StartService(t.Context(), t.TempDir(), "127.0.0.1:0")
	assert.NoError(t, err)
	picture := manipulated(t)

	t.Run("a key is set", func(t *testing.T) {
		succeeds(t, `printf '%s\n' "$KEY" | wine "$EXE" key set --server "$SERVER"`, "KEY="+service.Key, "SERVER="+service.URL)
	})
	t.Run("another process finds it", func(t *testing.T) {
		said := succeeds(t, `wine "$EXE" key status --server "$SERVER"`, "SERVER="+service.URL)
		if !strings.Contains(said, "a key is saved for this service") {
			t.Errorf("said %q", said)
		}
	})
	t.Run("a scan works with it", func(t *testing.T) {
		said := succeeds(t, `wine "$EXE" scan --server "$SERVER" "Z:$PICTURE"`, "SERVER="+service.URL, "PICTURE="+picture)
		if !strings.Contains(said, "Likely manipulated or AI-generated") {
			t.Errorf("said %q", said)
		}
	})
	t.Run("no file holds it readably", func(t *testing.T) {
		for path, content := range filesBelow(t, wine.Prefix) {
			if strings.Contains(string(content), service.Key) {
				t.Errorf("the key stands in %s", path)
			}
		}
	})
	t.Run("the window opens", func(t *testing.T) {
		if _, err := wine.Start(`exec wine "$EXE"`); err != nil {
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
