package forensics

import (
	"math"
	"slices"
)

// medianAndMAD gives the median and the median absolute deviation scaled to the
// standard deviation of a normal distribution. It reorders values.
func medianAndMAD(values []float64) (median, mad float64) {
	if len(values) == 0 {
		return 0, 0
	}
	slices.Sort(values)
	median = values[len(values)/2]
	for i, v := range values {
		values[i] = math.Abs(v - median)
	}
	slices.Sort(values)
	return median, 1.4826 * values[len(values)/2]
}
