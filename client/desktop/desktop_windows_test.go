package desktop

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/windows/registry"

	"assay/client/assert"
)

// newEntries are entries whose part of the registry, and whose folders, are the test's own.
func newEntries(t *testing.T, program string, arguments ...string) Entries {
	t.Helper()
	root := fmt.Sprintf(`Software\AssayTest-%d`, os.Getpid())
	registryRoot = root + `\`
	t.Cleanup(func() { forget(t, root) })
	return Entries{Program: program, Arguments: arguments, Environ: environ(map[string]string{"APPDATA": t.TempDir()})}
}

// forget removes a key with all below it.
func forget(t *testing.T, path string) {
	t.Helper()
	key, err := registry.OpenKey(registry.CURRENT_USER, path, registry.ENUMERATE_SUB_KEYS)
	if errors.Is(err, registry.ErrNotExist) {
		return
	}
	assert.NoError(t, err)
	below, err := key.ReadSubKeyNames(-1)
	assert.NoError(t, errors.Join(err, key.Close()))
	for _, name := range below {
		forget(t, path+`\`+name)
	}
	if err := registry.DeleteKey(registry.CURRENT_USER, path); err != nil {
		t.Error(err)
	}
}

// value reads something from a key; "" where it or the key is missing.
func (e Entries) value(path string, read func(registry.Key) (string, error)) (value string, err error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, registryRoot+path, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, key.Close()) }()
	value, err = read(key)
	if errors.Is(err, registry.ErrNotExist) {
		return "", nil
	}
	return value, err
}

func has(t *testing.T, e Entries, path, name string) string {
	t.Helper()
	text, err := e.value(path, func(key registry.Key) (string, error) {
		text, _, err := key.GetStringValue(name)
		return text, err
	})
	assert.NoError(t, err)
	return text
}

func TestAutostart(t *testing.T) {
	t.Run("on and off", func(t *testing.T) {
		e := newEntries(t, `C:\Program Files\Assay\assay.exe`, "--home", `C:\my home`)
		for _, on := range []bool{true, true, false, false} {
			done(t, e.Autostart(on))
			if has(t, e, runKey, "Assay") != "" != on {
				t.Errorf("%q, want %v", has(t, e, runKey, "Assay"), on)
			}
		}
		done(t, e.Autostart(true))
		if got, want := has(t, e, runKey, "Assay"), `"C:\Program Files\Assay\assay.exe" --home "C:\my home"`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
	t.Run("one that the Task Manager switched off starts once it is switched on again", func(t *testing.T) {
		e := newEntries(t, `C:\assay.exe`)
		done(t, e.Autostart(true))
		key, _, err := registry.CreateKey(registry.CURRENT_USER, registryRoot+approvedKey, registry.SET_VALUE)
		done(t, err)
		done(t, key.SetBinaryValue("Assay", []byte{3, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}))
		done(t, key.Close())
		done(t, e.Autostart(true))
		off, err := e.value(approvedKey, func(key registry.Key) (string, error) {
			state, _, err := key.GetBinaryValue("Assay")
			return string(state), err
		})
		if off != "" || err != nil {
			t.Errorf("it is still switched off: %q, %v", off, err)
		}
	})
	t.Run("what can't be written is refused", func(t *testing.T) {
		for _, name := range append(impossible, `a"b`) {
			refused(t, newEntries(t, `C:\`+name+`\assay.exe`).Autostart(true), errName)
		}
	})
}

func TestOpenWith(t *testing.T) {
	e := newEntries(t, `C:\Program Files\Assay\assay.exe`, "--sandbox")
	done(t, e.OpenWith(true))
	if got, want := has(t, e, programsKey+`\assay.exe\shell\open\command`, ""), `"C:\Program Files\Assay\assay.exe" --sandbox "%1"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := has(t, e, programsKey+`\assay.exe`, "FriendlyAppName"); got != "Assay" {
		t.Errorf("%q", got)
	}
	done(t, e.OpenWith(false))
	done(t, e.OpenWith(false))
	if got := has(t, e, programsKey+`\assay.exe`, "FriendlyAppName"); got != "" {
		t.Error("it is left")
	}
	refused(t, newEntries(t, `C:\100%1\assay.exe`).OpenWith(true), errName)
}

func TestSendTo(t *testing.T) {
	e := newEntries(t, `C:\Program Files\Ässay\assay.exe`, "--home", `C:\my home`)
	path := filepath.Join(e.variable("APPDATA"), "Microsoft", "Windows", "SendTo", "Assay.lnk")
	done(t, e.SendTo(true))
	isPrivate(t, path)
	content, err := os.ReadFile(path)
	done(t, err)
	if got := readLink(t, content); got.wide != e.Program || got.arguments != `--home "C:\my home"` {
		t.Errorf("%+v", got)
	}
	done(t, e.SendTo(false))
	if exists(path) {
		t.Error("it is left")
	}
}

func TestRemove(t *testing.T) {
	e := newEntries(t, `C:\Program Files\Ässay\assay.exe`, "--home", `C:\my home`)
	done(t, e.Autostart(true))
	done(t, e.OpenWith(true))
	done(t, e.SendTo(true))
	link := filepath.Join(e.variable("APPDATA"), "Microsoft", "Windows", "SendTo", "Assay.lnk")
	there := func() []bool {
		return []bool{has(t, e, runKey, "Assay") != "", has(t, e, programsKey+`\assay.exe\shell\open\command`, "") != "", exists(link)}
	}
	for _, other := range []string{`C:\Program Files\Ässay 2\assay.exe`, `D:\Program Files\Ässay\assay.exe`, `C:\assay.exe`} {
		done(t, Entries{Program: other, Environ: e.Environ}.Remove())
		assert.Equal(t, []bool{true, true, true}, there())
	}
	same := Entries{Program: `c:\program files\ässay\ASSAY.EXE`, Environ: e.Environ}
	done(t, same.Remove())
	done(t, same.Remove())
	assert.Equal(t, []bool{false, false, false}, there())
}
