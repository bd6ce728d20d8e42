package watch

import "sync"

// fakeSource gives the hints that a test makes up.
type fakeSource struct {
	emit   func(hint)
	refuse map[string]error // directories that can't be watched
	during func(dir string) // happens while one is added

	mu   sync.Mutex
	dirs map[string]bool
}

// opener opens it as Params.source.
func (s *fakeSource) opener(emit func(hint)) (source, error) {
	s.emit, s.dirs = emit, make(map[string]bool)
	return s, nil
}

func (s *fakeSource) add(dir string) error {
	if err := s.refuse[dir]; err != nil {
		return err
	}
	if s.during != nil {
		s.during(dir)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dirs[dir] = true
	return nil
}

func (s *fakeSource) remove(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.dirs, dir)
}

// watched is how many directories are watched.
func (s *fakeSource) watched() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.dirs)
}

func (s *fakeSource) closes() bool { return true }
func (s *fakeSource) close() error { return nil }
