// Package events is the one stream of changes: every part publishes here that something has changed, and the window and the subcommands subscribe. An
// event says what has changed, but not how: a subscriber asks the part for its present state, so that a late one misses nothing. It imports the
// standard library.
package events

import (
	"slices"
	"sync"
)

// Topic is what has changed.
type Topic string

// The topics. For those with an ID, Event.ID is what it says.
const (
	Submission Topic = "submission" // with its ID: it was added, has changed, or is gone
	Inbox      Topic = "inbox"      // the inbox has other submissions, or another order
	Queue      Topic = "queue"      // QueueStatus
	Results    Topic = "results"    // the store has other results
	Artifacts  Topic = "artifacts"  // with the submission's ID: an artifact of its result was kept
	Nearly     Topic = "nearly"     // with the submission's ID: nearly.Finder's Hint of it; with "": what it finds near results
	Sound      Topic = "sound"      // with the request ID: the result of a clip's sound was kept
	Notice     Topic = "notice"     // a session's Notice has changed
	Feedback   Topic = "feedback"   // with the request ID: the feedback on a result
	Case       Topic = "case"       // with its ID: it was made, or something was done in it
	Desk       Topic = "desk"       // what is or was shared with the desk, or its connection
	Viewers    Topic = "viewers"    // which colleagues have the case open that the person has open
	Pull       Topic = "pull"       // fetching the service's list began, went on or ended
	Folders    Topic = "folders"    // the watched folders, or the state of one
	Batch      Topic = "batch"      // a batch of files from a watched folder was answered
	Handed     Topic = "handed"     // a later start of the window has had something accepted, or nothing: the window is to come to the front
	Front      Topic = "front"      // with a token of the desktop: a later start of the window may bring it to the front by that
	Settings   Topic = "settings"
	Keys       Topic = "keys"    // the keys in use in this run
	Updates    Topic = "updates" // what is known of newer versions
)

// Event says that something has changed.
type Event struct {
	Topic Topic
	ID    string // "" where the topic has none
}

// Hub carries events to all subscriptions. The zero value may be used; a nil Hub carries nothing. It is safe for use by many goroutines.
type Hub struct {
	mu            sync.RWMutex
	subscriptions []*Subscription
}

// Publish adds events to every subscription. It never blocks: it may be called with any lock held.
func (h *Hub) Publish(events ...Event) {
	if h == nil {
		return
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, s := range h.subscriptions {
		s.add(events)
	}
}

// Subscribe collects the events of these topics, or of all if none is given, from now on until Close.
func (h *Hub) Subscribe(topics ...Topic) *Subscription {
	s := &Subscription{hub: h, topics: slices.Clone(topics), ready: make(chan struct{}, 1), seen: map[Event]bool{}}
	if h == nil {
		return s
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.subscriptions = append(h.subscriptions, s)
	return s
}

// Subscription collects events until they are taken, each once: a slow subscriber gets more at a time, less often, and delays nobody. Its size grows
// with how many different things have changed, not with how often.
type Subscription struct {
	hub    *Hub
	topics []Topic // none: all
	ready  chan struct{}

	mu     sync.Mutex
	events Changes
	seen   map[Event]bool
}

// Ready receives when there is something to take.
func (s *Subscription) Ready() <-chan struct{} { return s.ready }

// Changes are events, each once, in the order in which they first came.
type Changes []Event

// Has reports whether there is an event of one of these topics.
func (c Changes) Has(topics ...Topic) bool {
	return slices.ContainsFunc(c, func(e Event) bool { return slices.Contains(topics, e.Topic) })
}

// IDs are the IDs of the events of some topics, each once.
func (c Changes) IDs(topics ...Topic) (ids []string) {
	seen := map[string]bool{}
	for _, e := range c {
		if slices.Contains(topics, e.Topic) && !seen[e.ID] {
			seen[e.ID] = true
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Take returns the events since the last call.
func (s *Subscription) Take() Changes {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := s.events
	s.events = nil
	clear(s.seen)
	return events
}

// Close ends the subscription; what it has collected can still be taken. It may be called more than once.
func (s *Subscription) Close() {
	if s.hub == nil {
		return
	}
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	s.hub.subscriptions = slices.DeleteFunc(s.hub.subscriptions, func(other *Subscription) bool { return other == s })
}

func (s *Subscription) add(events []Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range events {
		if s.seen[e] || len(s.topics) > 0 && !slices.Contains(s.topics, e.Topic) {
			continue
		}
		s.seen[e] = true
		s.events = append(s.events, e)
	}
	if len(s.events) == 0 {
		return
	}
	select {
	case s.ready <- struct{}{}:
	default: // it has been signalled already
	}
}
