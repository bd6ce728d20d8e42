package guitest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Calls records what a screen asks of the code behind it. A test may change the fields while workers are calling only under the lock.
type Calls struct {
	sync.Mutex
	Made    []string         // such as "pause a b", in order
	Failing map[string]error // errors by the first word of a call
	Hold    chan struct{}    // if it is set, blocking calls wait for it or for their ctx
	Begun   chan struct{}    // if it is set, it receives for each call that starts to wait for Hold
	Ended   chan struct{}    // if it is set, it receives for each such call that its ctx ends
}

// Note records a call, waits if Hold is set, and returns the error of Failing. ctx is nil for calls that don't block.
func (c *Calls) Note(ctx context.Context, call string) error {
	c.Lock()
	c.Made = append(c.Made, call)
	word, _, _ := strings.Cut(call, " ")
	hold, err := c.Hold, c.Failing[word]
	c.Unlock()
	if hold == nil || ctx == nil {
		return err
	}
	if c.Begun != nil {
		c.Begun <- struct{}{}
	}
	select {
	case <-hold:
		return err
	case <-ctx.Done():
		if c.Ended != nil {
			c.Ended <- struct{}{}
		}
		return ctx.Err()
	}
}

// Noted returns a callback that records a call.
func (c *Calls) Noted(call string) func() { return func() { c.Did(call) } }

// Did records a call that neither blocks nor fails.
func (c *Calls) Did(call string) {
	c.Lock()
	defer c.Unlock()
	c.Made = append(c.Made, call)
}

// Fail makes all calls that begin with a word fail with err; nil lets them succeed.
func (c *Calls) Fail(word string, err error) {
	c.Lock()
	defer c.Unlock()
	if c.Failing == nil {
		c.Failing = map[string]error{}
	}
	c.Failing[word] = err
}

// Want fails the test unless these are all the calls, in this order.
func (c *Calls) Want(t testing.TB, want ...string) {
	t.Helper()
	c.Lock()
	defer c.Unlock()
	if !slices.Equal(c.Made, want) {
		t.Errorf("asked for %q, want %q", c.Made, want)
	}
}

// WantLast fails the test unless this was the last call.
func (c *Calls) WantLast(t testing.TB, want string) {
	t.Helper()
	if got := c.Last(); got != want {
		t.Errorf("asked for %q, want %q", got, want)
	}
}

// Has reports whether a call was made.
func (c *Calls) Has(call string) bool {
	c.Lock()
	defer c.Unlock()
	return slices.Contains(c.Made, call)
}

// Last is the last call, "" for none.
func (c *Calls) Last() string {
	c.Lock()
	defer c.Unlock()
	if len(c.Made) == 0 {
		return ""
	}
	return c.Made[len(c.Made)-1]
}

// Take returns the calls since the last time, as "one; another".
func (c *Calls) Take() string {
	c.Lock()
	defer c.Unlock()
	made := strings.Join(c.Made, "; ")
	c.Made = nil
	return made
}

// Sentence is an error with words for a person.
type Sentence string

// Error implements error.
func (s Sentence) Error() string { return string(s) }

// Sentence is what a person reads.
func (s Sentence) Sentence() string { return string(s) }
