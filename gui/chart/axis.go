package chart

import "math"

// axis maps seconds to places along a width.
type axis struct {
	length float64 // seconds
	width  float32
}

// x is the place of a moment, held within the axis.
func (a axis) x(seconds float64) float32 {
	if !(a.length > 0) || math.IsNaN(seconds) {
		return 0
	}
	return float32(math.Min(math.Max(seconds/a.length, 0), 1)) * a.width
}

// at is the moment at a place, held within the axis.
func (a axis) at(x float32) float64 {
	if a.width <= 0 {
		return 0
	}
	return math.Min(math.Max(float64(x)/float64(a.width), 0), 1) * a.length
}

// tickSteps are the distances, in seconds, that a ruler may have.
var tickSteps = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 36000, 86400, 864000, 8640000}

// ticks are the moments for labels that stand at least apart from each other.
func (a axis) ticks(apart float32) []float64 {
	if !(a.length > 0) || a.width <= 0 {
		return nil
	}
	step := 0.0
	for _, step = range tickSteps {
		if float32(step/a.length)*a.width >= apart {
			break
		}
	}
	var moments []float64
	for i := 0; float64(i)*step <= a.length*(1+1e-9) && i <= int(a.width/max(apart, 1))+1; i++ {
		moments = append(moments, float64(i)*step)
	}
	return moments
}
