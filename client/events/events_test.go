package events_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"assay/client/events"
)

func submission(id string) events.Event { return events.Event{Topic: events.Submission, ID: id} }

// ready reports whether a subscription has something to take.
func ready(s *events.Subscription) bool {
	select {
	case <-s.Ready():
		return true
	default:
		return false
	}
}

func TestSubscription(t *testing.T) {
	settings := events.Event{Topic: events.Settings}
	for name, c := range map[string]struct {
		topics    []events.Topic
		published []events.Event
		want      []events.Event
	}{
		"each event once, in the order of its first publishing": {nil,
			[]events.Event{submission("b"), submission("a"), settings, submission("b"), settings}, []events.Event{submission("b"), submission("a"), settings}},
		"only the topics that were asked for": {[]events.Topic{events.Settings, events.Keys}, []events.Event{submission("a"), settings}, []events.Event{settings}},
		"nothing of other topics":             {[]events.Topic{events.Keys}, []events.Event{submission("a"), settings}, nil},
		"an ID is a part of the event":        {nil, []events.Event{submission(""), submission("a")}, []events.Event{submission(""), submission("a")}},
	} {
		t.Run(name, func(t *testing.T) {
			var hub events.Hub
			s := hub.Subscribe(c.topics...)
			for _, e := range c.published {
				hub.Publish(e)
			}
			if got := ready(s); got != (c.want != nil) {
				t.Errorf("ready: %v", got)
			}
			if got := s.Take(); !slices.Equal(got, c.want) {
				t.Errorf("took %v", got)
			}
			if got := s.Take(); len(got) != 0 || ready(s) {
				t.Errorf("and then %v", got)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	c := events.Changes{submission("b"), {Topic: events.Settings}, submission("a")}
	if got := c.IDs(events.Submission); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("the submissions are %q", got)
	}
	both := append(events.Changes{{Topic: events.Nearly, ID: "a"}}, c...)
	if got := both.IDs(events.Nearly, events.Submission); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("those of two topics are %q", got)
	}
	if !c.Has(events.Settings) || c.Has(events.Keys) || c.IDs(events.Keys) != nil {
		t.Error("its topics are others")
	}
}

func TestWhatComesAfterTakeIsToldAnew(t *testing.T) {
	var hub events.Hub
	s := hub.Subscribe()
	hub.Publish(submission("a"))
	s.Take()
	hub.Publish(submission("a"))
	if got := s.Take(); !ready(s) || !slices.Equal(got, []events.Event{submission("a")}) {
		t.Errorf("took %v", got)
	}
}

func TestClose(t *testing.T) {
	var hub events.Hub
	ended, other := hub.Subscribe(), hub.Subscribe()
	hub.Publish(submission("a"))
	ended.Close()
	ended.Close()
	hub.Publish(submission("b"))
	if got := ended.Take(); !slices.Equal(got, []events.Event{submission("a")}) {
		t.Errorf("the one that is closed took %v", got)
	}
	if got := other.Take(); len(got) != 2 {
		t.Errorf("the other took %v", got)
	}
}

func TestNilHub(t *testing.T) {
	var hub *events.Hub
	hub.Publish(submission("a"))
	s := hub.Subscribe()
	if s.Take() != nil || ready(s) {
		t.Error("it carries something")
	}
	s.Close()
}

func TestPublishingNeverWaitsForAListener(t *testing.T) {
	var hub events.Hub
	slow := hub.Subscribe()
	var publishing sync.WaitGroup
	for n := range 8 {
		publishing.Go(func() {
			for i := range 1000 {
				hub.Publish(submission(fmt.Sprint(n, "/", i%10)))
			}
		})
	}
	publishing.Wait() // with nobody taking
	if got := slow.Take(); len(got) != 80 {
		t.Errorf("%d events of 80 that differ", len(got))
	}
}

func TestNothingIsMissedBetweenTwoTakes(t *testing.T) {
	var hub events.Hub
	s := hub.Subscribe()
	const count = 10_000
	go func() {
		for i := range count {
			hub.Publish(submission(fmt.Sprint(i)))
		}
	}()
	seen := map[events.Event]bool{}
	for len(seen) < count {
		select {
		case <-s.Ready():
		case <-time.After(time.Minute):
			t.Fatalf("%d of %d came", len(seen), count)
		}
		for _, e := range s.Take() {
			seen[e] = true
		}
	}
}
