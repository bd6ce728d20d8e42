// Package goroutinetest is for tests that show that what was closed leaves no goroutine behind.
package goroutinetest

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const patience = 20 * time.Second // the other end of a connection learns of its closing by and by

// Mark remembers which goroutines there are. NoneSince fails the test, with the stacks, where others remain although they were given time
// to end; clients must be closed before, since their idle connections have goroutines, too.
func Mark() (noneSince func(t testing.TB)) {
	before := goleak.IgnoreCurrent()
	return func(t testing.TB) {
		t.Helper()
		limit := time.Now().Add(patience)
		for {
			err := goleak.Find(before)
			if err == nil {
				return
			}
			if time.Now().After(limit) {
				t.Fatal(err)
			}
		}
	}
}

// Ours counts the goroutines that run code of this program. Those of idle connections, of which there are now more and now fewer, do not.
func Ours() (n int) {
	stacks := make([]byte, 4<<20)
	for stack := range bytes.SplitSeq(stacks[:runtime.Stack(stacks, true)], []byte("\n\n")) {
		if bytes.Contains(stack, []byte("\nassay/")) {
			n++
		}
	}
	return n
}

// AtMost fails the test, with the stacks, where there are more than so many of Ours although they were given time to end.
func AtMost(t testing.TB, most int) {
	t.Helper()
	for limit := time.Now().Add(patience); Ours() > most; {
		if time.Now().After(limit) {
			stacks := make([]byte, 4<<20)
			t.Fatalf("%d goroutines instead of %d:\n%s", Ours(), most, stacks[:runtime.Stack(stacks, true)])
		}
	}
}
