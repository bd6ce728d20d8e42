package forensics

import "testing"

func TestBands(t *testing.T) {
	for score, want := range map[float64]Status{0.01: Authentic, 39.99: Authentic, 40: Suspicious, 69.99: Suspicious, 70: Fake, 99.99: Fake} {
		if got := statusOf(score); got != want {
			t.Errorf("%v is %s, want %s", score, got, want)
		}
	}
}
