package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/command"
)

// TestEntries makes and removes the entries of this test's own program, in a home of its own.
func TestEntries(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("APPIMAGE", "")
	autostart := filepath.Join(home, ".config", "autostart", "news.assay.Assay.desktop")
	openWith := filepath.Join(home, ".local", "share", "applications", "zz-news.assay.Assay.desktop")
	calls := func(code int, args ...string) {
		t.Helper()
		got, _, said := run(t, append([]string{"entries"}, args...)...)
		assert.Equal(t, code, got)
		assert.Equal(t, code == command.ExitAnswered, said == "")
	}
	there := func() []bool {
		var all []bool
		for _, path := range []string{autostart, openWith} {
			_, err := os.Stat(path)
			all = append(all, err == nil)
		}
		return all
	}
	calls(command.ExitMisuse)
	calls(command.ExitMisuse, "add")
	calls(command.ExitMisuse, "add", "autostart", "everything")
	calls(command.ExitMisuse, "remove", "autostart")
	assert.Equal(t, []bool{false, false}, there())
	calls(command.ExitAnswered, "add", "autostart", "open-with")
	assert.Equal(t, []bool{true, true}, there())
	text, err := os.ReadFile(autostart)
	assert.NoError(t, err)
	for _, want := range []string{"--home", "--hidden"} {
		assert.True(t, strings.Contains(string(text), `"`+want+`"`), "it is not started with %s", want)
	}
	calls(command.ExitAnswered, "remove")
	assert.Equal(t, []bool{false, false}, there())
}
