//go:build linux

package watch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// inotifywait is the peer: it prints a line for each event.
type inotifywait struct {
	process *exec.Cmd
	lines   chan peerLine // nil where they go nowhere
	reading sync.WaitGroup
}

type peerLine struct {
	name string
	at   time.Time
}

// startInotifywait returns once it watches the folder.
func startInotifywait(b *testing.B, dir string, read bool, events ...string) *inotifywait {
	b.Helper()
	path, err := exec.LookPath("inotifywait")
	if err != nil {
		b.Fatal("inotifywait is missing (package inotify-tools): run .ci/install bench")
	}
	p := &inotifywait{process: exec.CommandContext(b.Context(), path, "-m", "--format", "%f", "-e", strings.Join(events, ","), dir)} //nolint:gosec // the peer
	told, err := p.process.StderrPipe()
	must(b, err)
	if read {
		out, err := p.process.StdoutPipe()
		must(b, err)
		p.lines = make(chan peerLine, 1000)
		p.reading.Go(func() {
			defer close(p.lines)
			for scanner := bufio.NewScanner(out); scanner.Scan(); {
				p.lines <- peerLine{name: scanner.Text(), at: time.Now()}
			}
		})
	}
	must(b, p.process.Start())
	begun := bufio.NewScanner(told)
	for begun.Scan() && !strings.Contains(begun.Text(), "established") { //nolint:revive // it says so when it watches
	}
	p.reading.Go(func() {
		for begun.Scan() { //nolint:revive // or it would wait to say more
		}
	})
	b.Cleanup(func() {
		_ = p.process.Process.Kill() // it never ends by itself
		if p.lines != nil {
			for range p.lines { //nolint:revive // until its end
			}
		}
		p.reading.Wait()
		_ = p.process.Wait() // killed
	})
	return p
}

// cpuTime is what it has used by now, user and system.
func (p *inotifywait) cpuTime(b *testing.B) time.Duration {
	b.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.process.Process.Pid), "schedstat")) // in ns, where stat has hundredths of a second
	must(b, err)
	used, _, _ := strings.Cut(string(text), " ")
	n, err := strconv.ParseInt(used, 10, 64)
	must(b, err)
	return time.Duration(n)
}

// ownCPUTime is what this process has used by now, user and system.
func ownCPUTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// toldB6 prints a figure; aim is "" where there is none.
func printFigure(what, value, aim string, met bool) {
	if aim != "" {
		aim = fmt.Sprintf(" (aim %s) %s", aim, map[bool]string{true: "met", false: "missed"}[met])
	}
	_, _ = fmt.Fprintf(os.Stdout, "B6 %s: %s%s\n", what, value, aim)
}

// at gives the value below which a share of the durations lies.
func at(share float64, durations []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(durations))[int(share*float64(len(durations)-1))]
}

// diskMemory knows every file of a folder as it stands on the disk, and keeps nothing of it: what is measured is the watcher.
type diskMemory struct{ root string }

func (m diskMemory) Known(ctx context.Context, _ string, each func(Known)) error {
	return filepath.WalkDir(m.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(m.root, path)
		each(Known{Name: name, Size: info.Size(), Time: info.ModTime().UnixNano(), File: fileNumber(info), SHA256: Sum{1}})
		return errors.Join(err, ctx.Err())
	})
}

func (m diskMemory) Announced(_ context.Context, _ string, contents []Sum) ([]bool, error) {
	return slices.Repeat([]bool{true}, len(contents)), nil
}

func (m diskMemory) Remember(context.Context, string, []Known) error { return nil }
func (m diskMemory) Forget(context.Context, string, []string) error  { return nil }
