package ipc

import (
	"bufio"
	"testing"
	"time"
)

// eventually polls until a condition holds that other goroutines bring about.
func eventually(t *testing.T, holds func() bool) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(30 * time.Second); !holds(); <-ticker.C {
		if time.Now().After(deadline) {
			t.Fatal("it does not come about")
		}
	}
}

type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '1'
	}
	return len(p), nil
}

func newEndlessReader() *bufio.Reader { return bufio.NewReader(endlessReader{}) }
