package forensicstest

import "testing"

func TestAreaUnderCurve(t *testing.T) {
	for name, c := range map[string]struct {
		high, low []float64
		want      float64
	}{
		"all apart":      {[]float64{3, 4}, []float64{1, 2}, 1},
		"the wrong way":  {[]float64{1}, []float64{2, 3}, 0},
		"alike":          {[]float64{1, 1}, []float64{1, 1}, 0.5},
		"one of three":   {[]float64{2}, []float64{1, 3, 4}, 1. / 3},
		"a tie and wins": {[]float64{2, 5}, []float64{2, 1}, 3.5 / 4},
	} {
		t.Run(name, func(t *testing.T) {
			if got := AreaUnderCurve(c.high, c.low); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
