//go:build linux

package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkB6Latency tells how long after its close, and after its renaming into place, a file is announced, which is after it was
// read and hashed, beside how long inotifywait takes to print its name. Both watch the same folder at the same time.
func BenchmarkB6Latency(b *testing.B) {
	const files, size = 250, 64 << 10
	_, _ = fmt.Fprintln(os.Stdout) // ends the line on which the benchmark's name stands
	dir, outside := b.TempDir(), b.TempDir()
	announced := make(chan peerLine, files)
	w, err := Open(Params{
		Memory: newTestMemory(),
		Announce: func(_ context.Context, files []File) error {
			now := time.Now()
			for _, f := range files {
				announced <- peerLine{name: filepath.Base(f.Path), at: now}
			}
			return nil
		},
	})
	must(b, err)
	defer w.Close()
	must(b, w.Add(Folder{ID: "bench", Path: dir}))
	must(b, w.waitIdle(b.Context()))
	peer := startInotifywait(b, dir, true, "close_write", "moved_to")

	worst := 0.0
	for _, kind := range []string{"close", "rename-in"} {
		var ours, theirs []time.Duration
		for n := range files {
			name := fmt.Sprintf("%s-%d.jpg", kind, n)
			path := filepath.Join(dir, name)
			if kind == "rename-in" {
				path = filepath.Join(outside, name)
			}
			file, err := os.Create(path)
			must(b, err)
			content := make([]byte, size)
			copy(content, name)
			if _, err := file.Write(content); err != nil {
				b.Fatal(err)
			}
			begun := time.Now()
			must(b, file.Close())
			if kind == "rename-in" {
				begun = time.Now()
				must(b, os.Rename(path, filepath.Join(dir, name)))
			}
			ours = append(ours, tellsOf(b, announced, name).Sub(begun))
			theirs = append(theirs, tellsOf(b, peer.lines, name).Sub(begun))
		}
		median, high := at(0.5, ours), at(0.95, ours)
		printFigure("announced after "+kind+", median and 95 of 100", fmt.Sprintf("%.1f ms, %.1f ms", ms(median), ms(high)), "<= 200 ms", high <= 200*time.Millisecond)
		printFigure("inotifywait after "+kind+", median and 95 of 100", fmt.Sprintf("%.1f ms, %.1f ms; ours vs its: %.1fx", ms(at(0.5, theirs)), ms(at(0.95, theirs)),
			ms(median)/ms(at(0.5, theirs))), "", true)
		worst = max(worst, ms(median)/ms(at(0.5, theirs)))
	}
	b.ReportMetric(worst, "x-inotifywait")
}

// tellsOf is when a file's name came.
func tellsOf(b *testing.B, lines <-chan peerLine, name string) time.Time {
	b.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case line := <-lines:
			if line.name == name {
				return line.at
			}
		case <-limit:
			b.Fatalf("nothing told of %s", name)
		}
	}
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }
