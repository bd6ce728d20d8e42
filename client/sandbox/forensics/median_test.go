package forensics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMedianIsTheMiddleOfSortedValues(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- repeatable, no secret
	for n := 1; n < 200; n++ {
		for name, value := range map[string]func(i int) float64{
			"by chance":    func(int) float64 { return chance.Float64() },
			"many equal":   func(int) float64 { return float64(chance.IntN(3)) },
			"rising":       func(i int) float64 { return float64(i) },
			"falling":      func(i int) float64 { return -float64(i) },
			"all the same": func(int) float64 { return 7 },
		} {
			values := make([]float64, n)
			for i := range values {
				values[i] = value(i)
			}
			sorted := slices.Sorted(slices.Values(values))
			want := sorted[n/2]
			for i, v := range sorted {
				sorted[i] = math.Abs(v - want)
			}
			slices.Sort(sorted)
			if got := Median(slices.Clone(values)); got != want {
				t.Errorf("%d values %s: median %v, want %v", n, name, got, want)
			}
			if median, mad := MedianAndMAD(values); median != want || mad != 1.4826*sorted[n/2] {
				t.Errorf("%d values %s: %v and %v, want %v and %v", n, name, median, mad, want, 1.4826*sorted[n/2])
			}
		}
	}
}

func TestMedianOfNothing(t *testing.T) {
	if median, mad := MedianAndMAD(nil); Median(nil) != 0 || median != 0 || mad != 0 {
		t.Errorf("%v, %v and %v, want zeros", Median(nil), median, mad)
	}
}
