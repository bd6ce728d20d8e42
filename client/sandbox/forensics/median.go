package forensics

import "math"

// Median returns the median, of two in the middle the upper, and 0 of no values. It reorders them; none may be NaN.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return middle(values)
}

// MedianAndMAD returns the median, and the median absolute deviation scaled to the
// standard deviation of a normal distribution. It reorders and changes values, of which none may be NaN.
func MedianAndMAD(values []float64) (median, mad float64) {
	if len(values) == 0 {
		return 0, 0
	}
	median = middle(values)
	for i, v := range values {
		values[i] = math.Abs(v - median)
	}
	return median, 1.4826 * middle(values)
}

// middle selects the value that sorting would put in the middle (C. A. R. Hoare, Algorithm 65: Find, CACM 4(7), 1961), which takes a time
// that grows with the number of values rather than with that of comparing them all.
func middle(values []float64) float64 {
	k, from, to := len(values)/2, 0, len(values)-1
	for from < to {
		pivot := pivotOf(values[from], values[from+(to-from)/2], values[to])
		i, j := from, to
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for pivot < values[j] {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			to = j
		case k >= i:
			from = i
		default:
			return values[k]
		}
	}
	return values[k]
}

// pivotOf is the one of three that lies between the others, so that values in order don't make the selection slow.
func pivotOf(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}
