package bundle_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/report"
	"assay/client/report/reporttest"
	"assay/client/submission"
)

// BenchmarkB10Bundle measures a bundle of 1 GiB of media beside sha256sum and cp on the same files. Assay's is on the disk when it ends.
func BenchmarkB10Bundle(b *testing.B) {
	benchtest.Print(b, "")
	reporttest.Need(b, "sha256sum", "cp", "sync")
	f := setup(b)
	const files, size = 8, 128 << 20
	random := rand.NewChaCha8([32]byte{1})
	var paths, names []string
	for i := range files {
		content := make([]byte, size)
		_, _ = random.Read(content) // never fails
		f.add(fmt.Sprint("file", i), "clip.mp4", content, func(s *submission.Submission) { s.Type = client.Video })
		names = append(names, fmt.Sprint("file", i))
		paths = append(paths, filepath.Join(f.files, names[i]))
	}
	f.o.Media = report.MediaReceived
	var peers, folders, zips, grown []float64
	for i := range 3 {
		copies := b.TempDir()
		peers = append(peers, benchtest.Seconds(func() {
			reporttest.Tool(b, "", "sha256sum", paths...)
			reporttest.Tool(b, "", "cp", append(paths, copies)...)
			reporttest.Tool(b, copies, "sync", names...)
		}))
		assert.NoError(b, os.RemoveAll(copies))
		before := heap()
		folders = append(folders, benchtest.Seconds(func() { f.write(fmt.Sprint("case", i)) }))
		zips = append(zips, benchtest.Seconds(func() { f.write(fmt.Sprint("case", i, ".zip")) }))
		grown = append(grown, (heap()-before)/(1<<20))
		assert.NoError(b, os.RemoveAll(f.folder))
		assert.NoError(b, os.Mkdir(f.folder, 0o700))
	}
	peer := benchtest.Median(peers)
	for name, took := range map[string]float64{"a folder": benchtest.Median(folders), "a .zip": benchtest.Median(zips)} {
		benchtest.Print(b, "B10 a bundle of 1 GiB of media as %s: %.2f s, %.2fx sha256sum, cp and sync (aim 1.30x) %s; memory grew by %.0f MiB",
			name, took, took/peer, benchtest.Met(took <= 1.3*peer), benchtest.Median(grown))
	}
}

// heap is the memory in use, in bytes.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
