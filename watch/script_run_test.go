//go:build linux

package watch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
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
			if err != nil {
				t.Fatal(err)
			}
			script, err := parseScript(string(text))
			if err != nil {
				t.Fatal(err)
			}
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
	if err != nil {
		t.Fatal(err)
	}
	script, err := parseScript(string(text))
	if err != nil {
		t.Fatal(err)
	}
	playScript(t, script, scriptPlatforms[i], os.Getenv(scriptLiveVariable) == "true")
}
