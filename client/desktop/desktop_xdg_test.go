//go:build unix && !darwin

package desktop

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/i18n"
)

// account is a person's home, and the system's shared folder, of the test's own.
type account struct {
	Entries
	home, system string
}

func newAccount(t *testing.T, program string, arguments ...string) account {
	t.Helper()
	home, system := t.TempDir(), t.TempDir()
	set := map[string]string{"HOME": home, "XDG_DATA_DIRS": system}
	return account{Entries{Program: program, Arguments: arguments, Environ: environ(set)}, home, system}
}

func (a account) autostartFile() string { // as the specification has it
	return filepath.Join(a.home, ".config", "autostart", "news.assay.Assay.desktop")
}

func (a account) applications() string {
	return filepath.Join(a.home, ".local", "share", "applications")
}

func (a account) sendToFile() string {
	return filepath.Join(a.home, ".local", "share", "Thunar", "sendto", "news.assay.Assay.desktop")
}

func file(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	assert.NoError(t, err)
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	assert.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func TestAutostart(t *testing.T) {
	t.Run("on and off", func(t *testing.T) {
		a := newAccount(t, "/opt/as say/assay", "--home", "/my home")
		for _, on := range []bool{true, true, false, false} {
			done(t, a.Autostart(on))
			if exists(a.autostartFile()) != on {
				t.Errorf("%v: %s", on, a.autostartFile())
			}
		}
	})
	t.Run("what is written", func(t *testing.T) {
		a := newAccount(t, "/opt/as say/assay", "--home", "/my home")
		done(t, a.Autostart(true))
		want := "[Desktop Entry]\nType=Application\nVersion=1.0\nName=Assay\n" +
			"Comment=Have a picture, clip, recording or text checked for manipulation\n" +
			"Exec=\"/opt/as say/assay\" \"--home\" \"/my home\"\nTryExec=/opt/as say/assay\nIcon=news.assay.Assay\nStartupWMClass=Assay\nTerminal=false\nCategories=Utility;\nX-GNOME-Autostart-enabled=true\n"
		assert.Equal(t, want, file(t, a.autostartFile()))
		isPrivate(t, a.autostartFile(), filepath.Dir(a.autostartFile()))
	})
	t.Run("the folders that the environment names are used", func(t *testing.T) {
		config := t.TempDir()
		e := Entries{Program: "/opt/assay", Environ: environ(map[string]string{"HOME": t.TempDir(), "XDG_CONFIG_HOME": config})}
		done(t, e.Autostart(true))
		if !exists(filepath.Join(config, "autostart", "news.assay.Assay.desktop")) {
			t.Error("it is not there")
		}
	})
	t.Run("an entry that was switched off, or is of another program, is written again", func(t *testing.T) {
		a := newAccount(t, "/opt/assay")
		done(t, a.Autostart(true))
		want := file(t, a.autostartFile())
		for _, change := range []struct{ from, to string }{
			{"Terminal=false", "Hidden=true"}, {"enabled=true", "enabled=false"}, {"/opt/assay", "/opt/other"},
		} {
			write(t, a.autostartFile(), strings.ReplaceAll(want, change.from, change.to))
			done(t, a.Autostart(true))
			if got := file(t, a.autostartFile()); got != want {
				t.Errorf("%s: %s", change.to, got)
			}
		}
	})
	t.Run("what can't be written is refused, and nothing is there", func(t *testing.T) {
		for _, name := range impossible {
			a := newAccount(t, "/opt/"+name+"/assay")
			refused(t, a.Autostart(true), errName)
			refused(t, a.OpenWith(true), errName)
			if exists(filepath.Join(a.home, ".config")) || exists(filepath.Join(a.home, ".local")) {
				t.Errorf("%q: something was written", name)
			}
		}
	})
	t.Run("without a home there is no entry", func(t *testing.T) {
		e := Entries{Program: "/opt/assay", Environ: environ(nil)}
		refused(t, e.Autostart(true), errNone)
		refused(t, e.OpenWith(true), errNone)
		refused(t, e.SendTo(true), errNone)
		if autostart, openWith, sendTo := e.Possible(); autostart || openWith || sendTo {
			t.Error("they are said to be possible")
		}
	})
}

func TestOpenWith(t *testing.T) {
	t.Run("the entry takes what the service takes", func(t *testing.T) {
		a := newAccount(t, "/opt/assay")
		done(t, a.OpenWith(true))
		path := filepath.Join(a.applications(), "zz-news.assay.Assay.desktop")
		text := file(t, path)
		for _, want := range []string{"\nExec=\"/opt/assay\" %F\n", "\nMimeType=image/jpeg;", ";text/plain;\n", "\nInitialPreference=0\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("without %q:\n%s", want, text)
			}
		}
		isPrivate(t, path)
		done(t, a.OpenWith(false))
		if exists(path) || exists(filepath.Join(a.applications(), cacheName)) {
			t.Error("something is left")
		}
	})
	t.Run("the desktop finds it, behind all others", func(t *testing.T) {
		a := newAccount(t, "/opt/assay")
		write(t, filepath.Join(a.system, "applications", cacheName), "[MIME Cache]\nimage/png=eog.desktop;gimp.desktop;\naudio/flac=vlc.desktop;\n")
		own := filepath.Join(a.applications(), cacheName)
		write(t, own, "[MIME Cache]\nimage/png=mine.desktop;eog.desktop;\napplication/pdf=mine.desktop;\n")
		write(t, filepath.Join(a.applications(), "mine.desktop"), "[Desktop Entry]\n")
		done(t, a.OpenWith(true))
		done(t, a.OpenWith(true))
		for _, want := range []string{
			"image/png=mine.desktop;eog.desktop;gimp.desktop;zz-news.assay.Assay.desktop;\n", "audio/flac=vlc.desktop;zz-news.assay.Assay.desktop;\n",
			"image/gif=zz-news.assay.Assay.desktop;\n", "application/pdf=mine.desktop;\n",
		} {
			if !strings.Contains(file(t, own), want) {
				t.Errorf("without %s:\n%s", want, file(t, own))
			}
		}
		done(t, a.OpenWith(false))
		assert.Equal(t, "[MIME Cache]\napplication/pdf=mine.desktop;\nimage/png=mine.desktop;\n", file(t, own))
	})
}

// packaged is a person's account on a computer with a package of Assay.
func packaged(t *testing.T) account {
	t.Helper()
	prefix := t.TempDir()
	a := account{home: t.TempDir(), system: filepath.Join(prefix, "share")}
	a.Entries = Entries{Program: filepath.Join(prefix, "bin", "assay"), Environ: environ(map[string]string{"HOME": a.home, "XDG_DATA_DIRS": "/none:" + a.system})}
	entry, err := os.ReadFile(filepath.Join("..", "..", "assets", "packages", "linux", "zz-news.assay.Assay.desktop"))
	assert.NoError(t, err)
	write(t, filepath.Join(a.system, "applications", "zz-news.assay.Assay.desktop"), string(entry))
	return a
}

func TestWhatThePackageOffers(t *testing.T) {
	t.Run("is not offered again", func(t *testing.T) {
		a := packaged(t)
		if _, openWith, _ := a.Possible(); openWith || !a.OfferedByPackage() {
			t.Error("the person is to offer it again")
		}
		a.Program = "/opt/assay" // another copy
		if _, openWith, _ := a.Possible(); !openWith || a.OfferedByPackage() {
			t.Error("the package's entry starts another program")
		}
	})
	t.Run("an entry that the person has of before takes the place of the package's, and can be removed", func(t *testing.T) {
		a := packaged(t)
		done(t, a.OpenWith(true))
		packages, err := os.ReadDir(filepath.Join(a.system, "applications"))
		assert.NoError(t, err)
		assert.True(t, exists(filepath.Join(a.applications(), packages[0].Name())), "their names differ, so that both are shown")
		if _, openWith, _ := a.Possible(); !openWith || a.OfferedByPackage() {
			t.Error("it can't be removed")
		}
		done(t, a.OpenWith(false))
		assert.True(t, a.OfferedByPackage(), "the package's is still hidden")
	})
	t.Run("for the same types, in the same words", func(t *testing.T) {
		own := func(name string) map[string]string {
			fields := map[string]string{}
			for line := range strings.Lines(file(t, filepath.Join("..", "..", "assets", "packages", "linux", name))) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				fields[name] = value
			}
			return fields
		}
		menu, opens := own("news.assay.Assay.desktop"), own("zz-news.assay.Assay.desktop")
		assert.Equal(t, strings.Join(mimeTypes, ";")+";", opens["MimeType"])
		assert.Equal(t, "", menu["MimeType"])
		assert.Equal(t, "true", opens["NoDisplay"])
		assert.Equal(t, windowClass, menu["StartupWMClass"])
		for _, language := range []string{"", "es", "pt", "fr", "de"} {
			name, code := "Comment["+language+"]", language
			if language == "" {
				name, code = "Comment", "en"
			}
			assert.NoError(t, i18n.Use(code, ""))
			want := i18n.T("Have a picture, clip, recording or text checked for manipulation")
			assert.NoError(t, i18n.Use("en", ""))
			assert.Equal(t, want, menu[name])
			assert.Equal(t, want, opens[name])
		}
	})
}

func TestSendTo(t *testing.T) {
	t.Run("where Thunar is", func(t *testing.T) {
		a := newAccount(t, "/opt/assay")
		if _, _, sendTo := a.Possible(); sendTo {
			t.Error("possible without Thunar")
		}
		refused(t, a.SendTo(true), errNone)
		assert.NoError(t, os.Mkdir(filepath.Join(a.system, "Thunar"), 0o700))
		if _, _, sendTo := a.Possible(); !sendTo {
			t.Error("not possible")
		}
		done(t, a.SendTo(true))
		if text := file(t, a.sendToFile()); !strings.Contains(text, "\nExec=\"/opt/assay\" %F\n") || !strings.Contains(text, "\nMimeType=") {
			t.Error(text)
		}
		isPrivate(t, a.sendToFile())
		done(t, a.SendTo(false))
		done(t, a.SendTo(false))
		if exists(a.sendToFile()) {
			t.Error("it is left")
		}
	})
}

func TestRemove(t *testing.T) {
	every := func(t *testing.T, a account) []string {
		t.Helper()
		assert.NoError(t, os.MkdirAll(filepath.Join(a.system, "Thunar"), 0o700))
		done(t, a.Autostart(true))
		done(t, a.OpenWith(true))
		done(t, a.SendTo(true))
		return []string{a.autostartFile(), filepath.Join(a.applications(), openWithName), a.sendToFile(), filepath.Join(a.applications(), cacheName)}
	}
	t.Run("its own entries go, whatever they start it with", func(t *testing.T) {
		for _, program := range []string{"/opt/assay", "/opt/as say/a$b\\c/assay"} {
			a := newAccount(t, program, "--home", "/my home")
			paths := every(t, a)
			a.Arguments = nil
			done(t, a.Remove())
			done(t, a.Remove())
			for _, path := range paths {
				if exists(path) {
					t.Errorf("%s is left", path)
				}
			}
		}
	})
	t.Run("those of another copy stay", func(t *testing.T) {
		a := newAccount(t, "/opt/assay")
		paths := every(t, a)
		for _, other := range []string{"/opt/assay2", "/opt/assa", "/usr/bin/assay", "/opt/%/assay"} {
			a.Program = other
			done(t, a.Remove())
			for _, path := range paths {
				if !exists(path) {
					t.Errorf("%s removed %s", other, path)
				}
			}
		}
	})
	t.Run("without a home there is nothing to remove", func(t *testing.T) {
		done(t, Entries{Program: "/opt/assay", Environ: environ(nil)}.Remove())
	})
}

func TestProgram(t *testing.T) {
	for set, want := range map[string]string{"/opt/Assay.AppImage": "/opt/Assay.AppImage", "Assay.AppImage": "", "": ""} {
		own, err := os.Executable()
		assert.NoError(t, err)
		if want == "" {
			want = own
		}
		if got, err := Program(environ(map[string]string{"APPIMAGE": set})); got != want || err != nil {
			t.Errorf("%q: %q, %v", set, got, err)
		}
	}
}

// TestRealReaders has the desktops' own programs read the entries, where they are installed.
func TestRealReaders(t *testing.T) {
	tool := func(t *testing.T, name string) string {
		t.Helper()
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(name + " is not here")
		}
		return path
	}
	run := func(t *testing.T, a account, name string, arguments ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, arguments...) //nolint:gosec // a tool of the desktop
		cmd.Env = []string{"HOME=" + a.home, "XDG_DATA_DIRS=" + a.system, "PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, arguments, err, out)
		}
		return string(out)
	}
	t.Run("desktop-file-validate has nothing to say", func(t *testing.T) {
		validate := tool(t, "desktop-file-validate")
		for _, name := range hostile {
			a := newAccount(t, "/opt/"+strings.ReplaceAll(name, "%", "")+"/assay", name)
			write(t, filepath.Join(a.system, "Thunar", "x"), "")
			done(t, a.Autostart(true))
			done(t, a.OpenWith(true))
			done(t, a.SendTo(true))
			for _, path := range []string{a.autostartFile(), filepath.Join(a.applications(), openWithName), a.sendToFile()} {
				if out := run(t, a, validate, path); strings.Contains(out, "error:") || strings.Contains(out, "warning:") {
					t.Errorf("%s: %s", name, out)
				}
			}
		}
	})
	t.Run("gio starts the program by any name, with the files as they are", func(t *testing.T) {
		gio := tool(t, "gio")
		for _, name := range []string{"a b \"c\" 'd'", "`touch x` $(touch x) $HOME", `100% %F %%u`, `a\b\\c \n \s ; & | > < * ~ #`, "ä \u202e日本"} {
			a := newAccount(t, "")
			folder := filepath.Join(a.home, name)
			heard := filepath.Join(a.home, "heard")
			assert.NoError(t, syscall.Mkfifo(heard, 0o600))
			out, err := os.OpenFile(heard, os.O_RDWR, 0) // both, so that it opens at once
			assert.NoError(t, err)
			defer func() { _ = out.Close() }()
			a.Program, a.Arguments = filepath.Join(strings.ReplaceAll(folder, "%", ""), "assay"), []string{name}
			write(t, a.Program, "#!/bin/sh\nprintf '%s\\n' \"$0\" \"$@\" end > \"$HOME/heard\"\n")
			if err := os.Chmod(a.Program, 0o700); err != nil { //nolint:gosec // a program
				t.Fatal(err)
			}
			done(t, a.OpenWith(true))
			given := []string{filepath.Join(a.home, "-rf.jpg"), filepath.Join(a.home, name+".png")}
			for _, path := range given {
				write(t, path, "")
			}
			run(t, a, gio, append([]string{"launch", filepath.Join(a.applications(), openWithName)}, given...)...)
			assert.NoError(t, out.SetReadDeadline(time.Now().Add(time.Minute)))
			var said []byte
			buffer := make([]byte, 4096)
			for !bytes.HasSuffix(said, []byte("\nend\n")) {
				n, err := out.Read(buffer)
				if err != nil {
					t.Fatalf("%s: %v after %q", name, err, said)
				}
				said = append(said, buffer[:n]...)
			}
			want := fmt.Sprintf("%s\n%s\n%s\n%s\nend\n", a.Program, name, given[0], given[1])
			if diff := cmp.Diff(want, string(said)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	})
	t.Run("gio offers it for a type, and opens nothing with it by itself", func(t *testing.T) {
		gio := tool(t, "gio")
		a := newAccount(t, "/bin/true")
		write(t, filepath.Join(a.system, "applications", "viewer.desktop"), "[Desktop Entry]\nType=Application\nName=Viewer\nExec=/bin/true %f\nMimeType=image/png;\n")
		write(t, filepath.Join(a.system, "applications", cacheName), "[MIME Cache]\nimage/png=viewer.desktop;\n")
		done(t, a.OpenWith(true))
		out := run(t, a, gio, "mime", "image/png")
		first, rest, _ := strings.Cut(out, "\n")
		if !strings.Contains(first, "viewer.desktop") || !strings.Contains(rest, "news.assay.Assay.desktop") {
			t.Error(out)
		}
	})
}

// FuzzCache holds that whatever stands in a desktop's cache, all entries that are read of it are still there, in their order, once it is
// written again, and that no text can end its line.
func FuzzCache(f *testing.F) {
	for _, text := range []string{
		"[MIME Cache]\nimage/png=a.desktop;b.desktop;\n", "image/png=a.desktop\r\nimage/png=b.desktop;;", "# a=b;\n[x]\n=a;\n =;", "a=b=c;d\n", "image/png=a.desktop;\u00a0", "\ufeff[MIME Cache]\na=b",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read := parseCache(text)
		written := writeCache(read)
		if diff := cmp.Diff(read, parseCache(written)); diff != "" {
			t.Errorf("%q is written as %q: %s", text, written, diff)
		}
		if n := strings.Count(written, "\n"); n > 1+len(read) || !strings.HasPrefix(written, cacheHead+"\n") {
			t.Errorf("%q is written as %q", text, written)
		}
	})
}
