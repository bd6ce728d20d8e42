//go:build e2e && linux

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/store/storetest"
)

// B9: with this many results, starting takes at most so many times a blank window's time, and at rest Assay has at most so
// much more memory.
const (
	benchHistory   = 1_000_000
	benchStartAim  = 1.25
	benchMemoryAim = 40 // MiB
)

// How often each program is started, by turns, and how many of those starts are left until the program rests.
const (
	benchStarts = 11
	benchRests  = 3
)

// BenchmarkB9Start starts Assay with a history of 1,000,000 results and a blank window of the same toolkit by turns, and
// prints the ratio and the difference beside the aims of B9; beside them, what a window with the rail and one label takes. The time is from the start of the process until the screen
// looks as it does once the program rests. It is measured with the sandbox in the same process, as `make run` has it, and
// with the sandbox running elsewhere, as a service does.
func BenchmarkB9Start(b *testing.B) {
	root, err := Root()
	assert.NoError(b, err)
	assay, err := Binary()
	assert.NoError(b, err)
	desktop, screen := benchDesktop(b)
	embedded, served := b.TempDir(), b.TempDir()
	fillHistory(b, filepath.Join(embedded, "sandbox"))
	url, key := serveSandbox(b, desktop, assay)
	// A service's folder is named after its address: http+127.0.0.1+8080.
	fillHistory(b, filepath.Join(served, strings.NewReplacer("://", "+", ":", "+").Replace(url)))

	bare := buildBlank(b, root)
	blank := &benched{name: "a blank window", command: []string{bare}}
	rail := &benched{name: "the rail and one label", command: []string{bare, "rail"}}
	own := &benched{name: "Assay with the sandbox in it", command: []string{assay, "--sandbox", "--home", embedded}}
	client := &benched{name: "Assay with a service elsewhere", command: []string{assay, "--server", url, "--home", served},
		environment: []string{"ASSAY_API_KEY=" + key}}
	for _, program := range []*benched{blank, rail, own, client} {
		program.learn(b, desktop, screen)
	}
	for n := range benchStarts {
		for _, program := range []*benched{blank, rail, own, client} {
			program.start(b, desktop, screen, n < benchRests)
		}
	}
	benchtest.Print(b, "")
	benchtest.Print(b, "B9 start of %s, the least that needs the toolkit's fonts, vs %s: %.2fx; idle memory above it: %.0f MiB", rail.name, blank.name,
		benchtest.Median(rail.seconds)/benchtest.Median(blank.seconds), benchtest.Median(rail.memory)-benchtest.Median(blank.memory))
	for _, program := range []*benched{own, client} {
		ratio := benchtest.Median(program.seconds) / benchtest.Median(blank.seconds)
		benchtest.Print(b, "B9 start of %s and %d results vs %s: %.2fx (aim %.2fx) %s; %.0f ms against %.0f ms", program.name, benchHistory, blank.name,
			ratio, benchStartAim, benchtest.Met(ratio <= benchStartAim), benchtest.Median(program.seconds)*1e3, benchtest.Median(blank.seconds)*1e3)
		more := benchtest.Median(program.memory) - benchtest.Median(blank.memory)
		benchtest.Print(b, "B9 idle memory of %s and %d results above %s: %.0f MiB (aim %d MiB) %s; %.0f MiB against %.0f MiB, of which %.0f and %.0f MiB"+
			" are the program's files", program.name, benchHistory, blank.name, more, benchMemoryAim, benchtest.Met(more <= benchMemoryAim),
			benchtest.Median(program.memory), benchtest.Median(blank.memory), benchtest.Median(program.files), benchtest.Median(blank.files))
	}
	b.ReportMetric(benchtest.Median(own.seconds)/benchtest.Median(blank.seconds), "x-blank-window")
}

// benched is a program whose starts are measured.
type benched struct {
	name        string
	command     []string
	environment []string

	looks         []byte    // the screen, once it rests
	seconds       []float64 // of each start
	memory, files []float64 // resident at rest, in MiB: all of it, and what is mapped from files
}

// learn starts the program once, so that its files are in memory, and sees how the screen looks once it rests.
func (p *benched) learn(b *testing.B, desktop *Desktop, screen *framebuffer) {
	b.Helper()
	empty := screen.sample(b)
	process := p.run(b, desktop)
	benchUntil(b, p.name+" paints a window", func() bool { return alike(screen.sample(b), empty) < 0.5 })
	atRest(b, process)
	p.looks = screen.sample(b)
	p.end(b, process, screen, empty)
}

// start measures one start, and what the program holds at rest.
func (p *benched) start(b *testing.B, desktop *Desktop, screen *framebuffer, untilRest bool) {
	b.Helper()
	empty := screen.sample(b)
	began := time.Now()
	process := p.run(b, desktop)
	benchUntil(b, p.name+" paints its window", func() bool { return alike(screen.sample(b), p.looks) >= 0.998 })
	p.seconds = append(p.seconds, time.Since(began).Seconds())
	if untilRest {
		atRest(b, process)
		p.memory = append(p.memory, residentMiB(b, process, "VmRSS"))
		p.files = append(p.files, residentMiB(b, process, "RssFile"))
	}
	p.end(b, process, screen, empty)
}

func (p *benched) run(b *testing.B, desktop *Desktop) *Process {
	b.Helper()
	process, err := desktop.StartWith(append([]string{"FYNE_THEME=light", "FYNE_SCALE=1"}, p.environment...), p.command[0], p.command[1:]...)
	assert.NoError(b, err)
	return process
}

// end ends the program as a session's end does, and waits until its window is gone.
func (p *benched) end(b *testing.B, process *Process, screen *framebuffer, empty []byte) {
	b.Helper()
	assert.NoError(b, process.Terminate(stopLimit))
	if code := process.ExitCode(); code != 0 {
		b.Fatalf("%s ended with exit code %d: %s", p.name, code, process.Errors)
	}
	benchUntil(b, "the screen is empty again", func() bool { return alike(screen.sample(b), empty) == 1 })
}

// atRest waits for a program that has been up for some seconds to do no more than it does idle: the toolkit alone looks for events sixty
// times a second, which takes a steady few hundredths of a processor.
func atRest(b *testing.B, process *Process) {
	b.Helper()
	const window, least = 2 * time.Second, 6 * time.Second
	const idle, steady = 10, 2 // hundredths of a second in a window, and from one window to the next
	began := time.Now()
	since, ticks, before := began, processorTicks(b, process), -1
	benchUntil(b, "the program rests", func() bool {
		now := time.Now()
		if now.Sub(since) < window {
			return false
		}
		last, worked := before, processorTicks(b, process)
		before = worked - ticks
		since, ticks = now, worked
		return last >= 0 && before <= idle && max(before, last)-min(before, last) <= steady && now.Sub(began) >= least
	})
}

// processorTicks is the time that a program has worked, in hundredths of a second.
func processorTicks(b testing.TB, process *Process) int {
	b.Helper()
	stat := processFile(b, process, "stat")
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:]) // the name before may hold anything
	user, err := strconv.Atoi(fields[11])
	assert.NoError(b, err)
	system, err := strconv.Atoi(fields[12])
	assert.NoError(b, err)
	return user + system
}

var memoryLine = regexp.MustCompile(`(?m)^(\w+):\s+(\d+) kB$`)

func residentMiB(b testing.TB, process *Process, name string) float64 {
	b.Helper()
	for _, line := range memoryLine.FindAllStringSubmatch(processFile(b, process, "status"), -1) {
		if line[1] != name {
			continue
		}
		kib, err := strconv.ParseFloat(line[2], 64)
		assert.NoError(b, err)
		return kib / 1024
	}
	b.Fatal("the system does not say", name)
	return 0
}

func processFile(b testing.TB, process *Process, name string) string {
	b.Helper()
	content, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(process.command.Process.Pid), name))
	assert.NoError(b, err)
	return string(content)
}

// buildBlank builds the window that Assay is compared with, in the same way as Assay.
func buildBlank(b *testing.B, root string) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "blank")
	command := exec.CommandContext(b.Context(), "go", "build", "-tags=migrated_fynedo", "-trimpath", "-o", path, "./gui/e2e/blank")
	command.Dir = root
	if out, err := command.CombinedOutput(); err != nil {
		b.Fatalf("build the blank window: %v\n%s", err, out)
	}
	return path
}

func fillHistory(b *testing.B, folder string) {
	b.Helper()
	assert.NoError(b, storetest.FillFolder(b.Context(), folder, benchHistory))
}

// serveSandbox runs the sandbox as a service of its own, and returns where it is and the key that it takes.
func serveSandbox(b *testing.B, desktop *Desktop, assay string) (url, key string) {
	b.Helper()
	process, err := desktop.Start(assay, "sandbox", "--dir", filepath.Join(b.TempDir(), "service"))
	assert.NoError(b, err)
	benchUntil(b, "the sandbox serves", func() bool {
		for _, line := range process.Output.Lines() {
			if rest, ok := strings.CutPrefix(line, "url: "); ok {
				url = rest
			}
			if rest, ok := strings.CutPrefix(line, "key: "); ok {
				key = rest
			}
		}
		return url != "" && key != ""
	})
	return url, key
}
