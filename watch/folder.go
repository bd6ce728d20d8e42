package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// folder is a watched folder: an actor. Its goroutine never blocks; what may block, its work, runs on another goroutine, one piece at a time, so that
// a disk or a share that hangs holds up no other folder.
type folder struct {
	w      *Watcher
	id     string
	ctx    context.Context // ends with Remove or Close
	cancel context.CancelFunc
	wake   chan struct{} // holds one value
	done   chan func()   // from the work: the outcome, for the actor to call

	mu       sync.Mutex
	settings Folder
	changing bool // the settings have changed and do not hold yet
	pending  pendingHints
	state    State
	resting  bool
	until    time.Duration // with resting: when there is something to do next; -1: never

	writing sync.Mutex // held while Memory is written to
	dirs    watchedDirs
	// limit is when the work should have an answer from the disk, in ns since the watcher was opened; 0: it is not waiting for one.
	limit atomic.Int64
	// slot is the slot of Watcher.hashSlots that the work holds; it is released even if the work hangs.
	slot atomic.Pointer[heldSlot]

	// Fields of the actor.
	active     Folder // settings in effect
	rules      rules
	candidates *candidates
	working    bool
	stuck      bool
	// checkWork is when to check whether the work is stuck.
	checkWork  time.Duration
	timer      <-chan time.Time
	timerAt    time.Duration
	root       rootState
	scanning   scanState
	announcing announceState
	baseline   baselineReader
	last       File
	lastAt     time.Time
	files      int // that are there as they are known

	// Fields of the work, and of the actor while there is none.
	index *index // nil until it is loaded
	owed  []Known
}

// rootState is what is known of the folder itself.
type rootState struct {
	there   bool
	info    os.FileInfo // as it was at the last full scan
	network bool
	problem *Problem // why it is missing, or can't be read
	tries   int      // failed checks
}

// announceState is the state of Memory and Announce.
type announceState struct {
	problem error // nil: both work
	tries   int
	until   time.Duration // with problem: when to try again
	rounds  int           // batches announced since the folder was last scanned
}

const (
	// noAnswer is how long a disk may take to answer before the folder counts as stuck.
	noAnswer = 30 * time.Second
	// slowest is the least number of bytes a second at which a disk that answers is read.
	slowest = 2 << 20
	// endWait is how long Close waits for a disk that does not answer.
	endWait = 5 * time.Second
	// atNoTime is a time that never comes.
	atNoTime = time.Duration(-1)
)

func newFolder(w *Watcher, settings Folder) *folder {
	f := &folder{
		w: w, id: settings.ID, settings: settings, changing: true, timerAt: atNoTime,
		wake: make(chan struct{}, 1), done: make(chan func(), 1),
		state:      State{Phase: Starting},
		candidates: newCandidates(QuietLocal),
	}
	f.ctx, f.cancel = context.WithCancel(w.ctx)
	return f
}

// run is the actor's goroutine.
func (f *folder) run() {
	defer f.end()
	for {
		f.takeSettings()
		f.takeHints()
		f.checkStuck()
		f.startWork()
		f.tellState()
		f.becomeIdle()
		select {
		case <-f.ctx.Done():
			return
		case <-f.wake:
		case outcome := <-f.done:
			f.working, f.stuck = false, false
			outcome()
			if f.index != nil {
				f.files = f.index.here
			}
		case <-f.timer:
			f.timer, f.timerAt = nil, atNoTime
		}
		f.becomeBusy()
	}
}

// end waits for the work, but not for a disk that does not answer.
func (f *folder) end() {
	f.cancel()
	f.dirs.removeAll(f)
	for f.working {
		select {
		case <-f.done:
			f.working = false
		case <-f.w.p.After(endWait):
			if f.limit.Load() != 0 {
				f.w.p.Log.Warn("a disk does not answer; it is left to itself", "folder", f.id)
				return
			}
		}
	}
}

// hint takes a hint of the source; see Watcher.emit.
func (f *folder) hint(h hint, now time.Duration) {
	f.mu.Lock()
	f.pending.add(h, now)
	f.mu.Unlock()
	f.wakeUp()
}

func (f *folder) change(settings Folder) {
	f.mu.Lock()
	f.settings, f.changing = settings, true
	f.mu.Unlock()
	f.wakeUp()
}

func (f *folder) remove() {
	f.cancel()
	f.writing.Lock()   // waits for a write under way
	f.writing.Unlock() //nolint:staticcheck // locked only to wait
}

// wakeUp wakes the actor.
func (f *folder) wakeUp() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// takeSettings applies changed settings.
func (f *folder) takeSettings() {
	f.mu.Lock()
	settings, changing := f.settings, f.changing
	f.changing = false
	f.mu.Unlock()
	if !changing {
		return
	}
	rules, err := newRules(filepath.Clean(settings.Path), settings, f.w.p.Own)
	if err != nil {
		return // Add and Change have refused it
	}
	if settings.Path != f.active.Path && f.active.Path != "" {
		f.dirs.removeAll(f)
		f.root = rootState{}
	}
	f.active, f.rules = settings, rules
	f.setQuiet()
	f.scanning.everywhere = true
	f.baseline.interrupt()
}

// glance is within what time after a hint a resting file is inspected, where no hint will report that it is complete.
const glance = 500 * time.Millisecond

// setQuiet passes the quiet time on to the candidates.
func (f *folder) setQuiet() {
	quiet := f.quiet()
	if f.w.source != nil && f.w.source.closes() {
		f.candidates.setQuiet(quiet, 0, f.w.passed())
		return
	}
	f.candidates.setQuiet(quiet, min(quiet/4, glance), f.w.passed())
}

// quiet is how long files rest.
func (f *folder) quiet() time.Duration {
	switch {
	case f.active.Quiet > 0:
		return f.active.Quiet
	case f.root.network:
		return QuietNetwork
	default:
		return QuietLocal
	}
}

// becomeIdle sets the timer for the next thing to do, and reports that the folder is idle.
func (f *folder) becomeIdle() {
	now := f.w.passed()
	until := f.nextTime()
	if until != f.timerAt {
		f.timer, f.timerAt = nil, until
		if until != atNoTime {
			f.timer = f.w.p.After(max(0, until-now))
		}
	}
	f.mu.Lock()
	f.resting, f.until = !f.working, until
	f.mu.Unlock()
	if !f.working {
		f.w.notifyIdle()
	}
}

func (f *folder) becomeBusy() {
	f.mu.Lock()
	f.resting = false
	f.mu.Unlock()
}

// tellState reports the state of the folder, if it has changed.
func (f *folder) tellState() {
	s := State{
		Phase:    f.phase(),
		Problem:  f.problem(),
		Files:    f.files + f.candidates.present,
		Settling: f.candidates.present - f.candidates.offered,
		Offered:  f.candidates.offered,
		Last:     f.last,
		LastAt:   f.lastAt,
	}
	f.mu.Lock()
	other := !sameState(s, f.state)
	f.state = s
	f.mu.Unlock()
	if other {
		f.w.p.Changed(f.id)
	}
}

func sameState(a, b State) bool {
	sameProblem := (a.Problem == nil) == (b.Problem == nil) && (a.Problem == nil || a.Problem.Error() == b.Problem.Error())
	a.Problem, b.Problem = nil, nil
	return sameProblem && a == b
}

func (f *folder) phase() Phase {
	switch {
	case f.stuck:
		return Stuck
	case f.root.problem != nil && (errors.Is(f.root.problem, ErrNoFolder) || errors.Is(f.root.problem, ErrNotFolder)):
		return Gone
	case f.root.problem != nil:
		return Unreadable
	case f.active.Paused:
		return Paused
	case !f.root.there:
		return Starting
	case f.scanning.polling:
		return Polling
	default:
		return Watching
	}
}

func (f *folder) problem() error {
	switch {
	case f.stuck:
		return &Problem{Kind: ErrNotAnswering, Path: f.active.Path}
	case f.root.problem != nil:
		return f.root.problem
	case f.announcing.problem != nil:
		return f.announcing.problem
	case f.scanning.memory != nil:
		return f.scanning.memory
	case f.scanning.unread != nil:
		return f.scanning.unread
	case f.candidates.unreadable > 0:
		return &Problem{Kind: ErrFilesUnread, Files: f.candidates.unreadable, Err: f.candidates.lastErr}
	case f.scanning.full:
		return &Problem{Kind: ErrWatchLimit, Path: f.active.Path}
	default:
		return nil
	}
}
