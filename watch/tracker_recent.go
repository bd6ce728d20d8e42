package watch

import "time"

// recentMost bounds the names that are kept as announced a moment ago. With more, the oldest are announced again without a rest.
const recentMost = 10_000

// recentNames are names that were announced last, and when. The zero value is ready.
type recentNames struct {
	queue []recentName // the oldest first
	last  map[string]time.Duration
}

type recentName struct {
	name string
	at   time.Duration
}

func (r *recentNames) add(name string, now time.Duration) {
	if r.last == nil {
		r.last = make(map[string]time.Duration)
	}
	if len(r.queue) >= recentMost {
		r.dropFirst()
	}
	r.queue = append(r.queue, recentName{name, now})
	r.last[name] = now
}

// has reports whether a name was announced later than this.
func (r *recentNames) has(name string, since time.Duration) bool {
	at, known := r.last[name]
	return known && at > since
}

// dropUntil forgets those that were not announced later than this.
func (r *recentNames) dropUntil(since time.Duration) {
	for len(r.queue) > 0 && r.queue[0].at <= since {
		r.dropFirst()
	}
}

func (r *recentNames) dropFirst() {
	if first := r.queue[0]; r.last[first.name] == first.at { // else it was announced again since
		delete(r.last, first.name)
	}
	r.queue[0] = recentName{}
	r.queue = r.queue[1:]
}
