package desktop

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAutostart(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "Library", "LaunchAgents", "news.assay.Assay.plist")
	e := Entries{Program: "/Applications/As say.app/Contents/MacOS/assay", Environ: environ(map[string]string{"HOME": home})}
	for _, on := range []bool{true, true, false, false} {
		done(t, e.Autostart(on))
		if exists(path) != on {
			t.Errorf("want %v", on)
		}
	}
	done(t, e.Autostart(true))
	isPrivate(t, path)
	text, err := os.ReadFile(path)
	done(t, err)
	if got := plistStrings(t, string(text)); len(got) != 3 || got[1] != e.Program {
		t.Errorf("%q", got)
	}
}

func TestRemove(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "Library", "LaunchAgents", "news.assay.Assay.plist")
	e := Entries{Program: "/Applications/Assay.app/Contents/MacOS/assay", Arguments: []string{"--home", "/my home"}, Environ: environ(map[string]string{"HOME": home})}
	done(t, e.Autostart(true))
	for _, program := range []string{"/Applications/Assay 2.app/Contents/MacOS/assay", "/Applications/Assay.app/Contents/MacOS/assa"} {
		done(t, Entries{Program: program, Environ: e.Environ}.Remove())
		if !exists(path) {
			t.Errorf("%s removed the entry of another copy", program)
		}
	}
	e.Arguments = nil
	done(t, e.Remove())
	if exists(path) {
		t.Error("it is left")
	}
}

func TestWhatThereIsNot(t *testing.T) {
	e := Entries{Program: "/assay", Environ: environ(map[string]string{"HOME": t.TempDir()})}
	refused(t, e.OpenWith(true), errNone)
	refused(t, e.SendTo(true), errNone)
	done(t, e.OpenWith(false))
	done(t, e.SendTo(false))
	if autostart, openWith, sendTo := e.Possible(); !autostart || openWith || sendTo {
		t.Error(autostart, openWith, sendTo)
	}
}
