package logs

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
)

// In the environment of a child: what it does, and the folder of its crashes.
const (
	childDoes   = "ASSAY_TEST_CHILD"
	childFolder = "ASSAY_TEST_CRASHES"
)

func TestMain(m *testing.M) {
	if does := os.Getenv(childDoes); does != "" {
		os.Exit(child(does)) //nolint:forbidigo // a program of its own
	}
	os.Exit(m.Run()) //nolint:forbidigo // as every TestMain
}

func child(does string) int {
	secrets := new(Secrets)
	secrets.Add(marker)
	log := New(os.Stderr, slog.LevelDebug, secrets)
	crashes := Crashes{Dir: os.Getenv(childFolder)}
	end, err := crashes.Begin()
	if err != nil {
		log.Error("begin", "error", err)
		return 1
	}
	switch does {
	case "end":
		end()
	case "wait", "wait and panic":
		_, _ = fmt.Fprintln(os.Stdout, "ready")
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is closed
		if does == "wait" {
			end()
			return 0
		}
		panic("later")
	case "panic":
		breakDown(marker)
	case "panic in a goroutine":
		go breakDown(marker)
		select {}
	case "panic with lines":
		panic(errors.New("one\ngoroutine 1 [running]:\nmain." + marker + "()\n\t/" + marker + ".go:12 +0x1\n"))
	case "nil":
		var nobody *Report
		_, _ = fmt.Fprintln(os.Stdout, nobody.Name)
	}
	return 0
}

//go:noinline
func breakDown(key string) { panic(fmt.Errorf("the service did not accept %q", key)) }

// run runs a child to its end.
func run(t *testing.T, does, dir string) {
	t.Helper()
	c := start(t, does, dir)
	c.end(t)
}

type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
}

// start starts a child; one that waits is at that.
func start(t *testing.T, does, dir string) *process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this very test
	cmd.Env = append(os.Environ(), childDoes+"="+does, childFolder+"="+dir)
	in, err := cmd.StdinPipe()
	assert.NoError(t, err)
	out, err := cmd.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, cmd.Start())
	if strings.HasPrefix(does, "wait") {
		if text, err := bufio.NewReader(out).ReadString('\n'); text != "ready\n" {
			t.Fatal(text, err)
		}
	}
	return &process{cmd, in}
}

// end has it go on, and waits.
func (p *process) end(t *testing.T) {
	t.Helper()
	if err := p.in.Close(); err != nil {
		t.Error(err)
	}
	_ = p.cmd.Wait() // how it ends is the test's own matter
}

func TestCrashes(t *testing.T) {
	collect := func(t *testing.T, dir string) Report {
		t.Helper()
		crashes := Crashes{Dir: dir, Version: "1.2.3"}
		report, ok := crashes.Collect()
		if !ok {
			t.Fatalf("no report; the folder has %v", names(t, dir))
		}
		return report
	}
	for _, does := range []string{"panic", "panic in a goroutine", "panic with lines", "nil"} {
		t.Run(does+": the next start finds where the program stood, and nobody's words", func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "log")
			run(t, does, dir)
			isPrivate(t, dir)
			report := collect(t, dir)
			assert.Equal(t, []string{report.Name}, names(t, dir))
			isPrivate(t, dir)
			for _, text := range []string{report.Text, read(t, report.Path)} {
				clean(t, text)
				for _, want := range []string{"Assay 1.2.3 (", "panic: ", "goroutine ", "assay/client/logs.", "client/logs/crashes_test.go:"} {
					if !strings.Contains(text, want) {
						t.Errorf("without %q:\n%s", want, text)
					}
				}
				folder, err := os.Getwd()
				assert.NoError(t, err)
				if strings.Contains(text, folder) || strings.Contains(text, "did not accept") {
					t.Errorf("it tells too much:\n%s", text)
				}
			}
			if does == "nil" && !strings.Contains(report.Text, "panic: runtime error: invalid memory address or nil pointer dereference\n[signal ") {
				t.Errorf("the runtime's own words are missing:\n%s", report.Text)
			}
		})
	}
	t.Run("an end in order leaves nothing", func(t *testing.T) {
		dir := t.TempDir()
		run(t, "end", dir)
		if got := names(t, dir); got != nil {
			t.Errorf("%v", got)
		}
	})
	t.Run("a process that was killed leaves no report", func(t *testing.T) {
		dir := t.TempDir()
		c := start(t, "wait", dir)
		assert.NoError(t, c.cmd.Process.Kill())
		c.end(t)
		crashes := Crashes{Dir: dir}
		if report, ok := crashes.Collect(); ok || names(t, dir) != nil {
			t.Errorf("%+v, %v", report, names(t, dir))
		}
	})
	t.Run("a process that runs still is left alone, and its crash is found later", func(t *testing.T) {
		dir := t.TempDir()
		waits, breaks := start(t, "wait", dir), start(t, "wait and panic", dir)
		crashes := Crashes{Dir: dir}
		if report, ok := crashes.Collect(); ok || len(names(t, dir)) != 2 {
			t.Errorf("%+v, %v", report, names(t, dir))
		}
		breaks.end(t)
		report := collect(t, dir)
		if got := len(names(t, dir)); got != 2 {
			t.Errorf("%v", names(t, dir))
		}
		waits.end(t)
		assert.Equal(t, []string{report.Name}, names(t, dir))
	})
	t.Run("an earlier report is returned again: who tells of it remembers its name", func(t *testing.T) {
		dir := t.TempDir()
		run(t, "panic", dir)
		first := collect(t, dir)
		assert.Equal(t, first, collect(t, dir))
	})
	t.Run("the newest three are kept", func(t *testing.T) {
		dir := t.TempDir()
		at := time.Date(2026, 11, 21, 19, 15, 0, 0, time.UTC)
		for n, offset := range []int{3, 1, 4, 0, 4} {
			path := filepath.Join(dir, fmt.Sprintf("crash-new-%d.txt", n))
			assert.NoError(t, os.WriteFile(path, []byte("panic: x\n\ngoroutine 1 [running]:\nmain.main()\n"), 0o600))
			when := at.Add(time.Duration(offset) * time.Second)
			assert.NoError(t, os.Chtimes(path, when, when))
		}
		report := collect(t, dir)
		want := []string{"crash-20261121-191503.txt", "crash-20261121-191504-2.txt", "crash-20261121-191504.txt"}
		assert.Equal(t, want, names(t, dir))
		if !slices.Contains(want[1:], report.Name) || !report.When.Equal(at.Add(4*time.Second)) {
			t.Errorf("%+v", report)
		}
	})
	t.Run("without a folder there is none", func(t *testing.T) {
		crashes := Crashes{Dir: filepath.Join(t.TempDir(), "nowhere")}
		if report, ok := crashes.Collect(); ok {
			t.Errorf("%+v", report)
		}
	})
	t.Run("where it can't be written down, the program goes on", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		assert.NoError(t, os.WriteFile(file, nil, 0o600))
		crashes := Crashes{Dir: filepath.Join(file, "log")}
		end, err := crashes.Begin()
		if err == nil {
			t.Error("it can")
		}
		end()
	})
}

func TestStacks(t *testing.T) {
	raw := "panic: the key " + marker + " [recovered]\n\tpanic: runtime error: index out of range [5] with length 3\n\n" +
		"goroutine 18 gp=0xc000 m=nil [chan receive, 5 minutes]:\nassay/gui.(*app).show.func1({0xc0001, 0x5}, 0x3?, ...)\n" +
		"\t/home/jane doe/src/assay/gui/app.go:212 +0x1b\ncreated by net/http.(*Server).Serve in goroutine 1\n" +
		"\tC:/Users/jane/go/src/net/http/server.go:3285 +0x4b4\nwho " + marker + " is\n" + marker + "\nrax    0x0\nexit status 2\n"
	told := stacksOf(raw)
	clean(t, told)
	want := "panic: …\npanic: runtime error: index out of range [5] with length 3\n" +
		"goroutine 18 gp=0xc000 m=nil [chan receive, 5 minutes]:\nassay/gui.(*app).show.func1({0xc0001, 0x5}, 0x3?, ...)\n" +
		"\tassay/gui/app.go:212 +0x1b\ncreated by net/http.(*Server).Serve in goroutine 1\n\tnet/http/server.go:3285 +0x4b4\n…\nrax    0x0\nexit status 2\n"
	assert.Equal(t, want, told)
	t.Run("a goroutine that all wait for", func(t *testing.T) {
		raw := "fatal error: all goroutines are asleep - deadlock!\n\nruntime stack:\nruntime.throw({0x1, 0x2})\n\ngoroutine 1 [select (no cases)]:\nmain.main()\n\t/a/b/c/d/main.go:5 +0x13\n"
		assert.Equal(t, strings.ReplaceAll(raw, "/a/b/c/d", "c/d"), stacksOf(raw))
	})
}

// FuzzStacks holds that nothing the program says as it breaks down, whatever lines it is made of, is told.
func FuzzStacks(f *testing.F) {
	f.Add("", "")
	f.Add("a\n\ngoroutine 1 [running]:\nmain.", "()\n\t/a.go:1 +0x1\n")
	f.Add("runtime error: ", "")
	f.Add("x\n", ".go:12") // as a place is written
	f.Add("x\n\n\tpanic: sync: ", " [recovered]\nexit status 1")
	f.Fuzz(func(t *testing.T, before, after string) {
		const word = "WORDOFAPERSON"
		message := strings.ReplaceAll(before+word+after, "\n", "\n\t") // as the runtime does
		told := stacksOf("panic: " + message + "\n\ngoroutine 1 [running]:\nmain.main()\n\t/a/b/main.go:5 +0x1\n")
		if strings.Contains(told, word) || !strings.HasSuffix(told, "goroutine 1 [running]:\nmain.main()\n\ta/b/main.go:5 +0x1\n") {
			t.Errorf("%q", told)
		}
	})
}
