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

// BenchmarkB12Idle tells what Assay costs while nothing happens, with ten folders watched: its window beside two blank ones of the same toolkit, all
// shown, then all minimised, and `assay watch`, which has no window. The toolkit alone looks for events sixty times a second, which is a steady few
// hundred switches between threads, so that a window's own wake-ups show only as what it has more than the busier of two alike.
func BenchmarkB12Idle(b *testing.B) {
	root, err := Root()
	assert.NoError(b, err)
	assay, err := Binary()
	assert.NoError(b, err)
	desktop, _ := benchDesktop(b)
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
	windows := []*Process{own.run(b, desktop), blank.run(b, desktop), blank.run(b, desktop)}
	benchUntil(b, "all windows show", func() bool { return desktop.Windows(b.Context(), benchedWindows...) == len(windows) })
	alone, err := desktop.Start(watch[0], watch[1:]...)
	assert.NoError(b, err)
	for _, process := range windows {
		atRest(b, process)
	}
	benchtest.Print(b, "")
	shown := costsOf(b, append(windows, alone)...)
	printIdle(b, "shown", shown)
	_, err = desktop.Run(b.Context(), "xdotool", append(append([]string{"search", "--onlyvisible"}, benchedWindows...), "windowminimize", "%@")...)
	assert.NoError(b, err)
	for _, process := range windows {
		atRest(b, process)
	}
	printIdle(b, "minimised", costsOf(b, windows...))
	watching := shown[len(windows)]
	benchtest.Print(b, "B12 idle, assay watch of ten folders: %.2f %% of a core (aim 0.2 %%) %s, %.1f wake-ups a second (aim 1) %s",
		watching.share, benchtest.Met(watching.share <= 0.2), watching.wakes, benchtest.Met(watching.wakes <= 1))
	for _, process := range append(windows, alone) {
		assert.NoError(b, process.Terminate(stopLimit))
	}
}

// benchedWindows finds the windows that are measured.
var benchedWindows = []string{"--name", "^(Assay|Blank)$"}

// printIdle compares the first, which is Assay's window, with the two blank ones.
func printIdle(b *testing.B, how string, costs []idleCost) {
	b.Helper()
	own, share, switches := costs[0], max(costs[1].share, costs[2].share), max(costs[1].switches, costs[2].switches)
	benchtest.Print(b, "B12 idle, ten folders watched, the window %s, above the busier of two blank ones: %.2f %% of a core (aim 0.2 %%) %s, "+
		"%.1f switches between threads a second (aim 1) %s; %.2f %% and %.0f against %.2f %% and %.2f %%, %.0f and %.0f", how,
		own.share-share, benchtest.Met(own.share-share <= 0.2), own.switches-switches, benchtest.Met(own.switches-switches <= 1),
		own.share, own.switches, costs[1].share, costs[2].share, costs[1].switches, costs[2].switches)
}

func writeSmall(b *testing.B, path string) {
	b.Helper()
	assert.NoError(b, os.MkdirAll(filepath.Dir(path), 0o700))
	assert.NoError(b, os.WriteFile(path, []byte(path), 0o600))
}

// idleCost is what a program does at rest: its share of a core in hundredths, how often its threads have waited in a second, and how often in a second
// it woke up, where all that its threads do within a twentieth of a second is one time.
type idleCost struct{ share, switches, wakes float64 }

// costsOf measures programs for half a minute, all at the same time.
func costsOf(b *testing.B, processes ...*Process) []idleCost {
	b.Helper()
	const slot = 50 * time.Millisecond
	first, before, wakes := make([]threadsTotal, len(processes)), make([]threadsTotal, len(processes)), make([]int, len(processes))
	for i, process := range processes {
		first[i] = totalOf(b, process)
	}
	copy(before, first)
	began := time.Now()
	for time.Since(began) < idleFor {
		time.Sleep(slot)
		for i, process := range processes {
			now := totalOf(b, process)
			if now.switches != before[i].switches {
				wakes[i]++
			}
			before[i] = now
		}
	}
	took := time.Since(began)
	costs := make([]idleCost, len(processes))
	for i := range processes {
		costs[i] = idleCost{
			share:    100 * float64(before[i].worked-first[i].worked) / float64(took),
			switches: float64(before[i].switches-first[i].switches) / took.Seconds(),
			wakes:    float64(wakes[i]) / took.Seconds(),
		}
	}
	return costs
}

// threadsTotal is how long all threads of a program have worked so far, and how often they have waited for something.
type threadsTotal struct {
	worked   time.Duration
	switches int
}

func totalOf(b *testing.B, process *Process) (sum threadsTotal) {
	b.Helper()
	tasks := filepath.Join("/proc", strconv.Itoa(process.command.Process.Pid), "task")
	threads, err := os.ReadDir(tasks)
	assert.NoError(b, err)
	for _, thread := range threads {
		times, err := os.ReadFile(filepath.Join(tasks, thread.Name(), "schedstat"))
		if err != nil {
			continue // it has ended
		}
		status, err := os.ReadFile(filepath.Join(tasks, thread.Name(), "status"))
		if err != nil {
			continue
		}
		worked, err := strconv.ParseInt(strings.Fields(string(times))[0], 10, 64)
		assert.NoError(b, err)
		sum.worked += time.Duration(worked)
		for line := range strings.Lines(string(status)) {
			if count, ok := strings.CutPrefix(line, "voluntary_ctxt_switches:"); ok {
				n, err := strconv.Atoi(strings.TrimSpace(count))
				assert.NoError(b, err)
				sum.switches += n
			}
		}
	}
	return sum
}
