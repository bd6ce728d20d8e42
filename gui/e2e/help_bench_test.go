//go:build e2e && linux

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/benchtest"
)

// B14: the help takes so many milliseconds and MiB at most, and a scan of a file whose answer is in the records so many milliseconds.
const (
	benchHelpAim     = 60
	benchHelpMiBAim  = 20
	benchKnownAim    = 100
	benchRuns        = 31
	benchMemoryRuns  = 5
	benchRoomForCopy = "/dev/shm" // what it holds is mapped by pages of 4 KiB
)

// BenchmarkB14Help runs by turns the help, a scan of a known file, and a program that is linked with the same toolkit and prints a line, and prints
// their medians beside the aims of B14. The programs are copied into memory first: of a file that was just written to a disk, Linux maps pieces of up
// to 2 MiB at a time, so that the same program would have 20 MiB more on one day than on another.
func BenchmarkB14Help(b *testing.B) {
	root, err := Root()
	assert.NoError(b, err)
	assay, err := Binary()
	assert.NoError(b, err)
	folder, err := os.MkdirTemp(benchRoomForCopy, "assay-bench") //nolint:usetesting // in memory, where the benchmark's own folder is not
	assert.NoError(b, err)
	b.Cleanup(func() { assert.NoError(b, os.RemoveAll(folder)) })
	bare := inMemory(b, folder, "hello", buildBlank(b, root))
	assay = inMemory(b, folder, "assay", assay)
	picture, home := filepath.Join(root, "testdata", "pictures", "mountains.jpg"), b.TempDir()

	hello := &run{command: []string{bare, "hello"}}
	help := &run{command: []string{assay, "--help"}}
	known := &run{command: []string{assay, "scan", "--sandbox", "--home", home, picture}}
	for _, r := range []*run{hello, help, known} {
		r.once(b)
		r.seconds, r.processor = nil, nil // the first one scans
		for range benchMemoryRuns {
			r.remember(b)
		}
	}
	for range benchRuns {
		for _, r := range []*run{hello, help, known} {
			r.once(b)
		}
	}
	benchtest.Print(b, "")
	for _, of := range []struct {
		name string
		run  *run
		aim  float64
	}{{"help", help, benchHelpAim}, {"scan of a known file", known, benchKnownAim}} {
		took := benchtest.Median(of.run.seconds) * 1e3
		benchtest.Print(b, "B14 %s: %.0f ms (aim %.0f ms) %s, %.0f ms of a processor; a bare program with the same toolkit: %.0f ms, %.0f ms of a processor", of.name, took, of.aim,
			benchtest.Met(took <= of.aim), benchtest.Median(of.run.processor)*1e3, benchtest.Median(hello.seconds)*1e3, benchtest.Median(hello.processor)*1e3)
	}
	most := benchtest.Median(help.most)
	benchtest.Print(b, "B14 most memory of help: %.1f MiB (aim %d MiB) %s; a bare program with the same toolkit: %.1f MiB", most, benchHelpMiBAim,
		benchtest.Met(most <= benchHelpMiBAim), benchtest.Median(hello.most))
	b.ReportMetric(benchtest.Median(help.seconds)/benchtest.Median(hello.seconds), "x-bare-program")
}

// run is a command that runs to its end again and again.
type run struct {
	command []string

	seconds, processor, most []float64 // how long, how long on a processor, and the most MiB resident
}

func (r *run) once(b *testing.B) {
	b.Helper()
	command := exec.CommandContext(b.Context(), r.command[0], r.command[1:]...)
	began := time.Now()
	out, err := command.CombinedOutput()
	r.seconds = append(r.seconds, time.Since(began).Seconds())
	if err != nil {
		b.Fatalf("%v: %v: %s", r.command, err, out)
	}
	r.processor = append(r.processor, (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds())
}

// remember notes the most memory. Linux counts in what a process had that became this one, and this test would have the more, so that a small program
// starts it.
func (r *run) remember(b *testing.B) {
	b.Helper()
	to := filepath.Join(b.TempDir(), "most")
	command := exec.CommandContext(b.Context(), "time", append([]string{"-f", "%M", "-o", to}, r.command...)...)
	if out, err := command.CombinedOutput(); err != nil {
		b.Fatalf("%v: %v: %s", r.command, err, out)
	}
	said, err := os.ReadFile(to)
	assert.NoError(b, err)
	kib, err := strconv.ParseFloat(strings.TrimSpace(string(said)), 64)
	assert.NoError(b, err)
	r.most = append(r.most, kib/1024)
}

// inMemory copies a program.
func inMemory(b *testing.B, folder, name, path string) string {
	b.Helper()
	content, err := os.ReadFile(path)
	assert.NoError(b, err)
	to := filepath.Join(folder, name)
	assert.NoError(b, os.WriteFile(to, content, 0o700)) //nolint:gosec // a program
	return to
}
