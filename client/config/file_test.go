package config

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/events"
	"assay/client/submission"
)

func remove(t *testing.T, path string) {
	t.Helper()
	assert.NoError(t, os.Remove(path))
}

func isPrivate(t *testing.T, folder string, file string) {
	t.Helper()
	for path, want := range map[string]os.FileMode{folder: 0o700, file: 0o600} {
		facts, err := os.Stat(path)
		assert.NoError(t, err)
		if got := facts.Mode().Perm(); got != want {
			t.Errorf("%s: %o", path, got)
		}
	}
}

// asking is what stands in a new file after a broken one.
const asking = `"gates": {"files": "sensitive", "links": "sensitive", "folders": "sensitive"}`

func TestFile(t *testing.T) {
	t.Run("it and its folder are the user's alone", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("there, the profile's folder guards them")
		}
		dir := filepath.Join(t.TempDir(), "home")
		c := open(t, dir)
		change(t, c, func(s *Settings) { s.Uploads = 3 })
		isPrivate(t, dir, filepath.Join(dir, fileName))
		if err := os.Chmod(filepath.Join(dir, fileName), 0o644); err != nil { //nolint:gosec // as an editor may leave it
			t.Fatal(err)
		}
		change(t, c, func(s *Settings) { s.Uploads = 4 })
		isPrivate(t, dir, filepath.Join(dir, fileName))
	})
	t.Run("what a later Assay wrote stays, and its version too", func(t *testing.T) {
		dir := personal(t, `{"version": 3, "uploads": 5, "tomorrow": {"a": [1, 2.50, null], "b": "<&>"}, "network": {"tunnel": 12345678901234567890, "proxy": "http://p.example:1"}}`)
		c := open(t, dir)
		change(t, c, func(s *Settings) { s.Network.Proxy, s.Appearance.Theme = "http://q.example:2", "dark" })
		holds(t, dir, `{"version": 3, "uploads": 5, "tomorrow": {"a": [1, 2.50, null], "b": "<&>"},
			"network": {"tunnel": 12345678901234567890, "proxy": "http://q.example:2"}, "appearance": {"theme": "dark"}}`)
		if text := content(t, dir); !strings.Contains(text, "12345678901234567890") || !strings.Contains(text, "2.50") || !strings.Contains(text, "<&>") {
			t.Errorf("a number or a letter was rewritten:\n%s", text)
		}
		if said := c.Notices(); said != nil {
			t.Errorf("said %q", said)
		}
	})
	t.Run("a value that can't be counts as not set, is said once, and stays until the person sets it", func(t *testing.T) {
		dir := personal(t, `{"version": 1, "uploads": "many", "appearance": {"scale": 9, "theme": "dark"}, "desktop": 7, "gates": null}`)
		c := open(t, dir)
		want := Defaults()
		want.Appearance.Theme = "dark"
		assert.Equal(t, want, c.Settings())
		said := c.Notices()
		if len(said) != 3 || !strings.Contains(strings.Join(said, " "), "appearance.scale") || !strings.Contains(strings.Join(said, " "), "uploads") {
			t.Errorf("said %q", said)
		}
		change(t, c, func(s *Settings) { s.Appearance.Language = "en" })
		holds(t, dir, `{"version": 1, "uploads": "many", "appearance": {"scale": 9, "theme": "dark", "language": "en"}, "desktop": 7, "gates": null}`)
		change(t, c, func(s *Settings) { s.Uploads, s.Desktop.Tray, s.Gates.Files = 3, true, submission.GateNever })
		holds(t, dir, `{"version": 1, "uploads": 3, "appearance": {"scale": 9, "theme": "dark", "language": "en"}, "desktop": {"tray": true}, "gates": {"files": "never"}}`)
		if said := c.Notices(); said != nil {
			t.Errorf("said again: %q", said)
		}
	})
	t.Run("a gate that can't be read asks first, rather than let everything out", func(t *testing.T) {
		for text, want := range map[string]Gates{
			`{"gates": {"files": "nevr"}}`:               {Files: submission.GateAsk, Links: submission.GateSend, Folders: submission.GateAsk},
			`{"gates": {"files": "send"}}`:               {Files: submission.GateAsk, Links: submission.GateSend, Folders: submission.GateAsk},
			`{"gates": {"links": 1, "files": "public"}}`: {Files: submission.GateSend, Links: submission.GateAsk, Folders: submission.GateAsk},
			`{"gates": "never"}`:                         {Files: submission.GateAsk, Links: submission.GateAsk, Folders: submission.GateAsk},
		} {
			dir := personal(t, text)
			c := open(t, dir)
			if got := c.Settings().Gates; got != want || len(c.Notices()) != 1 {
				t.Errorf("%s: %+v", text, got)
			}
			holds(t, dir, text)
		}
	})
	t.Run("a broken one is set aside and said", func(t *testing.T) {
		for name, text := range map[string]string{
			"half of it": `{"version": 1, "uplo`, "nothing": ``, "no object": `[1]`, "null": `null`, "two": `{} {}`, "zeros after a loss of power": strings.Repeat("\x00", 400),
			"too large": `{"version": 1, "x": "` + strings.Repeat("x", largest) + `"}`, "deeper than can be read": strings.Repeat(`{"a":`, 20000),
		} {
			dir := personal(t, text)
			c := open(t, dir)
			want := Defaults()
			want.Gates = Gates{Files: submission.GateAsk, Links: submission.GateAsk, Folders: submission.GateAsk}
			if !c.Settings().Equal(want) {
				t.Errorf("%s: %+v", name, c.Settings())
			}
			aside := "settings-damaged-20261121-191500.json"
			if said := c.Notices(); len(said) != 1 || !strings.Contains(said[0], aside) {
				t.Errorf("%s: said %q", name, said)
			}
			if kept, err := os.ReadFile(filepath.Join(dir, aside)); err != nil || string(kept) != text {
				t.Errorf("%s: not kept as it was: %v", name, err)
			}
			change(t, c, func(s *Settings) { s.Uploads = 3 })
			holds(t, dir, `{"version": 1, "uploads": 3, `+asking+`}`)
			if again := open(t, dir).Settings().Gates; again != want.Gates {
				t.Errorf("%s: at the next start %+v", name, again)
			}
		}
	})
	t.Run("a second broken one does not take the first one's place", func(t *testing.T) {
		dir := personal(t, `one`)
		open(t, dir)
		write(t, filepath.Join(dir, fileName), `two`)
		open(t, dir)
		assert.Equal(t, []string{"settings-damaged-20261121-191500-2.json", "settings-damaged-20261121-191500.json", fileName}, names(t, dir))
	})
	t.Run("one that breaks while Assay runs is set aside, and the settings hold on", func(t *testing.T) {
		dir := personal(t, `{"uploads": 5, "tomorrow": 1}`)
		c := open(t, dir)
		write(t, filepath.Join(dir, fileName), `{"uploads":`)
		change(t, c, func(s *Settings) { s.Appearance.Theme = "dark" })
		holds(t, dir, `{"version": 1, "uploads": 5, "tomorrow": 1, "appearance": {"theme": "dark"}}`)
		if said := c.Notices(); len(said) != 1 {
			t.Errorf("said %q", said)
		}
	})
	t.Run("a folder of its name is set aside like a broken file", func(t *testing.T) {
		dir := t.TempDir()
		assert.NoError(t, os.Mkdir(filepath.Join(dir, fileName), 0o700))
		c := open(t, dir)
		change(t, c, func(s *Settings) { s.Uploads = 3 })
		holds(t, dir, `{"version": 1, "uploads": 3, `+asking+`}`)
	})
	t.Run("a mark that editors put before the text is no damage", func(t *testing.T) {
		c := open(t, personal(t, "\ufeff{\"uploads\": 5}\r\n"))
		if got := c.Settings().Uploads; got != 5 || c.Notices() != nil {
			t.Errorf("%d uploads", got)
		}
	})
}

func TestTheDiskFails(t *testing.T) {
	broken := errors.New("the disk is gone")
	failing := func(p *Params) { p.rename = func(string, string) error { return broken } }
	t.Run("a change that can't be written changes nothing, and leaves nothing behind", func(t *testing.T) {
		dir := personal(t, `{"uploads": 5}`)
		hub := new(events.Hub)
		changed := hub.Subscribe()
		c := open(t, dir, failing, func(p *Params) { p.Events = hub })
		err := c.Change(func(s *Settings) { s.Uploads = 6 })
		var not *NotWritten
		if !errors.As(err, &not) || !errors.Is(err, broken) || not.Sentence() == "" {
			t.Errorf("%v", err)
		}
		if c.Settings().Uploads != 5 || changed.Take() != nil {
			t.Errorf("%d uploads, or it is told of", c.Settings().Uploads)
		}
		holds(t, dir, `{"uploads": 5}`)
		assert.Equal(t, []string{fileName}, names(t, dir))
	})
	t.Run("a broken file that can't be set aside is never written over", func(t *testing.T) {
		dir := personal(t, `{"uploads":`)
		c := open(t, dir, failing)
		if said := c.Notices(); len(said) != 1 {
			t.Errorf("said %q", said)
		}
		var not *NotWritten
		if err := c.Change(func(s *Settings) { s.Uploads = 6 }); !errors.As(err, &not) {
			t.Errorf("%v", err)
		}
		if got := content(t, dir); got != `{"uploads":` {
			t.Errorf("it has %s", got)
		}
	})
}

func TestAKilledWriter(t *testing.T) {
	t.Run("between writing and renaming: the settings of before hold, and the rest is swept an hour later", func(t *testing.T) {
		dir := personal(t, `{"uploads": 5}`)
		killed := open(t, dir, func(p *Params) { p.rename = func(string, string) error { panic("killed") } })
		func() {
			defer func() { _ = recover() }()
			_ = killed.Change(func(s *Settings) { s.Uploads = 6 })
		}()
		left := func() int {
			return len(slices.DeleteFunc(names(t, dir), func(name string) bool { return name == fileName }))
		}
		if left() != 1 {
			t.Fatalf("%v: it was not killed where it should be", names(t, dir))
		}
		write(t, filepath.Join(dir, strings.Replace(stateTempNames, "*", "1", 1)), "{")
		at := func(now time.Time) func(*Params) { return func(p *Params) { p.Now = func() time.Time { return now } } }
		c := open(t, dir, at(time.Now()))
		if c.Settings().Uploads != 5 || c.Notices() != nil || left() != 2 {
			t.Errorf("%+v, %v", c.Settings(), names(t, dir))
		}
		open(t, dir, at(time.Now().Add(2*staleAfter)))
		if left() != 0 {
			t.Errorf("%v", names(t, dir))
		}
	})
	t.Run("at any instant: the file is whole", func(t *testing.T) {
		dir := t.TempDir()
		for range 8 {
			killWriter(t, dir)
			c := open(t, dir)
			if said := c.Notices(); said != nil || c.Origin("uploads") != ByPerson {
				t.Fatalf("said %q, origin %d", said, c.Origin("uploads"))
			}
		}
	})
}

// writerFolder names, in the environment of a child, the folder whose settings it changes until it is killed.
const writerFolder = "ASSAY_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerFolder); dir != "" {
		os.Exit(writeForEver(dir)) //nolint:forbidigo // a program of its own
	}
	os.Exit(m.Run()) //nolint:forbidigo // as every TestMain
}

func writeForEver(dir string) int {
	c, err := Open(Params{Dir: dir})
	for n := 0; err == nil; n++ {
		err = c.Change(func(s *Settings) { s.Uploads, s.Storage.VaultMegabytes = 1+n%MaxUploads, 1000+n%100000 })
		_, _ = fmt.Fprintln(os.Stdout, n)
	}
	_, _ = fmt.Fprintln(os.Stderr, err)
	return 1
}

// killWriter lets another process change the settings of a folder a few times, and kills it while it does.
func killWriter(t *testing.T, dir string) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this very test
	child.Env = append(os.Environ(), writerFolder+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, child.Start())
	lines := bufio.NewScanner(out)
	written := 0
	for written < 4 && lines.Scan() {
		written++
	}
	if written < 4 {
		t.Errorf("it ended by itself after %d", written)
	}
	if err := child.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = child.Wait() // it was killed
}

// FuzzRead holds that no file stops Assay from starting, that a setting can be changed whatever stood there, and that it is there after
// the next start, together with all else that could be read.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"version": 1, "uploads": 5, "appearance": {"theme": "dark", "scale": 1.5}}`, `{}`, `null`, `[]`, `{"uploads": "5"}`, `{"desktop": 7, "uploads": null}`,
		`{"version": "x", "network": {"proxy": "http://a:b@c:1"}}`, "\ufeff{}", `{"uploads": 1, "uploads": 2}`, `{"version": 1e400}`, `{"gates": {"files": "never", "": {}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := personal(t, string(text))
		c := open(t, dir)
		before := c.Settings()
		for _, setting := range allSettings() {
			if why := validate(setting.key, setting.of(&before)); why != "" {
				t.Fatalf("%s holds what it can't be: %s", setting.key, why)
			}
		}
		change(t, c, func(s *Settings) { s.Uploads = s.Uploads%MaxUploads + 1 })
		want := before
		want.Uploads = before.Uploads%MaxUploads + 1
		again := open(t, dir)
		if !again.Settings().Equal(want) {
			t.Fatalf("%+v, want %+v", again.Settings(), want)
		}
		if damaged, _ := filepath.Glob(filepath.Join(dir, "settings-damaged-*-2.json")); damaged != nil {
			t.Fatal("what was written was damaged")
		}
	})
}

func TestState(t *testing.T) {
	want := State{WindowWidth: 1280, WindowHeight: 800, CrashSeen: "crash-20261121-191500.txt"}
	t.Run("what was saved is loaded, also over an earlier one", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "new")
		for _, s := range []State{{WindowWidth: 1}, want} {
			assert.NoError(t, SaveState(dir, s))
			assert.Equal(t, s, LoadState(dir))
		}
		if runtime.GOOS != "windows" {
			isPrivate(t, dir, filepath.Join(dir, stateName))
		}
		assert.Equal(t, []string{stateName}, names(t, dir))
	})
	t.Run("two that remember something at once both do", func(t *testing.T) {
		dir := t.TempDir()
		var all sync.WaitGroup
		for _, do := range []func(*State){
			func(s *State) { s.WindowWidth, s.WindowHeight = want.WindowWidth, want.WindowHeight }, func(s *State) { s.CrashSeen = want.CrashSeen },
		} {
			all.Go(func() {
				if err := ChangeState(dir, do); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		assert.Equal(t, want, LoadState(dir))
	})
	t.Run("what can't be read is as if it were not there", func(t *testing.T) {
		for _, text := range []string{"", "{", "[]", `{"windowWidth": "wide"}`} {
			dir := t.TempDir()
			write(t, filepath.Join(dir, stateName), text)
			if got := LoadState(dir); got != (State{}) {
				t.Errorf("%s: %+v", text, got)
			}
		}
		if got := LoadState(filepath.Join(t.TempDir(), "nowhere")); got != (State{}) {
			t.Errorf("%+v", got)
		}
	})
}
