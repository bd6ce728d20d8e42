//go:build linux

package intake_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay/client"
	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/clocktest"
	"assay/client/intake"
	"assay/client/submission"
)

const (
	megabyte    = 1 << 20
	benchFiles  = 8
	benchSize   = 32 * megabyte // of each
	benchRounds = 15            // of both by turns, so that a busy machine troubles both alike
)

// BenchmarkB2HashAndPut hands files over to a queue that hashes and sends them, beside hashing the same files alone, and
// prints the median of the rounds' ratios beside the aims of B2. The server is in this process, on loopback: together they
// keep more than one core busy, so that where others want the cores the ratio of times nears that of CPU times, which is
// told, too, as is the ratio of the quickest rounds, which others troubled least.
func BenchmarkB2HashAndPut(b *testing.B) {
	benchtest.Print(b, "")
	address := sink(b)
	c, err := client.New(client.Options{BaseURL: address})
	assert.NoError(b, err)
	b.Cleanup(c.Close)
	paths := benchPaths(b)
	var ratios, again, alones, togethers, work []float64
	for round := range benchRounds + 1 {
		alone, aloneCPU := timed(b, func() { hashAll(b, paths) })
		q, err := intake.Open(b.Context(), intake.Params{Service: &sending{Service: newServer(clocktest.New(time.Now())), client: c, address: address}, Store: newMemory()})
		assert.NoError(b, err)
		together, togetherCPU := timed(b, func() { submitAll(b, q, paths) })
		read := readBytes(b)
		submitAll(b, q, paths) // which it knows
		known := readBytes(b) - read
		q.Close()
		if round == 0 {
			continue // to warm up
		}
		ratios = append(ratios, together.Seconds()/alone.Seconds())
		alones, togethers = append(alones, alone.Seconds()), append(togethers, together.Seconds())
		work = append(work, togetherCPU.Seconds()/aloneCPU.Seconds())
		again = append(again, float64(known/1024))
	}
	ratio, known := benchtest.Median(ratios), benchtest.Median(again)
	reportB2(b, "hash and PUT together vs hashing alone", fmt.Sprintf("%.2fx", ratio), "<= 1.30x", ratio <= 1.3)
	benchtest.Print(b, "B2 the same by the quickest rounds: %.2fx; by CPU time, the server's included: %.2fx",
		slices.Min(togethers)/slices.Min(alones), benchtest.Median(work))
	reportB2(b, "KB read of known unchanged files", fmt.Sprintf("%.0f", known), "0", known == 0)
	b.ReportMetric(ratio, "x-hashing-alone")
}

func reportB2(b *testing.B, what, value, aim string, met bool) {
	benchtest.Print(b, "B2 %s: %s (aim %s) %s", what, value, aim, benchtest.Met(met))
}

// sending is a service whose uploads are real.
type sending struct {
	intake.Service
	client  *client.Client
	address string
}

func (s *sending) RequestUpload(_ context.Context, name string) (client.Upload, error) {
	return client.Upload{SignedURL: s.address + "/" + name, RequestID: name, Issued: time.Now()}, nil
}

func (s *sending) Put(ctx context.Context, address string, file *os.File, size int64, progress func(int64)) error {
	return s.client.Put(ctx, address, file, size, progress)
}

// submitAll returns when the service has all the files, or has had them before.
func submitAll(b *testing.B, q *intake.Queue, paths []string) {
	b.Helper()
	changes := q.Events.Subscribe()
	defer changes.Close()
	accepted, err := q.Accept(b.Context(), intake.Inputs(paths...), intake.Options{Source: submission.Dropped})
	assert.NoError(b, err)
	for _, id := range accepted.IDs {
		for {
			s, _ := q.Get(id)
			if s.State == submission.Analysing || s.State == submission.Done {
				break
			}
			if s.State.Ended() {
				b.Fatal(s.Problem)
			}
			<-changes.Ready()
			changes.Take()
		}
	}
}

// hashAll is the peer: it reads each file once and hashes it.
func hashAll(b *testing.B, paths []string) {
	b.Helper()
	for _, path := range paths {
		file, err := os.Open(path)
		assert.NoError(b, err)
		_, err = io.CopyBuffer(sha256.New(), struct{ io.Reader }{file}, make([]byte, 256<<10))
		assert.NoError(b, errors.Join(err, file.Close()))
	}
}

// benchPaths makes files of random bytes that have rested for an hour, and are in the page cache as reading them from the
// disk leaves them: how the pages came there matters to sendfile.
func benchPaths(b *testing.B) []string {
	b.Helper()
	folder, rested := b.TempDir(), time.Now().Add(-time.Hour)
	paths := make([]string, benchFiles)
	content := make([]byte, benchSize)
	for i := range paths {
		_, _ = rand.Read(content) // never fails
		paths[i] = filepath.Join(folder, fmt.Sprintf("%d.mp4", i))
		assert.NoError(b, errors.Join(layOut(paths[i], content), os.Chtimes(paths[i], rested, rested)))
	}
	return paths
}

// layOut writes a file to the disk and reads it back into the page cache.
func layOut(path string, content []byte) error {
	file, err := os.Create(path) //nolint:gosec // the benchmark's own file
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Sync(), unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)) //nolint:gosec // a descriptor fits
	_, seek := file.Seek(0, io.SeekStart)
	_, read := io.Copy(io.Discard, file)
	return errors.Join(err, seek, read, file.Close())
}

func timed(b *testing.B, do func()) (took, cpu time.Duration) {
	b.Helper()
	before, start := cpuTime(b), time.Now()
	do()
	took = time.Since(start)
	return took, cpuTime(b) - before
}

// cpuTime is what this process has used by now, user and system.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	assert.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// readBytes is what this process has read by now. To ask costs some hundred bytes itself.
func readBytes(b *testing.B) int64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/io")
	assert.NoError(b, err)
	_, rest, _ := strings.Cut(string(text), "rchar: ")
	line, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseInt(line, 10, 64)
	assert.NoError(b, err)
	return n
}

// sink serves uploads on loopback and throws them away, as cheaply as can be, since a real service runs on another
// computer.
func sink(b *testing.B) (address string) {
	b.Helper()
	listener, err := new(net.ListenConfig).Listen(b.Context(), "tcp", "127.0.0.1:0")
	assert.NoError(b, err)
	var uploads sync.WaitGroup
	uploads.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // the listener is closed
			}
			uploads.Go(func() { _ = take(conn) }) // the uploader notices what went wrong
		}
	})
	b.Cleanup(func() {
		if err := listener.Close(); err != nil {
			b.Error(err)
		}
		uploads.Wait()
	})
	return "http://" + listener.Addr().String()
}

// take answers one upload; the kernel drops its bytes without copying them.
func take(conn net.Conn) error {
	defer conn.Close() //nolint:errcheck // answered
	buffered := bufio.NewReader(conn)
	r, err := http.ReadRequest(buffered)
	if err != nil {
		return err
	}
	early, err := buffered.Discard(int(min(int64(buffered.Buffered()), r.ContentLength)))
	if err != nil {
		return err
	}
	if err := benchtest.Discard(conn.(*net.TCPConn), r.ContentLength-int64(early)); err != nil {
		return err
	}
	_, err = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	return err
}
