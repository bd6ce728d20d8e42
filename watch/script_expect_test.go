//go:build linux

package watch

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// scriptSoon is how long after a complete file's last event it may take until it is announced.
const scriptSoon = 200 * time.Millisecond

// stepExpect holds what was announced since the last expectation to a list of files, in any order, or to "nothing".
func stepExpect(s *stage, args []string) error {
	if slices.Equal(args, []string{"nothing"}) {
		args = nil
	} else if err := s.wait(scriptSoon); err != nil {
		return err
	}
	got, err := s.takeAnnounced()
	if err != nil {
		return err
	}
	if want := slices.Sorted(slices.Values(args)); !slices.Equal(got, want) {
		return fmt.Errorf("announced: %q, want %q", got, want)
	}
	return nil
}

// stepExpectOne wants one of the files, once: they have the same content.
func stepExpectOne(s *stage, args []string) error {
	if err := s.wait(scriptSoon); err != nil {
		return err
	}
	got, err := s.takeAnnounced()
	if err != nil {
		return err
	}
	if len(got) != 1 || !slices.Contains(args, got[0]) {
		return fmt.Errorf("announced: %q, want one of %q", got, args)
	}
	return nil
}

// stepExpectEach wants each of the files at least once, and nothing else: there was a fault after which they may come again.
func stepExpectEach(s *stage, args []string) error {
	if err := s.wait(scriptSoon); err != nil {
		return err
	}
	got, err := s.takeAnnounced()
	if err != nil {
		return err
	}
	if want := slices.Sorted(slices.Values(args)); !slices.Equal(slices.Compact(got), want) {
		return fmt.Errorf("announced: %q, want %q", got, want)
	}
	return nil
}

// takeAnnounced gives the names of what was announced since it was called last, sorted. What is announced must be what stands
// there now, unless that has gone already.
func (s *stage) takeAnnounced() ([]string, error) {
	s.mu.Lock()
	announced := s.announced
	s.announced = nil
	s.mu.Unlock()
	var names []string
	seen := make(map[string]bool)
	for _, f := range slices.Backward(announced) {
		content, err := os.ReadFile(f.Path)
		if err == nil && !seen[f.Path] && (sha256.Sum256(content) != f.SHA256 || int64(len(content)) != f.Size) {
			return nil, fmt.Errorf("%s was announced last with another content than it has now", s.name(f))
		}
		seen[f.Path] = true
		names = append(names, s.name(f))
	}
	slices.Sort(names)
	return names, nil
}

// stepReads holds the files that were read since the last such step to a list, or to "nothing".
func stepReads(s *stage, args []string) error {
	if slices.Equal(args, []string{"nothing"}) {
		args = nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	got, want := slices.Sorted(slices.Values(s.reads)), slices.Sorted(slices.Values(args))
	s.reads = nil
	if !slices.Equal(got, want) {
		return fmt.Errorf("read: %q, want %q", got, want)
	}
	return nil
}

func stepPhase(s *stage, args []string) error {
	state, watched := s.watcher.State(s.folderNamed(args[1:]).ID)
	if !watched || string(state.Phase) != args[0] {
		return fmt.Errorf("the phase is %q, want %q", state.Phase, args[0])
	}
	return nil
}

// stepProblem wants a problem that has a sentence, or "none".
func stepProblem(s *stage, args []string) error {
	state, _ := s.watcher.State(s.folderNamed(args[1:]).ID)
	if args[0] == "none" {
		if state.Problem != nil {
			return fmt.Errorf("the problem is %w, want none", state.Problem)
		}
		return nil
	}
	said, ok := state.Problem.(interface{ Sentence() string })
	if !ok || said.Sentence() == "" {
		return fmt.Errorf("the problem is %q, want one with a sentence", fmt.Sprint(state.Problem))
	}
	return nil
}

// stepCounts holds the folder's figures to "files=3", "settling=1", "offered=0", "last=a.jpg".
func stepCounts(s *stage, args []string) error {
	state, _ := s.watcher.State(scriptFolder)
	got := map[string]string{
		"files": strconv.Itoa(state.Files), "settling": strconv.Itoa(state.Settling), "offered": strconv.Itoa(state.Offered),
		"last": below(s.folder.Path, state.Last.Path),
	}
	for _, arg := range args {
		name, want, _ := strings.Cut(arg, "=")
		if got[name] != want {
			return fmt.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	return nil
}

// stoodThere is how often contents count as announced that stood in the folder when it was added: no crash excuses one more.
const stoodThere = 1000

func sumKey(content []byte) string {
	sum := sha256.Sum256(content)
	return string(sum[:])
}

// complete wants every file that counts and that nobody is writing to have been announced, or to have stood there. That none is
// announced twice is held at each announcement.
func (s *stage) complete() error {
	return filepath.WalkDir(s.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) == ".tmp" {
			return err
		}
		for _, w := range s.writers {
			if w.path == path {
				return nil
			}
		}
		content, err := os.ReadFile(path) //nolint:gosec // the script's own folder
		if err != nil || len(content) == 0 {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.counts[scriptFolder+":"+sumKey(content)] == 0 {
			return fmt.Errorf("%s stands there and was never announced", below(s.root, path))
		}
		return nil
	})
}
