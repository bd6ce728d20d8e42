//go:build e2e && linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/store/storetest"
)

const (
	idleFolders = 10
	idleFor     = 30 * time.Second
)

// BenchmarkB12Idle tells what Assay costs while nothing happens, with ten folders watched: its window beside a blank one of the same toolkit, shown and
// minimised, and `assay watch`, which has no window. How often a program wakes up is how often its threads have given up a processor; the toolkit looks
// for events sixty times a second.
func BenchmarkB12Idle(b *testing.B) {
	root, err := Root()
	assert.NoError(b, err)
	assay, err := Binary()
	assert.NoError(b, err)
	desktop, screen := benchDesktop(b)
	home := b.TempDir()
	var watched []storetest.Watched
	watch := []string{assay, "watch", "--sandbox", "--home", b.TempDir()}
	for n := range idleFolders {
		folder := filepath.Join(b.TempDir(), strconv.Itoa(n))
		for i := range 100 {
			writeSmall(b, filepath.Join(folder, fmt.Sprintf("%03d.jpg", i)))
		}
		watched = append(watched, storetest.Watched{Path: folder, Settings: `{"gate":"ask"}`})
		watch = append(watch, folder)
	}
	assert.NoError(b, storetest.WatchFolders(b.Context(), filepath.Join(home, "sandbox"), watched...))

	blank := &benched{name: "a blank window", command: []string{buildBlank(b, root)}}
	own := &benched{name: "Assay's window", command: []string{assay, "--sandbox", "--home", home}}
	benchtest.Print(b, "")
	for _, minimised := range []bool{false, true} {
		how := "shown"
		if minimised {
			how = "minimised"
		}
		theirs, ours := blank.idle(b, desktop, screen, minimised), own.idle(b, desktop, screen, minimised)
		benchtest.Print(b, "B12 idle, ten folders watched, %s %s above %s: %.2f %% of a core (aim 0.2 %%) %s, %.1f wake-ups a second (aim 1) %s; %.2f %% and %.1f against %.2f %% and %.1f",
			own.name, how, blank.name, ours.share-theirs.share, benchtest.Met(ours.share-theirs.share <= 0.2), ours.wakes-theirs.wakes,
			benchtest.Met(ours.wakes-theirs.wakes <= 1), ours.share, ours.wakes, theirs.share, theirs.wakes)
	}
	process, err := desktop.Start(watch[0], watch[1:]...)
	assert.NoError(b, err)
	time.Sleep(10 * time.Second) // it looks at the folders
	alone := costOf(b, process)
	assert.NoError(b, process.Terminate(stopLimit))
	benchtest.Print(b, "B12 idle, assay watch of ten folders: %.2f %% of a core (aim 0.2 %%) %s, %.1f wake-ups a second (aim 1) %s",
		alone.share, benchtest.Met(alone.share <= 0.2), alone.wakes, benchtest.Met(alone.wakes <= 1))
}

func writeSmall(b *testing.B, path string) {
	b.Helper()
	assert.NoError(b, os.MkdirAll(filepath.Dir(path), 0o700))
	assert.NoError(b, os.WriteFile(path, []byte(path), 0o600))
}

// idleCost is what a program does at rest: its share of a core in hundredths, and how often its threads wake up in a second.
type idleCost struct{ share, wakes float64 }

// idle starts the program, waits until it rests, and measures it.
func (p *benched) idle(b *testing.B, desktop *Desktop, screen *framebuffer, minimised bool) idleCost {
	b.Helper()
	empty := screen.sample(b)
	process := p.run(b, desktop)
	benchUntil(b, p.name+" paints a window", func() bool { return alike(screen.sample(b), empty) < 0.5 })
	if minimised {
		window, err := desktop.Window(b.Context(), "--name", "^(Assay|Blank)$")
		assert.NoError(b, err)
		_, err = desktop.Run(b.Context(), "xdotool", "windowminimize", window.id)
		assert.NoError(b, err)
	}
	atRest(b, process)
	cost := costOf(b, process)
	assert.NoError(b, process.Terminate(stopLimit))
	return cost
}

// costOf measures a program for half a minute.
func costOf(b *testing.B, process *Process) idleCost {
	b.Helper()
	ticks, wakes, began := processorTicks(b, process), wakeUps(b, process), time.Now()
	time.Sleep(idleFor)
	took := time.Since(began).Seconds()
	return idleCost{share: float64(processorTicks(b, process)-ticks) / took, wakes: float64(wakeUps(b, process)-wakes) / took}
}

// wakeUps is how often all threads of a program have waited for something so far.
func wakeUps(b *testing.B, process *Process) (sum int) {
	b.Helper()
	threads, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(process.command.Process.Pid), "task"))
	assert.NoError(b, err)
	for _, thread := range threads {
		status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(process.command.Process.Pid), "task", thread.Name(), "status"))
		if err != nil {
			continue // it has ended
		}
		for line := range strings.Lines(string(status)) {
			if count, ok := strings.CutPrefix(line, "voluntary_ctxt_switches:"); ok {
				n, err := strconv.Atoi(strings.TrimSpace(count))
				assert.NoError(b, err)
				sum += n
			}
		}
	}
	return sum
}
