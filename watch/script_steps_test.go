//go:build linux

package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The words of a script; testdata/README.md says what each means. Those of the disk are done one at a time, by the test and by what
// is to happen while a file is read.
var diskSteps, scriptSteps map[string]func(s *stage, args []string) error

func init() { //nolint:gochecknoinits // a step may do steps
	diskSteps = map[string]func(s *stage, args []string) error{
		// Files
		"write":              stepWrite,
		"open":               stepOpen,
		"open-again":         stepOpenAgain,
		"append":             stepAppend,
		"close":              stepClose,
		"rewrite":            stepRewrite,
		"rewrite-same":       stepRewriteSame,
		"rewrite-dated-back": stepRewriteDatedBack,
		"copy":               stepCopy,
		"rename":             func(s *stage, args []string) error { return s.rename(s.path(args[0]), s.path(args[1])) },
		"move-in":            stepMoveIn,
		"move-out":           stepMoveOut,
		"delete":             func(s *stage, args []string) error { return s.remove(s.path(args[0])) },
		"touch":              stepTouch,
		"date":               stepDate,
		"chmod":              stepChmod,
		"link":               stepLink,
		"symlink":            stepSymlink,
		"pipe":               func(s *stage, args []string) error { return s.pipe(s.path(args[0])) },
		"socket":             func(s *stage, args []string) error { return s.socket(s.path(args[0])) },
		"lock":               func(s *stage, args []string) error { return s.lock(args[0], true) },
		"unlock":             func(s *stage, args []string) error { return s.lock(args[0], false) },
		"while-read":         func(s *stage, args []string) error { return s.during(s.whileRead, args) },
		"while-announced":    func(s *stage, args []string) error { return s.during(s.whileAnnounced, args) },
		// Folders
		"mkdir":       func(s *stage, args []string) error { return s.mkdir(s.path(args[0])) },
		"move-in-dir": stepMoveInDir,
		"vanish":      func(s *stage, _ []string) error { return s.rename(s.root, s.aside) },
		"return":      func(s *stage, _ []string) error { return s.rename(s.aside, s.root) },
		"mount":       func(s *stage, _ []string) error { return s.mount() },
		"unmount":     func(s *stage, _ []string) error { return s.unmount() },
	}
	scriptSteps = map[string]func(s *stage, args []string) error{
		// What the system tells
		"lose":     func(s *stage, _ []string) error { s.source.lose(true); return nil },
		"overflow": func(s *stage, _ []string) error { s.source.lose(false); return nil },
		"full":     func(s *stage, _ []string) error { s.source.fill(true); return nil },
		"roomy":    func(s *stage, _ []string) error { s.source.fill(false); return nil },
		// Time
		"wait": stepWait,
		"jump": stepJump,
		// The watcher
		"settings":          stepSettings,
		"watch":             stepWatch,
		"also":              stepAlso,
		"stop":              func(s *stage, args []string) error { s.watcher.Remove(s.folderNamed(args).ID); return nil },
		"pause":             func(s *stage, _ []string) error { return s.pause(true) },
		"resume":            func(s *stage, _ []string) error { return s.pause(false) },
		"change":            stepChange,
		"restart":           func(s *stage, _ []string) error { return errors.Join(s.close(), s.open()) },
		"shut":              func(s *stage, _ []string) error { return s.close() },
		"start":             func(s *stage, _ []string) error { return s.open() },
		"crash-unnoticed":   func(s *stage, _ []string) error { s.crash(); return nil },
		"memory-fails":      stepMemoryFails,
		"remembering-fails": stepRememberingFails,
		"announcing-fails":  stepAnnouncingFails,
		"hold":              func(s *stage, _ []string) error { s.hold(true); return nil },
		"held":              func(s *stage, _ []string) error { return s.awaitHeld() },
		"release":           func(s *stage, _ []string) error { s.hold(false); return nil },
		// What must have come of it
		"expect":      stepExpect,
		"expect-one":  stepExpectOne,
		"complete":    func(s *stage, _ []string) error { return s.complete() },
		"expect-each": stepExpectEach,
		"reads":       stepReads,
		"phase":       stepPhase,
		"problem":     stepProblem,
		"counts":      stepCounts,
	}
}

// do does a step and nothing else; the watcher is given time by the caller.
func (s *stage) do(words []string) error {
	if step := diskSteps[words[0]]; step != nil {
		s.disk.Lock()
		defer s.disk.Unlock()
		s.changes.Add(1)
		return step(s, words[1:])
	}
	if step := scriptSteps[words[0]]; step != nil {
		return step(s, words[1:])
	}
	return fmt.Errorf("no such step: %q", words[0])
}

func stepWait(s *stage, args []string) error {
	if args[0] == "rest" {
		return s.wait(s.rules.rest(s.quiet()))
	}
	d, err := time.ParseDuration(args[0])
	if err != nil {
		return err
	}
	return s.wait(d)
}

func stepJump(s *stage, args []string) error {
	d, err := time.ParseDuration(args[0])
	if err != nil {
		return err
	}
	s.clock.jump(d)
	return nil
}

// setting reads "key=value" into a folder; a list's values have commas between them.
func setting(f *Folder, text string) error {
	key, value, _ := strings.Cut(text, "=")
	var list []string
	if value != "" {
		list = strings.Split(value, ",")
	}
	var err error
	switch key {
	case "only":
		f.Only = list
	case "skip":
		f.Skip = list
	case "subfolders":
		f.Subfolders, err = strconv.ParseBool(value)
	case "paused":
		f.Paused, err = strconv.ParseBool(value)
	case "quiet":
		f.Quiet, err = time.ParseDuration(value)
	default:
		return fmt.Errorf("no such setting: %q", key)
	}
	return err
}

func stepSettings(s *stage, args []string) error {
	for _, text := range args {
		if dir, own := strings.CutPrefix(text, "own="); own {
			s.own = append(s.own, s.path(dir))
			continue
		}
		if dir, at := strings.CutPrefix(text, "at="); at {
			s.folder.Path = s.path(dir)
			continue
		}
		if err := setting(&s.folder, text); err != nil {
			return err
		}
	}
	return nil
}

// stepWatch begins. "all" announces what stands there, else it counts as announced.
func stepWatch(s *stage, args []string) error {
	if len(args) == 0 {
		if err := s.stood(s.folder); err != nil {
			return err
		}
	}
	if s.watcher != nil {
		return s.watcher.Add(s.folder)
	}
	return s.open()
}

// stood remembers what stands in a folder as announced, as adding a folder does.
func (s *stage) stood(f Folder) error {
	var known []Known
	ctx := context.Background()
	if err := List(ctx, f, s.own, func(k Known) error { known = append(known, k); return nil }); err != nil {
		return err
	}
	for _, k := range known {
		content, err := os.ReadFile(filepath.Join(f.Path, k.Name))
		if err != nil {
			return err
		}
		s.counts[f.ID+":"+sumKey(content)] = stoodThere
	}
	return s.memory.testMemory.Remember(ctx, f.ID, known)
}

func stepAlso(s *stage, args []string) error {
	f := Folder{ID: args[0], Path: s.path(args[1])}
	for _, text := range args[2:] {
		if err := setting(&f, text); err != nil {
			return err
		}
	}
	s.others = append(s.others, f)
	if s.watcher == nil {
		return nil
	}
	return s.watcher.Add(f)
}

// folderNamed is the folder that a step names, or the one that it need not name.
func (s *stage) folderNamed(args []string) Folder {
	for _, f := range s.others {
		if len(args) > 0 && f.ID == args[0] {
			return f
		}
	}
	return s.folder
}

func (s *stage) pause(paused bool) error {
	s.folder.Paused = paused
	return s.watcher.Change(s.folder)
}

func stepChange(s *stage, args []string) error {
	for _, text := range args {
		if err := setting(&s.folder, text); err != nil {
			return err
		}
	}
	return s.watcher.Change(s.folder)
}

// crash cuts the memory off from the process before it remembers what is announced next.
func (s *stage) crash() {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	s.memory.crash = true
	s.again++
}

func stepMemoryFails(s *stage, args []string) error {
	n, err := strconv.Atoi(args[0])
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	s.memory.failures = n
	s.again += n
	return err
}

// stepRememberingFails lets announced contents not be remembered. Whoever announced them knows of them all the same.
func stepRememberingFails(s *stage, args []string) error {
	n, err := strconv.Atoi(args[0])
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	s.memory.forgetful = n
	return err
}

func stepAnnouncingFails(s *stage, args []string) error {
	n, err := strconv.Atoi(args[0])
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusals = n
	return err
}

// hold makes announcements wait, or no longer.
func (s *stage) hold(held bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held {
		s.gate, s.waiting = make(chan struct{}), make(chan struct{}, 1)
	} else if s.gate != nil {
		close(s.gate)
		s.gate = nil
	}
}

// awaitHeld returns once an announcement is being held up.
func (s *stage) awaitHeld() error {
	select {
	case <-s.waiting:
		return nil
	case <-s.t.Context().Done():
		return s.t.Context().Err()
	}
}

// end lets go of everything.
func (s *stage) end() error {
	s.hold(false)
	var errs []error
	for _, w := range s.writers {
		if w.file != nil {
			errs = append(errs, w.file.Close())
		}
	}
	errs = append(errs, s.close())
	if s.mounted {
		errs = append(errs, unix.Unmount(s.root, 0))
	}
	return errors.Join(errs...)
}
