package forensics

import "math"

// cosines holds the orthonormal basis of the 8-point cosine transform:
// cosines[k][i] weighs sample i for frequency k, so that a coefficient has the
// scale that JPEG quantises.
var cosines = func() (c [8][8]float32) {
	for k := range c {
		norm := 0.5
		if k == 0 {
			norm = math.Sqrt(0.125)
		}
		for i := range c[k] {
			c[k][i] = float32(norm * math.Cos(float64(2*i+1)*float64(k)*math.Pi/16))
		}
	}
	return c
}()

// across transforms the eight samples at s[0:8] for the frequency k.
func across(s []uint8, k int) float32 {
	c, s := &cosines[k], s[:8:8]
	return float32(s[0])*c[0] + float32(s[1])*c[1] + float32(s[2])*c[2] + float32(s[3])*c[3] +
		float32(s[4])*c[4] + float32(s[5])*c[5] + float32(s[6])*c[6] + float32(s[7])*c[7]
}
