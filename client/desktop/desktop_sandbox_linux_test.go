package desktop

import (
	"os"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/portal/portaltest"
)

// In a Flatpak the home is the sandbox's own: an entry there would start nothing.
func TestInASandboxTheDesktopMakesTheEntries(t *testing.T) {
	sandboxed := func(t *testing.T, home string) Entries {
		t.Helper()
		set := map[string]string{"FLATPAK_ID": "news.assay.Assay", "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_DATA_HOME": home + "/data"}
		return Entries{Program: "/app/bin/assay", Arguments: []string{"--hidden"}, Environ: environ(set)}
	}
	agrees := func(is bool) portaltest.Desktop {
		return func(string, string, map[string]dbus.Variant) portaltest.Answer {
			return portaltest.Answer{Results: map[string]any{"background": true, "autostart": is}}
		}
	}
	empty := func(t *testing.T, home string) {
		t.Helper()
		files, err := os.ReadDir(home)
		assert.NoError(t, err)
		assert.Equal(t, 0, len(files))
	}
	t.Run("it starts this program with the system, or no longer does", func(t *testing.T) {
		var asked []map[string]dbus.Variant
		home := t.TempDir()
		portaltest.Start(t, func(method, _ string, options map[string]dbus.Variant) portaltest.Answer {
			assert.Equal(t, "Background.RequestBackground", method)
			asked = append(asked, options)
			return agrees(options["autostart"].Value().(bool))("", "", nil)
		})
		e := sandboxed(t, home)
		assert.NoError(t, e.Autostart(true))
		assert.NoError(t, e.Autostart(false))
		assert.NoError(t, e.Remove())
		for i, on := range []bool{true, false, false} {
			if diff := cmp.Diff([]string{"/app/bin/assay", "--hidden"}, asked[i]["commandline"].Value()); diff != "" || asked[i]["autostart"].Value() != on {
				t.Error(i, diff, asked[i])
			}
		}
		empty(t, home)
	})
	t.Run("that it does not allow it is said", func(t *testing.T) {
		portaltest.Start(t, agrees(false))
		refused(t, sandboxed(t, t.TempDir()).Autostart(true), errRefused)
	})
	t.Run("nothing is offered that it can't do", func(t *testing.T) {
		portaltest.Start(t, nil)
		home := t.TempDir()
		e := sandboxed(t, home)
		if autostart, openWith, sendTo := e.Possible(); !autostart || openWith || sendTo {
			t.Error(autostart, openWith, sendTo)
		}
		refused(t, e.Autostart(true), errNone)
		refused(t, e.OpenWith(true), errNone)
		refused(t, e.SendTo(true), errNone)
		assert.NoError(t, e.OpenWith(false))
		assert.NoError(t, e.Remove())
		empty(t, home)
	})
}
