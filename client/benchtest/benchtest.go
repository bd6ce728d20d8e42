// Package benchtest is what benchmarks share: the lines that "make bench" shows, what goes into them, and the other end of an upload. It imports the standard library.
package benchtest

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// Print writes a line to standard output, where "make bench" reads the ratios. An empty one ends the line on which the benchmark's name stands.
func Print(b *testing.B, format string, values ...any) {
	b.Helper()
	if _, err := fmt.Fprintf(os.Stdout, format+"\n", values...); err != nil {
		b.Fatal(err)
	}
}

// Met says in a word whether an aim is met.
func Met(met bool) string {
	if met {
		return "met"
	}
	return "missed"
}

// Seconds is how long do takes.
func Seconds(do func()) float64 {
	start := time.Now()
	do()
	return time.Since(start).Seconds()
}

// Median is the middle one of the values, of which there must be one.
func Median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}
