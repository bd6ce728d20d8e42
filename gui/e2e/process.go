//go:build e2e && linux

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// stopLimit is how long a program may take to end after SIGTERM, before it is killed.
const stopLimit = 20 * time.Second

// killLimit is how long a program may take to end after SIGKILL: one that waits for a busy disk ends only after that.
const killLimit = 30 * time.Second

// Process is a program that the harness started and will end by its process ID.
type Process struct {
	// Output and Errors collect its standard output and standard error.
	Output, Errors *Transcript

	name    string
	command *exec.Cmd
	ended   chan struct{}
	err     error // why it ended; valid after ended is closed
}

func startProcess(command *exec.Cmd, environment []string) (*Process, error) {
	p := &Process{Output: new(Transcript), Errors: new(Transcript), name: filepath.Base(command.Path), command: command, ended: make(chan struct{})}
	command.Env = environment
	command.Stdout, command.Stderr = p.Output, p.Errors
	// Its own children may outlive it and keep its pipes open.
	command.WaitDelay = time.Second
	// It ends with the test binary, even if that is killed at its time limit.
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", p.name, err)
	}
	go func() {
		p.err = command.Wait()
		close(p.ended)
	}()
	return p, nil
}

// Ended is closed once the program has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// ExitCode is the program's exit code once it has ended; -1 if it was killed by a signal or still runs.
func (p *Process) ExitCode() int {
	select {
	case <-p.ended:
		return p.command.ProcessState.ExitCode()
	default:
		return -1
	}
}

// Wait waits until the program has ended by itself, and returns its exit code.
func (p *Process) Wait(limit time.Duration) (int, error) {
	select {
	case <-p.ended:
		return p.ExitCode(), nil
	case <-time.After(limit):
		return -1, fmt.Errorf("%s did not end within %s; it printed %q and logged %q", p.name, limit, p.Output, p.Errors)
	}
}

// Signal sends a signal, such as SIGSTOP to simulate a suspended computer.
func (p *Process) Signal(signal syscall.Signal) error {
	if err := p.command.Process.Signal(signal); err != nil {
		return fmt.Errorf("signal %s: %w", p.name, err)
	}
	return nil
}

// Kill ends the program by SIGKILL, and waits.
func (p *Process) Kill() error {
	if err := p.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	_, err := p.Wait(killLimit)
	return err
}

// Terminate sends SIGTERM, as at the end of a session, and waits. It returns an error if the program did not end by itself in time.
func (p *Process) Terminate(limit time.Duration) error {
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end %s: %w", p.name, err)
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(limit):
		return fmt.Errorf("%s did not end within %s of SIGTERM", p.name, limit)
	}
}

// Stop ends the program, by SIGKILL if SIGTERM does not help. It returns an error only if that fails too.
func (p *Process) Stop() error {
	if p.Terminate(stopLimit) == nil {
		return nil
	}
	if err := p.command.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("kill %s: %w", p.name, err)
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(stopLimit):
		return fmt.Errorf("%s outlived SIGKILL by %s", p.name, stopLimit)
	}
}

// Transcript collects what a program writes, for readers on other goroutines. Its zero value is ready to use.
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

// String is all that was written so far.
func (t *Transcript) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.buffer.String()
}

// Lines are the complete lines so far, without line ends.
func (t *Transcript) Lines() []string {
	whole := t.String()
	end := strings.LastIndexByte(whole, '\n')
	if end < 0 {
		return nil
	}
	return strings.Split(whole[:end], "\n")
}
