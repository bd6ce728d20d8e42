//go:build unix

package ipc

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"assay/client/assert"
)

func TestAFrozenHolderIsToldOfInTime(t *testing.T) {
	dir := t.TempDir()
	p := startProcess(t, dir)
	p.line()
	if startProcess(t, dir).line() != "handed over" { // so it serves
		t.Fatal("a second start did not hand over")
	}
	assert.NoError(t, p.cmd.Process.Signal(syscall.SIGSTOP))
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(p.cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() { // it takes a moment
		t.Fatal(status, err)
	}
	kept := firstTimeout
	firstTimeout = 200 * time.Millisecond
	t.Cleanup(func() { firstTimeout = kept })
	began := time.Now()
	paths := make([]string, 2) // more than a socket holds
	for i := range paths {
		paths[i] = string(make([]byte, 1<<20))
	}
	for _, abandoned := range [][]string{{"abandoned"}, paths} {
		h, err := TakeOrCall(t.Context(), Start{Dir: dir, Request: Request{Op: "open", Job: given(abandoned)}, Each: nothing, Wait: noWait(t)})
		if h != nil || !errors.Is(err, ErrSilent) {
			t.Errorf("got %v, %v", h, err)
		}
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	assert.NoError(t, p.cmd.Process.Signal(syscall.SIGCONT))
	firstTimeout = kept
	if err := Call(t.Context(), dir, Request{Op: "open", Job: given([]string{"after"})}, nothing); err != nil {
		t.Error(err)
	}
	assert.Equal(t, `got "after"`, p.line())
}
