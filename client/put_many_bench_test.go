//go:build linux

package client_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// BenchmarkB3PutMany measures the upload of 8 files of 20 MB at once beside curl --parallel, each in a process of its
// own, against the same server, and prints the median of the rounds' ratios beside the aim of B3. What starting a process
// takes is left out, as in B1; the ratio with it is told, too.
func BenchmarkB3PutMany(b *testing.B) {
	bench := newPutBench(b, "")
	_, _ = fmt.Fprintln(os.Stdout) // ends the line on which the benchmark's name stands
	var files []string
	for range 8 {
		files = append(files, bench.file(20*megabyte))
	}
	tiny := bench.file(1)
	const assay, curl, assayTiny, curlTiny = 0, 1, 2, 3
	got := bench.byTurns(
		bench.own(manyRole, strings.Join(files, string(os.PathListSeparator))), bench.curlParallel(files),
		bench.own(manyRole, tiny), bench.curlParallel([]string{tiny}),
	)
	cpu := ratio(above(got[assay].cpu, got[assayTiny].cpu), above(got[curl].cpu, got[curlTiny].cpu))
	_, _ = fmt.Fprintf(os.Stdout, "B3 PUT of 8 files of 20 MB at once CPU vs curl --parallel: %.2fx (aim <= 0.70x) %s\n", cpu, met(cpu <= 0.7))
	_, _ = fmt.Fprintf(os.Stdout, "B3 the same with the start of the processes: %.2fx\n", ratio(got[assay].cpu, got[curl].cpu))
	_, _ = fmt.Fprintf(os.Stdout, "B3 PUT of 8 files of 20 MB at once speed vs curl --parallel: %.2fx\n", ratio(
		above(got[curl].seconds, got[curlTiny].seconds), above(got[assay].seconds, got[assayTiny].seconds)))
	b.ReportMetric(cpu, "x-CPU-of-curl")
}

// curlParallel sends all files at once; its seconds are those of the process.
func (p *putBench) curlParallel(files []string) func() cost {
	args := []string{"--silent", "--no-progress-meter", "--show-error", "--fail", "--noproxy", "*", "--http1.1", "--parallel", "--parallel-immediate"}
	for _, file := range files {
		args = append(args, "-T", file, p.address)
	}
	return func() cost {
		cmd := exec.CommandContext(p.Context(), "curl", args...) //nolint:gosec // the peer
		cmd.Stderr = os.Stderr
		start := time.Now()
		if err := cmd.Run(); err != nil {
			p.Fatal("curl: ", err)
		}
		return cost{seconds: time.Since(start).Seconds(), cpu: cpuOf(cmd)}
	}
}
