//go:build e2e && linux

package e2e

import (
	"bytes"
	"strings"
	"sync"
)

// Transcript collects what a program writes, for readers on other goroutines. The zero value is ready.
type Transcript struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

// Write appends; it never fails.
func (t *Transcript) Write(more []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.buffer.Write(more)
}

// String is everything written up to now.
func (t *Transcript) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.buffer.String()
}

// Lines are the complete lines written up to now, without their ends.
func (t *Transcript) Lines() []string {
	whole := t.String()
	end := strings.LastIndexByte(whole, '\n')
	if end < 0 {
		return nil
	}
	return strings.Split(whole[:end], "\n")
}
