//go:build linux

package picture

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"syscall"
	"testing"

	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/sandbox/forensics"
)

// analysisAim is the seconds of processor time that a picture of two megapixels may take.
const analysisAim = 0.5

// BenchmarkBAnalysis measures what an analysis of just below two megapixels costs in processor time, beside decoding and encoding such a
// picture once by image/jpeg, by turns, so that a busy machine troubles both alike. Larger pictures are searched in part, so that this size
// is the dearest for its pixels. Included is what the sandbox does with the result: all heatmaps as PNG, though it keeps only some, and the
// small picture. The memory is what that allocates.
func BenchmarkBAnalysis(b *testing.B) {
	scene := photoLike(1728, 1152, 3)
	altered := feathered(scene, scene, image.Rect(200, 800, 480, 1040), image.Pt(1100, 820), 4)
	altered = feathered(altered, throughJPEG(b, photoLike(1728, 1152, 4), 60), image.Rect(403, 602, 703, 902), image.Pt(720, 500), 1)
	for name, kind := range map[string]struct {
		data []byte
		want forensics.Status
	}{
		"JPEG":          {asJPEG(b, scene, 90), forensics.Authentic},
		"PNG":           {asPNG(b, scene), forensics.Authentic},
		"JPEG, altered": {asJPEG(b, altered, 92), forensics.Fake},
		"PNG, altered":  {asPNG(b, altered), forensics.Fake},
	} {
		b.Run(name, func(b *testing.B) {
			again, encoder := asJPEG(b, scene, 90), png.Encoder{CompressionLevel: png.BestSpeed}
			var ours, peers, allocated []float64
			for b.Loop() {
				for range 5 {
					var before, after runtime.MemStats
					runtime.GC()
					runtime.ReadMemStats(&before)
					ours = append(ours, processorTime(b, func() {
						report := analysed(b, kind.data)
						if report.Status != kind.want {
							b.Fatalf("status %s, want %s", report.Status, kind.want)
						}
						for _, m := range report.Models {
							if m.Heatmap != nil {
								assert.NoError(b, encoder.Encode(io.Discard, m.Heatmap))
							}
						}
						_, err := Reduced(b.Context(), kind.data, 320)
						assert.NoError(b, err)
					}))
					runtime.ReadMemStats(&after)
					allocated = append(allocated, float64(after.TotalAlloc-before.TotalAlloc)/(1<<20))
					runtime.GC()
					peers = append(peers, processorTime(b, func() {
						m, err := jpeg.Decode(bytes.NewReader(again))
						assert.NoError(b, err)
						assert.NoError(b, jpeg.Encode(io.Discard, m, &jpeg.Options{Quality: 90}))
					}))
				}
			}
			our, peer := benchtest.Median(ours), benchtest.Median(peers)
			benchtest.Print(b, "\nsandbox: analysis of 2 MP, %s: %.2f s of processor time (aim %.1f s) %s; %.1fx decoding and encoding a JPEG; %.0f MB allocated",
				name, our, analysisAim, benchtest.Met(our <= analysisAim), our/peer, benchtest.Median(allocated))
			b.ReportMetric(our/peer, "x-jpeg")
		})
	}
}

// processorTime is the seconds that this process spent on it, the garbage collector's part included.
func processorTime(b *testing.B, do func()) float64 {
	b.Helper()
	used := func() float64 {
		var r syscall.Rusage
		assert.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &r))
		return float64(r.Utime.Sec+r.Stime.Sec) + float64(r.Utime.Usec+r.Stime.Usec)/1e6
	}
	before := used()
	do()
	return used() - before
}
