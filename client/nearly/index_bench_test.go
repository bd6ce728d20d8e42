package nearly

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"assay/client/benchtest"
	"assay/client/media/pdq"
	"assay/client/store"
)

// Everything that is looked up for a picture, among as many pictures with their parts as a large newsroom checks in years.
func BenchmarkBNearlyTheSameWithParts(b *testing.B) {
	const pictures, lookUps = 100_000, 20
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a benchmark that can be repeated
	random := func() (p pictureHashes) {
		for i := range p.oriented {
			p.oriented[i] = pdq.Hash{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
		}
		for i := range p.parts {
			p.parts[i] = pdq.Hash{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
		}
		return p
	}
	var before, after runtime.MemStats
	var last pictureHashes
	runtime.GC()
	runtime.ReadMemStats(&before)
	var x index
	build := benchtest.Seconds(func() {
		for i := range pictures {
			last = random()
			x.add(fmt.Sprintf("%064d", i), written(last, 100, store.PictureFingerprint, 0))
		}
	})
	runtime.GC()
	runtime.ReadMemStats(&after)
	var indexed []float64
	for range b.N {
		for range lookUps {
			wanted := random()
			wanted.parts[3] = last.parts[3]
			asked := []store.Fingerprint{written(wanted, 100, store.PictureFingerprint, 0)}
			indexed = append(indexed, benchtest.Seconds(func() {
				if found := x.near("new", asked); len(found) != 1 {
					b.Fatalf("%d are found", len(found))
				}
			}))
		}
	}
	took := benchtest.Median(indexed) * 1e3
	runtime.KeepAlive(&x)
	benchtest.Print(b, "\nnearly the same: a picture with its parts, in eight orientations, among %d: %.2f ms (aim 5 ms) %s; read in %.1f s, %.0f MB", pictures,
		took, benchtest.Met(took <= 5), build, float64(after.HeapAlloc-before.HeapAlloc)/(1<<20))
}
