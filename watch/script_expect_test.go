//go:build linux

package watch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
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

// stepProblem wants a problem of any kind, or "none".
func stepProblem(s *stage, args []string) error {
	state, _ := s.watcher.State(s.folderNamed(args[1:]).ID)
	if args[0] == "none" {
		if state.Problem != nil {
			return fmt.Errorf("the problem is %w, want none", state.Problem)
		}
		return nil
	}
	var problem *Problem
	if !errors.As(state.Problem, &problem) {
		return fmt.Errorf("the problem is %q, want one of a kind", fmt.Sprint(state.Problem))
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

// stage is where a script plays: a folder on the disk, a clock that stands still, a source of hints, a memory that survives the
// watcher, and what was announced. Its steps run on the test's goroutine, or on the watcher's while that reads a file.
type stage struct {
	t     testing.TB
	rules scriptRules
	live  bool // the hints are the system's own
	clock *scriptClock

	base    string // holds all that follows
	root    string // is watched
	outside string // is not, on the same disk
	aside   string // where root goes when it vanishes

	memory  *scriptMemory
	receive func(ctx context.Context, files []File) error // takes files over; nil: announce does
	folder  Folder
	others  []Folder
	own     []string
	watcher *Watcher
	source  *scriptSource
	events  *scriptEvents // nil with the system's own
	changes atomic.Int64  // of the disk, so far
	mounted bool          // on root
	made    int           // contents
	stamps  int           // of files
	again   int           // how often a content may have been announced once more, for a crash came before it was remembered
	log     *scriptLog

	disk    sync.Mutex               // held by who changes it
	writers map[string]*scriptWriter // that stay open, by the name under which they were opened

	mu             sync.Mutex          // what follows belongs to the watcher's goroutines too
	finished       map[Sum]string      // contents that a writer has finished, and under which name
	announced      []File              // since the last expectation
	counts         map[string]int      // how often each content was announced, ever; by folder and sumKey
	reads          []string            // files that were read, since the last expectation
	gate           chan struct{}       // announcements wait for it; nil: they do not
	waiting        chan struct{}       // one does
	refusals       int                 // of announcements to come
	locked         map[string]bool     // paths that can't be read
	whileRead      map[string][]string // steps to do while a path is read
	whileAnnounced map[string][]string // likewise, taken over
	faults         []error
}

const scriptFolder = "folder"

var (
	errRefused = errors.New("refused by the script")
	errCrashed = errors.New("the process is gone")
	errLocked  = errors.New("another process has locked a part of the file")
)

func newStage(t testing.TB, rules scriptRules, live bool) *stage {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	s := &stage{
		t: t, rules: rules, live: live, clock: newScriptClock(), base: base,
		root: filepath.Join(base, "in"), outside: filepath.Join(base, "outside"), aside: filepath.Join(base, "aside"),
		memory: newScriptMemory(), writers: make(map[string]*scriptWriter), finished: make(map[Sum]string), counts: make(map[string]int),
		locked: make(map[string]bool), whileRead: make(map[string][]string), whileAnnounced: make(map[string][]string), log: &scriptLog{},
	}
	s.folder = Folder{ID: scriptFolder, Path: s.root}
	for _, dir := range []string{s.root, s.outside, filepath.Join(base, "barrier")} {
		if err := os.Mkdir(dir, 0o755); err != nil { //nolint:gosec // a script may be played as another user
			t.Fatal(err)
		}
	}
	return s
}

// open starts a watcher on what the memory holds.
func (s *stage) open() error {
	receive := s.receive
	if receive == nil {
		receive = s.announce
	}
	w, err := Open(Params{
		Memory: s.memory, Announce: receive, Own: s.own, Hash: s.hash, Now: s.clock.Now, After: s.clock.After,
		Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})), source: s.openSource,
	})
	if err != nil {
		return err
	}
	s.watcher = w
	for _, folder := range append([]Folder{s.folder}, s.others...) {
		if err := w.Add(folder); err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) openSource(emit func(hint)) (source, error) {
	s.source = &scriptSource{emit: emit, added: make(map[string]bool), passed: -1, reached: make(map[string]chan struct{})}
	if !s.live {
		s.events = newScriptEvents(s.rules, s.source.pass)
		s.source.source = s.events
		return s.source, nil
	}
	s.source.barrier = filepath.Join(s.base, "barrier")
	system, err := openSource(s.source.pass)
	if err != nil {
		return nil, err
	}
	s.source.source = system
	return s.source, system.add(s.source.barrier)
}

// close ends the watcher as the app's end does, or its crash.
func (s *stage) close() error {
	if s.watcher == nil {
		return nil
	}
	s.watcher.Close()
	s.watcher, s.events, s.source = nil, nil, nil
	s.memory.recover()
	return nil
}

// settle returns when the watcher has done all that it can do at this instant.
func (s *stage) settle() error {
	s.mu.Lock()
	held := s.gate != nil
	s.mu.Unlock()
	if s.watcher == nil || held {
		return nil
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	if err := s.source.passBarrier(ctx, s.changes.Load()); err != nil {
		return fmt.Errorf("the system's hints stay away: %w", err)
	}
	if err := s.watcher.waitIdle(ctx); err != nil {
		return fmt.Errorf("the watcher does not come to rest: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.faults...)
}

// wait lets time pass, timer by timer, and the watcher do what is due at each.
func (s *stage) wait(d time.Duration) error {
	if err := s.settle(); err != nil {
		return err
	}
	end := s.clock.end(d)
	for {
		arrived := s.clock.step(end)
		if err := s.settle(); err != nil || arrived {
			return err
		}
	}
}

func (s *stage) quiet() time.Duration {
	if s.folder.Quiet > 0 {
		return s.folder.Quiet
	}
	return QuietLocal
}

// announce takes files over, and holds each to what its writer made of it.
func (s *stage) announce(ctx context.Context, files []File) error {
	s.mu.Lock()
	gate, waiting := s.gate, s.waiting
	s.mu.Unlock()
	if gate != nil {
		select {
		case waiting <- struct{}{}:
		default:
		}
		select {
		case <-gate:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if s.memory.isGone() {
		return errCrashed
	}
	if s.refuse() {
		return errRefused
	}
	for _, f := range files {
		s.take(f)
		s.mu.Lock()
		steps := s.whileAnnounced[f.Path]
		delete(s.whileAnnounced, f.Path)
		s.mu.Unlock()
		s.doMeanwhile(steps)
	}
	return nil
}

func (s *stage) refuse() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refusals == 0 {
		return false
	}
	s.refusals--
	return true
}

// take takes one file over.
func (s *stage) take(f File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.announced = append(s.announced, f)
	s.counts[f.Folder+":"+string(f.SHA256[:])]++
	if s.counts[f.Folder+":"+string(f.SHA256[:])] > 1+s.again {
		s.faults = append(s.faults, fmt.Errorf("%s was announced with a content that was announced before, or stood there", s.name(f)))
	}
	if f.Size == 0 {
		s.faults = append(s.faults, fmt.Errorf("%s was announced, which is empty", s.name(f)))
	}
	if _, finished := s.finished[f.SHA256]; !finished {
		s.faults = append(s.faults, fmt.Errorf("%s was announced with a content of %d bytes that no writer has finished", s.name(f), f.Size))
	}
}

// doMeanwhile does a step on a goroutine of the watcher's. A file that is not there any more is no fault.
func (s *stage) doMeanwhile(steps []string) {
	if steps == nil {
		return
	}
	if err := s.do(steps); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = append(s.faults, err)
	}
}

// hash reads a file, as package watch would do it itself.
func (s *stage) hash(_ context.Context, f *os.File) (Sum, error) {
	s.mu.Lock()
	s.reads = append(s.reads, below(s.folder.Path, f.Name()))
	locked, steps := s.locked[f.Name()], s.whileRead[f.Name()]
	delete(s.whileRead, f.Name())
	s.mu.Unlock()
	if locked {
		return Sum{}, errLocked
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return Sum{}, err
	}
	s.doMeanwhile(steps)
	return Sum(hash.Sum(nil)), nil
}

// name is what a script calls an announced file: its path below its folder, behind the folder's name if it is another.
func (s *stage) name(f File) string {
	for _, other := range s.others {
		if other.ID == f.Folder {
			return other.ID + ":" + below(other.Path, f.Path)
		}
	}
	return below(s.folder.Path, f.Path)
}

// below is a path below a folder, or the whole path where it is not.
func below(folder, path string) string {
	if rest, found := strings.CutPrefix(path, folder+string(filepath.Separator)); found {
		return rest
	}
	return path
}

// scriptLog keeps what the watcher logged, for a script that fails.
type scriptLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *scriptLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *scriptLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
