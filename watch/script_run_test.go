//go:build linux

package watch

import (
	"container/heap"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// script is a file of testdata: under which systems' rules it is played, and its steps. testdata/README.md describes both.
type script struct {
	on        []string
	needs     string // what the process must be able to do, or unable; "": nothing
	simulated string // why it can't be played with the system's own events; "": it can
	lines     []scriptLine
}

type scriptLine struct {
	number int
	on     []string // only under these systems' rules; none: under all
	words  []string
}

var scriptPlatforms = []scriptRules{linuxRules, windowsRules, macosRules, pollingRules}

func parseScript(text string) (script, error) {
	s := script{}
	for i, line := range strings.Split(text, "\n") {
		words, err := scriptWords(line)
		if err != nil {
			return script{}, fmt.Errorf("line %d: %w", i+1, err)
		}
		if len(words) == 0 {
			continue
		}
		name, named := strings.CutSuffix(words[0], ":")
		switch {
		case !named:
			s.lines = append(s.lines, scriptLine{number: i + 1, words: words})
		case name == "on":
			s.on = words[1:]
		case name == "needs":
			s.needs = strings.Join(words[1:], " ")
		case name == "simulated-only":
			s.simulated = strings.Join(words[1:], " ")
		default:
			s.lines = append(s.lines, scriptLine{number: i + 1, on: strings.Split(name, ","), words: words[1:]})
		}
	}
	if len(s.on) == 0 {
		return script{}, errors.New("no line says on which systems")
	}
	return s, nil
}

// scriptWords splits a line at its spaces. A word in double quotes is one of Go's strings; # begins a comment.
func scriptWords(line string) ([]string, error) {
	var words []string
	for {
		line = strings.TrimLeft(line, " \t")
		switch {
		case line == "" || line[0] == '#':
			return words, nil
		case line[0] == '"':
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, err
			}
			word, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			words, line = append(words, word), line[len(quoted):]
		default:
			word, rest, _ := strings.Cut(line, " ")
			words, line = append(words, word), rest
		}
	}
}

// play does a script's steps. It begins to watch before the first, unless the script says when.
func (s *stage) play(script script) (err error) {
	defer func() { err = errors.Join(err, s.end()) }()
	lines := script.lines
	if !slices.ContainsFunc(lines, func(l scriptLine) bool { return l.words[0] == "watch" }) {
		at := 0
		for at < len(lines) && lines[at].words[0] == "settings" {
			at++
		}
		lines = slices.Insert(slices.Clone(lines), at, scriptLine{words: []string{"watch"}})
	}
	for _, line := range lines {
		if len(line.on) > 0 && !slices.Contains(line.on, s.rules.name) {
			continue
		}
		if err := s.do(line.words); err != nil {
			return fmt.Errorf("line %d: %s: %w", line.number, strings.Join(line.words, " "), err)
		}
		if err := s.settle(); err != nil {
			return fmt.Errorf("line %d: after %s: %w", line.number, strings.Join(line.words, " "), err)
		}
	}
	return nil
}

// TestScripts plays the scripts in testdata by each system's rules, and those for Linux by the system's own events as well.
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			must(t, err)
			script, err := parseScript(string(text))
			must(t, err)
			// A script in a process of its own is played while no other is: between its birth and its own program a process
			// has all files open that this one has, and seems to write them.
			parallel := func(t *testing.T) {
				if script.needs == "" {
					t.Parallel()
				}
			}
			parallel(t)
			for _, rules := range scriptPlatforms {
				if !slices.Contains(script.on, rules.name) {
					continue
				}
				t.Run(rules.name, func(t *testing.T) {
					parallel(t)
					playWhereAble(t, script, string(text), rules, false)
				})
				if rules.name == linuxRules.name && script.simulated == "" {
					t.Run("linux with its own events", func(t *testing.T) {
						parallel(t)
						playWhereAble(t, script, string(text), rules, true)
					})
				}
			}
		})
	}
}

func playScript(t *testing.T, script script, rules scriptRules, live bool) {
	t.Helper()
	s := newStage(t, rules, live)
	err := s.play(script)
	if script.needs == needsMounts && errors.Is(err, syscall.EPERM) {
		t.Skip(err) // some systems give a process a world of its own, and forbid it to do anything with it
	}
	if err != nil {
		t.Errorf("%v\nWhat the watcher logged:\n%s", err, s.log)
	}
}

// What a script may need.
const (
	needsNoPrivileges = "no privileges" // root may read everything
	needsMounts       = "mounts"
)

// The environment in which TestScriptInAnotherProcess plays a script.
const (
	scriptRulesVariable = "ASSAY_WATCH_SCRIPT_RULES" // a system's name
	scriptLiveVariable  = "ASSAY_WATCH_SCRIPT_LIVE"  // "true": with the system's own events
)

// playWhereAble plays a script in this process, or, where it needs what this process may not do, in one of its own.
func playWhereAble(t *testing.T, script script, text string, rules scriptRules, live bool) {
	t.Helper()
	attributes := &syscall.SysProcAttr{}
	switch script.needs {
	case "":
		playScript(t, script, rules, live)
		return
	case needsNoPrivileges:
		if os.Geteuid() != 0 {
			playScript(t, script, rules, live)
			return
		}
		attributes.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	case needsMounts:
		attributes.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	default:
		t.Fatalf("nothing known of a need for %q", script.needs)
	}
	test := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestScriptInAnotherProcess$", "-test.v")
	test.Dir = string(filepath.Separator) // where anyone may be
	test.SysProcAttr = attributes
	test.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", scriptRulesVariable+"="+rules.name, scriptLiveVariable+"="+strconv.FormatBool(live))
	test.Stdin = strings.NewReader(text)
	output, err := test.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL) {
		t.Skipf("this machine does not let a process have %s: %v", script.needs, err)
	}
	if strings.Contains(string(output), "--- SKIP: TestScriptInAnotherProcess") {
		t.Skipf("this machine does not let a process have %s:\n%s", script.needs, output)
	}
	if err != nil || !strings.Contains(string(output), "--- PASS: TestScriptInAnotherProcess") {
		t.Errorf("%v\n%s", err, output)
	}
}

// TestScriptInAnotherProcess plays the script on its standard input, for TestScripts.
func TestScriptInAnotherProcess(t *testing.T) {
	i := slices.IndexFunc(scriptPlatforms, func(r scriptRules) bool { return r.name == os.Getenv(scriptRulesVariable) })
	if i < 0 {
		t.Skip("for TestScripts")
	}
	text, err := io.ReadAll(os.Stdin)
	must(t, err)
	script, err := parseScript(string(text))
	must(t, err)
	playScript(t, script, scriptPlatforms[i], os.Getenv(scriptLiveVariable) == "true")
}

// scriptClock stands still until a script moves it. Its wall clock can be set without time passing, as a person or a time server
// does it.
type scriptClock struct {
	mu     sync.Mutex
	now    time.Time     // with a monotonic reading
	jumped time.Duration // by how much the wall clock was set
	timers scriptTimers
}

func newScriptClock() *scriptClock {
	return &scriptClock{now: time.Now()}
}

func (c *scriptClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return setWall(c.now, c.jumped)
}

func (c *scriptClock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	timer := scriptTimer{at: c.now.Add(d), fire: make(chan time.Time, 1)}
	if d <= 0 {
		timer.fire <- setWall(c.now, c.jumped)
	} else {
		heap.Push(&c.timers, timer)
	}
	return timer.fire
}

// jump sets the wall clock; no time passes.
func (c *scriptClock) jump(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.jumped += by
}

// step lets time pass up to the next timer, and at most up to end, and fires what is due then.
func (c *scriptClock) step(end time.Time) (arrived bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	to := end
	if len(c.timers) > 0 && c.timers[0].at.Before(end) {
		to = c.timers[0].at
	}
	if to.After(c.now) {
		c.now = to
	}
	for len(c.timers) > 0 && !c.timers[0].at.After(c.now) {
		heap.Pop(&c.timers).(scriptTimer).fire <- setWall(c.now, c.jumped)
	}
	return !c.now.Before(end)
}

// end is the instant that lies d ahead.
func (c *scriptClock) end(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.Add(d)
}

type scriptTimer struct {
	at   time.Time
	fire chan time.Time
}

type scriptTimers []scriptTimer

func (t scriptTimers) Len() int           { return len(t) }
func (t scriptTimers) Less(i, j int) bool { return t[i].at.Before(t[j].at) }
func (t scriptTimers) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *scriptTimers) Push(timer any)    { *t = append(*t, timer.(scriptTimer)) }
func (t *scriptTimers) Pop() any {
	last := len(*t) - 1
	timer := (*t)[last]
	*t = (*t)[:last]
	return timer
}

// setWall moves the wall reading of a time, by whole seconds, and leaves its monotonic reading alone, for which package time has no
// call: in a time with both, the wall reading's seconds begin at bit 30 of the first word. TestScriptClock holds that.
func setWall(t time.Time, by time.Duration) time.Time {
	*(*uint64)(unsafe.Pointer(&t)) += uint64(int64(by/time.Second)) << 30 //nolint:gosec // see above
	return t
}

func TestScriptClock(t *testing.T) {
	t.Run("the wall clock is set and no time passes", func(t *testing.T) {
		for _, by := range []time.Duration{0, 3 * time.Hour, -3 * time.Hour, 365 * 24 * time.Hour} {
			c := newScriptClock()
			before := c.Now()
			c.jump(by)
			after := c.Now()
			if passed := after.Sub(before); passed != 0 {
				t.Errorf("%v: %v passed", by, passed)
			}
			equal(t, after.Round(0).Sub(before.Round(0)), by)
		}
	})
	t.Run("timers fire in their order, one instant after the other", func(t *testing.T) {
		c := newScriptClock()
		late, soon := c.After(2*time.Second), c.After(time.Second)
		end := c.end(3 * time.Second)
		if c.step(end) || len(soon) != 1 || len(late) != 0 {
			t.Fatalf("after one step: %d, %d", len(soon), len(late))
		}
		if c.step(end) || len(late) != 1 {
			t.Fatal("after two steps the second has not fired")
		}
		if !c.step(end) {
			t.Fatal("the end was not reached")
		}
	})
}
