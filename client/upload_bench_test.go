//go:build linux

package client_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay/client/assert"
	"assay/client/benchtest"
)

const (
	megabyte = 1 << 20 // as the service counts
	rounds   = 9       // of all uploaders by turns, so that a busy machine troubles all alike
)

// BenchmarkB1Put measures the upload of 250 MB beside curl -T and beside reading the file whole, each in a process of
// its own, against the same server, and prints the medians of the rounds' ratios beside the aims of B1.
func BenchmarkB1Put(b *testing.B) {
	bench := newPutBench(b, "")
	benchtest.Print(b, "")
	large, small, tiny := bench.file(250*megabyte), bench.file(megabyte), bench.file(1)
	const assay, curl, whole, assayTiny, curlTiny, wholeTiny, assaySmall, assayIdle = 0, 1, 2, 3, 4, 5, 6, 7
	got := bench.alternate(
		bench.own(assayRole, large), bench.curl(large), bench.own(wholeRole, large),
		bench.own(assayRole, tiny), bench.curl(tiny), bench.own(wholeRole, tiny),
		bench.own(assayRole, small), bench.own(idleRole, large),
	)
	bench.atLeast("PUT 250 MB speed vs curl -T", ratio(got[curl].seconds, got[assay].seconds), 0.95)
	assayCPU := above(got[assay].cpu, got[assayTiny].cpu)
	bench.atMost("PUT 250 MB CPU vs curl -T", ratio(assayCPU, above(got[curl].cpu, got[curlTiny].cpu)), 0.6)
	bench.report("PUT 250 MB speed vs a peer that reads the file whole: %.2fx", ratio(got[whole].seconds, got[assay].seconds))
	bench.report("PUT 250 MB CPU vs a peer that reads the file whole: %.2fx", ratio(assayCPU, above(got[whole].cpu, got[wholeTiny].cpu)))
	resident := benchtest.Median(got[assay].peakMiB)
	bench.memory("PUT 250 MB resident above idle", resident-benchtest.Median(got[assayIdle].peakMiB), 4)
	bench.memory("PUT 250 MB resident above a PUT of 1 MB", resident-benchtest.Median(got[assaySmall].peakMiB), 4)
	bench.report("PUT 250 MB resident above idle of the peer that reads the file whole: %.1f MiB", benchtest.Median(got[whole].peakMiB)-benchtest.Median(got[assayIdle].peakMiB))
	bench.report("PUT 250 MB: %.0f MB/s", 250/benchtest.Median(got[assay].seconds))
}

// BenchmarkB1PutTLS does the same over TLS, with a certificate of our own.
func BenchmarkB1PutTLS(b *testing.B) {
	bench := newPutBench(b, filepath.Join(b.TempDir(), "certificate.pem"))
	benchtest.Print(b, "")
	large, tiny := bench.file(250*megabyte), bench.file(1)
	const assay, curl, assayTiny, curlTiny = 0, 1, 2, 3
	got := bench.alternate(bench.own(assayRole, large), bench.curl(large), bench.own(assayRole, tiny), bench.curl(tiny))
	bench.atLeast("PUT 250 MB over TLS speed vs curl -T", ratio(got[curl].seconds, got[assay].seconds), 0.85)
	bench.report("PUT 250 MB over TLS CPU vs curl -T: %.2fx",
		ratio(above(got[assay].cpu, got[assayTiny].cpu), above(got[curl].cpu, got[curlTiny].cpu)))
	bench.report("PUT 250 MB over TLS: %.0f MB/s", 250/benchtest.Median(got[assay].seconds))
}

// putBench is a server in a process of its own and what is sent to it.
type putBench struct {
	*testing.B
	folder, address, certificate string
}

// newPutBench starts the server; certificate is where it leaves its own, "" for plain HTTP.
func newPutBench(b *testing.B, certificate string) *putBench {
	b.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		b.Fatal("curl is the peer of this benchmark: ", err)
	}
	bench := &putBench{B: b, folder: b.TempDir(), certificate: certificate}
	server := bench.process(sinkRole, "")
	input, err := server.StdinPipe()
	assert.NoError(b, err)
	output, err := server.StdoutPipe()
	assert.NoError(b, err)
	assert.NoError(b, server.Start())
	lines := bufio.NewReader(output)
	b.Cleanup(func() {
		_ = input.Close() // it ends by that
		if rest, err := io.ReadAll(lines); err != nil || bytes.Contains(rest, []byte(`"Failure":"`)) && !bytes.Contains(rest, []byte(`"Failure":""`)) {
			b.Errorf("the server: %s %v", rest, err)
		}
		if err := server.Wait(); err != nil {
			b.Error("the server: ", err)
		}
	})
	line, err := lines.ReadBytes('\n')
	assert.NoError(b, err)
	bench.address = readReport(b, line).Address
	return bench
}

func readReport(b *testing.B, line []byte) report {
	b.Helper()
	var r report
	if err := json.Unmarshal(line, &r); err != nil || r.Failure != "" {
		b.Fatalf("a process answered %q: %v", line, err)
	}
	return r
}

// file makes a file of random bytes and leaves it in the page cache as reading it from the disk leaves it, which hashing
// does before an upload. How the pages came there matters: a file that has just been written in pieces of 1 MB costs
// sendfile a third more CPU time than one that was read.
func (p *putBench) file(size int64) string {
	p.Helper()
	file, err := os.CreateTemp(p.folder, strconv.FormatInt(size, 10)+"-")
	assert.NoError(p, err)
	for content := make([]byte, min(size, megabyte)); size > 0; size -= int64(len(content)) {
		_, _ = rand.Read(content) // never fails
		if _, err := file.Write(content); err != nil {
			p.Fatal(err)
		}
	}
	if err := file.Sync(); err != nil { // or its writing back troubles the first rounds
		p.Fatal(err)
	}
	assert.NoError(p, unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED))
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		p.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, file); err != nil {
		p.Fatal(err)
	}
	assert.NoError(p, file.Close())
	return file.Name()
}

func (p *putBench) process(role, file string) *exec.Cmd {
	p.Helper()
	self, err := os.Executable()
	assert.NoError(p, err)
	cmd := exec.CommandContext(context.WithoutCancel(p.Context()), self) //nolint:gosec // this very program; the server ends by itself, in a cleanup
	cmd.Env = append(os.Environ(), roleEnv+"="+role, fileEnv+"="+file, addressEnv+"="+p.address, certificateEnv+"="+p.certificate)
	cmd.Stderr = os.Stderr
	return cmd
}

// cost is what one upload took.
type cost struct{ seconds, cpu, peakMiB float64 }

// costs are an upload's, round by round.
type costs struct{ seconds, cpu, peakMiB []float64 }

// above leaves out of the CPU time what starting the process took, as an upload of one byte shows it.
func above(cpu, tiny []float64) []float64 {
	start, rest := benchtest.Median(tiny), make([]float64, len(cpu))
	for i := range cpu {
		rest[i] = cpu[i] - start
	}
	return rest
}

// ratio is the median of the rounds' own ratios: what troubles a round troubles both sides of it.
func ratio(a, b []float64) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
	}
	return benchtest.Median(ratios)
}

func (p *putBench) own(role, file string) func() cost {
	return func() cost {
		cmd := p.process(role, file)
		line, err := cmd.Output()
		if err != nil {
			p.Fatal(role, ": ", err)
		}
		r := readReport(p.B, line)
		return cost{seconds: r.Seconds, cpu: cpuOf(cmd), peakMiB: float64(r.PeakKiB) / 1024}
	}
}

func (p *putBench) curl(file string) func() cost {
	args := []string{"--silent", "--show-error", "--fail", "--noproxy", "*", "--http1.1", "--write-out", "%{time_total}", "--output", os.DevNull}
	if p.certificate != "" {
		args = append(args, "--cacert", p.certificate)
	}
	return func() cost {
		cmd := exec.CommandContext(p.Context(), "curl", append(slices.Clone(args), "-T", file, p.address)...) //nolint:gosec // the peer
		cmd.Stderr = os.Stderr
		took, err := cmd.Output()
		if err != nil {
			p.Fatal("curl: ", err)
		}
		seconds, err := strconv.ParseFloat(string(took), 64)
		if err != nil {
			p.Fatal("curl: ", err)
		}
		return cost{seconds: seconds, cpu: cpuOf(cmd)}
	}
}

// cpuOf is what a process that has ended used, in seconds, user and system.
func cpuOf(cmd *exec.Cmd) float64 {
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}

// byTurns runs each upload once to warm up and then once a round, each round beginning with another one.
func (p *putBench) alternate(uploads ...func() cost) []costs {
	all := make([]costs, len(uploads))
	for round := range rounds + 1 {
		for turn := range uploads {
			i := (round + turn) % len(uploads)
			got := uploads[i]()
			if round == 0 {
				continue
			}
			all[i].seconds = append(all[i].seconds, got.seconds)
			all[i].cpu = append(all[i].cpu, got.cpu)
			all[i].peakMiB = append(all[i].peakMiB, got.peakMiB)
		}
	}
	return all
}

func (p *putBench) report(format string, value float64) {
	benchtest.Print(p.B, "B1 "+format, value)
}

func (p *putBench) atLeast(what string, ratio, aim float64) {
	benchtest.Print(p.B, "B1 %s: %.2fx (aim >= %.2fx) %s", what, ratio, aim, benchtest.Met(ratio >= aim))
	p.ReportMetric(ratio, "x-speed-of-curl")
}

func (p *putBench) atMost(what string, ratio, aim float64) {
	benchtest.Print(p.B, "B1 %s: %.2fx (aim <= %.2fx) %s", what, ratio, aim, benchtest.Met(ratio <= aim))
	p.ReportMetric(ratio, "x-CPU-of-curl")
}

func (p *putBench) memory(what string, mebibytes, aim float64) {
	benchtest.Print(p.B, "B1 %s: %.1f MiB (aim <= %.0f MiB) %s", what, mebibytes, aim, benchtest.Met(mebibytes <= aim))
	p.ReportMetric(mebibytes, "MiB-above")
}

// BenchmarkB3PutMany measures the upload of 8 files of 20 MB at once beside curl --parallel, each in a process of its
// own, against the same server, and prints the median of the rounds' ratios beside the aim of B3. What starting a process
// takes is left out, as in B1; the ratio with it is told, too.
func BenchmarkB3PutMany(b *testing.B) {
	bench := newPutBench(b, "")
	benchtest.Print(b, "")
	var files []string
	for range 8 {
		files = append(files, bench.file(20*megabyte))
	}
	tiny := bench.file(1)
	const assay, curl, assayTiny, curlTiny = 0, 1, 2, 3
	got := bench.alternate(
		bench.own(manyRole, strings.Join(files, string(os.PathListSeparator))), bench.curlParallel(files),
		bench.own(manyRole, tiny), bench.curlParallel([]string{tiny}),
	)
	cpu := ratio(above(got[assay].cpu, got[assayTiny].cpu), above(got[curl].cpu, got[curlTiny].cpu))
	benchtest.Print(b, "B3 PUT of 8 files of 20 MB at once CPU vs curl --parallel: %.2fx (aim <= 0.70x) %s", cpu, benchtest.Met(cpu <= 0.7))
	benchtest.Print(b, "B3 the same with the start of the processes: %.2fx", ratio(got[assay].cpu, got[curl].cpu))
	benchtest.Print(b, "B3 PUT of 8 files of 20 MB at once speed vs curl --parallel: %.2fx", ratio(
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
