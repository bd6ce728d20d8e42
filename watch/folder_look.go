package watch

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// lookingState is what there is to look at.
type lookingState struct {
	everywhere bool            // at once
	at         time.Duration   // everywhere, at the latest
	checkAt    time.Duration   // whether the folder itself is still the same
	below      map[string]bool // directories, by name; true: what is in them was renamed to there with them
	more       bool            // there was more that may be new than was taken note of
	polling    bool            // no events come, or not from everywhere
	full       bool            // the system's limit is why
	unread     error           // of a folder below
	memory     error           // what is gone could not be forgotten
	earliest   time.Duration   // not before this everywhere again
}

const (
	// foundAtOnce bounds the files that are waited for at the same time after looking everywhere. The rest is found again.
	foundAtOnce = 20_000
	// lookAgain is when everything is looked at again where the system tells of changes: it might have missed one.
	lookAgain = 10 * time.Minute
	// checkAgain is when it is looked whether the folder is still the one that is watched.
	checkAgain = 10 * time.Second

	pollFirst, pollMost = 2 * time.Second, time.Minute
	// pollShare is how many times longer than looking takes nothing is looked at, where that is the only way.
	pollShare = 20
	// lookShare is likewise, where events were lost.
	lookShare = 4

	comeBackFirst, comeBackMost = 2 * time.Second, 10 * time.Second
)

func (f *folder) wantsLook(now time.Duration) bool {
	return f.looking.everywhere && now >= f.looking.earliest || len(f.looking.below) > 0 || now >= f.looking.at
}

// seen is what came of looking.
type seen struct {
	found   []entry // that may be new
	more    bool
	full    bool
	deaf    bool
	unread  error
	network bool
	info    os.FileInfo
	took    time.Duration
	err     error // of the folder itself
	memory  error
}

// look looks at a directory and all below it. It compares what stands there with what is remembered.
func (f *folder) look(ctx context.Context, r rules, below string, network bool, room int, s *seen) error {
	watch := func(dir string) {
		s.deaf = s.deaf || network
		if network || f.dirs.see(dir, f.index.round) || s.full || s.deaf {
			return
		}
		switch err := f.dirs.add(f, dir, f.index.round); {
		case errors.Is(err, errNoRoom):
			s.full = true
		case err != nil && !errors.Is(err, os.ErrNotExist):
			s.deaf = true
		}
	}
	f.ask(0)
	watch(r.path(below))
	steps := 0
	return scan(ctx, r, below, func(e entry) error {
		if steps++; steps%64 == 0 || e.dir {
			f.ask(0)
		}
		switch {
		case e.unread != nil:
			s.unread = e.unread
		case e.dir:
			watch(r.path(e.name))
		case f.index.compare(e):
		case len(s.found) < room:
			s.found = append(s.found, e)
		default:
			s.more = true
		}
		return ctx.Err()
	})
}

// compare reports whether a file stands there as it is known.
func (x *index) compare(e entry) bool {
	s := x.get(e.name)
	if s == nil {
		return false
	}
	same := x.is(s, e)
	x.setHere(s, same)
	return same
}

// lookEverywhere looks at the folder itself and all that stands in it.
func (f *folder) lookEverywhere() work {
	r := f.rules
	room := max(0, foundAtOnce-f.tracker.resting())
	f.looking.everywhere = false
	f.looking.below = nil
	return func(ctx context.Context) func() {
		var s seen
		begun := f.w.passed()
		f.ask(0)
		if s.info, s.err = statFolder(r.root); s.err == nil {
			s.network = isNetwork(r.root)
			f.index.round++
			s.err = f.look(ctx, r, "", s.network, room, &s)
			f.answered()
			if s.err == nil && ctx.Err() == nil {
				f.dirs.removeOthers(f, f.index.round)
			}
			if s.err == nil && s.unread == nil {
				s.memory = f.forget(ctx)
			}
		}
		s.took = f.w.passed() - begun
		return func() { f.lookedEverywhere(s) }
	}
}

// statFolder says that the folder is there and can be read. The error is a *Problem.
func statFolder(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, problemOf(path, err)
	case !info.IsDir():
		return nil, &Problem{Kind: ErrNotFolder, Path: path}
	}
	dir, err := os.Open(path)
	if err != nil {
		return nil, problemOf(path, err)
	}
	defer dir.Close() //nolint:errcheck // it was only read
	if _, err := dir.Readdirnames(1); err != nil && !errors.Is(err, io.EOF) {
		return nil, problemOf(path, err)
	}
	return info, nil
}

func (f *folder) lookedEverywhere(s seen) {
	now := f.w.passed()
	if s.err != nil {
		if f.ctx.Err() == nil {
			f.lost(s.err)
		}
		return
	}
	f.learner.begin()
	f.root = rootState{there: true, info: s.info, network: s.network}
	f.setQuiet()
	f.looking.more, f.looking.full, f.looking.unread = s.more, s.full, s.unread
	f.looking.polling = s.full || s.deaf
	f.looking.memory = s.memory
	f.looking.at = now + lookAgain
	if s.memory != nil {
		f.looking.at = now + retryMost
	}
	if f.looking.polling {
		f.looking.at = now + min(max(pollFirst, pollShare*s.took), pollMost)
	}
	f.looking.earliest = now + min(lookShare*s.took, pollMost)
	f.looking.checkAt = now + checkAgain
	for _, e := range s.found {
		f.tracker.found(e, false, now)
	}
}

// lost takes note that the folder is not there, or can't be read. It is looked for until it can.
func (f *folder) lost(err error) {
	f.dirs.removeAll(f)
	f.root.there = false
	f.root.problem = problemOf(f.rules.root, err)
	f.looking.at = f.w.passed() + pause(comeBackFirst, comeBackMost, f.root.tries)
	f.root.tries++
}

// lookBelow looks at the directories that hints were about.
func (f *folder) lookBelow() work {
	r, network := f.rules, f.root.network
	below := f.looking.below
	f.looking.below = nil
	room := max(0, foundAtOnce-f.tracker.resting())
	return func(ctx context.Context) func() {
		var outcomes []func()
		for name, arrived := range below {
			var s seen
			err := f.look(ctx, r, name, network, room, &s)
			outcomes = append(outcomes, func() {
				now := f.w.passed()
				for _, e := range s.found {
					f.tracker.found(e, arrived, now)
				}
				f.looking.more = f.looking.more || s.more
				if s.full || s.deaf {
					f.looking.full = f.looking.full || s.full
					f.looking.polling = true
					f.looking.at = min(f.looking.at, now+pollFirst)
				}
				if err != nil && f.ctx.Err() == nil && !errors.Is(err, os.ErrNotExist) {
					f.looking.unread = err
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

// checkRoot looks whether the folder is still the one that is watched: another may have been mounted there, or put in its place.
func (f *folder) checkRoot() work {
	path, was := f.rules.root, f.root.info
	return func(context.Context) func() {
		f.ask(0)
		info, err := statFolder(path)
		return func() {
			f.looking.checkAt = f.w.passed() + checkAgain
			switch {
			case err != nil:
				f.lost(err)
			case !os.SameFile(was, info):
				f.dirs.removeAll(f)
				f.looking.everywhere = true
			}
		}
	}
}
