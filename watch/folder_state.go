package watch

import "errors"

// tellState says how the folder stands, if that has changed.
func (f *folder) tellState() {
	s := State{
		Phase:    f.phase(),
		Problem:  f.problem(),
		Files:    f.files + f.tracker.standing,
		Settling: f.tracker.standing - f.tracker.offered,
		Offered:  f.tracker.offered,
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
	case f.looking.polling:
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
	case f.handing.problem != nil:
		return f.handing.problem
	case f.looking.memory != nil:
		return f.looking.memory
	case f.looking.unread != nil:
		return f.looking.unread
	case f.tracker.unreadable > 0:
		return &unreadableError{files: f.tracker.unreadable, err: f.tracker.lastErr}
	case f.looking.full:
		return &Problem{Kind: ErrWatchLimit, Path: f.active.Path}
	default:
		return nil
	}
}
