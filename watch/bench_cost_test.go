//go:build linux

package watch

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

const (
	benchWriters    = 100    // files that grow
	benchEvents     = 10_000 // a second
	benchWriteFor   = 5 * time.Second
	benchWriterTick = 10 * time.Millisecond
	// benchWriterVariable names the folder in which TestBenchWriter writes.
	benchWriterVariable = "ASSAY_WATCH_BENCH_WRITER"
)

// BenchmarkB6Events tells how much of a core it takes to follow 10,000 events a second, beside inotifywait, which prints them to
// nowhere. Both watch the same folder at the same time; the files are written by another process.
func BenchmarkB6Events(b *testing.B) {
	_, _ = fmt.Fprintln(os.Stdout) // ends the line on which the benchmark's name stands
	dir := b.TempDir()
	var left atomic.Int64
	left.Store(benchWriters)
	all := make(chan struct{})
	w, err := Open(Params{
		Memory: newTestMemory(),
		Announce: func(_ context.Context, files []File) error {
			if left.Add(-int64(len(files))) == 0 {
				close(all)
			}
			return nil
		},
	})
	must(b, err)
	defer w.Close()
	must(b, w.Add(Folder{ID: "bench", Path: dir}))
	must(b, w.waitIdle(b.Context()))
	peer := startInotifywait(b, dir, false, "create", "modify", "attrib", "close_write", "moved_to", "moved_from", "delete")
	writer := exec.CommandContext(b.Context(), "/proc/self/exe", "-test.run=^TestBenchWriter$") //nolint:gosec // this program
	writer.Env = append(os.Environ(), benchWriterVariable+"="+dir)
	runtime.GC()
	before, peerBefore, begun := ownCPUTime(b), peer.cpuTime(b), time.Now()
	if output, err := writer.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, output)
	}
	took := time.Since(begun)
	select {
	case <-all:
	case <-time.After(time.Minute):
		b.Fatalf("%d files were not announced", left.Load())
	}
	ours, theirs := ownCPUTime(b)-before, peer.cpuTime(b)-peerBefore
	printFigure("CPU at 10,000 events a second", fmt.Sprintf("%.1f%% of a core; inotifywait %.1f%%; ours vs its: %.2fx",
		100*ours.Seconds()/took.Seconds(), 100*theirs.Seconds()/took.Seconds(), ours.Seconds()/theirs.Seconds()), "<= 2x", ours <= 2*theirs)
	b.ReportMetric(ours.Seconds()/theirs.Seconds(), "x-inotifywait")
}

// TestBenchWriter writes for BenchmarkB6Events, in a process of its own.
func TestBenchWriter(t *testing.T) {
	dir := os.Getenv(benchWriterVariable)
	if dir == "" {
		t.Skip("for BenchmarkB6Events")
	}
	files := make([]*os.File, benchWriters)
	for i := range files {
		var err error
		if files[i], err = os.Create(filepath.Join(dir, strconv.Itoa(i)+".jpg")); err != nil {
			t.Fatal(err)
		}
	}
	ticks := time.NewTicker(benchWriterTick)
	defer ticks.Stop()
	each := int(benchEvents * benchWriterTick / time.Second)
	begun, written := time.Now(), 0
	for range ticks.C {
		// Ticks that were missed are made up for.
		for due := int(time.Since(begun)/benchWriterTick) * each; written < due; written++ {
			if _, err := fmt.Fprintf(files[written%benchWriters], "%032d", written); err != nil {
				t.Fatal(err)
			}
		}
		if time.Since(begun) >= benchWriteFor {
			break
		}
	}
	for _, file := range files {
		must(t, file.Close())
	}
}

// benchTree makes files of a byte, in folders of a thousand.
func benchTree(b *testing.B, files int) (root string) {
	b.Helper()
	root = b.TempDir()
	for n := range files {
		dir := filepath.Join(root, fmt.Sprintf("card-%03d", n/1000))
		if n%1000 == 0 {
			must(b, os.Mkdir(dir, 0o700))
		}
		must(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("IMG_%06d.jpg", n)), []byte{1}, 0o600))
	}
	return root
}

// BenchmarkB6Memory tells how much memory a watched folder of 100,000 files takes, beside a plain map of the same names to what
// the system says of each.
func BenchmarkB6Memory(b *testing.B) {
	const files = 100_000
	_, _ = fmt.Fprintln(os.Stdout) // ends the line on which the benchmark's name stands
	root := benchTree(b, files)

	before := heapInUse()
	plain := make(map[string]os.FileInfo)
	must(b, walk(root, func(path string, info os.FileInfo) { plain[path] = info }))
	theirs := heapInUse() - before
	runtime.KeepAlive(plain)
	plain = nil

	before = heapInUse()
	w, err := Open(Params{Memory: diskMemory{root}, Announce: func(context.Context, []File) error { return nil }})
	must(b, err)
	defer w.Close()
	must(b, w.Add(Folder{ID: "bench", Path: root, Subfolders: true}))
	must(b, w.waitIdle(b.Context()))
	ours := heapInUse() - before
	if state, _ := w.State("bench"); state.Files != files || state.Settling != 0 {
		b.Fatalf("%d files are known and %d rest, want %d and 0", state.Files, state.Settling, files)
	}
	ratio := float64(ours) / float64(theirs)
	printFigure("memory at 100,000 files", fmt.Sprintf("%.1f MB, %d bytes a file; a map of os.FileInfo %.1f MB; ours vs its: %.2fx",
		float64(ours)/(1<<20), ours/files, float64(theirs)/(1<<20), ratio), "", true)
	b.ReportMetric(float64(ours)/files, "bytes/file")
	b.ReportMetric(ratio, "x-map")
}

// BenchmarkB6Rescan tells how long it takes to look at 10,000 files that are known, after events were lost, beside a bare walk
// that asks the system about each.
func BenchmarkB6Rescan(b *testing.B) {
	const files, rounds = 10_000, 21
	_, _ = fmt.Fprintln(os.Stdout) // ends the line on which the benchmark's name stands
	root := benchTree(b, files)
	clock := newScriptClock() // stands still, so that no pause is made between two looks
	var tell func(hint)
	w, err := Open(Params{
		Memory: diskMemory{root}, Announce: func(context.Context, []File) error { return nil }, Now: clock.Now, After: clock.After,
		source: func(emit func(hint)) (source, error) {
			tell = emit
			return openSource(emit)
		},
	})
	must(b, err)
	defer w.Close()
	must(b, w.Add(Folder{ID: "bench", Path: root, Subfolders: true}))
	must(b, w.waitIdle(b.Context()))
	var ratios []float64
	var ours []time.Duration
	for range rounds {
		begun := time.Now()
		tell(hint{kind: overflow})
		must(b, w.waitIdle(b.Context()))
		took := time.Since(begun)
		begun = time.Now()
		must(b, walk(root, func(string, os.FileInfo) {}))
		ours, ratios = append(ours, took), append(ratios, took.Seconds()/time.Since(begun).Seconds())
	}
	ratio := slices.Sorted(slices.Values(ratios))[rounds/2]
	printFigure("rescan of 10,000 files", fmt.Sprintf("%.1f ms; vs a bare walk with Info: %.2fx", ms(at(0.5, ours)), ratio), "<= 1.1x", ratio <= 1.1)
	b.ReportMetric(ratio, "x-walk")
}

func walk(root string, each func(path string, info os.FileInfo)) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			each(path, info)
		}
		return err
	})
}
