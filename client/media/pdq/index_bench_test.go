package pdq_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"assay/client/benchtest"
	"assay/client/media/pdq"
)

// A look-up among as many pictures as a large newsroom checks in years, beside comparing with every one.
func BenchmarkBNearlyTheSame(b *testing.B) {
	const pictures, lookUps = 100_000, 200
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a benchmark that can be repeated
	var before, after runtime.MemStats
	all := make([]pdq.Hash, pictures)
	for i := range all {
		all[i] = random(r)
	}
	runtime.GC()
	runtime.ReadMemStats(&before)
	var x pdq.Index
	build := benchtest.Seconds(func() {
		for _, h := range all {
			x.Add(h)
		}
	})
	runtime.GC()
	runtime.ReadMemStats(&after)
	wanted := make([]pdq.Hash, lookUps)
	for i := range wanted {
		wanted[i] = flipped(r, all[r.IntN(pictures)], 20)
	}
	var indexed, scanned []float64
	for range b.N {
		for _, h := range wanted {
			found, again := 0, 0
			indexed = append(indexed, benchtest.Seconds(func() {
				x.Near(h, pdq.DefaultLimit, func(int, int) { found++ })
			}))
			scanned = append(scanned, benchtest.Seconds(func() {
				for _, other := range all {
					if h.Distance(other) <= pdq.DefaultLimit {
						again++
					}
				}
			}))
			if found != again || found == 0 {
				b.Fatalf("%d found by the index, %d by comparing with all", found, again)
			}
		}
	}
	index, scan := benchtest.Median(indexed)*1e3, benchtest.Median(scanned)*1e3
	runtime.KeepAlive(&x)
	benchtest.Print(b, "\nnearly the same: a look-up among %d pictures: %.3f ms (aim 5 ms) %s; comparing with all %.3f ms, %.0fx", pictures, index, benchtest.Met(index <= 5), scan, scan/index)
	benchtest.Print(b, "nearly the same: the index of them: %.0f ms, %.1f MB", build*1e3, float64(after.HeapAlloc-before.HeapAlloc)/(1<<20))
}
