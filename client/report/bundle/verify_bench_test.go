package bundle_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/report"
	"assay/client/report/bundle"
	"assay/client/report/reporttest"
	"assay/client/submission"
)

// BenchmarkB10Verify measures how long it takes to verify a bundle of 1 GiB of media, of several files and of one, beside sha256sum on the same files.
func BenchmarkB10Verify(b *testing.B) {
	benchtest.Print(b, "")
	reporttest.Need(b, "sha256sum")
	for _, files := range []int{8, 1} {
		f := setup(b)
		random := rand.NewChaCha8([32]byte{1})
		for i := range files {
			content := make([]byte, 1<<30/files)
			_, _ = random.Read(content) // never fails
			f.add(fmt.Sprint("file", i), "clip.mp4", content, func(s *submission.Submission) { s.Type = client.Video })
		}
		f.o.Media = report.MediaReceived
		folder, _ := f.write("case")
		zipped, _ := f.write("case.zip")
		media, err := filepath.Glob(filepath.Join(folder, "data", "media", "*"))
		assert.NoError(b, err)
		var peers, folders, zips []float64
		for range 3 {
			peers = append(peers, benchtest.Seconds(func() { reporttest.Tool(b, "", "sha256sum", media...) }))
			for path, took := range map[string]*[]float64{folder: &folders, zipped: &zips} {
				*took = append(*took, benchtest.Seconds(func() {
					v, err := bundle.Verify(b.Context(), path, bundle.VerifyOptions{})
					assert.NoError(b, err)
					if !v.State.Intact() {
						b.Fatal(changes(v))
					}
				}))
			}
		}
		peer := benchtest.Median(peers)
		for name, took := range map[string]float64{"a folder": benchtest.Median(folders), "a .zip": benchtest.Median(zips)} {
			benchtest.Print(b, "B10 verifying %s of 1 GiB in %d files: %.2f s, %.2fx sha256sum (aim 1.15x) %s", name, files, took, took/peer, benchtest.Met(took <= 1.15*peer))
		}
	}
}
