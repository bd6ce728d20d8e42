package config

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows/registry"

	"assay/client/assert"
	"assay/client/submission"
)

// registryNames has the registry name an administrators' file, in a part of it that is the test's own.
func registryNames(t *testing.T, set func(registry.Key) error) {
	t.Helper()
	root := fmt.Sprintf(`Software\AssayTest-%d`, os.Getpid())
	own, _, err := registry.CreateKey(registry.CURRENT_USER, root, registry.ALL_ACCESS)
	assert.NoError(t, err)
	key, _, err := registry.CreateKey(own, managedKey, registry.ALL_ACCESS)
	assert.NoError(t, err)
	assert.NoError(t, set(key))
	assert.NoError(t, key.Close())
	before := managedRoot
	managedRoot = own
	t.Cleanup(func() {
		managedRoot = before
		for _, path := range []string{managedKey, `SOFTWARE`} {
			assert.NoError(t, registry.DeleteKey(own, path))
		}
		assert.NoError(t, own.Close())
		assert.NoError(t, registry.DeleteKey(registry.CURRENT_USER, root))
	})
}

func TestTheRegistryNamesTheAdministratorsFile(t *testing.T) {
	opened := func(t *testing.T) *Config {
		t.Helper()
		return open(t, t.TempDir(), func(p *Params) { p.Managed = ManagedPath() })
	}
	t.Run("what it locks holds", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "Ünser Assay.json")
		write(t, path, `{"settings": {"gates": {"files": "never"}}, "locked": ["gates.files"]}`)
		for _, set := range []func(registry.Key) error{
			func(key registry.Key) error { return key.SetStringValue(managedName, path) },
			func(key registry.Key) error {
				t.Setenv("ASSAY_TEST_FOLDER", filepath.Dir(path))
				return key.SetExpandStringValue(managedName, `%ASSAY_TEST_FOLDER%\`+filepath.Base(path))
			},
		} {
			t.Run("", func(t *testing.T) {
				registryNames(t, set)
				c := opened(t)
				said := c.Notices()
				if c.Settings().Gates.Files != submission.GateNever || c.Origin("gates.files") != Locked || len(said) != 0 {
					t.Errorf("%v, %v, %q", c.Settings().Gates.Files, c.Origin("gates.files"), said)
				}
			})
		}
	})
	t.Run("one that is not there, or a value that is no path, has all ask first", func(t *testing.T) {
		for name, set := range map[string]func(registry.Key) error{
			"missing": func(key registry.Key) error {
				return key.SetStringValue(managedName, filepath.Join(t.TempDir(), "none.json"))
			},
			"relative": func(key registry.Key) error { return key.SetStringValue(managedName, "managed.json") },
			"empty":    func(key registry.Key) error { return key.SetStringValue(managedName, "") },
			"a number": func(key registry.Key) error { return key.SetDWordValue(managedName, 7) },
		} {
			t.Run(name, func(t *testing.T) {
				registryNames(t, set)
				c := opened(t)
				if said := c.Notices(); c.Settings().Gates.Links != submission.GateAsk || len(said) != 1 {
					t.Errorf("%v, %q", c.Settings().Gates, said)
				}
			})
		}
	})
	t.Run("where it names none, that beside the program counts", func(t *testing.T) {
		registryNames(t, func(registry.Key) error { return nil })
		program, err := os.Executable()
		assert.NoError(t, err)
		assert.Equal(t, filepath.Join(filepath.Dir(program), "managed.json"), ManagedPath())
		if got := opened(t).Notices(); len(got) != 0 {
			t.Errorf("%q", got)
		}
	})
}
