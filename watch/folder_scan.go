package watch

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"
)

// scanState is what is to be scanned.
type scanState struct {
	everywhere bool            // the whole folder, at once
	at         time.Duration   // the whole folder, at this time at the latest
	checkAt    time.Duration   // when to check whether the folder is still the same
	below      map[string]bool // directories, by name; true: it was renamed to this name with what is in it
	more       bool            // more files may be new than there was room for
	polling    bool            // no hints come, or not for all directories
	full       bool            // because of the system's limit
	unread     error           // the error of a directory below
	memory     error           // why files that are gone could not be forgotten
	earliest   time.Duration   // the whole folder, not before this
}

const (
	// foundAtOnce bounds how many files of a full scan become candidates. A later scan finds the others.
	foundAtOnce = 20_000
	// scanAgain is after what time the whole folder is scanned again where the system gives hints, in case it missed one.
	scanAgain = 10 * time.Minute
	// checkAgain is how often it is checked whether the folder is still the same one.
	checkAgain = 10 * time.Second

	pollFirst, pollMost = time.Second, time.Minute
	// pollShare is how many times longer than the scan the pause after it is, where scanning is the only way.
	pollShare = 20
	// lookShare is the same where hints were lost.
	lookShare = 4

	comeBackFirst, comeBackMost = 2 * time.Second, 10 * time.Second
)

// nextCheck is the same for all folders, so that many of them wake the computer no more often than one.
func nextCheck(now time.Duration) time.Duration { return now.Truncate(checkAgain) + checkAgain }

func (f *folder) wantsScan(now time.Duration) bool {
	return f.scanning.everywhere && now >= f.scanning.earliest || len(f.scanning.below) > 0 || now >= f.scanning.at
}

// seen is the outcome of a scan.
type seen struct {
	found   []entry // that may be new
	more    bool
	full    bool
	deaf    bool
	unread  error
	closed  map[string]bool // directories, by name, that could not be read completely
	network bool
	info    os.FileInfo
	took    time.Duration
	err     error // the error of the folder itself
	memory  error
}

// dirScan compares what is in a folder with what is remembered, in one piece of its work.
type dirScan struct {
	f       *folder
	rules   rules
	network bool
	room    int                    // for how many candidates
	failing map[string]sizeAndTime // files that wait because they could not be read
}

func (f *folder) newDirScan(network bool) *dirScan {
	return &dirScan{f: f, rules: f.rules, network: network, room: f.room(), failing: f.candidates.failures()}
}

// room is for how many more candidates there is room.
func (f *folder) room() int {
	return max(0, min(foundAtOnce-f.candidates.resting(), hintedAtOnce-len(f.candidates.byName)))
}

// scan scans a directory and all below it, and compares it with what is remembered. Files that may be new are found in the order in which they were
// written.
func (l *dirScan) scan(ctx context.Context, below string, s *seen) error {
	l.f.waitForDisk(0)
	l.watch(below, s)
	steps := 0
	err := scan(ctx, l.rules, below, func(e entry) error {
		if steps++; steps%64 == 0 || e.dir {
			l.f.waitForDisk(0)
		}
		switch {
		case e.unread != nil:
			s.unread = e.unread
			if s.closed == nil {
				s.closed = make(map[string]bool)
			}
			s.closed[e.name] = true
		case e.dir:
			l.watch(e.name, s)
		case l.f.index.compare(e), l.failing[e.name] == sizeAndTime{e.size, e.time}:
		case len(s.found) < l.room:
			s.found = append(s.found, e)
		default:
			s.more = true
		}
		return ctx.Err()
	})
	slices.SortFunc(s.found, func(a, b entry) int { return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.name, b.name)) })
	return err
}

// watch has the source watch a directory.
func (l *dirScan) watch(name string, s *seen) {
	dir, round := l.rules.path(name), l.f.index.round
	s.deaf = s.deaf || l.network
	if l.network || l.f.dirs.see(dir, round) || s.full {
		return
	}
	switch err := l.f.dirs.add(l.f, dir, round); {
	case errors.Is(err, errNoRoom):
		s.full = true
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission): // in the other cases, it can't be scanned either
	default:
		s.deaf = true
	}
}

// compare reports whether a file is there as it is known, and notes what is.
func (x *index) compare(e entry) bool {
	s := x.get(e.name)
	if s == nil {
		return false
	}
	same := x.is(s, e)
	x.setHere(s, same)
	return same
}

// scanAll returns work that scans the whole folder.
func (f *folder) scanAll() work {
	f.scanning.everywhere = false
	f.scanning.below = nil
	l := f.newDirScan(false)
	return func(ctx context.Context) func() {
		var s seen
		begun := f.w.passed()
		f.waitForDisk(0)
		s.info, s.err = readable(l.rules.root)
		if s.err == nil && inOwn(l.rules.root, l.rules.own) {
			s.err = &Problem{Kind: ErrOwnFolder, Path: l.rules.root}
		}
		if s.err == nil {
			s.network = isNetwork(l.rules.root)
			l.network = s.network
			f.index.round++
			s.err = l.scan(ctx, "", &s)
			f.diskAnswered()
			if s.err == nil && ctx.Err() == nil {
				f.dirs.removeOthers(f, f.index.round)
				s.memory = f.forget(ctx, s.closed)
			}
		}
		s.took = f.w.passed() - begun
		return func() { f.scannedAll(s) }
	}
}

func (f *folder) scannedAll(s seen) {
	now := f.w.passed()
	if s.err != nil {
		if f.ctx.Err() == nil {
			f.lost(s.err)
		}
		return
	}
	f.baseline.begin()
	f.root = rootState{there: true, info: s.info, network: s.network}
	f.setQuiet()
	f.scanning.more, f.scanning.full, f.scanning.unread = s.more, s.full, s.unread
	f.scanning.polling = s.full || s.deaf
	f.scanning.memory = s.memory
	f.scanning.at = now + scanAgain
	if s.memory != nil {
		f.scanning.at = now + retryMost
	}
	if f.scanning.polling {
		f.scanning.at = now + min(max(pollFirst, pollShare*s.took), pollMost)
	}
	f.scanning.earliest = now + min(lookShare*s.took, pollMost)
	f.scanning.checkAt = nextCheck(now)
	for _, e := range s.found {
		f.candidates.found(e, false, now)
	}
}

// lost notes that the folder is missing, or can't be read. It is checked until it can.
func (f *folder) lost(err error) {
	f.dirs.removeAll(f)
	f.root.there = false
	f.root.problem = problemOf(f.rules.root, err)
	f.scanning.at = f.w.passed() + pause(comeBackFirst, comeBackMost, f.root.tries)
	f.root.tries++
}

// scanBelow returns work that scans the directories that hints were about.
func (f *folder) scanBelow() work {
	below := f.scanning.below
	f.scanning.below = nil
	l := f.newDirScan(f.root.network)
	return func(ctx context.Context) func() {
		var outcomes []func()
		for name, arrived := range below {
			var s seen
			err := l.scan(ctx, name, &s)
			l.room -= len(s.found)
			outcomes = append(outcomes, func() {
				now := f.w.passed()
				for _, e := range s.found {
					f.candidates.found(e, arrived, now)
				}
				f.scanning.more = f.scanning.more || s.more
				if s.full || s.deaf {
					f.scanning.full = f.scanning.full || s.full
					f.scanning.polling = true
					f.scanning.at = min(f.scanning.at, now+pollFirst)
				}
				if err != nil && f.ctx.Err() == nil && !errors.Is(err, fs.ErrNotExist) {
					s.unread = err
				}
				if s.unread != nil {
					f.scanning.unread = s.unread
				} else if f.scanning.unread != nil {
					f.scanning.everywhere = true // the directory may have been the folder itself
				}
			})
		}
		return func() {
			for _, outcome := range outcomes {
				outcome()
			}
		}
	}
}

// checkRoot returns work that checks whether the folder is still the same one: another may have been mounted there, or put in its place.
func (f *folder) checkRoot() work {
	path, was := f.rules.root, f.root.info
	return func(context.Context) func() {
		f.waitForDisk(0)
		info, err := readable(path)
		return func() {
			f.scanning.checkAt = nextCheck(f.w.passed())
			switch {
			case err != nil:
				f.lost(err)
			case !os.SameFile(was, info):
				f.dirs.removeAll(f)
				f.scanning.everywhere = true
			}
		}
	}
}
